"""What is run at each event: what may have to wait for a brief is left to the client that can."""

from pathlib import Path

import pytest

from app.agents import registry
from app.entrypoints.cli import hook_client


@pytest.mark.parametrize(
    ("agent", "event", "point"),
    [("kimi-code", "UserPromptSubmit", "first-prompt"), ("cline", "PostToolUse", "first-tool-result")],
)
def test_an_event_that_brings_the_brief_after_the_start_is_waited_for(agent: str, event: str, point: str) -> None:
    calls = hook_client.build_calls(
        registry.find_agent(agent),
        python="/usr/bin/python3",
        shell_path="/bin/sh",
        client=Path("/home/dev/.local/share/memwiki/hooks/send_event.py"),
        server_url="http://127.0.0.1:7470",
    )

    assert [name for name, call in calls.items() if f"--brief {point}" in str(call)] == [event]
    assert str(calls[event]).startswith("/usr/bin/python3 -I -S /home/dev/.local/share/memwiki/hooks/send_event.py ")
    assert str(calls["PreToolUse"]).startswith("/bin/sh ")
