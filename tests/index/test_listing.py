"""Filters alone list what passes them, the newest change first, however much there is that does not."""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.page import PageKind
from app.domain.search_errors import CursorRejected
from app.index import observed, tokens
from app.index.database import IndexDatabase
from app.index.observation import ObservationEntry
from app.search import answer
from app.search.answer import Grain
from tests.index import builders
from tests.index.builders import HOME, OTHER

NOW = datetime(2026, 6, 1, tzinfo=UTC)
AGES = ("2026-05-01", "2026-05-03", "2026-05-02", "2026-05-05", "2026-05-04")


@pytest.fixture
def listed(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    """Five decisions among many newer notes, every other one pinned, two with a word of their own."""
    opened = open_index()
    builders.fill(opened, 60)
    builders.put(
        opened,
        *(
            builders.make_page(
                f"decisions/{number}.md",
                f"# d{number}\n\nWe keep the {'draft' if number in {1, 2} else 'plan'}.",
                title=f"d{number}",
                kind=PageKind.DECISION,
                tags=("pick",) if number else (),
                updated_at=f"{age}T12:00:00+00:00",
                pinned=number % 2 == 0,
                agent="codex" if number < 3 else "claude-code",
                author="anna",
            )
            for number, age in enumerate(AGES)
        ),
        builders.make_page(
            "decisions/0.md", "Elsewhere.", scope=OTHER, kind=PageKind.DECISION, updated_at="2026-05-06"
        ),
    )
    return opened


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("kind:decision", "34120"),
        ("kind:decision is:pinned", "420"),
        ("tag:pick since:2026-05-03", "341"),
        ("path:decisions/ until:2026-05-02", "20"),
        ("by:anna agent:codex", "120"),
        ("kind:decision -draft", "340"),
        ('kind:decision -"keep the draft"', "340"),
        ("kind:decision as-of:2026-05-02", "20"),
        ("kind:decision tag:none", ""),
        (" kind:decision\n", "34120"),
    ],
)
def test_filters_alone_list_what_passes_them_the_newest_change_first(
    listed: IndexDatabase, text: str, numbers: str
) -> None:
    found = builders.ask(listed, text, scopes=frozenset({HOME}), with_why=True, now=NOW)

    assert [hit.path for hit in found.hits] == [f"decisions/{number}.md" for number in numbers]
    assert found.understood.is_newest_first
    assert found.understood.terms == ()
    assert all(hit.snippet.marks == () and hit.why is not None and hit.why.is_listed for hit in found.hits)


def test_a_listing_begins_with_what_a_page_says_and_tells_how_it_was_understood(listed: IndexDatabase) -> None:
    text = answer.render_answer(builders.ask(listed, "kind:decision -draft", limit=1, scopes=frozenset({HOME})))

    assert "We keep the plan." in text
    assert "(only kind:decision; without draft; the newest change first)" in text
    assert "(2 more; go on with cursor=" in text


def test_filters_of_the_request_alone_list_too_and_nothing_at_all_does_not(listed: IndexDatabase) -> None:
    assert builders.paths(listed, " ", kinds=(PageKind.DECISION,), scopes=frozenset({HOME}), limit=1) == [
        "decisions/3.md"
    ]
    assert builders.paths(listed, "", scopes=frozenset({HOME})) == []


@pytest.mark.parametrize("text", ['"kind:decision"', "-draft", "kind:poem"])
def test_what_is_no_filter_alone_is_looked_for(listed: IndexDatabase, text: str) -> None:
    builders.put(listed, builders.make_page("literal.md", f"We wrote {text} there.", title="literal"))

    found = builders.ask(listed, text)

    assert not found.understood.is_newest_first
    assert found.hits[0].path == "literal.md"


def test_equals_stand_by_scope_and_path_and_superseded_pages_only_if_asked_for(index: IndexDatabase) -> None:
    made = [builders.make_page(path, scope=scope, updated_at="2026-05-01") for scope in (OTHER, HOME) for path in "ba"]
    builders.put(index, *made, builders.make_page("old", superseded_by="a", updated_at="2026-05-02"))

    found = builders.ask(index, "kind:note")

    assert [(hit.scope, hit.path) for hit in found.hits] == [(HOME, "a"), (HOME, "b"), (OTHER, "a"), (OTHER, "b")]
    assert builders.paths(index, "kind:note is:superseded") == ["old"]
    assert builders.paths(index, "kind:note", include_superseded=True)[0] == "old"


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_cursors_lead_through_a_whole_listing_once_though_pages_change(listed: IndexDatabase, limit: int) -> None:
    shown: list[str] = []
    onward, omitted = "", [5]
    for turn in range(5):
        request = {"cursor": onward, "limit": limit, "scopes": frozenset({HOME}), "now": NOW}
        found = builders.ask(listed, "kind:decision", **request)
        shown += [hit.path for hit in found.hits]
        assert found.omitted == omitted[-1] - len(found.hits)
        omitted.append(found.omitted)
        onward = found.next_cursor
        if turn == 0:
            # It becomes the newest, and was shown already.
            changed = builders.make_page(shown[-1], "Again.", kind=PageKind.DECISION, updated_at="2026-05-30")
            builders.put(listed, changed)
        if not onward:
            break

    assert shown == [f"decisions/{number}.md" for number in "34120"]


@pytest.mark.parametrize(
    "last",
    [
        "", "x", "main/home:decisions/3.md", "2026-05-05T12:00:00+00:00 0 main/home:\ud800", "soon+00:00 0 main/home:a",
        f"2026-05-05T12:00:00+00:00 {'9' * 30} main/home:a", "2026-05-05T12:00:00 0 main/home:a",
    ],
)  # fmt: skip
def test_a_cursor_that_names_no_place_is_refused(listed: IndexDatabase, last: str) -> None:
    own = builders.ask(listed, "kind:decision", limit=1).next_cursor
    mark, *_ = json.loads(base64.urlsafe_b64decode(own + "=" * (-len(own) % 4)))
    made = base64.urlsafe_b64encode(json.dumps([mark, 1, last]).encode()).decode().rstrip("=")

    with pytest.raises(CursorRejected):
        builders.ask(listed, "kind:decision", cursor=made)


def test_the_longest_path_is_gone_on_from(index: IndexDatabase) -> None:
    paths = ["/".join(["\U00020000" * 49] * 7) + f"/{end}.md" for end in "ab"]
    builders.put(index, *(builders.make_page(path, updated_at="2026-05-01") for path in paths))

    first = builders.ask(index, "kind:note", limit=1)

    assert builders.paths(index, "kind:note", limit=1, cursor=first.next_cursor) == paths[1:]


def test_observations_of_readable_projects_are_listed_by_their_pages_the_last_first(index: IndexDatabase) -> None:
    for number, session in enumerate(("one", "two")):
        page = builders.make_page(
            f"sessions/{session}.md",
            kind=PageKind.SESSION,
            session_id=session,
            agent="codex",
            updated_at=f"2026-05-0{1 + number}",
        )
        builders.put(index, page, replace(page, path=page.path[:-3] + "-again.md"))  # type: ignore[arg-type]
        heard = [
            ObservationEntry(10 * number + place, "prompt", NOW, f"See {word}.", tokens.build_terms(f"See {word}."))
            for place, word in enumerate(("draft", "plan"), start=1)
        ]
        index.write(lambda connection, name=session, said=heard: observed.put_session(connection, HOME, name, said, 99))

    hidden = builders.make_page("sessions/x.md", scope=OTHER, kind=PageKind.SESSION, session_id="x", agent="codex")
    builders.put(index, hidden, replace(hidden, scope=HOME))
    said = ObservationEntry(50, "prompt", NOW, "Secret.", tokens.build_terms("Secret."))
    index.write(lambda connection: observed.put_session(connection, OTHER, "x", [said], 99))
    asked = {"grain": Grain.OBSERVATIONS, "limit": 3, "scopes": frozenset({HOME})}
    first = builders.ask(index, "agent:codex", **asked)
    then = builders.ask(index, "agent:codex", **asked, cursor=first.next_cursor)
    last = builders.ask(index, "agent:codex", **asked, cursor=then.next_cursor)

    shown = [(hit.path, hit.observations[0].id) for found in (first, then, last) for hit in found.hits]
    pages = [f"sessions/{name}.md" for name in ("two-again", "two", "one-again", "one")]
    assert shown == [(path, number) for path in pages for number in ((12, 11) if "two" in path else (2, 1))]
    assert (first.omitted, then.omitted, last.omitted) == (5, 2, 0)
    without = builders.ask(index, "agent:codex -draft", **{**asked, "limit": 9})
    assert [hit.observations[0].id for hit in without.hits] == [12, 12, 2, 2]
