"""Bringing a page or a project back to what it was at a revision."""

from tests.entrypoints.serving import Server, new_name
from tests.server import run_git


def begin(server: Server) -> None:
    """A project with one page in two revisions, and a later page."""
    server.ask(new_name(), "Look around.")
    first = server.put("notes/a.md", {"body": "# A\n\nFirst.\n"}, project="shop").json()
    server.settle()
    second = {"body": "# A\n\nSecond.\n", "expected_hash": first["content_hash"]}
    assert server.put("notes/a.md", second, project="shop").status_code == 200
    server.settle()
    server.put("notes/later.md", {"body": "# Later\n"}, project="shop")
    server.settle()


def find_first(server: Server) -> str:
    return run_git(server.folder / "wiki", "log", "--reverse", "--format=%H", "--", "main/shop/notes/a.md").split()[0]


def read(server: Server, path: str) -> str:
    text: str = server.read(f"/pages/{path}", project="shop")["text"]
    return text


def test_a_page_gets_the_text_of_a_revision_as_a_new_one(server: Server) -> None:
    begin(server)
    revision = find_first(server)

    answer = server.post("/restore", {"path": "notes/a.md", "revision": revision}, project="shop")
    server.settle()

    assert answer.json()["changed"] == ["notes/a.md"]
    assert "First." in read(server, "notes/a.md")
    assert len(run_git(server.folder / "wiki", "log", "--format=%H", "--", "main/shop/notes/a.md").split()) == 3


def test_a_deleted_page_comes_back(server: Server) -> None:
    begin(server)
    revision = find_first(server)
    (server.folder / "wiki" / "main" / "shop" / "notes" / "a.md").unlink()

    server.post("/restore", {"path": "notes/a.md", "revision": revision}, project="shop")

    assert "First." in read(server, "notes/a.md")


def test_a_project_is_shown_first_and_later_pages_stay(server: Server) -> None:
    begin(server)
    revision = find_first(server)

    plan = server.post("/restore", {"revision": revision}, project="shop").json()
    assert "Second." in read(server, "notes/a.md")
    done = server.post("/restore", {"revision": revision, "apply": True}, project="shop").json()

    assert (plan["applied"], done["applied"]) == (False, True)
    assert plan["changed"] == done["changed"] == ["notes/a.md"]
    assert done["later"] == ["notes/later.md"]
    assert "First." in read(server, "notes/a.md")
    assert "Later" in read(server, "notes/later.md")


def test_an_unknown_revision_or_page_is_not_found(server: Server) -> None:
    begin(server)

    for body in (
        {"path": "notes/a.md", "revision": "f" * 40},
        {"revision": "--all"},
        {"path": "no.md", "revision": "HEAD"},
    ):
        assert server.post("/restore", body, project="shop").status_code == 404
