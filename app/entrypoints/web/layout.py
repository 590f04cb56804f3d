"""Where the nodes of a picture stand and which of them are named: trees around hubs, worked out without a script."""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.limits_web import GRAPH_LABEL_CHARS_MAX
from app.entrypoints.web import wording
from app.index.graph import Node, Picture

WIDTH: Final = 960
HEIGHT: Final = 640
_REACH: Final = 0.94
# Neighbours on one step stand by turns nearer and farther.
_LANES: Final = 3
# About as wide and high as a letter of a label is drawn, in the picture's own units.
_LETTER: Final = 5.8
_LINE: Final = 14


@dataclass(frozen=True, slots=True)
class Dot:
    """A node with its place and size in the picture, in its own units, and whether there is room for its name."""

    node: Node
    x: float
    y: float
    radius: float
    label: str
    is_named: bool


def place_nodes(picture: Picture) -> list[Dot]:
    """Put the most connected node in the middle and around it what it leads to, each branch in a sector of its own."""
    trees = _grow_trees(picture.nodes, _list_neighbours(picture))
    angles, reaches = _share_circle(trees), _share_reach(trees)
    places: list[tuple[Node, float, float, float]] = []
    for node in picture.nodes:
        angle, reach = angles[node.key], _REACH * reaches[node.key]
        x = WIDTH / 2 * (1 + reach * math.cos(angle))
        y = HEIGHT / 2 * (1 + reach * math.sin(angle)) - _LINE / 2
        places.append((node, x, y, 4 + min(9.0, 1.4 * math.sqrt(node.degree))))
    return _name_dots(places)


def _name_dots(places: Sequence[tuple[Node, float, float, float]]) -> list[Dot]:
    """Name the most connected first, nobody over another's name or dot."""
    taken = [(x - radius, y - radius, x + radius, y + radius) for _, x, y, radius in places]
    dots: list[Dot] = []
    for node, x, y, radius in places:
        title = wording.tell_plainly(node.title)
        label = title if len(title) <= GRAPH_LABEL_CHARS_MAX else title[: GRAPH_LABEL_CHARS_MAX - 1].rstrip() + "…"
        box = _build_box(x, y + radius + 1, label)
        is_named = _is_free(box, taken)
        if is_named:
            taken.append(box)
        dots.append(Dot(node, round(x, 1), round(y, 1), round(radius, 1), label, is_named))
    return dots


def _list_neighbours(picture: Picture) -> dict[str, list[str]]:
    order = {node.key: number for number, node in enumerate(picture.nodes)}
    around: dict[str, list[str]] = {node.key: [] for node in picture.nodes}
    for edge in picture.edges:
        if edge.source in around and edge.target in around:
            around[edge.source].append(edge.target)
            around[edge.target].append(edge.source)
    return {key: sorted(set(near), key=order.__getitem__) for key, near in around.items()}


def _grow_trees(nodes: Sequence[Node], around: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, str]]:
    """Tell of each node how far it is from the middle and behind which other it stands; the first node is the middle.

    What nothing connects with the middle begins a branch of its own, one step out.
    """
    placed: dict[str, tuple[int, str]] = {}
    for number, start in enumerate(nodes):
        if start.key in placed:
            continue
        placed[start.key] = (min(number, 1), nodes[0].key if number else "")
        waiting = deque([start.key])
        while waiting:
            key = waiting.popleft()
            for near in around[key]:
                if near not in placed:
                    placed[near] = (placed[key][0] + 1, key)
                    waiting.append(near)
    return placed


def _share_circle(trees: Mapping[str, tuple[int, str]]) -> dict[str, float]:
    """Give each node an angle: the circle is shared among branches by how many ends they have."""
    children: dict[str, list[str]] = {}
    for key, (_, parent) in trees.items():
        children.setdefault(parent, []).append(key)
    ends: dict[str, int] = {}
    for key in sorted(trees, key=lambda key: -trees[key][0]):
        ends[key] = sum(ends[child] for child in children.get(key, ())) or 1
    angles: dict[str, float] = {}
    sectors = [(key, 0.0, 2 * math.pi) for key in children.get("", ())]
    while sectors:
        key, start, width = sectors.pop()
        angles[key] = start + width / 2
        for child in children.get(key, ()):
            share = width * ends[child] / ends[key]
            sectors.append((child, start, share))
            start += share
    return angles


def _share_reach(trees: Mapping[str, tuple[int, str]]) -> dict[str, float]:
    """Give each node its distance from the middle: each step out gets as much room as it has nodes."""
    steps: dict[int, list[str]] = {}
    for key, (level, _) in trees.items():
        steps.setdefault(level, []).append(key)
    reaches: dict[str, float] = {}
    for level in sorted(steps):
        inner = math.sqrt(len(reaches) / len(trees))
        outer = math.sqrt((len(reaches) + len(steps[level])) / len(trees))
        for number, key in enumerate(steps[level]):
            reaches[key] = inner + (outer - inner) * (number % _LANES + 0.5) / _LANES if level else 0.0
    return reaches


def _build_box(x: float, top: float, label: str) -> tuple[float, float, float, float]:
    half = len(label) * _LETTER / 2
    return (x - half, top, x + half, top + _LINE)


def _is_free(box: tuple[float, float, float, float], taken: Sequence[tuple[float, float, float, float]]) -> bool:
    left, top, right, bottom = box
    if left < 0 or right > WIDTH or bottom > HEIGHT:
        return False
    return all(right < one[0] or left > one[2] or bottom < one[1] or top > one[3] for one in taken)
