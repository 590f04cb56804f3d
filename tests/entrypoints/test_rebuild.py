"""Two hundred answers are the same after the index was deleted under a running server, which answers meanwhile."""

from pathlib import Path
from typing import Any

from tests.entrypoints import serving
from tests.entrypoints.serving import Server, new_name
from tests.index.builders import Prose

QUESTIONS = 200


def ask_all(server: Server, questions: list[str]) -> list[list[dict[str, Any]]]:
    return [server.read("/search", q=question, project="shop", why=True)["hits"] for question in questions]


def is_ready(server: Server) -> bool:
    index = server.client.get("/readyz").json()["index"]
    return bool(index["state"] == "ready" and index["pages"])


def test_answers_are_the_same_after_the_index_was_deleted(tmp_path: Path, template: Path) -> None:
    prose = Prose(7)
    with serving.serve(tmp_path / "memwiki", template=template) as running:
        running.ask(new_name(), "Look around.")
        for number in range(40):
            running.put(
                f"notes/{number}.md", {"body": prose.write(60), "title": " ".join(prose.pick(3))}, project="shop"
            )
        questions = [" ".join(prose.pick(3)) for _ in range(QUESTIONS)]
        before = ask_all(running, questions)

        rebuilds = running.runtime.watcher.stats.rebuilds
        for file in (running.folder / "index").iterdir():
            file.unlink()
        meanwhile = running.get("/search", q=questions[0], project="shop")
        serving.wait_for(lambda: running.runtime.watcher.stats.rebuilds > rebuilds, "a new index")
        serving.wait_for(lambda: is_ready(running), "all pages")

        assert meanwhile.status_code == 200
        assert any(before)
        assert ask_all(running, questions) == before
