"""Reads from an agent's payload what a policy decides by.

It looks for the spellings of all agents at once: the hook client, which carries a copy, knows no agent's module.
"""

from __future__ import annotations

import re
from typing import Any, Iterator, Mapping

from app.capture import policy
from app.domain import limits

_PATH_FIELDS = {
    "file_path", "filepath", "path", "paths", "notebook_path", "notebookpath", "file", "files", "filename", "filenames",
    "absolute_path", "dir_path", "directory", "target_file", "targetfile", "relative_workspace_path", "uri",
}  # fmt: skip
_COMMAND_FIELDS = {"command", "cmd", "script", "pattern", "glob"}
_TOOL_FIELDS = (
    "tool_input", "toolargs", "tool_args", "tool_response", "tool_output", "tool_result", "toolresult", "tool_call",
    "input", "args", "file_path", "path", "command", "edits",
)  # fmt: skip
_SUBAGENT_FIELDS = ("agent_id", "agentid", "parent_agent_id", "parentagentid")
_HOME = re.compile(r"\$HOME\b|\$\{HOME\}")
# Stands for what was not looked at.
_CUT = (False, "")
_WORD = re.compile(r"[^\s\"'`;|&<>()=,\[\]{}]+|\"[^\"]*\"|'[^']*'")
_PATCHED = re.compile(r"(?m)^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$|^(?:---|\+\+\+) (?:[ab]/)?(\S+)")


def read_facts(kind: str, payload: Mapping[str, Any], cwd: str = "") -> policy.EventFacts:
    """Gather the facts of one event; `kind` is one of `policy.KINDS`."""
    fields = {str(name).lower(): value for name, value in payload.items()}
    given = fields.get("cwd")
    found = list(dict.fromkeys(pair for name in _TOOL_FIELDS for pair in _list_named(name, fields.get(name), 0)))
    return policy.EventFacts(
        kind=kind,
        is_subagent=kind.startswith("subagent") or any(fields.get(name) for name in _SUBAGENT_FIELDS),
        has_assistant_text=any(value and policy.is_assistant_field(str(name)) for name, value in payload.items()),
        cwd=given if isinstance(given, str) and given else cwd,
        paths=tuple(text for is_path, text in found if is_path),
        words=tuple(text for is_path, text in found if not is_path),
        is_whole=len(found) <= limits.POLICY_PATHS_MAX and _CUT not in found,
    )


def _list_named(name: str, value: object, depth: int) -> Iterator[tuple[bool, str]]:
    """List what a field names: file names with true, a command's words with false."""
    if depth > limits.POLICY_DEPTH_MAX or (isinstance(value, str) and len(value) > limits.POLICY_TEXT_CHARS_MAX):
        is_named = name in _PATH_FIELDS or name in _COMMAND_FIELDS or not isinstance(value, str)
        yield from [_CUT] if is_named else []
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _list_named(str(key).lower(), item, depth + 1)
    elif isinstance(value, list):
        if name in _COMMAND_FIELDS and all(isinstance(item, str) for item in value):
            yield from ((False, word) for item in value for word in _list_words(item))
        else:
            for item in value:
                yield from _list_named(name, item, depth + 1)
    elif isinstance(value, str) and name in _PATH_FIELDS:
        yield True, re.sub(r"^file://", "", value)
    elif isinstance(value, str) and name in _COMMAND_FIELDS:
        for patched in _PATCHED.finditer(value):
            yield True, next(filter(None, patched.groups())).strip()
        yield from ((False, word) for word in _list_words(value))


def _list_words(command: str) -> Iterator[str]:
    for found in _WORD.finditer(_HOME.sub("~", command)):
        word = found.group(0)
        if word[0] in "\"'":
            # A quoted text is one path, or a command of its own.
            yield word[1:-1]
            yield from _list_words(word[1:-1])
        else:
            yield word
            # A file after a prefix: `@body.json`, `HEAD:src/main.c`.
            yield from filter(None, re.split("[@:]", word) if re.search("[@:]", word) else ())
