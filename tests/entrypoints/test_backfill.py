"""`memwiki backfill`: sessions that agents kept on this machine, taken in with their dates, once, and within bounds."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.domain import limits_past
from app.domain.backfill import CAPTURED_REASON
from app.entrypoints.cli.main import app
from tests.server import Server, run_server

RECORDED = Path(__file__).parents[1] / "data" / "transcripts"
CLAUDE_ID = "33b10004-41c1-4e6d-bf6e-c2f6fe5dcda9"
SECRET = "sk-ant-api03-" + "Ab1" * 31


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    (folder / "shop").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "PI_CODING_AGENT_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MEMWIKI_SPOOL_DIR", str(tmp_path / "spool"))
    return folder


@pytest.fixture
def server(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with run_server(tmp_path / "data", HOME=str(home)) as running:
        monkeypatch.setenv("MEMWIKI_URL", running.url)
        yield running


def read_recorded(agent: str, home: Path) -> str:
    return (RECORDED / f"{agent}.jsonl").read_text(encoding="utf-8").replace("/home/dev/shop", str(home / "shop"))


def keep(home: Path, place: str, text: str) -> Path:
    path = home / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def keep_claude(home: Path, text: str = "") -> Path:
    return keep(home, f".claude/projects/-shop/{CLAUDE_ID}.jsonl", text or read_recorded("claude-code", home))


def keep_all(home: Path) -> None:
    keep_claude(home)
    keep(home, ".codex/sessions/2026/11/30/rollout-2026-11-30T19-34-13-x.jsonl", read_recorded("codex", home))
    keep(home, ".gemini/tmp/shop/chats/session-1.jsonl", read_recorded("gemini-cli", home))
    keep(home, ".gemini/tmp/shop/.project_root", str(home / "shop"))
    keep(home, ".pi/agent/sessions/--shop--/1_x.jsonl", read_recorded("pi", home))
    keep_opencode(home)


def keep_opencode(home: Path) -> None:
    """Lay a session down as earlier releases of OpenCode did, in many small files."""
    folder = home / ".local" / "share" / "opencode" / "storage"
    first, *others = map(json.loads, read_recorded("opencode", home).splitlines())
    own = first["info"]["id"]
    keep(folder, f"session/p/{own}.json", json.dumps(first["info"]))
    for message in others:
        name = message["info"]["id"]
        keep(folder, f"message/{own}/{name}.json", json.dumps(message["info"]))
        for number, part in enumerate(message["parts"]):
            keep(folder, f"part/{name}/prt_{number}.json", json.dumps(part))


def run(*options: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["backfill", *options, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_sessions_of_all_agents_are_taken_in_with_their_dates(server: Server, home: Path) -> None:
    keep_all(home)

    report = run()

    assert set(report["sessions"]["told"]) == {"claude-code", "codex", "gemini-cli", "opencode", "pi"}
    assert report["events"] == {"stored": 35}
    for session in server.get("/api/v1/sessions")["sessions"]:
        told = server.wait_for_page(session["id"])
        assert told["project"] == "main/shop"
        assert (told["started_at"][:16], told["ended_at"][:16]) == ("2026-11-30T19:34", "2026-11-30T19:34")
        page = (server.wiki / "main" / "shop" / told["page_path"]).read_text(encoding="utf-8")
        assert told["page_path"].startswith("sessions/2026-11/30-make-totals")
        assert "AssertionError: totals must round half up" in page


def test_a_second_run_stores_nothing(server: Server, home: Path) -> None:
    keep_all(home)
    run()

    report = run()

    assert report["events"] == {"replayed": 35}
    assert report["sessions"]["told"] == {}
    assert len(server.get("/api/v1/sessions")["sessions"]) == 5


def test_what_was_added_since_grows_the_session(server: Server, home: Path) -> None:
    lines = read_recorded("claude-code", home).splitlines()
    path = keep_claude(home, "\n".join(lines[:-4]) + '\n{"type": "assistant", "mess')
    assert run()["unreadable_lines"] == 1

    path.write_text("\n".join(lines), encoding="utf-8")
    run()

    kinds = [each["kind"] for each in server.get(f"/api/v1/sessions/{CLAUDE_ID}")["observations"]]
    assert [kinds.count(kind) for kind in ("session_start", "prompt", "turn_end")] == [1, 1, 1]


def test_a_session_that_its_hooks_told_is_not_stored_twice(server: Server, home: Path) -> None:
    keep_claude(home)
    shop = str(home / "shop")
    payload = {"session_id": CLAUDE_ID, "cwd": shop, "hook_event_name": "UserPromptSubmit", "prompt": "Go."}
    server.post_event("claude-code", "UserPromptSubmit", payload, checkout={"cwd": shop})

    assert run("--dry-run")["sessions"]["left_out"] == {CAPTURED_REASON: 1}
    report = run()

    assert report["sessions"]["left_out"] == {CAPTURED_REASON: 1}
    assert server.get(f"/api/v1/sessions/{CLAUDE_ID}")["total"] == 1


def test_a_session_that_goes_on_with_hooks_is_theirs_from_then_on(server: Server, home: Path) -> None:
    keep_claude(home)
    run()
    shop = str(home / "shop")
    payload = {"session_id": CLAUDE_ID, "cwd": shop, "hook_event_name": "UserPromptSubmit", "prompt": "Go on."}
    server.post_event("claude-code", "UserPromptSubmit", payload, checkout={"cwd": shop})

    assert run()["sessions"]["left_out"] == {CAPTURED_REASON: 1}


def test_a_dry_run_sends_nothing(server: Server, home: Path) -> None:
    keep_all(home)

    report = run("--dry-run")

    assert report["events"] == {"would be sent": 35}
    assert report["projects"] == {"main/shop": 5}
    assert server.get("/api/v1/sessions")["sessions"] == []


def test_secrets_never_reach_the_server_and_a_policy_is_kept(server: Server, home: Path) -> None:
    keep_claude(home, read_recorded("claude-code", home).replace("totals must round half up", SECRET))
    keep(home, "shop/.memwiki.toml", "[capture]\nkinds = { turn_end = false }\n")

    report = run()

    told = server.get(f"/api/v1/sessions/{CLAUDE_ID}")
    assert SECRET not in json.dumps(told)
    assert "[redacted:" in json.dumps(told)
    assert "turn_end" not in {each["kind"] for each in told["observations"]}
    assert sum(report["events_not_kept"].values()) == 1


def test_old_work_is_not_handed_on_and_recent_work_once(server: Server, home: Path) -> None:
    text = read_recorded("claude-code", home)
    keep_claude(home, text.replace("2026-11-30", "2025-11-30"))
    run()

    server.wait_for_page(CLAUDE_ID)
    assert server.get("/api/v1/handoffs", state="all", project="shop")["handoffs"] == []


@pytest.mark.usefixtures("server")
def test_only_what_was_asked_for_is_told(home: Path) -> None:
    keep_all(home)
    old = keep_claude(home)
    os.utime(old, (1_600_000_000, 1_600_000_000))

    assert set(run("--agent", "pi", "--dry-run")["sessions"]["found"]) == {"pi"}
    assert "claude-code" not in run("--since", "2026-01-01", "--dry-run")["sessions"]["told"]
    assert run("--project", "other", "--dry-run")["sessions"]["told"] == {}
    assert run("--project", "shop", "--agent", "pi", "--dry-run")["sessions"]["told"] == {"pi": 1}


@pytest.mark.usefixtures("server")
def test_a_folder_that_is_gone_is_taken_only_on_request(home: Path) -> None:
    keep_claude(home)
    shutil.rmtree(home / "shop")

    assert run()["sessions"]["told"] == {}
    assert run("--gone")["sessions"]["told"] == {"claude-code": 1}


def test_helpers_beside_a_transcript_are_told_within_its_session(server: Server, home: Path) -> None:
    keep_claude(home)
    shared = {"sessionId": CLAUDE_ID, "isSidechain": True, "agentId": "h1", "cwd": str(home / "shop")}
    use = {"type": "tool_use", "id": "t9", "name": "Bash", "input": {"command": "ls"}}
    answer = {"type": "tool_result", "tool_use_id": "t9", "content": "a.py"}
    lines = [
        {**shared, "type": kind, "timestamp": "2026-11-30T19:34:12.500Z", "message": {"role": kind, "content": [block]}}
        for kind, block in (("assistant", use), ("user", answer))
    ]
    keep(home, f".claude/projects/-shop/{CLAUDE_ID}/subagents/agent-h1.jsonl", "\n".join(map(json.dumps, lines)))

    run()

    told = server.get(f"/api/v1/sessions/{CLAUDE_ID}")
    assert [each["command"] for each in told["observations"] if each["actor"] == "subagent"] == ["ls"]
    assert told["state"] == "ended"
    assert len(server.get("/api/v1/sessions")["sessions"]) == 1


@pytest.mark.usefixtures("server")
def test_unknown_records_and_lines_without_end_are_counted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_past, "TRANSCRIPT_LINE_BYTES_MAX", 20_000)
    huge = json.dumps({"type": "user", "message": {"role": "user", "content": "x" * 50_000}})
    keep_claude(home, f'{huge}\n{{"type": "novelty"}}\n' + read_recorded("claude-code", home))

    report = run()

    assert (report["long_lines"], report["unknown_records"]) == (1, {"novelty": 1})
    assert report["events"] == {"stored": 7}
