"""The corpus of planted secrets, sent in by every way there is: nothing of it is in any store, page, brief or log."""

import logging
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
import re2

from app.bench import redaction_corpus
from app.bench.redaction_corpus import Planted
from app.entrypoints.cli.log_lines import CleanFormatter
from tests.entrypoints import rpc
from tests.entrypoints.serving import Server, _inflate_pack, _read_whole, new_name, read_payload

# Their texts stand alone, so that a bound or a page's layout cannot hide what the scrub would have left.
# Escaped colours inside are left out: such marks are in other texts too.
PLANTED = [
    each
    for each in redaction_corpus.list_planted()
    if len(each.text) < 600 and "u001b" not in each.secret and not {"\x00", "\u202e", "\u200b"} & set(each.text)
]
SOME = PLANTED[::23]
KEYS = [each for each in PLANTED if each.carrier == "tag"]
# So many characters in a row are no accident; of what is longer, one of its pieces is looked for.
PIECE_CHARS = 8
OPTIONS = re2.Options()
OPTIONS.max_mem = 512 << 20
OPTIONS.encoding = re2.Options.Encoding.LATIN1


def read_everything(folder: Path) -> bytes:
    """Read every file under a folder, and what is inside git's objects and packs."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    parts = [_read_whole(path) for path in files]
    parts += [b"".join(_inflate_pack(path)) for path in folder.rglob("*.pack")]
    return b"\0".join([*parts, "\n".join(str(path) for path in files).encode()])


def find_left(found: bytes, planted: Iterable[Planted]) -> list[str]:
    """List the planted secrets of which something is left."""
    # A placeholder's class begins as its keys do, in the index's terms as well; so does a column's name.
    found = re.sub(rb"redacted[:-][a-z-]+|secret_hash", b"", found)
    owners: dict[bytes, list[Planted]] = {}
    for each in planted:
        around = f"{each.before}\0{each.after}\0{each.kind}".encode()
        for piece in _list_pieces(each):
            if piece not in around:
                owners.setdefault(piece, []).append(each)
    if not owners:
        return []
    # One look for all of them: a look for each takes minutes.
    sought = re2.compile(b"|".join(re.escape(piece) for piece in owners), OPTIONS)
    left: dict[str, None] = {}
    at = 0
    while match := sought.search(found, at):
        left.update((f"{each.kind}, {each.carrier}", None) for each in owners[match.group()])
        at = match.start() + 1
    return list(left)


def _list_pieces(each: Planted) -> set[bytes]:
    parts = [part.encode() for part in each.secret.split() if len(part) >= PIECE_CHARS]
    return {part[start : start + PIECE_CHARS] for part in parts for start in range(0, len(part) - 7, PIECE_CHARS)}


def test_the_search_for_what_is_left_would_find_it(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(SOME[0].text, encoding="utf-8")

    assert find_left(read_everything(tmp_path), SOME[:1]) != []


def test_nothing_of_the_corpus_is_left_of_a_session(server: Server) -> None:
    first, second = new_name(), new_name()
    for each in PLANTED[::3]:
        server.ask(first, each.text)
    for each in PLANTED[1::3]:
        server.run(first, "make deploy", each.text)
    for each in PLANTED[2::9]:
        server.run(first, each.text, "done")
    server.tell(first, "Stop", last_assistant_message="\n\n".join(each.text for each in SOME))
    server.end(first)

    brief = server.start(second)
    page = server.read(f"/pages/{server.session(first)['page_path']}", project="shop")["text"]
    handoffs = server.get("/handoffs", project="shop").text
    session = server.get(f"/sessions/{first}", limit=500).text

    assert "[redacted:" in page
    assert find_left(f"{brief}\x00{page}\x00{handoffs}\x00{session}".encode(), PLANTED) == []
    assert find_left(read_everything(server.folder), PLANTED) == []


def test_nothing_of_the_corpus_is_left_of_an_unknown_event_or_a_file(server: Server) -> None:
    session = new_name()
    for each in SOME:
        extra = {"odd": {"deep": [each.text, {"er": each.text}]}}
        server.hook("Odd", {"session_id": session, "hook_event_name": "Odd", **extra})
    for each in KEYS:
        file = {"file_path": f"/home/dev/shop/{each.secret}/{each.secret}.md", "content": "x"}
        server.tell(session, "PostToolUse.write", tool_use_id=new_name("t"), tool_input=file)
    server.end(session)

    assert find_left(read_everything(server.folder), [*SOME, *KEYS]) == []


def test_nothing_of_the_corpus_is_left_of_a_page(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    for number, each in enumerate(SOME):
        body = {
            "body": f"# Page\n\n{each.text}\n",
            "title": each.text,
            "tags": [each.text],
            "fields": {"note": each.text, "deep": [{"er": each.text}], each.text: 1},
        }
        assert server.put(f"notes/page-{number}.md", body, project="shop").status_code == 200
    server.settle()

    assert find_left(read_everything(server.folder), SOME) == []


def test_a_field_that_its_name_gives_away_keeps_no_value(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    fields = {"db_password": "correcthorse42", "deep": {"apiKey": "q1w2e3r4t5y6"}, "max_tokens": 4096}

    answer = server.put("notes/x.md", {"body": "x", "fields": fields}, project="shop")

    assert answer.status_code == 200
    page = server.read("/pages/notes/x.md", project="shop")["text"]
    assert "correcthorse42" not in page
    assert "q1w2e3r4t5y6" not in page
    assert "max_tokens: 4096" in page


@pytest.mark.parametrize("each", KEYS, ids=lambda each: each.kind)
def test_a_page_whose_path_holds_a_secret_is_refused_without_repeating_it(server: Server, each: Planted) -> None:
    server.ask(new_name(), "Look around.")

    answer = server.put(f"notes/{each.secret}.md", {"body": "x"}, project="shop")
    told, is_error = rpc.call_tool(server, "memory_write", path=f"notes/{each.secret}.md", body="x")
    server.settle()

    assert answer.status_code == 422
    assert is_error
    assert find_left(f"{answer.text}\0{told}".encode(), [each]) == []
    assert find_left(read_everything(server.folder), [each]) == []


def test_a_page_may_be_named_after_a_keys_file(server: Server) -> None:
    server.ask(new_name(), "Look around.")

    assert server.put("notes/server.key.md", {"body": "Where it is."}, project="shop").status_code == 200


def test_nothing_of_the_corpus_is_left_of_a_handoff(server: Server) -> None:
    server.ask(new_name(), "Look around.")
    for each in SOME:
        lists = ("done", "next_steps", "open_questions", "files", "failing_commands")
        server.offer(f"Half done: {each.text}", goal=each.text, **{name: [each.text] for name in lists})

    brief = server.start(new_name())

    assert find_left(f"{brief}\0{server.get('/handoffs', project='shop').text}".encode(), SOME) == []
    assert find_left(read_everything(server.folder), SOME) == []


def test_nothing_of_the_corpus_is_left_of_a_checkout(server: Server) -> None:
    for each in KEYS:
        seen = {
            "cwd": f"/home/dev/{each.secret}",
            "root": f"/home/dev/{each.secret}",
            "remote": f"https://bob:{each.secret}@git.example.com/{each.secret}/shop.git",
            "branch": f"fix/{each.secret}",
            "dirty": [f"{each.secret}.txt"],
            "marker_project": each.secret,
        }
        server.hook("Stop", read_payload("claude-code", "Stop", session_id=new_name()), checkout=seen)

    assert server.read("/status")["counts"]["observations"] == len(KEYS)
    assert find_left(read_everything(server.folder), KEYS) == []


@pytest.mark.parametrize("each", KEYS, ids=lambda each: each.kind)
def test_a_refusal_does_not_repeat_a_secret(server: Server, each: Planted) -> None:
    server.ask(new_name(), "Look around.")

    answers = [
        server.get(f"/pages/notes/{each.secret}.md", project="shop"),
        server.get("/pages/notes/x.md", project=each.secret),
        server.get(f"/sessions/{each.secret}"),
        server.post(f"/handoffs/{each.secret}/claim", {"session_id": "s"}),
        server.get(f"/no/{each.secret}"),
        server.hook("Stop", {"session_id": "s"}, agent=each.secret),
    ]
    told = [rpc.call_tool(server, "memory_read", path=f"notes/{each.secret}.md")[0]]

    assert [answer.status_code for answer in answers if answer.status_code < 400] == []
    assert find_left("\0".join([*(answer.text for answer in answers), *told]).encode(), [each]) == []
    assert find_left(read_everything(server.folder), [each]) == []


def test_a_secret_in_what_failed_is_not_in_the_log() -> None:
    each = KEYS[0]
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "lost %s", (each.secret,), None)
    try:
        raise ValueError(each.secret)  # noqa: TRY301 - a traceback is wanted
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)

    written = CleanFormatter("%(message)s").format(record)

    assert "ValueError" in written
    assert find_left(written.encode(), [each]) == []
