"""Turns a file's bytes into a `Page` and back; whatever a file holds, reading it gives a page, with findings."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain import link as links
from app.domain.errors import FieldsUnreadable
from app.domain.limits import HEADINGS_MAX, INDEXED_TEXT_CHARS_MAX, LINKS_MAX, TAGS_MAX, TITLE_CHARS_MAX
from app.domain.page import ContentHash, Finding, Page, PageKind, PagePath
from app.domain.pagepath import PAGE_SUFFIX, is_portable, kind_of_path
from app.domain.scope import Scope
from app.wiki import fields as yaml_fields

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(\S.*)$")
_CLOSING_MARKS = re.compile(r"[ \t]+#+[ \t]*$")
_TAG_SEPARATORS = re.compile(r"[,;\s]+")
_BLANK_LINE = re.compile(rb"\r?\n")
_CONFLICT_OPEN = re.compile(r"^<{7} ", re.MULTILINE)
_CONFLICT_CLOSE = re.compile(r"^>{7} ", re.MULTILINE)
_UTF16_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_KINDS = frozenset(PageKind)


@dataclass(frozen=True, slots=True)
class _Head:
    """What the frontmatter gave: its values, its single values as typed, and where the body begins."""

    fields: Mapping[str, object]
    typed: Mapping[str, str]
    body_start: int


def hash_content(raw: bytes) -> ContentHash:
    """Tell a file's content by its SHA-256."""
    return ContentHash(hashlib.sha256(raw).hexdigest())


def parse_page(scope: Scope, path: PagePath, raw: bytes) -> Page:
    """Read a page; what is wrong with it is in its findings, and a block that does not parse is body text."""
    findings = _find_byte_faults(raw)
    encoding = _UTF16_MARKS.get(raw[:2])
    # A page in UTF-16 is read through a UTF-8 copy; its own bytes stay.
    readable = raw[2:].decode(encoding, "replace").encode("utf-8", "replace") if encoding else raw
    head = _read_head(readable, findings)
    body = _decode(readable[head.body_start :])
    findings += _find_text_faults(path, body)
    indexed = body[:INDEXED_TEXT_CHARS_MAX]
    headings = _list_headings(indexed)
    description = head.fields.get("description")
    return Page(
        scope=scope,
        path=path,
        kind=_decide_kind(path, head.fields),
        title=_decide_title(path, head, headings),
        body=body,
        content_hash=hash_content(raw),
        id=head.typed.get("id", "").strip(),
        tags=_normalise_tags(head.fields.get("tags")),
        description=_one_line(description) if isinstance(description, str) else "",
        fields=head.fields,
        headings=headings,
        links=links.list_links(indexed)[:LINKS_MAX],
        findings=tuple(findings),
    )


def is_same_title(one: str, other: str) -> bool:
    """Tell whether two titles are one, in whichever normal form they were typed."""
    return _one_line(unicodedata.normalize("NFC", one)) == _one_line(unicodedata.normalize("NFC", other))


def render_page(fields: Mapping[str, object], body: str) -> str:
    """Write a whole page; reading it back gives the same fields and the same body."""
    return f"---\n{yaml_fields.render_fields(fields)}---\n\n{body}"


def replace_body(raw: bytes, body: str) -> bytes:
    """Put another text under the same frontmatter, whose bytes stay.

    Raises:
        FieldsUnreadable: the page's frontmatter cannot be told from its text.
    """
    block = yaml_fields.find_block(raw)
    if block is None and yaml_fields.is_opened(raw):
        raise FieldsUnreadable("its first line is --- and no other such line closes it")
    if block is None:
        mark = yaml_fields.BYTE_ORDER_MARK if raw.startswith(yaml_fields.BYTE_ORDER_MARK) else b""
        return mark + body.encode("utf-8", "replace")
    yaml_fields.parse_fields(block.read_text(raw))
    return raw[: _find_body_start(raw, block.body)] + body.encode("utf-8", "replace")


def _read_head(raw: bytes, findings: list[Finding]) -> _Head:
    block = yaml_fields.find_block(raw)
    if block is None:
        if yaml_fields.is_opened(raw):
            findings.append(Finding("frontmatter_unclosed", "line one is --- and no other such line closes it"))
        return _Head({}, {}, 0)
    try:
        text = block.read_text(raw)
        values, typed = yaml_fields.parse_fields(text), yaml_fields.parse_source_texts(text)
    except FieldsUnreadable as error:
        findings.append(Finding("frontmatter_unreadable", error.reason))
        return _Head({}, {}, 0)
    return _Head(values, typed, _find_body_start(raw, block.body))


def _find_body_start(raw: bytes, start: int) -> int:
    """Leave out the one blank line that sets the body apart."""
    blank = _BLANK_LINE.match(raw, start)
    return blank.end() if blank else start


def _decode(raw: bytes) -> str:
    text = raw.removeprefix(yaml_fields.BYTE_ORDER_MARK).decode("utf-8", "replace")
    return text.replace("\x00", "\ufffd")


def _find_byte_faults(raw: bytes) -> list[Finding]:
    found: list[Finding] = []
    if raw[:2] in _UTF16_MARKS:
        return [Finding("not_utf8", "the file is UTF-16")]
    if raw.startswith(yaml_fields.BYTE_ORDER_MARK):
        found.append(Finding("byte_order_mark", "the file begins with a byte order mark"))
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        found.append(Finding("not_utf8", f"byte {error.start} is not UTF-8"))
    if b"\x00" in raw:
        found.append(Finding("nul_bytes", "the file holds NUL"))
    windows = raw.count(b"\r\n")
    if windows and windows == raw.count(b"\n"):
        found.append(Finding("line_ends", "lines end in CR LF"))
    elif b"\r" in raw:
        found.append(Finding("line_ends", "line ends are mixed"))
    return found


def _find_text_faults(path: PagePath, body: str) -> list[Finding]:
    found: list[Finding] = []
    if len(body) > INDEXED_TEXT_CHARS_MAX:
        found.append(Finding("text_cut", f"only the first {INDEXED_TEXT_CHARS_MAX} characters can be found"))
    if _CONFLICT_OPEN.search(body) and _CONFLICT_CLOSE.search(body):
        found.append(Finding("merge_conflict", "it holds both sides of an unresolved merge"))
    if not is_portable(path):
        found.append(Finding("name_not_portable", "the name cannot be checked out on Windows"))
    return found


def _decide_kind(path: PagePath, fields: Mapping[str, object]) -> PageKind:
    for name in ("kind", "type"):
        value = fields.get(name)
        if isinstance(value, str) and value.strip().lower() in _KINDS:
            return PageKind(value.strip().lower())
    return kind_of_path(path)


def _decide_title(path: PagePath, head: _Head, headings: tuple[str, ...]) -> str:
    file_name = path.rpartition("/")[2].removesuffix(PAGE_SUFFIX)
    for candidate in (head.typed.get("title", ""), *headings[:1], file_name):
        title = _one_line(candidate)
        if title:
            return title[:TITLE_CHARS_MAX].rstrip()
    return file_name


def _normalise_tags(value: object) -> tuple[str, ...]:
    """Make a list of words of whatever stands there: a list, one text with commas, or a number."""
    items = value if isinstance(value, list) else [value]
    found: dict[str, None] = {}
    for item in items:
        if isinstance(item, str):
            words = _TAG_SEPARATORS.split(item) if not isinstance(value, list) else ["-".join(item.split())]
        elif isinstance(item, bool):
            words = [str(item).lower()]
        elif isinstance(item, int | float):
            words = [str(item)]
        else:
            continue
        found.update(dict.fromkeys(word.lstrip("#") for word in words if word.strip("#,")))
    return tuple(found)[:TAGS_MAX]


def _list_headings(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for line in links.list_prose_lines(text):
        match = _HEADING.match(line)
        heading = _one_line(_CLOSING_MARKS.sub("", match[1])) if match else ""
        if heading:
            found.append(heading[:TITLE_CHARS_MAX])
        if len(found) >= HEADINGS_MAX:
            break
    return tuple(found)


def _one_line(text: str) -> str:
    return " ".join(text.split())
