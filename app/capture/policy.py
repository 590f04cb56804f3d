"""What a folder's owner lets be captured: reads `[capture]` of a marker file, and decides about one event.

The hook client carries a copy of this module and decides before anything is sent or kept; the server decides again
with the policy that the event brought along. So this speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import re
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

from app.capture import marker
from app.domain import limits

KINDS = (
    "session_start", "prompt", "tool_start", "tool_end", "turn_end",
    "subagent_start", "subagent_end", "compaction", "session_end", "other",
)  # fmt: skip
TOOL_KINDS = ("tool_start", "tool_end")
KEEP, DROP, STRIP = "keep", "drop", "strip"
# What the header says in the place of a policy that cannot be read.
UNREADABLE = "unreadable"
# Where the agents' payloads hold the words of the model, without case and underscores.
_ASSISTANT_FIELDS = {
    "lastassistantmessage", "assistantmessage", "summary", "compactsummary", "promptresponse", "delta",
    "messagetext", "response",
}  # fmt: skip

_KEYS = {"enabled", "mode", "allow", "deny", "kinds", "subagents", "assistant_text"}
_HEADER_KEYS = _KEYS | {"root", "home"}
_MODES = ("deny-list", "allow-list")


class PolicyUnreadable(ValueError):
    """A marker file or header does not say what may be captured in words that are known."""


class Policy(NamedTuple):
    """What may be captured below a folder; without a `[capture]` table everything is, and `is_stated` is false.

    `root` is the folder that globs are relative to, `home` that of the person, for globs that begin with `~/`.
    """

    is_stated: bool = False
    is_readable: bool = True
    is_enabled: bool = True
    is_allow_list: bool = False
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    dropped_kinds: tuple[str, ...] = ()
    keeps_subagents: bool = True
    keeps_assistant_text: bool = True
    root: str = ""
    home: str = ""


class EventFacts(NamedTuple):
    """What a decision depends on: `paths` are fields that name files, `words` those of a command line.

    `cwd` is the folder that relative ones start from; `is_whole` says that nothing that it names was left out.
    """

    kind: str
    is_subagent: bool = False
    has_assistant_text: bool = False
    cwd: str = ""
    paths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    is_whole: bool = True


class Decision(NamedTuple):
    """What becomes of an event: `keep`, `drop`, or `strip`, which takes the model's words out; and why."""

    action: str
    reason: str


def parse_policy(text: str, root: str = "", home: str = "") -> Policy:
    """Read the policy of one marker file.

    Raises:
        PolicyUnreadable: the file is no TOML, or its `[capture]` has an unknown key or value.
    """
    if len(text.encode("utf-8", "replace")) > limits.MARKER_BYTES_MAX:
        raise PolicyUnreadable("it is larger than %d bytes" % limits.MARKER_BYTES_MAX)
    try:
        table = marker.parse_marker(text).get("capture")
    except marker.MarkerUnreadable as error:
        raise PolicyUnreadable(str(error)) from error
    if table is None:
        return Policy()
    if not isinstance(table, dict):
        raise PolicyUnreadable("capture is no table")
    policy = _build_policy(table, root, home, _KEYS)
    render_header(policy)
    return policy


def find_policy(markers: Iterable[tuple[str, str]], home: str = "") -> Policy:
    """Choose the policy of a folder: that of the nearest marker file that states one; nearest first, with its folder.

    A file that cannot be read decides as well, since nobody knows what it should say.

    Raises:
        PolicyUnreadable: that file, named.
    """
    for folder, text in markers:
        try:
            policy = parse_policy(text, folder, home)
        except PolicyUnreadable as error:
            raise PolicyUnreadable("%s/.memwiki.toml: %s" % (folder.rstrip("/"), error)) from error
        if policy.is_stated:
            return policy
    return Policy()


def render_header(policy: Policy) -> str:
    """Write a policy as the compact JSON that travels with an event; empty where none is stated.

    Raises:
        PolicyUnreadable: it is too long to travel.
    """
    if not policy.is_readable:
        return UNREADABLE
    if not policy.is_stated:
        return ""
    table: dict[str, object] = {
        "enabled": policy.is_enabled,
        "mode": _MODES[policy.is_allow_list],
        "allow": list(policy.allow),
        "deny": list(policy.deny),
        "kinds": dict.fromkeys(policy.dropped_kinds, False),
        "subagents": "keep" if policy.keeps_subagents else "drop",
        "assistant_text": policy.keeps_assistant_text,
        "root": policy.root,
        "home": policy.home,
    }
    text = json.dumps(table, separators=(",", ":"))
    if len(text) > limits.POLICY_BYTES_MAX:
        raise PolicyUnreadable("its rules take more than %d bytes" % limits.POLICY_BYTES_MAX)
    return text


def parse_header(text: str) -> Policy:
    """Read back what `render_header` wrote.

    Raises:
        PolicyUnreadable: the text is something else.
    """
    if not text:
        return Policy()
    if text.strip() == UNREADABLE:
        return Policy(is_stated=True, is_readable=False)
    if len(text) > limits.POLICY_BYTES_MAX:
        raise PolicyUnreadable("it is larger than %d bytes" % limits.POLICY_BYTES_MAX)
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PolicyUnreadable("the header is no JSON") from error
    if not isinstance(table, dict):
        raise PolicyUnreadable("the header is no JSON object")
    root, home = table.get("root", ""), table.get("home", "")
    if not isinstance(root, str) or not isinstance(home, str):
        raise PolicyUnreadable("root and home are folders")
    return _build_policy(table, root, home, _HEADER_KEYS)


def decide(policy: Policy, facts: EventFacts) -> Decision:
    """Decide about one event; the first rule that applies says why."""
    refused = _find_switch(policy, facts)
    if not refused and not facts.is_whole and (policy.deny or policy.is_allow_list):
        refused = "it names too many files to be judged"
    refused = refused or _find_denied(policy, facts) or _find_unlisted(policy, facts)
    if refused:
        return Decision(DROP, refused)
    if facts.has_assistant_text and not policy.keeps_assistant_text:
        return Decision(STRIP, "the model's words are left out (assistant_text = false)")
    return Decision(KEEP, "nothing is against it" if policy.is_stated else "no policy is stated here")


def strip_payload(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Take the model's words out of an agent's payload."""
    return {name: value for name, value in payload.items() if not is_assistant_field(name)}


def is_assistant_field(name: str) -> bool:
    """Tell whether a field of a payload holds the model's words."""
    return name.replace("_", "").lower() in _ASSISTANT_FIELDS


def _build_policy(table: Mapping[str, Any], root: str, home: str, known: set[str]) -> Policy:
    unknown = sorted(set(table) - known)
    if unknown:
        raise PolicyUnreadable("capture.%s is no setting" % unknown[0][:64])
    kinds = table.get("kinds", {})
    if not isinstance(kinds, dict) or not all(isinstance(value, bool) for value in kinds.values()):
        raise PolicyUnreadable("capture.kinds is a table of true and false")
    if set(kinds) - set(KINDS):
        raise PolicyUnreadable("capture.kinds.%s is no kind of event" % min(set(kinds) - set(KINDS))[:64])
    return Policy(
        is_stated=True,
        is_enabled=_read_switch(table, "enabled"),
        is_allow_list=_read_choice(table, "mode", _MODES) == _MODES[1],
        allow=_read_globs(table, "allow"),
        deny=_read_globs(table, "deny"),
        dropped_kinds=tuple(kind for kind in KINDS if kinds.get(kind) is False),
        keeps_subagents=_read_choice(table, "subagents", ("keep", "drop")) == "keep",
        keeps_assistant_text=_read_switch(table, "assistant_text"),
        root=root.replace("\\", "/"),
        home=home.replace("\\", "/"),
    )


def _read_switch(table: Mapping[str, Any], name: str) -> bool:
    value = table.get(name, True)
    if not isinstance(value, bool):
        raise PolicyUnreadable("capture.%s is true or false" % name)
    return value


def _read_choice(table: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
    value = table.get(name, choices[0])
    if value not in choices:
        raise PolicyUnreadable("capture.%s is one of %s" % (name, ", ".join(choices)))
    return str(value)


def _read_globs(table: Mapping[str, Any], name: str) -> tuple[str, ...]:
    globs = table.get(name, [])
    if not isinstance(globs, list) or len(globs) > limits.POLICY_GLOBS_MAX:
        raise PolicyUnreadable("capture.%s is a list of at most %d globs" % (name, limits.POLICY_GLOBS_MAX))
    for glob in globs:
        names = _split(glob.replace("\\", "/").strip()) if isinstance(glob, str) else []
        if not names or len(glob) > limits.POLICY_GLOB_CHARS_MAX:
            raise PolicyUnreadable("capture.%s has a glob that is empty, too long or no text" % name)
        # Taking these for plain letters could let through what they are meant to hold back.
        if glob[0] == "!" or set(glob) & set("[]{}") or ".." in re.split(r"[/\\]", glob):
            raise PolicyUnreadable("capture.%s: %s: only *, ** and ? are understood" % (name, glob))
    return tuple(globs)


def _find_switch(policy: Policy, facts: EventFacts) -> str:
    if not policy.is_readable:
        return "the policy cannot be read, so nothing is captured"
    if not policy.is_enabled:
        return "capture is off here (enabled = false)"
    if facts.kind in policy.dropped_kinds:
        return "events of the kind %s are off (kinds)" % facts.kind
    if facts.is_subagent and not policy.keeps_subagents:
        return 'subagents are left out (subagents = "drop")'
    return ""


def _find_denied(policy: Policy, facts: EventFacts) -> str:
    if not policy.deny:
        return ""
    # Many file systems take two spellings for one file, and a denied file stays denied under both.
    folded = policy._replace(root=policy.root.casefold(), home=policy.home.casefold())
    for path in (*facts.paths, *facts.words):
        readings = _read_path(path.casefold(), folded, facts.cwd.casefold())
        for glob in policy.deny:
            if _matches(glob.casefold(), readings, folded):
                return "%s is denied by %s" % (path, glob)
    return ""


def _find_unlisted(policy: Policy, facts: EventFacts) -> str:
    if not policy.is_allow_list or facts.kind not in TOOL_KINDS:
        return ""
    named = [*facts.paths, *(word for word in facts.words if _is_path(word))]
    if not named:
        return "the tool call names no file, and only listed files are captured (allow-list)"
    for path in named:
        readings = _read_path(path, policy, facts.cwd)
        if not any(_matches(glob, readings, policy) for glob in policy.allow):
            return "%s is not listed (allow-list)" % path
    return ""


def _is_path(word: str) -> bool:
    return "/" in word or "\\" in word or word[:1] in {".", "~"} or "." in word[1:-1]


def _read_path(path: str, policy: Policy, cwd: str) -> tuple[list[str], list[list[str]]]:
    """Read a path as a whole one, and as what it may be below the policy's folder."""
    path = _expand(path.replace("\\", "/"), policy.home)
    whole = _split(path if _is_absolute(path) else "%s/%s" % (cwd.replace("\\", "/"), path))
    root = _split(policy.root)
    inside = [whole[len(root) :]] if root and whole[: len(root)] == root else []
    return whole, inside + ([] if _is_absolute(path) else [_split(path)])


def _matches(glob: str, readings: tuple[list[str], list[list[str]]], policy: Policy) -> bool:
    """Tell whether a glob names a path or a folder above it.

    One without a slash inside means a name at any depth, one that begins with `/` or `~/` also the whole path.
    """
    whole, inside = readings
    glob = _expand(glob.replace("\\", "/").rstrip("/"), policy.home)
    if "/" not in glob:
        return any(_covers(["**", glob], each) for each in (whole, *inside))
    names = _split(glob)
    return (_is_absolute(glob) and _covers(names, whole)) or any(_covers(names, each) for each in inside)


def _expand(path: str, home: str) -> str:
    return "%s/%s" % (home.rstrip("/"), path[2:]) if home and path.startswith("~/") else path


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def _split(path: str) -> list[str]:
    names: list[str] = []
    for name in path.split("/")[: limits.POLICY_PATH_PARTS_MAX]:
        if name == ".." and names:
            names.pop()
        elif name not in {"", ".", ".."}:
            names.append(name)
    return names


def _covers(globs: Sequence[str], names: Sequence[str]) -> bool:
    """Follow all readings of the globs at once, so that no pattern takes long."""
    states = _widen({0}, globs)
    for name in names:
        if len(globs) in states:
            return True
        followed = {at + 1 for at in states if globs[at] != "**" and _matches_name(globs[at], name)}
        states = _widen(followed | {at for at in states if globs[at] == "**"}, globs)
    return bool(names) and len(globs) in states


def _widen(states: set[int], globs: Sequence[str]) -> set[int]:
    """Add what is reached by letting `**` stand for nothing."""
    widened = set(states)
    for at, glob in enumerate(globs):
        if at in widened and glob == "**":
            widened.add(at + 1)
    return widened


def _matches_name(glob: str, name: str) -> bool:
    """Match one part of a path; a star gives way only to the last one before it, which is enough."""
    at, back, star = 0, 0, -1
    rank = 0
    while rank < len(name):
        if at < len(glob) and glob[at] == "*":
            star, back = at, rank
            at += 1
        elif at < len(glob) and glob[at] in {"?", name[rank]}:
            at, rank = at + 1, rank + 1
        elif star >= 0:
            back += 1
            at, rank = star + 1, back
        else:
            return False
    return not glob[at:].strip("*")
