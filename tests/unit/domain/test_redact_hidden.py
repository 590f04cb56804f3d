"""Secrets that are not there to be read at once: in base64, over folded lines, in parts of a text that was cut."""

import base64
import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agents import bounds
from app.domain import redact_engine
from app.domain.redact import redact_text
from tests.unit.domain import planted

NAME, KEY = planted.GITHUB
PEM = planted.make_pem(lines=24)
TOP = "the key that this deployment uses from today on is "


def encode(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize("ahead", ["", "a ", "ab ", "abc ", "密码 ", "\n\n"])
def test_a_key_in_base64_goes_with_all_that_is_encoded(ahead: str) -> None:
    text = f"data: {encode(f'{ahead}{KEY} and so on')}, end"

    assert redact_text(text) == f"data: [redacted:{NAME}], end"


@pytest.mark.parametrize("before", ["/tmp/", "my_", "a1", "x-", "k3Y/"])
def test_base64_that_begins_in_the_middle_of_a_word_is_read(before: str) -> None:
    redacted = redact_text(f"{before}{encode(KEY)} end")

    assert redacted.endswith(f"[redacted:{NAME}] end")


@pytest.mark.parametrize("width", [64, 76])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\n    ", "\n+", "\\n"])
def test_base64_over_lines_is_read_as_one(width: int, ending: str) -> None:
    wrapped = ending.join(textwrap.wrap(encode(PEM), width))

    assert redact_text(f"tls:\n{wrapped}\n\nend") == "tls:\n[redacted:private-key]\n\nend"


@pytest.mark.parametrize(
    "text",
    ["a picture is no text, " * 9, "Reset password: users click the link in the mail", '{"max_tokens": 4096}' * 4],
)
def test_base64_of_a_text_without_a_secret_stays(text: str) -> None:
    assert redact_text(f"data: {encode(text)}") == f"data: {encode(text)}"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\n    ", "\n> ", "\n+"])
@pytest.mark.parametrize("room", range(8, len(KEY) - 4, 4))
def test_a_key_that_goes_on_in_the_next_line_goes_whole(ending: str, room: int) -> None:
    redacted = redact_text(f"{TOP}{KEY[:room]}{ending}{KEY[room:]}\nand it works\n")

    assert redacted == f"{TOP}[redacted:{NAME}]\nand it works\n"


def test_a_token_over_three_lines_goes_whole() -> None:
    token = "ey" + "J" + planted.make_letters(90, "a") + ".ey" + "J" + planted.make_letters(70, "b") + "." + "a1" * 20
    text = "\n".join(textwrap.wrap(f"{TOP}{token}", 80))

    assert redact_text(f"{text}\ndone\n") == f"{TOP}[redacted:jwt]\ndone\n"


NEXT_LINES = ["and it works", "README.md", "S3_BUCKET=shop", "step2: go", "2026-11-02 10:11", "return f(x)", "v1.2.3"]


@pytest.mark.parametrize("line", NEXT_LINES)
def test_what_stands_in_the_line_below_a_key_stays(line: str) -> None:
    assert redact_text(f"{TOP}{KEY}\n{line}\n") == f"{TOP}[redacted:{NAME}]\n{line}\n"


def test_two_keys_in_lines_of_their_own_are_two() -> None:
    other_name, other = next(key for key in planted.KEYS if key[0] == "npm-token")

    assert redact_text(f"{TOP}{KEY}\n{other}\n") == f"{TOP}[redacted:{NAME}]\n[redacted:{other_name}]\n"


@pytest.mark.parametrize("chars_max", range(700, 1700, 37))
@pytest.mark.parametrize("escaped", [False, True])
def test_a_private_key_that_a_bound_has_cut_leaves_nothing(chars_max: int, *, escaped: bool) -> None:
    body = PEM.replace("\n", "\\n") if escaped else PEM
    text = bounds.cut_text(f"{'first ' * 20}\n{body}\n{'last ' * 20}", chars_max)

    redacted = redact_text(text)

    lines = [line for line in PEM.splitlines() if "-" not in line]
    assert [
        line for line in lines if any(line[start : start + 12] in redacted for start in range(0, len(line) - 12, 4))
    ] == []


@pytest.mark.parametrize("mark", ["\u200b", "\u202e", "\u2066", "\u00ad", "\ufeff", "\x1b[1;31m", "\\u001b[0m", "\x00"])
def test_a_value_broken_by_what_does_not_show_is_found(mark: str) -> None:
    value = planted.make_letters(20, "value")

    redacted = redact_text(f"pass{mark}word={value[:7]}{mark}{value[7:]}\nnext")

    assert redacted == f"pass{mark}word=[redacted:password]\nnext"


@given(
    st.text("aZ9/=,.+-\r", min_size=45, max_size=60),
    st.sampled_from(["\n", "\r\n", "\n  ", "\n> "]),
    st.text("abZ9/=.+-_~ ", max_size=20),
)
def test_every_fold_is_hinted_at(line: str, end: str, rest: str) -> None:
    text = f"{line}{end}{rest}"

    is_hinted = re.search(redact_engine.FOLD_HINT, text) is not None

    assert is_hinted or not list(redact_engine.list_folds(text))
