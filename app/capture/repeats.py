"""Which events are one and the same: by their client's key, the agent's id, or what two registrations both tell.

One registration runs once for each event. So of equal events that come from one registration each is an event of its
own, while an equal one from another registration is the same event told again, if it comes within a short time.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache

import msgspec

from app.domain import limits
from app.domain.event import Event, EventKind

# Events whose ids their agents use once; a helper keeps one id and may stop several times.
_IDENTIFIED_KINDS = (EventKind.PROMPT, EventKind.TOOL_START, EventKind.TOOL_END)
_NUMBERS_AT_FIRST = 8


class RepeatKeys(msgspec.Struct, frozen=True):
    """By what an event is known: `client` and `native` are keys, empty for none; else its content and its time.

    `registration` is a hash of what the client says of the entry that ran it, empty where it says nothing.
    """

    client: str
    native: str = ""
    content: str = ""
    slot: int = 0
    registration: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """Whether an event is a repeat, and the keys that are to be remembered either way."""

    is_repeat: bool
    new_keys: tuple[str, ...] = ()


def build_keys(event: Event, client_key: str, registration: str, find_seconds: Callable[[], float]) -> RepeatKeys:
    """Name an event by its client's key and by the agent's own id; one without an id by its content and its time.

    `find_seconds` tells those since 1970 by the client's clock, which all its registrations share; few events need it.

    Agents' names play no part: the same hook registered twice, or one agent that runs another's hooks, gives the
    same keys. A prompt's id may be that of a turn in which a person wrote more than once, so that the words count too.
    """
    session = _hash_short(event.agent_session_id)
    client = f"c:{session}{_hash_text(client_key)}" if client_key else ""
    if event.kind in _IDENTIFIED_KINDS and event.native_id:
        words = event.text if event.kind is EventKind.PROMPT else ""
        return RepeatKeys(client, f"n:{session}{_hash_text(f'{event.kind} {event.native_id} {words}')}")
    return RepeatKeys(
        client,
        content=f"{session}{_hash_text(json.dumps(_list_content(event)))}",
        slot=int(find_seconds()) // limits.DUPLICATE_WINDOW_SECONDS,
        registration=_hash_short(registration) if registration else "",
    )


def list_key_prefixes(agent_session_id: str) -> tuple[str, ...]:
    """List how all keys of a session begin."""
    session = _hash_short(agent_session_id)
    return tuple(f"{mark}:{session}" for mark in "cnwr")


class SeenKeys:
    """The stored keys that matter for a batch, and those that the batch itself adds."""

    def __init__(self, batch: Sequence[RepeatKeys], find_known: Callable[[Collection[str]], set[str]]) -> None:
        self._seen = find_known({key for keys in batch for key in _list_first(keys)})
        # Most events are new; only where an equal one came lately do the marks and the numbers of more matter.
        met = {keys for keys in batch if self._is_met(keys, 0)} if self._seen else set()
        size, number = _NUMBERS_AT_FIRST, 0
        while met:
            numbers = range(number, number + size)
            self._seen |= find_known({key for keys in met for each in numbers for key in _list_numbered(keys, each)})
            number += size
            size *= 2
            met = {keys for keys in met if self._is_met(keys, number - 1)}
        self._next: dict[tuple[str, str, int], int] = {}

    def judge(self, keys: RepeatKeys, *, is_surely_new: bool = False) -> Verdict:
        """Decide about the next event of the batch and remember it; only its client's key speaks against a sure one."""
        if keys.client and keys.client in self._seen:
            return Verdict(is_repeat=True)
        is_repeat, marks = self._judge_content(keys, is_surely_new=is_surely_new)
        new_keys = tuple([key for key in (keys.client, *marks) if key and key not in self._seen])
        self._seen.update(new_keys)
        return Verdict(is_repeat, new_keys)

    def _is_met(self, keys: RepeatKeys, number: int) -> bool:
        return any(_number(keys, near, number) in self._seen for near in _list_near(keys))

    def _judge_content(self, keys: RepeatKeys, *, is_surely_new: bool) -> tuple[bool, list[str]]:
        if keys.native:
            return keys.native in self._seen and not is_surely_new, [keys.native]
        for near in () if is_surely_new else _list_near(keys):
            number = self._find_unmarked(keys, near)
            if _number(keys, near, number) in self._seen:
                return True, [_mark(keys, near, number)] if keys.registration else []
        number = self._find_free(keys)
        own = [_mark(keys, keys.slot, number)] if keys.registration else []
        return False, [_number(keys, keys.slot, number), *own]

    def _find_unmarked(self, keys: RepeatKeys, near: int) -> int:
        """Find the first of the equal events in a slot that this registration has not told yet."""
        if not keys.registration:
            return 0
        place = (keys.content, keys.registration, near)
        number = self._next.get(place, 0)
        while _mark(keys, near, number) in self._seen:
            number += 1
        self._next[place] = number
        return number

    def _find_free(self, keys: RepeatKeys) -> int:
        place = (keys.content, "", keys.slot)
        number = self._next.get(place, 0)
        while _number(keys, keys.slot, number) in self._seen:
            number += 1
        self._next[place] = number
        return number


def _list_first(keys: RepeatKeys) -> Iterator[str]:
    if keys.client:
        yield keys.client
    if keys.native:
        yield keys.native
    for near in _list_near(keys):
        yield _number(keys, near, 0)


def _list_near(keys: RepeatKeys) -> tuple[int, ...]:
    return (keys.slot - 1, keys.slot, keys.slot + 1) if keys.content else ()


def _list_numbered(keys: RepeatKeys, number: int) -> Iterator[str]:
    for near in _list_near(keys):
        yield _number(keys, near, number)
        if keys.registration:
            yield _mark(keys, near, number)


def _number(keys: RepeatKeys, slot: int, number: int) -> str:
    """Name the n-th of the equal events within a time slot."""
    return f"w:{keys.content}:{slot}:{number}"


def _mark(keys: RepeatKeys, slot: int, number: int) -> str:
    """Name the fact that a registration has told of that event."""
    return f"r:{keys.content}:{slot}:{number}:{keys.registration}"


def _list_content(event: Event) -> list[object]:
    tool = event.tool
    parts: list[object] = [event.kind, event.native_name, event.text, event.reason, event.native_id, event.helper_id]
    if tool:
        parts += [tool.name, tool.command, tool.input_text, tool.output_text]
        parts += [[touch.path, touch.change] for touch in tool.files]
    if event.kind is EventKind.OTHER:
        # Elsewhere these differ between two agents' modules, which do not know the same fields.
        parts += [list(field) for field in event.extra]
    return parts


@lru_cache(maxsize=1024)
def _hash_short(name: str) -> str:
    """Make the beginning of a session's keys, so that those of one session lie together in the store."""
    return hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=6).hexdigest()


def _hash_text(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=14).hexdigest()
