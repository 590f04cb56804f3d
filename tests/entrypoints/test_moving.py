"""Projects that get another name or become part of another: what goes along, and what still leads there."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import DiskRefused
from app.index import build
from app.state import moves
from app.upkeep import moving
from app.wiki import folders
from tests.entrypoints import rights, serving
from tests.entrypoints.serving import SHOP, Server, new_name, read_payload, serve
from tests.server import run_git

BARN = {"cwd": "/home/dev/barn", "root": "/home/dev/barn", "remote": "https://github.com/example/barn.git"}


def work(server: Server, words: str = "the lexer", checkout: dict[str, str] | None = None) -> str:
    """Have a session do something, and wait for its page."""
    session = new_name()
    for event, changes in (
        ("SessionStart.startup", {}),
        ("UserPromptSubmit", {"prompt": f"Fix {words}.", "prompt_id": new_name("p")}),
        ("PostToolUse.shell", {"tool_use_id": new_name("t"), "tool_input": {"command": f"make {words}"}}),
        ("SessionEnd", {}),
    ):
        payload = read_payload("claude-code", event, session_id=session, **changes)
        server.hook(event.partition(".")[0], payload, checkout=checkout)
    server.settle()
    return session


def move(server: Server, action: str, *, dry_run: bool = False, status: int = 200, **body: str) -> dict[str, Any]:
    answer = server.post(f"/projects/{action}", {**body, "apply": not dry_run})
    assert answer.status_code == status, answer.text
    server.settle()
    found: dict[str, Any] = answer.json()
    return found


def check_sound(server: Server) -> str:
    """Check that git, its staging, the disk and the index agree; gives what commits say."""
    wiki = server.folder / "wiki"
    assert run_git(wiki, "status", "--porcelain", "--untracked-files=all") == ""
    assert run_git(wiki, "fsck", "--strict", "--no-dangling") == ""
    pages = {str(path.relative_to(wiki)) for path in wiki.glob("*/*/**/*.md")}
    indexed = server.runtime.index.read(build.list_stamps)
    assert {f"{scope}/{path}" for scope, path in indexed} == pages
    assert server.runtime.engine.read(moves.list_moves) == []
    return run_git(wiki, "log", "--format=%s%n%b")


def list_links(server: Server, project: str, path: str) -> list[str]:
    """List where a page's links lead now."""
    rows = server.read(f"/related/{path}", project=project)["links"]
    return [f"{row['project'].removeprefix('main/')}:{row['path']}" for row in rows]


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Path:
    """The folder of two projects whose pages lead to each other, both with a page of one path."""
    folder = tmp_path_factory.mktemp("farm") / "memwiki"
    setup = "# Setup of the shop\n\nSee [[notes/other]].\n"
    other = "# Other\n\nBack to [[setup]] and [it](setup.md#top).\n"
    yard = "# Yard\n\nIn [[shop:notes/setup|the shop]] and [[setup]].\n"
    with serve(folder, template=template) as server:
        work(server, checkout=SHOP)
        work(server, "the gate", checkout=BARN)
        for path, project, body in (
            ("notes/setup.md", "shop", setup),
            ("notes/other.md", "shop", other),
            ("notes/setup.md", "barn", "# Setup of the barn\n"),
            ("notes/yard.md", "barn", yard),
        ):
            server.put(path, {"body": body}, project=project)
        server.settle()
    (folder / "server.lock").unlink(missing_ok=True)
    return folder


@pytest.fixture
def two(farm: Path, tmp_path: Path) -> Iterator[Server]:
    """A server on a copy of that folder."""
    with serve(tmp_path / "memwiki", template=farm) as server:
        yield server


def test_a_renamed_project_is_found_by_both_names(server: Server) -> None:
    session = work(server)
    server.put("notes/a.md", {"body": "# A quince\n\nWords.\n"}, project="shop")
    server.settle()

    done = move(server, "rename", project="shop", name="store")

    assert (done["applied"], done["to"], done["moves"]["sessions"]) == (True, "main/store", 1)
    assert not (server.folder / "wiki" / "main" / "shop").exists()
    assert server.read("/pages/notes/a.md", project="store")["title"] == "A quince"
    assert server.read("/pages/notes/a.md", project="shop")["project"] == "main/store"
    assert server.session(session)["project"] == "main/store"
    assert {hit["project"] for hit in server.read("/search", q="quince", project="*")["hits"]} == {"main/store"}
    assert server.read("/search", q="lexer", project="store", grain="observations")["hits"] != []
    [project] = server.read("/projects")["projects"]
    assert (project["name"], project["aliases"]) == ("main/store", ["shop"])
    manifest = server.read("/pages/project.md", project="store")["text"]
    assert "# store" in manifest
    assert "title: store" in manifest
    assert "Memwiki-Move: main/shop:main/store" in check_sound(server)


def test_a_former_name_still_captures_and_history_goes_on(server: Server) -> None:
    work(server)
    server.put("notes/a.md", {"body": "# A\n\nFirst.\n"}, project="shop")
    move(server, "rename", project="shop", name="store")
    move(server, "rename", project="store", name="shop")

    later = work(server, "the gate")
    server.hook("Stop", read_payload("claude-code", "Stop", session_id=later))
    marked = {"cwd": "/home/dev/x", "root": "/home/dev/x", "marker_project": "store", "marker_workspace": "main"}
    by_marker = work(server, "the roof", checkout=marked)

    assert {server.session(name)["project"] for name in (later, by_marker)} == {"main/shop"}
    subjects = [each["message"] for each in server.read("/history/notes/a.md", project="shop")["revisions"]]
    assert subjects[-1] == "Add notes/a.md"
    assert len(subjects) == 3
    assert len(server.read("/projects")["projects"]) == 1


def test_links_to_a_renamed_project_lead_on(two: Server) -> None:
    move(two, "rename", project="shop", name="store")

    assert list_links(two, "barn", "notes/yard.md") == ["store:notes/setup.md", "barn:notes/setup.md"]
    assert "[[shop:notes/setup|the shop]]" in two.read("/pages/notes/yard.md", project="barn")["text"]
    leading = two.read("/backlinks/notes/setup.md", project="store")["pages"]
    assert ("main/barn", "notes/yard.md") in [(row["project"], row["path"]) for row in leading]
    two.post("/reindex")
    serving.wait_for(lambda: two.runtime.index.progress is None and two.read("/status"), "the index is made anew")
    assert list_links(two, "barn", "notes/yard.md")[0] == "store:notes/setup.md"


def test_a_project_takes_its_links_into_another_workspace(two: Server) -> None:
    done = move(two, "move", project="barn", workspace="farm")

    assert done["rewritten"] == ["farm/barn:notes/yard.md"]
    text = two.read("/pages/notes/yard.md", project="farm/barn")["text"]
    assert "In [[main/shop:notes/setup|the shop]] and [[setup]]." in text
    assert two.read("/pages/notes/yard.md", project="main/barn")["project"] == "farm/barn"
    check_sound(two)


def test_merging_keeps_both_pages_and_every_link(two: Server) -> None:
    plan = move(two, "merge", dry_run=True, project="barn", into="shop")
    assert two.read("/pages/notes/setup.md", project="barn")["project"] == "main/barn"

    done = move(two, "merge", project="barn", into="shop", plan=plan["plan"])

    assert done["renamed"] == plan["renamed"] == {"notes/setup.md": "notes/setup-2.md"}
    assert [path for path in done["dropped"] if not path.startswith("log/")] == ["index.md", "project.md"]
    assert two.read("/pages/notes/setup.md", project="shop")["title"] == "Setup of the shop"
    assert two.read("/pages/notes/setup-2.md", project="shop")["title"] == "Setup of the barn"
    text = two.read("/pages/notes/yard.md", project="shop")["text"]
    assert "In [[shop:notes/setup|the shop]] and [[notes/setup-2]]." in text
    assert list_links(two, "shop", "notes/yard.md") == ["shop:notes/setup.md", "shop:notes/setup-2.md"]
    assert two.read("/pages/notes/setup.md", project="barn")["path"] == "notes/setup-2.md"
    assert len(two.read("/sessions", project="shop")["sessions"]) == 2
    assert two.read("/search", q="gate", project="shop", grain="observations")["hits"] != []
    assert not (two.folder / "wiki" / "main" / "barn").exists()
    check_sound(two)


def test_addresses_of_before_lead_on(two: Server) -> None:
    move(two, "merge", project="barn", into="shop")

    def find(place: str) -> str:
        answer = two.client.get(place, follow_redirects=False)
        assert answer.status_code == 308
        return answer.headers["location"]

    assert find("/p/main/barn/page/notes/setup.md?at=1") == "/p/main/shop/page/notes/setup-2.md?at=1"
    assert find("/p/main/barn/history/notes/yard.md") == "/p/main/shop/history/notes/yard.md"
    assert find("/p/main/barn/") == "/p/main/shop/"


def test_what_a_merged_project_had_is_the_others(two: Server) -> None:
    offered = two.post("/handoffs", {"summary": "Half of the gate."}, project="barn").json()
    two.post("/messages", {"to_project": "barn", "body": "Close it."}, project="shop")
    two.post("/feedback", {"path": "notes/setup.md", "verdict": "helpful"}, project="barn")
    session = two.read("/sessions", project="barn")["sessions"][0]["id"]

    move(two, "merge", project="barn", into="shop")
    late = two.hook("Stop", read_payload("claude-code", "Stop", session_id=new_name()), checkout=BARN)

    assert late.status_code == 202
    assert two.read(f"/handoffs/{offered['id']}")["project"] == "main/shop"
    assert len(two.read("/messages", project="shop")["messages"]) == 1
    assert two.session(session)["project"] == "main/shop"
    said = two.read("/feedback", project="shop")["feedback"]
    assert [each["path"] for each in said] == ["notes/setup-2.md"]
    assert two.read("/where", project="barn")["project"]["name"] == "main/shop"
    [row] = [each for each in two.read("/audit")["entries"] if each["action"] == "project.merge"]
    assert (row["before"], row["after"]) == ("main/barn", "main/shop")
    assert row["request"] != ""


def list_conflicts(server: Server, action: str, **body: str) -> list[tuple[str, str]]:
    """List what is in the way, and check that trying moves nothing."""
    before = sorted(str(path) for path in (server.folder / "wiki").rglob("*.md"))
    plan = move(server, action, dry_run=True, **body)
    refused = move(server, action, status=409, **body)
    assert refused["code"] == "move_conflicts"
    assert sorted(str(path) for path in (server.folder / "wiki").rglob("*.md")) == before
    assert server.runtime.engine.read(moves.list_moves) == []
    return [(each["kind"], each["subject"]) for each in plan["conflicts"]]


def test_what_is_in_the_way_of_a_name_is_listed_and_nothing_moves(two: Server) -> None:
    (two.folder / "wiki" / "main" / "stall").mkdir()
    (two.folder / "wiki" / "main" / "stall" / "old.txt").write_text("x", encoding="utf-8")

    assert list_conflicts(two, "rename", project="shop", name="barn")[0] == ("name_taken", "main/barn")
    assert list_conflicts(two, "rename", project="shop", name="BARN")[0] == ("name_taken", "main/BARN")
    assert list_conflicts(two, "rename", project="shop", name="shop") == [("same_project", "main/shop")]
    assert list_conflicts(two, "rename", project="shop", name="stall") == [("folder_taken", "wiki/main/stall")]
    assert list_conflicts(two, "merge", project="shop", into="shop") == [("same_project", "main/shop")]
    move(two, "rename", project="barn", name="shed")
    assert list_conflicts(two, "rename", project="shop", name="barn") == [("name_taken", "main/barn")]


def test_running_claims_and_pages_that_somebody_edits_are_in_the_way(two: Server) -> None:
    offered = two.offer()
    two.post(f"/handoffs/{offered['id']}/claim", {"session_id": ""})
    held = ("claim_running", f"handoff {offered['id']}")
    assert held in list_conflicts(two, "rename", project="shop", name="store")
    assert held in list_conflicts(two, "merge", project="barn", into="shop")
    two.post(f"/handoffs/{offered['id']}/cancel", {})

    two.runtime.watcher.stop(10)
    page = two.folder / "wiki" / "main" / "shop" / "notes" / "setup.md"
    page.write_text("# Edited by hand\n", encoding="utf-8")

    assert list_conflicts(two, "rename", project="shop", name="store") == [("page_edited", "main/shop:notes/setup.md")]


def test_projects_that_others_may_read_are_not_merged_into_hidden_ones(two: Server) -> None:
    two.post("/projects/restrict", project="barn")
    assert list_conflicts(two, "merge", project="barn", into="shop") == [("rights_differ", "main/barn")]
    two.post("/projects/open", project="barn")
    two.post("/projects/archive", project="shop")
    assert list_conflicts(two, "merge", project="barn", into="shop") == [("only_read", "main/shop")]


@pytest.mark.parametrize("query", [{}, {"dry_run": "true"}], ids=["not asked", "by its former word"])
def test_without_being_told_to_nothing_is_moved(two: Server, query: dict[str, str]) -> None:
    body = {"project": "barn", "into": "shop", "apply": bool(query)}

    told = two.post("/projects/merge", body, **query).json()

    assert told["applied"] is False
    assert two.read("/pages/notes/setup.md", project="barn")["project"] == "main/barn"
    assert not [row for row in two.read("/audit")["entries"] if "merge" in row["action"] + row["detail"]]


def test_a_plan_that_is_not_what_was_shown_moves_nothing(two: Server) -> None:
    plan = move(two, "merge", dry_run=True, project="barn", into="shop")
    two.put("notes/late.md", {"body": "# Late\n"}, project="barn")

    assert move(two, "merge", status=409, project="barn", into="shop", plan=plan["plan"])["code"] == "plan_outdated"
    assert two.read("/pages/notes/late.md", project="barn")["project"] == "main/barn"


def test_whoever_may_not_know_of_a_project_is_not_led_to_it(server: Server) -> None:
    world = rights.build_world(server)

    def look(role: str, place: str) -> int:
        return server.client.get(place, headers=world.header(role), follow_redirects=False).status_code

    done = server.client.post(
        "/api/v1/projects/rename",
        json={"project": "hold", "name": "keep", "apply": True},
        headers=world.header("admin"),
    )

    assert done.status_code == 200, done.text
    places = ("/p/main/hold/page/notes/secret.md", "/p/main/keep/page/notes/secret.md")
    assert [look("reader", place) for place in places] == [308, 200]
    assert [look("member", place) for place in places] == [404, 404]


@pytest.mark.parametrize(
    ("action", "step"),
    [
        ("move", "_store"),
        ("move", "_rewrite"),
        *(("merge", step) for step in ("_move_files", "_store", "_index", "_rewrite", "_renew_own_pages")),
    ],
)
def test_a_move_that_was_cut_short_is_finished_at_the_next_start(
    two: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str, step: str
) -> None:
    real = getattr(moving, step)

    def stop(*given: Any, **named: Any) -> None:  # noqa: ANN401 - what the step takes
        # Rows are tried before it is written down that anything began.
        if step != "_store" or moves.list_moves(given[0]):
            raise KeyError(step)
        real(*given, **named)

    with monkeypatch.context() as patched, suppress(KeyError):
        patched.setattr(moving, step, stop)
        body = {"project": "barn", "into": "shop"} if action == "merge" else {"project": "barn", "workspace": "farm"}
        two.post(f"/projects/{action}", {**body, "apply": True})
    copy = tmp_path / "copy"
    serving.copy_as_killed(two.folder, copy)

    with serve(copy) as again:
        again.settle()
        serving.wait_for(lambda: again.runtime.index.progress is None, "the index is whole")
        name = "main/shop" if action == "merge" else "farm/barn"
        assert again.read("/pages/notes/yard.md", project="barn")["project"] == name
        found = list_links(again, "barn", "notes/yard.md")
        assert found[0] == "shop:notes/setup.md"
        assert found[1].endswith("notes/setup-2.md" if action == "merge" else "barn:notes/setup.md")
        check_sound(again)


def test_earlier_texts_are_read_and_restored_under_the_present_name(two: Server) -> None:
    before = two.read("/pages/notes/other.md", project="shop")
    body = {"body": "# Other\n\nChanged.\n", "expected_hash": before["content_hash"]}
    assert two.put("notes/other.md", body, project="shop").status_code == 200
    move(two, "rename", project="shop", name="store")

    first = two.read("/history/notes/other.md", project="store")["revisions"][-1]["id"]

    assert "Back to [[setup]]" in two.read("/pages/notes/other.md", project="store", revision=first)["text"]
    shown = two.client.get(f"/p/main/store/page/notes/other.md?at={first}")
    assert shown.status_code == 200
    assert "Add notes/other.md" in two.client.get("/p/main/store/timeline").text
    plan = two.post("/restore", {"revision": first}, project="store").json()
    assert "notes/other.md" in plan["changed"]
    back = two.post("/restore", {"path": "notes/other.md", "revision": first}, project="store")
    assert back.json()["changed"] == ["notes/other.md"]
    assert "Back to [[setup]]" in two.read("/pages/notes/other.md", project="store")["text"]


def test_a_move_that_a_disk_refused_goes_on_when_it_is_asked_for_again(
    two: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise DiskRefused("main/shop", "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(folders, "remove_empty", refuse)
        assert move(two, "merge", status=507, project="barn", into="shop")["code"] == "disk_refused"
    assert [problem for problem in two.read("/status")["problems"] if "main/barn has not become main/shop" in problem]

    again = move(two, "merge", status=409, project="barn", into="shop")

    assert [each in again["detail"] for each in ("main/shop", "the same project")] == [True, True]
    assert two.read("/pages/notes/setup.md", project="barn")["path"] == "notes/setup-2.md"
    assert "has not become" not in str(two.read("/status")["problems"])
    check_sound(two)


def test_rows_that_refuse_are_asked_before_a_file_moves(two: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise KeyError("rows")

    with monkeypatch.context() as patched, suppress(KeyError):
        patched.setattr(moving, "_store", refuse)
        two.post("/projects/merge", {"project": "barn", "into": "shop", "apply": True})

    assert two.read("/pages/notes/setup.md", project="barn")["project"] == "main/barn"
    assert two.runtime.engine.read(moves.list_moves) == []
