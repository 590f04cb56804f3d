"""`memwiki demo`: the recordings through a real server, and an honest answer when something promised is missing."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import InvalidValue, ServerUnreachable
from app.entrypoints.cli import demo, own_server, replay
from app.entrypoints.cli.replay import Captured, DemoFacts

CLAUDE = Captured("claude-code", "s1", 38, 38, {"prompt": 2, "tool_end": 16}, 1)
CODEX = Captured("codex", "s2", 14, 14, {"prompt": 1}, 0)
PAGE = {"path": "sessions/2026-11/30-a.md", "title": "A", "body": "# A\n", "text": "# A\n", "content_hash": "ab"}
HIT = {"path": PAGE["path"], "title": "A", "snippet": "[bold]x", "project": "main/shop"}
HANDOFF = {
    "id": "h1",
    "state": "claimed",
    "holder": "codex (session s2)",
    "holder_session_id": "s2",
    "from_agent": "claude-code",
}
KEPT = DemoFacts(
    captured=(CLAUDE, CODEX),
    project="main/shop",
    page=PAGE,
    query="why",
    hits=(HIT,),
    handoff=HANDOFF,
    receiver_session_id="s2",
    brief="Handoff id: h1. Round half up.",
    third_session_id="s3",
    third_brief="",
    handoffs_of_third=(),
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with own_server.run_own_server(tmp_path_factory.mktemp("running") / "memwiki") as url:
        yield url


def show(capsys: pytest.CaptureFixture[str], **options: object) -> dict[str, Any]:
    demo.run_demo(**{"data_dir": None, "url": None, "keep": False, "as_json": True, **options})
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


@pytest.mark.slow
def test_the_demo_on_a_directory_leaves_a_wiki_that_holds_the_page_it_showed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMWIKI_URL", raising=False)

    shown = show(capsys, data_dir=tmp_path / "memwiki")

    file = Path(shown["page"]["file"])
    assert file.is_relative_to(tmp_path / "memwiki" / "wiki")
    assert file.read_text(encoding="utf-8") == shown["page"]["text"]
    assert [each["observations"] for each in shown["captured"]] == [38, 14]
    assert shown["broken_promises"] == []


@pytest.mark.slow
def test_the_second_session_receives_the_handoff_and_the_third_does_not(
    running: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = show(capsys, url=running)

    assert shown["handoff"]["holder_session_id"] == shown["handoff"]["receiver_session_id"]
    assert shown["handoff"]["from_agent"] == "claude-code"
    assert shown["handoff"]["id"] in shown["handoff"]["brief"]
    assert shown["third_session"]["handoffs_held"] == []
    assert shown["page"]["path"] in [hit["path"] for hit in shown["search"]["hits"]]


@pytest.mark.slow
def test_a_second_run_on_the_same_server_is_new(
    running: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMWIKI_URL", running)

    first, second = show(capsys), show(capsys)

    assert first["server"]["url"] == second["server"]["url"] == running
    assert [each["observations"] for each in second["captured"]] == [38, 14]
    assert first["page"]["path"] != second["page"]["path"]
    assert first["handoff"]["id"] != second["handoff"]["id"]


@pytest.mark.slow
def test_a_temporary_directory_is_named_and_removed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMWIKI_URL", raising=False)

    demo.run_demo(data_dir=None, url=None, keep=False, as_json=False)

    shown = capsys.readouterr().out
    folder = shown.split("its data was in ")[1].split(",")[0]
    assert "which is removed now" in shown
    assert not Path(folder).exists()


@pytest.mark.parametrize(
    ("change", "promise"),
    [
        ({"captured": (replace(CLAUDE, observations=37), CODEX)}, "every event of both sessions is stored"),
        ({"captured": (replace(CLAUDE, redactions=0), CODEX)}, "the password in the first session is redacted"),
        ({"page": {**PAGE, "body": " "}}, "the first session has a page"),
        ({"hits": ()}, "the page is found by search"),
        ({"receiver_session_id": "s9"}, "the second session holds the handoff"),
        ({"brief": ""}, "the second session was told of it at its start"),
        ({"handoffs_of_third": ("h1",)}, "the third session holds no handoff"),
        ({"third_brief": "Handoff id: h1."}, "the third session was not told of it"),
    ],
    ids=["events", "redaction", "page", "search", "holder", "brief", "third holds", "third told"],
)
def test_what_did_not_happen_is_named(change: dict[str, Any], promise: str) -> None:
    assert replay.list_broken_promises(replace(KEPT, **change)) == [promise]


def test_nothing_is_named_when_all_happened() -> None:
    assert replay.list_broken_promises(KEPT) == []


def test_text_from_the_server_is_drawn_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    demo.draw(demo.output.open_console(), demo.Place("http://127.0.0.1:1", "/data"), KEPT)

    shown = capsys.readouterr().out
    assert "[bold]x" in shown
    assert "/data/wiki/main/shop/sessions/2026-11/30-a.md" in shown
    assert "handoffs that the third session holds: none" in shown


def test_a_recording_gets_ids_of_its_own_in_every_run() -> None:
    first, again = replay.load_recording("claude-code", "aa"), replay.load_recording("claude-code", "bb")

    assert len(first) == len(again) == 38
    assert {event.session_id for event in first}.isdisjoint({event.session_id for event in again})
    ids = [{event.payload.get("tool_use_id") for event in events} - {None} for events in (first, again)]
    assert ids[0]
    assert ids[0].isdisjoint(ids[1])


def test_an_address_where_nothing_answers_is_an_error() -> None:
    with pytest.raises(ServerUnreachable):
        demo.run_demo(data_dir=None, url="http://127.0.0.1:9", keep=False, as_json=True)


def test_an_address_and_a_directory_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue):
        demo.run_demo(data_dir=tmp_path, url="http://127.0.0.1:9", keep=False, as_json=True)
