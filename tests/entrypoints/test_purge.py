"""Deleting for good: what goes, what is told, and that no byte of it is left in the data directory."""

import threading
from contextlib import suppress
from hashlib import sha512
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.domain.proposal import Ground, Proposal, ProposalKind, ProposalState
from app.index import vectors
from app.index.database import Connection
from app.index.embed import EmbedderName
from app.state import proposals
from app.wiki import rewriting
from app.wiki.repository import Repository
from app.wiki.rewriting import Removal, Rewritten
from tests.entrypoints import serving
from tests.entrypoints.serving import Server, find_bytes, new_name, read_payload, serve
from tests.server import run_git, run_server, wait_for

WORDS = "zyxgranny keeps the recipe"
BARN = {"cwd": "/home/dev/barn", "root": "/home/dev/barn", "remote": "https://github.com/example/barn.git"}


def work(server: Server, words: str = WORDS) -> str:
    session = new_name()
    server.start(session)
    server.ask(session, f"Fix the lexer: {words}.")
    server.run(session, f"echo '{words}'", words)
    server.end(session)
    return session


def purge(server: Server, kind: str, name: str, **options: bool) -> dict[str, Any]:
    answer = server.post("/purge", {"kind": kind, "name": name, **options})
    assert answer.status_code == 200, answer.text
    server.settle()
    found: dict[str, Any] = answer.json()
    return found


def check_history(server: Server) -> str:
    """Check that git is sound, and that it, its staging and the disk agree."""
    wiki = server.folder / "wiki"
    run_git(wiki, "fsck", "--strict", "--no-dangling")
    assert run_git(wiki, "status", "--porcelain", "--untracked-files=all") == ""
    return run_git(wiki, "log", "--all", "--format=%s")


def test_without_apply_nothing_goes_and_all_is_told(server: Server) -> None:
    work(server)
    before = server.pages()

    plan = purge(server, "project", "shop")

    assert (plan["applied"], plan["gone"]["sessions"], plan["gone"]["observations"]) == (False, 1, 4)
    assert plan["files"] != []
    assert any("git history" in line for line in plan["remains"])
    assert server.pages() == before


def test_a_purged_project_is_gone_and_late_events_are_refused(server: Server) -> None:
    session = work(server)
    other = new_name()
    server.hook("SessionStart", read_payload("claude-code", "SessionStart.startup", session_id=other), checkout=BARN)

    gone = purge(server, "project", "shop", apply=True)

    assert gone["applied"] is True
    assert [project["name"] for project in server.read("/projects")["projects"]] == ["main/barn"]
    assert not (server.folder / "wiki" / "main" / "shop").exists()
    assert server.read("/search", q="zyxgranny", project="*")["hits"] == []
    for name in (session, new_name()):
        late = server.hook("Stop", read_payload("claude-code", "Stop", session_id=name))
        assert (late.status_code, late.json()["code"]) == (410, "refused_purged")
    assert server.get(f"/sessions/{other}").status_code == 200
    assert server.post("/purge", {"kind": "project", "name": "shop"}).status_code == 404


@pytest.mark.parametrize("kind", ["session", "project"])
def test_with_history_no_byte_of_it_is_left_anywhere(server: Server, kind: str) -> None:
    work(server, "Something that stays.")
    session = work(server)
    assert find_bytes(server.folder, "zyxgranny") != []

    gone = purge(server, kind, session if kind == "session" else "shop", apply=True, rewrite_history=True)

    assert find_bytes(server.folder, "zyxgranny") == []
    assert gone["rewritten"]["removed_commits"] > 0
    assert "zyxgranny" not in check_history(server)
    assert not any("git history" in line for line in gone["remains"])
    assert bool(find_bytes(server.folder / "wiki", "Something that stays")) is (kind == "session")


@pytest.mark.parametrize("kind", ["session", "project"])
def test_vectors_of_what_is_purged_go_with_it(server: Server, kind: str) -> None:
    work(server, "Something that stays.")
    session = work(server)
    kept, name = server.runtime.index.kept, EmbedderName("fake", "1")
    made = {text: sha512(text.encode()).digest() for text in server.runtime.index.read(_list_texts)}
    kept.put(name, made)
    before = kept.path.read_bytes()

    purge(server, kind, session if kind == "session" else "shop", apply=True)

    left = b"".join(path.read_bytes() for path in kept.path.parent.iterdir())
    assert all(vector in before for vector in made.values())
    assert not any(vector in left for text, vector in made.items() if "zyxgranny" in text)
    staying = made.keys() & server.runtime.index.read(_list_texts)
    assert all(made[text] in left for text in staying)
    assert bool(staying) is (kind == "session")


def _list_texts(connection: Connection) -> set[str]:
    return set(vectors.walk_texts(connection))


def test_a_sealed_session_goes_with_its_file(tmp_path: Path, template: Path) -> None:
    at_once = {"seal_after_seconds": 0, "observations_retention_days": 0}
    with serve(tmp_path / "memwiki", template=template, **at_once) as server:
        work(server)
        serving.wait_for(lambda: list(server.folder.glob("raw/*/*.zst")), "it is sealed")

        purge(server, "project", "shop", apply=True, rewrite_history=True)

        assert list(server.folder.glob("raw/*/*")) == []
        assert find_bytes(server.folder, "zyxgranny") == []


def test_a_page_goes_with_its_history_and_others_stay(server: Server) -> None:
    work(server, "Something that stays.")
    server.put("notes/secret.md", {"body": f"# Secret\n\n{WORDS}\n"}, project="shop")
    server.put("notes/other.md", {"body": "# Other\n\nWords.\n"}, project="shop")
    server.settle()

    gone = purge(server, "page", "shop:notes/secret.md", apply=True, rewrite_history=True)

    assert gone["files"] == ["main/shop/notes/secret.md"]
    assert find_bytes(server.folder, "zyxgranny") == []
    assert server.get("/pages/notes/other.md", project="shop").status_code == 200
    check_history(server)


def test_what_was_said_of_a_page_and_to_change_it_goes_with_it(server: Server) -> None:
    work(server, "Something that stays.")
    server.put("notes/secret.md", {"body": f"# Secret\n\n{WORDS}\n"}, project="shop")
    server.post("/feedback", {"path": "notes/secret.md", "verdict": "wrong", "note": WORDS}, project="shop")
    project = server.read("/projects")["projects"][0]["id"]
    proposal = Proposal(
        "p-1", project, ProposalKind.CHANGE, "key", "Change it", WORDS, "because", ProposalState.WAITING,
        server.runtime.clock.now(), path="notes/secret.md", plan=WORDS,
    )  # fmt: skip
    server.runtime.writer.submit(lambda conn: proposals.insert_proposal(conn, proposal)).result(20)

    purge(server, "page", "shop:notes/secret.md", apply=True, rewrite_history=True)

    assert find_bytes(server.folder, "zyxgranny") == []


def test_a_secret_that_no_rule_knows_leaves_with_the_session_that_handed_it_on(server: Server) -> None:
    """The words of a handoff, of a message, and of a proposal that was decided are its session's too."""
    session = work(server)
    ours = server.session(session)["id"]
    token = {"body": f"The pass phrase: {WORDS}.", "subject": WORDS, "to_project": "shop", "session_id": session}
    assert server.post("/messages", token, project="shop").status_code == 201
    offered = server.post("/handoffs", {"summary": f"It is {WORDS}.", "session_id": session}, project="shop")
    assert offered.status_code == 201
    project = server.read("/projects")["projects"][0]["id"]
    rejected = Proposal(
        "p-1", project, ProposalKind.RULE, "key", "A rule", WORDS, WORDS, ProposalState.REJECTED,
        server.runtime.clock.now(), grounds=(Ground(ours),),
    )  # fmt: skip
    server.runtime.writer.submit(lambda conn: proposals.insert_proposal(conn, rejected)).result(20)

    gone = purge(server, "session", session, apply=True, rewrite_history=True)

    assert (gone["gone"]["messages"], gone["gone"]["handoffs"]) == (1, 2)
    assert find_bytes(server.folder, "zyxgranny") == []
    assert server.read("/messages", project="shop")["messages"] == []


def test_a_sessions_page_is_purged_by_its_session(server: Server) -> None:
    session = work(server)
    path = server.session(session)["page_path"]

    answer = server.post("/purge", {"kind": "page", "name": f"shop:{path}", "apply": True})

    assert answer.status_code == 422
    assert len(server.pages()) == 1


def test_work_goes_on_after_history_was_rewritten(server: Server) -> None:
    purge(server, "session", work(server), apply=True, rewrite_history=True)

    work(server, "A new beginning.")

    subjects = check_history(server).splitlines()
    assert any("new beginning" in subject.lower() for subject in subjects)


def test_remotes_copies_and_backups_are_named(server: Server) -> None:
    session = work(server)
    run_git(server.folder / "wiki", "remote", "add", "origin", "https://example.com/wiki.git")
    (server.folder / "state" / "state.db.before-0009").write_bytes(b"")
    (server.folder / "backups").mkdir()
    (server.folder / "backups" / "memwiki-20261130T120000Z.tar.zst").write_bytes(b"")

    remains = purge(server, "session", session, apply=True, rewrite_history=True)["remains"]

    for told in ("origin", "state/state.db.before-0009", "backups/memwiki-20261130T120000Z.tar.zst"):
        assert any(told in line for line in remains)


def test_a_rewriting_that_was_killed_is_finished_at_the_next_start(server: Server, tmp_path: Path) -> None:
    work(server)
    server.put("notes/secret.md", {"body": f"# Secret\n\n{WORDS}\n"}, project="shop")
    purge(server, "page", "shop:notes/secret.md", apply=True)
    rewriting.install_order(server.runtime.repository, Removal(["main/shop/notes/secret.md"], []))
    copy = tmp_path / "copy"
    serving.copy_as_killed(server.folder, copy)

    with serve(copy) as restarted:
        found = run_git(restarted.folder / "wiki", "log", "--all", "--format=%H", "--", "main/shop/notes/secret.md")

        assert found == ""
        assert rewriting.find_order(restarted.runtime.repository) is None
        check_history(restarted)


@pytest.mark.parametrize("kind", ["session", "person"])
def test_a_purge_that_is_killed_before_history_is_rewritten_is_finished_at_the_next_start(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    session, copy, rewrite = work(server), tmp_path / "copy", rewriting.remove_from_history

    def look(repository: Repository, removal: Removal) -> Rewritten:
        serving.copy_as_killed(server.folder, copy)
        return rewrite(repository, removal)

    with monkeypatch.context() as patched:
        patched.setattr(rewriting, "remove_from_history", look)
        purge(server, kind, session if kind == "session" else "local", apply=True, rewrite_history=True)

    with serve(copy) as restarted:
        restarted.settle()
        assert find_bytes(copy, "zyxgranny") == []
        assert rewriting.find_order(restarted.runtime.repository) is None
        check_history(restarted)


def test_a_purge_that_is_refused_leaves_history_alone(server: Server) -> None:
    work(server)
    path = server.pages()[0].removeprefix("main/shop/")

    refused = server.post("/purge", {"kind": "page", "name": f"shop:{path}", "apply": True, "rewrite_history": True})

    assert refused.status_code == 422
    assert rewriting.find_order(server.runtime.repository) is None


def test_branches_tags_and_merges_of_people_keep_their_shape(server: Server) -> None:
    wiki = server.folder / "wiki"
    work(server, "Something that stays.")
    server.put("notes/secret.md", {"body": f"# Secret\n\n{WORDS}\n"}, project="shop")
    server.settle()
    author = ("-c", "user.name=Mia", "-c", "user.email=mia@example.com")
    run_git(wiki, *author, "commit", "--quiet", "--allow-empty", "-m", "A mark")
    run_git(wiki, *author, "tag", "-a", "v1", "-m", "First")
    run_git(wiki, "branch", "side")

    purge(server, "page", "shop:notes/secret.md", apply=True, rewrite_history=True)

    assert run_git(wiki, "cat-file", "-t", "v1").strip() == "tag"
    assert "A mark" in run_git(wiki, "log", "--format=%s", "side")
    assert find_bytes(server.folder, "zyxgranny") == []
    assert check_history(server)


def ask_in_vain(client: httpx2.Client, body: dict[str, Any]) -> None:
    with suppress(httpx2.HTTPError, RuntimeError):
        client.post("/api/v1/purge", json=body)


def test_a_killed_purge_is_finished_by_asking_again(tmp_path: Path) -> None:
    with run_server(tmp_path / "memwiki") as server:
        checkout = serving.SHOP
        payload = read_payload("claude-code", "UserPromptSubmit", session_id="s1", prompt=WORDS)
        server.post_event("claude-code", "UserPromptSubmit", payload, checkout=checkout)
        server.post_event("claude-code", "SessionEnd", read_payload("claude-code", "SessionEnd", session_id="s1"))
        server.wait_for_page("s1")
        body = {"kind": "project", "name": "shop", "apply": True, "rewrite_history": True}
        asking = threading.Thread(target=ask_in_vain, args=(server.client, body))
        asking.start()
        wait_for(lambda: not (server.wiki / "main" / "shop").exists(), "it begins")
        server.kill()
        asking.join(30)
        server.start()
        again = server.client.post("/api/v1/purge", json=body)

        assert again.status_code in {200, 404}
        assert server.get("/api/v1/projects")["projects"] == []
        server.wait_until_committed()
        assert find_bytes(server.data_dir / "state", "zyxgranny") == []
