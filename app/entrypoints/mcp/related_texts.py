"""What belongs to a page, and the story of a subject, as text for a model: the most useful first, within a bound."""

from collections.abc import Iterator

from app.domain.limits import BUDGET_TOKENS_DEFAULT
from app.entrypoints.mcp.texts import fence_recalled
from app.index.entries import ObservationRow, PageRow
from app.search.answer import Budget
from app.search.connected import Connected, Moment, Story

_LINE_CHARS = 160
_BUDGET = Budget(tokens=BUDGET_TOKENS_DEFAULT)


def render_connected(found: Connected) -> str:
    """Render what belongs to a page."""
    head = f"{_name(found.page)}: {found.page.title}"
    if found.page.superseded_by:
        head += f" (SUPERSEDED by {found.page.superseded_by})"
    return _fit([head, *_list_lines(found)])


def render_story(story: Story) -> str:
    """Render when a subject came up, newest first."""
    if not story.moments:
        return f"Nothing speaks of {story.subject}."
    lines = [f"{moment.at:%Y-%m-%d %H:%M} {_tell(moment)}" for moment in story.moments]
    return _fit(lines, story.omitted)


def _list_lines(found: Connected) -> Iterator[str]:
    for seen in found.evidence:
        yield f"evidence {_quote(seen)}"
    for link in found.links:
        yield (
            f"{link.relation or 'link'} to [{link.to_scope}:{link.to_path}]"
            if link.to_path
            else f"dead link {link.target}"
        )
    for page in found.backlinks:
        yield f"linked from {_name(page)} {page.title}"
    for page, names in found.sharing:
        yield f"names the same ({', '.join(names[:4])}): {_name(page)} {page.title}"
    for page in found.before[:4]:
        yield f"before, {page.updated_at:%Y-%m-%d}: {_name(page)} {page.title}"
    for page in found.after[:4]:
        yield f"after, {page.updated_at:%Y-%m-%d}: {_name(page)} {page.title}"


def _tell(moment: Moment) -> str:
    if moment.observation is None:
        return f"page [{moment.scope}:{moment.path}] {moment.title}"
    return _quote(moment.observation)


def _quote(seen: ObservationRow) -> str:
    text = " ".join(seen.text.split())
    shown = text if len(text) <= _LINE_CHARS else f"{text[: _LINE_CHARS - 1]}…"
    return f"{seen.shows} (session {seen.session_id} o{seen.id}): {shown}"


def _name(page: PageRow) -> str:
    return f"[{page.scope}:{page.path}]"


def _fit(lines: list[str], omitted: int = 0) -> str:
    """Leave out the last lines until all fits, and count them."""
    for count in range(len(lines), 0, -1):
        left_out = omitted + len(lines) - count
        shown = lines[:count] + ([f"({left_out} more)"] if left_out else [])
        text = fence_recalled("\n".join(shown))
        if _BUDGET.admits(text):
            return text
    return "Too long to show; read the page itself."
