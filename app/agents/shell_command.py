"""Reads a shell command line conservatively: which programs it runs and which files it plainly changes.

What depends on variables, globs or another program's mind is left out rather than guessed.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import re2

from app.agents import fields
from app.domain.event import FileChange, FileTouch
from app.domain.limits import COMMAND_BYTES_MAX, TOOL_PATHS_MAX

_CHANGES_FILES = re.compile(r">|\b(?:rm|mv|cp|touch|tee|sed|unlink|perl|install|ln|dd|curl|wget|truncate)\b")
# What a short program in another language plainly writes.
_RUNS_CODE = re.compile(r"\b(?:python[\d.]*|node|bun|deno|ruby)\b")
_WRITES_IN_CODE = re.compile(
    r"\bopen\(\s*(?P<q>['\"])(?P<opened>[^'\"\n]+)(?P=q)\s*,\s*(?:mode\s*=\s*)?['\"][wax]"
    r"|\bPath\(\s*(?P<r>['\"])(?P<path>[^'\"\n]+)(?P=r)\s*\)\.write_(?:text|bytes)\("
    r"|\bwriteFile(?:Sync)?\(\s*(?P<s>['\"`])(?P<written>[^'\"`\n]+)(?P=s)"
    r"|\bFile\.write\(\s*(?P<t>['\"])(?P<filed>[^'\"\n]+)(?P=t)"
)
# Most commands have neither, which one look of a linear matcher tells at a fifth of the cost.
_MAY_CHANGE = re2.Set.SearchSet()
for _pattern in (_CHANGES_FILES, _RUNS_CODE):
    _MAY_CHANGE.Add(_pattern.pattern)
_MAY_CHANGE.Compile()
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1")
_ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
_LEADING_CD = re.compile(r"^\s*cd[ \t]+([^\s;&]+)[ \t]*(?:&&|;|\n)")
_OPERATORS = frozenset(";&|()<>\n")
_UNCERTAIN = frozenset("$*?[]{}`\n")
_PREFIXES = frozenset({"sudo", "env", "command", "time", "nohup", "exec", "then", "do", "else", "!"})
_CHANGES_OF_EACH = {
    "rm": FileChange.DELETED,
    "unlink": FileChange.DELETED,
    "touch": FileChange.ADDED,
    "tee": FileChange.MODIFIED,
}
_WHOLE_FOLDERS = frozenset({"-r", "-R", "-a", "-d", "-rf", "--recursive"})
_SAVES_AS = frozenset({"-o", "--output", "-O", "--output-document"})
_PAIR = 2


def list_changed_files(command: str) -> tuple[FileTouch, ...]:
    """List the files that a command line removes, moves, writes or edits in place, if it says so plainly."""
    typed = _drop_heredocs(command)
    touches: dict[tuple[str, FileChange], FileTouch] = {}
    if len(typed) > COMMAND_BYTES_MAX or not _MAY_CHANGE.Match(typed.encode("utf-8", "replace")):
        return ()
    for touch in _list_plain_changes(typed) if _CHANGES_FILES.search(typed) else ():
        touches.setdefault((touch.path, touch.change), touch)
    for touch in _list_changes_in_code(typed, command):
        if not any(path == touch.path for path, _ in touches):
            touches[touch.path, touch.change] = touch
    return tuple(touches.values())[:TOOL_PATHS_MAX]


def _list_plain_changes(typed: str) -> Iterator[FileTouch]:
    folder = ""
    for words, targets in _split(typed):
        if words[:1] == ["cd"]:
            if len(words) != _PAIR or not _is_certain(words[1]):
                break
            folder = _join(folder, words[1])
            continue
        # In `[[ a > b ]]` the sign compares.
        written = [] if words[:1] == ["[["] else [(target, FileChange.MODIFIED) for target in targets]
        for path, change in [*_read_program(words), *written]:
            if _is_certain(path):
                yield FileTouch(fields.read_path(_join(folder, path)), change)


def _list_changes_in_code(typed: str, command: str) -> Iterator[FileTouch]:
    """List what code on the command line or in a here-document writes, where a plain call names the file."""
    if not _RUNS_CODE.search(typed):
        return
    first = _LEADING_CD.match(typed)
    folder = first.group(1).strip("'\"") if first else ""
    for call in _WRITES_IN_CODE.finditer(command[:COMMAND_BYTES_MAX]):
        path = next(filter(None, (call["opened"], call["path"], call["written"], call["filed"])))
        if _is_certain(path) and (not folder or _is_certain(folder)):
            yield FileTouch(fields.read_path(_join(folder, path)), FileChange.MODIFIED)


def list_programs(command: str) -> tuple[str, ...]:
    """Name the program at the head of each step of a command line (`a | b` is the step `a`)."""
    programs = []
    for step in re.split(r"&&|\|\||[;\n]", _drop_heredocs(command)):
        words = step.partition("|")[0].strip(" ()").split()
        while words and (words[0] in _PREFIXES or _ASSIGNMENT.match(words[0])):
            words = words[1:]
        if words and words[0] not in {"cd", "set", "export"}:
            programs.append(words[0].rpartition("/")[2])
    return tuple(programs)


def _split(command: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield each simple command as its words and the files that its output is sent to."""
    try:
        tokens = _tokenize(command)
    except ValueError:
        return
    words: list[str] = []
    targets: list[str] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if not _is_operator(token):
            words.append(token)
        elif token.endswith((">", ">|", "<", ">&", "<&")):
            # A digit before the sign is a file descriptor, and what follows is the file.
            if words and words[-1].isdigit():
                words.pop()
            if position < len(tokens) and not _is_operator(tokens[position]):
                if token.endswith((">", ">|")):
                    targets.append(tokens[position])
                position += 1
        else:
            yield _drop_prefixes(words), targets
            words, targets = [], []
    yield _drop_prefixes(words), targets


def _tokenize(command: str) -> list[str]:
    lexer = shlex.shlex(command, posix=True, punctuation_chars=";&|()<>\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    return list(lexer)


def _drop_heredocs(command: str) -> str:
    """Remove the bodies of here-documents and their marks, so that their text is not read as commands."""
    if "<<" not in command:
        return command
    lines = iter(command.split("\n"))
    kept: list[str] = []
    for line in lines:
        kept.append(_HEREDOC.sub(" ", line))
        for _quote, word in _HEREDOC.findall(line):
            for body in lines:
                if body.strip() == word:
                    break
    return "\n".join(kept)


def _drop_prefixes(words: list[str]) -> list[str]:
    while words and (words[0] in _PREFIXES or _ASSIGNMENT.match(words[0])):
        words = words[1:]
    return words


def _read_program(words: Sequence[str]) -> list[tuple[str, FileChange]]:
    """Read one simple command; unknown programs and options change nothing that can be told."""
    if not words:
        return []
    program, *arguments = words
    if program == "git" and arguments[:1] in (["rm"], ["mv"]) and "--cached" not in arguments:
        program, *arguments = arguments
    if program in _CHANGES_OF_EACH:
        return [(path, _CHANGES_OF_EACH[program]) for path in _drop_options(arguments)]
    reader = _READERS.get(program)
    return reader(arguments) if reader else []


def _drop_options(arguments: Sequence[str]) -> list[str]:
    if "--" in arguments:
        return list(arguments[arguments.index("--") + 1 :])
    return [argument for argument in arguments if argument and not argument.startswith("-")]


def _read_move(arguments: Sequence[str]) -> list[tuple[str, FileChange]]:
    paths = _drop_options(arguments)
    if len(paths) < _PAIR:
        return []
    *sources, target = paths
    is_folder = len(sources) > 1 or target.endswith("/") or target in {".", ".."}
    moved: list[tuple[str, FileChange]] = []
    for source in sources:
        name = source.rstrip("/").rpartition("/")[2]
        moved.append((source, FileChange.DELETED))
        moved.append((f"{target.rstrip('/')}/{name}" if is_folder else target, FileChange.ADDED))
    return moved


def _read_sed(arguments: Sequence[str]) -> list[tuple[str, FileChange]]:
    if not any(re.match(r"-[nErsz]*i|--in-place", argument) for argument in arguments):
        return []
    paths: list[str] = []
    has_script = False
    words = iter(arguments)
    for word in words:
        if word in {"-e", "-f", "--expression", "--file"}:
            has_script = True
            next(words, None)
        elif word and not word.startswith("-"):
            paths.append(word)
    return [(path, FileChange.MODIFIED) for path in (paths if has_script else paths[1:])]


def _read_copy(arguments: Sequence[str]) -> list[tuple[str, FileChange]]:
    """Read a copy of single files; which files a folder holds is not told."""
    if not _WHOLE_FOLDERS.isdisjoint(arguments):
        return []
    return [(path, change) for path, change in _read_move(arguments) if change is FileChange.ADDED]


def _read_perl(arguments: Sequence[str]) -> list[tuple[str, FileChange]]:
    """Read a one-liner that edits in place; its code follows the last option that ends in `e`."""
    if not any(re.match(r"-[a-zA-Z0]*i", argument) for argument in arguments):
        return []
    codes = [at for at, argument in enumerate(arguments) if re.match(r"-[a-zA-Z0]*e$", argument)]
    paths = arguments[codes[-1] + 2 :] if codes else ()
    return [(path, FileChange.MODIFIED) for path in paths if not path.startswith("-")]


def _read_dd(arguments: Sequence[str]) -> list[tuple[str, FileChange]]:
    return [(word[3:], FileChange.MODIFIED) for word in arguments if word.startswith("of=")]


def _read_truncate(arguments: Sequence[str]) -> list[tuple[str, FileChange]]:
    return [(path, FileChange.MODIFIED) for path in _drop_options(arguments)[-1:]]


def _read_download(arguments: Sequence[str]) -> list[tuple[str, FileChange]]:
    named = (path for word, path in pairwise(arguments) if word in _SAVES_AS and path != "-" and "://" not in path)
    return [(path, FileChange.ADDED) for path in named]


_READERS: dict[str, Callable[[Sequence[str]], list[tuple[str, FileChange]]]] = {
    "mv": _read_move,
    "cp": _read_copy,
    "install": _read_copy,
    "ln": _read_copy,
    "sed": _read_sed,
    "perl": _read_perl,
    "dd": _read_dd,
    "truncate": _read_truncate,
    "curl": _read_download,
    "wget": _read_download,
}


def _is_operator(token: str) -> bool:
    return bool(token) and _OPERATORS.issuperset(token)


def _is_certain(path: str) -> bool:
    return bool(path) and _UNCERTAIN.isdisjoint(path) and not path.startswith(("/dev/", "/proc/", "&", "-"))


def _join(folder: str, path: str) -> str:
    if not folder or path.startswith(("/", "~")):
        return path
    return f"{folder.rstrip('/')}/{path.removeprefix('./')}"
