"""The grammar of links and where they lead."""

import time

import pytest

from app.domain.link import LinkTarget, list_links, parse_wikilink, resolve_link
from app.domain.page import Link, PagePath
from app.domain.scope import Scope

HERE = Scope("main", "app")
PAGE = PagePath("notes/deep/setup.md")


def test_wikilink_is_split_into_target_and_label() -> None:
    assert parse_wikilink("concepts/lexer#States|the lexer") == Link("concepts/lexer", "the lexer")


def test_links_are_collected_in_reading_order_without_code_and_web_addresses() -> None:
    text = """[[one]] and [two](two.md "t") and `[[not]]` and [web](https://x.org/a.md)
```
[[neither]]
```
![[one]] [three](<../three.md#part>) [[one]] [mail](mailto:a@b.c) [top](#here)
"""

    assert list_links(text) == (
        Link("one"),
        Link("two.md", "two", is_wiki=False),
        Link("../three.md", "three", is_wiki=False),
    )


@pytest.mark.parametrize(
    ("link", "target"),
    [
        (Link("concepts/lexer"), LinkTarget(HERE, PagePath("concepts/lexer.md"))),
        (Link("lexer"), LinkTarget(HERE, PagePath("lexer.md"), is_bare=True)),
        (Link("other:notes/x"), LinkTarget(Scope("main", "other"), PagePath("notes/x.md"))),
        (Link("team/other:notes/x"), LinkTarget(Scope("team", "other"), PagePath("notes/x.md"))),
        (Link("../top.md", is_wiki=False), LinkTarget(HERE, PagePath("notes/top.md"))),
        (Link("next", is_wiki=False), LinkTarget(HERE, PagePath("notes/deep/next.md"))),
        (Link("a%20b.md", is_wiki=False), LinkTarget(HERE, PagePath("notes/deep/a b.md"))),
        (Link("../../../other/notes/x.md", is_wiki=False), LinkTarget(Scope("main", "other"), PagePath("notes/x.md"))),
        (Link("./near"), LinkTarget(HERE, PagePath("notes/deep/near.md"))),
    ],
)
def test_link_leads_to_its_page(link: Link, target: LinkTarget) -> None:
    assert resolve_link(link, HERE, PAGE) == target


@pytest.mark.parametrize(
    "link",
    [
        Link("../../../../../../etc/passwd"),
        Link("../../../../x.md", is_wiki=False),
        Link("image.png", is_wiki=False),
        Link("folder/", is_wiki=False),
        Link("bad name!:x"),
        Link("a\x00b"),
        Link("%2e%2e/x"),
    ],
)
def test_link_that_leaves_the_wiki_or_names_no_page_leads_nowhere(link: Link) -> None:
    assert resolve_link(link, HERE, PAGE) is None


@pytest.mark.parametrize("unit", ["[[", "[a](", "`", "[", "[[a|", "]("])
def test_hostile_line_is_read_in_bounded_time(unit: str) -> None:
    started = time.perf_counter()

    list_links(unit * (200_000 // len(unit)))

    assert time.perf_counter() - started < 5
