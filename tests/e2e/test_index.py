"""The index may go at any time: it comes back by itself, says how far it is, and answers as before."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import pages, sessions
from tests.server import SERVE, Server, clean_environment, run_server, wait_for

pytestmark = pytest.mark.slow

PAGES, QUERIES = 300, pages.list_queries(200)


@pytest.fixture(scope="module")
def wiki_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server on some hundred pages that were there before it."""
    data_dir = tmp_path_factory.mktemp("pages") / "memory"
    pages.build_wiki(PAGES).write(data_dir / "wiki")
    with run_server(data_dir) as running:
        pages.wait_for_pages(running, PAGES)
        yield running


def show_status(server: Server) -> dict[str, object]:
    command = [*SERVE[:-1], SERVE[-1], "status", "--url", server.url, "--json"]
    done = subprocess.run(command, capture_output=True, timeout=30, env=clean_environment(), check=True)
    index: dict[str, object] = json.loads(done.stdout)["index"]
    return {name: index[name] for name in ("state", "pages", "done", "total")}


def test_a_deleted_index_file_comes_back_with_the_same_answers(wiki_server: Server) -> None:
    before = pages.ask_all(wiki_server, QUERIES)

    pages.delete_index(wiki_server)
    pages.wait_for_pages(wiki_server, PAGES)

    assert pages.ask_all(wiki_server, QUERIES) == before
    assert sum(bool(answer["hits"]) for answer in before.values()) > len(QUERIES) // 2
    assert show_status(wiki_server) == {"state": "ready", "pages": PAGES, "done": PAGES, "total": PAGES}


def test_searches_answer_all_the_time_while_the_index_is_gone(wiki_server: Server) -> None:
    before = pages.ask_all(wiki_server, QUERIES)

    for path in pages.find_index_files(wiki_server):
        path.unlink()

    seen = [wiki_server.get("/api/v1/search", q=query) for query in QUERIES]
    pages.wait_for_pages(wiki_server, PAGES)

    assert all(
        answer["hits"] or answer["degraded"]
        for answer, query in zip(seen, QUERIES, strict=True)
        if before[query]["hits"]
    )


def test_an_index_is_never_called_ready_before_it_is_complete(wiki_server: Server) -> None:
    assert wiki_server.client.post("/api/v1/reindex").status_code == 202

    seen = list(pages.list_progress(wiki_server))

    assert [found["state"] for found in seen[:-1]] == ["rebuilding"] * (len(seen) - 1)
    assert len(seen) > 1
    assert seen[-1]["pages"] == PAGES
    assert all(found["done"] <= found["total"] for found in seen)


def test_an_index_folder_deleted_while_stopped_comes_back_with_the_same_answers(wiki_server: Server) -> None:
    before = pages.ask_all(wiki_server, QUERIES)

    wiki_server.stop()
    shutil.rmtree(wiki_server.data_dir / "index")
    wiki_server.start()
    seen = list(pages.list_progress(wiki_server))

    assert seen[-1]["pages"] == PAGES
    assert pages.ask_all(wiki_server, QUERIES) == before


def test_a_kill_in_the_middle_of_a_rebuild_costs_nothing(wiki_server: Server) -> None:
    before = pages.ask_all(wiki_server, QUERIES)

    wiki_server.client.post("/api/v1/reindex")
    next(found for found in pages.list_progress(wiki_server) if found["done"] or found["state"] == "ready")
    wiki_server.kill()
    wiki_server.start()
    pages.wait_for_pages(wiki_server, PAGES)

    assert pages.ask_all(wiki_server, QUERIES) == before


def test_a_project_without_its_manifest_is_rebuilt_like_any_other(server: Server) -> None:
    pages.build_wiki(60).write(server.wiki)
    for event in sessions.build_session("one"):
        event.send(server)
    server.wait_for_page("one")
    pages.wait_for_pages(server, 64)
    known = server.get("/api/v1/projects")

    manifest = server.wiki / "main" / "shop" / "project.md"
    manifest.unlink()
    pages.wait_for_pages(server, 63)
    before = pages.ask_all(server, QUERIES[:50])
    pages.delete_index(server)
    pages.wait_for_pages(server, 63)
    # What sessions said is filled in again behind the pages.
    wait_for(lambda: pages.ask_all(server, QUERIES[:50]) == before, "the same answers")
    for event in sessions.build_session("two"):
        event.send(server)
    server.wait_for_page("two")

    assert server.get("/api/v1/projects") == known
    assert known["projects"][0]["id"] in manifest.read_text(encoding="utf-8")


def test_a_page_deleted_by_hand_stays_deleted(server: Server) -> None:
    pages.WikiText({"main/shop/notes/a.md": "# Heron\n", "main/shop/notes/b.md": "# Heron two\n"}).write(server.wiki)
    pages.wait_for_pages(server, 2)
    server.wait_until_committed()

    server.stop()
    (server.wiki / "main/shop/notes/a.md").unlink()
    server.start()
    server.client.post("/api/v1/reindex")
    pages.wait_for_pages(server, 1)
    server.wait_until_committed()

    assert pages.list_paths(server, "heron") == ["notes/b.md"]
    assert not Path(server.wiki, "main/shop/notes/a.md").exists()
