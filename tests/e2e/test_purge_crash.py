"""A purge that is killed, at whatever moment, is over after the next start: no byte of it is left."""

import json
import random
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.entrypoints.serving import find_bytes, read_payload
from tests.server import Server, run_git, run_server, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

WORDS = "zyxgranny"
SEED, MOMENT_SECONDS_MAX = 20261201, 0.5
ROUNDS = {"session": 4, "project": 2, "page": 2, "person": 2}
ERROR = "Traceback (most recent call last):\nModuleNotFoundError: No module named '{}'"


def tell(server: Server, session: str, name: str, place: dict[str, str], **changes: object) -> None:
    payload = read_payload("claude-code", name, session_id=session, **changes)
    server.post_event("claude-code", str(payload["hook_event_name"]), payload, checkout=place)


def work(server: Server, session: str, words: str, project: str = "shop") -> None:
    """Have a session that leaves a page, a gotcha, a decision, observations in state and sealed ones."""
    place = {"cwd": f"/home/dev/{project}", "root": f"/home/dev/{project}"}
    prompt = f"We decided to use {words} rather than baskets in the shop, so mend it."
    tell(server, session, "UserPromptSubmit", place, prompt=prompt, prompt_id=f"{session}p")
    command = {"command": f"make {words}"}
    error = f"Exit code 1\n{ERROR.format(words)}"
    tell(server, session, "PostToolUseFailure.shell", place, tool_use_id=f"{session}1", tool_input=command, error=error)
    edit = {"file_path": f"/home/dev/{project}/{words}.py", "old_string": "a", "new_string": words}
    tell(server, session, "PostToolUse.edit", place, tool_use_id=f"{session}2", tool_input=edit, tool_response={})
    response = {"stdout": f"{words} is made", "stderr": "", "interrupted": False}
    tell(
        server, session, "PostToolUse.shell", place, tool_use_id=f"{session}3", tool_input=command,
        tool_response=response,
    )  # fmt: skip
    tell(server, session, "SessionEnd", place)
    server.wait_for_page(session)


def build_order(kind: str, name: str) -> dict[str, Any]:
    return {"kind": kind, "name": name, "apply": True, "rewrite_history": True}


def ask_in_vain(client: httpx2.Client, order: dict[str, Any]) -> None:
    with suppress(httpx2.HTTPError, RuntimeError):
        client.post("/api/v1/purge", json=order)


def list_orders(server: Server) -> list[Path]:
    return list((server.data_dir / "state").glob("purge-*.json"))


def purge_and_kill(server: Server, order: dict[str, Any], after: float) -> bool:
    """Kill the server so long after a purge began; tells whether it was under way then."""
    asking = threading.Thread(target=ask_in_vain, args=(server.client, order))
    asking.start()
    wait_for(lambda: list_orders(server) or not asking.is_alive(), "it begins")
    time.sleep(after)
    server.kill()
    asking.join(30)
    return bool(list_orders(server))


@pytest.mark.parametrize("kind", list(ROUNDS))
def test_a_purge_killed_at_any_moment_is_over_after_the_next_start(tmp_path: Path, kind: str) -> None:
    moments = random.Random(SEED)  # noqa: S311 - the same moments in every run
    hit = 0
    with run_server(tmp_path / "memwiki", MEMWIKI_SEAL_AFTER_SECONDS="0") as server:
        if kind != "person":
            work(server, "living", "haystack", "barn")
        for number in range(ROUNDS[kind]):
            order = plant(server, kind, number)
            server.wait_until_committed()
            assert find_bytes(server.data_dir, WORDS) != []
            hit += purge_and_kill(server, order, moments.uniform(0, MOMENT_SECONDS_MAX))
            server.start()
            server.wait_until_committed()

            assert find_bytes(server.data_dir, WORDS) == []
            assert list_orders(server) == []
            assert server.client.post("/api/v1/purge", json=order).status_code == 404
            run_git(server.wiki, "fsck", "--strict", "--no-dangling")
        assert bool(server.get("/api/v1/search", q="haystack", project="*")["hits"]) is (kind != "person")
    assert hit, "the kills came too late to hit anything"


def test_a_purge_killed_between_a_page_and_its_rows_is_over_after_the_next_start(tmp_path: Path) -> None:
    with run_server(tmp_path / "memwiki", MEMWIKI_SEAL_AFTER_SECONDS="0") as server:
        work(server, "doomed", WORDS)
        session = server.wait_for_page("doomed")
        server.wait_until_committed()
        server.kill()
        page = session["page_path"]
        (server.wiki / "main" / "shop" / page).unlink()
        removal = {"places": [f"main/shop/{page}"], "marks": [session["id"], page.removesuffix(".md")]}
        wish = {"kind": "session", "name": "doomed", "workspace": "main", "is_rewriting": True}
        order = {"wish": wish, "by": "local", "removal": removal}
        (server.data_dir / "state" / "purge-1.json").write_text(json.dumps(order), encoding="utf-8")
        server.start()
        server.wait_until_committed()

        assert find_bytes(server.data_dir, WORDS) == []
        assert list_orders(server) == []


def plant(server: Server, kind: str, number: int) -> dict[str, Any]:
    """Put something there that has the words, and say how it is purged."""
    if kind == "page":
        work(server, f"other-{number}", "plain")
        body = {"body": f"# Secret\n\nThe {WORDS} keeps the recipe.\n"}
        server.client.put("/api/v1/pages/notes/secret.md", json=body, params={"project": "shop"}).raise_for_status()
        said = {"path": "notes/secret.md", "verdict": "wrong", "note": WORDS}
        server.client.post("/api/v1/feedback", json=said, params={"project": "shop"}).raise_for_status()
        return build_order("page", "shop:notes/secret.md")
    name = f"shop{number}"
    work(server, f"doomed-{number}", WORDS, name)
    return build_order(kind, {"session": f"doomed-{number}", "project": name}.get(kind, "local"))
