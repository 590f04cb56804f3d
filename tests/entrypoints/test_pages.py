"""Pages over HTTP: paths, conflicts, history and what a broken page keeps."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.serving import Server, new_name, read_payload, wait_for


@pytest.fixture(scope="module")
def server(shared: Server) -> Server:
    """One server for all; each test has projects of its own."""
    return shared


@pytest.fixture
def wiki(server: Server) -> Path:
    """The folder of a project that no other test uses; a second one is beside it, with the same first page."""
    name = new_name("shop")
    for project in (name, f"{name}-other"):
        seen = {"cwd": f"/home/dev/{project}", "root": f"/home/dev/{project}"}
        prompt = read_payload("claude-code", "UserPromptSubmit", session_id=new_name(), cwd=seen["cwd"])
        server.hook("UserPromptSubmit", prompt, checkout=seen)
        server.put("notes/first.md", {"body": "first"}, project=project)
    return server.folder / "wiki" / "main" / name


def other_of(wiki: Path) -> str:
    return f"{wiki.name}-other"


def save(server: Server, project: str, path: str, body: str, **more: object) -> dict[str, Any]:
    answer = server.put(path, {"body": body, **more}, project=project)
    assert answer.status_code == 200, answer.text
    saved: dict[str, Any] = answer.json()
    return saved


def find(server: Server, words: str, project: str) -> list[str]:
    return [hit["path"] for hit in server.read("/search", q=words, project=project)["hits"]]


@pytest.mark.parametrize(
    "path", ["notes/v1..v2.md", "notes/a...b.md", "notes/über-größe.md", "notes/太郎.md", "notes/🚀.md"]
)
def test_a_name_with_dots_or_any_script_is_a_name(server: Server, wiki: Path, path: str) -> None:
    save(server, wiki.name, path, "hello")

    assert server.read(f"/pages/{path}", project=wiki.name)["body"].strip() == "hello"
    assert (wiki / path).is_file()


OUTSIDE = [
    "../../etc/passwd",
    "..%2f..%2fetc/passwd",
    "%2e%2e/x",
    "%252e%252e/x",
    "..%5c..%5cx",
    "/etc/passwd",
    "%2fetc/passwd",
    "a%00b",
    "notes/../../x",
    "notes/..%2fx",
    ".git/config",
    "notes/.hidden",
    "C:/x",
    "notes//x",
    "notes/CON",
    "notes/x./y",
    "notes/%01x",
    "",
]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("route", ["pages", "history", "backlinks"])
def test_a_path_that_leaves_the_project_is_refused(server: Server, wiki: Path, route: str, path: str) -> None:
    (wiki.parent / "x.md").write_text("outside", encoding="utf-8")

    status, body = server.send_raw("GET", f"/api/v1/{route}/{path}", f"project={wiki.name}")

    assert status == 422, body
    assert json.loads(body)["code"] == "unsafe_path"
    assert b"outside" not in body


@pytest.mark.parametrize("target", ["/etc", "missing"], ids=["exists", "missing"])
def test_a_path_through_a_link_is_refused_alike_whether_its_target_exists(
    server: Server, wiki: Path, tmp_path: Path, target: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "there.md").write_text("secret of elsewhere", encoding="utf-8")
    folder = tmp_path / "elsewhere" if target == "/etc" else tmp_path / "missing"
    (wiki / "linked").symlink_to(folder)

    read = server.get("/pages/linked/there.md", project=wiki.name)
    written = server.put("linked/there.md", {"body": "x"}, project=wiki.name)

    assert (read.status_code, read.json()["code"]) == (404, "page_not_found")
    assert (written.status_code, written.json()["code"]) == (422, "unsafe_path")
    assert (tmp_path / "elsewhere" / "there.md").read_text(encoding="utf-8") == "secret of elsewhere"


def test_a_linked_file_is_not_served(server: Server, wiki: Path) -> None:
    (wiki / "notes" / "host.md").symlink_to("/etc/hostname")

    answer = server.get("/pages/notes/host.md", project=wiki.name)

    assert answer.status_code in {404, 422}
    assert Path("/etc/hostname").read_text(encoding="utf-8").strip() not in answer.text.replace(str(wiki), "")


def test_a_folder_is_no_page(server: Server, wiki: Path) -> None:
    (wiki / "notes" / "folder.md").mkdir()

    assert server.get("/pages/notes/folder.md", project=wiki.name).status_code in {404, 422}
    assert server.put("notes/folder.md", {"body": "x"}, project=wiki.name).status_code in {409, 422}


def test_a_save_on_an_older_text_is_a_conflict_that_names_both(server: Server, wiki: Path) -> None:
    first = save(server, wiki.name, "notes/a.md", "one")
    second = save(server, wiki.name, "notes/a.md", "two", expected_hash=first["content_hash"])

    answer = server.put("notes/a.md", {"body": "three", "expected_hash": first["content_hash"]}, project=wiki.name)

    assert (answer.status_code, answer.json()["code"]) == (409, "page_changed")
    assert first["content_hash"] in answer.json()["detail"]
    assert second["content_hash"] in answer.json()["detail"]
    assert server.read("/pages/notes/a.md", project=wiki.name)["body"].strip() == "two"


def test_an_edit_by_hand_between_read_and_save_is_a_conflict(server: Server, wiki: Path) -> None:
    first = save(server, wiki.name, "notes/a.md", "one")
    (wiki / "notes" / "a.md").write_text("by hand\n", encoding="utf-8")

    answer = server.put("notes/a.md", {"body": "two", "expected_hash": first["content_hash"]}, project=wiki.name)

    assert (answer.status_code, answer.json()["code"]) == (409, "page_changed")
    assert (wiki / "notes" / "a.md").read_text(encoding="utf-8") == "by hand\n"


def test_a_page_that_exists_is_not_replaced_without_its_hash(server: Server, wiki: Path) -> None:
    save(server, wiki.name, "notes/a.md", "one")

    answer = server.put("notes/a.md", {"body": "two"}, project=wiki.name)

    assert (answer.status_code, answer.json()["code"]) == (409, "page_exists")


def test_a_change_of_a_page_that_is_gone_is_a_conflict(server: Server, wiki: Path) -> None:
    answer = server.put("notes/gone.md", {"body": "x", "expected_hash": "0" * 64}, project=wiki.name)

    assert (answer.status_code, answer.json()["code"]) == (409, "page_changed")


def test_the_same_text_again_is_no_change(server: Server, wiki: Path) -> None:
    first = save(server, wiki.name, "notes/a.md", "one", title="A", tags=["x"])
    commits = server.count_commits()

    again = save(server, wiki.name, "notes/a.md", "one", title="A", tags=["x"], expected_hash=first["content_hash"])

    assert again["content_hash"] == first["content_hash"]
    assert server.count_commits() == commits


def test_history_lists_the_revisions_and_each_can_be_read(server: Server, wiki: Path) -> None:
    # Long enough that git takes the page for no other one's copy.
    text = " ".join(f"{wiki.name}-{number}" for number in range(40))
    first = save(server, wiki.name, "notes/a.md", f"one {text}")
    server.count_commits()
    save(server, wiki.name, "notes/a.md", f"two {text}", expected_hash=first["content_hash"])
    server.count_commits()

    revisions = server.read("/history/notes/a.md", project=wiki.name)["revisions"]

    assert len(revisions) == 2
    bodies = [server.read("/pages/notes/a.md", project=wiki.name, revision=found["id"])["body"] for found in revisions]
    assert [body.split()[0] for body in bodies] == ["two", "one"]


@pytest.mark.parametrize("revision", ["HEAD", "main", "--help", "0" * 40, "HEAD:../../x", "abc", "-1", "@{0}"])
def test_a_revision_that_is_no_commit_looks_like_an_unknown_one(server: Server, wiki: Path, revision: str) -> None:
    answer = server.get("/pages/notes/first.md", project=wiki.name, revision=revision)

    assert (answer.status_code, answer.json()["code"]) == (404, "page_not_found")


def test_a_page_that_is_made_again_goes_on_with_its_history(server: Server, wiki: Path) -> None:
    text = " ".join(f"{wiki.name}-{number}" for number in range(40))
    first = save(server, wiki.name, "notes/a.md", f"one {text}")
    server.count_commits()

    deleted = server.client.delete(
        "/api/v1/pages/notes/a.md", params={"project": wiki.name, "expected_hash": first["content_hash"]}
    )
    server.count_commits()
    gone = server.get("/pages/notes/a.md", project=wiki.name)
    save(server, wiki.name, "notes/a.md", f"two {text}")
    server.count_commits()

    assert (deleted.status_code, gone.status_code) == (204, 404)
    assert len(server.read("/history/notes/a.md", project=wiki.name)["revisions"]) == 3


def test_a_page_that_changed_is_not_deleted(server: Server, wiki: Path) -> None:
    save(server, wiki.name, "notes/a.md", "one")

    answer = server.client.delete("/api/v1/pages/notes/a.md", params={"project": wiki.name, "expected_hash": "0" * 64})

    assert (answer.status_code, answer.json()["code"]) == (409, "page_changed")
    assert server.get("/pages/notes/a.md", project=wiki.name).status_code == 200


def test_the_same_path_in_another_project_is_never_touched(server: Server, wiki: Path) -> None:
    mine, other = (
        save(server, wiki.name, "notes/setup.md", "zebra"),
        save(server, other_of(wiki), "notes/setup.md", "zebra"),
    )
    before = server.read("/pages/notes/setup.md", project=other_of(wiki))

    changed = save(server, wiki.name, "notes/setup.md", "giraffe", expected_hash=mine["content_hash"])
    assert find(server, "zebra", other_of(wiki)) == ["notes/setup.md"]
    params = {"project": wiki.name, "expected_hash": changed["content_hash"]}
    server.client.delete("/api/v1/pages/notes/setup.md", params=params)
    assert find(server, "zebra", other_of(wiki)) == ["notes/setup.md"]
    save(server, wiki.name, "notes/setup.md", "okapi")

    assert server.read("/pages/notes/setup.md", project=other_of(wiki)) == before
    assert before["content_hash"] == other["content_hash"]
    assert find(server, "zebra", wiki.name) == []


BROKEN = {
    "value": "---\npath: C:\\x: y\ntitle: a: b\n---\nhello zebra\n",
    "star": "---\ntitle: *Italic*\n---\nhello zebra\n",
    "list": "---\ntags:\n- [[link]]x\n---\nhello zebra\n",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_page_with_broken_yaml_keeps_its_bytes(server: Server, wiki: Path, kind: str) -> None:
    place = wiki / "notes" / "broken.md"
    place.write_text(BROKEN[kind], encoding="utf-8")
    page = server.read("/pages/notes/broken.md", project=wiki.name)

    body = {"body": "new", "tags": ["x"], "expected_hash": page["content_hash"]}
    answer = server.put("notes/broken.md", body, project=wiki.name)

    assert page["findings"]
    assert (answer.status_code, answer.json()["code"]) == (409, "fields_unreadable")
    assert place.read_text(encoding="utf-8") == BROKEN[kind]


def test_a_page_from_an_editor_is_found_with_its_findings(server: Server, wiki: Path) -> None:
    (wiki / "notes" / "broken.md").write_text(BROKEN["star"], encoding="utf-8")

    wait_for(lambda: find(server, "hello zebra", wiki.name) == ["notes/broken.md"], "the page is found")


def test_unknown_fields_stay_through_a_change(server: Server, wiki: Path) -> None:
    first = save(
        server, wiki.name, "notes/a.md", "one", fields={"mood": "fine", "deep": {"list": [1, True, None, "x: y"]}}
    )

    second = save(server, wiki.name, "notes/a.md", "two", tags=["new"], expected_hash=first["content_hash"])

    assert (second["fields"]["mood"], second["fields"]["deep"]) == ("fine", {"list": [1, True, None, "x: y"]})


@pytest.mark.parametrize(
    "title",
    ['fix: "auth" #2 | @here %x', "- x", "? x", "!x", "&x", "a\tb", "a\nb", "🚀🚀", "x" * 300, "2024-06-01", "null",
     "yes", "Größe", "太郎", "[[x]]", "---", "'", "\u202eabc"],
)  # fmt: skip
def test_any_title_stays_one_line_of_text(server: Server, wiki: Path, title: str) -> None:
    saved = save(server, wiki.name, "notes/titled.md", "hello", title=title)

    page = server.read("/pages/notes/titled.md", project=wiki.name)
    assert isinstance(page["title"], str)
    assert "\n" not in page["title"]
    assert page["title"].startswith(" ".join(title.split())[:100])
    assert page["findings"] == []
    assert page["content_hash"] == saved["content_hash"]


@pytest.mark.parametrize(
    "fields",
    [
        {"x": 1e308 * 10},
        {"x": 10**400},
        {"x": "\ud800"},
        {"\ud800": "x"},
        {"x": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["deep"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]},
        {"x": "y" * 70_000},
        {"": "x"},
        {"a: b\n- c": "x"},
        {"id": ["not", "an", "id"], "kind": {"a": 1}, "title": 5, "tags": {"a": 1}},
        {"type": None},
    ],
    ids=["infinite", "huge", "half", "half name", "deep", "long", "no name", "odd name", "our own", "no type"],
)
def test_odd_fields_are_kept_or_refused_but_never_break_a_page(
    server: Server, wiki: Path, fields: dict[str, object]
) -> None:
    content = json.dumps({"body": "hello", "fields": fields}).encode()
    headers = {"content-type": "application/json"}
    answer = server.client.put(f"/api/v1/pages/notes/odd.md?project={wiki.name}", content=content, headers=headers)

    assert answer.status_code in {200, 400, 409, 413, 422}, answer.text
    if answer.status_code == 200:
        assert server.get("/pages/notes/odd.md", project=wiki.name).status_code == 200
        assert server.get("/recent", project=wiki.name).status_code == 200


@pytest.mark.parametrize("body", ["", " \n\t"])
def test_a_page_without_text_is_refused(server: Server, wiki: Path, body: str) -> None:
    answer = server.put("notes/a.md", {"body": body}, project=wiki.name)

    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_value")


def test_a_page_over_its_bound_is_too_large(server: Server, wiki: Path) -> None:
    answer = server.put("notes/a.md", {"body": "x" * (8 * 1024 * 1024 + 1)}, project=wiki.name)

    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


def test_backlinks_list_who_links_here(server: Server, wiki: Path) -> None:
    save(server, wiki.name, "notes/a.md", "See [[notes/first.md]].")

    found = server.read("/backlinks/notes/first.md", project=wiki.name)["pages"]

    assert [page["path"] for page in found] == ["notes/a.md"]


def test_recent_lists_the_last_change_first(server: Server, wiki: Path) -> None:
    save(server, wiki.name, "notes/a.md", "one")

    paths = [page["path"] for page in server.read("/recent", project=wiki.name)["pages"]]

    assert paths[0] == "notes/a.md"


@pytest.mark.parametrize(
    ("project", "status", "code"),
    [
        ("nowhere", 404, "project_not_found"),
        ("../x", 422, "invalid_name"),
        ("a/b/c", 422, "invalid_name"),
        ("", 422, "invalid_value"),
        ("*", 422, "invalid_value"),
    ],
)
def test_a_page_needs_one_known_project(server: Server, project: str, status: int, code: str) -> None:
    answer = server.get("/pages/notes/first.md", project=project)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
