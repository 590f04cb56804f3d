"""Foreign text made fit to show: without hidden characters, on one line, cut with a visible mark."""

import re
import unicodedata

CUT_MARK = " …"

# Controls, bidirectional overrides and zero-width marks can hide or reorder what a reader sees.
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]")
_TERMINAL_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_LINE_END = re.compile("\r\n|\r|\u2028|\u2029|\x85")
_BLANKS = re.compile(r"\s+")


def clean_text(text: str) -> str:
    """Normalise line ends and Unicode form, and drop colours and characters that nobody sees."""
    plain = _LINE_END.sub("\n", _TERMINAL_COLOUR.sub("", text))
    return unicodedata.normalize("NFC", _HIDDEN.sub("", plain))


def squeeze(text: str) -> str:
    """Put text on one line with single blanks."""
    return _BLANKS.sub(" ", text).strip()


def clip(text: str, chars_max: int) -> str:
    """Cut text at a word's end, so that the cut shows and the bound holds."""
    if len(text) <= chars_max:
        return text
    room = max(chars_max - len(CUT_MARK), 0)
    head = text[:room]
    blank = head.rfind(" ")
    # A text without blanks (Chinese, a long path) is cut where it stands.
    if blank > room // 2:
        head = head[:blank]
    return head.rstrip() + CUT_MARK


def close_code(text: str) -> str:
    """Close the code between backticks that a cut has left open at a text's end."""
    head = text.removesuffix(CUT_MARK.strip())
    if head == text or text.count("`") % 2 == 0:
        return text
    told = head.rstrip()
    closed = told.removesuffix("`") if told.endswith("`") else f"{told}`"
    return closed + text[len(told) :]
