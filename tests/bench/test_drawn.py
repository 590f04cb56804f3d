"""What is drawn for measurements: payloads of the stated size that differ, wikis that repeat by their seed."""

from collections import Counter
from pathlib import Path

import msgspec

from app.agents import registry
from app.bench import commit, corpus, linked, machine, payloads
from app.bench.corpus import Corpus
from app.bench.scale import QUICK, Scale
from app.domain.event import EventKind
from app.wiki import markdown


def test_tool_events_have_a_body_of_1500_bytes_and_ids_of_their_own() -> None:
    events = list(payloads.draw_tool_events(1, 500))

    sizes = [len(msgspec.json.encode(event.payload)) for event in events]
    assert 1490 <= min(sizes) <= max(sizes) <= 1500
    assert len({event.key for event in events}) == 500
    assert len({event.payload["tool_use_id"] for event in events}) == 500


def test_tool_events_are_understood_as_finished_tools() -> None:
    agent = registry.find_agent(payloads.AGENT)

    parsed = [agent.parse_event(event.name, event.payload) for event in payloads.draw_tool_events(1, 9)]

    assert {event.kind for event in parsed} == {EventKind.TOOL_END}
    assert {event.tool.name for event in parsed if event.tool} == {"Bash", "Read", "Edit"}
    assert [event.extra for event in parsed] == [()] * 9


def test_a_drawn_session_begins_works_and_ends() -> None:
    events = payloads.draw_session(5, 20, "zorvex")

    counts = Counter(event.name for event in events)
    assert counts == {"SessionStart": 1, "UserPromptSubmit": 1, "PostToolUse": 16, "Stop": 1, "SessionEnd": 1}
    assert events[-1].name == "SessionEnd"
    assert "zorvex" in events[1].payload["prompt"]


def test_a_wiki_repeats_by_its_seed_and_has_no_large_folder() -> None:
    pages = list(Corpus(3).draw_pages(10_000))

    assert pages[:50] == list(Corpus(3).draw_pages(50))
    folders = Counter((page.scope, page.path.rpartition("/")[0]) for page in pages)
    assert max(folders.values()) <= 500
    assert len({(page.scope, page.path) for page in pages}) == 10_000


def test_pages_are_tied_together_and_the_project_has_its_entry_page() -> None:
    drawn = list(Corpus(3).draw_pages(200))

    tied = linked.link_pages(drawn, 5)

    pages = [markdown.parse_page(page.scope, page.path, page.text.encode()) for page in tied]
    assert {page.path for page in tied} > {page.path for page in drawn}
    assert all(page.findings == () and page.links for page in pages)
    assert sum("relations" in page.fields for page in pages) == 60
    assert tied == linked.link_pages(drawn, 5)


def test_drawn_pages_are_valid_pages() -> None:
    page = next(Corpus(3).draw_pages(1))

    parsed = markdown.parse_page(page.scope, page.path, page.text.encode())

    assert parsed.findings == ()
    assert parsed.title == page.text.split("title: ")[1].split("\n")[0]


def test_a_committed_wiki_has_every_page_in_git(tmp_path: Path) -> None:
    committer, pages = commit.build_committed_wiki(tmp_path / "wiki", 30)

    assert len(committer.repository.run("ls-tree", "-r", "--name-only", "HEAD").splitlines()) == 30
    assert committer.repository.list_differences() == []
    assert corpus.write_page(tmp_path / "wiki", pages[0]).is_file()


def test_a_short_run_repeats_less_but_is_as_large() -> None:
    assert QUICK.items(10_000) == 10_000
    assert QUICK.repeats(100) < 100
    assert Scale(0.0001, 0.0001).repeats(100, least=3) == 3


def test_the_machine_is_described(tmp_path: Path) -> None:
    described = machine.describe_machine(tmp_path)

    assert described.cores >= 1
    assert described.fsync_p50_ms > 0
    assert described.python.count(".") == 2
