"""Plain text in pieces: split into sentences, counted in words, compared by its letters and digits."""

import re

_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_BOUNDARY = re.compile(r"(?<![.!?…])[.!?…]+[\"'”\u2019»)\]*_]*(?=\s+\S)|[。\uff01\uff1f]+[」』”\u2019\uff09]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|ca|approx|resp|no|fig|mr|mrs|dr|z\.\s?b|d\.\s?h|bzw|usw|p\.\s?ex"
    r"|p\.\s?ej|\d+)\.$",
    re.IGNORECASE,
)
# The longest abbreviation with what may stand before it.
_ABBREVIATION_REACH = 24
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"\w+")


def split_sentences(text: str) -> tuple[str, ...]:
    """Split one paragraph; a stop inside a code span, a number or an abbreviation ends nothing."""
    spans = [match.span() for match in _CODE_SPAN.finditer(text)]
    sentences: list[str] = []
    start, span = 0, 0
    for match in _BOUNDARY.finditer(text):
        at = match.start()
        while span < len(spans) and spans[span][1] <= at:
            span += 1
        if span < len(spans) and spans[span][0] <= at:
            continue
        if text[at] == "." and _ABBREVIATION.search(text, max(start, at - _ABBREVIATION_REACH), at + 1):
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
