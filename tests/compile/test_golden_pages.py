"""The pages of two real sessions, through adapters, redaction and rules, as they were reviewed."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.agents import registry
from app.compile import handover
from app.compile.digest import build_digest
from app.compile.handover import NewHandoff
from app.compile.session_page import build_session_page
from app.domain import redact
from app.domain.checkout import Checkout
from app.domain.event import AgentName
from app.domain.session import Observation, SessionDigest
from app.handoff import briefing
from app.handoff.briefing import Told
from app.handoff.budget import Budget
from app.wiki import markdown
from tests.compile import builders

REPOSITORY = Path(__file__).parents[2]
RECORDINGS = REPOSITORY / "app" / "entrypoints" / "cli" / "recordings"
GOLDEN = REPOSITORY / "tests" / "data" / "golden-pages"
SESSION_ID = "01kb8f3v9q5w2m7r4t6y8x0zab"


def digest_recording(agent: AgentName) -> tuple[builders.Session, SessionDigest]:
    lines = (RECORDINGS / f"{agent.value}.jsonl").read_text(encoding="utf-8").splitlines()
    recorded = [json.loads(line) for line in lines]
    started = datetime(2026, 11, 30, 12, 57, tzinfo=UTC)
    observed = [
        Observation(
            id=number,
            session_id=SESSION_ID,
            received_at=started + timedelta(milliseconds=item["offset_ms"]),
            event=redact.redact_event(registry.find_agent(agent).parse_event(item["event"], item["payload"])),
        )
        for number, item in enumerate(recorded, 1)
    ]
    seen = recorded[0]["checkout"]
    session = builders.session(
        id=SESSION_ID,
        agent=agent,
        agent_session_id=recorded[0]["payload"]["session_id"],
        cwd=recorded[0]["payload"]["cwd"],
        started_at=started,
        checkout=Checkout(root=seen["root"], branch=seen["branch"], revision=seen["revision"]),
    )
    digest = build_digest(session, observed)
    assert digest is not None
    return session, digest


def compare(path: Path, text: str, *, update: bool) -> None:
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("agent", [AgentName.CLAUDE_CODE, AgentName.CODEX])
def test_the_page_of_a_recorded_session_is_as_reviewed(agent: AgentName, update_golden: bool) -> None:  # noqa: FBT001
    session, digest = digest_recording(agent)

    page = build_session_page(session, digest)

    compare(GOLDEN / f"{agent.value}.md", markdown.render_page(page.fields, page.body), update=update_golden)


@pytest.mark.parametrize("agent", [AgentName.CLAUDE_CODE, AgentName.CODEX])
def test_the_brief_after_a_recorded_session_is_as_reviewed(agent: AgentName, update_golden: bool) -> None:  # noqa: FBT001
    session, digest = digest_recording(agent)
    page = build_session_page(session, digest)
    made = handover.build_handoff(
        replace(session, page_path=page.path), digest, NewHandoff("handoff-1", session.started_at)
    )

    left = replace(made, claim_token="claim-1")
    text = briefing.render_brief(Told(builders.PROJECT.scope, handoff=left, is_held=True), Budget(9500, 100_000))

    compare(GOLDEN / f"{agent.value}.brief.txt", text + "\n", update=update_golden)


def test_the_secret_of_the_recording_is_on_no_page() -> None:
    for agent in (AgentName.CLAUDE_CODE, AgentName.CODEX):
        session, digest = digest_recording(agent)
        page = build_session_page(session, digest)

        assert "correct-horse" not in markdown.render_page(page.fields, page.body)
