"""The grammar of page paths."""

import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import UnsafePath
from app.domain.limits import PATH_CHARS_MAX, PATH_PART_BYTES_MAX, SLUG_CHARS_MAX
from app.domain.page import PageKind, PagePath
from app.domain.pagepath import (
    build_page_path,
    fold_path,
    is_portable,
    kind_of_path,
    number_page_path,
    parse_page_path,
    portable_name,
)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("notes/v1..v2.md", "notes/v1..v2.md"),
        ("notes/setup", "notes/setup.md"),
        ("notes/v1.2", "notes/v1.2.md"),
        ("sessions/2026-11/30-fix-lexer-1f3a.md", "sessions/2026-11/30-fix-lexer-1f3a.md"),
        ("Jānis/太郎/🚀.md", "Jānis/太郎/🚀.md"),
        ("notes/100% sure.md", "notes/100% sure.md"),
        ("notes/What: now.md", "notes/What: now.md"),
        ("notes/console.md", "notes/console.md"),
    ],
)
def test_legal_path_is_brought_to_one_spelling(text: str, path: str) -> None:
    assert parse_page_path(text) == path


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "..",
        "../../etc/passwd",
        "a/../b.md",
        "a/./b.md",
        "%2e%2e/x",
        "%252e%252e/x",
        "a%2fb.md",
        "..\\..\\x",
        "a\\b.md",
        "/etc/passwd",
        "//host/share/x.md",
        "C:/x.md",
        "c:x.md",
        "a\x00b",
        "a\nb.md",
        "a//b.md",
        "a/",
        ".git/config",
        "notes/.hidden.md",
        "CON.md",
        "notes/nul",
        "aux/x.md",
        "notes/COM1.txt.md",
        "notes/lpt¹.md",
        "notes./x.md",
        "notes /x.md",
        " notes/x.md",
        "notes/\ud800.md",
        "x\u2028y.md",
    ],
)
def test_path_that_does_not_travel_is_unsafe(text: str) -> None:
    with pytest.raises(UnsafePath):
        parse_page_path(text)


def test_path_part_is_taken_at_its_bound_and_refused_past_it() -> None:

    assert parse_page_path("x" * (PATH_PART_BYTES_MAX - 3) + ".md")

    with pytest.raises(UnsafePath):
        parse_page_path("x" * (PATH_PART_BYTES_MAX - 2) + ".md")


def test_path_is_taken_at_its_bound_and_refused_past_it() -> None:
    folders = "/".join(["f" * 99] * 3)
    name = "n" * (PATH_CHARS_MAX - len(folders) - 4)

    assert len(parse_page_path(f"{folders}/{name}.md")) == PATH_CHARS_MAX
    with pytest.raises(UnsafePath):
        parse_page_path(f"{folders}/{name}n.md")


def test_composed_and_decomposed_spellings_are_one_page() -> None:
    composed, decomposed = "notes/Jānis.md", unicodedata.normalize("NFD", "notes/Jānis.md")

    assert composed != decomposed
    assert parse_page_path(composed) == parse_page_path(decomposed)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("CON", "con-page"),
        ("a:b", "a-b"),
        ("a/b", "a-b"),
        ("x.", "x"),
        ("x ", "x"),
        ("Readme", "readme"),
        ("README", "readme"),
        ("Jānis", "jānis"),
        ("太郎", "太郎"),
        ("v1.2 of lexer.py", "v1.2-of-lexer.py"),
        ("don't stop", "dont-stop"),
        ('fix: "auth" #2 | @here %x', "fix-auth-2-here-x"),
        ("../../etc/passwd", "etc-passwd"),
        ("nul.txt", "nul.txt-page"),
    ],
)
def test_title_becomes_a_portable_name(title: str, name: str) -> None:
    assert portable_name(title) == name


def test_long_title_is_cut_at_a_word() -> None:
    name = portable_name("word " * 60)

    assert len(name) <= SLUG_CHARS_MAX
    assert set(name.split("-")) == {"word"}


@pytest.mark.parametrize("title", ["🚀", "", "…", "///"])
def test_title_without_letters_gets_a_stable_name(title: str) -> None:
    assert portable_name(title) == portable_name(title)
    assert portable_name(title).startswith("untitled-")


def test_titles_without_letters_get_different_names() -> None:
    assert portable_name("🚀") != portable_name("🔥")


@given(st.text(max_size=400))
def test_every_title_gives_a_name_that_is_a_legal_path(title: str) -> None:
    path = build_page_path(PageKind.NOTE, title, on=date(2026, 11, 30), mark="1f3a")

    assert parse_page_path(path) == path
    assert is_portable(path)


@given(st.text(max_size=400))
def test_reading_any_text_as_a_path_gives_a_contained_path_or_unsafe_path(text: str) -> None:
    try:
        path = parse_page_path(text)
    except UnsafePath:
        return

    assert parse_page_path(path) == path
    assert not any(part in {"", ".", ".."} or part.startswith(".") for part in path.split("/"))


@given(st.text(max_size=100))
def test_both_normal_forms_of_a_title_give_one_name(title: str) -> None:
    assert portable_name(unicodedata.normalize("NFD", title)) == portable_name(unicodedata.normalize("NFC", title))


def test_session_page_lies_in_the_folder_of_its_month() -> None:
    path = build_page_path(PageKind.SESSION, "Fix lexer vet error", on=date(2026, 11, 30), mark="1f3a")

    assert path == "sessions/2026-11/30-fix-lexer-vet-error-1f3a.md"
    assert kind_of_path(path) is PageKind.SESSION


def test_kind_of_a_file_in_an_unknown_folder_is_note() -> None:
    assert kind_of_path(PagePath("ideas/later.md")) is PageKind.NOTE
    assert kind_of_path(PagePath("project.md")) is PageKind.PROJECT


def test_numbered_path_keeps_its_suffix() -> None:
    assert number_page_path(PagePath("notes/readme.md"), 2) == "notes/readme-2.md"


def test_names_that_some_file_system_confuses_fold_to_one() -> None:
    assert fold_path("notes/Readme.md") == fold_path("notes/README.md")
    assert fold_path("é.md") == fold_path(unicodedata.normalize("NFD", "É.md"))
