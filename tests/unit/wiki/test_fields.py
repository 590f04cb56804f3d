"""The YAML block: what we write is read alike by everyone, what others wrote keeps its bytes."""

from datetime import UTC, datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from app.domain.errors import FieldsUnreadable
from app.domain.limits import FIELDS_BYTES_MAX
from app.domain.page import PageKind
from app.wiki.fields import parse_fields, parse_source_texts, render_fields, update_fields

NASTY = [
    'fix: "auth" #2 | @here %x',
    "- item",
    "? key",
    "!tag",
    "&anchor",
    "*alias",
    "tab\there",
    "two\nlines",
    "x" * 300,
    "🚀🔥",
    "null",
    "None",
    "~",
    "yes",
    "No",
    "on",
    "y",
    "1e3",
    "1_000",
    "0o17",
    "017",
    "0x1F",
    "1:30",
    "12:30:45",
    ".5",
    ".inf",
    ".nan",
    "2024-06-01",
    "2001-12-14t21:59:43.10-05:00",
    "=",
    "<<",
    "",
    " ",
    " leading",
    "trailing ",
    "'single'",
    '"double"',
    "back\\slash",
    "a: b",
    "a #b",
    "# c",
    "[a, b]",
    "{a: b}",
    "%directive",
    "@at",
    "`tick`",
    "---",
    "...",
    "--- x",
    "line\u2028separator",
    "\u0085",
    "\ufeff",
    "\x07bell",
    "\x7f",
    "é",
    "e\u0301",
    "C:\\x",
    ">",
    "|",
    "a\r\nb",
    "\u00a0",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
]

texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60),
    st.text(alphabet="aeyno01x:#-_ .'\"\\\n\t[]{}&*!|>%@`,?=~", max_size=20),
)
values = st.recursive(
    st.one_of(texts, st.integers(-(10**9), 10**9), st.booleans(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(["a", "on", "key two"]), inner, max_size=3)
    ),
    max_leaves=8,
)
fields = st.dictionaries(st.sampled_from(["title", "tags", "id", "extra", "y", "null"]), values, max_size=5)


@given(fields)
def test_what_we_write_is_read_alike_by_two_parsers(given_fields: dict[str, object]) -> None:
    written = render_fields(given_fields)

    assert parse_fields(written) == given_fields
    assert (yaml.safe_load(written) or {}) == given_fields
    assert (YAML(typ="safe", pure=True).load(written) or {}) == given_fields


@pytest.mark.parametrize("title", NASTY)
def test_title_stands_on_one_line_and_is_read_back(title: str) -> None:
    written = render_fields({"title": title})

    assert len(written.splitlines()) == 1
    assert yaml.safe_load(written) == {"title": title}
    assert YAML(typ="safe", pure=True).load(written) == {"title": title}


def test_plain_words_stay_readable() -> None:
    given = {"type": PageKind.SESSION, "title": "Fix lexer in app/lex.py", "tags": ("a", "b"), "count": 3, "ok": True}

    assert (
        render_fields(given) == "type: session\ntitle: Fix lexer in app/lex.py\ntags:\n- a\n- b\ncount: 3\nok: true\n"
    )


def test_time_is_written_as_text_that_every_parser_leaves_alone() -> None:
    written = render_fields({"at": datetime(2026, 11, 30, 12, tzinfo=UTC)})

    assert yaml.safe_load(written) == {"at": "2026-11-30T12:00:00+00:00"}


def test_values_that_are_no_texts_keep_what_their_author_typed() -> None:
    block = "title: 2024-06-01\nn: 1458\nb: yes\nz: null\nl: [1]\nbad: 2024-13-45\neq: =\nt: !odd x\nsix: 1:30:00\n"

    assert parse_source_texts(block) == {
        "title": "2024-06-01",
        "n": "1458",
        "b": "yes",
        "bad": "2024-13-45",
        "eq": "=",
        "t": "x",
        "six": "1:30:00",
    }
    assert parse_fields(block)["bad"] == "2024-13-45"


@pytest.mark.parametrize(
    "block",
    [
        "title: *Italic*\n",
        "x:\n- [[link]]x\n",
        "title: Fix C: \\x\n",
        "just text\n",
        "- a\n",
        "a: &a [*a]\n",
        "a: [" * 3000,
        "a: " + "9" * 5000,
        "a: !!int x\n",
        "a: !!bool z\n",
        "\ta: b\n",
        "a: \x07\n",
        "a: b\n...\nc: d\n",
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(8)),
    ],
)
def test_block_that_cannot_be_trusted_is_unreadable(block: str) -> None:
    with pytest.raises(FieldsUnreadable):
        parse_fields(block)


PAGE = b"""---\r
# who reads this?\r
title: "Old"   # keep me\r
tags:   [ a,b ]\r
x-unknown: {k: [1,  2]}\r
text: |\r
  one\r
  # two\r
\r
# about the list\r
list:\r
  - a\r
  - b\r
\r
# the end\r
---\r
\r
body \xe9\x00 stays\r
"""


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("title", "New: one", b'title: "Old"   # keep me\r\n', b"title: 'New: one'   # keep me\r\n"),
        ("tags", ["c"], b"tags:   [ a,b ]\r\n", b"tags:\r\n- c\r\n"),
        ("text", "flat", b"text: |\r\n  one\r\n  # two\r\n", b"text: flat\r\n"),
        ("list", None, b"list:\r\n  - a\r\n  - b\r\n", b""),
        ("new", 5, b"# the end\r\n", b"# the end\r\nnew: 5\r\n"),
        ("x-unknown", "u", b"x-unknown: {k: [1,  2]}\r\n", b"x-unknown: u\r\n"),
    ],
)
def test_changing_a_field_touches_its_own_lines_only(name: str, value: object, old: bytes, new: bytes) -> None:
    assert PAGE.count(old) == 1

    assert update_fields(PAGE, {name: value}) == PAGE.replace(old, new)


def test_setting_what_is_there_already_changes_nothing() -> None:
    assert update_fields(PAGE, {"title": "Old", "tags": ["a", "b"], "absent": None}) == PAGE


def test_page_without_a_block_gets_one_in_its_own_style() -> None:
    mark = b"\xef\xbb\xbf"

    assert update_fields(mark + b"# Hello\r\n", {"a": 1}) == mark + b"---\r\na: 1\r\n---\r\n\r\n# Hello\r\n"
    assert update_fields(b"# Hello\n", {"a": None}) == b"# Hello\n"


@pytest.mark.parametrize(
    "raw",
    [
        b"---\ntitle: *Italic*\n---\nbody\n",
        b"---\n- [[link]]x\n---\nbody\n",
        b"---\nA rule above, text between\n---\nbody\n",
        b"---\nno end",
        b"---",
        b"---\nb\xe9: 1\n---\n",
        b"---\n{a: 1}\n---\n",
        b"---\ntags: a\ntags: b\n---\n",
        b"---\na: " + b"x" * FIELDS_BYTES_MAX + b"\n---\n",
        b"---\n  a: b\n---\n",
        b"\xff\xfea\x00",
    ],
    ids=["alias", "list", "rule", "unclosed", "only", "latin1", "braces", "twice", "long", "indented", "utf16"],
)
def test_page_that_cannot_be_changed_safely_is_refused(raw: bytes) -> None:
    with pytest.raises(FieldsUnreadable):
        update_fields(raw, {"tags": ["x"]})


@given(fields, fields, st.sampled_from(["\n", "\r\n"]))
def test_update_gives_the_fields_asked_for_and_leaves_the_body(
    old: dict[str, object], new: dict[str, object], line_end: str
) -> None:
    block = render_fields(old).replace("\n", line_end)
    raw = f"---{line_end}{block}---{line_end}body {line_end}---{line_end}x".encode()

    updated = update_fields(raw, new)

    expected = {name: value for name, value in {**old, **new}.items() if not (name in new and value is None)}
    assert parse_fields(updated.split(b"---" + line_end.encode())[1].decode()) == expected
    assert updated.endswith(f"---{line_end}body {line_end}---{line_end}x".encode())
