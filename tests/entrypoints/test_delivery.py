"""How open work reaches each agent: at what its model reads, confirmed by its next work, taken back if lost."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.agents import registry
from app.agents.agent import Agent, BriefPoint
from app.capture import ingest
from tests.entrypoints import serving
from tests.entrypoints.serving import SHOP, Server, new_name

OFFERED = "Half of the parser is done."
TOLD = [each for each in registry.AGENTS if each.traits.brief.point is not BriefPoint.ON_REQUEST]
LATER = [each for each in TOLD if each.traits.brief.point in {BriefPoint.FIRST_PROMPT, BriefPoint.FIRST_TOOL_RESULT}]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    with serving.serve(tmp_path_factory.mktemp("delivery") / "memwiki", template=template) as running:
        running.ask(new_name(), "Look around.")
        yield running


@pytest.fixture
def house(shared: Server) -> Iterator[Server]:
    """A server with one project, in which nothing is open that another test left."""
    yield shared
    shared.settle()
    for left in shared.read("/handoffs", project="*")["handoffs"]:
        shared.post(f"/handoffs/{left['id']}/cancel")


def list_events(agent: Agent, session: str) -> Iterator[tuple[str, dict[str, object]]]:
    yield from agent.sample_events(session, SHOP["cwd"], "Go on with the parser.")


def send(server: Server, agent: Agent, event: str, payload: dict[str, object], key: str = "") -> str:
    answer = server.hook(event, payload, agent=str(agent.name), key=key)
    assert answer.status_code == 202, answer.text
    return answer.text


def look(server: Server, made: dict[str, object]) -> tuple[str, bool]:
    found = server.read(f"/handoffs/{made['id']}")
    return found["state"], found["is_provisional"]


@pytest.mark.parametrize("agent", TOLD, ids=lambda each: str(each.name))
def test_open_work_is_told_once_and_confirmed_by_what_the_agent_does_next(house: Server, agent: Agent) -> None:
    made = house.offer(OFFERED)
    told, states, works = [], [], []
    for number, (event, payload) in enumerate(list_events(agent, new_name())):
        told += [number] if OFFERED in send(house, agent, event, payload) else []
        states.append(look(house, made))
        works.append(ingest.is_work(agent.parse_event(event, payload)))

    [at] = told
    assert all(state == ("offered", False) for state in states[:at])
    assert states[at] == ("claimed", True)
    next_work = next((number for number in range(at + 1, len(works)) if works[number]), None)
    assert next_work is None or states[next_work] == ("claimed", False)


@pytest.mark.parametrize("agent", LATER, ids=lambda each: str(each.name))
def test_an_answer_that_was_lost_is_told_again_with_the_next_event_of_its_kind(house: Server, agent: Agent) -> None:
    made, session = house.offer(OFFERED), new_name()
    events = list(list_events(agent, session))
    at = next(
        number
        for number, (event, payload) in enumerate(events)
        if OFFERED in send(house, agent, event, payload, key=f"{session}-{number}")
    )
    event, payload = events[at]
    item = {"agent": str(agent.name), "event": event, "payload": payload, "key": f"{session}-{at}", "checkout": SHOP}

    assert house.batch(item).json()["results"][0]["status"] == "replayed"

    assert look(house, made) == ("offered", False)
    assert OFFERED in send(house, agent, event, json.loads(json.dumps(payload).replace(session, new_name())))


@pytest.mark.parametrize("agent", LATER, ids=lambda each: str(each.name))
def test_a_hook_that_asks_again_under_its_key_gets_the_same_answer(house: Server, agent: Agent) -> None:
    session = new_name()
    house.offer(OFFERED)
    for number, (event, payload) in enumerate(list_events(agent, session)):
        first = send(house, agent, event, payload, key=f"{session}-{number}")
        assert send(house, agent, event, payload, key=f"{session}-{number}") == first
