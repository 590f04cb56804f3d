"""Makes the index equal the tree: looks at every file's entry, reads only what changed, and writes no page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from app.domain import limits
from app.domain.errors import BodyTooLarge, WikiUnreadable
from app.domain.limits import INDEXED_TEXT_CHARS_MAX, RECONCILE_BATCH_MAX
from app.domain.page import ContentHash, Finding, Page, PagePath
from app.domain.pagepath import kind_of_path
from app.domain.scope import Scope
from app.index import build
from app.index.database import Progress
from app.index.document import Document, Stamp
from app.wiki import markdown
from app.wiki.pages import Wiki
from app.wiki.scan import FileStamp, Skip

PageKey = tuple[Scope, PagePath]


@dataclass(frozen=True, slots=True)
class Report:
    """What one pass found; `findings` are those of the pages it read, `skipped` what was not reported before."""

    added: tuple[PageKey, ...] = ()
    changed: tuple[PageKey, ...] = ()
    removed: tuple[PageKey, ...] = ()
    findings: tuple[tuple[Scope, PagePath, Finding], ...] = ()
    skipped: tuple[Skip, ...] = ()
    files: int = 0

    @property
    def pages(self) -> tuple[PageKey, ...]:
        """List every page that is not what the index knew."""
        return (*self.added, *self.changed, *self.removed)


@dataclass(slots=True)
class _Tally:
    added: list[PageKey] = field(default_factory=list)
    changed: list[PageKey] = field(default_factory=list)
    removed: list[PageKey] = field(default_factory=list)
    findings: list[tuple[Scope, PagePath, Finding]] = field(default_factory=list)

    def close(self, skipped: tuple[Skip, ...], files: int) -> Report:
        return Report(tuple(self.added), tuple(self.changed), tuple(self.removed), tuple(self.findings), skipped, files)


def reconcile(wiki: Wiki, scope: Scope | None = None) -> Report:
    """Compare every file's time and size with the index and read what differs; whole tree or one project.

    Raises:
        WikiUnreadable: the wiki's folder is gone, which is not taken for an empty wiki.
        StoreUnreadable: the index cannot be used.
        DiskRefused: the index cannot be written.
    """
    # The index is asked first: a page saved while the walk runs is then read once too often, never missed.
    known = wiki.index.read(lambda connection: build.list_stamps(connection, scope))
    files = list(wiki.tree.list_files(scope))
    is_building = scope is None and (wiki.index.progress is not None or not known)
    stale = [file for file in files if not _is_known(file, known.get((file.scope, file.path)))]
    present = {(file.scope, file.path) for file in files}
    gone = [key for key in known if key not in present]
    tally = _Tally()
    told, begun_at = wiki.index.progress, wiki.clock.now()
    for number, batch in enumerate(_cut(stale)):
        if is_building and wiki.index.progress is told:
            passed = (wiki.clock.now() - begun_at).total_seconds()
            told = wiki.index.progress = _measure(number * RECONCILE_BATCH_MAX, len(stale), len(files), passed)
        gone += _index_files(wiki, batch, known, tally, is_thorough=True)
    _remove_pages(wiki, gone, tally)
    if is_building and wiki.index.progress is told:
        # Only a pass that came to its end makes the index complete, and only if nobody asked for a new one meanwhile.
        wiki.index.mark_complete()
        wiki.index.progress = None
    return tally.close(wiki.tree.take_new_skips(), len(files))


def reconcile_pages(wiki: Wiki, pages: Iterable[PageKey]) -> Report:
    """Read the given pages, whatever their time and size say, and bring the index up to date with them."""
    asked = sorted(set(pages))
    known = _list_stamps(wiki, {scope for scope, _ in asked})
    files = [_look(wiki, scope, path) for scope, path in asked]
    gone = [key for key, file in zip(asked, files, strict=True) if file is None]
    tally = _Tally()
    for batch in _cut(file for file in files if file is not None):
        gone += _index_files(wiki, batch, known, tally, is_thorough=False)
    _remove_pages(wiki, [key for key in gone if key in known], tally)
    return tally.close((), len(asked))


def rebuild(wiki: Wiki) -> Report:
    """Make a new index from the files; `wiki.index.progress` tells how far it is, from before the old one goes.

    Raises:
        WikiUnreadable: the wiki's folder is gone.
        DiskRefused: the index cannot be written.
    """
    wiki.index.progress = Progress(0, 0)
    wiki.index.recreate()
    return reconcile(wiki)


def _measure(read: int, stale: int, total: int, passed_seconds: float) -> Progress:
    """Tell how far a pass is; what the index had already counts as done."""
    left = round(passed_seconds / read * (stale - read)) if read else None
    return Progress(total - stale + read, total, left)


def _is_known(file: FileStamp, stamp: Stamp | None) -> bool:
    return stamp is not None and (stamp.mtime_ns, stamp.size) == (file.mtime_ns, file.size)


def _list_stamps(wiki: Wiki, scopes: Iterable[Scope]) -> dict[PageKey, Stamp]:
    found: dict[PageKey, Stamp] = {}
    for scope in scopes:
        found |= wiki.index.read(partial(build.list_stamps, scope=scope))
    return found


def _index_files(
    wiki: Wiki, batch: Sequence[FileStamp], known: dict[PageKey, Stamp], tally: _Tally, *, is_thorough: bool
) -> list[PageKey]:
    """Index some files and tell which of them went away; a thorough pass also renews the stamp of unchanged ones."""
    gone: list[PageKey] = []
    pending = batch
    for _ in range(limits.RECONCILE_ROUNDS_MAX):
        documents: list[Document] = []
        for file in pending:
            page, content = _read_page(wiki, file)
            if page is None:
                gone.append((file.scope, file.path))
            elif not _is_same(page, known.get((file.scope, file.path)), is_thorough=is_thorough):
                documents.append(wiki.build_document(page, file, content))
        if documents:
            wiki.index.write(partial(build.put_documents, documents=documents))
            _count(documents, known, tally)
        # A save that came in between may have been indexed before us, so what we put must still be on disk.
        pending = [now for file in pending if (now := _look(wiki, file.scope, file.path)) and now != file]
        if not pending:
            break
    return gone


def _is_same(page: Page, stamp: Stamp | None, *, is_thorough: bool) -> bool:
    """Tell whether the index may keep what it has; a page that still cannot be read has no hash and stays too."""
    if stamp is None or stamp.content_hash != page.content_hash:
        return False
    return not is_thorough or not page.content_hash


def _count(documents: Sequence[Document], known: dict[PageKey, Stamp], tally: _Tally) -> None:
    for document in documents:
        key = (document.scope, document.path)
        before = known.get(key)
        known[key] = document.stamp
        if before is None:
            tally.added.append(key)
        elif before.content_hash != document.stamp.content_hash:
            tally.changed.append(key)
        else:
            continue
        tally.findings += [(*key, finding) for finding in document.findings]


def _remove_pages(wiki: Wiki, gone: Sequence[PageKey], tally: _Tally) -> None:
    # Looked at once more: it may have come back, or be in a folder that only cannot be read now.
    surely_gone = [key for key in gone if _is_gone(wiki, *key)]
    if surely_gone:
        wiki.index.write(lambda connection: build.remove_documents(connection, surely_gone))
        tally.removed += surely_gone


def _is_gone(wiki: Wiki, scope: Scope, path: PagePath) -> bool:
    try:
        return wiki.tree.find_stamp(scope, path) is None
    except WikiUnreadable:
        return False


def _look(wiki: Wiki, scope: Scope, path: PagePath) -> FileStamp | None:
    try:
        return wiki.tree.find_stamp(scope, path)
    except WikiUnreadable:
        return None


def _read_page(wiki: Wiki, file: FileStamp) -> tuple[Page | None, bytes]:
    """Read a page for the index, and its bytes as far as they were read.

    What cannot be read becomes an empty page that says why, None is no page at all.
    """
    try:
        content = wiki.tree.read_page(file.scope, file.path)
    except BodyTooLarge as error:
        head = wiki.tree.read_head(file.scope, file.path, INDEXED_TEXT_CHARS_MAX) or b""
        return _flag(markdown.parse_page(file.scope, file.path, head), "file_too_large", str(error)), head
    except WikiUnreadable as error:
        return _flag(_build_empty_page(file), "unreadable", error.reason), b""
    if content is None:
        return None, b""
    return markdown.parse_page(file.scope, file.path, content), content


def _build_empty_page(file: FileStamp) -> Page:
    name = file.path.rpartition("/")[2].removesuffix(".md")
    return Page(file.scope, file.path, kind_of_path(file.path), name, "", ContentHash(""))


def _flag(page: Page, code: str, detail: str) -> Page:
    return replace(page, findings=(*page.findings, Finding(code, detail)))


def _cut(files: Iterable[FileStamp]) -> Iterator[Sequence[FileStamp]]:
    rest = iter(files)
    while batch := list(islice(rest, RECONCILE_BATCH_MAX)):
        yield batch
