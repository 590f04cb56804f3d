"""A picture's nodes stand inside it, and no name stands over another or over a dot."""

from itertools import combinations, pairwise

from app.domain.page import PagePath
from app.entrypoints.web import layout
from app.entrypoints.web.layout import HEIGHT, WIDTH, Dot
from app.index.graph import Edge, Node, Picture


def build_picture(size: int) -> Picture:
    names = [f"p{number}" for number in range(size)]
    nodes = tuple(Node(name, f"A page with the number {name}", "note", PagePath(f"{name}.md"), 2) for name in names)
    edges = [Edge(one, other, "link") for one, other in pairwise(names[: size // 2])]
    return Picture(nodes, (*edges, *(Edge("p0", name, "link") for name in names[size // 2 : -3])), 0)


def find_box(dot: Dot) -> tuple[float, float, float, float]:
    half, top = len(dot.label) * 5.8 / 2, dot.y + dot.radius + 1
    return dot.x - half, top, dot.x + half, top + 14


def is_apart(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[2] < other[0] or one[0] > other[2] or one[3] < other[1] or one[1] > other[3]


def test_all_nodes_stand_inside_and_apart() -> None:
    dots = layout.place_nodes(build_picture(80))

    assert len({(dot.x, dot.y) for dot in dots}) == 80
    assert all(0 <= dot.x <= WIDTH and 0 <= dot.y <= HEIGHT for dot in dots)
    assert layout.place_nodes(build_picture(80)) == dots


def test_no_name_stands_over_another_and_some_are_named() -> None:
    named = [find_box(dot) for dot in layout.place_nodes(build_picture(80)) if dot.is_named]

    assert len(named) > 10
    assert all(is_apart(one, other) for one, other in combinations(named, 2))


def test_an_empty_picture_and_one_dot_can_be_placed() -> None:
    assert layout.place_nodes(Picture((), (), 0)) == []
    (dot,) = layout.place_nodes(Picture((Node("p", "Alone", "note", PagePath("a.md"), 0),), (), 0))

    assert (dot.x, dot.is_named) == (WIDTH / 2, True)


def test_code_in_a_title_is_named_without_its_ticks() -> None:
    node = Node("a", "Make `pytest` pass", "note", PagePath("a.md"), 0)

    assert [dot.label for dot in layout.place_nodes(Picture((node,), (), 0))] == ["Make pytest pass"]
