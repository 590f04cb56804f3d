"""The picture of a project holds what many pages lead to, of one kind or around one page where asked."""

import pytest

from app.domain.page import PageKind
from app.index import graph
from app.index.database import IndexDatabase
from app.index.graph import Picture, PictureWish
from tests.index import builders
from tests.index.builders import HOME, OTHER


@pytest.fixture
def wiki(index: IndexDatabase) -> IndexDatabase:
    """Sixty sessions that lead to one of three lessons, some about a file, and another project that leads here."""
    sessions = [
        builders.make_page(
            f"sessions/s{number:02d}.md",
            f"[[lesson-{number % 3}]]",
            kind=PageKind.SESSION,
            entities=["file:tax.py"] if number % 2 else [],
        )
        for number in range(60)
    ]
    lessons = [builders.make_page(f"gotchas/lesson-{name}.md", kind=PageKind.GOTCHA) for name in "012"]
    alone = builders.make_page("notes/alone.md")
    guests = [builders.make_page(f"g{name}.md", "[[main/home:notes/alone]]", scope=OTHER) for name in range(9)]
    builders.put(index, *sessions, *lessons, alone, *guests)
    return index


def draw(index: IndexDatabase, wish: PictureWish | None = None, nodes_max: int = 100) -> Picture:
    return index.read(lambda connection: graph.build_picture(connection, HOME, wish or PictureWish(), nodes_max, 400))


def test_what_most_pages_lead_to_comes_first_and_lonely_pages_make_room(wiki: IndexDatabase) -> None:
    picture = draw(wiki)

    assert {node.path for node in picture.nodes[:4] if node.path} >= {"gotchas/lesson-1.md", "gotchas/lesson-2.md"}
    assert "notes/alone.md" not in {node.path for node in picture.nodes}
    assert picture.omitted == 1


def test_a_picture_is_bounded_and_says_how_much_it_leaves_out(wiki: IndexDatabase) -> None:
    picture = draw(wiki, nodes_max=12)

    pages = [node for node in picture.nodes if node.path]
    assert len(pages) <= 12
    assert picture.omitted == 64 - len(pages)
    keys = {node.key for node in picture.nodes}
    assert all(edge.source in keys and edge.target in keys for edge in picture.edges)


def test_a_kind_shows_its_pages_and_those_that_lead_there(wiki: IndexDatabase) -> None:
    kinds = {node.kind for node in draw(wiki, PictureWish("gotcha"), 12).nodes if node.path}
    things = [node.title for node in draw(wiki, PictureWish("file"), 12).nodes if not node.path]

    assert kinds == {"gotcha", "session"}
    assert things == ["tax.py"]
    assert draw(wiki, PictureWish("decision")) == Picture((), (), 64)


def test_around_a_page_stand_its_neighbours_alone(wiki: IndexDatabase) -> None:
    picture = draw(wiki, PictureWish(page="sessions/s04.md"))

    assert {node.path for node in picture.nodes} == {"sessions/s04.md", "gotchas/lesson-1.md"}
    assert draw(wiki, PictureWish(page="notes/none.md")).nodes == ()


def test_links_of_another_project_say_nothing_here(wiki: IndexDatabase) -> None:
    before = draw(wiki, nodes_max=12)

    builders.put(wiki, *(builders.make_page(f"h{n}.md", "[[main/home:sessions/s00]]", scope=OTHER) for n in range(30)))

    assert draw(wiki, nodes_max=12) == before


def test_what_the_index_holds_has_a_number_until_it_changes(wiki: IndexDatabase) -> None:
    first = wiki.find_epoch()

    assert wiki.find_epoch() == first
    builders.put(wiki, builders.make_page("notes/new.md"))
    assert wiki.find_epoch() != first
