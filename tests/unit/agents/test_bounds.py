"""Texts within their bounds: at the bound whole, one past it cut, between characters and with a visible mark."""

import pytest

from app.agents import bounds, registry
from app.domain import limits
from app.domain.event import Event

KIB = 1024


def read(event: str, **fields: object) -> Event:
    return registry.find_agent("claude-code").parse_event(event, {"session_id": "s", **fields})


def run(output: str) -> str:
    event = read("PostToolUse", tool_name="Bash", tool_input={"command": "x"}, tool_response={"stdout": output})
    assert event.tool is not None
    return event.tool.output_text


READERS = {
    "tool output": (8 * KIB, run),
    "prompt": (32 * KIB, lambda text: read("UserPromptSubmit", prompt=text).text),
    "answer": (32 * KIB, lambda text: read("Stop", last_assistant_message=text).text),
    "recap": (32 * KIB, lambda text: read("PostCompact", compact_summary=text).text),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("letter", ["a", "é", "漢", "🚀"])
def test_a_text_is_whole_at_its_bound_and_cut_one_past_it(name: str, letter: str) -> None:
    bytes_max, keep = READERS[name]
    whole = letter * (bytes_max // len(letter.encode()))

    kept = keep(whole + letter)

    assert keep(whole) == whole
    assert "…[cut " in kept
    assert len(kept.encode()) <= bytes_max
    assert len(kept.encode()) > bytes_max - 100
    assert set(kept.replace("[cut", "")) <= set(letter) | set("\n… characters]0123456789")


def test_a_command_and_an_unknown_field_have_bounds_of_their_own() -> None:
    long = read("PostToolUse", tool_name="Bash", tool_input={"command": "x" * 5000}, odd="y" * 600, **{"z" * 90: 1})
    fitting = read("Stop", odd="y" * (limits.EXTRA_FIELD_BYTES_MAX - 2))

    assert long.tool is not None
    assert len(long.tool.command) <= limits.COMMAND_BYTES_MAX
    assert [len(value.encode()) <= limits.EXTRA_FIELD_BYTES_MAX for _, value in long.extra] == [True, True]
    assert "cut" not in fitting.extra[0][1]


@pytest.mark.parametrize(("count", "kept"), [(32, 32), (33, 32)])
def test_unknown_fields_are_kept_up_to_a_number(count: int, kept: int) -> None:
    assert len(read("Stop", **{f"odd{number}": 1 for number in range(count)}).extra) == kept


@pytest.mark.parametrize(("length", "is_whole"), [(4096, True), (4097, False)])
def test_a_path_is_kept_up_to_a_length(length: int, *, is_whole: bool) -> None:
    path = "/" + "d" * (length - 1)

    assert (read("Stop", cwd=path).cwd == path) is is_whole


@pytest.mark.parametrize("joined", ["e\u0301", "👩\u200d🚀", "❤\ufe0f"])
def test_a_cut_parts_no_character_from_what_shows_as_one_with_it(joined: str) -> None:
    for size in range(100, 140):
        head, _, rest = bounds.cut_text(joined * 200, size).partition("\n…[cut ")
        tail = rest.partition("]…\n")[2]

        assert head == joined * (len(head) // len(joined))
        assert tail == joined * (len(tail) // len(joined))
