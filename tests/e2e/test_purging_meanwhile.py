"""Purging and moving while things happen: a spool that is sent under a rate limit, a server that is killed."""

import json
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2

from app.capture import client_drain
from app.capture.client_http import Server as Address
from app.capture.client_spool import Spool
from tests.entrypoints.serving import find_bytes, new_name, read_payload
from tests.server import Server, run_git, run_server, wait_for

WORDS = "zyxgranny"
EVENTS = 700
SHOP = {"cwd": "/home/dev/shop", "root": "/home/dev/shop", "remote": "https://github.com/example/shop.git"}


def build_line(session: str, rank: int) -> bytes:
    words = f"{WORDS} {rank}" if session == "doomed" else f"plain {rank}"
    payload = read_payload(
        "claude-code", "UserPromptSubmit", session_id=session, prompt=words, prompt_id=f"{session}{rank}"
    )
    entry = {
        "at": int(time.time() * 1000), "key": f"{session}-{rank:05}", "agent": "claude-code",
        "event": "UserPromptSubmit", "payload": payload, "checkout": SHOP,
    }  # fmt: skip
    return json.dumps(entry).encode() + b"\n"


def count(server: Server, session: str) -> int:
    answer = server.client.get(f"/api/v1/sessions/{session}")
    return int(answer.json()["total"]) if answer.status_code == 200 else -1


def list_prompts(server: Server, session: str) -> list[str]:
    found: list[str] = []
    after = 0
    while page := server.get(f"/api/v1/sessions/{session}", limit=500, after=after)["observations"]:
        found += [each["text"] for each in page]
        after = page[-1]["id"]
    return found


def test_a_session_purged_while_a_limited_drain_runs_stays_purged_and_costs_the_others_nothing(tmp_path: Path) -> None:
    spool = Spool(str(tmp_path / "spool"))
    for rank in range(EVENTS):
        for session in ("doomed", "living"):
            spool.append(build_line(session, rank))
    with run_server(tmp_path / "memwiki", MEMWIKI_RATE_LIMIT_PER_TOKEN="300") as server:
        until = time.monotonic() + 60
        drain = threading.Thread(
            target=client_drain.drain, args=(spool, Address(server.url, "", 5), until), kwargs={"is_patient": True}
        )
        drain.start()
        wait_for(lambda: count(server, "doomed") > 0, "the first events are there")
        body = {"kind": "session", "name": "doomed", "apply": True, "rewrite_history": True}
        gone = server.client.post("/api/v1/purge", json=body).json()
        drain.join(60)

        assert gone["applied"] is True
        assert gone["gone"]["observations"] < EVENTS
        assert spool.report() == (0, 0, 0)
        assert count(server, "doomed") == -1
        assert list_prompts(server, "living") == [f"plain {rank}" for rank in range(EVENTS)]
        assert find_bytes(server.data_dir, WORDS) == []
        assert 0 < server.get("/api/v1/status")["dropped"][0]["purged"] <= EVENTS - gone["gone"]["observations"]


def ask_in_vain(client: httpx2.Client, path: str, body: dict[str, Any]) -> None:
    with suppress(httpx2.HTTPError, RuntimeError):
        client.post(path, json=body)


def test_a_server_killed_while_it_merges_finishes_at_its_next_start(tmp_path: Path) -> None:
    with run_server(tmp_path / "memwiki") as server:
        for name in ("shop", "barn"):
            place = {"cwd": f"/home/dev/{name}", "root": f"/home/dev/{name}"}
            payload = read_payload("claude-code", "UserPromptSubmit", session_id=new_name(name), prompt="Look around.")
            server.post_event("claude-code", "UserPromptSubmit", payload, checkout=place)
            for number in range(60):
                body = {"body": f"# Page {number} of {name}\n\nSee [[p{(number + 1) % 60}]].\n"}
                path = f"/api/v1/pages/notes/p{number}.md"
                assert server.client.put(path, json=body, params={"project": name}).status_code == 200
        server.wait_until_committed()
        sent = ("/api/v1/projects/merge", {"project": "barn", "into": "shop", "apply": True})
        asking = threading.Thread(target=ask_in_vain, args=(server.client, *sent))
        asking.start()
        wait_for((server.wiki / "main" / "shop" / "notes" / "p0-2.md").exists, "it begins")
        server.kill()
        asking.join(30)
        server.start()

        shop = server.wiki / "main" / "shop" / "notes"
        assert len(list(shop.glob("p*.md"))) == 120
        assert not (server.wiki / "main" / "barn").exists()
        wait_for(lambda: "[[notes/p8-2]]" in (shop / "p7-2.md").read_text(encoding="utf-8"), "links are renewed")
        found = server.get("/api/v1/pages/notes/p7.md", project="barn")
        assert (found["path"], found["title"]) == ("notes/p7-2.md", "Page 7 of barn")
        server.wait_until_committed()
        assert run_git(server.wiki, "status", "--porcelain", "--untracked-files=all") == ""
