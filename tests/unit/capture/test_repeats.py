"""Which events are one and the same."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.capture import repeats
from app.capture.repeats import RepeatKeys, SeenKeys
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome, ToolCall, ToolPurpose

START = 1_795_939_200.0


def build_event(kind: EventKind = EventKind.TOOL_END, *, text: str = "", native_id: str = "") -> Event:
    tool = ToolCall("Bash", ToolPurpose.SHELL, Outcome.SUCCEEDED, command="ls", output_text=text)
    return Event(
        agent=AgentName.CLAUDE_CODE,
        kind=kind,
        native_name="PostToolUse",
        agent_session_id="s",
        actor=Actor.AGENT,
        text=text,
        native_id=native_id,
        tool=tool if kind is EventKind.TOOL_END else None,
    )


def build(event: Event, *, key: str = "", registration: str = "", seconds: float = 0) -> RepeatKeys:
    return repeats.build_keys(event, key, registration, lambda: START + seconds)


class Memory:
    """Keys as a store remembers them from batch to batch."""

    def __init__(self) -> None:
        self.keys: set[str] = set()

    def tell(self, *batch: RepeatKeys) -> list[bool]:
        seen = SeenKeys(batch, lambda wanted: self.keys & set(wanted))
        verdicts = [seen.judge(keys) for keys in batch]
        for verdict in verdicts:
            assert self.keys.isdisjoint(verdict.new_keys)
            self.keys.update(verdict.new_keys)
        return [verdict.is_repeat for verdict in verdicts]


def test_equal_events_of_one_registration_are_all_kept() -> None:
    memory = Memory()
    told = [build(build_event(), key=f"k{number}", registration="a") for number in range(300)]

    assert memory.tell(*told[:256]) == [False] * 256
    assert memory.tell(*told[256:]) == [False] * 44


def test_each_of_them_told_again_by_another_registration_is_a_repeat() -> None:
    memory = Memory()
    one = [build(build_event(), key=f"a{number}", registration="a") for number in range(30)]
    other = [build(build_event(), key=f"b{number}", registration="b", seconds=0.03) for number in range(31)]

    assert memory.tell(*one) == [False] * 30
    assert memory.tell(*other[:10]) == [True] * 10
    assert memory.tell(*other[10:]) == [True] * 20 + [False]


def test_a_spool_that_is_sent_twice_is_a_repeat_event_by_event() -> None:
    memory = Memory()
    told = [build(build_event(), key=f"k{number}", registration="a") for number in range(5)]
    again = build(build_event(), key="of another", registration="b")

    assert memory.tell(*told, again) == [False] * 5 + [True]
    assert memory.tell(again, *told) == [True] * 6


def test_without_a_registration_equal_events_are_told_apart_by_time() -> None:
    memory = Memory()

    assert memory.tell(build(build_event(), key="a"), build(build_event(), key="b", seconds=0.03)) == [False, True]
    assert memory.tell(build(build_event(), key="c", seconds=6)) == [False]


def test_a_registration_tells_again_what_came_without_one() -> None:
    memory = Memory()

    assert memory.tell(build(build_event()), build(build_event(), registration="a")) == [False, True]
    assert memory.tell(build(build_event(), registration="a")) == [False]


def test_the_agents_own_id_stands_above_time_and_registration() -> None:
    memory = Memory()
    first = build(build_event(native_id="t1"), registration="a")

    assert memory.tell(first) == [False]
    assert memory.tell(build(build_event(native_id="t1", text="x"), registration="b", seconds=7200)) == [True]
    assert memory.tell(build(build_event(native_id="t2"), registration="a")) == [False]


def test_two_prompts_of_one_turn_are_two() -> None:
    memory = Memory()
    words = [build(build_event(EventKind.PROMPT, text=text, native_id="turn")) for text in ("Go on.", "Stop!")]

    assert memory.tell(*words, *words) == [False, False, True, True]


@pytest.mark.parametrize("registration", ["", "a"])
def test_a_sure_one_is_kept_unless_its_key_is_known(registration: str) -> None:
    memory = Memory()
    keys = build(build_event(EventKind.SESSION_END), key="k", registration=registration)
    other = build(build_event(EventKind.SESSION_END), key="l", registration=registration)
    memory.tell(keys)

    seen = SeenKeys([keys, other], lambda wanted: memory.keys & set(wanted))

    assert seen.judge(keys, is_surely_new=True).is_repeat
    assert not seen.judge(other, is_surely_new=True).is_repeat


@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.floats(0, 3)), min_size=1, max_size=12),
    st.integers(1, 3),
    st.data(),
)
def test_every_event_is_kept_once_however_many_registrations_tell_it(
    happened: Sequence[tuple[str, float]], registrations: int, data: st.DataObject
) -> None:
    memory, stored = Memory(), 0
    moments = [sum(gap for _, gap in happened[: number + 1]) for number in range(len(happened))]
    waiting = {f"r{number}": list(range(len(happened))) for number in range(registrations)}

    while waiting:
        name = data.draw(st.sampled_from(sorted(waiting)))
        number = waiting[name].pop(0)
        if not waiting[name]:
            del waiting[name]
        late = data.draw(st.floats(0, 1.9))
        keys = build(
            build_event(text=happened[number][0]),
            key=f"{name}-{number}",
            registration=name,
            seconds=moments[number] + late,
        )
        stored += not memory.tell(keys)[0]

    assert stored == len(happened)
