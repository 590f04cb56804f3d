"""Text to terms, the same for a page and for a query: words in reading order, and further forms of them.

*Words* are cut at blanks and punctuation and folded; runs of scripts without blanks become pairs of characters.
*Forms* are what else a piece of text may be asked by: an identifier as a whole (`src/db/_fts.py`, `adr-0005`),
the parts of a camel-case name, a word in capitals, a spelling with its accents, a literal such as `c++` or `-rf`.
They stand apart from the words, so that words that are neighbours in the text are neighbours in the index.
"""

import itertools
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from app.domain import limits
from app.domain.limits import TERM_CHARS_MAX
from app.index import folding

_LETTER = f"[^\\W_{folding.UNSPACED}]"
_WORD = f"{_LETTER}+(?:[{folding.MARKS}]+{_LETTER}*)*"
_RUN = f"[{folding.UNSPACED}]+"
# A base character with what hangs on it; Thai, Lao, Burmese and Khmer vowel signs and tone marks stay with it.
_HANGING = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1060\u17b4-\u17d3"
    "\u3099\u309a"
)
_HANGS = re.compile(f"[{_HANGING}]")
# A base character with what hangs on it: vowel signs and tone marks of Thai, Lao, Burmese and Khmer.
_CLUSTER = re.compile(f"[^{_HANGING}][{_HANGING}]*")
_JOINER = r"[-_./\\:'\u2019@+~&]{1,3}"
_RUN_START = re.compile(_RUN)
_PIECES = re.compile(f"({_RUN})|{_WORD}")
_COMPOUND = re.compile(f"{_WORD}(?:{_JOINER}{_WORD})+")
# The same for ASCII, where most text is, at a third of the cost.
_ASCII_PIECES = re.compile("()[A-Za-z0-9]+")
_ASCII_COMPOUND = re.compile(r"[A-Za-z0-9]+(?:[-_./\\:'@+~&]{1,3}[A-Za-z0-9]+)+")
_HEBREW_QUOTE = re.compile("(?<=[\u05d0-\u05ea])[\"'\u05f3\u05f4](?=[\u05d0-\u05ea])")
_DOUBLED = re.compile(r"([^\W\d_])\1")

# Punctuation of prose and markdown around a literal; a leading dot or hyphen (`.NET`, `-rf`) belongs to it.
_BEFORE = "\"'`([{<\u201c\u2018\u00ab\u201e\u00bf\u00a1"
_AFTER = "\"'`()[]{}<>,;:!?.\u2026\u201d\u2019\u00bb"

# Marks the form of a word in capitals, so that `OR` can be told from `or` although case is folded.
CAPITALS = "\u21e7"


@dataclass(frozen=True, slots=True)
class Terms:
    """Words as one text joined by blanks, and the distinct forms in the order in which they were met."""

    words: str
    forms: tuple[str, ...] = ()


def build_terms(text: str) -> Terms:
    """Turn a text of any script into terms."""
    words: list[str] = []
    forms: dict[str, None] = {}
    for chunk in split_chunks(text):
        if chunk.isalpha() and chunk.islower() and chunk.isascii() and len(chunk) <= TERM_CHARS_MAX:
            words.append(chunk)
            continue
        terms = expand_chunk(chunk)
        if terms.words:
            words.append(terms.words)
        for form in terms.forms:
            forms[form] = None
    return Terms(" ".join(words), tuple(forms))


def split_chunks(text: str) -> list[str]:
    """Cut a text at its blanks, in its compatible composed form."""
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).split()


def expand_chunk(chunk: str) -> Terms:
    """Turn what stands between two blanks into terms."""
    return _expand_cached(chunk) if len(chunk) <= limits.CACHED_WORD_CHARS_MAX else _expand(chunk)


def is_unspaced(term: str) -> bool:
    """Tell whether a term is of a script without blanks, where any part of a run may be asked for."""
    return not term.isascii() and _RUN_START.match(term) is not None


def _expand(chunk: str) -> Terms:
    bare = chunk.lstrip(_BEFORE).rstrip(_AFTER)
    forms: dict[str, None] = {}
    if chunk.isascii():
        if bare.isalnum():
            _add_case_forms(bare, forms)
            return Terms(bare.lower()[:TERM_CHARS_MAX], tuple(forms))
        pieces, compounds = _ASCII_PIECES, _ASCII_COMPOUND
    else:
        pieces, compounds = _PIECES, _COMPOUND
        chunk = _HEBREW_QUOTE.sub("", chunk)
        bare = folding.remove_silent(chunk.lstrip(_BEFORE).rstrip(_AFTER))
    words: list[str] = []
    has_run = False
    for match in pieces.finditer(chunk):
        if match[1]:
            has_run = True
            _add_run(match[1], words, forms)
        else:
            _add_word(match[0], words, forms)
    for match in compounds.finditer(chunk):
        _add_compound(match[0], forms)
    if not has_run:
        _add_literal(bare or chunk, forms)
    for word in words:
        forms.pop(word, None)
    return Terms(" ".join(words), tuple(forms))


_expand_cached = lru_cache(maxsize=32_768)(_expand)


def _add_word(word: str, words: list[str], forms: dict[str, None]) -> None:
    folded = folding.fold(word)[:TERM_CHARS_MAX]
    if not folded:
        return
    words.append(folded)
    if not word.isascii():
        exact = word.casefold()[:TERM_CHARS_MAX]
        if exact != folded:
            forms[exact] = None
            # Who leaves out the accent of a borrowed word often writes its doubled letter once: `cafe`, `caffè`.
            forms[_DOUBLED.sub(r"\1", folded)] = None
    _add_case_forms(word, forms)


def _add_run(run: str, words: list[str], forms: dict[str, None]) -> None:
    folded = folding.fold(run)
    clusters = _CLUSTER.findall(folded) if _HANGS.search(folded) else list(folded)
    if len(clusters) == 1:
        words.append(clusters[0][:TERM_CHARS_MAX])
        return
    words.extend((first + second)[:TERM_CHARS_MAX] for first, second in itertools.pairwise(clusters))
    if clusters:
        # Every other character of the run begins a pair; with its last one here, a prefix finds each of them.
        forms[clusters[-1][:TERM_CHARS_MAX]] = None


def _add_compound(compound: str, forms: dict[str, None]) -> None:
    whole = folding.fold(compound.replace("\u2019", "'"))
    forms[whole[:TERM_CHARS_MAX]] = None
    if "/" in whole:
        for segment in whole.split("/"):
            if segment and not segment.isalnum():
                forms[segment[:TERM_CHARS_MAX]] = None


def _add_literal(text: str, forms: dict[str, None]) -> None:
    literal = folding.fold(text if text.isascii() and text.isprintable() else folding.remove_silent(text))
    if literal and not literal.isalnum():
        forms[literal[:TERM_CHARS_MAX]] = None


def _add_case_forms(word: str, forms: dict[str, None]) -> None:
    if word.isupper() and len(word) > 1:
        forms[CAPITALS + folding.fold(word)[: TERM_CHARS_MAX - 1]] = None
    if word.islower() or word.isupper() or word[1:].islower():
        return
    start = 0
    cuts: list[str] = []
    for place in range(1, len(word)):
        before, here = word[place - 1], word[place]
        is_hump = here.isupper() and not before.isupper()
        is_end_of_capitals = before.isupper() and here.isupper() and word[place + 1 : place + 2].islower()
        if is_hump or is_end_of_capitals:
            cuts.append(word[start:place])
            start = place
    if cuts:
        for part in (*cuts, word[start:]):
            forms[folding.fold(part)[:TERM_CHARS_MAX]] = None
