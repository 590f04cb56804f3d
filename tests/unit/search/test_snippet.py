"""A snippet is one bounded line around the best stretch of the text, with marks that point at what matched."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.limits import SNIPPET_CHARS_MAX, SNIPPET_SCAN_CHARS
from app.search import query, snippet
from app.search.snippet import Snippet

FILLER = "Nothing of note happens in this sentence at all. " * 20


def build(body: str, asked: str) -> Snippet:
    return snippet.build_snippet(body, {term.text: term.weight for term in query.parse_query(asked).terms})


def marked(found: Snippet) -> list[str]:
    return [found.text[start:end] for start, end in found.marks]


@pytest.mark.parametrize(
    ("body", "asked", "expected"),
    [
        ("The Lexer fails.", "lexer", ["Lexer"]),
        ("lexers and Lexer", "lexer", ["Lexer"]),
        ("see src/db/_fts.py there", "src/db/_fts.py", ["src/db/_fts.py"]),
        ("call getUserByID()", "getuserbyid", ["getUserByID"]),
        ("written in C++ here", "c++", ["C++"]),
        ("Die Größe zählt", "grosse", ["Größe"]),
        ("ein Cafe\u0301 dort", "cafe", ["Cafe\u0301"]),
        ("一个用户身份系统", "用户身份", ["用户身份"]),
        ("步2 重跑gen-itgc后50条", "itgc", ["itgc"]),
        ("สวัสดีครับ", "สวัสดี", ["สวัสดี"]),
        ("\uff21\uff22\uff23 here", "abc", ["\uff21\uff22\uff23"]),
    ],
    ids=str,
)
def test_what_matched_is_marked_as_it_stands_in_the_text(body: str, asked: str, expected: list[str]) -> None:
    assert marked(build(body, asked)) == expected


def test_a_part_of_a_name_is_marked_where_no_whole_word_matches() -> None:
    assert marked(build("call getUserByID now", "user")) == ["User"]


def test_the_stretch_with_most_distinct_terms_is_shown() -> None:
    body = f"{FILLER} lexer lexer lexer {FILLER} the lexer met a vet error {FILLER}"

    found = build(body, "lexer vet error")

    assert set(marked(found)) == {"lexer", "vet", "error"}
    assert found.text.startswith("…")
    assert found.text.endswith("…")


@pytest.mark.parametrize(
    "dash", ["-", "\u2013", "\u2026", "\u00e9"], ids=["ascii", "dash", "folds to several", "accent"]
)
def test_a_short_word_is_found_behind_any_number_of_longer_ones_that_hold_it(dash: str) -> None:
    body = f"{'inside linting kin ' * 300}{dash} in {dash} the end"

    assert marked(build(body, "in")) == ["in"]


def test_a_match_far_down_a_long_text_is_found() -> None:
    body = "x " * SNIPPET_SCAN_CHARS + "the needle"

    assert "needle" in build(body, "needle").text


def test_a_text_without_a_match_is_shown_from_its_beginning() -> None:
    found = build(f"\n\n# Title\n\n{FILLER}", "absent")

    assert found.text.startswith("# Title Nothing of note")
    assert found.marks == ()


def test_an_empty_text_has_an_empty_snippet() -> None:
    assert build("", "anything") == Snippet("")


@given(
    st.text(st.characters(codec="utf-8"), max_size=600),
    st.text(max_size=30),
    st.sampled_from(["\u0301", "\u0e31", "\U0001f3fd", "a", ""]),
)
def test_a_snippet_is_one_line_within_its_bound_and_its_marks_lie_in_it(body: str, asked: str, glue: str) -> None:
    found = build(glue.join(body), asked)

    assert len(found.text) <= SNIPPET_CHARS_MAX
    assert len(found.text.splitlines()) <= 1
    assert found.text == found.text.strip()
    places = [place for mark in found.marks for place in mark]
    assert places == sorted(places)
    assert all(0 <= place <= len(found.text) for place in places)


@given(st.integers(0, 80), st.sampled_from(["e\u0301", "วั", "\U0001f44d\U0001f3fd"]))
def test_a_cut_never_parts_a_letter_from_its_mark(shift: int, letter: str) -> None:
    body = "x" * shift + letter * 400

    shown = build(body, "absent").text.removesuffix("…")

    rest = body[len(shown) :]
    assert not rest or unicodedata.category(rest[0])[0] not in {"M", "Sk"}
    assert not rest or rest[0] == letter[0]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("The lexer broke [^o50] on a tab.[^o7-o9]", "The lexer broke on a tab."),
        ("<!-- made by a machine -->\n## The lexer", "The lexer"),
        ("See [[notes/a.md|the lexer]] and [[b]], [docs](https://x.test/y).", "See the lexer and b, docs."),
        ("lexer: call a[i](x) and f(**kw)", "lexer: call a[i](x) and f(**kw)"),
        ("- [x] lexer \\=\\= b\n> said\n- a - b > c", "lexer == b said a - b > c"),
        (
            "**The lexer**: use **one**, f(**a, **b), 2**3 and **open",
            "The lexer: use one, f(**a, **b), 2**3 and **open",
        ),
        ("```text\nlexer: C:\\dir\n```\nmore", "lexer: C:\\dir more"),
    ],
    ids=["evidence", "comment and heading", "links", "code", "list, quotation and escape", "strong", "fence"],
)
def test_a_page_is_shown_as_its_words_with_the_marks_on_them(body: str, shown: str) -> None:
    found = snippet.build_page_snippet(body, {"lexer": 1.0})

    assert found.text == shown
    assert marked(found) == ["lexer"]


def test_a_word_of_an_address_alone_is_shown_where_it_stands() -> None:
    found = snippet.build_page_snippet("Read [this](https://lexer.test/a).", {"lexer": 1.0})

    assert marked(found) == ["lexer"]


def test_brackets_that_go_on_for_ever_are_read_once_in_each_hit() -> None:
    body = "[" * SNIPPET_SCAN_CHARS

    assert [snippet.build_page_snippet(body, {"lexer": 1.0}).text[:3] for _ in range(10)] == ["[[["] * 10
