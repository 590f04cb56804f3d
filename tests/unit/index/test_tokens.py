"""Terms: what a page and a query are cut into, whatever the script."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.limits import TERM_CHARS_MAX
from app.index import tokens


def words(text: str) -> list[str]:
    return tokens.build_terms(text).words.split()


def forms(text: str) -> set[str]:
    return set(tokens.build_terms(text).forms)


@pytest.mark.parametrize(
    ("text", "parts", "whole"),
    [
        ("src/db/_fts.py", ["src", "db", "fts", "py"], "src/db/_fts.py"),
        ("src/db/_fts.py", ["src", "db", "fts", "py"], "_fts.py"),
        ("foo.bar.Baz", ["foo", "bar", "baz"], "foo.bar.baz"),
        ("grammar::fa", ["grammar", "fa"], "grammar::fa"),
        ("crew:run", ["crew", "run"], "crew:run"),
        ("uteke-cloud-dev", ["uteke", "cloud", "dev"], "uteke-cloud-dev"),
        ("ADR-0005", ["adr", "0005"], "adr-0005"),
        ("task_tools", ["task", "tools"], "task_tools"),
        ("2026-05-08", ["2026", "05", "08"], "2026-05-08"),
        ("20.04", ["20", "04"], "20.04"),
        ("GB/s", ["gb", "s"], "gb/s"),
        ("C++", ["c"], "c++"),
        ("C#", ["c"], "c#"),
        (".NET", ["net"], ".net"),
        ("-rf", ["rf"], "-rf"),
        ("--error-on-warnings", ["error", "on", "warnings"], "--error-on-warnings"),
        ("a*", ["a"], "a*"),
        ("^x", ["x"], "^x"),
        ("don't", ["don", "t"], "don't"),
        ("don\u2019t", ["don", "t"], "don't"),
        ("`(crew:run)`,", ["crew", "run"], "crew:run"),
    ],
    ids=str,
)
def test_identifiers_are_kept_whole_and_in_parts(text: str, parts: list[str], whole: str) -> None:
    assert words(text) == parts
    assert whole in forms(text)


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("getUserByID", "getuserbyid", {"get", "user", "by", "id"}),
        ("HTTPServer", "httpserver", {"http", "server"}),
        ("GitHub", "github", {"git", "hub"}),
        ("utf8Decoder", "utf8decoder", {"utf8", "decoder"}),
    ],
    ids=["id-last", "capitals", "brand", "digits"],
)
def test_camel_case_is_one_word_with_its_parts_as_forms(text: str, whole: str, parts: set[str]) -> None:
    assert words(text) == [whole]
    assert parts <= forms(text)


@pytest.mark.parametrize("text", ["English", "plain", "42", "v2", "A"])
def test_an_ordinary_word_has_no_other_form(text: str) -> None:
    assert forms(text) == set()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Größe", "GROSSE"),
        ("Müller", "muller"),
        ("autenticação", "autenticacao"),
        ("café", "cafe\u0301"),
        ("ёлка", "елка"),
        ("ΣΊΣΥΦΟΣ", "σισυφος"),
        ("\uff21\uff22\uff23", "abc"),
        ("ﬁle", "file"),
        ("צ\u05f3ק", "צ'ק"),
        ("צה״ל", 'צה"ל'),
        ("كِتاب", "كتاب"),
        ("Łódź", "lodz"),
    ],
    ids=str,
)
def test_spellings_of_one_word_share_its_terms(left: str, right: str) -> None:
    assert words(left) == words(right)


def test_a_word_in_capitals_is_told_from_the_same_word_in_small_letters() -> None:
    assert words("OR") == words("or")
    assert forms("OR") != forms("or")


def test_an_accented_word_is_known_by_its_exact_form_too() -> None:
    assert "müller" in forms("Müller-Lüdenscheid")


def test_a_borrowed_word_is_known_with_its_doubled_letter_single() -> None:
    assert "cafe" in forms("caffè")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("用户身份", ["用户", "户身", "身份"]),
        ("しりとり", ["しり", "りと", "とり"]),
        ("끝말잇기", ["끝말", "말잇", "잇기"]),
        ("步2 重跑gen-itgc后50条", ["步", "2", "重跑", "gen", "itgc", "后", "50", "条"]),
        ("ガラス", ["ガラ", "ラス"]),
        ("สวัสดี", ["สวั", "วัส", "สดี"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("iPhone用户", ["iphone", "用户"]),
    ],
    ids=str,
)
def test_scripts_without_blanks_become_pairs_and_marks_stay_with_their_letter(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "text", ["\U0001f680", "\U0001f44d\U0001f3fd", "\u2764\ufe0f", "\ud83d", "\x00\x07", " \t\n", ""]
)
def test_pictures_and_broken_characters_are_no_terms(text: str) -> None:
    assert tokens.build_terms(text) == tokens.Terms("", ())


def test_a_picture_beside_a_word_changes_nothing() -> None:
    assert tokens.build_terms("deploy\U0001f680 now") == tokens.build_terms("deploy now")


@pytest.mark.parametrize("char", list("\"*()[]{}^~:-+'%_"))
def test_a_lone_sign_is_a_term(char: str) -> None:
    assert tokens.build_terms(char).forms == (char,)


def test_terms_are_cut_at_their_bound() -> None:
    assert words("x" * TERM_CHARS_MAX) == ["x" * TERM_CHARS_MAX]
    assert words("x" * (TERM_CHARS_MAX + 1)) == ["x" * TERM_CHARS_MAX]
    assert tokens.build_terms("(" * 10_000).forms == ("(" * TERM_CHARS_MAX,)


@given(st.text(max_size=300))
def test_terms_never_hold_a_blank_and_never_exceed_their_bound(text: str) -> None:
    terms = tokens.build_terms(text)

    for term in (*terms.words.split(" "), *terms.forms):
        assert not any(char.isspace() for char in term)
        assert len(term) <= TERM_CHARS_MAX
        term.encode("utf-8")


@given(st.text(max_size=100))
def test_composed_and_decomposed_text_have_the_same_words(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))

    assert words(composed) == words(decomposed)


@given(st.lists(st.text(max_size=20), max_size=6))
def test_the_words_of_a_text_are_those_of_its_pieces_between_blanks(pieces: list[str]) -> None:
    together = words(" ".join(pieces))

    assert together == [word for piece in pieces for word in words(piece)]
