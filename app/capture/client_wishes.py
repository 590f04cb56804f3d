"""Reads what this machine's person wants a session to be told: nothing, so much, or as much as its agent takes.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.capture import client_parents, marker, native_kinds

BRIEF_OFF, ONE_SHOT, TAKE = "off", "one-shot", "take"
_OFF = {"off", "0", "false", "no"}
_ON = {"on", "1", "true", "yes"}
_KEYS = {"enabled", "agents_off", "chars_max"}


def read_wishes(agent: str, markers: Sequence[tuple[str, str]], environ: Mapping[str, str]) -> dict[str, object]:
    """Read the environment and the nearest marker file that has a `[brief]`; `markers` are nearest first.

    What cannot be read lets nothing be told.
    """
    facts: dict[str, object] = {}
    if environ.get("MEMWIKI_TAKE", "").lower() in _ON:
        facts = {"run": TAKE}
    elif is_one_shot(agent, environ, client_parents.read_command_lines()):
        facts = {"run": ONE_SHOT}
    if environ.get("MEMWIKI_BRIEF", "").lower() in _OFF:
        return {**facts, "brief": BRIEF_OFF}
    for _, text in markers:
        try:
            table = marker.parse_marker(text).get("brief")
        except marker.MarkerUnreadable:
            return {**facts, "brief": BRIEF_OFF}
        if table is not None:
            wish = _read_table(table, agent)
            return {**facts, "brief": wish} if wish else facts
    return facts


def is_one_shot(agent: str, environ: Mapping[str, str], lines: Iterable[Sequence[str]]) -> bool:
    """Tell whether an agent runs without a person: by the environment, else by the words that it was started with."""
    named = native_kinds.ONE_SHOT.get(agent, {})
    if any(environ.get(name, "") in values for name, values in named.items()):
        return True
    programs, words = native_kinds.ONE_SHOT_WORDS.get(agent, ([], []))
    return bool(words) and client_parents.is_started_with(programs, words, lines)


def _read_table(table: object, agent: str) -> str:
    if not isinstance(table, dict) or set(table) - _KEYS:
        return BRIEF_OFF
    is_on, off, size = table.get("enabled", True), table.get("agents_off", []), table.get("chars_max", 0)
    is_sound = isinstance(is_on, bool) and isinstance(off, list) and isinstance(size, int) and size >= 0
    if not is_sound or not is_on or agent in off:
        return BRIEF_OFF
    return str(int(size)) if size else ""
