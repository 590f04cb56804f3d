"""A person's words to a query, and a query to an FTS5 expression in which every word of the person's is quoted."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from app.domain.limits import QUERY_CHARS_MAX, QUERY_POSTINGS_MAX, QUERY_TERMS_MAX
from app.index import stems, tokens
from app.search.asking import ASKING_WORDS

_QUOTED = re.compile('"([^"]+)"|\u201c([^\u201c\u201d]+)\u201d')
_NAMING_COLUMNS = "{title headings names}"
_WORD_COLUMNS = "{title headings names body}"
_ALL_COLUMNS = "{title headings names body forms stems}"
_PASSAGE_COLUMNS = "{own stems forms near}"
_SAID_COLUMNS = "{own stems forms}"
_OBSERVATION_COLUMNS = "{own stems forms near moment}"
_OBSERVATION_WORDS = "{own}"

# A word says more than another form of it: the parts of a name, a spelling with accents.
_WORD_WEIGHT = 1.0
_FORM_WEIGHT = 0.5
_CAPITALS_WEIGHT = 0.1
# Pairs of characters overlap, so a run of them is half as many words.
_PAIR_WEIGHT = 0.5
_ASKING_WEIGHT = 0.05


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One term to look for; `is_prefix` for a single character of a script without blanks.

    `stem` is what it is asked by where that is another text; `is_asking` terms only make the question one.
    """

    text: str
    weight: float = _WORD_WEIGHT
    is_prefix: bool = False
    stem: str = ""
    is_asking: bool = False

    @property
    def asked(self) -> str:
        """What stands in the index for this term."""
        return self.stem or self.text


@dataclass(frozen=True, slots=True)
class Query:
    """What was understood: terms of which any may match, and phrases (words joined by blanks) that all must.

    `words` is the whole query in reading order, `literal` its text as typed.
    """

    literal: str
    words: str
    terms: tuple[QueryTerm, ...]
    phrases: tuple[str, ...] = ()
    is_cut: bool = False


def parse_query(text: str) -> Query:
    """Understand any text; it never raises, and a text without terms has none."""
    kept = text[:QUERY_CHARS_MAX]
    phrases = [tokens.build_terms(match[1] or match[2]).words for match in _QUOTED.finditer(kept)]
    # Quotes that mean a phrase stand like blanks; a lone one stays part of the text.
    plain = _QUOTED.sub(_unquote, kept)
    found: dict[str, QueryTerm] = {}
    words: list[str] = []
    for chunk in tokens.split_chunks(plain):
        terms = tokens.expand_chunk(chunk)
        chunk_words = terms.words.split()
        words += chunk_words
        for word in chunk_words:
            found[word] = _build_word(word)
        for form in terms.forms:
            # The last character of a run is kept for pages only: asked for, it would match almost any.
            if not tokens.is_unspaced(form):
                weight = _CAPITALS_WEIGHT if form.startswith(tokens.CAPITALS) else _FORM_WEIGHT
                found.setdefault(form, QueryTerm(form, weight))
    if all(term.is_asking for term in found.values() if term.weight >= _ASKING_WEIGHT):
        # Nothing else is asked for, so these are the subject.
        found = {text: replace(term, weight=_WORD_WEIGHT, is_asking=False) for text, term in found.items()}
    return Query(
        literal=clean(text),
        words=" ".join(words),
        terms=_keep_longest(tuple(found.values())),
        phrases=tuple(dict.fromkeys(phrase for phrase in phrases if phrase)),
        is_cut=len(text) > QUERY_CHARS_MAX or len(found) > QUERY_TERMS_MAX,
    )


def clean(text: str) -> str:
    """Drop what no page can hold and SQLite cannot bind: lone surrogates and NUL; and what is over the bound."""
    return text[:QUERY_CHARS_MAX].encode("utf-8", "ignore").decode("utf-8").replace("\0", "").strip()


def _build_word(word: str) -> QueryTerm:
    stem = stems.find_stem(word)
    is_asking, is_unspaced = word in ASKING_WORDS, tokens.is_unspaced(word)
    return QueryTerm(
        word,
        _ASKING_WEIGHT if is_asking else _PAIR_WEIGHT if is_unspaced else _WORD_WEIGHT,
        is_prefix=len(word) == 1 and is_unspaced,
        stem="" if stem == word else stem,
        is_asking=is_asking,
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """The terms that gather candidates; `is_costly` if even the rarest stands on very many pages."""

    terms: tuple[QueryTerm, ...]
    is_costly: bool = False


def choose_terms(
    query: Query, counts: Mapping[str, int], pages_max: int, postings_max: int = QUERY_POSTINGS_MAX
) -> Choice:
    """Choose the terms that gather candidates: the rarest first, until they cost enough; at least one.

    The others still count when candidates are ranked. `pages_max` is how many pages the caller may see: a term
    is ranked on no more than those, and counted on all.
    """
    known = [term for term in query.terms if counts.get(term.text, 0)]
    telling = [term for term in known if not term.is_asking]
    known = telling or known
    known.sort(key=lambda term: counts[term.text])
    chosen: list[QueryTerm] = []
    cost = 0
    for term in known:
        cost += counts[term.text] // 4 + min(counts[term.text], pages_max)
        if chosen and cost > postings_max:
            return Choice(tuple(chosen))
        chosen.append(term)
        if cost > postings_max:
            return Choice(tuple(chosen), is_costly=True)
    return Choice(tuple(chosen))


def build_match(terms: Collection[QueryTerm], scope_ids: Collection[int] | None, *, in_naming: bool = False) -> str:
    """Write the FTS5 expression for any of the terms in these scopes, on request only in titles, headings, names."""
    return _limit(_join_terms(terms, _NAMING_COLUMNS if in_naming else _ALL_COLUMNS), scope_ids)


def build_phrase_match(
    phrases: Collection[str], scope_ids: Collection[int] | None, beside: Collection[QueryTerm] = ()
) -> str:
    """Write the FTS5 expression for all of the phrases, word for word, and any of the terms beside them."""
    asked = f"{_WORD_COLUMNS} : ({' AND '.join(_quote(phrase) for phrase in phrases)})"
    return _limit(f"({asked}) AND ({_join_terms(beside, _ALL_COLUMNS)})" if beside else asked, scope_ids)


def build_passage_match(terms: Collection[QueryTerm], scope_ids: Collection[int] | None) -> str:
    """Write the FTS5 expression for any of the terms in pieces of long pages."""
    return _limit(_join_terms(terms, _PASSAGE_COLUMNS), scope_ids)


def build_session_match(terms: Collection[QueryTerm], scope_ids: Collection[int] | None) -> str:
    """Write the FTS5 expression for any of the terms in the whole text of sessions."""
    return _limit(_join_terms(terms, _SAID_COLUMNS), scope_ids)


def build_observation_match(query: Query, terms: Collection[QueryTerm], scope_ids: Collection[int] | None) -> str:
    """Write the FTS5 expression for any of the terms in observations, and for all of the phrases."""
    parts = [f"({_join_terms(terms, _OBSERVATION_COLUMNS)})"] if terms else []
    parts += [f"({_OBSERVATION_WORDS} : {_quote(phrase)})" for phrase in query.phrases]
    return _limit(" AND ".join(parts), scope_ids)


def build_exclusion(words: Collection[str], *, is_heard: bool) -> str:
    """Write the FTS5 expression for any of these texts, word for word, in pages or in observations; empty for none."""
    columns = _SAID_COLUMNS if is_heard else _ALL_COLUMNS
    return f"{columns} : ({' OR '.join(map(_quote, words))})" if words else ""


def _join_terms(terms: Collection[QueryTerm], columns: str) -> str:
    asked = dict.fromkeys(_quote(term.asked) + (" *" if term.is_prefix else "") for term in terms)
    alternatives = list(asked)
    return f"{columns} : ({' OR '.join(alternatives)})"


def _limit(asked: str, scope_ids: Collection[int] | None) -> str:
    if scope_ids is None:
        return asked
    scopes = " OR ".join(f'"s{scope_id:d}"' for scope_id in scope_ids)
    return f"({asked}) AND (facets : ({scopes}))"


def _unquote(match: re.Match[str]) -> str:
    inner = match[1] or match[2]
    return f" {inner} " if tokens.build_terms(inner).words else match[0]


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _keep_longest(terms: tuple[QueryTerm, ...]) -> tuple[QueryTerm, ...]:
    """Keep the longest terms of a long text, in its order: they tell most about it."""
    if len(terms) <= QUERY_TERMS_MAX:
        return terms
    longest = sorted(terms, key=lambda term: -len(term.text))[:QUERY_TERMS_MAX]
    kept = set(longest)
    return tuple(term for term in terms if term in kept)
