"""What sessions said and did: found turn by turn, of their own project only, the same after any edits as built anew."""

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import StoreUnreadable
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome, ToolCall, ToolPurpose
from app.domain.redact import redact_event
from app.domain.scope import Scope
from app.domain.session import Observation
from app.index import build, observation, observed
from app.index.database import Connection, IndexDatabase
from app.search.answer import Grain, Hit
from app.search.gather import STREAM_NAMES
from tests.index import builders
from tests.index.builders import HOME, OTHER

START = datetime(2026, 5, 8, 9, tzinfo=UTC)
TABLES = (
    """SELECT o.id, s.project, h.session_id, o.shows, o.at_us, b.body FROM observations o
         JOIN observed h ON h.id = o.observed JOIN scopes s ON s.id = h.scope_id
         JOIN observation_bodies b ON b.id = o.id ORDER BY 1""",
    "SELECT o.session_id, s.project, o.through FROM observed o JOIN scopes s ON s.id = o.scope_id ORDER BY 1",
    "SELECT term, doc, cnt FROM session_text_counts WHERE term NOT IN ('s1', 's2') ORDER BY 1",
    "SELECT term, doc, cnt FROM observation_text_counts WHERE term NOT IN ('s1', 's2') ORDER BY 1",
    # Each word where the full text has it: nothing too much is left there, and nothing is missing.
    "SELECT * FROM temp.observation_words WHERE term NOT IN ('s1', 's2') ORDER BY 1, 2, 3, 4",
    "SELECT * FROM temp.session_words WHERE term NOT IN ('s1', 's2') ORDER BY 1, 2, 3, 4",
)
WORDS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.{}_words USING fts5vocab(main, {}_text, instance)"


def say(
    number: int, text: str, kind: EventKind = EventKind.PROMPT, *, actor: Actor = Actor.PERSON, **more: object
) -> Observation:
    event = Event(
        agent=AgentName.CLAUDE_CODE,
        kind=kind,
        native_name=kind.value,
        agent_session_id="s",
        actor=actor,
        text=text,
        occurred_at=START + timedelta(minutes=number),
        **more,  # type: ignore[arg-type]
    )
    return Observation(number, "s", START, redact_event(event))


def use(number: int, command: str, *, purpose: ToolPurpose = ToolPurpose.SHELL) -> Observation:
    tool = ToolCall("Bash", purpose, Outcome.SUCCEEDED, command=command, output_text=f"output of {command}")
    return say(number, "", EventKind.TOOL_END, actor=Actor.AGENT, tool=tool)


def hear(index: IndexDatabase, session: str, *said: Observation, scope: Scope = HOME, with_page: bool = True) -> None:
    if with_page:
        page = builders.make_page(f"sessions/{session}.md", "", scope=scope, kind="session", session_id=session)
        builders.put(index, page)
    entries = list(observation.build_entries(said))
    index.write(lambda connection: observed.put_session(connection, scope, session, entries, said[-1].id))


def dump(index: IndexDatabase) -> list[list[tuple[object, ...]]]:
    def look(connection: Connection) -> list[list[tuple[object, ...]]]:
        for text in ("observation", "session"):
            connection.execute(WORDS.format(text, text))
        return [connection.execute(statement).fetchall() for statement in TABLES]

    return index.write(look)


def ask(index: IndexDatabase, text: str, **others: object) -> list[Hit]:
    return list(builders.ask(index, text, grain=Grain.OBSERVATIONS, **others).hits)


def list_ids(hits: list[Hit]) -> list[int]:
    return [hit.observations[0].id for hit in hits]


def test_a_hit_on_an_observation_names_its_session_and_its_range(index: IndexDatabase) -> None:
    hear(index, "s1", say(11, "The lexer drops tabs."), say(12, "It also drops form feeds.", EventKind.TURN_END))

    first, *_ = ask(index, "what drops form feeds?")

    heard = first.observations[0]
    assert (first.path, heard.session_id, heard.stretch, heard.shows) == ("sessions/s1.md", "s1", "o12", "answer")
    assert "form feeds" in heard.snippet.text
    assert heard.at == START + timedelta(minutes=12)


def test_a_page_is_found_by_what_its_session_said_and_shows_where(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "Hello."), use(2, "pytest tests/test_tabs.py"))

    (hit,) = builders.ask(index, "test_tabs").hits

    assert hit.path == "sessions/s1.md"
    assert [heard.stretch for heard in hit.observations] == ["o2"]


def test_what_was_said_around_an_observation_helps_to_find_it(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "Which day is the zebra fair?"), say(2, "On Sunday.", EventKind.TURN_END))
    hear(index, "s2", say(3, "When is lunch?"), say(4, "On Monday.", EventKind.TURN_END))

    assert list_ids(ask(index, "day of the zebra fair"))[:2] == [1, 2]


def test_stems_of_a_question_find_other_forms_of_its_words(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "The migrations were breaking the indexes."))

    assert list_ids(ask(index, "which migration breaks an index")) == [1]


@pytest.mark.parametrize(
    "unheard",
    [
        say(1, "zebra", actor=Actor.MACHINE),
        say(1, "zebra", EventKind.SESSION_START),
        use(1, "zebra", purpose=ToolPurpose.MEMORY),
    ],
    ids=["recap", "start", "memory"],
)
def test_recaps_and_old_memories_are_no_observations_to_find(index: IndexDatabase, unheard: Observation) -> None:
    hear(index, "s1", unheard, say(2, "something else"))

    assert ask(index, "zebra") == []


def test_a_page_that_claims_another_project_s_session_shows_none_of_it(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "the canary sings"), scope=OTHER)
    builders.put(index, builders.make_page("sessions/fake.md", "x", kind="session", session_id="s1"))

    assert ask(index, "canary", scopes=frozenset({HOME})) == []
    assert builders.ask(index, "canary", scopes=frozenset({HOME})).hits == ()


@pytest.mark.parametrize("stream", STREAM_NAMES)
@pytest.mark.parametrize("grain", Grain)
def test_no_stream_shows_a_project_that_may_not_be_read(index: IndexDatabase, stream: str, grain: Grain) -> None:
    body = "canary_bird sings. [[home:notes/open]]\n" + "padding words here\n" * 300
    builders.put(
        index,
        builders.make_page("notes/open.md", "nothing here [[other:notes/bird]]"),
        builders.make_page("notes/bird.md", body, title="canary_bird", scope=OTHER, entities=["canary bird"]),
    )
    hear(index, "s1", say(1, "canary_bird sings"), scope=OTHER)
    skipped = frozenset(STREAM_NAMES) - {stream, "text"}

    hits = builders.ask(index, "canary_bird nothing", scopes=frozenset({HOME}), grain=grain, skipped=skipped).hits

    assert [hit.path for hit in hits if hit.scope == OTHER] == []
    assert "canary" not in str([hit.snippet for hit in hits])


def test_a_filter_holds_for_observations_before_the_limit(index: IndexDatabase) -> None:
    for number in range(1, 150):
        hear(index, f"s{number}", say(number, "zebra zebra zebra"), scope=OTHER)
    hear(index, "t1", say(500, "one zebra among other words"))

    assert list_ids(ask(index, "zebra", scopes=frozenset({HOME}))) == [500]
    assert list_ids(ask(index, "zebra project:home")) == [500]


def test_a_session_taken_out_is_not_found_any_more(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "zebra"))
    hear(index, "s2", say(2, "zebra"))

    index.write(lambda connection: observed.remove_session(connection, "s1"))
    assert list_ids(ask(index, "zebra")) == [2]
    index.write(lambda connection: build.remove_scope(connection, HOME))

    assert ask(index, "zebra") == []
    assert index.read(observed.count_observations) == 0


def test_a_session_that_grows_is_written_where_it_grew_only(index: IndexDatabase) -> None:
    said = [say(number, f"step {number} of the zebra fair") for number in range(1, 40)]
    hear(index, "s1", *said)
    changes = index.write(lambda connection: connection.total_changes)

    hear(index, "s1", *said, say(40, "the fair is over"), with_page=False)

    # One by one, all observations and all of their texts would be three times as many rows.
    assert index.write(lambda connection: connection.total_changes) - changes < len(said)
    assert list_ids(ask(index, "which fair is over"))[0] == 40


def test_sessions_of_an_absorbed_project_are_found_in_the_other(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "zebra stripes"), scope=OTHER, with_page=False)
    page = builders.make_page("sessions/s1.md", "", kind="session", session_id="s1")

    index.write(lambda connection: build.absorb_scope(connection, OTHER, HOME))
    builders.put(index, page)

    assert list_ids(ask(index, "zebra", scopes=frozenset({HOME}))) == [1]
    index.write(lambda connection: observed.remove_session(connection, "s1"))
    assert ask(index, "zebra") == []


def test_a_damaged_text_of_an_observation_makes_the_index_suspect(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "zebra stripes"))
    index.write(lambda connection: connection.execute("UPDATE observation_bodies SET body = x'00'"))

    with pytest.raises(StoreUnreadable):
        ask(index, "zebra")


def test_the_newer_of_two_that_say_the_same_stands_first(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "The staging database listens on port 5432."))
    hear(index, "s2", say(9000, "The staging database listens on port 5544 now."))

    assert list_ids(ask(index, "which port does the staging database listen on?")) == [9000, 1]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["s1", "s2"]),
        st.sampled_from([HOME, OTHER]),
        st.lists(st.sampled_from(["zebra", "running lexers", "用户身份", "getUserByID"]), max_size=4),
    ),
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_observations_after_any_edits_equal_a_fresh_build(steps: list[tuple[str, Scope, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        edited, fresh = IndexDatabase(Path(folder, "edited")), IndexDatabase(Path(folder, "fresh"))
        edited.open()
        fresh.open()
        left: dict[str, tuple[Scope, list[Observation]]] = {}
        for session, scope, texts in steps:
            first = 100 if session == "s2" else 1
            said = [say(first + number, text) for number, text in enumerate(texts)]
            if said:
                hear(edited, session, *said, scope=scope, with_page=False)
                left[session] = (scope, said)
            else:
                index_session = session
                edited.write(lambda connection, gone=index_session: observed.remove_session(connection, gone))  # type: ignore[misc]
                left.pop(session, None)

        for session, (scope, said) in sorted(left.items()):
            hear(fresh, session, *said, scope=scope, with_page=False)

        assert dump(edited) == dump(fresh)
        edited.close()
        fresh.close()


def test_a_session_is_found_by_what_it_says_in_several_places(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "The lexer drops tabs."), say(2, "A form feed is lost."))
    hear(index, "s2", say(3, "The lexer is slow."))

    first = builders.ask(index, "lexer feed", with_why=True).hits[0]

    assert first.session_id == "s1"
    assert first.why is not None
    assert ("sessions", 1) in first.why.stream_ranks


def test_a_session_that_is_taken_out_is_found_no_more_as_a_whole(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "The lexer drops tabs."), say(2, "A form feed is lost."))

    index.write(lambda connection: observed.remove_session(connection, "s1"))

    assert index.read(lambda connection: connection.execute("SELECT count(*) FROM session_text_counts").fetchone()) == (
        0,
    )


def test_a_word_of_most_sessions_still_counts(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "It is slow."))
    hear(index, "s2", say(2, "It is slow, the server."))
    for number in range(3, 9):
        hear(index, f"s{number}", say(number, f"The {'server' if number < 7 else 'reader'} starts for run {number}."))

    found = builders.ask(index, "server slow", with_why=True).hits

    ranks = {hit.session_id: dict(hit.why.stream_ranks)["sessions"] for hit in found if hit.why}
    assert (ranks["s2"], ranks["s1"]) == (1, 2)


def test_who_is_asked_about_stands_before_who_is_spoken_to(index: IndexDatabase) -> None:
    hear(index, "s1", say(1, "Ann: Ben, do you play the clarinet?"), say(2, "Ben: I play the clarinet, yes."))

    found = builders.ask(index, "what does Ben play", grain=Grain.OBSERVATIONS).hits

    assert [hit.observations[0].id for hit in found] == [2, 1]
