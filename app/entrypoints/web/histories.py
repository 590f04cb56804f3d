"""What git remembers: a page's revisions, two of them side by side, whose each line is, and a project's timeline."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits, limits_web
from app.domain.errors import PageNotFound
from app.domain.page import BlamedLine, PagePath, Revision
from app.domain.scope import Scope
from app.entrypoints.web import frame, subject
from app.wiki import history

_EQUAL, _OLD, _NEW = "equal", "old", "new"


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A row of a comparison: the old line and the new one beside it; a number of 0 means that there is none."""

    old_number: int
    old: str
    new_number: int
    new: str
    is_changed: bool
    is_gap: bool = False


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
    return frame.answer(
        request, "history.html", title=f"History of {path}", scope=scope, path=path, revisions=revisions
    )


async def show_diff(request: Request) -> Response:
    """Compare two revisions of a page; without `to` it is compared with what it is now."""
    site, scope, path = frame.find_site(request), await subject.find_scope(request), subject.find_path(request)
    old_id, new_id = request.query_params.get("from", ""), request.query_params.get("to", "")
    old = await site.runtime.run(subject.read_raw, site, scope, path, old_id) if old_id else b""
    new = await site.runtime.run(_read_or_nothing, site, scope, path, new_id)
    before, after = (_split(raw) for raw in (old, new))
    is_cut = len(before) > limits_web.DIFF_LINES_MAX or len(after) > limits_web.DIFF_LINES_MAX
    rows = await site.runtime.run(build_rows, before[: limits_web.DIFF_LINES_MAX], after[: limits_web.DIFF_LINES_MAX])
    view = "inline" if request.query_params.get("layout") == "inline" else "split"
    return frame.answer(
        request, "diff.html", title=f"Changes of {path}", scope=scope, path=path, rows=rows, view=view,
        old_id=old_id, new_id=new_id, is_cut=is_cut,
    )  # fmt: skip


async def show_blame(request: Request) -> Response:
    """Show of each line which commit and session it is from."""
    site, scope, path = frame.find_site(request), await subject.find_scope(request), subject.find_path(request)
    place = site.runtime.wiki.tree.find_place(scope, path)
    lines = await site.runtime.run(history.blame, site.runtime.repository, place)
    shown = lines[: limits_web.BLAME_LINES_MAX]
    known = await site.runtime.run(history.describe, site.runtime.repository, {line.revision_id for line in shown})
    groups = [BlameGroup(known.get(revision_id), tuple(group)) for revision_id, group in _group(shown)]
    return frame.answer(
        request, "blame.html", title=f"Whose lines: {path}", scope=scope, path=path, groups=groups,
        omitted=len(lines) - len(shown),
    )  # fmt: skip


async def show_timeline(request: Request) -> Response:
    """List what was committed in a project, newest first."""
    site, scope = frame.find_site(request), await subject.find_scope(request)
    given = request.query_params.get("skip", "")
    skip = int(given) if given.isdecimal() and len(given) <= 9 else 0  # noqa: PLR2004 - a billion commits are enough
    folder = f"{scope.workspace}/{scope.project}"
    found = await site.runtime.run(
        lambda: history.log_folder(site.runtime.repository, folder, limits_web.WEB_LIST_ROWS + 1, skip=skip)
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
            rows.extend(_build_stretch(before, after, (i, i_end, j, j_end), is_changed=tag != _EQUAL))
    return rows


def _build_stretch(
    before: Sequence[str], after: Sequence[str], span: tuple[int, int, int, int], *, is_changed: bool
) -> Iterator[DiffRow]:
    i, i_end, j, j_end = span
    for step in range(max(i_end - i, j_end - j)):
        has_old, has_new = i + step < i_end, j + step < j_end
        yield DiffRow(
            i + step + 1 if has_old else 0,
            before[i + step] if has_old else "",
            j + step + 1 if has_new else 0,
            after[j + step] if has_new else "",
            is_changed=is_changed,
        )


def _read_or_nothing(site: frame.Site, scope: Scope, path: PagePath, revision: str) -> bytes:
    return subject.read_raw(site, scope, path, revision) or b""


def _split(raw: bytes | None) -> list[str]:
    return (raw or b"").decode("utf-8", "replace").splitlines()


def _group(lines: Sequence[BlamedLine]) -> Iterator[tuple[str, list[BlamedLine]]]:
    group: list[BlamedLine] = []
    for line in lines:
        if group and group[-1].revision_id != line.revision_id:
            yield group[-1].revision_id, group
            group = []
        group.append(line)
    if group:
        yield group[-1].revision_id, group
