"""Whatever is sent to the hook routes is taken or refused with a problem document; nothing is a fault of the server."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from starlette.types import Message

from app.agents import registry
from tests.entrypoints import serving
from tests.entrypoints.serving import Server

BOUNDED = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
NAMES = sorted(agent.name.value for agent in registry.AGENTS)
EVENTS = sorted({event for agent in registry.AGENTS for event in agent.known_events})
FIELDS = (
    "agent_id", "cwd", "hook_event_name", "last_assistant_message", "prompt", "prompt_id", "reason", "source",
    "stop_hook_active", "timestamp", "tool_input", "tool_name", "tool_response", "tool_use_id", "transcript_path",
    "type", "thread-id",
)  # fmt: skip
TOOLS = (
    "Bash",
    "Edit",
    "Read",
    "TodoWrite",
    "apply_patch",
    "exec_command",
    "mcp__memwiki__memory_search",
    "update_plan",
)
OWN_HEADERS = (
    b"authorization", b"content-encoding", b"content-length", b"content-type", b"host", b"idempotency-key",
    b"memwiki-checkout", b"memwiki-origin", b"memwiki-policy", b"memwiki-spool", b"origin", b"transfer-encoding",
)  # fmt: skip

texts = st.text(max_size=40) | st.sampled_from(["", "\0", "\ud800", "<private>", "../../x", "\u202e", "a" * 3000])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
payloads = st.builds(
    lambda known, tool, session: {**known, **tool, "session_id": session},
    st.dictionaries(st.sampled_from(FIELDS) | texts, values, max_size=6),
    st.just({})
    | st.fixed_dictionaries({"tool_name": st.sampled_from(TOOLS), "tool_input": values, "tool_response": values}),
    st.sampled_from(["s1", "s2", "s3"]) | values,
)
checkouts = st.dictionaries(
    st.sampled_from(
        ["cwd", "root", "remote", "common_dir", "dirty", "machine", "marker_project", "marker_aliases", "origin"]
    ),
    values,
)


def encode(value: object) -> bytes:
    """Write JSON as a careless client does: with NaN, and with halves of characters."""
    return json.dumps(value).encode()


bodies = st.binary(max_size=200) | values.map(encode) | payloads.map(encode)
queries = st.binary(max_size=60) | st.builds(
    lambda agent, event: f"agent={quote(agent, errors='replace')}&event={quote(event, errors='replace')}".encode(),
    st.sampled_from(NAMES) | texts,
    st.sampled_from(EVENTS) | texts,
)
headers = st.lists(
    st.tuples(
        st.sampled_from(OWN_HEADERS),
        st.binary(max_size=60)
        | checkouts.map(lambda facts: quote(json.dumps(facts)).encode())
        | st.sampled_from([b"1;2;3", b"-1;x;", b"unreadable", b"9" * 400, b"%ff%00", b"keep;1700000000000"]),
    ),
    max_size=5,
)
items = values | st.fixed_dictionaries(
    {"agent": st.sampled_from(NAMES) | values, "event": st.sampled_from(EVENTS) | values, "payload": payloads | values},
    optional={"key": texts | values, "occurred_at": texts | values, "checkout": checkouts | values, "policy": values,
              "origin": values, "at": values},
)  # fmt: skip


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    with serving.serve(tmp_path_factory.mktemp("fuzz") / "memwiki", template=template) as running:
        yield running


def send(
    server: Server, path: str, body: bytes, query: bytes = b"", more: list[tuple[bytes, bytes]] | None = None
) -> int:
    """Send bytes that no client would, past every client; a fault of the server is raised here."""
    answer: list[Message] = []
    given = [(b"host", b"127.0.0.1:7470"), (b"content-type", b"application/json"), *(more or [])]
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": given,
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 7470),
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": body}

    async def take(message: Message) -> None:
        answer.append(message)

    assert server.client.portal is not None
    server.client.portal.call(server.client.app, scope, receive, take)
    status: int = answer[0]["status"]
    check(status, dict(answer[0]["headers"]), b"".join(message.get("body", b"") for message in answer[1:]))
    return status


def check(status: int, head: Mapping[bytes, bytes], body: bytes) -> None:
    assert status < 500, body
    if status in {200, 202}:
        return
    problem: dict[str, Any] = json.loads(body)
    assert head[b"content-type"] == b"application/problem+json"
    assert problem["status"] == status
    assert problem["code"]
    assert problem["detail"]


def count_stored(server: Server) -> int:
    counts: dict[str, int] = server.read("/status")["counts"]
    return counts["observations"]


@given(body=bodies, query=queries, more=headers)
@example(body=b'{"session_id":"s1"}', query=b"agent=codex&event=Stop&agent=x", more=[])
@example(body=b"", query=b"agent=codex&event=", more=[(b"content-length", b"-5")])
@example(
    body=b'{"session_id":"s1","timestamp":1e400}', query=b"agent=codex&event=Stop", more=[(b"memwiki-spool", b";;")]
)
@example(body=b"[" * 5000, query=b"agent=claude-code&event=Stop", more=[])
@BOUNDED
def test_no_single_event_is_a_fault_of_the_server(
    target: Server, body: bytes, query: bytes, more: list[tuple[bytes, bytes]]
) -> None:
    send(target, "/hook", body, query, more)


@given(payload=payloads, agent=st.sampled_from(NAMES), event=st.sampled_from(EVENTS), facts=checkouts)
@BOUNDED
def test_an_object_with_a_sessions_name_is_kept_whatever_else_is_in_it(
    target: Server, payload: dict[str, Any], agent: str, event: str, facts: dict[str, Any]
) -> None:
    named = {**payload, "session_id": "s-kept"}
    body = json.dumps(named).encode()
    is_json = b"NaN" not in body and b"Infinity" not in body and b"\\ud800" not in body
    more = [(b"memwiki-checkout", quote(json.dumps(facts)).encode())]

    status = send(target, "/hook", body, f"agent={agent}&event={event}".encode(), more)

    assert status == 202 or not is_json


@given(body=st.lists(items, max_size=6).map(lambda found: encode({"events": found})) | bodies, more=headers)
@BOUNDED
def test_no_batch_is_a_fault_of_the_server(target: Server, body: bytes, more: list[tuple[bytes, bytes]]) -> None:
    send(target, "/hook/batch", body, b"", more)


def test_the_server_is_well_after_all_this(target: Server) -> None:
    before = count_stored(target)
    target.ask("afterwards", "Is it still recorded?")

    assert count_stored(target) == before + 1
    assert target.client.get("/readyz").json()["status"] == "ready"
