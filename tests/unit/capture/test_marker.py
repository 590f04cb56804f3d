"""The reader of marker files, beside the one of the standard library."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.capture import marker

GOOD = {
    "names": 'workspace = "team"\nproject = \'bill"ing\' # ours\n',
    "mark and line ends": "\ufeffa = 1\r\n\r\n[b]\r\nc = true\r\n",
    "lists": 'a = [ # one\n "x",\n\n "y", # two\n]\nb = []\nc = [[1, 2], ["z"]]\n',
    "strings": 'a = "\\t\\u00e9\\U0001F600\\\\"\nb = """\nx\\\n   y"z""\n"""\nc = \'\'\'a\n\'b\'\'\'\nd = ""\n',
    "inline tables": 'a = { b = 1, "c d" = { e = [true] } }\nf = {}\n',
    "dotted": 'a.b.c = 1\na.b.d = 2\n[x."y z".w]\nk = false\n[x]\nq = 0\n',
    "numbers": "a = 0x1F\nb = -1_000\nc = 1.5e3\nd = 0b11\ne = 0o7\n",
    "lists of tables": "[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\nb = 3\n",
    "nothing": "  \n# only words\n",
}
BAD = {
    "cut heading": "[captu",
    "cut string": 'a = "b',
    "cut list": 'a = ["b",',
    "twice": "a = 1\na = 2\n",
    "table twice": "[a]\n[a]\n",
    "inline table again": "a = {}\n[a]\n",
    "list again": "a = []\n[[a]]\n",
    "two on a line": "a = 1 b = 2",
    "no value": "a =\n",
    "no name": "= 1\n",
    "a word": "a = yes\n",
    "bad escape": 'a = "\\q"\n',
    "control character": "a = '\x00'\n",
    "deep": "a = " + "[" * 100,
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_what_is_written_is_read_as_toml(text: str) -> None:
    assert marker.parse_marker(text) == tomllib.loads(text.removeprefix("\ufeff"))


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_what_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(marker.MarkerUnreadable):
        marker.parse_marker(text)


@pytest.mark.parametrize("text", ["a = 2026-11-30", "a = 2026-11-30T12:00:00Z", "a = 12:30:00"])
def test_dates_stay_text(text: str) -> None:
    assert marker.parse_marker(text) == {"a": text.removeprefix("a = ")}


PIECES = ["a", "b.c", " = ", "1", '"x"', "'y'", "[", "]", "[[", "]]", "{", "}", ",", "\n", "#z", "true", "[capture]\n",
          'deny = ["*.pem"]\n', '"""', "\\", "1.5", " "]  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_whatever_is_accepted_means_the_same_as_to_the_standard_library(text: str) -> None:
    try:
        read = marker.parse_marker(text)
    except marker.MarkerUnreadable:
        return

    assert read == tomllib.loads(text)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES[:18]), max_size=14).map("".join))
def test_what_the_standard_library_takes_is_taken(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return

    assert marker.parse_marker(text) == expected
