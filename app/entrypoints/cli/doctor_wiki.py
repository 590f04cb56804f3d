"""What `memwiki doctor` finds in the wiki, in its git repository, and in the index that is made of it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from app.domain import limits_doctor
from app.domain.errors import AppError, BodyTooLarge
from app.domain.page import ContentHash, PagePath
from app.domain.scope import Scope
from app.entrypoints.cli.verdicts import Check, fail, skip, tell, warn
from app.index import checking
from app.index.checking import IndexLook
from app.index.document import Stamp
from app.index.kept_vectors import KeptVectors
from app.wiki import markdown, repository
from app.wiki.repository import Repository
from app.wiki.scan import FileStamp
from app.wiki.tree import Tree

PageKey = tuple[Scope, PagePath]

_SERIOUS: Final = frozenset(
    {"frontmatter_unclosed", "frontmatter_unreadable", "not_utf8", "nul_bytes", "merge_conflict"}
)
_POLL_S: Final = 0.25
_OF_INDEX: Final = ("index lag", "index sample")


@dataclass(frozen=True, slots=True)
class _Pages:
    """The wiki's files, and of those that were read their hashes and what is wrong with them."""

    files: Sequence[FileStamp]
    hashes: Mapping[PageKey, ContentHash]
    flaws: Sequence[str]


def check_wiki(data_dir: Path, *, is_served: bool, now: datetime) -> Iterator[Check]:
    """Check the pages, their history and their index."""
    root = data_dir / "wiki"
    if not root.is_dir():
        yield from (skip(name, "there is no wiki") for name in ("wiki pages", "wiki history", "wiki commits"))
        return
    pages = _read_pages(root)
    yield _check_pages(pages)
    yield from _check_history(root, is_served=is_served, now=now)
    yield from _check_index(data_dir / "index", root, pages, is_served=is_served)


def _read_pages(root: Path) -> _Pages:
    tree, hashes, flaws = Tree(root), dict[PageKey, ContentHash](), list[str]()
    files = list(tree.list_files())
    step = max(1, -(-len(files) // limits_doctor.PAGES_READ_MAX))
    for file in files[::step]:
        try:
            content = tree.read_page(file.scope, file.path)
        except BodyTooLarge:
            continue
        except AppError as error:
            flaws.append(f"{file.scope}:{file.path}: {error}")
            continue
        if content is not None:
            page = markdown.parse_page(file.scope, file.path, content)
            hashes[file.scope, file.path] = page.content_hash
            flaws += [f"{file.scope}:{file.path}: {each.detail}" for each in page.findings if each.code in _SERIOUS]
    return _Pages(files, hashes, flaws)


def _check_pages(pages: _Pages) -> Check:
    name, read = "wiki pages", len(pages.hashes)
    if pages.flaws:
        said = f"{len(pages.flaws)} of {read} cannot be understood whole, such as {pages.flaws[0]}"
        return warn(name, said, "mend the file by hand, or: memwiki page restore PATH --at REV; memwiki lint names all")
    return tell(name, f"{read} of {len(pages.files)} read, all are well")


def _check_history(root: Path, *, is_served: bool, now: datetime) -> Iterator[Check]:
    if not (root / ".git").exists():
        advice = "restore the last good backup; a start without one begins a new history"
        yield fail("wiki history", f"{root} has no git repository", advice)
        yield skip("wiki commits", "there is no repository")
        return
    try:
        opened = _open(root)
        opened.check_objects()
        yield tell("wiki history", "git fsck finds nothing")
    except AppError as error:
        yield fail("wiki history", str(error), "take the repository from a clone or the last good backup")
        yield skip("wiki commits", "the repository is damaged")
        return
    yield _check_commits(opened, is_served=is_served, now=now)


def _open(root: Path) -> Repository:
    """Open a repository as it is: where a start would make or mend something, looking must not."""
    place = root.resolve()
    return Repository(place, place / ".git") if (place / ".git").is_dir() else repository.open_repository(root)


def _check_commits(opened: Repository, *, is_served: bool, now: datetime) -> Check:
    name, blocker = "wiki commits", opened.find_blocker()
    if blocker:
        return fail(
            name,
            blocker,
            "finish what is under way, or remove that file",
            _find_stale(opened, now, is_served=is_served),
        )
    differing = [] if is_served else opened.list_differences()
    if differing:
        return warn(name, f"{len(differing)} files are not committed", "the next start commits them")
    return tell(name, "the server commits what changes" if is_served else "all files are committed")


def _find_stale(opened: Repository, now: datetime, *, is_served: bool) -> Callable[[], str] | None:
    """Give what removes a lock that nobody can hold any more."""
    path = opened.git_dir / "index.lock"
    if is_served or not path.exists() or now.timestamp() - path.stat().st_mtime < limits_doctor.GIT_LOCK_SECONDS:
        return None

    def remove() -> str:
        path.unlink(missing_ok=True)
        return f"removed {path}, which a git that is gone had left"

    return remove


def _check_index(folder: Path, root: Path, pages: _Pages, *, is_served: bool) -> Iterator[Check]:
    name, path = "index file", checking.find_file(folder)
    if not path.exists():
        older = checking.list_versions(folder)
        said = f"only version {older[0]} of an other release is there" if older else "there is none"
        yield warn(name, said, "a start builds it from the wiki; nothing is lost")
        yield from (skip(each, "there is no index") for each in _OF_INDEX)
        return
    found = checking.look(folder, is_served=is_served)
    if found.fault:
        advice = "memwiki reindex" if is_served else f"remove {path}; the next start builds it anew"
        yield fail(name, found.fault, advice, None if is_served else _build_dropping(path))
        yield from (skip(each, "the index is damaged") for each in _OF_INDEX)
        return
    if not found.is_complete:
        yield warn(name, "it was never filled to the end", "wait for the server, or start it: it goes on by itself")
    else:
        kept = KeptVectors(folder).measure_bytes()
        beside = f", beside it vectors of {kept / 2**20:.1f} MiB" if kept else ""
        yield tell(name, f"sound, {len(found.stamps)} pages{beside}")
    yield _check_lag(folder, root, pages, found, is_served=is_served)
    yield _check_sample(pages, found)


def _build_dropping(path: Path) -> Callable[[], str]:
    def drop() -> str:
        for each in (path, *path.parent.glob(f"{path.name}-*")):
            each.unlink(missing_ok=True)
        return f"removed {path}; the next start builds it from the wiki"

    return drop


def _check_lag(folder: Path, root: Path, pages: _Pages, found: IndexLook, *, is_served: bool) -> Check:
    """Compare what the index knows of every file with what is on the disk; a running server is given a moment."""
    name, behind = "index lag", _count_behind(pages, found)
    deadline = time.monotonic() + limits_doctor.INDEX_LAG_SECONDS_MAX
    while behind and is_served and time.monotonic() < deadline:
        time.sleep(_POLL_S)
        behind = _count_behind(_read_pages(root), checking.look(folder, is_served=True))
    if not behind:
        return tell(name, "it knows every file as it is")
    if is_served:
        return fail(name, f"{behind} files differ from what it knows", "memwiki status; memwiki reindex builds it anew")
    return warn(name, f"{behind} files differ from what it knows", "the next start brings it up to date")


def _count_behind(pages: _Pages, found: IndexLook) -> int:
    present = {(file.scope, file.path): file for file in pages.files}
    gone = sum(1 for key in found.stamps if key not in present)
    return gone + sum(1 for key, file in present.items() if not _is_known(file, found.stamps.get(key), pages.hashes))


def _is_known(file: FileStamp, stamp: Stamp | None, hashes: Mapping[PageKey, ContentHash]) -> bool:
    """Tell whether the index has a file as it is; one that had just been written is kept without its time."""
    if stamp is None or stamp.size != file.size:
        return False
    words = hashes.get((file.scope, file.path), stamp.content_hash)
    return stamp.mtime_ns == file.mtime_ns or (stamp.mtime_ns < 0 and words == stamp.content_hash)


def _check_sample(pages: _Pages, found: IndexLook) -> Check:
    """Compare contents where time and size say that nothing has changed."""
    name, present = "index sample", {(file.scope, file.path): file for file in pages.files}
    same = [
        key
        for key, stamp in found.stamps.items()
        if key in pages.hashes and (stamp.mtime_ns, stamp.size) == (present[key].mtime_ns, present[key].size)
    ]
    wrong = [key for key in same if found.stamps[key].content_hash != pages.hashes[key]]
    if wrong:
        scope, path = wrong[0]
        return fail(
            name, f"of {len(same)} pages {len(wrong)} have other words, such as {scope}:{path}", "memwiki reindex"
        )
    return tell(name, f"{len(same)} pages have the words that are on the disk")
