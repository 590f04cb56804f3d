"""Recorded payloads with a field renamed, missing, null, nested or of another type: read all the same, nothing lost."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from app.agents import registry
from app.domain.errors import MalformedPayload
from app.domain.event import Event
from tests.unit.agents import natives
from tests.unit.agents.natives import PAYLOADS, name_case

# How a field is changed: what becomes of its name and its value.
Change = Callable[[str, object], dict[str, object]]
CHANGES: dict[str, Change] = {
    "renamed": lambda name, value: {f"new_{name}": value},
    "missing": lambda _name, _value: {},
    "null": lambda name, _value: {name: None},
    "nested": lambda name, value: {name: {"value": value, "text": value}},
    "listed": lambda name, value: {name: [value, value]},
    "a number": lambda name, _value: {name: 7},
    "a text": lambda name, _value: {name: "seven"},
    "true": lambda name, _value: {name: True},
    "empty": lambda name, _value: {name: {}},
}


def parse_changed(path: Path, field: str, change: Change) -> Event | None:
    name, payload = natives.read_recorded(path)
    changed = {key: value for key, value in payload.items() if key != field} | change(field, payload[field])
    try:
        return natives.find_agent_of(path).parse_event(name, changed)
    except MalformedPayload:
        return None


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("path", PAYLOADS, ids=name_case)
def test_a_payload_with_an_odd_field_is_an_event_or_malformed(path: Path, change: Change) -> None:
    for field in natives.read_recorded(path)[1]:
        event = parse_changed(path, field, change)

        # What the rest of the server does with it: compare, hash and write it down.
        assert event is None or json.dumps(asdict(event), default=str).encode()


@pytest.mark.parametrize("path", PAYLOADS, ids=name_case)
def test_a_field_under_a_new_name_is_kept(path: Path) -> None:
    # A field without a value tells nothing under any name.
    for field in (name for name, value in natives.read_recorded(path)[1].items() if value is not None):
        event = parse_changed(path, field, CHANGES["renamed"])
        # Of the events beside the main ones nothing is needed.
        if event is None or (not event.extra and event.kind == "other" and not registry.is_unknown_kind(event)):
            continue

        assert f"new_{field}" in {name for name, _ in event.extra}


@pytest.mark.parametrize("path", PAYLOADS, ids=name_case)
def test_fields_that_are_new_are_kept_beside_the_known(path: Path) -> None:
    name, payload = natives.read_recorded(path)
    agent = natives.find_agent_of(path)
    try:
        before = agent.parse_event(name, payload)
    except MalformedPayload:
        return

    event = agent.parse_event(name, {**payload, "brand_new": {"x": 1}})

    assert event.kind is before.kind
    assert event.kind == "other" or ("brand_new", '{"x": 1}') in event.extra
