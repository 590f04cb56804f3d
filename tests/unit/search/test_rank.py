"""Ranking is total, stable, and led by how much of the query's rarity a page covers."""

from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.domain.limits import RERANKED_MAX
from app.domain.limits_search import NEAR_RERANKED_MAX
from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope
from app.index.entries import CandidateRow, PageRow, Sighting
from app.search import query, rank
from app.search.rank import Evidence, Ranked
from app.search.weights import PAGE_WEIGHTS

MOMENT = datetime(2026, 5, 8, tzinfo=UTC)


def make_row(
    row_id: int, text: str, *, title: str = "", kind: PageKind = PageKind.NOTE, has_literal: bool = False
) -> CandidateRow:
    page = PageRow(
        row_id=row_id,
        scope=Scope("main", "home"),
        path=PagePath(f"notes/{row_id}.md"),
        kind=kind,
        title=title,
        id="",
        description="",
        session_id="",
        agent="",
        author="",
        updated_at=MOMENT,
        verified_at=None,
        superseded_by="",
        is_pinned=False,
        content_hash="",
        revision="",
    )
    return CandidateRow(page, title, "", f" {title} {text} ", has_literal, f" {text} ")


def order(text: str, rows: Sequence[CandidateRow], counts: dict[str, int], *, found: Sequence[int]) -> list[Ranked]:
    understood = query.parse_query(text)
    weights = rank.weigh_terms(understood.terms, counts, 100)
    listed = [Sighting(row_id, 1 - place / 100) for place, row_id in enumerate(found, start=1)]
    evidence = Evidence(weights, {rank.TEXT: listed})
    return rank.rank_candidates(understood, evidence, rows, PAGE_WEIGHTS)


def first(ranked: Sequence[Ranked]) -> int:
    return ranked[0].row.page.row_id


def test_more_matching_terms_stand_before_fewer() -> None:
    rows = [make_row(1, "lexer lexer lexer"), make_row(2, "lexer vet error")]
    counts = {"lexer": 5, "vet": 5, "error": 5}

    assert first(order("lexer vet error", rows, counts, found=[1, 2])) == 2


def test_a_rarer_matching_term_stands_before_a_common_one() -> None:
    rows = [make_row(1, "error"), make_row(2, "lexer")]

    assert first(order("lexer error", rows, {"lexer": 1, "error": 60}, found=[1, 2])) == 2


def test_a_title_a_neighbourhood_and_the_text_as_typed_order_equals() -> None:
    counts = {"go": 9, "vet": 9}
    apart = make_row(1, "go and vet")
    near = make_row(2, "and go vet")
    titled = make_row(3, "and", title="go vet")
    typed = make_row(4, "go vet and", has_literal=True)

    ranked = order("go vet", [apart, near, titled, typed], counts, found=[1, 2, 3, 4])

    assert {first(ranked), ranked[1].row.page.row_id} == {3, 4}
    assert ranked[-1].row.page.row_id == 1


def test_a_generated_index_page_stands_behind_an_equal_page() -> None:
    rows = [make_row(1, "lexer", kind=PageKind.INDEX), make_row(2, "lexer")]

    assert first(order("lexer", rows, {"lexer": 2}, found=[1, 2])) == 2


def test_what_is_near_in_meaning_takes_no_place_from_what_has_the_words() -> None:
    understood = query.parse_query("lexer vet error go")
    with_words = [make_row(number, "lexer and much else") for number in range(RERANKED_MAX)]
    near = [make_row(1000 + number, "nothing of it") for number in range(2 * NEAR_RERANKED_MAX)]
    weights = rank.weigh_terms(understood.terms, {"lexer": 60, "vet": 1, "error": 1, "go": 1}, 100)
    streams = {
        rank.TEXT: [Sighting(row.page.row_id, 1.0) for row in with_words],
        rank.VECTORS: [Sighting(row.page.row_id, 1.0) for row in near],
    }

    ranked = rank.rank_candidates(understood, Evidence(weights, streams), [*near, *with_words], PAGE_WEIGHTS)

    found = {entry.row.page.row_id for entry in ranked}
    assert found == {row.page.row_id for row in (*with_words, *near[:NEAR_RERANKED_MAX])}


def test_likeness_says_less_of_a_session_than_of_a_page() -> None:
    understood = query.parse_query("lexer")
    rows = [make_row(1, "nothing", kind=PageKind.SESSION), make_row(2, "nothing")]
    evidence = Evidence({"lexer": 1.0}, {rank.VECTORS: [Sighting(1, 1.0), Sighting(2, 0.9)]})

    assert first(rank.rank_candidates(understood, evidence, rows, PAGE_WEIGHTS)) == 2


def test_reasons_say_what_matched_and_where_each_stream_put_it() -> None:
    (found,) = order("lexer absent", [make_row(7, "the lexer")], {"lexer": 1}, found=[7])

    assert found.why.stream_ranks == ((rank.TEXT, 1),)
    assert found.why.matched == ("lexer",)
    assert 0 < found.why.coverage < 1


@given(
    st.lists(st.lists(st.sampled_from(["go", "vet", "lexer", "the"]), min_size=1, max_size=6), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_ranking_is_total_and_does_not_depend_on_the_order_of_the_rows(
    texts: list[list[str]], chance: st.DataObject
) -> None:
    rows = [make_row(number, " ".join(words)) for number, words in enumerate(texts)]
    shuffled = list(rows)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    counts = {"go": 3, "vet": 2, "lexer": 1, "the": 90}
    found = list(range(len(rows)))

    once = order("the go vet lexer", rows, counts, found=found)
    again = order("the go vet lexer", shuffled, counts, found=found)

    assert once == again
    assert [entry.score for entry in once] == sorted((entry.score for entry in once), reverse=True)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=8, unique=True),
    st.lists(st.integers(0, 9), min_size=1, max_size=8, unique=True),
    st.dictionaries(st.integers(0, 9), st.floats(0, 1)),
    st.data(),
)
def test_a_better_place_in_any_list_never_makes_the_fused_score_smaller(
    text: list[int], names: list[int], coverage: dict[int, float], chance: st.DataObject
) -> None:
    place = chance.draw(st.integers(0, len(text) - 1))
    chosen = text[place]
    lifted = [chosen, *(row for row in text if row != chosen)]

    def fuse(listed: list[int]) -> float:
        streams = {rank.TEXT: [Sighting(row, 1.0) for row in listed], rank.NAMES: [Sighting(row, 1.0) for row in names]}
        return rank.fuse(streams, coverage)[chosen]

    assert fuse(lifted) >= fuse(text)
