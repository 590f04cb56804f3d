"""Plain text in pieces: cleaned of control characters, split into sentences, cut with a visible mark."""

import re
import unicodedata

CUT_MARK = " …"

# Controls, bidirectional overrides and zero-width marks can hide or reorder what a reader sees.
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]")
_TERMINAL_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_LINE_END = re.compile("\r\n|\r|\u2028|\u2029|\x85")
_BLANKS = re.compile(r"\s+")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_BOUNDARY = re.compile(r"[.!?…]+[\"'”\u2019»)\]*_]*(?=\s+\S)|[。\uff01\uff1f]+[」』”\u2019\uff09]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|ca|approx|resp|no|fig|mr|mrs|dr|z\.\s?b|d\.\s?h|bzw|usw|p\.\s?ex"
    r"|p\.\s?ej|\d+)\.$",
    re.IGNORECASE,
)
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"\w+")


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


def split_sentences(text: str) -> tuple[str, ...]:
    """Split one paragraph; a stop inside a code span, a number or an abbreviation ends nothing."""
    spans = [match.span() for match in _CODE_SPAN.finditer(text)]
    sentences: list[str] = []
    start = 0
    for match in _BOUNDARY.finditer(text):
        at = match.start()
        if any(begin <= at < end for begin, end in spans):
            continue
        if text[at] == "." and _ABBREVIATION.search(text[start : at + 1]):
            continue
        sentences.append(text[start : match.end()].strip())
        start = match.end()
    sentences.append(text[start:].strip())
    return tuple(sentence for sentence in sentences if sentence)


def count_words(text: str) -> int:
    """Count words; two ideographs weigh as much as one word."""
    ideographs = len(_IDEOGRAPH.findall(text))
    return len(_WORD.findall(_IDEOGRAPH.sub(" ", text))) + (ideographs + 1) // 2


def normalise_key(text: str) -> str:
    """Reduce text to its letters and digits, so that two wordings of one thing compare equal."""
    return " ".join(_WORD.findall(text.casefold()))
