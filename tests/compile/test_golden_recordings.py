"""The page that each agent's recorded events leave, as it was reviewed: every adapter is read to the end."""

from datetime import UTC, datetime, timedelta

import pytest

from app.compile.digest import build_digest
from app.compile.session_page import build_session_page, mark_generated
from app.domain import redact
from app.domain.event import Event, EventKind
from app.domain.session import Observation
from app.wiki import markdown
from tests.compile import builders
from tests.compile.test_golden_pages import GOLDEN, compare
from tests.unit.agents import natives
from tests.unit.agents.natives import PAYLOADS, name_case

STARTED = datetime(2026, 11, 30, 12, 57, tzinfo=UTC)
SESSION_ID = "01kb8f3v9q5w2m7r4t6y8x0zab"
ROOT = "/home/dev/shop"
# What a recorder saw besides events, in which no session is named.
NAMELESS = {"opencode/plugin.init", "opencode/event.file.edited", "pi/before_agent_start"}
AGENTS = sorted({path.parent.name for path in PAYLOADS})
# A session's events in the order in which sessions have them; the files are named by event and not by time.
_RANKS = {
    EventKind.SESSION_START: 0,
    EventKind.PROMPT: 1,
    EventKind.TOOL_START: 2,
    EventKind.TURN_END: 4,
    EventKind.SESSION_END: 5,
}


def read_events(agent: str) -> list[Event]:
    parsed: list[tuple[int, str, Event]] = []
    for path in PAYLOADS:
        if path.parent.name != agent or name_case(path) in NAMELESS:
            continue
        name, payload = natives.read_recorded(path)
        event = natives.find_agent_of(path).parse_event(name, payload)
        parsed.append((_RANKS.get(event.kind, 3), path.name, event))
    return [event for _, _, event in sorted(parsed, key=lambda item: item[:2])]


@pytest.mark.parametrize("agent", AGENTS)
def test_the_page_of_each_agents_recorded_events_is_as_reviewed(agent: str, update_golden: bool) -> None:  # noqa: FBT001
    events = read_events(agent)
    seen = [
        Observation(at, SESSION_ID, STARTED + timedelta(seconds=at), redact.redact_event(event))
        for at, event in enumerate(events, 1)
    ]
    session = builders.session(
        id=SESSION_ID, agent=events[0].agent, agent_session_id="recorded", cwd=ROOT, started_at=STARTED
    )

    digest = build_digest(session, seen)

    assert digest is not None
    page = build_session_page(session, digest)
    text = markdown.render_page(mark_generated(page.fields, page.body), page.body)
    compare(GOLDEN / "recordings" / f"{agent}.md", text, update=update_golden)
