"""Draws hook payloads as Claude Code sends them: tool results of about 1.5 KB, whole sessions, batches."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import quote

import msgspec

from app.bench import wire

AGENT: Final = "claude-code"
_BODY_BYTES: Final = 1500
_TEXTS: Final = 400
_EVENTS_PER_SESSION: Final = 200
_SECRET_SHARE: Final = 0.01
_TOOLS: Final = 3
_FILES: Final = 97
_PROJECT_FILES: Final = 97
_CHECKOUT: Final = {
    "cwd": "/home/dev/shop",
    "root": "/home/dev/shop",
    "common_dir": "/home/dev/shop/.git",
    "remote": "https://github.com/example/shop.git",
    "branch": "main",
    "revision": "8840b5a4e3c61afce4c6eda769937099059cd9fc",
}
_NAMES: Final = (
    "parse_price apply_discount load_catalog CartLine total_of round_half_up OrderError tax_rate stock_level Invoice "
    "currency_for write_receipt http_client RetryPolicy shipping_zone customer_id build_query Settings test_totals"
)
_WORDS: Final = (
    "returns the price of one line when a cart holds more than its stock and raises if the currency is unknown to "
    "this shop because rounding happens once per invoice never per item so totals agree with what the bank was told"
)


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event on its way to `POST /hook`: the agent's name for it, its key and its payload."""

    name: str
    key: str
    payload: Mapping[str, Any]


def draw_tool_events(seed: int, count: int) -> Iterator[HookEvent]:
    """Draw distinct finished tool uses, spread over sessions as a team's would be."""
    rng = random.Random(seed)
    texts = [_draw_text(rng) for _ in range(_TEXTS)]
    for number in range(count):
        session = f"{seed:08x}-0000-4000-8000-{number // _EVENTS_PER_SESSION:012x}"
        yield _build_tool_event(session, number, texts[number % _TEXTS])


def draw_session(seed: int, count: int, topic: str, *, files_max: int = 0) -> list[HookEvent]:
    """Draw a session of `count` events whose first prompt holds the word `topic`; the last one ends it.

    With `files_max` it goes back again and again to so many files of a large project, as people's do; without, each
    step is at another one.
    """
    rng = random.Random(seed)
    session = f"{seed:08x}-5e55-4000-8000-{seed:012x}"
    prompt = f"Find out why {topic} rounds twice, fix it, and make the tests green."
    answer = f"{topic} now rounds once. Next step: update the invoice template."
    opening = [
        _build_event(session, "SessionStart", 0, source="startup"),
        _build_event(session, "UserPromptSubmit", 1, prompt=prompt),
    ]
    closing = [
        _build_event(session, "Stop", count - 2, stop_hook_active=False, last_assistant_message=answer),
        _build_event(session, "SessionEnd", count - 1, reason="prompt_input_exit"),
    ]
    numbers = range(len(opening), count - len(closing))
    files = rng.sample(range(_PROJECT_FILES), files_max) if files_max else []
    places = [files[number // _TOOLS % len(files)] if files else number for number in numbers]
    texts = ((number, place, _draw_text(rng)) for number, place in zip(numbers, places, strict=True))
    return [*opening, *(_build_tool_event(session, number, text, place) for number, place, text in texts), *closing]


def build_hook_request(headers: Mapping[str, str], event: HookEvent) -> bytes:
    """Build the request by which the hook client sends one event."""
    own = {"Idempotency-Key": event.key, "Memwiki-Checkout": quote(msgspec.json.encode(_CHECKOUT))}
    target = f"/hook?agent={AGENT}&event={event.name}"
    return wire.build_request("POST", target, {**headers, **own}, msgspec.json.encode(event.payload))


def build_batch_request(headers: Mapping[str, str], events: list[HookEvent]) -> bytes:
    """Build the request by which the hook client empties its spool."""
    items = [
        {"agent": AGENT, "event": event.name, "key": event.key, "checkout": _CHECKOUT, "payload": event.payload}
        for event in events
    ]
    return wire.build_request("POST", "/hook/batch", headers, msgspec.json.encode({"events": items}))


def _build_event(session: str, name: str, number: int, **fields: object) -> HookEvent:
    payload = {
        "session_id": session,
        "transcript_path": f"/home/dev/.claude/projects/-home-dev-shop/{session}.jsonl",
        "cwd": "/home/dev/shop",
        "prompt_id": f"9880059b-11a7-432c-8f61-{number:012x}",
        "permission_mode": "acceptEdits",
        "hook_event_name": name,
        **fields,
    }
    return HookEvent(name, f"{session}-{number}", payload)


def _build_tool_event(session: str, number: int, text: str, place: int | None = None) -> HookEvent:
    """Build one finished tool use; the text is cut so that the whole body has its size."""
    tool = (_build_shell, _build_read, _build_edit)[number % _TOOLS]
    build = partial(tool, place=number if place is None else place)
    size = len(msgspec.json.encode(build(session, number, "").payload))
    room = max(0, _BODY_BYTES - size)
    # A line's end takes two bytes in JSON.
    return build(session, number, text[: room - text.count("\n", 0, room)])


def _build_shell(session: str, number: int, text: str, place: int) -> HookEvent:
    return _build_event(
        session,
        "PostToolUse",
        number,
        tool_name="Bash",
        tool_input={"command": f"pytest -q tests/test_{place}.py", "description": "Run one test file"},
        tool_response={"stdout": text, "stderr": "", "interrupted": False, "isImage": False},
        tool_use_id=f"toolu_{session[:8]}{number:012x}",
        duration_ms=300 + number % 900,
    )


def _build_read(session: str, number: int, text: str, place: int) -> HookEvent:
    path = f"/home/dev/shop/src/part_{place % _FILES}.py"
    return _build_event(
        session,
        "PostToolUse",
        number,
        tool_name="Read",
        tool_input={"file_path": path},
        tool_response={"type": "text", "file": {"filePath": path, "content": text, "numLines": 30, "startLine": 1}},
        tool_use_id=f"toolu_{session[:8]}{number:012x}",
        duration_ms=4,
    )


def _build_edit(session: str, number: int, text: str, place: int) -> HookEvent:
    path = f"/home/dev/shop/src/part_{place % _FILES}.py"
    old = text[: len(text) // 3]
    return _build_event(
        session,
        "PostToolUse",
        number,
        tool_name="Edit",
        tool_input={"file_path": path, "old_string": old, "new_string": text[len(old) :], "replace_all": False},
        tool_response={"filePath": path, "userModified": False, "replaceAll": False},
        tool_use_id=f"toolu_{session[:8]}{number:012x}",
        duration_ms=18,
    )


def _draw_text(rng: random.Random) -> str:
    """Draw text between code and a test's output, longer than any body has room for."""
    lines = []
    names, words = _NAMES.split(), _WORDS.split()
    for number in range(40):
        call = f"{rng.choice(names)}({rng.choice(names)}, {rng.randrange(10_000)})"
        lines.append(f"{number + 1:4}  {call}  # {' '.join(rng.choices(words, k=6))}")
    if rng.random() < _SECRET_SHARE:
        lines[2] = f"SHOP_API_TOKEN={rng.getrandbits(160):040x}"
    return "\n".join(lines)
