"""Bytes become a page, whatever they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.limits import INDEXED_TEXT_CHARS_MAX, TITLE_CHARS_MAX
from app.domain.page import Link, PageKind, PagePath
from app.domain.scope import Scope
from app.wiki.markdown import hash_content, is_same_title, parse_page, render_page, replace_body

HERE = Scope("main", "app")
NOTE = PagePath("notes/my-file.md")


def codes(raw: bytes, path: PagePath = NOTE) -> set[str]:
    return {finding.code for finding in parse_page(HERE, path, raw).findings}


@given(
    st.dictionaries(st.sampled_from(["title", "tags", "extra"]), st.one_of(st.text(), st.lists(st.text())), max_size=3),
    st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
)
def test_reading_a_written_page_gives_it_back(fields: dict[str, object], body: str) -> None:
    page = parse_page(HERE, NOTE, render_page(fields, body).encode("utf-8", "replace"))

    assert page.fields == fields
    assert page.body == body


@given(st.binary(max_size=300))
def test_any_bytes_are_a_page(raw: bytes) -> None:
    page = parse_page(HERE, NOTE, b"---\n" + raw)

    assert page.title
    assert page.content_hash == hash_content(b"---\n" + raw)


@pytest.mark.parametrize(
    ("block", "title"),
    [
        ("title: 2024-06-01", "2024-06-01"),
        ("title: 1458", "1458"),
        ("title: null", "First heading"),
        ('title: "None"', "None"),
        ("title: yes", "yes"),
        ("title: ", "First heading"),
        ("title: ''", "First heading"),
        ("title: [a, b]", "First heading"),
        ("other: x", "First heading"),
        ("title: '  two\n\n  lines '", "two lines"),
        ("title: " + "x" * 300, "x" * TITLE_CHARS_MAX),
    ],
)
def test_title_is_always_one_line_of_text(block: str, title: str) -> None:
    raw = f"---\n{block}\n---\n```\n# not this\n```\n# First heading #\n".encode()

    assert parse_page(HERE, NOTE, raw).title == title


def test_title_falls_back_to_the_file_name() -> None:
    assert parse_page(HERE, NOTE, b"plain text").title == "my-file"


@pytest.mark.parametrize(
    ("value", "tags"),
    [
        ("a, b", ("a", "b")),
        ("5", ("5",)),
        ("[1, true]", ("1", "true")),
        ("[a, a, '#b', null, [x]]", ("a", "b")),
        ("[two words]", ("two-words",)),
        ("null", ()),
        ("{a: b}", ()),
    ],
)
def test_tags_are_words_however_they_were_written(value: str, tags: tuple[str, ...]) -> None:
    assert parse_page(HERE, NOTE, f"---\ntags: {value}\n---\n".encode()).tags == tags


def test_second_document_is_body() -> None:
    page = parse_page(HERE, NOTE, b"---\ntitle: one\n---\n---\ntitle: two\n---\ntext\n")

    assert page.title == "one"
    assert page.body.startswith("---\ntitle: two")


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"---\npath: a: C:\\x\n---\nfind me\n", "frontmatter_unreadable"),
        (b"---\nA rule, then text: find me\n", "frontmatter_unclosed"),
        (b"---\ntext between rules\n---\nfind me\n", "frontmatter_unreadable"),
        (b"---\ntitle: *Italic*\n---\nfind me\n", "frontmatter_unreadable"),
        (b"---\n- [[link]]x\n---\nfind me\n", "frontmatter_unreadable"),
    ],
)
def test_page_with_a_broken_block_is_plain_text_with_a_finding(raw: bytes, code: str) -> None:
    page = parse_page(HERE, NOTE, raw)

    assert code in codes(raw)
    assert page.body == raw.decode()
    assert page.fields == {}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"\xef\xbb\xbf---\ntitle: T\n---\nfind me\n", "byte_order_mark"),
        (b"---\r\ntitle: T\r\n---\r\nfind me\r\n", "line_ends"),
        (b"---\ntitle: T\r\n---\nfind me\r\n", "line_ends"),
        (b"---\ntitle: T\n---\nfind me caf\xe9\n", "not_utf8"),
        (b"---\ntitle: T\n---\nfind me \x00\n", "nul_bytes"),
        ("\ufeff---\ntitle: T\n---\nfind me\n".encode("utf-16-le"), "not_utf8"),
        ("\ufeff---\ntitle: T\n---\nfind me\n".encode("utf-16-be"), "not_utf8"),
        (b"---\ntitle: T\n---\nfind me\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "merge_conflict"),
    ],
    ids=["bom", "crlf", "mixed", "latin1", "nul", "utf16le", "utf16be", "conflict"],
)
def test_odd_bytes_are_read_with_a_finding(raw: bytes, code: str) -> None:
    page = parse_page(HERE, NOTE, raw)

    assert code in codes(raw)
    assert page.title == "T"
    assert page.body.startswith("find me")
    assert "\x00" not in page.body


def test_five_megabytes_on_one_line_are_read_and_flagged() -> None:
    page = parse_page(HERE, NOTE, b"# " + b"word [[x]] `a` " * 350_000)

    assert [finding.code for finding in page.findings] == ["text_cut"]
    assert len(page.title) <= TITLE_CHARS_MAX
    assert page.links == (Link("x"),)


def test_text_is_flagged_only_past_what_is_indexed() -> None:
    assert codes(b"x" * INDEXED_TEXT_CHARS_MAX) == set()
    assert codes(b"x" * (INDEXED_TEXT_CHARS_MAX + 1)) == {"text_cut"}


def test_kind_comes_from_the_field_then_the_type_then_the_folder() -> None:
    assert parse_page(HERE, NOTE, b"---\nkind: rule\ntype: note\n---\n").kind is PageKind.RULE
    assert parse_page(HERE, NOTE, b"---\ntype: Decision\n---\n").kind is PageKind.DECISION
    assert parse_page(HERE, PagePath("gotchas/x.md"), b"---\nkind: 5\n---\n").kind is PageKind.GOTCHA


def test_name_that_does_not_travel_is_flagged() -> None:
    assert codes(b"x", PagePath("notes/what: now.md")) == {"name_not_portable"}


def test_new_body_keeps_the_bytes_of_the_block() -> None:
    raw = b"\xef\xbb\xbf---\r\n# c\r\na:  1\r\n---\r\n\r\nold\r\n"

    assert replace_body(raw, "new\n") == raw.replace(b"old\r\n", b"new\n")
    assert replace_body(b"no block\n", "new\n") == b"new\n"


def test_titles_in_two_normal_forms_are_one() -> None:
    assert is_same_title("é", "e\u0301")
    assert not is_same_title("Readme", "README")
