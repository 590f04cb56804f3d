"""One command line understood: how it is shown, what it is for, and what a broader run of it would be."""

import re
from dataclasses import dataclass
from functools import lru_cache

from app.compile.purposes import (
    CHECKS,
    CONCLUDES,
    FORMATTERS,
    GIT_CHANGES,
    LINTS_ALL,
    MERGES,
    PURPOSE_RULES,
    WRAPPERS,
    Purpose,
)
from app.domain import legible
from app.domain.limits_compile import COMMAND_SHOWN_CHARS_MAX

PREFIX_CHARS_MIN = 4

_SHELL_WRAPPER = re.compile(r"^(?:\S*/)?(?:bash|sh|zsh)\s+-\w*c\s+(['\"])(.*)\1\s*$", re.DOTALL)
_MESSAGE_HEREDOC = re.compile(
    r"\"?\$\(cat\s+<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n\s*(?P<first>[^\n]*)(?:.*?\n\s*\1\s*\n?)?\s*\)\"?", re.DOTALL
)
_HEREDOC = re.compile(r"(<<-?\s*['\"]?(\w+)['\"]?[^\n]*)\n.*?(?:\n\s*\2\b|\Z)", re.DOTALL)
_LEADING_CD = re.compile(r"^\s*(?:cd|pushd)\s+(?:'[^']*'|\"[^\"]*\"|[^\s;&]+)\s*(?:&&|;|\n)\s*")
_NOISE = re.compile(
    r"\s*(?:\d?>&\d|\d?>\s*/dev/null|&>\s*/dev/null|\|\s*(?:head|tail|cat|tee|less)\b[^|;&]*(?=$|[|;&]))"
)
_TAIL_NOISE = re.compile(r"\s*(?:\|\|\s*true|;\s*echo\s+[^;&|]*|&&\s*echo\s+[^;&|]*|;)\s*$")
_PIECE = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|&&|\|\||[;|\n]|\\.|[^'\";|&\n\\]+|.", re.DOTALL)
_FILTER = r"\|\s*(?:grep|egrep|rg)\b(?:'[^']*'|\"[^\"]*\"|[^|;&'\"])*"
_FILTERED = re.compile(_FILTER + r"(?:\|\s*(?:head|tail)\b[^|;&]*)?$")
_PIPE = re.compile(r"(?<!\|)\|(?!\|)|\|\||;\s*echo\b")
# Words of the shell around a step, which say nothing about what it does.
_SHELL_WORDS = re.compile(r"^(?:(?:do|then|else|elif|if|while|until|!|\(|\{)\s+)+")
_SHELL_FRAME = re.compile(r"^(?:for \w+ in\b.*|done|fi|esac|then|else|do|\}|\))$", re.DOTALL)
_SEPARATORS = frozenset({"&&", "||", ";", "|", "\n"})
_FLAG = re.compile(r"^-|^\d+$|^\d?>")
_QUOTES = "'\""
_MOVES = re.compile(r"\bmv\b")


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line; `key` is equal for repeats, `arguments` are what narrows it (paths, names of tests).

    `checks` are its steps that test, build or lint; with `is_piped` its exit code says nothing of them, and with
    `is_filtered` it is that of a search through their output.
    """

    shown: str
    key: str
    purpose: Purpose
    program: str
    arguments: frozenset[str]
    segments: tuple[str, ...]
    checks: frozenset[str]
    is_lookup: bool
    is_piped: bool
    is_filtered: bool


@lru_cache(maxsize=1024)
def parse_command(text: str) -> CommandLine:
    """Read a command line as an agent gave it; never fails, an odd one is `other`."""
    plain = _strip_frame(legible.clean_text(text).strip())
    segments = tuple(_strip_wrappers(segment) for segment in split_segments(plain))
    purposes = [_decide_purpose(segment) for segment in segments] or [Purpose.OTHER]
    order = list(Purpose)
    purpose = min(purposes, key=order.index)
    if purpose is Purpose.LINT and all(map(FORMATTERS.match, segments)):
        # It finds nothing wrong, so that it passes says nothing.
        purpose = Purpose.OTHER
    if purpose is Purpose.BUILD and not {Purpose.RUN, Purpose.OTHER}.isdisjoint(purposes):
        # What is built in order to be run fails for reasons of its own.
        purpose = Purpose.RUN
    telling = segments[purposes.index(purpose)] if purpose in purposes and segments else "".join(segments[-1:])
    words = [word.strip(_QUOTES) for word in telling.split()]
    shorter = _NOISE.sub("", plain)
    key = legible.squeeze(_TAIL_NOISE.sub("", _FILTERED.sub("", shorter) if purpose in CHECKS else shorter))
    return CommandLine(
        shown=legible.clip(key or legible.squeeze(plain), COMMAND_SHOWN_CHARS_MAX),
        key=key,
        purpose=purpose,
        program=_name_program(words, purpose),
        arguments=frozenset(word for word in words[1:] if not _FLAG.match(word)),
        segments=segments,
        checks=_list_checks(segments, purposes),
        is_piped=purpose in CHECKS and bool(_PIPE.search(plain)),
        is_filtered=purpose is not Purpose.SEARCH and bool(_FILTERED.search(plain)),
        is_lookup=_is_lookup(purposes, segments),
    )


def moves_files(text: str) -> bool:
    """Tell whether a command line moves files, so that what it removes is what it adds elsewhere."""
    return bool(_MOVES.search(text))


def covers(later: CommandLine, earlier: CommandLine) -> bool:
    """Tell whether a later run checks at least what an earlier one did."""
    if later.key == earlier.key or (earlier.checks and earlier.checks <= later.checks):
        return True
    if earlier.purpose is Purpose.LINT and any(map(LINTS_ALL.match, later.checks)):
        return True
    is_same_check = later.purpose == earlier.purpose and later.purpose in CHECKS and later.program == earlier.program
    return is_same_check and all(_is_as_broad(wanted, earlier.arguments) for wanted in later.arguments)


def concludes(later: CommandLine, earlier: CommandLine) -> bool:
    """Tell whether a later command ends a merge that an earlier one left with conflicts."""
    return any(map(MERGES.match, earlier.segments)) and any(map(CONCLUDES.match, later.segments))


def _is_as_broad(wanted: str, earlier: frozenset[str]) -> bool:
    """Tell whether what narrows a later run lets through what an earlier one did: the same, or the head of it."""
    is_long = len(wanted) >= PREFIX_CHARS_MIN
    return wanted in earlier or (is_long and any(narrow.startswith(wanted) for narrow in earlier))


def split_segments(text: str) -> tuple[str, ...]:
    """Split a line at `&&`, `||`, `;`, `|` and line ends that stand outside quotes."""
    segments: list[str] = []
    current: list[str] = []
    for piece in _PIECE.findall(text):
        if piece in _SEPARATORS:
            segments.append("".join(current).strip())
            current = []
        else:
            current.append(piece)
    segments.append("".join(current).strip())
    steps = (_SHELL_WORDS.sub("", segment) for segment in segments)
    return tuple(step for step in steps if step and not step.startswith("#") and not _SHELL_FRAME.match(step))


def _strip_frame(text: str) -> str:
    """Take away the shell around a command, the bodies of here-documents and the change of folder."""
    wrapped = _SHELL_WRAPPER.match(text)
    plain = wrapped.group(2) if wrapped else text
    plain = _MESSAGE_HEREDOC.sub(lambda match: '"' + match.group("first").strip() + '"', plain)
    plain = _HEREDOC.sub(r"\1", plain).replace("\\\n", " ")
    while (shorter := _LEADING_CD.sub("", plain, count=1)) != plain:
        plain = shorter
    return plain.strip()


def _strip_wrappers(segment: str) -> str:
    shorter = WRAPPERS.sub("", segment.lstrip("( {"))
    return legible.squeeze(_NOISE.sub("", shorter)) or segment


def _decide_purpose(segment: str) -> Purpose:
    program, _, rest = segment.partition(" ")
    # `/usr/bin/python3 x` and `.venv/bin/pytest` are what their last part says; `./run.sh` is a program of its own.
    bare = program if program.startswith(("./", "../")) else program.rsplit("/", 1)[-1]
    text = f"{bare} {rest}".strip()
    return next((purpose for purpose, rule in PURPOSE_RULES if rule.match(text)), Purpose.OTHER)


def _list_checks(segments: tuple[str, ...], purposes: list[Purpose]) -> frozenset[str]:
    """List the steps that check something; one that only puts files into form counts where it stands alone."""
    checks = frozenset(step for step, what in zip(segments, purposes, strict=False) if what in CHECKS)
    return frozenset(step for step in checks if not FORMATTERS.match(step)) or checks


def _name_program(words: list[str], purpose: Purpose) -> str:
    if not words:
        return ""
    name = words[0].rsplit("/", 1)[-1]
    # `go test` and `go vet` are different checks of one program.
    second = next((word for word in words[1:] if not word.startswith("-")), "")
    return f"{name} {second}" if purpose in CHECKS and name in {"go", "cargo", "npm", "make", "mise"} else name


def _is_lookup(purposes: list[Purpose], segments: tuple[str, ...]) -> bool:
    for purpose, segment in zip(purposes, segments, strict=False):
        if purpose is Purpose.SEARCH or (purpose is Purpose.GIT and not GIT_CHANGES.match(segment)):
            continue
        return False
    return True
