"""Writes a project out as an Open Knowledge Format bundle, and reads one in; what differs is never overwritten."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from app.domain import redact
from app.domain.errors import PageChanged, PageExists
from app.domain.knowledge_errors import BundleRefused
from app.domain.limits import LIST_LIMIT_MAX
from app.domain.limits_knowledge import BUNDLE_PROBLEMS_SHOWN
from app.domain.page import PagePath
from app.domain.pagepath import INDEX_PATH, PROJECT_PATH
from app.domain.scope import Scope
from app.index import catalog
from app.index.filters import PageFilter
from app.upkeep import okf
from app.upkeep.okf import BundleFile
from app.wiki import markdown
from app.wiki.pages import NO_PAGE, Byline, Wiki


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a bundle's pages; `conflicts` are those that differ from what is there, which stays."""

    added: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


def export_files(wiki: Wiki, scope: Scope, *, after: str, bytes_max: int) -> tuple[list[BundleFile], str]:
    """Write out some of a project's pages, those behind the path `after`; gives the path to go on from, or empty."""
    files: list[BundleFile] = []
    total, last = 0, after
    wanted = PageFilter(scopes=(scope,))
    rows = wiki.index.read(partial(catalog.list_pages, wanted=wanted, limit=LIST_LIMIT_MAX, after=after))
    for row in rows:
        raw = wiki.tree.read_page(scope, row.path)
        if raw is not None and files and total + len(raw) > bytes_max:
            return files, last
        last = row.path
        if raw is not None:
            files.append(okf.build_file(row.path, raw))
            total += len(raw)
    return files, last if len(rows) == LIST_LIMIT_MAX else ""


def import_files(wiki: Wiki, scope: Scope, files: Mapping[str, bytes], person: str) -> ImportReport:
    """Take the pages of a bundle into a project: new ones are added, others are compared and left.

    Raises:
        BundleRefused: the files are no valid bundle; nothing is written then.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    problems = list(okf.list_problems(files))
    if problems:
        raise BundleRefused("; ".join(problems[:BUNDLE_PROBLEMS_SHOWN]))
    added: list[str] = []
    same: list[str] = []
    conflicts: list[str] = []
    for path, content in _walk_pages(files):
        present = wiki.tree.read_page(scope, path)
        clean = _clean(content)
        if present is not None:
            (same if present == clean or _is_same_page(path, present, clean) else conflicts).append(str(path))
            continue
        try:
            wiki.save_file(scope, path, clean, NO_PAGE, Byline(person, f"Import {path}"))
            added.append(str(path))
        except (PageExists, PageChanged):
            conflicts.append(str(path))
    return ImportReport(tuple(added), tuple(same), tuple(conflicts))


def _walk_pages(files: Mapping[str, bytes]) -> Iterator[tuple[PagePath, bytes]]:
    for path, content in sorted(files.items()):
        page = okf.find_page_path(path)
        if page is not None:
            yield page, content


def _clean(content: bytes) -> bytes:
    """Redact a file's text; bytes that are no text stay as they are."""
    try:
        return redact.redact_text(content.decode("utf-8")).encode("utf-8")
    except UnicodeDecodeError:
        return redact.redact_text(content.decode("latin-1")).encode("latin-1", "replace")


def _is_same_page(path: PagePath, present: bytes, given: bytes) -> bool:
    """Tell whether two texts say the same; the two pages that every project has are its own."""
    if path in {INDEX_PATH, PROJECT_PATH}:
        return True
    scope = Scope("main", "main")
    one, other = (markdown.parse_page(scope, path, raw) for raw in (present, given))
    ours, theirs = dict(one.fields), dict(other.fields)
    theirs.setdefault("type", ours.get("type"))
    ours.setdefault("type", theirs["type"])
    return one.body == other.body and ours == theirs
