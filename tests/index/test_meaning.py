"""Search by meaning: what shares no word is found, each model has its own vectors, and words answer without any."""

import sqlite3
from collections.abc import Callable

import pytest

from app.domain.search_errors import EmbedderUnavailable
from app.index import embed, observed
from app.index.database import IndexDatabase
from app.index.embed import Embedder
from app.index.meaning import Meaning
from app.search import pages
from app.search.answer import Grain, SearchAnswer, SearchRequest
from app.search.opinions import Aids
from tests.fakes import FakeEmbedder
from tests.index import builders
from tests.index.builders import HOME, OTHER
from tests.index.test_observations import hear, say


def learn(index: IndexDatabase, embedder: FakeEmbedder | None = None) -> Meaning:
    """Embed all that waits."""
    meaning = open_meaning(index, embedder or FakeEmbedder())
    while meaning.embed_waiting():
        pass
    return meaning


def open_meaning(index: IndexDatabase, embedder: FakeEmbedder, load: Callable[[], Embedder] | None = None) -> Meaning:
    return Meaning(index, embedder.name, load or (lambda: embedder))


def ask(index: IndexDatabase, meaning: Meaning, text: str, **others: object) -> SearchAnswer:
    return pages.search(index, SearchRequest(text, **others), Aids(meaning))  # type: ignore[arg-type]


def paths(index: IndexDatabase, meaning: Meaning, text: str, **others: object) -> list[str]:
    return [hit.path for hit in ask(index, meaning, text, **others).hits]


def fail() -> Embedder:
    raise EmbedderUnavailable("its file is gone")


def test_a_question_that_shares_no_word_finds_what_means_the_like(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres in spring."))
    builders.put(index, builders.make_page("notes/cars.md", "The automobile is red."))

    found = ask(index, learn(index), "which relational database", with_why=True)

    assert [hit.path for hit in found.hits] == ["notes/store.md", "notes/cars.md"][: len(found.hits)]
    assert found.hits[0].why
    assert ("vectors", 1) in found.hits[0].why.stream_ranks


def test_the_piece_of_a_long_page_that_means_the_like_is_shown(index: IndexDatabase) -> None:
    filler = "Nothing of note happened here at all. " * 60
    builders.put(index, builders.make_page("notes/long.md", f"{filler}\n\nWe ship by automobile.\n\n{filler}"))

    found = ask(index, learn(index), "vehicle rollout")

    assert found.hits[0].path == "notes/long.md"


def test_what_somebody_said_is_found_by_its_meaning(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "Put it into postgres please"), say(2, "The weather is fine"))

    found = ask(index, learn(index), "relational database", grain=Grain.OBSERVATIONS)

    assert found.hits[0].observations[0].id == 1


def test_without_its_model_the_words_answer_and_the_stream_is_named(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres in spring."))
    meaning = open_meaning(index, FakeEmbedder(), fail)

    found = ask(index, meaning, "postgres")

    assert [hit.path for hit in found.hits] == ["notes/store.md"]
    assert found.degraded == ("vectors",)
    assert index.is_intact()


def test_vectors_that_were_cut_short_are_named_and_the_words_answer(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres in spring."))
    learn(index)
    index.write(lambda connection: connection.execute("UPDATE vectors SET vector = substr(vector, 1, 8)"))

    found = ask(index, open_meaning(index, FakeEmbedder()), "postgres")

    assert [hit.path for hit in found.hits] == ["notes/store.md"]
    assert found.degraded == ("vectors",)


def test_another_model_sees_none_of_the_vectors_before_its_own_are_made(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres in spring."))
    first, second = FakeEmbedder("one"), FakeEmbedder("two", turn=5)
    learn(index, first)
    switched = open_meaning(index, second)

    at_once = paths(index, switched, "relational database")
    words = paths(index, switched, "postgres")

    assert (at_once, words) == ([], ["notes/store.md"])
    assert (switched.stats.done, switched.stats.total) == (0, 1)


def test_going_back_to_a_model_finds_its_vectors_again(index: IndexDatabase) -> None:
    for number in range(20):
        builders.put(index, builders.make_page(f"notes/{number}.md", f"Page {number} of the postgres notes."))
    first, second = FakeEmbedder("one"), FakeEmbedder("one", "2", turn=5)
    learn(index, first)
    half_way = open_meaning(index, second)
    half_way.embed_waiting()

    back = open_meaning(index, first)

    assert 0 < half_way.stats.done < half_way.stats.total
    assert len(paths(index, half_way, "relational")) == half_way.stats.done
    assert len(paths(index, back, "relational", limit=50)) == back.stats.total == back.stats.done


def test_a_model_that_is_not_the_one_it_should_be_is_not_asked(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres in spring."))
    meaning = open_meaning(index, FakeEmbedder("one"), lambda: FakeEmbedder("two"))

    with pytest.raises(EmbedderUnavailable):
        meaning.embed_waiting()


@pytest.mark.parametrize("exact_max", [10_000, 10], ids=["as they are", "by signs"])
def test_a_small_project_gets_all_of_its_own_beside_a_large_one(
    index: IndexDatabase, exact_max: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.index.nearest.VECTORS_EXACT_MAX", exact_max)
    for number in range(600):
        builders.put(index, builders.make_page(f"notes/{number}.md", f"postgres tables {number}", scope=OTHER))
    for number in range(20):
        builders.put(index, builders.make_page(f"notes/{number}.md", f"postgres in house {number}"))

    found = ask(index, learn(index), "relational database", scopes=frozenset({HOME}), limit=20)

    assert len(found.hits) == 20
    assert {hit.scope for hit in found.hits} == {HOME}


@pytest.mark.parametrize("grain", Grain)
def test_what_was_said_in_another_project_is_near_to_nobody_else(index: IndexDatabase, grain: Grain) -> None:
    hear(index, "s1", say(1, "the canary database"), scope=OTHER)
    hear(index, "s2", say(2, "our own tables"))

    found = ask(index, learn(index), "relational", scopes=frozenset({HOME}), grain=grain)

    assert {(hit.scope, hit.session_id) for hit in found.hits} == {(HOME, "s2")}
    assert "canary" not in str(found)


def test_a_rare_filter_is_applied_before_the_nearest_are_cut_off(index: IndexDatabase) -> None:
    for number in range(600):
        builders.put(index, builders.make_page(f"notes/{number}.md", "postgres"))
    builders.put(index, builders.make_page("notes/tagged.md", "postgres and much else to say", tags=("rare",)))

    assert paths(index, learn(index), "relational", tags=("rare",)) == ["notes/tagged.md"]


def test_signs_and_exact_vectors_find_the_same_first(index: IndexDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    builders.fill(index, 300)
    builders.put(index, builders.make_page("notes/store.md", "postgres"))
    meaning = learn(index)
    exact = paths(index, meaning, "relational database")
    monkeypatch.setattr("app.index.nearest.VECTORS_EXACT_MAX", 10)

    assert paths(index, open_meaning(index, FakeEmbedder()), "relational database")[0] == exact[0] == "notes/store.md"


def test_a_page_that_changed_is_embedded_anew_and_one_that_went_is_not_found(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres."))
    meaning = learn(index)
    builders.put(index, builders.make_page("notes/store.md", "We drive a car."))
    while meaning.embed_waiting():
        pass

    before = paths(index, meaning, "automobile")
    builders.remove(index, "notes/store.md")

    assert (before, paths(index, meaning, "automobile")) == (["notes/store.md"], [])


def test_what_was_said_is_embedded_once_however_often_its_session_grows(index: IndexDatabase) -> None:
    embedder = FakeEmbedder()
    said = [say(number, f"postgres {number}") for number in range(1, 4)]
    hear(index, "s1", *said[:2])
    learn(index, embedder)
    embedder.texts.clear()

    hear(index, "s1", *said, with_page=False)
    meaning = learn(index, embedder)

    assert [text for text in embedder.texts if "postgres 1" in text] == []
    assert meaning.stats.done == meaning.stats.total


def test_of_a_session_s_page_the_beginning_is_embedded_and_all_that_was_said(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "postgres it is"), with_page=False)
    body = f"{'What the session was about. ' * 100}\n\nIn the end an automobile."
    builders.put(index, builders.make_page("sessions/s1.md", body, kind="session", session_id="s1"))
    builders.put(index, builders.make_page("notes/long.md", body))
    embedder = FakeEmbedder()

    learn(index, embedder)

    assert sum("automobile" in text for text in embedder.texts) == 1
    assert sum("postgres" in text for text in embedder.texts) == 1


def test_a_page_that_was_just_written_again_waits_behind_the_others(index: IndexDatabase) -> None:
    for number in range(40):
        builders.put(index, builders.make_page(f"notes/{number}.md", f"postgres {number}"))
    builders.put(index, builders.make_page("notes/0.md", "written anew"))
    embedder = FakeEmbedder()

    learn(index, embedder)

    assert "written anew" in embedder.texts[-1]


def test_a_forgotten_session_leaves_no_vector(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "postgres it is"), with_page=False)
    learn(index)

    index.write(lambda connection: observed.remove_session(connection, "s1"))

    assert index.read(count_vectors) == 0


def test_a_new_file_is_not_answered_from_the_old_one_s_vectors(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres."))
    meaning = learn(index)
    assert paths(index, meaning, "relational") == ["notes/store.md"]

    index.recreate()
    builders.put(index, builders.make_page("notes/other.md", "Nothing like it."))

    assert paths(index, meaning, "relational") == []


def test_a_text_that_the_model_cannot_read_gets_no_vector_and_is_done(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/zh.md", "用户身份 设备清单", title="设备"))

    meaning = learn(index)

    assert (meaning.stats.done, meaning.stats.total) == (1, 1)
    assert paths(index, meaning, "设备清单") == ["notes/zh.md"]


def test_every_vector_says_which_model_and_revision_made_it(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/store.md", "We chose Postgres."))
    learn(index, FakeEmbedder("one", "r7"))

    assert index.read(list_makers) == [("one", "r7")]


@pytest.mark.skipif(not embed.is_installed(), reason="the extra `vectors` is not installed (make vectors)")
def test_the_installed_model_finds_a_paraphrase(index: IndexDatabase) -> None:
    builders.put(index, builders.make_page("notes/one.md", "The server has to be restarted after each upgrade."))
    builders.put(index, builders.make_page("notes/two.md", "Lunch is at noon on Fridays."))
    meaning = Meaning(index)
    while meaning.embed_waiting():
        pass

    assert paths(index, meaning, "reboot the machine when there is a new release")[0] == "notes/one.md"


def count_vectors(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])


def list_makers(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute(
        "SELECT e.model, e.revision FROM vectors v JOIN embedders e ON e.id = v.embedder"
    ).fetchall()
