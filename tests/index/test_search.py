"""What people and agents ask, and what they must find: each of these has gone wrong in a system like this one."""

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.page import PageKind
from app.domain.scope import Scope
from app.index import rows
from app.index.database import IndexDatabase
from app.search import answer
from app.search.query import parse_query
from tests.index import builders
from tests.index.builders import HOME, OTHER

LITERALS = [
    "memory:safe",
    'say "hi',
    "(python",
    "foo AND",
    "OR",
    "NEAR(a b",
    "don't use",
    "GB/s",
    "ubuntu 20.04",
    "2026-05-08",
    "NOTE: retry",
    "grammar::fa",
    "blah=",
    "--error-on-warnings",
    "a*",
    "^x",
    '"',
    "*",
    "NEAR(38.101 5)",
    "title:lexer",
    "{body}",
    "C++",
    ".NET",
    "rm -rf",
    "x' OR 1=1 --",
    "-not",
    "(" * 10_000,
]


@pytest.fixture(scope="module")
def literals(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    opened = open_index()
    builders.fill(opened, 300)
    builders.put(
        opened,
        *(
            builders.make_page(f"literal/{number}.md", f"We saw {text} in the log.", title=f"case {number}")
            for number, text in enumerate(LITERALS)
        ),
    )
    return opened


@pytest.mark.parametrize("number", range(len(LITERALS)), ids=[text[:20] for text in LITERALS])
def test_any_text_finds_the_page_that_holds_it_and_never_fails(literals: IndexDatabase, number: int) -> None:
    assert f"literal/{number}.md" in builders.paths(literals, LITERALS[number])[:3]


@pytest.mark.parametrize("text", ["", " ", "\n \t", "\U0001f680", "\x00"], ids=repr)
def test_a_blank_query_has_an_empty_answer(filled: IndexDatabase, text: str) -> None:
    answer = builders.ask(filled, text)

    assert answer.hits == ()
    assert answer.degraded == ()


IDENTIFIERS = {
    "crew:run": ["crew", "run"],
    "uteke-cloud-dev": ["uteke", "cloud-dev"],
    "pre-edit-check": ["pre-edit", "edit check"],
    "ADR-0005": ["adr", "0005", "adr 0005"],
    "task_tools": ["task tools", "tools"],
    "src/db/_fts.py": ["_fts.py", "fts", "db/_fts"],
    "foo.bar.Baz": ["Baz", "bar.Baz"],
    "getUserByID": ["getuserbyid", "get user by id", "UserByID"],
}


@pytest.fixture(scope="module")
def named(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    """Pages with each identifier, and for each a decoy that has its parts apart and often."""
    opened = open_index()
    builders.fill(opened, 200)
    for number, name in enumerate(IDENTIFIERS):
        parts = " and ".join(part for asked in IDENTIFIERS[name] for part in asked.replace("_", " ").split())
        builders.put(
            opened,
            builders.make_page(f"whole/{number}.md", f"We changed `{name}` today.", title=f"change {number}"),
            builders.make_page(f"decoy/{number}.md", f"{parts}. " * 5, title=f"decoy {number}"),
        )
    return opened


def test_what_code_defines_counts_more_than_what_it_calls(index: IndexDatabase) -> None:
    calls = "```py\ndef main():\n    remove_empty(lines)\n    return lines\n```\n"
    defines = "```py\ndef remove_empty(items):\n    lines = [each for each in items if each]\n    return lines\n```\n"
    builders.fill(index, 50)
    builders.put(index, builders.make_page("calls.md", calls), builders.make_page("defines.md", defines))

    assert builders.paths(index, "how to remove empty")[0] == "defines.md"


def test_a_language_that_the_code_is_in_is_found_by_name(index: IndexDatabase) -> None:
    builders.put(
        index, builders.make_page("a.md", "```rs\nfn x() {}\n```\n"), builders.make_page("b.md", "Plain text.")
    )

    assert builders.paths(index, "rust") == ["a.md"]


@pytest.mark.parametrize("scopes", [None, frozenset({HOME})], ids=["all scopes", "one scope"])
@pytest.mark.parametrize("name", IDENTIFIERS)
def test_an_identifier_asked_whole_comes_first(
    named: IndexDatabase, name: str, scopes: frozenset[Scope] | None
) -> None:
    number = list(IDENTIFIERS).index(name)

    assert builders.paths(named, name, scopes=scopes)[0] == f"whole/{number}.md"


@pytest.mark.parametrize(("name", "part"), [(name, part) for name, parts in IDENTIFIERS.items() for part in parts])
def test_an_identifier_is_found_by_its_parts(named: IndexDatabase, name: str, part: str) -> None:
    number = list(IDENTIFIERS).index(name)

    assert f"whole/{number}.md" in builders.paths(named, part)[:4]


@pytest.fixture(scope="module")
def asked(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    opened = open_index()
    builders.fill(opened, 400)
    builders.put(
        opened,
        builders.make_page(
            "gotchas/vet.md",
            "`go vet` reported a printf error in `lang/lexer/lexer.go`: wrong type for the verb.",
            title="Fix lexer vet error",
        ),
        builders.make_page("notes/go.md", "How to go on with the report for the error budget.", title="Reports"),
    )
    return opened


@pytest.mark.parametrize(
    "text",
    [
        "what error did go vet report for lang/lexer/lexer.go?",
        "which printf verb was wrong when the xylophonist ran vet there",
        "lexer.go",
        "VET ERROR",
    ],
)
def test_a_question_with_words_that_occur_nowhere_still_finds_its_page(asked: IndexDatabase, text: str) -> None:
    assert builders.paths(asked, text)[0] == "gotchas/vet.md"


def test_a_quoted_phrase_means_exactly_that(asked: IndexDatabase) -> None:
    assert builders.paths(asked, '"printf error"') == ["gotchas/vet.md"]
    assert builders.paths(asked, '"error printf"') == []
    assert builders.paths(asked, 'lexer "error budget"') == ["notes/go.md"]


def test_a_query_of_common_words_only_is_answered(asked: IndexDatabase) -> None:
    assert len(builders.paths(asked, "the of to and")) == 10


SCRIPTS = {
    "用户身份": ["用户身份", "用户", "身份", "户", "份"],
    "设备清单": ["设备", "清单"],
    "中文优先": ["中文"],
    "しりとり": ["しりとり", "しり"],
    "끝말잇기": ["끝말잇기", "끝말"],
    "步2 重跑gen-itgc后50条": ["itgc", "重跑", "gen-itgc", "后", "50条"],
    "codex 会执行这个任务": ["codex 执行 任务"],
    "Müller-Lüdenscheid": ["Müller-Lüdenscheid", "muller", "LÜDENSCHEID"],
    "Größe": ["Größe", "grösse", "GROSSE"],
    "autenticação": ["autenticacao", "autenticação"],
    "conexao": ["conexão"],
    "привет мир": ["привет", "ПРИВЕТ"],
    "Ελλάδα": ["ελλαδα"],
    "café": ["café", unicodedata.normalize("NFD", "café")],
    "caffè": ["cafe", "caffe"],
    "สวัสดีครับ": ["สวัสดี", "ครับ"],
    "नमस्ते दुनिया": ["नमस्ते"],
    "צ\u05f3ק חדש": ["צ\u05f3ק", "צ'ק"],
}


@pytest.fixture(scope="module")
def written(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    opened = open_index()
    builders.fill(opened, 300)
    builders.put(
        opened,
        *(
            builders.make_page(f"script/{number}.md", f"Here {text} stands.", title=f"case {number}")
            for number, text in enumerate(SCRIPTS)
        ),
    )
    return opened


@pytest.mark.parametrize(("text", "query"), [(text, query) for text, queries in SCRIPTS.items() for query in queries])
def test_every_script_is_found_with_and_without_accents_and_in_part(
    written: IndexDatabase, text: str, query: str
) -> None:
    number = list(SCRIPTS).index(text)

    assert f"script/{number}.md" in builders.paths(written, query)[:3]


def test_pages_in_other_scripts_leave_the_order_of_english_answers_alone(index: IndexDatabase) -> None:
    builders.fill(index, 100, extra="lexer")
    before = builders.paths(index, "lexer the", limit=50)

    builders.put(index, *(builders.make_page(f"cjk/{number}.md", "用户身份" * 9) for number in range(20)))

    assert builders.paths(index, "lexer the", limit=50) == before


@pytest.fixture(scope="module")
def crowded(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    """Five thousand pages of one project beside twenty of another, all with the same phrase."""
    opened = open_index()
    builders.fill(opened, 5000, scope=OTHER, extra="rotate the canary token")
    builders.fill(opened, 20, scope=HOME, seed=2, extra="rotate the canary token")
    return opened


@pytest.mark.parametrize("text", ["rotate the canary token", "the", '"canary token"', "token"])
def test_a_small_project_gets_all_its_pages_and_none_of_a_large_ones(crowded: IndexDatabase, text: str) -> None:
    answer = builders.ask(crowded, text, scopes=frozenset({HOME}), limit=20)

    assert {hit.scope for hit in answer.hits} == {HOME}
    assert len(answer.hits) == 20


def test_no_readable_scope_means_no_hit(crowded: IndexDatabase) -> None:
    assert builders.paths(crowded, "token", scopes=frozenset()) == []
    assert builders.paths(crowded, "token", scopes=frozenset({Scope("main", "absent")})) == []


@pytest.fixture(scope="module")
def filtered(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    opened = open_index()
    for number, tag in enumerate(["100%", "a_b", "c*", "[x]", "100x", "aXb", "cat", "x"]):
        builders.put(
            opened,
            builders.make_page(
                f"{number}.md",
                "the lexer",
                title="lexer",
                tags=(tag, "all"),
                kind=PageKind.DECISION if number % 2 else PageKind.NOTE,
                updated_at=f"2026-05-{number + 1:02d}T12:00:00+00:00",
            ),
        )
    return opened


@pytest.mark.parametrize(("tag", "expected"), [("100%", "0.md"), ("a_b", "1.md"), ("c*", "2.md"), ("[x]", "3.md")])
def test_a_tag_is_taken_literally(filtered: IndexDatabase, tag: str, expected: str) -> None:
    assert builders.paths(filtered, "lexer", tags=(tag, "all")) == [expected]


@pytest.mark.parametrize("tag", ["%", "_", "*", "1%", "A_B", "?at"])
def test_a_tag_is_no_pattern(filtered: IndexDatabase, tag: str) -> None:
    assert builders.paths(filtered, "lexer", tags=(tag,)) == []


def test_times_and_kinds_are_honoured(filtered: IndexDatabase) -> None:
    since, until = datetime(2026, 5, 2, 12, tzinfo=UTC), datetime(2026, 5, 4, 12, tzinfo=UTC)

    assert set(builders.paths(filtered, "lexer", since=since, until=until)) == {"1.md", "2.md"}
    assert builders.paths(filtered, "lexer", since=since, until=until, kinds=(PageKind.NOTE,)) == ["2.md"]


@pytest.mark.parametrize(
    ("clause", "given"),
    [("kind:gotcha", {"kinds": (PageKind.NOTE,)}), ("agent:codex", {"agents": ("pi",)}), ("by:a", {"authors": ("b",)})],
    ids=["kind", "agent", "author"],
)
def test_nothing_passes_filters_that_contradict_each_other(
    filtered: IndexDatabase, clause: str, given: dict[str, object]
) -> None:
    assert builders.paths(filtered, f"lexer {clause}", **given) == []


def test_a_superseded_page_leaves_answers_unless_asked_for_and_is_marked(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("decisions/port.md", "SSH listens on port 22, use SSH port 22.", title="SSH port"),
        builders.make_page(
            "decisions/new.md",
            "SSH moved to 49222.",
            title="SSH moved",
            relations={"supersedes": ["[[decisions/port]]"]},
            verified_at="2026-11-01",
        ),
        builders.make_page("decisions/older.md", "SSH port was 2022", superseded_by="decisions/port"),
    )

    now = builders.ask(index, "which port does SSH use")
    history = builders.ask(index, "which port does SSH use", include_superseded=True)

    assert [hit.path for hit in now.hits] == ["decisions/new.md"]
    assert now.hits[0].verified_at == datetime(2026, 11, 1, tzinfo=UTC)
    assert {hit.path: hit.superseded_by for hit in history.hits} == {
        "decisions/port.md": "decisions/new.md",
        "decisions/new.md": "",
        "decisions/older.md": "decisions/port",
    }


def test_pages_that_contradict_each_other_say_so_in_answers_until_one_is_superseded(index: IndexDatabase) -> None:
    old = builders.make_page("decisions/old.md", "SSH listens on port 22.", title="SSH port 22")
    new = builders.make_page(
        "decisions/new.md", "SSH never on port 22.", title="SSH moved", relations={"contradicts": ["decisions/old.md"]}
    )
    other = builders.make_page("decisions/old.md", "SSH port", scope=OTHER)
    builders.put(index, old, new, other)

    found = builders.ask(index, "which port does SSH use")

    told = {(hit.scope, hit.path): hit.contradicts for hit in found.hits}
    assert told == {
        (HOME, "decisions/old.md"): ("decisions/new.md",),
        (HOME, "decisions/new.md"): ("decisions/old.md",),
        (OTHER, "decisions/old.md"): (),
    }
    assert "CONTRADICTS decisions/old.md, not settled" in answer.render_answer(found)

    builders.put(index, replace(old, fields={"superseded_by": "decisions/new.md"}))
    assert all(not hit.contradicts for hit in builders.ask(index, "SSH port", include_superseded=True).hits)


def test_a_page_of_another_project_cannot_supersede_one_here(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("port.md", "SSH listens on 22"),
        builders.make_page("x.md", "SSH", scope=OTHER, relations={"supersedes": ["[[home:port]]"]}),
    )

    assert "port.md" in builders.paths(index, "SSH listens")


def test_reading_and_searching_change_neither_rank_nor_age_nor_file(index: IndexDatabase) -> None:
    builders.fill(index, 50, extra="lexer")
    before = builders.ask(index, "lexer", with_why=True, limit=50)
    files = {path.name: (path.stat().st_mtime_ns, path.stat().st_size) for path in index.path.parent.iterdir()}

    for _ in range(50):
        builders.ask(index, f"lexer {before.hits[-1].title}")

    assert builders.ask(index, "lexer", with_why=True, limit=50) == before
    assert {
        path.name: (path.stat().st_mtime_ns, path.stat().st_size)
        for path in index.path.parent.iterdir()
        if not path.name.endswith("-shm")
    } == {name: stamp for name, stamp in files.items() if not name.endswith("-shm")}


def test_a_page_says_how_old_it_is_by_its_own_word_before_its_files(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("said.md", "lexer", updated_at="2026-03-01T10:00:00+02:00"),
        builders.make_page("unsaid.md", "lexer", updated_at="some day"),
    )

    ages = {str(hit.path): hit.updated_at for hit in builders.ask(index, "lexer").hits}

    assert ages["said.md"] == datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert ages["unsaid.md"] == datetime(2025, 10, 9, 8, 53, 20, tzinfo=UTC)


def test_equal_pages_stand_by_scope_and_path(index: IndexDatabase) -> None:
    for path in ["c.md", "a.md", "b.md"]:
        builders.put(index, builders.make_page(path, "lexer", title="t", scope=OTHER))
        builders.put(index, builders.make_page(path, "lexer", title="t"))

    hits = builders.ask(index, "lexer").hits

    assert [(hit.scope, hit.path) for hit in hits] == sorted((hit.scope, hit.path) for hit in hits)


def test_reasons_come_only_on_request(filled: IndexDatabase) -> None:
    assert builders.ask(filled, "the").hits[0].why is None
    assert builders.ask(filled, "the", with_why=True).hits[0].why is not None


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_a_limit_is_kept_and_the_rest_is_counted(filled: IndexDatabase, limit: int) -> None:
    answer = builders.ask(filled, "the", limit=limit)

    assert len(answer.hits) == limit
    assert answer.omitted > 0


def test_no_more_than_the_bound_is_returned(filled: IndexDatabase) -> None:
    assert len(builders.paths(filled, "the", limit=10**9)) <= 100


@pytest.mark.parametrize(
    ("body", "asked", "is_there"),
    [
        ("Call reload_config_now here.", "oad_config_n", True),
        ("Call reload_config_now here.", "oad_Config_n", False),
        ("An overly, cautious cache.", "erly, cautious ca", True),
        ("An overly, cautious cache.", "erly cautious ca", False),
        ("Runs\n\nover  lines", "over  li", True),
        ("设备清单在这里", "备清", True),
    ],
    ids=["in a name", "in other case", "parts of words", "other signs between", "two blanks", "in a run"],
)
def test_a_text_as_typed_is_told_from_its_words(
    open_index: Callable[[], IndexDatabase], body: str, asked: str, *, is_there: bool
) -> None:
    index = open_index()
    page = builders.make_page("typed.md", body, title="one")
    builders.put(index, page)

    query = parse_query(asked)
    found = index.read(lambda connection: rows.list_candidates(connection, [1], query.literal, query.words))

    assert [row.has_literal for row in found] == [is_there]
