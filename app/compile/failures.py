"""What a command's output says: did it work, which lines tell, and a signature that repeats compare by."""

import re

from app.compile.commands import CommandLine
from app.compile.purposes import CHECKS, Purpose
from app.domain import legible
from app.domain.event import Outcome, ToolCall
from app.domain.limits_compile import EXCERPT_LINE_CHARS_MAX, EXCERPT_LINES_MAX, RESULT_CHARS_MAX, SIGNATURE_CHARS_MAX

_NONZERO = r"[1-9]\d*"

_FAILED = re.compile(
    rf"""
    ^\s*(?:FAILED|ERROR)\s\S+::            # pytest's summary
  | \b{_NONZERO}\s(?:failed|failing|failures?|errors?)\b
  | ^Tests?:\s+{_NONZERO}\sfailed | ^FAILED\s\( | ^\s*---\sFAIL: | ^FAIL\b | test\sresult:\sFAILED
  | ^error(?:\[\w+\])?:\s | \berror\sTS\d+: | ^npm\sERR! | \bELIFECYCLE\b | ^make(?:\[\d+\])?:\s\*\*\*
  | \bBUILD\sFAIL(?:ED|URE)\b | ^Traceback\s\(most\srecent | ^panic:\s | ^fatal:\s | :\scommand\snot\sfound$
  | ^Exit\scode:?\s{_NONZERO} | ^Failed!\s | \bFound\s{_NONZERO}\serrors?\b | ^would\sreformat\b
  | ^{_NONZERO}\sissues?:$ | \bERROR\stask\sfailed$ | ^Command\sexited\swith\scode\s{_NONZERO}
    """,
    re.VERBOSE | re.MULTILINE,
)
_PASSED = re.compile(
    r"""
    \b[1-9]\d*\s(?:passed|passing)\b | ^ok\s+\S+ | ^PASS\b | test\sresult:\sok | ^OK\b | \bBUILD\sSUCCESS
  | ^All\schecks\spassed | ^Success:\sno\sissues | \b0\serrors\b | ^Exit\scode:?\s0\b | \b0\sissues\b
    """,
    re.VERBOSE | re.MULTILINE,
)
_BROKEN = re.compile(
    rf"^(?:Traceback \(most recent|fatal: |panic: |npm ERR!|error: |Exit code:? {_NONZERO})"
    r"|: command not found$|: No such file or directory$|: Permission denied$",
    re.MULTILINE,
)

# Every verdict has one of these words on its line, and looking for them costs little beside looking for verdicts.
_FAILED_WORDS = (
    "ail", "FAIL", "rror", "ERR", "***", "Traceback", "panic", "fatal", "not found", "xit code", "reformat", "issue",
)  # fmt: skip
_PASSED_WORDS = ("pass", "PASS", "ok", "OK", "SUCCESS", "Success", "0 errors", "xit code", "0 issues")
_BROKEN_WORDS = ("Traceback", "fatal", "panic", "ERR", "rror", "xit code", "not found", "No such", "denied")

# The best line to name an error by, from the most telling kind to the least.
_TELLING = tuple(
    re.compile(pattern)
    for pattern in (
        r"^E\s{2,}(?=\S*(?:Error|Exception|Failed|Warning|Exit)\b)",
        r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b(?::|$)",
        r"^error\[\w+\]: |\berror TS\d+: |^\S+:\d+(?::\d+)?:? (?:fatal )?error\b",
        # Linters close with the name of the rule; compilers name what is wrong.
        (
            r"^\S+:\d+(?::\d+)?: (?!: #).*"
            r"(?:\([\w-]+\)$|\[[\w-]+\]$|\bundefined\b|\bcannot use\b|\bnot enough arguments\b)"
        ),
        r"^\s*--- FAIL: |^\s+\S+_test\.go:\d+: |^panic: |^thread '.*' panicked",
        r"^(?:FAILED|ERROR) \S+|^\s*[●✕✗\u00d7] |^FAIL\b",
        r"^(?:fatal|error|Error|ERROR|npm ERR!|CONFLICT)\b.*",
        r"^\S+:\d+(?::\d+)?: (?!: #).+|^make(?:\[\d+\])?: \*\*\* ",
        (
            r": (?:command not found|No such file or directory|Permission denied)$"
            r"|\b(?:undefined|cannot|could not|unable to)\b"
        ),
    )
)
_ALSO = re.compile(
    r"^E\s{2,}\S|^>\s+\S|^(?:FAILED|ERROR) |^\S+:\d+(?::\d+)?: |^\s+(?:expected|actual|got|want)\b[:=]?", re.IGNORECASE
)
# Most lines tell nothing; one look says so.
_ANY_TELLING = re.compile("|".join(f"(?:{rule.pattern})" for rule in _TELLING) + f"|(?i:{_ALSO.pattern})")
_NOISE_LINE = re.compile(
    r"^[\W_]*$|^Exit code:? \d+$|^(?:=|-|_){4,}|^Wall time|^FAIL$|^(?:\[\w+\] )?ERROR task failed|^Output:$"
    r"|^exit status \d+$"
)
_RESULT = re.compile(
    r"^(?:=+ )?(.*\b\d+ (?:passed|failed|errors?|skipped|passing|failing)\b.*?)(?: =+)?$|^(Tests?:\s.*)$"
    r"|^(test result: .*)$"
    r"|^(Found \d+ (?:errors?|issues?).*)$|^(All checks passed.*)$|^(Ran \d+ tests?.*)$",
    re.MULTILINE,
)
_DECLINED = re.compile(
    r"^\W*(?:The user doesn't want to (?:proceed|take this action)|\[?Request interrupted by user"
    r"|Permission to use .{1,80} has been denied|(?:The )?user (?:rejected|denied|declined)"
    r"|<tool_use_error>|This command requires approval|Command was (?:rejected|aborted) by|Command aborted$)",
    re.IGNORECASE,
)
_OBJECTION = re.compile(
    r"(?:the user said|user feedback|with the following (?:reason|feedback))\s*:\s*(.+?)"
    r"(?:\n\s*\n(?:Note|IMPORTANT)\b.*)?\Z",
    re.IGNORECASE | re.DOTALL,
)
_TIMING = re.compile(
    r"\s*(?:;\s*finished\s)?(?:\bin\b|\()\s*[\d.,:]+\s*m?s(?:ec(?:onds?)?)?\)?(?:\s*\([\d:.]+\))?"
    r"|\(?\b\d+(?:\.\d+)?m?s\b\)?"
)
_VARIABLE = re.compile(
    r"0x[0-9a-fA-F]+|\b[0-9a-f]{7,64}\b|(?<=:)\d+(?::\d+)?|\b\d+(?:\.\d+)?(?:[mµn]?s)?\b|/(?:tmp|var)/\S+"
)


def decide_outcome(tool: ToolCall, command: CommandLine) -> Outcome:
    """Tell how a command went; a check's own words outweigh an exit code that a pipe has hidden."""
    output = legible.clean_text(tool.output_text)
    if tool.outcome is Outcome.FAILED and command.is_filtered:
        # A filter that lets nothing through fails, whatever came before it.
        return Outcome.FAILED if _has_failed(output) or _is_broken(output) else Outcome.UNKNOWN
    if tool.outcome is Outcome.FAILED:
        # A search that finds nothing exits with 1 and is no failure.
        is_empty_search = command.purpose is Purpose.SEARCH and not _is_broken(output)
        return Outcome.UNKNOWN if is_empty_search else Outcome.FAILED
    if command.purpose in CHECKS:
        return _read_check(tool, command, output)
    if tool.outcome is Outcome.UNKNOWN and _is_broken(output) and not command.is_lookup:
        return Outcome.FAILED
    return tool.outcome


def _read_check(tool: ToolCall, command: CommandLine, output: str) -> Outcome:
    if _has_failed(output):
        return Outcome.FAILED
    if _PASSED.search(_keep_lines(output, _PASSED_WORDS)):
        return Outcome.SUCCEEDED
    # The exit code of a pipe is its last program's; builds and linters that say nothing have nothing to say.
    is_silent = not output.strip() and command.purpose is not Purpose.TEST
    return Outcome.UNKNOWN if command.is_piped and not is_silent else tool.outcome


def _has_failed(output: str) -> bool:
    return bool(_FAILED.search(_keep_lines(output, _FAILED_WORDS)))


def _is_broken(output: str) -> bool:
    return bool(_BROKEN.search(_keep_lines(output, _BROKEN_WORDS)))


def _keep_lines(output: str, words: tuple[str, ...]) -> str:
    """Keep the lines that have one of the words, so that verdicts are looked for in few of them."""
    present = [word for word in words if word in output]
    if not present:
        return ""
    return "\n".join(line for line in output.split("\n") if any(word in line for word in present))


def was_declined(output: str) -> bool:
    """Tell whether a person or a permission stopped a command, so that it never ran."""
    return bool(_DECLINED.search(output))


def find_objection(output: str) -> str:
    """Find what a person said when stopping a tool call; empty where nothing was said."""
    said = _OBJECTION.search(output)
    return legible.squeeze(said.group(1)) if said else ""


def build_excerpt(output: str) -> str:
    """Pick the lines that tell why a command failed, in their order, each bounded."""
    lines = _list_lines(output)
    ranked = _rank_lines(lines)
    chosen = [at for at, _ in ranked[: EXCERPT_LINES_MAX - 1]] or list(range(len(lines)))[-3:]
    last_result = max((at for at, line in enumerate(lines) if _RESULT.match(line)), default=None)
    if last_result is not None and last_result not in chosen:
        chosen.append(last_result)
    return "\n".join(legible.clip(lines[at].rstrip(), EXCERPT_LINE_CHARS_MAX) for at in sorted(chosen))


def find_headline(output: str) -> str:
    """Find the one line that names the error; the last line where none does."""
    lines = _list_lines(output)
    ranked = _rank_lines(lines)
    line = lines[ranked[0][0]] if ranked else (lines[-1] if lines else "")
    return legible.clip(legible.squeeze(re.sub(r"^E\s{2,}", "", line)), SIGNATURE_CHARS_MAX)


def normalise_signature(headline: str) -> str:
    """Reduce a headline to what stays the same when the error comes back with other numbers and places."""
    return _VARIABLE.sub("N", headline)


def find_result(output: str) -> str:
    """Find a check's own closing count, such as "1 failed, 5 passed", without its timing."""
    results = list(_RESULT.finditer(legible.clean_text(output)))
    if not results:
        return ""
    told = next(group for group in results[-1].groups() if group)
    return legible.clip(legible.squeeze(_TIMING.sub("", told)).strip(" =-.;"), RESULT_CHARS_MAX)


def _list_lines(output: str) -> list[str]:
    lines = (line.rstrip() for line in legible.clean_text(output).split("\n"))
    return [line for line in lines if line.strip() and not _NOISE_LINE.match(line.strip())]


def _rank_lines(lines: list[str]) -> list[tuple[int, int]]:
    """Order the telling lines: by kind, and within a kind the first error first."""
    ranked = [(at, rank) for at, line in enumerate(lines) if (rank := _rank_line(line)) is not None]
    return sorted(ranked, key=lambda pair: (pair[1], pair[0]))


def _rank_line(line: str) -> int | None:
    if not _ANY_TELLING.search(line):
        return None
    for rank, pattern in enumerate(_TELLING):
        if pattern.search(line):
            return rank
    return len(_TELLING) if _ALSO.search(line) else None
