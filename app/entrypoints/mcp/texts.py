"""What the tools answer, as text for a model; recalled text stands inside the fence."""

from collections.abc import Mapping, Sequence

from app.domain import fence
from app.domain.handoff import Handoff, HandoffState
from app.domain.limits_faces import PAGE_SHOWN_CHARS_MAX
from app.domain.page import Page
from app.entrypoints.shapes import Shape, shape_moment
from app.handoff import briefing
from app.index.entries import PageRow
from app.search.answer import SearchAnswer, describe_understood, render_answer
from app.wiki import parts


def fence_recalled(text: str) -> str:
    """Put recalled text inside the marks that say that it is data, and make marks in it harmless."""
    return f"{fence.BRIEF_OPEN_PREFIX}>\n{fence.escape_fence(text)}\n{fence.BRIEF_CLOSE}"


def split_path(path: str, project: str) -> tuple[str, str]:
    """Split `workspace/project:path`, as search shows it, into project and path."""
    name, separator, rest = path.strip("[] ").partition(":")
    return (name, rest) if separator and rest and not project else (project, path)


def render_found(answer: SearchAnswer) -> str:
    """Render what a search found, inside the fence, and where to go on."""
    if answer.hits:
        return fence_recalled(render_answer(answer))
    if answer.omitted:
        return f"{answer.omitted} found, none of which fits budget_tokens; give more, or read on with another cursor."
    return _render_nothing(answer)


def _render_nothing(answer: SearchAnswer) -> str:
    if answer.degraded:
        return f"Nothing found, but the search was incomplete: {', '.join(answer.degraded)}."
    told = describe_understood(answer.understood)
    return f"Nothing found{f' ({told})' if told else ''}. Try fewer or other words, or leave the project out."


def render_page(page: Page, asked: str, start: int) -> str:
    """Render a page, or the part that is asked for, with what is needed to change it or to read on."""
    part = parts.find_part(page, asked) if asked.strip() else None
    text = part.text if part else page.body
    shown = text[start : start + PAGE_SHOWN_CHARS_MAX]
    rest = len(text) - start - len(shown)
    place = f", lines {part.first}-{part.last} of {part.total}" if part else ""
    head = f"{page.title} [{page.scope}:{page.path}] ({page.kind}{place})"
    lines = [fence_recalled(f"{head}\n\n{shown}"), f"content_hash {page.content_hash}"]
    if rest > 0:
        lines.append(f"({rest} more characters; go on with start={start + len(shown)})")
    return "\n".join(lines)


def render_rows(rows: Sequence[PageRow]) -> str:
    """Render a list of pages, one a line."""
    if not rows:
        return "No pages yet."
    lines = [f"{row.updated_at:%Y-%m-%d} {row.title} [{row.scope}:{row.path}] {row.description}" for row in rows]
    return fence_recalled("\n".join(line.rstrip() for line in lines))


def render_status(report: Shape, projects: Sequence[str], *, archived: int = 0) -> str:
    """Render the server's state in a few lines; of archived projects only how many there are."""
    problems = report["problems"]
    capture = report["capture"]
    assert isinstance(problems, list), "report_status makes a list"
    assert isinstance(capture, list), "report_status makes a list"
    lines = [f"memwiki {report['version']}: {report['status']}"]
    lines += [f"problem: {problem}" for problem in problems]
    lines += [_render_agent(row) for row in capture]
    away = f" (and {archived} in the archive)" if archived else ""
    lines.append(f"projects: {', '.join(projects) or 'none yet'}{away}")
    return "\n".join(lines)


def _render_agent(row: Shape) -> str:
    place = f" on {row['machine']}" if row["machine"] else ""
    heard = f"last at {row['last_event_at']}" if row["last_event_at"] else "never heard of"
    return f"{row['agent']}{place}: {row['events']} events, {row['events_today']} today, {heard}"


def render_handoffs(listed: Sequence[Handoff], names: Mapping[str, str]) -> str:
    """Render open handoffs, one a line, with who holds them."""
    if not listed:
        return "No open handoffs."
    return fence_recalled("\n".join(_render_line(handoff, names.get(handoff.project_id, "")) for handoff in listed))


def render_handoff(handoff: Handoff, project: str) -> str:
    """Render a claimed handoff whole."""
    until = shape_moment(handoff.lease_until)
    head = (
        f"claimed {handoff.id} in {project} for session {handoff.holder_session_id} until {until}; "
        f"claim token {handoff.claim_token} (for memory_handoff_done or memory_handoff_release); "
        "claiming it again under the same session_id returns the same"
    )
    return f"{head}\n{fence_recalled(chr(10).join(briefing.render_handoff(handoff)))}"


def _render_line(handoff: Handoff, project: str) -> str:
    held = f"held by {handoff.holder_agent or 'a person'}" if handoff.state is HandoffState.CLAIMED else "open"
    summary = " ".join(handoff.content.summary.split())
    return f"{handoff.id} [{project}] {held}, from {handoff.from_agent or 'a person'}: {summary[:200]}"
