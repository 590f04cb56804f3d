"""What pages say that they are about is in the index by kind and name, found by its name, and in the graph."""

from app.domain.limits_knowledge import PAGE_BYTES_ADVISED
from app.index import flaws, graph
from app.index.database import IndexDatabase
from app.index.graph import PictureWish
from tests.index import builders
from tests.index.builders import HOME, OTHER

ABOUT_TAX = ["file:shop/tax.py", "error:ValueError", "not a thing"]


def test_a_thing_that_two_pages_are_about_joins_them_in_the_picture(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("a.md", entities=ABOUT_TAX),
        builders.make_page("b.md", entities=["file:shop/tax.py"]),
        builders.make_page("c.md", scope=OTHER, entities=["error:ValueError"]),
    )

    picture = index.read(lambda connection: graph.build_picture(connection, HOME, PictureWish(), 10, 10))

    assert [(node.kind, node.title) for node in picture.nodes if not node.path] == [("file", "shop/tax.py")]
    assert [edge.relation for edge in picture.edges] == [graph.ABOUT, graph.ABOUT]


def test_a_page_is_found_by_what_it_is_about(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("a.md", "Nothing.", entities=ABOUT_TAX), builders.make_page("b.md", "Tea."))

    assert builders.paths(index, "shop/tax.py") == ["a.md"]


def test_flaws_are_those_of_the_project_that_was_asked_for(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("a.md", "[[none/here]] and [code](src/a.go)", title="Same", id="1"),
        builders.make_page("b.md", "[[a]]", title="Same", id="1"),
        builders.make_page("c.md", "[[nowhere]]", scope=OTHER),
    )

    broken = index.read(lambda connection: flaws.list_broken_links(connection, HOME, 10))
    twins = index.read(lambda connection: flaws.list_twins(connection, HOME, 10))

    assert [(link.path, link.target) for link in broken] == [("a.md", "none/here")]
    assert [(pair.path, pair.other, pair.of) for pair in twins] == [("a.md", "b.md", "id")]
    assert index.read(lambda connection: flaws.list_orphans(connection, HOME, 10)) == ["b.md"]


def test_a_page_is_large_from_one_byte_past_the_bound_on(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("a.md", "x" * PAGE_BYTES_ADVISED))
    builders.put(index, builders.make_page("b.md", "x" * (PAGE_BYTES_ADVISED + 1)))

    assert index.read(lambda connection: flaws.list_large(connection, HOME, 10)) == [("b.md", PAGE_BYTES_ADVISED + 1)]
