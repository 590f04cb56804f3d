"""Reads from a command's output how it went, for agents that pass no exit code and for masked ones.

Only lines that a program prints as its own verdict count: a stated exit code, the last line of a test runner,
a build tool's error line, the shell's own refusal. Everything else stays unknown. Commands that merely show text
(`cat build.log`) say nothing by what they show.
"""

import re
from collections.abc import Collection

import re2

from app.agents import shell_command
from app.domain.event import Outcome

_TAIL_CHARS = 4000
_HEADER_CHARS = 400

_EXIT_CODE_HEAD = re.compile(r"\A(?:.*\n){0,6}?(?:Process exited with code|[Ee]xit code:?) (-?\d{1,10})(?:\n|\Z)")
_EXIT_CODE_LAST = re.compile(
    r"^(?:.{0,80}\b)?(?:exited with (?:code|status)|[Ee]xit (?:code|status):?) (-?\d{1,10})\W*\Z", re.MULTILINE
)

# A verdict of failure outweighs one of success: a run of several suites is as good as its worst.
_FAILED_LINES = (
    r"^=*[ \t]*(?:\d+ [a-z]+, )*\d+ (?:failed|errors?)\b(?:, \d+ [a-z]+)* in [\d.]+s",  # pytest
    r"^FAILED \((?:failures|errors|unexpected)",  # unittest
    r"^test result: FAILED\.",  # cargo test
    r"^error: could not compile ",  # cargo build
    r"^(?:--- )?FAIL(?:$|:?[ \t]+\S+)",  # go test, jest's file lines
    r"^[ \t]*(?:Tests|Test Suites|Test Files):?[ \t]+(?:.*\D)?[1-9]\d* failed\b",  # jest, vitest
    r"^[ \t]+[1-9]\d* failing$",  # mocha
    r"^\d+ examples?, [1-9]\d* failures?",  # rspec
    r"^make(?:\[\d+\])?: \*\*\* .*(?:Error \d+|Stop\.)$",  # make
    r"^npm (?:ERR!|error) ",  # npm
    r"^(?:.*: )?error TS\d+: ",  # tsc
    r"^Found [1-9]\d* errors?\b",  # mypy, ruff, tsc
    r"^(?:.*\][ \t]*)?BUILD FAIL(?:ED|URE)\b",  # gradle, maven
    r"^Failed!\s+- Failed:",  # dotnet test
)
_SUCCEEDED_LINES = (
    r"^=*[ \t]*(?:\d+ [a-z]+, )*\d+ passed\b(?:, \d+ [a-z]+)* in [\d.]+s",  # pytest
    r"^Ran \d+ tests? in .*\n\n?OK\b",  # unittest
    r"^test result: ok\.",  # cargo test
    r"^ok[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))",  # go test
    r"^[ \t]*Tests:?[ \t]+(?:.*\D)?[1-9]\d* passed\b",  # jest, vitest
    r"^[ \t]+[1-9]\d* passing\b",  # mocha
    r"^\d+ examples?, 0 failures",  # rspec
    r"^Success: no issues found",  # mypy
    r"^All checks passed!$",  # ruff
    r"^Found 0 errors\b",  # tsc
    r"^(?:.*\][ \t]*)?BUILD SUCCESS(?:FUL)?\b",  # gradle, maven
    r"^Passed!\s+- Failed:",  # dotnet test
)
_FAILED = re.compile("|".join(_FAILED_LINES), re.MULTILINE)
_SUCCEEDED = re.compile("|".join(_SUCCEEDED_LINES), re.MULTILINE)
# Every verdict has one of these words, and looking for them costs little beside looking for the verdicts.
_FAILED_WORDS = ("fail", "FAIL", "error", "ERR!", "***", "Failed")
_SUCCEEDED_WORDS = (
    "passed",
    "passing",
    "Ran ",
    "ok ",
    "ok\t",
    "no issues",
    "0 failures",
    "0 errors",
    "SUCCESS",
    "Passed!",
)
_REFUSED_BY_SHELL = re.compile(
    r"^(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?.{1,300}: "
    r"(?:command not found|not found|No such file or directory|Permission denied)$"
)
_GIT_REFUSAL = re.compile(r"^(?:fatal|error): ", re.MULTILINE)
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\):$", re.MULTILINE)

_VIEWERS = frozenset(
    {
        "ack",
        "awk",
        "bat",
        "cat",
        "diff",
        "echo",
        "egrep",
        "fgrep",
        "find",
        "grep",
        "head",
        "jq",
        "less",
        "ls",
        "more",
        "nl",
        "printf",
        "rg",
        "sed",
        "tail",
        "tree",
        "wc",
    }
)
_GIT_VIEWS = re.compile(r"\bgit (?:--no-pager )?(?:log|show|diff|grep|blame|status)\b")


def find_exit_code(output: str) -> int | None:
    """Find the exit code that a tool states above or below the output, if it does."""
    stated = _EXIT_CODE_HEAD.match(output[:_HEADER_CHARS]) or _EXIT_CODE_LAST.search(output[-_HEADER_CHARS:])
    return int(stated.group(1)) if stated else None


def read_verdict(command: str, output: str) -> Outcome:
    """Read the verdict that a command's own output gives; unknown where it gives none."""
    tail = output[-_TAIL_CHARS:].rstrip()
    words = _find_words(tail)
    is_failed = any(word < len(_FAILED_WORDS) for word in words) and bool(_FAILED.search(tail))
    is_passed = not is_failed and bool(words) and bool(_SUCCEEDED.search(tail))
    # Most outputs give no verdict, so that their commands need not be taken apart.
    if not (is_failed or is_passed or _may_be_refusal(tail)):
        return Outcome.UNKNOWN
    programs = shell_command.list_programs(command)
    if programs and _VIEWERS.issuperset(programs):
        return Outcome.UNKNOWN
    if (is_failed or is_passed) and not _GIT_VIEWS.search(command):
        return Outcome.FAILED if is_failed else Outcome.SUCCEEDED
    return Outcome.FAILED if _is_refusal(programs, tail) else Outcome.UNKNOWN


def _find_words(tail: str) -> Collection[int]:
    return _WORDS.Match(tail.encode("utf-8", "replace")) or ()


def _build_words() -> re2.Set:
    """Build one matcher of all words, which costs a quarter of looking for them one by one."""
    words = re2.Set.SearchSet()
    for word in (*_FAILED_WORDS, *_SUCCEEDED_WORDS):
        words.Add(re2.escape(word))
    words.Compile()
    return words


_WORDS = _build_words()


def _may_be_refusal(tail: str) -> bool:
    return ": " in tail[tail.rfind("\n") + 1 :] or "Traceback (" in tail


def _is_refusal(programs: tuple[str, ...], tail: str) -> bool:
    last_line = tail.rpartition("\n")[2]
    if _REFUSED_BY_SHELL.match(last_line):
        return True
    if programs[-1:] == ("git",) and _GIT_REFUSAL.match(last_line):
        return True
    return any(program.startswith("python") for program in programs) and bool(_TRACEBACK.search(tail))
