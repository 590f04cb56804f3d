"""All that is one person's: taken along whole, and deleted so that no byte of it and no name is left."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.access import accounts, issuing
from app.access.accounts import NewPerson
from app.access.issuing import NewToken
from app.domain.person import Right, Role
from tests.entrypoints.rights import ROOT
from tests.entrypoints.serving import API, SHOP, Server, find_bytes, new_name, read_payload, serve
from tests.server import run_git

WHO, WORDS = "zyxgranny", "quincejelly"
OTHER = "bob"


class House:
    """A server with an administrator, the person in question, and somebody else."""

    def __init__(self, server: Server) -> None:
        self.server = server
        people = server.runtime.people
        self.secrets: dict[str, str] = {}
        for name, role in (("ann", Role.ADMIN), (WHO, Role.MEMBER), (OTHER, Role.MEMBER)):
            accounts.add_person(people, ROOT, NewPerson(name, role, "a password that is long"))
            self.secrets[name] = issuing.issue_token(people, ROOT, name, NewToken("mine", frozenset(Right))).secret
        server.client.headers["authorization"] = f"Bearer {self.secrets['ann']}"

    def header(self, name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.secrets[name]}"}

    def work(self, name: str, words: str) -> str:
        session = new_name()
        for event, changes in (
            ("SessionStart.startup", {}),
            ("UserPromptSubmit", {"prompt": f"Boil the {words}.", "prompt_id": new_name("p")}),
            ("PostToolUse.shell", {"tool_use_id": new_name("t"), "tool_input": {"command": f"make {words}"}}),
            ("SessionEnd", {}),
        ):
            payload = read_payload("claude-code", event, session_id=session, **changes)
            self.server.hook(event.partition(".")[0], payload, checkout=SHOP, **self.header(name))
        self.server.settle()
        return session

    def post(self, name: str, path: str, body: object, **query: str) -> dict[str, Any]:
        answer = self.server.client.post(f"{API}{path}", json=body, params=query, headers=self.header(name))
        assert answer.status_code < 300, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def put(self, name: str, path: str, text: str, before: str = "") -> str:
        body = {"body": text, "expected_hash": before}
        place = f"{API}/pages/{path}"
        answer = self.server.client.put(place, json=body, params={"project": "shop"}, headers=self.header(name))
        assert answer.status_code == 200, answer.text
        return str(answer.json()["content_hash"])

    def purge(self, **options: bool) -> dict[str, Any]:
        return self.post("ann", "/purge", {"kind": "person", "name": WHO, **options})


@pytest.fixture
def house(tmp_path: Path, template: Path) -> Iterator[House]:
    with serve(tmp_path / "memwiki", template=template) as server:
        made = House(server)
        made.work(OTHER, "oatmeal")
        made.work(WHO, WORDS)
        made.put(WHO, "notes/mine.md", f"# Mine\n\nAll about {WORDS}.\n")
        shared = made.put(WHO, "notes/ours.md", "# Ours\n\nFirst.\n")
        made.put(OTHER, "notes/ours.md", "# Ours\n\nFirst and second.\n", shared)
        made.post(WHO, "/handoffs", {"summary": f"Half of the {WORDS}."}, project="shop")
        made.post(WHO, "/messages", {"to_project": "shop", "body": f"Stir the {WORDS}."}, project="shop")
        made.post(WHO, "/feedback", {"path": "notes/ours.md", "verdict": "stale", "note": WORDS}, project="shop")
        made.post(OTHER, "/handoffs", {"summary": "For you.", "to_user": WHO}, project="shop")
        server.settle()
        yield made


def test_an_export_has_all_that_one_person_authored_and_no_secret(house: House) -> None:
    answer = house.server.client.get(f"{API}/people/{WHO}/export")

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        held = {name: archive.read(name) for name in archive.namelist()}
    for member in manifest["members"]:
        assert hashlib.sha256(held[member["name"]]).hexdigest() == member["sha256"]
    lines = {name: [json.loads(line) for line in raw.splitlines()] for name, raw in held.items() if "jsonl" in name}
    assert [row["project"] for row in lines["sessions.jsonl"]] == ["main/shop"]
    assert len(lines["observations.jsonl"]) == 4
    texts = [page["text"] for commit in lines["commits.jsonl"] for page in commit["pages"]]
    assert any(text and WORDS in text for text in texts)
    assert [row["subject"] for row in lines["messages.jsonl"]] != []
    assert WORDS in lines["handoffs.jsonl"][-1]["content"]["summary"]
    assert [row["verdict"] for row in lines["feedback.jsonl"]] == ["stale"]
    assert [row["name"] for row in lines["tokens.jsonl"]] == ["mine"]
    assert lines["audit.jsonl"] != []
    everything = b"".join(held.values())
    assert b"oatmeal" not in everything
    assert b'hash":"' not in held["tokens.jsonl"] + held["account.jsonl"]
    assert b"argon2" not in everything


def test_without_apply_a_persons_purge_only_tells(house: House) -> None:
    plan = house.purge()

    assert (plan["applied"], plan["gone"]["sessions"], plan["gone"]["messages"]) == (False, 1, 1)
    assert "main/shop/notes/mine.md" in plan["files"]
    [trail] = [line for line in plan["remains"] if "audit" in line]
    assert "pseudonym" in trail
    assert house.server.client.get(f"{API}/whoami", headers=house.header(WHO)).status_code == 200


def test_a_purged_persons_words_and_name_are_in_no_file(house: House) -> None:
    late = house.work(WHO, WORDS)
    assert find_bytes(house.server.folder, WORDS) != []

    gone = house.purge(apply=True, rewrite_history=True)
    house.server.settle()

    assert gone["applied"] is True
    assert find_bytes(house.server.folder, WORDS) == []
    assert find_bytes(house.server.folder, WHO) == []
    assert house.server.get("/pages/notes/mine.md", project="shop").status_code == 404
    assert house.server.read("/pages/notes/ours.md", project="shop")["body"].strip().endswith("First and second.")
    assert house.server.read("/search", q="oatmeal", project="shop")["hits"] != []
    assert house.server.client.get(f"{API}/whoami", headers=house.header(WHO)).status_code == 401
    stop = house.server.hook("Stop", read_payload("claude-code", "Stop", session_id=late), checkout=SHOP)
    assert (stop.status_code, stop.json()["code"]) == (410, "refused_purged")
    run_git(house.server.folder / "wiki", "fsck", "--strict", "--no-dangling")
    assert house.server.post("/purge", {"kind": "person", "name": WHO}).status_code == 404


def test_the_trail_still_proves_itself_and_names_a_pseudonym(house: House) -> None:
    house.server.runtime.trail.close()
    house.purge(apply=True)
    house.server.settle()

    checked = house.server.read("/audit/verify")
    entries = house.server.read("/audit", limit=500)["entries"]
    assert checked["broken_at"] is None, checked
    [done] = [each for each in entries if each["action"] == "person.purge"]
    assert done["subject"].startswith("purged-")
    assert any(each["actor"] == done["subject"] for each in entries)
    assert not [each for each in entries if WHO in json.dumps(each)]

    house.server.runtime.writer.submit(
        lambda conn: conn.exec_driver_sql("UPDATE audit SET detail = 'x' WHERE actor = ?", (done["subject"],))
    ).result(20)
    assert house.server.read("/audit/verify")["broken_at"] is not None


def test_the_last_administrator_is_not_purged_and_nobody_unknown(house: House) -> None:
    last = house.server.post("/purge", {"kind": "person", "name": "ann", "apply": True})
    unknown = house.server.post("/purge", {"kind": "person", "name": "nobody-here"})

    assert (last.status_code, last.json()["code"]) == (409, "last_administrator")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "nothing_of_person")
