"""A word to its stem, by the script that it is written in; what is no word of letters stays as it is."""

from functools import lru_cache

import Stemmer

from app.domain.limits_faces import STEMMED_WORD_CHARS_MAX
from app.index import tokens

_ENGLISH = Stemmer.Stemmer("english", 0)
_RUSSIAN = Stemmer.Stemmer("russian", 0)


@lru_cache(maxsize=65_536)
def find_stem(word: str) -> str:
    """Find the stem of a folded word; of two words that mean the same it is mostly the same."""
    if not word.isalpha() or len(word) > STEMMED_WORD_CHARS_MAX:
        return word
    if word.isascii():
        return str(_ENGLISH.stemWord(word))
    if "\u0400" <= word[0] <= "\u04ff":
        return str(_RUSSIAN.stemWord(word))
    return word


def list_stems(words: list[str]) -> list[str]:
    """List the stem of each word, in the words' order."""
    return [find_stem(word) for word in words]


def list_new_stems(terms: tokens.Terms) -> list[str]:
    """List the stems that differ from their words, and those of the parts of camel-case names, each as often as met."""
    found = [stem for word in terms.words.split() if (stem := find_stem(word)) != word]
    parts = (form for form in terms.forms if form.isascii() and form.isalpha())
    found += [stem for part in parts if (stem := find_stem(part)) != part]
    return found
