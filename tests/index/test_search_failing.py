"""A stream that fails is named and the others answer; nothing left to answer is an error, never an empty list."""

import pytest

from app.domain.errors import IndexRebuilding, StoreUnreadable
from app.index.database import IndexDatabase, Progress
from tests.index import builders


def spoil(index: IndexDatabase, statement: str) -> None:
    index.write(lambda connection: connection.execute(statement))


@pytest.fixture
def small(index: IndexDatabase) -> IndexDatabase:
    builders.put(
        index,
        builders.make_page("notes/ssh.md", "It listens on 22.", title="SSH port"),
        builders.make_page("notes/other.md", "The SSH keys.", title="Keys"),
    )
    return index


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE page_text_data SET block = x'00'",
        "DELETE FROM page_text_data",
        "DROP TABLE page_text",
    ],
)
def test_with_the_full_text_index_damaged_titles_still_answer(small: IndexDatabase, statement: str) -> None:
    spoil(small, statement)

    answer = builders.ask(small, "which port does ssh use")

    assert [hit.path for hit in answer.hits] == ["notes/ssh.md"]
    assert answer.degraded == ("text",)
    assert not small.is_intact()


def test_with_the_titles_damaged_the_text_still_answers(small: IndexDatabase) -> None:
    spoil(small, "DROP TABLE name_terms")

    answer = builders.ask(small, "ssh")

    assert {hit.path for hit in answer.hits} == {"notes/ssh.md", "notes/other.md"}
    assert answer.degraded == ("names",)
    assert not small.is_intact()


def test_with_everything_damaged_the_search_fails_aloud(small: IndexDatabase) -> None:
    spoil(small, "DROP TABLE pages")

    with pytest.raises(StoreUnreadable):
        builders.ask(small, "ssh")


def test_with_everything_damaged_during_a_rebuild_the_search_says_to_come_again(small: IndexDatabase) -> None:
    spoil(small, "DROP TABLE pages")
    small.progress = Progress(3, 10)

    with pytest.raises(IndexRebuilding) as refused:
        builders.ask(small, "ssh")

    assert (refused.value.done, refused.value.total) == (3, 10)


def test_during_a_rebuild_what_is_there_answers_and_the_answer_says_so(small: IndexDatabase) -> None:
    small.progress = Progress(2, 10)

    answer = builders.ask(small, "ssh")

    assert len(answer.hits) == 2
    assert answer.degraded == ("index rebuilding (2 of 10)",)


def test_after_its_file_is_gone_the_index_answers_until_it_is_recreated(small: IndexDatabase) -> None:
    for path in small.path.parent.iterdir():
        path.unlink()

    assert len(builders.ask(small, "ssh").hits) == 2


def test_answers_after_a_recreation_and_rebuild_are_the_same(index: IndexDatabase) -> None:
    made = builders.fill(index, 300)
    queries = [page.title for page in made[:200]]
    before = [builders.ask(index, text, with_why=True) for text in queries]

    index.recreate()
    builders.put(index, *reversed(made))

    assert [builders.ask(index, text, with_why=True) for text in queries] == before
