"""Proposals, confirming, lint and bundles, over HTTP, on the command line and in the browser."""

import re
from typing import Any

import pytest

from tests.entrypoints import rpc, serving
from tests.entrypoints.serving import API, Server

WISH = "Always run make lint before you commit."


def work(server: Server, text: str) -> None:
    """Have a session in which a person says something and work is done."""
    session = serving.new_name()
    server.start(session)
    server.ask(session, text)
    server.run(session, "make build", "done")
    server.end(session)


def list_waiting(server: Server, kind: str = "rule") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.read("/proposals", project="shop", kind=kind)["proposals"]
    return found


def write(server: Server, path: str, body: str, **fields: object) -> None:
    sent = {"body": body, "fields": fields}
    assert server.client.put(f"{API}/pages/{path}", params={"project": "shop"}, json=sent).status_code == 200


@pytest.fixture
def wished(server: Server) -> Server:
    work(server, f"Mend the tax. {WISH}")
    serving.wait_for(lambda: list_waiting(server), "the wish on the review list")
    return server


def test_an_approved_wish_is_a_rule_and_a_decided_one_cannot_be_decided_again(wished: Server) -> None:
    (waiting,) = list_waiting(wished)
    assert waiting["text"] == WISH
    assert waiting["evidence"][0]["page"].startswith("sessions/")

    approved = wished.client.post(f"{API}/proposals/{waiting['id']}/approve").json()

    page = wished.read(f"/pages/{approved['path']}", project="shop")
    assert WISH in page["text"]
    assert page["kind"] == "rule"
    assert list_waiting(wished) == []
    again = wished.client.post(f"{API}/proposals/{waiting['id']}/reject")
    assert (again.status_code, again.json()["code"]) == (409, "proposal_decided")


def test_a_rejected_wish_never_comes_back(wished: Server) -> None:
    (waiting,) = list_waiting(wished)
    wished.client.post(f"{API}/proposals/{waiting['id']}/reject")

    work(wished, f"Mend the toll. {WISH}")

    assert list_waiting(wished) == []
    assert not list(wished.folder.glob("wiki/main/shop/rules/*.md"))


def test_the_review_page_decides_only_by_its_own_form(wished: Server) -> None:
    (waiting,) = list_waiting(wished)
    shown = wished.client.get("/review").text
    assert WISH in shown
    place = f"/review/{waiting['id']}/approve"
    assert wished.client.post(place, content=b"").status_code == 403

    token = re.search(r'name="form_token" value="(\w+)"', shown)
    assert token
    done = wished.client.post(place, data={"form_token": token[1]}, follow_redirects=False)

    assert done.status_code == 303
    assert list_waiting(wished) == []
    assert "approved" in wished.client.get("/review").text


def test_an_agent_passes_on_a_persons_word_and_decides_nothing_itself(wished: Server) -> None:
    (waiting,) = list_waiting(wished)
    session = serving.new_name()
    wished.ask(session, "What waits for me?")

    listed, _ = rpc.call_tool(wished, "memory_review")
    decide = {"proposal_id": waiting["id"], "answer": "approve", "session_id": session}
    alone, is_refused = rpc.call_tool(wished, "memory_review", **decide, words="Yes, approve the lint rule.")
    wished.ask(session, "Yes, approve the lint rule. Then mend the toll.")
    done, has_failed = rpc.call_tool(wished, "memory_review", **decide, words="yes, approve the lint rule")

    assert waiting["id"] in listed
    assert WISH.rstrip(".") in listed
    assert ("persons_word_missing" in alone, is_refused) == (True, True)
    assert ("approved: rules/" in done, has_failed) == (True, False)
    assert list_waiting(wished) == []
    assert "(agent)" in wished.read(f"/proposals/{waiting['id']}")["decided_by"]


def test_confirming_a_page_moves_its_last_check_and_reading_does_not(wished: Server) -> None:
    write(wished, "notes/a.md", "The shop sells tea.")
    before = wished.read("/pages/notes/a.md", project="shop")["text"]
    for _ in range(3):
        wished.read("/pages/notes/a.md", project="shop")
    assert wished.read("/pages/notes/a.md", project="shop")["text"] == before

    answer = wished.client.post(f"{API}/confirm", params={"project": "shop"}, json={"path": "notes/a.md"}).json()

    assert answer["verified_at"] in wished.read("/pages/notes/a.md", project="shop")["text"]


def test_lint_names_each_fault_with_its_severity(wished: Server) -> None:
    write(wished, "notes/a.md", "See [[notes/none]].", relations={"contradicts": ["notes/b.md"]})
    write(wished, "notes/b.md", "See [[notes/a]].")
    tree = wished.runtime.wiki.tree.root / "main" / "shop" / "notes"
    (tree / "c.md").write_text("---\ntitle: *x\n---\nplain\n", encoding="utf-8")
    (tree / "d.md").write_text("key = ghp_" + "a1B2" * 9 + "\n", encoding="utf-8")
    serving.wait_for(lambda: wished.get("/pages/notes/d.md", project="shop").status_code == 200, "d.md")
    wished.client.post(f"{API}/reindex")

    def look() -> set[tuple[str, str, str]]:
        found = wished.read("/lint", project="shop")["findings"]
        return {(each["severity"], each["code"], each["path"]) for each in found}

    wanted = {
        ("warning", "broken_link", "notes/a.md"),
        ("warning", "contradiction", "notes/a.md"),
        ("error", "frontmatter_unreadable", "notes/c.md"),
        ("error", "secret", "notes/d.md"),
        ("info", "orphan", "notes/d.md"),
    }
    serving.wait_for(lambda: wanted <= look(), f"findings {wanted}")
    assert "broken link" in wished.client.get("/p/main/shop/lint").text


def test_a_bundle_comes_back_as_it_was(wished: Server) -> None:
    write(wished, "notes/a.md", "Tea.\r\nTwice.", colour="green")
    tree = wished.runtime.wiki.tree.root / "main" / "shop" / "notes"
    (tree / "broken.md").write_bytes(b"---\ntitle: *x\n---\ncaf\xe9\n")
    serving.wait_for(lambda: wished.get("/pages/notes/broken.md", project="shop").status_code == 200, "broken.md")
    serving.wait_for(lambda: "unreadable/notes/broken.md.txt" in export(wished), "the page aside")
    files = export(wished)

    taken = wished.client.post(f"{API}/okf", params={"project": "copy", "create": "true"}, json={"files": files}).json()

    assert taken["conflicts"] == []
    assert export(wished, "copy") == files
    again = wished.client.post(f"{API}/okf", params={"project": "copy"}, json={"files": files}).json()
    assert again["added"] == []


def export(server: Server, project: str = "shop") -> dict[str, str]:
    found: dict[str, str] = server.read("/okf", project=project)["files"]
    return found


@pytest.mark.parametrize("files", [{"a.md": "bm8gdHlwZQ=="}, {"../a.md": "eA=="}, {"a.md": "%%"}], ids=str)
def test_what_is_no_bundle_is_refused_whole(wished: Server, files: dict[str, str]) -> None:
    answer = wished.client.post(f"{API}/okf", params={"project": "shop"}, json={"files": files})

    assert (answer.status_code, answer.json()["code"]) == (422, "bundle_refused")
