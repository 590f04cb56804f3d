"""`Wiki`: saves, moves and deletes pages: install the file, index it, queue the commit."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from app.domain import errand
from app.domain.clock import Clock, IdSource
from app.domain.errand import PageChange
from app.domain.errors import DiskRefused, PageNotFound, StoreUnreadable
from app.domain.limits import RACY_MTIME_MS
from app.domain.page import ContentHash, Page, PageKind, PagePath
from app.domain.pagepath import build_page_path, kind_of_path, number_page_path
from app.domain.redact import Redacted, list_classes
from app.domain.scope import Scope
from app.index import build
from app.index.database import IndexDatabase
from app.index.document import Document, Stamp, build_document, is_generated
from app.wiki import fields as yaml_fields
from app.wiki import markdown
from app.wiki.commit_plan import CommitRequest
from app.wiki.committer import Committer
from app.wiki.locks import PageLocks
from app.wiki.scan import FileStamp
from app.wiki.tree import Tree

NO_PAGE = ContentHash("")
_UNKNOWN_MTIME = -1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PageDraft:
    """What a page is to become and what it was when the writer looked.

    `fields` are set on top of those that the page has; None removes one. `expected` is the hash of the page that the
    text is based on, empty for a new page.
    """

    fields: Mapping[str, object]
    body: Redacted
    expected: ContentHash = NO_PAGE


@dataclass(frozen=True, slots=True)
class Byline:
    """Who changes a page, in which words history says so, and the session that the change comes from."""

    author: str
    message: str
    session_id: str = ""


class Unindexed:
    """Pages whose file is in place while the index could not take them; the watcher tries again."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._pages: set[tuple[Scope, PagePath]] = set()

    def add(self, scope: Scope, path: PagePath) -> None:
        """Remember one page."""
        with self._guard:
            self._pages.add((scope, path))

    def count(self) -> int:
        """Count what is remembered."""
        with self._guard:
            return len(self._pages)

    def take(self) -> set[tuple[Scope, PagePath]]:
        """Hand over what is remembered and forget it."""
        with self._guard:
            taken, self._pages = self._pages, set()
            return taken


@dataclass(frozen=True, slots=True)
class Wiki:
    """The wiki's parts, bound together; every method may be called from any thread."""

    tree: Tree
    index: IndexDatabase
    committer: Committer
    clock: Clock
    ids: IdSource
    locks: PageLocks = field(default_factory=PageLocks)
    unindexed: Unindexed = field(default_factory=Unindexed)

    def read_page(self, scope: Scope, path: PagePath) -> Page:
        """Read a page from its file.

        Raises:
            PageNotFound: there is none.
        """
        page = self.find_page(scope, path)
        if page is None:
            raise PageNotFound(path)
        return page

    def find_page(self, scope: Scope, path: PagePath) -> Page | None:
        """Read a page from its file if there is one."""
        content = self.tree.read_page(scope, path)
        return None if content is None else markdown.parse_page(scope, self.tree.find_path(scope, path), content)

    def choose_path(self, scope: Scope, kind: PageKind, title: str) -> PagePath:
        """Choose where a page of this title lies: where it is already, else a free name made from the title."""
        wanted = build_page_path(kind, title)
        path, number = wanted, 1
        while (page := self.find_page(scope, path)) is not None and not markdown.is_same_title(page.title, title):
            number += 1
            path = number_page_path(wanted, number)
        return path if page is None else page.path

    def save_page(self, scope: Scope, path: PagePath, draft: PageDraft, byline: Byline) -> Page:
        """Write a page; fields and bytes that the draft does not name stay. The same content again writes nothing.

        Raises:
            PageExists: the draft is for a new page and there is one.
            PageChanged: the page is not the one that the draft is based on.
            FieldsUnreadable: the page's frontmatter is broken, so it must not be rewritten.
            DiskRefused: the disk is full, read-only or somebody else's.
        """
        with self.locks.hold(scope, path):
            before = self.tree.read_page(scope, path)
            return self._install(scope, path, self._build(before, path, draft), draft.expected, byline)

    def save_generated(
        self, scope: Scope, path: PagePath, fields: Mapping[str, object], body: Redacted, byline: Byline
    ) -> Page:
        """Write a page that memwiki itself makes, whatever stands there now; fields that a person added stay.

        Raises:
            FieldsUnreadable: a person broke the page's frontmatter, so it must not be rewritten.
            DiskRefused: the disk is full, read-only or somebody else's.
        """
        with self.locks.hold(scope, path):
            before = self.tree.read_page(scope, path)
            expected = NO_PAGE if before is None else markdown.hash_content(before)
            draft = PageDraft(fields, body, expected)
            return self._install(scope, path, self._build(before, path, draft), expected, byline)

    def save_raw(self, scope: Scope, path: PagePath, text: Redacted, expected: ContentHash, byline: Byline) -> Page:
        """Write a page's whole text, frontmatter included, as it is given.

        Raises:
            PageExists: `expected` is empty and there is a page.
            PageChanged: the page is not the one that the text is based on.
            DiskRefused: the disk is full, read-only or somebody else's.
        """
        with self.locks.hold(scope, path):
            return self._install(scope, path, _encode(text), expected, byline)

    def save_file(self, scope: Scope, path: PagePath, content: bytes, expected: ContentHash, byline: Byline) -> Page:
        """Write a page's bytes as they are, of which the caller has taken the secrets; they need not be UTF-8.

        Raises:
            PageExists: `expected` is empty and there is a page.
            PageChanged: the page is not the one that the bytes are based on.
            DiskRefused: the disk is full, read-only or somebody else's.
        """
        with self.locks.hold(scope, path):
            return self._install(scope, path, content, expected, byline)

    def update_page_fields(
        self, scope: Scope, path: PagePath, changes: Mapping[str, object], expected: ContentHash, byline: Byline
    ) -> Page:
        """Set some fields of a page (None removes one); all other bytes stay.

        Raises:
            PageNotFound: there is no such page.
            PageChanged: it is not the one that the caller saw.
            FieldsUnreadable: its frontmatter is broken, so it must not be rewritten.
            DiskRefused: the disk is full, read-only or somebody else's.
        """
        with self.locks.hold(scope, path):
            before = self.tree.read_page(scope, path)
            if before is None:
                raise PageNotFound(path)
            return self._install(scope, path, yaml_fields.update_fields(before, changes), expected, byline)

    def move_page(self, scope: Scope, path: PagePath, to: PagePath, expected: ContentHash, byline: Byline) -> Page:
        """Give a page another path in its project; its bytes stay.

        Raises:
            PageNotFound: there is no such page.
            PageExists: another page has the new path.
            PageChanged: the page is not the one that the caller saw.
            DiskRefused: the disk is full, read-only or somebody else's.
        """
        with self.locks.hold(scope, path, to):
            content = self.tree.read_page(scope, path)
            if content is None:
                raise PageNotFound(path)
            old_path, old_place = self.tree.find_path(scope, path), self.tree.find_place(scope, path)
            stamp = self.tree.move_page(scope, old_path, to, expected)
            new_place = self.tree.find_place(scope, stamp.path)
            self._queue(byline, before={old_place: content}, after={old_place: None, new_place: content})
            _note(scope, old_path, content, None)
            _note(scope, stamp.path, None, content)
            page = markdown.parse_page(scope, stamp.path, content)
            self._index(page, stamp, content, gone=old_path)
            return page

    def delete_page(self, scope: Scope, path: PagePath, expected: ContentHash, byline: Byline) -> None:
        """Delete a page; its history stays in git.

        Raises:
            PageNotFound: there is no such page.
            PageChanged: it is not the one that the caller saw.
            DiskRefused: the disk is read-only or somebody else's.
        """
        with self.locks.hold(scope, path):
            content = self.tree.read_page(scope, path)
            if content is None:
                raise PageNotFound(path)
            path, place = self.tree.find_path(scope, path), self.tree.find_place(scope, path)
            self.tree.remove_page(scope, path, expected)
            self._queue(byline, before={place: content}, after={place: None})
            _note(scope, path, content, None)
            try:
                self.index.write(lambda connection: build.remove_documents(connection, [(scope, path)]))
            except (StoreUnreadable, DiskRefused):
                self.unindexed.add(scope, path)

    def erase_scope(self, scope: Scope) -> None:
        """Remove a project's folder, and its pages from the index, without a word to git.

        Raises:
            DiskRefused: the disk is read-only or somebody else's.
            StoreUnreadable: the index cannot be used.
        """
        self.tree.remove_scope(scope)
        self.index.write(lambda connection: build.remove_scope(connection, scope))

    def build_document(self, page: Page, stamp: FileStamp, content: bytes) -> Document:
        """Build what the index takes for a page whose file looked like `stamp` before `content` was read."""
        secrets = () if is_generated(page) else find_secrets(content)
        document = build_document(page, Stamp(stamp.mtime_ns, stamp.size, page.content_hash), secrets)
        now_ns = (self.clock.now() - _EPOCH).total_seconds() * 1e9
        # A second change within the clock's grain leaves the same time and size, and a file that could not be read may
        # become readable without any, so next time the content decides.
        if stamp.mtime_ns > now_ns - RACY_MTIME_MS * 1_000_000 or not page.content_hash:
            return replace(document, stamp=replace(document.stamp, mtime_ns=_UNKNOWN_MTIME))
        return document

    def _build(self, before: bytes | None, path: PagePath, draft: PageDraft) -> bytes:
        body = _encode(draft.body).decode("utf-8")
        if body and not body.endswith("\n"):
            body += "\n"
        if before is not None:
            return markdown.replace_body(yaml_fields.update_fields(before, draft.fields), body)
        given = {name: value for name, value in draft.fields.items() if value is not None}
        kind = given.get("kind") or kind_of_path(path)
        # A valid Open Knowledge Format page always says its type, and a page keeps its id when it is renamed.
        fields = {"type": str(kind), "id": self.ids.new_id()} | given
        return _encode(markdown.render_page(fields, body))

    def _install(self, scope: Scope, path: PagePath, content: bytes, expected: ContentHash, byline: Byline) -> Page:
        before = self.tree.read_page(scope, path)
        path = self.tree.find_path(scope, path)
        page = markdown.parse_page(scope, path, content)
        if content == before:
            # Also where the caller saw an older text: a repeated write has then already had its effect.
            return page
        stamp = self.tree.install_page(scope, path, content, expected)
        place = self.tree.find_place(scope, stamp.path)
        self._queue(byline, before={} if before is None else {place: before}, after={place: content})
        _note(scope, stamp.path, before, content)
        self._index(page, stamp, content)
        return page

    def _queue(self, byline: Byline, *, before: Mapping[str, bytes], after: Mapping[str, bytes | None]) -> None:
        self.committer.queue(
            CommitRequest(
                places=tuple(after),
                message=byline.message,
                author=byline.author,
                at=self.clock.now(),
                session_id=byline.session_id,
                before=before,
                after=after,
            )
        )

    def _index(self, page: Page, stamp: FileStamp, content: bytes, *, gone: PagePath | None = None) -> None:
        document = self.build_document(page, stamp, content)
        removed = [] if gone is None or gone == page.path else [(page.scope, gone)]
        try:
            self.index.write(lambda connection: build.put_documents(connection, [document]))
            if removed:
                self.index.write(lambda connection: build.remove_documents(connection, removed))
        except (StoreUnreadable, DiskRefused):
            for scope, path in ((page.scope, page.path), *removed):
                self.unindexed.add(scope, path)


def find_secrets(content: bytes) -> tuple[str, ...]:
    """Name the classes of secrets in a whole file, its frontmatter included."""
    return tuple(sorted(set(list_classes(content.decode("utf-8", "replace")))))


def _note(scope: Scope, path: PagePath, before: bytes | None, after: bytes | None) -> None:
    """Say what became of a page, for the trail of whoever asked for it.

    The paths of pages that memwiki makes hold words of sessions, which must not outlive those in a trail.
    """
    if errand.find_current() is None:
        return
    pages = [None if content is None else markdown.parse_page(scope, path, content) for content in (before, after)]
    hashes = ["" if page is None else page.content_hash for page in pages]
    page = next(page for page in pages if page is not None)
    name = f"page {page.id}" if page.fields.get("generated") else path
    errand.note_page(PageChange(scope, name, hashes[0], hashes[1]))


def _encode(text: str) -> bytes:
    """Encode what we write; NUL and halves of characters, which others cannot read, are replaced."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace")
