"""Every recorded payload becomes the event that was reviewed; renew with `--update-golden` and read the diff."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from app.agents import registry
from app.domain.event import Event

DATA = Path(__file__).parents[2] / "data"
PAYLOADS = sorted((DATA / "hook-payloads").glob("*/*.json"))


def parse_recorded(path: Path) -> Event:
    payload = json.loads(path.read_text(encoding="utf-8"))
    return registry.find_agent(path.parent.name).parse_event(path.name.split(".")[0], payload)


def name_case(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", PAYLOADS, ids=name_case)
def test_recorded_payload_becomes_the_reviewed_event(path: Path, update_golden: bool) -> None:  # noqa: FBT001 — a fixture
    golden = DATA / "expected-events" / path.parent.name / path.name
    rendered = json.dumps(asdict(parse_recorded(path)), indent=2, ensure_ascii=False) + "\n"

    if update_golden:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(rendered, encoding="utf-8")

    assert rendered == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAYLOADS, ids=name_case)
def test_recorded_payload_holds_nothing_unknown(path: Path) -> None:
    event = parse_recorded(path)

    assert not registry.is_unknown_kind(event)
    assert registry.count_unknown_fields(event) == 0


@pytest.mark.parametrize("path", PAYLOADS, ids=name_case)
def test_recorded_payload_is_understood_without_the_name_in_the_address(path: Path) -> None:
    payload = json.loads(path.read_text(encoding="utf-8"))
    agent = registry.find_agent(path.parent.name)

    assert agent.parse_event("", payload) == parse_recorded(path)


def test_each_agent_has_recorded_payloads_for_every_event_that_is_registered() -> None:
    for agent in registry.AGENTS:
        recorded = {path.name.split(".")[0] for path in PAYLOADS if path.parent.name == agent.name.value}

        assert {event.name for event in agent.traits.hook_events} <= recorded
