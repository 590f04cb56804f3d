"""Reads single fields of a hook's JSON without ever failing, and collects the fields that nobody knows."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime

from app.agents import bounds
from app.domain import fence, limits
from app.domain.errors import MalformedPayload
from app.domain.limits import EXTRA_FIELD_BYTES_MAX, EXTRA_FIELDS_MAX, NATIVE_ID_CHARS_MAX, NATIVE_PATH_CHARS_MAX

# Claude Code's hook files are run by other agents too, which spell the same fields in their own way.
SESSION_FIELDS = ("session_id", "sessionId", "conversation_id", "thread-id", "thread_id")
EVENT_FIELDS = ("hook_event_name", "hookEventName")
PARENT_FIELDS = ("parent_session_id", "parentSessionId", "root_session_id", "rootSessionId")
HELPER_FIELDS = ("is_sidechain", "isSidechain", "sidechain")
EARLIER_FIELDS = (
    "previous_session_id", "previousSessionId", "resumed_from", "resumedFrom", "resumed_from_session_id",
    "forked_from", "forkedFrom", "forked_from_id", "forkedFromId",
)  # fmt: skip
ROOTS_FIELDS = ("workspace_roots", "workspaceRoots", "workspace_folders", "workspaceFolders")
# Fields that every agent's module knows, whoever sends them.
SHARED_FIELDS = frozenset(
    {*SESSION_FIELDS, *EVENT_FIELDS, *PARENT_FIELDS, *HELPER_FIELDS, *EARLIER_FIELDS, *ROOTS_FIELDS}
)

_HELPER_MARKS = frozenset({"agent_id", *HELPER_FIELDS})
_UUID_CHARS = 36


def read_text(value: object) -> str:
    """Make text of a field: words as they are, parts joined, anything else as JSON; nothing becomes empty."""
    if isinstance(value, str):
        return bounds.clean_text(value)
    match value:
        case None:
            return ""
        case list():
            return "\n".join(filter(None, (_read_part(part) for part in value)))
        case _:
            return bounds.clean_text(bounds.render_json(value))


def read_first(payload: Mapping[str, object], *names: str) -> object:
    """Take the first of several spellings of a field that has a value."""
    # A plain loop: this runs several times for each event.
    for name in names:
        value = payload.get(name)
        if value is not None:
            return value
    return None


def read_fields(value: object) -> Mapping[str, object]:
    """Take an object as it is and anything else as an object without fields."""
    return value if isinstance(value, dict) else {}


def read_int(value: object) -> int | None:
    """Take whole numbers of a sensible size; booleans and texts are no numbers."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 31 else None


def read_name(value: object, chars_max: int = NATIVE_ID_CHARS_MAX) -> str:
    """Take a short identifying text, also when it came as a number."""
    if isinstance(value, str) and len(value) <= chars_max and value.isascii() and "\x00" not in value:
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        value = bounds.render_json(value)
    return bounds.cut_line(bounds.clean_text(value).strip(), chars_max) if isinstance(value, str) else ""


def read_path(value: object) -> str:
    """Take a file's or folder's path, bounded."""
    if not isinstance(value, str):
        return ""
    return bounds.cut_line(bounds.clean_text(value), NATIVE_PATH_CHARS_MAX)


def read_tool_text(value: object, chars_max: int) -> str:
    """Take a tool's text without colours, without our own recalled text, and bounded."""
    text = read_text(value)
    if not text:
        return ""
    return bounds.cut_text(fence.strip_fence(bounds.strip_escapes(text)), chars_max)


def read_time(value: object) -> datetime | None:
    """Read ISO text or epoch seconds or milliseconds, as UTC."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        return _to_utc(moment)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            seconds = value / 1000 if abs(value) >= limits.EPOCH_SECONDS_MAX else value
            return datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, ValueError, OSError):
            return None
    return None


def read_session_id(payload: Mapping[str, object]) -> str:
    """Find whose session a payload is; an absent id is taken from the transcript's file name.

    What a helper does belongs to the session that sent it, where it has an id of its own as well.

    Raises:
        MalformedPayload: neither is there.
    """
    if is_helper(payload) and (parent := read_name(read_first(payload, *PARENT_FIELDS))):
        return parent
    for field in SESSION_FIELDS:
        if found := read_name(payload.get(field)):
            return found
    stem = read_path(payload.get("transcript_path")).replace("\\", "/").rpartition("/")[2]
    # Codex puts a date before the id; both agents' ids are UUIDs.
    found = stem.removesuffix(".jsonl")[-_UUID_CHARS:]
    if stem.endswith(".jsonl") and len(found) == _UUID_CHARS and found.count("-") == 4:  # noqa: PLR2004 — a UUID's
        return found
    raise MalformedPayload("no session id in it")


def is_helper(payload: Mapping[str, object]) -> bool:
    """Tell whether an event is of a helper that the agent sent off, and not of its main conversation."""
    if payload.keys().isdisjoint(_HELPER_MARKS):
        return False
    return bool(read_name(payload.get("agent_id"))) or any(payload.get(name) is True for name in HELPER_FIELDS)


def read_helper_id(payload: Mapping[str, object]) -> str:
    """Find the id of the helper that an event is of: the one it has for itself, else its session's own."""
    if not is_helper(payload):
        return ""
    return read_name(payload.get("agent_id")) or read_name(read_first(payload, *SESSION_FIELDS))


def read_earlier_session(payload: Mapping[str, object], session_id: str) -> str:
    """Find the id of the session that a new one goes on with; empty where the agent names none."""
    earlier = read_name(read_first(payload, *EARLIER_FIELDS, *PARENT_FIELDS))
    return earlier if earlier != session_id else ""


def read_cwd(payload: Mapping[str, object]) -> str:
    """Take the folder that an agent works in: the one it names, else the first of its workspace's."""
    if cwd := read_path(payload.get("cwd")):
        return cwd
    roots = read_first(payload, *ROOTS_FIELDS)
    return read_path(roots[0]) if isinstance(roots, list) and roots else ""


def choose_event_name(event_name: str, payload: Mapping[str, object], known: Collection[str]) -> str:
    """Choose between the payload's and the address's name of the event: the payload wins when it is known."""
    named = read_name(read_first(payload, *EVENT_FIELDS))
    if named in known or not event_name:
        return named
    return event_name if event_name in known or not named else named


def collect_extra(payload: Mapping[str, object], known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Keep the fields that are not among the known ones, as name and bounded JSON text."""
    names = known if isinstance(known, frozenset) else frozenset(known)
    if payload.keys() <= names:
        return ()
    unknown = [(name, value) for name, value in payload.items() if name not in names and value is not None]
    return tuple(
        (
            bounds.cut_line(bounds.clean_text(str(name)), limits.EXTRA_NAME_CHARS_MAX),
            bounds.cut_text(fence.strip_fence(bounds.clean_text(bounds.render_json(value))), EXTRA_FIELD_BYTES_MAX),
        )
        for name, value in unknown[:EXTRA_FIELDS_MAX]
    )


def _read_part(part: object) -> str:
    match part:
        case str():
            return bounds.clean_text(part)
        case {"text": str(text)} | {"content": str(text)}:
            return bounds.clean_text(text)
        case {"type": "image" | "document"}:
            return "[an attachment]"
        case None:
            return ""
        case _:
            return bounds.clean_text(bounds.render_json(part))


def _to_utc(moment: datetime) -> datetime | None:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (OverflowError, ValueError):
        return None
