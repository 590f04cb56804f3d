"""What git remembers: a page's revisions, two of them side by side, whose each line is, and a project's timeline."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Final

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits, limits_web
from app.domain.errors import BodyTooLarge, PageNotFound
from app.domain.page import BlamedLine, PagePath, Revision
from app.domain.scope import Scope
from app.entrypoints.web import evidence, frame, subject
from app.entrypoints.web.evidence import Source
from app.index import catalog
from app.index.entries import PageRow
from app.state import projects
from app.wiki import history

_EQUAL: Final = "equal"
_ALIKE: Final = 0.3
_BORDER: Final = "---"
_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")
_EVIDENCE: Final = re.compile(r"(?<=.)\[\^(o(\d{1,18})(?:-\d{1,18})?)\]")
_MARK: Final = Markup('<a class="evidence" href="{}?at={}#o{}">{}</a>')

_Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A row of a comparison: the old line and the new one beside it; a number of 0 means that there is none.

    The spans are what changed within two lines that are alike.
    """

    old_number: int
    old: str
    new_number: int
    new: str
    is_changed: bool
    is_gap: bool = False
    old_spans: tuple[tuple[int, int], ...] = ()
    new_spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class BlameGroup:
    """Lines in a row that are from one commit."""

    revision: Revision | None
    lines: tuple[BlamedLine, ...]


async def show_history(request: Request) -> Response:
    """List a page's revisions."""
    site, scope, path = frame.find_site(request), await subject.find_scope(request), subject.find_path(request)
    place = site.runtime.wiki.tree.find_place(scope, path)
    revisions = await site.runtime.run(history.log, site.runtime.repository, place, limits.REVISIONS_MAX)
    if not revisions and await site.runtime.run(subject.read_raw, site, scope, path) is None:
        raise PageNotFound(path)
    heading = await _find_heading(site, scope, path)
    return frame.answer(
        request, "history.html", title=f"History of {heading}", scope=scope, path=path, revisions=revisions,
        heading=heading,
    )  # fmt: skip


async def show_diff(request: Request) -> Response:
    """Compare two revisions of a page; without `to` it is compared with what it is now."""
    site, scope, path = frame.find_site(request), await subject.find_scope(request), subject.find_path(request)
    old_id, new_id = request.query_params.get("from", ""), request.query_params.get("to", "")
    old = await site.runtime.run(subject.read_raw, site, scope, path, old_id) if old_id else b""
    new = await site.runtime.run(_read_or_nothing, site, scope, path, new_id)
    before, after = (_split(raw) for raw in (old, new))
    is_cut = len(before) > limits_web.DIFF_LINES_MAX or len(after) > limits_web.DIFF_LINES_MAX
    rows = await site.runtime.run(build_rows, before[: limits_web.DIFF_LINES_MAX], after[: limits_web.DIFF_LINES_MAX])
    heading = await _find_heading(site, scope, path)
    known = await site.runtime.run(history.describe, site.runtime.repository, {old_id, new_id})
    view = "inline" if request.query_params.get("layout") == "inline" else "split"
    return frame.answer(
        request, "diff.html", title=f"Changes of {heading}", scope=scope, path=path, rows=rows, view=view,
        old_id=old_id, new_id=new_id, is_cut=is_cut, heading=heading, old=known.get(old_id), new=known.get(new_id),
    )  # fmt: skip


async def show_blame(request: Request) -> Response:
    """Show of each line which commit and session it is from."""
    site, scope, path = frame.find_site(request), await subject.find_scope(request), subject.find_path(request)
    place = site.runtime.wiki.tree.find_place(scope, path)
    lines = await site.runtime.run(_blame, site, scope, path, place)
    shown = lines[: limits_web.BLAME_LINES_MAX]
    known = await site.runtime.run(history.describe, site.runtime.repository, {line.revision_id for line in shown})
    row, head = await _find_row(site, scope, path), _count_head(shown)
    session_url = site.url("sessions", row.session_id) if row and row.session_id else ""
    sources = await site.runtime.run(_list_sources, site, scope, path)
    heading = row.title if row else str(path)
    return frame.answer(
        request, "blame.html", title=f"Whose lines: {heading}", scope=scope, path=path, head=head,
        head_groups=_build_groups(shown[:head], known), groups=_build_groups(shown[head:], known),
        omitted=len(lines) - len(shown), heading=heading, has_evidence=bool(session_url or sources),
        link_evidence=partial(_link_evidence, session_url=session_url, sources=sources),
    )  # fmt: skip


def _blame(site: frame.Site, scope: Scope, path: PagePath, place: str) -> tuple[BlamedLine, ...]:
    """Ask whose lines a page has; none of a page that is there and that git has not taken in yet."""
    try:
        return history.blame(site.runtime.repository, place)
    except PageNotFound:
        if site.runtime.wiki.find_page(scope, path) is None:
            raise
        return ()


def _list_sources(site: frame.Site, scope: Scope, path: PagePath) -> tuple[Source, ...]:
    """List the sessions that a page rests on; one that is too large to be read rests on none that are known."""
    with suppress(BodyTooLarge):
        page = site.runtime.wiki.find_page(scope, path)
        return evidence.list_sources(page.fields if page else {}, site.url("sessions"))
    return ()


async def show_timeline(request: Request) -> Response:
    """List what was committed in a project, newest first."""
    site, scope = frame.find_site(request), await subject.find_scope(request)
    skip = min(subject.read_number(request, "skip"), limits_web.COMMITS_SKIPPED_MAX)
    project = await site.runtime.read(projects.find_project, scope)
    former = projects.list_former_scopes(project) if project else ()
    folders = [str(each) for each in (scope, *former)]
    found = await site.runtime.run(
        lambda: history.log_folders(site.runtime.repository, folders, limits_web.WEB_LIST_ROWS + 1, skip=skip)
    )
    shown = found[: limits_web.WEB_LIST_ROWS]
    following = skip + len(shown) if len(found) > len(shown) else 0
    return frame.answer(
        request, "timeline.html", title=f"Timeline of {scope}", scope=scope, revisions=shown, following=following
    )


def build_rows(before: Sequence[str], after: Sequence[str]) -> list[DiffRow]:
    """Lay two texts side by side; long stretches that are the same are left out but for three lines around."""
    rows: list[DiffRow] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(3):
        if rows or group[0][1] > 0:
            rows.append(DiffRow(0, "", 0, "", is_changed=False, is_gap=True))
        for tag, i, i_end, j, j_end in group:
            is_close = tag != _EQUAL and len(rows) < limits_web.DIFF_WORD_ROWS_MAX
            rows.extend(
                _build_stretch((before, after), (i, i_end, j, j_end), is_changed=tag != _EQUAL, is_close=is_close)
            )
    return rows


def _build_stretch(
    texts: tuple[Sequence[str], Sequence[str]], span: tuple[int, int, int, int], *, is_changed: bool, is_close: bool
) -> Iterator[DiffRow]:
    (before, after), (i, i_end, j, j_end) = texts, span
    for step in range(max(i_end - i, j_end - j)):
        has_old, has_new = i + step < i_end, j + step < j_end
        old, new = before[i + step] if has_old else "", after[j + step] if has_new else ""
        spans = _compare_words(old, new) if is_close and has_old and has_new else ((), ())
        numbers = (i + step + 1 if has_old else 0, j + step + 1 if has_new else 0)
        yield DiffRow(
            numbers[0], old, numbers[1], new, is_changed=is_changed, old_spans=spans[0], new_spans=spans[1]
        )  # fmt: skip


def _compare_words(old: str, new: str) -> tuple[_Spans, _Spans]:
    """Find what changed within two lines, as spans of characters; nothing where hardly a word stayed."""
    if max(len(old), len(new)) > limits_web.DIFF_WORDS_CHARS_MAX:
        return (), ()
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return (), ()
    changed = [code for code in matcher.get_opcodes() if code[0] != _EQUAL]
    old_starts, new_starts = ([0, *accumulate(map(len, words))] for words in (before, after))
    return (
        tuple((old_starts[i], old_starts[i_end]) for _, i, i_end, _, _ in changed if i < i_end),
        tuple((new_starts[j], new_starts[j_end]) for _, _, _, j, j_end in changed if j < j_end),
    )


async def _find_heading(site: frame.Site, scope: Scope, path: PagePath) -> str:
    """Find a page's title as the index knows it; its path where there is no such page any more."""
    row = await _find_row(site, scope, path)
    return row.title if row else str(path)


async def _find_row(site: frame.Site, scope: Scope, path: PagePath) -> PageRow | None:
    return await subject.ask_index(site, lambda index: catalog.find_page(index, scope, path))


def _count_head(lines: Sequence[BlamedLine]) -> int:
    """Count the lines of the frontmatter, its two borders included."""
    if not lines or lines[0].text.rstrip() != _BORDER:
        return 0
    return next((at + 1 for at, line in enumerate(lines) if at and line.text.rstrip() == _BORDER), 0)


def _link_evidence(text: str, session_url: str, sources: Sequence[Source]) -> Markup:
    """Escape a line and let its evidence marks open the observation that it comes from."""
    out, at = Markup(""), 0
    for match in (_EVIDENCE if session_url else evidence.RANGE).finditer(text):
        address = session_url or evidence.find_address(sources, int(match[2]))
        if address:
            out += escape(text[at : match.start()]) + _MARK.format(address, match[2], match[2], match[1])
            at = match.end()
    return out + escape(text[at:])


def _read_or_nothing(site: frame.Site, scope: Scope, path: PagePath, revision: str) -> bytes:
    return subject.read_raw(site, scope, path, revision) or b""


def _split(raw: bytes | None) -> list[str]:
    return (raw or b"").decode("utf-8", "replace").splitlines()


def _build_groups(lines: Sequence[BlamedLine], known: Mapping[str, Revision]) -> list[BlameGroup]:
    return [BlameGroup(known.get(revision_id), tuple(group)) for revision_id, group in _group(lines)]


def _group(lines: Sequence[BlamedLine]) -> Iterator[tuple[str, list[BlamedLine]]]:
    group: list[BlamedLine] = []
    for line in lines:
        if group and group[-1].revision_id != line.revision_id:
            yield group[-1].revision_id, group
            group = []
        group.append(line)
    if group:
        yield group[-1].revision_id, group
