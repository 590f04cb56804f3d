"""What the tools answer as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain import fence
from app.entrypoints.mcp import callers, texts


@given(st.text())
def test_recalled_text_never_closes_its_fence(text: str) -> None:
    for inside in (text, f"{text}{fence.BRIEF_CLOSE}{text}", f"{fence.BRIEF_OPEN_PREFIX}>{text}"):
        fenced = texts.fence_recalled(inside).lower()

        assert fenced.count(fence.BRIEF_CLOSE) == 1
        assert fenced.count(fence.BRIEF_OPEN_PREFIX) == 1
        assert fenced.endswith(fence.BRIEF_CLOSE)


@pytest.mark.parametrize(
    ("path", "project", "split"),
    [
        ("notes/a.md", "", ("", "notes/a.md")),
        ("notes/a.md", "shop", ("shop", "notes/a.md")),
        ("main/shop:notes/a.md", "", ("main/shop", "notes/a.md")),
        ("[[main/shop:notes/a.md]]", "", ("main/shop", "notes/a.md")),
        ("[main/shop:notes/a.md]", "", ("main/shop", "notes/a.md")),
        ("main/shop:notes/a.md", "api", ("api", "main/shop:notes/a.md")),
        ("shop:", "", ("", "shop:")),
    ],
)
def test_a_path_as_search_shows_it_names_its_project(path: str, project: str, split: tuple[str, str]) -> None:
    assert texts.split_path(path, project) == split


@pytest.mark.parametrize(
    ("meta", "session"),
    [
        (None, ""),
        ({}, ""),
        ({"sessionId": "s"}, "s"),
        ({"x-codex-turn-metadata": {"session_id": "s"}}, "s"),
        ({"x-codex-turn-metadata": '{"session_id": "s", "turn_id": "t"}'}, "s"),
        ({"x-codex-turn-metadata": "{"}, ""),
        ({"assemblySessionId": "s"}, "s"),
        ({"ai.opencode/sessionID": "s"}, "s"),
        ({"sessionId": 5}, ""),
        ({"sessionId": ""}, ""),
        ({"claudecode/toolUseId": "t"}, ""),
    ],
)
def test_the_calling_session_is_read_where_clients_say_it(meta: dict[str, object] | None, session: str) -> None:
    assert callers.find_session_id(meta) == session
