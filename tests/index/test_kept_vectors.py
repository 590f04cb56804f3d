"""Vectors outlive the index that they stood in, and go with the text that they were made of."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.index import tidying, vectors
from app.index.database import IndexDatabase
from app.index.kept_vectors import KeptVectors
from app.index.meaning import Meaning
from tests.fakes import FakeEmbedder
from tests.index import builders
from tests.index.builders import HOME, OTHER
from tests.index.test_meaning import ask, learn, open_meaning, paths
from tests.index.test_observations import hear, say


def fill(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres in spring."))
    builders.put(index, builders.make_page("notes/cars.md", "The automobile is red.\n" * 200))
    hear(index, "s1", say(1, "Put it into the tables please"))


def delete(index: IndexDatabase, folder: Path) -> IndexDatabase:
    index.close()
    for file in folder.glob("index-v*"):
        file.unlink()
    opened = IndexDatabase(folder)
    opened.open()
    return opened


@pytest.mark.parametrize("lose", [lambda index, _: index, delete], ids=["recreated", "deleted"])
def test_no_text_is_embedded_twice_though_the_index_is_made_anew(
    tmp_path: Path, lose: Callable[[IndexDatabase, Path], IndexDatabase]
) -> None:
    folder = tmp_path / "index"
    index = IndexDatabase(folder)
    index.open()
    fill(index)
    before = paths(index, learn(index), "relational database vehicle")
    index.recreate()
    index = lose(index, folder)
    fill(index)
    second = FakeEmbedder()

    meaning = learn(index, second)

    assert second.texts == []
    assert meaning.stats.done == meaning.stats.total
    assert paths(index, meaning, "relational database vehicle") == before
    index.close()


def test_a_page_that_moves_to_another_project_takes_its_vectors_along(index: IndexDatabase) -> None:
    fill(index)
    learn(index)
    builders.remove(index, "notes/store.md")
    builders.put(index, builders.make_page("old/store.md", "We chose Postgres in spring.", scope=OTHER))
    second = FakeEmbedder()

    found = ask(index, learn(index, second), "relational", scopes=frozenset({OTHER}))

    assert [hit.path for hit in found.hits] == ["old/store.md"]
    assert second.texts == ["relational"]


def test_another_model_and_another_text_have_nothing_kept(index: IndexDatabase) -> None:
    fill(index)
    learn(index)
    embedded = vectors_of(index)
    other, same = FakeEmbedder("fake", "2"), FakeEmbedder()

    learn(index, other)
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres in autumn."))
    learn(index, same)

    assert len(other.texts) == embedded
    assert same.texts == ["store\nWe chose Postgres in autumn."]


def vectors_of(index: IndexDatabase) -> int:
    return len(index.read(lambda connection: list(vectors.walk_texts(connection))))


def test_a_file_that_is_damaged_is_begun_anew(index: IndexDatabase) -> None:
    fill(index)
    learn(index)
    index.kept.close()
    index.kept.path.write_bytes(b"no database" * 1000)
    index.recreate()
    fill(index)
    second, third = FakeEmbedder(), FakeEmbedder()

    learn(index, second)
    index.recreate()
    fill(index)
    learn(index, third)

    assert len(second.texts) == vectors_of(index)
    assert third.texts == []


def test_nothing_of_a_text_that_is_gone_is_left_once_it_is_tidied(index: IndexDatabase) -> None:
    fill(index)
    learn(index)
    texts = index.read(lambda connection: list(vectors.walk_texts(connection)))
    kept = index.kept.find(FakeEmbedder().name, texts)
    going = ["store\nWe chose Postgres in spring.", "Put it into the tables please"]
    builders.remove(index, "notes/store.md")
    index.write(lambda connection: connection.execute("DELETE FROM observations"))

    gone = tidying.tidy_kept(index)

    left = b"".join(file.read_bytes() for file in index.kept.path.parent.glob("kept*"))
    assert gone == len(going) == 2
    assert [kept[text] in left for text in texts] == [text not in going for text in texts]
    assert index.kept.find(FakeEmbedder().name, going) == {}


class Rewriting(FakeEmbedder):
    """A model during whose work the page is written anew, under the same number."""

    def __init__(self, index: IndexDatabase, body: str) -> None:
        super().__init__()
        self._index, self._body = index, body

    def embed(self, text: str) -> bytes:
        made = super().embed(text)
        if len(self.texts) == 1:
            if self._body:
                builders.put(self._index, builders.make_page("notes/store.md", self._body))
            else:
                builders.remove(self._index, "notes/store.md")
        return made


@pytest.mark.parametrize("body", ["The weather is fine.", ""], ids=["rewritten", "removed"])
def test_a_text_that_leaves_while_it_is_embedded_leaves_no_vector(index: IndexDatabase, body: str) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres in spring."))
    embedder = Rewriting(index, body)
    meaning = open_meaning(index, embedder)

    meaning.embed_waiting()
    first = index.kept.find(embedder.name, ["store\nWe chose Postgres in spring."])
    while meaning.embed_waiting():
        pass

    assert first == {}
    assert embedder.texts[1:] == ([f"store\n{body}"] if body else [])
    assert vectors_of(index) == bool(body)


def test_a_server_without_a_model_has_no_such_file(index: IndexDatabase) -> None:
    fill(index)

    assert tidying.tidy_kept(index) == 0
    assert not KeptVectors(index.path.parent).path.exists()
    assert Meaning(index).stats.done == 0
    assert builders.paths(index, "postgres", scopes=frozenset({HOME})) == ["notes/store.md"]
