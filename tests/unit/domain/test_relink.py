"""Links that have to be written anew when pages move, and only those."""

import pytest

from app.domain import moving, relink
from app.domain.moving import Place
from app.domain.page import PagePath
from app.domain.relink import Relinking
from app.domain.scope import Scope

BARN, SHOP, FARM = Scope("main", "barn"), Scope("main", "shop"), Scope("farm", "barn")
OURS = ("notes/setup.md", "notes/yard.md", "a/deep/one.md")
THEIRS = ("notes/setup.md", "concepts/lexer.md")
RENAMED = {"notes/setup.md": "notes/setup-2.md"}


def build(target: Scope, *, is_merge: bool) -> Relinking:
    ours = [PagePath(path) for path in OURS]
    theirs = [PagePath(path) for path in THEIRS] if is_merge else []
    paths = RENAMED if is_merge else {}
    before = {BARN: relink.build_shelf(ours)} | ({target: relink.build_shelf(theirs)} if is_merge else {})
    after = {target: relink.build_shelf([*theirs, *(PagePath(paths.get(path, path)) for path in ours)])}
    return Relinking(BARN, target, before, after, {BARN: target}, paths)


def relink_from(path: str, text: str, target: Scope, *, is_merge: bool) -> str:
    was = Place(BARN, PagePath(path))
    how = build(target, is_merge=is_merge)
    return relink.relink_text(how, text, was, how.find_now(was))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[setup]]", "[[notes/setup-2]]"),
        ("[[notes/setup#top|here]]", "[[notes/setup-2#top|here]]"),
        ("[[barn:notes/setup]]", "[[notes/setup-2]]"),
        ("[it](setup.md#top)", "[it](setup-2.md#top)"),
        ('[it](./setup.md "Title")', '[it](setup-2.md "Title")'),
        ("[[shop:notes/setup]]", "[[shop:notes/setup]]"),
        ("[[yard]] and [[notes/new]]", "[[yard]] and [[notes/new]]"),
        ("`[[setup]]` and https://x/setup.md", "`[[setup]]` and https://x/setup.md"),
        ("```\n[[setup]]\n```\n[[setup]]", "```\n[[setup]]\n```\n[[notes/setup-2]]"),
        ("[[one]] [[setup]]\r\n", "[[one]] [[notes/setup-2]]\r\n"),
    ],
)
def test_a_merged_projects_links_lead_to_its_own_pages(text: str, expected: str) -> None:
    assert relink_from("notes/yard.md", text, SHOP, is_merge=True) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[shop:notes/setup]]", "[[main/shop:notes/setup]]"),
        ("[it](../../shop/notes/setup.md)", "[it](../../../main/shop/notes/setup.md)"),
        ("[[setup]] [it](setup.md) [[barn:notes/yard]]", "[[setup]] [it](setup.md) [[barn:notes/yard]]"),
        ("[[main/barn:notes/yard]]", "[[main/barn:notes/yard]]"),
    ],
)
def test_into_another_workspace_only_links_out_of_the_project_change(text: str, expected: str) -> None:
    assert relink_from("notes/yard.md", text, FARM, is_merge=False) == expected


def test_the_other_projects_bare_links_keep_their_page() -> None:
    how = relink.Relinking(
        BARN,
        SHOP,
        {BARN: relink.build_shelf([PagePath("x/lexer.md")]), SHOP: relink.build_shelf([PagePath("concepts/lexer.md")])},
        {SHOP: relink.build_shelf([PagePath("x/lexer.md"), PagePath("concepts/lexer.md")])},
        {BARN: SHOP},
    )
    own = Place(SHOP, PagePath("notes/a.md"))

    assert relink.relink_text(how, "[[lexer]]", own, own) == "[[concepts/lexer]]"


def test_values_of_the_frontmatter_are_links_too() -> None:
    how, was = build(SHOP, is_merge=True), Place(BARN, PagePath("notes/yard.md"))

    told = relink.relink_value(how, {"supersedes": ["notes/setup", "[[setup]]"], "n": 1}, was, how.find_now(was))

    assert told == {"supersedes": ["notes/setup-2", "[[notes/setup-2]]"], "n": 1}


def test_paths_that_are_taken_get_a_number() -> None:
    sources = ["index.md", "notes/Setup.md", "notes/setup-2.md", "pic.png", "project.md", "LICENSE"]
    taken = ["notes/setup.md", "pic.png", "notes/barn.md", "LICENSE"]

    assert moving.map_paths(sources, taken, "barn", {"index.md"}) == {
        "LICENSE": "LICENSE-2",
        "index.md": "",
        "notes/Setup.md": "notes/Setup-3.md",
        "pic.png": "pic-2.png",
        "project.md": "notes/barn-2.md",
    }
