"""A person's words become quoted terms; no grammar of theirs is left."""

import pytest

from app.domain.limits import QUERY_CHARS_MAX, QUERY_POSTINGS_MAX, QUERY_TERMS_MAX
from app.search import query
from app.search.query import QueryTerm


def texts(text: str) -> list[str]:
    return [term.text for term in query.parse_query(text).terms]


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\U0001f680", "\x00", "\ud83d"])
def test_a_text_without_words_or_signs_has_no_terms(text: str) -> None:
    assert query.parse_query(text).terms == ()


def test_words_and_signs_of_grammar_are_ordinary_terms() -> None:
    assert texts("foo and near(a b) not c*") == ["foo", "and", "near", "a", "near(a", "b", "not", "c", "c*"]


def test_every_term_is_quoted_and_quotes_are_doubled() -> None:
    terms = (QueryTerm('say"'), QueryTerm("OR"), QueryTerm("备", is_prefix=True))

    match = query.build_match(terms, None)

    assert match == '{title headings names body forms stems} : ("say""" OR "OR" OR "备" *)'


def test_scopes_stand_beside_the_terms_not_among_them() -> None:
    match = query.build_match((QueryTerm("s1"),), (1, 23))

    assert match == '({title headings names body forms stems} : ("s1")) AND (facets : ("s1" OR "s23"))'


def test_quoted_words_are_a_phrase_and_terms() -> None:
    understood = query.parse_query('find "lexer vet error" \u201cgo build\u201d')

    assert understood.phrases == ("lexer vet error", "go build")
    assert [term.text for term in understood.terms] == ["find", "lexer", "vet", "error", "go", "build"]


@pytest.mark.parametrize("text", ['say "hi', '"', '""', '"*"', '" "'])
def test_quotes_around_no_words_are_no_phrase(text: str) -> None:
    assert query.parse_query(text).phrases == ()


def test_a_single_character_of_a_run_is_asked_as_a_beginning() -> None:
    (term,) = query.parse_query("备").terms

    assert term.is_prefix


def test_a_text_is_cut_only_past_its_bound() -> None:
    assert not query.parse_query("x" * QUERY_CHARS_MAX).is_cut
    assert query.parse_query("x" * (QUERY_CHARS_MAX + 1)).is_cut


def test_the_longest_terms_of_a_long_text_are_kept_in_its_order() -> None:
    short = [f"a{number}" for number in range(QUERY_TERMS_MAX)]

    understood = query.parse_query(" ".join(["longest", *short, "longer"]))

    assert understood.is_cut
    assert len(understood.terms) == QUERY_TERMS_MAX
    assert understood.terms[0].text == "longest"
    assert understood.terms[-1].text == "longer"


def test_common_terms_do_not_gather_candidates_beside_rare_ones() -> None:
    counts = {"the": 9000, "lexer": 3}

    chosen = query.choose_terms(query.parse_query("the lexer"), counts, 10_000)

    assert [term.text for term in chosen.terms] == ["lexer"]
    assert not chosen.is_costly


def test_a_query_of_only_common_terms_keeps_its_rarest() -> None:
    counts = {"the": 9000, "of": 8000}

    chosen = query.choose_terms(query.parse_query("the of"), counts, 10_000)

    assert [term.text for term in chosen.terms] == ["of"]
    assert chosen.is_costly


def test_in_a_small_project_common_terms_gather_too() -> None:
    counts = {"the": QUERY_POSTINGS_MAX, "of": QUERY_POSTINGS_MAX}

    chosen = query.choose_terms(query.parse_query("the of"), counts, 20)

    assert len(chosen.terms) == 2


def test_words_are_asked_by_their_stems_and_a_question_s_own_words_count_next_to_nothing() -> None:
    what, did, migrations, break_ = query.parse_query("what did migrations break").terms

    assert (migrations.asked, break_.asked) == ("migrat", "break")
    assert what.is_asking
    assert did.is_asking
    assert what.weight < migrations.weight / 10


def test_where_nothing_else_is_asked_a_question_s_own_words_are_the_subject() -> None:
    assert not any(term.is_asking for term in query.parse_query("what is it").terms)


def test_terms_that_only_ask_gather_no_candidates_beside_others() -> None:
    understood = query.parse_query("what is a lexer")
    counts = dict.fromkeys(("what", "is", "a", "lexer"), 5)

    assert [term.text for term in query.choose_terms(understood, counts, 100).terms] == ["lexer"]
