"""Readers of transcripts in the forms of Gemini CLI, pi, SWE-agent, aider and SpecStory: for measuring alone."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.agents import fields, patch
from app.bench.told import Telling

_EDITS_APPLIED = re.compile(r"^> Applied edit to (.+?)\s*$")
_NEW_FILE = re.compile(r"^> Allow creation of new file (.+?)\? y")
_COMMIT = re.compile(r"^> Commit ([0-9a-f]{7,}) (.+?)\s*$")
_ASKED = re.compile(r"^#### (.+?)\s*$")
_SWE_EDIT = re.compile(r"^(?:edit|insert)\b")
_SWE_LOOKS = re.compile(r"^(?:open|goto|scroll_\w+|find_file|search_\w+|submit|exit_\w+)\b")
_SWE_OPENED = re.compile(r"^\[File: (\S+) \(\d+ lines total\)\]", re.MULTILINE)
_SWE_REFUSED = re.compile(r"introduced new syntax error|DO NOT re-run|^Usage: ", re.MULTILINE)
_SPEC_TURN = re.compile(
    r"^_\*\*(?P<who>User|Agent)(?P<side> - sidechain)? \((?:\S+ )?(?P<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ)\)\*\*_$",
    re.MULTILINE,
)
_SPEC_TOOL = re.compile(r"Tool use: \*\*(?P<name>[\w-]+)\*\*(?: `(?P<given>[^`\n]+)`)?")
_SPEC_COMMAND = re.compile(r"^`([^`\n]+)`$", re.MULTILINE)
_SPEC_OUTPUT = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SPEC_WRITTEN = re.compile(r"The file (\S+) has been (updated|overwritten)|File created successfully at: (\S+)")
_SPEC_PATCH = re.compile(r"^\*\*(Add|Update|Delete): `([^`\n]+)`\*\*", re.MULTILINE)
_SPEC_HIDDEN = re.compile(r"<(think|tool-use)\b.*?</\1>", re.DOTALL)


def tell_gemini(text: str, telling: Telling) -> None:
    """Tell a chat that Gemini CLI saved."""
    said = ""
    for message in json.loads(text)["messages"]:
        telling.at = fields.read_time(message.get("timestamp"))
        if message["type"] == "user":
            telling.report(said)
            telling.ask(message["content"])
            said = ""
        elif message["type"] == "gemini":
            said = message["content"]
            for call in message.get("toolCalls", ()):
                _tell_gemini_call(call, telling)
                said = "" if call is message["toolCalls"][-1] and not message["content"] else said
    telling.report(said)


def _tell_gemini_call(call: dict[str, Any], telling: Telling) -> None:
    answered = json.dumps(call.get("result", ""))
    is_failed = call.get("status") != "success"
    if call["name"] == "run_shell_command":
        telling.run(call["args"]["command"], answered, is_failed=is_failed)
    elif call["name"] in {"write_file", "replace"}:
        is_new = "created" in answered
        telling.edit(call["args"]["file_path"], is_new=is_new, error=answered if is_failed else None)


def tell_pi(text: str, telling: Telling) -> None:
    """Tell a session that pi saved."""
    uses: dict[str, dict[str, Any]] = {}
    said = ""
    for line in text.splitlines():
        record = json.loads(line)
        telling.at = fields.read_time(record.get("timestamp"))
        message = record.get("message", {})
        blocks = [block for block in message.get("content", ()) if isinstance(block, dict)]
        words = "\n".join(block["text"] for block in blocks if block.get("type") == "text")
        match message.get("role"):
            case "user":
                telling.report(said)
                telling.ask(words)
                said = ""
            case "assistant":
                calls = [block for block in blocks if block.get("type") == "toolCall"]
                uses.update({call["id"]: call for call in calls})
                said = "" if calls else words
            case "toolResult":
                _tell_pi_result(uses.get(message["toolCallId"], {}), words, message, telling)
    telling.report(said)


def _tell_pi_result(use: dict[str, Any], output: str, message: dict[str, Any], telling: Telling) -> None:
    given, is_failed = use.get("arguments", {}), bool(message.get("isError"))
    if use.get("name") == "bash":
        telling.run(given["command"], output, is_failed=is_failed)
    elif use.get("name") in {"edit", "write"}:
        is_new = use["name"] == "write"
        telling.edit(given["path"], is_new=is_new, error=output if is_failed else None)


def tell_swe_agent(text: str, telling: Telling) -> None:
    """Tell a trajectory of SWE-agent; its last thought is what it reports."""
    whole = json.loads(text)
    asked = next(turn["content"] for turn in whole["history"] if turn["role"] == "user" and not turn.get("is_demo"))
    telling.ask(asked if isinstance(asked, str) else asked[0]["text"])
    opened, said = "", ""
    for step in whole["trajectory"]:
        action, output = step["action"].strip(), step["observation"] or ""
        said = step["thought"].strip() or said
        # A file that is open is named above what a command shows of it.
        shown = _SWE_OPENED.search(output)
        opened = shown.group(1) if shown else opened
        if action.startswith("create "):
            telling.edit(action.split(maxsplit=1)[1].strip("\"'"), is_new=True)
        elif _SWE_EDIT.match(action):
            telling.edit(opened, error=output if _SWE_REFUSED.search(output) else None)
        elif not _SWE_LOOKS.match(action):
            telling.run(action, output)
    telling.report(said)


def tell_aider(text: str, telling: Telling) -> None:
    """Tell a chat history of aider, which commits each of its edits itself."""
    said: list[str] = []
    made: set[str] = set()
    for line in text.splitlines():
        if asked := _ASKED.match(line):
            telling.report("\n".join(said))
            said = []
            words = asked.group(1)
            if words.startswith("/run "):
                telling.run(words.removeprefix("/run "), "")
            else:
                telling.ask(words)
        elif new := _NEW_FILE.match(line):
            made.add(new.group(1))
        elif edited := _EDITS_APPLIED.match(line):
            telling.edit(edited.group(1), is_new=edited.group(1) in made)
            made.discard(edited.group(1))
        elif commit := _COMMIT.match(line):
            told = f"[main {commit.group(1)}] {commit.group(2)}\n 1 file changed"
            telling.run(f"git commit -m {json.dumps(commit.group(2))}", told)
        elif telling.events and not line.startswith(("> ", "<div", "</div")):
            said.append(line)
    telling.report("\n".join(said))


def tell_specstory(text: str, telling: Telling) -> None:
    """Tell a session that SpecStory wrote down as markdown; helpers' parts are left out."""
    said = ""
    for who, body, at in _split_turns(text):
        telling.at = at
        if who == "User":
            telling.report(said)
            said = ""
            telling.ask(body)
            continue
        words = _SPEC_HIDDEN.sub("", body).strip()
        tool = _SPEC_TOOL.search(body)
        said = "" if tool else words or said
        if tool:
            _tell_specstory_tool(tool, body, telling)
    telling.report(said)


def _split_turns(text: str) -> Iterator[tuple[str, str, datetime | None]]:
    marks = list(_SPEC_TURN.finditer(text))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        body = text[mark.end() : following.start() if following else len(text)].strip().removesuffix("---").strip()
        if not mark.group("side") and body:
            yield mark.group("who"), body, fields.read_time(mark.group("at").replace(" ", "T"))


def _tell_specstory_tool(tool: re.Match[str], body: str, telling: Telling) -> None:
    output = "\n".join(_SPEC_OUTPUT.findall(body))
    if tool.group("name") in {"Bash", "exec_command", "shell"}:
        command = tool.group("given") or next(iter(_SPEC_COMMAND.findall(body)), "")
        if command:
            telling.run(command, output)
    for path, how, created in _SPEC_WRITTEN.findall(output):
        telling.edit(path or created, is_new=bool(created) and not how)
    if tool.group("name") == "apply_patch" or patch.PATCH_MARK in body:
        for verb, path in _SPEC_PATCH.findall(body):
            telling.edit(path, is_new=verb == "Add")
