"""Values of which many are made behave as frozen dataclasses do, but for the guard that only the type checker keeps."""

import pickle
from dataclasses import replace

import pytest

from app.domain.cheap import cheap_dataclass
from app.domain.event import Actor, AgentName, Event, EventKind, FileChange, FileTouch


@cheap_dataclass(frozen=True, slots=True)
class _One:
    name: str


_EVENT = Event(AgentName.CODEX, EventKind.PROMPT, "UserPromptSubmit", "s1", Actor.PERSON, text="go on")


def test_equal_values_are_one_in_a_set() -> None:
    one, other = FileTouch("a.py", FileChange.READ), FileTouch("a.py", FileChange.READ)

    assert {one, other} == {one}


def test_a_changed_copy_leaves_its_original_alone() -> None:
    one = FileTouch("a.py", FileChange.READ)

    other = replace(one, path="b.py")

    assert (one.path, other.path, other.change) == ("a.py", "b.py", FileChange.READ)


@pytest.mark.parametrize(
    "value",
    [FileTouch("a.py", FileChange.READ), _EVENT, _One("only")],
    ids=["few fields", "an event", "one field"],
)
def test_a_value_comes_back_as_it_was_from_another_process(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - its own
