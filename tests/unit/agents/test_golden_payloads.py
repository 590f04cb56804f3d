"""Every recorded payload becomes the event that was reviewed; renew with `--update-golden` and read the diff."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from app.agents import registry
from app.domain.errors import MalformedPayload
from app.domain.event import Event
from tests.unit.agents import natives
from tests.unit.agents.natives import DATA, PAYLOADS, name_case

# What a recorder saw besides events, in which no session is named.
NAMELESS = {"opencode/plugin.init", "opencode/event.file.edited", "pi/before_agent_start"}
EVENTS = [path for path in PAYLOADS if name_case(path) not in NAMELESS]


def parse_recorded(path: Path) -> Event:
    name, payload = natives.read_recorded(path)
    return natives.find_agent_of(path).parse_event(name, payload)


def parse_unnamed(path: Path) -> Event:
    return natives.find_agent_of(path).parse_event("", natives.read_recorded(path)[1])


# The others' payloads do not say which event they are.
TELLING = [path for path in EVENTS if parse_unnamed(path).native_name]


@pytest.mark.parametrize("path", EVENTS, ids=name_case)
def test_recorded_payload_becomes_the_reviewed_event(path: Path, update_golden: bool) -> None:  # noqa: FBT001 — a fixture
    golden = DATA / "expected-events" / path.parent.name / path.name
    rendered = json.dumps(asdict(parse_recorded(path)), indent=2, ensure_ascii=False, default=str) + "\n"

    if update_golden:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(rendered, encoding="utf-8")

    assert rendered == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", EVENTS, ids=name_case)
def test_recorded_payload_holds_nothing_unknown(path: Path) -> None:
    event = parse_recorded(path)

    assert not registry.is_unknown_kind(event)
    assert event.extra == ()


@pytest.mark.parametrize("path", TELLING, ids=name_case)
def test_recorded_payload_is_understood_without_the_name_in_the_address(path: Path) -> None:
    assert parse_unnamed(path) == parse_recorded(path)


@pytest.mark.parametrize("path", [path for path in PAYLOADS if name_case(path) in NAMELESS], ids=name_case)
def test_recorded_payload_without_a_session_is_malformed(path: Path) -> None:
    with pytest.raises(MalformedPayload):
        parse_recorded(path)


def test_each_agent_has_recorded_payloads_for_every_event_that_is_registered() -> None:
    for agent in natives.CAPTURED:
        own = [path for path in PAYLOADS if natives.find_agent_of(path) is agent]
        recorded = {natives.read_recorded(path)[0] for path in own}
        # What nobody could run has samples alone.
        if own:
            assert {event.name for event in agent.traits.hook_events} <= recorded, agent.name
