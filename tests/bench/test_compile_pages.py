"""Pages held against labels, the readers of transcripts, and the family at its smallest."""

import gzip
import json
from pathlib import Path

import pytest

from app.bench import compile_labels, compile_pages, compile_score, transcripts
from app.bench.compile_labels import Fact, SessionLabels
from app.bench.scale import Scale
from app.domain.event import FileChange

SETS = Path(__file__).parents[2].parent / "shared" / "data"
LABELS = SessionLabels(
    file="a.jsonl",
    hash="",
    outcomes=("done",),
    files=("a.py", "b.py"),
    files_among=(),
    commits=("abc1234",),
    failing=(),
    facts=(Fact("goal", ("empty", "baskets")), Fact("command", ("pytest", "failed 1"))),
)
TRANSCRIPTS = {
    "aider/x.md": """#### add a page

Here it is.

> Applied edit to a.py
> Commit abc1234 aider: Added it.
""",
    "specstory/x.md": """_**User (2026-01-02 03:04:05Z)**_

add a page

_**Agent (m 2026-01-02 03:04:06Z)**_

Tool use: **Write**
```
File created successfully at: /shop/a.py
```
""",
    "gemini-cli/x.json": """{"messages": [
    {"type": "user", "content": "add a page", "timestamp": "2026-01-02T03:04:05Z"},
    {"type": "gemini", "content": "Done.", "toolCalls": [
        {"name": "write_file", "args": {"file_path": "a.py"}, "status": "success", "result": "created"}]}]}
""",
    "pi/x.jsonl": """
{"message": {"role": "user", "content": [{"type": "text", "text": "add a page"}]}}
{"message": {"role": "assistant", "content": [{"type": "toolCall", "id": "1", "name": "edit", "arguments": %s}]}}
{"message": {"role": "toolResult", "toolCallId": "1", "content": [{"type": "text", "text": "ok"}]}}
""".strip()
    % '{"path": "a.py"}',
    "swe-agent/x.traj": """{"history": [{"role": "user", "content": "add a page"}], "trajectory": [
    {"action": "create a.py", "observation": "[File: a.py (1 lines total)]", "thought": "So."}]}
""",
}
BODY = """# Reject empty baskets

**Done.** The last `pytest -q` passed. [^o4]

## Goal

> Reject **empty** baskets. [^o1]

## Outcome

- Committed `abc1234` Reject them [^o4]
- Committed `def5678` Something else [^o5]

## What changed

- `/shop/a.py` (1 edit) [^o2]
- `lib/` (removed) [^o2]
- `c.py` (new) [^o3]

## Commands

**Tests**

- `pytest -q`: ran 2 times, failed 1, passed at the end [^o4]

## Next steps

- Make `ruff check .` pass [^o4]
"""


def test_a_page_is_judged_by_what_it_tells_and_what_it_says_wrongly() -> None:
    verdict = compile_score.judge_page(BODY, LABELS)

    assert verdict.missing == (Fact("file", ("b.py",)),)
    assert verdict.told == 5
    assert verdict.wrong == ("file c.py", "commit def5678", "failing `ruff check .`")


def test_a_page_that_says_what_nobody_said_is_wrong() -> None:
    never = SessionLabels("a", "", ("failing",), None, (), (), None, (), never=("Reject empty baskets.",))

    verdict = compile_score.judge_page(BODY, never)

    assert verdict.wrong[-2:] == ("says 'Reject empty baskets.'", "outcome 'done'")


def test_every_labelled_session_has_ten_facts_and_a_hash() -> None:
    labelled = compile_labels.read_labels()

    assert len(labelled) >= 24
    for labels in labelled:
        assert len(list(compile_labels.list_facts(labels))) + 1 >= 10, labels.file
        assert len(labels.hash) == 16


@pytest.mark.parametrize("file", TRANSCRIPTS)
def test_each_form_of_transcript_tells_the_request_and_the_file(file: str) -> None:
    recording = transcripts.read_recording(file, TRANSCRIPTS[file].encode())
    page = compile_pages.build_page(recording)

    assert "add a page" in page.body
    assert any(
        touch.path.endswith("a.py") and touch.change is not FileChange.READ
        for observation in recording.observations
        if observation.event.tool
        for touch in observation.event.tool.files
    )


def test_a_team_session_is_read_with_its_root(tmp_path: Path) -> None:
    row = {
        "session_id": "s",
        "files_touched": ["lib/a.py"],
        "turns": [
            {"role": "user", "text": "fix it"},
            {"role": "assistant", "text": "", "tools": [["Edit", "/x/lib/a.py"]]},
        ],
    }
    path = tmp_path / "sessions.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(row).encode()))

    [team] = transcripts.read_team_sessions(path)

    assert team.recording.session.cwd == "/x"
    assert "`lib/a.py`" in compile_pages.build_page(team.recording).body


@pytest.mark.slow
def test_the_pages_of_real_sessions_meet_their_bars() -> None:
    if not (SETS / "agent-transcripts").is_dir():
        pytest.skip(f"no public sets in {SETS}")

    figures = compile_pages.measure_pages(Scale(effort=0.01, sets_dir=SETS), lambda _: None)

    assert {each.name for each in figures if each.is_ok is False} == set()


def test_without_public_sets_the_family_says_why_it_skips(tmp_path: Path) -> None:
    [skipped] = compile_pages.measure_pages(Scale(effort=0.01, sets_dir=tmp_path), lambda _: None)

    assert skipped.detail.startswith("skipped: ")


@pytest.mark.slow
def test_the_compile_family_times_both_sizes_without_a_fault() -> None:
    figures = compile_pages.measure_times(Scale(effort=0.002, size=0.02), lambda _: None)

    assert {figure.name for figure in figures} >= {"page_after_200_events_p95", "page_after_5000_events_p95"}
    assert all(figure.value > 0 and not figure.faults for figure in figures)
