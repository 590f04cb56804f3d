"""What a session is about, by kind and normalised name, each with the observations that show it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from app.compile import commands, failures
from app.compile.commands import CommandLine
from app.compile.purposes import CHECKS, Purpose
from app.compile.timeline import Timeline
from app.domain.entity import Thing, ThingKind, build_thing
from app.domain.limits_knowledge import THINGS_PER_SESSION_MAX
from app.domain.session import Session, SessionDigest

_TICKET = re.compile(r"(?<![\w/.-])([A-Z][A-Z0-9]{1,9}-\d{1,6})(?![\w-])")
_NUMBERED = re.compile(r"\b(?:issue|pr|pull request|ticket|fixes|closes|resolves)\s+#(\d{1,6})\b", re.IGNORECASE)
_TICKET_PATH = re.compile(r"^/[\w.-]+/[\w.-]+/(?:issues|pull|merge_requests|-/issues|-/merge_requests)/(\d{1,6})\b")
# Names that look like tickets and are standards, encodings or dates.
_NO_TICKET = re.compile(r"^(?:UTF|ISO|SHA|RFC|CVE|MD|AES|RSA|HTTP|TLS|SSL|IPV|IEEE|ES|PEP|ECMA|X|H|GPT|ASCII)-\d")
_URL = re.compile(r"https?://[^\s<>\"'`)\]]+")
_CODE_SPAN = re.compile(r"`([^`\n]{2,80})`")
_SYMBOL = re.compile(r"(?:[A-Za-z_][\w]*(?:\.|::|#))*[A-Za-z_]\w*(?:\(\))?")
_IS_SYMBOL = re.compile(r"[a-z0-9][A-Z]|_[a-z]|[A-Z]{2}[a-z]|::|\(\)$|\w\.\w")
_FILE_LIKE = re.compile(r"\.(?:py|go|js|ts|tsx|jsx|md|json|ya?ml|toml|rs|rb|java|sh|css|html|txt|lock|sql|cfg|ini)$")
_EXCEPTION = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Warning|Failure|Interrupt))\b")
_QUOTED_NAME = re.compile(r"['\"`\u2018]([@\w][\w./:@-]*)['\"`\u2019]")
_MISSING_MODULE = re.compile(
    r"(?:No module named|Cannot find (?:module|package)|ModuleNotFoundError:?)\D*?['\"]([@\w][\w./@-]*)['\"]"
)
_RULE = re.compile(r"[(\[]([a-z][\w-]{2,40}|[A-Z]{1,4}\d{2,5})[)\]]$")
_CODE = re.compile(r"\b(TS\d{3,5}|E\d{4}|C\d{4}|SQLSTATE \w{5}|E[A-Z]{4,15})\b")
_INSTALLS = re.compile(
    r"^(?:(?:python[\d.]* -m )?pip3? install|uv (?:add|pip install)|poetry add|pdm add"
    r"|(?:npm|pnpm|yarn|bun) (?:i|install|add)"
    r"|cargo add|go get|gem install|composer require|dotnet add package)\s+(?P<rest>.+)$"
)
_TASK_RUNNERS = frozenset({"npm", "pnpm", "yarn", "bun", "make", "cargo", "go", "just", "mise", "deno", "dotnet"})
_PACKAGE = re.compile(r"^(@?[A-Za-z][\w./-]*?)(?:\[[\w,]+\])?(?:(?:==|>=|~=|<=|@|\^)[\w.*^~-]+)?$")
_PRIVATE_HOST = re.compile(
    r"^(?:localhost|127\.|10\.|192\.168\.|0\.0\.0\.0|\[?::1)|\.(?:local|internal|test|example)$|^example\."
)


@dataclass(slots=True)
class Found:
    """The things of one session, in the order in which they were met."""

    evidence: dict[Thing, list[int]] = field(default_factory=dict)

    def add(self, kind: ThingKind, name: str, at: Sequence[int]) -> None:
        """Note that an observation shows a thing; past the bound nothing new is taken."""
        thing = build_thing(kind, name)
        if not thing.name or (thing not in self.evidence and len(self.evidence) >= THINGS_PER_SESSION_MAX):
            return
        seen = self.evidence.setdefault(thing, [])
        seen.extend(observation for observation in at if observation not in seen)


def list_things(session: Session, timeline: Timeline, digest: SessionDigest) -> dict[Thing, tuple[int, ...]]:
    """List what a session is about: what it changed and ran, what failed, and what its people and agent named."""
    found = Found()
    for work in digest.files:
        if not work.path.startswith("/"):
            found.add(ThingKind.FILE, work.path, work.evidence)
    _add_errors(found, digest)
    _add_runs(found, timeline)
    for commit in digest.commits:
        head = commit.text.partition(" ")[0]
        if re.fullmatch(r"[0-9a-f]{7,40}", head):
            found.add(ThingKind.COMMIT, head[:12], commit.evidence)
    for at, text in _list_words(session, timeline, digest):
        _add_named(found, at, text)
    return {thing: tuple(at) for thing, at in found.evidence.items()}


def name_error(headline: str) -> str:
    """Name an error so that it is the same name when it comes back elsewhere: its class and what it is about."""
    plain = strip_place(headline)
    kind = _EXCEPTION.search(plain) or _CODE.search(plain) or _RULE.search(plain)
    about = _QUOTED_NAME.search(plain)
    if kind:
        return f"{kind[1]} {about[1]}" if about else kind[1]
    return failures.normalise_signature(plain)[:80].rstrip()


def strip_place(headline: str) -> str:
    """Take file, line and column off an error's headline, so that it reads the same wherever it comes up."""
    plain = re.sub(
        r"^(?:[\w.@~+-]*[/\\])*[\w.@+-]+\.\w{1,8}(?:[:(]\d+(?:[:,]\d+)?\)?)+:?\s*(?:-\s*)?", "", headline.strip()
    )
    plain = re.sub(r"^(?:fatal )?(?:error|warning):\s+(?=\S)", "", plain)
    return plain or headline


def name_command(line: CommandLine) -> str:
    """Name a check by its program, so that its runs with other arguments are the same thing."""
    segment = next((step for step in line.segments if step in line.checks), line.segments[0] if line.segments else "")
    words = [word for word in segment.split() if not word.startswith("-")]
    if not words:
        return line.program
    length = (
        3
        if words[:2] == ["mise", "run"]
        else 2
        if words[0] in {"npm", "pnpm", "yarn", "make", "cargo", "go", "just", "bun"}
        else 1
    )
    return " ".join(words[:length])


def list_packages(line: CommandLine) -> Iterator[str]:
    """List the packages that a command line installs by name."""
    for segment in line.segments:
        match = _INSTALLS.match(segment)
        if line.purpose is not Purpose.INSTALL or not match:
            continue
        words = match["rest"].split()
        if any(word in {"-r", "-e", "--requirement", "--editable", "."} for word in words):
            continue
        for word in words:
            named = _PACKAGE.match(word.strip("'\""))
            if named and not word.startswith(("-", ".", "/")):
                yield named[1]


def _add_errors(found: Found, digest: SessionDigest) -> None:
    for error in digest.errors:
        found.add(ThingKind.ERROR, name_error(error.signature), error.evidence)
        missing = _MISSING_MODULE.search(error.signature)
        # A part of a package that is missing is the project's own; what is not installed is missing whole.
        is_own = missing is not None and (missing[1].startswith(".") or ("." in missing[1] and "/" not in missing[1]))
        if missing and not is_own:
            found.add(ThingKind.PACKAGE, _package_root(missing[1]), error.evidence)


def _add_runs(found: Found, timeline: Timeline) -> None:
    for run in timeline.runs:
        for name in list_packages(run.line):
            found.add(ThingKind.PACKAGE, name, (run.at,))
        if run.line.purpose in CHECKS:
            found.add(ThingKind.COMMAND, name_command(run.line), (run.at,))


def _list_words(session: Session, timeline: Timeline, digest: SessionDigest) -> Iterator[tuple[int, str]]:
    first = digest.sightings[0].id
    yield first, session.checkout.branch.replace("/", " ").replace("_", " ")
    for words in (*timeline.prompts, *timeline.reports):
        yield words.at, words.text
    for commit in digest.commits:
        yield commit.evidence[0], commit.text


def _add_named(found: Found, at: int, text: str) -> None:
    for match in _URL.finditer(text):
        _add_url(found, at, match[0])
    plain = _URL.sub(" ", text)
    for ticket in _TICKET.findall(plain):
        if not _NO_TICKET.match(ticket):
            found.add(ThingKind.TICKET, ticket, (at,))
    for number in _NUMBERED.findall(plain):
        found.add(ThingKind.TICKET, f"#{number}", (at,))
    for span in _CODE_SPAN.findall(plain):
        name = span.strip().removesuffix("()")
        is_name = _SYMBOL.fullmatch(span.strip()) and _IS_SYMBOL.search(span.strip())
        if is_name and not _FILE_LIKE.search(name) and "/" not in name:
            found.add(ThingKind.SYMBOL, name, (at,))


def _add_url(found: Found, at: int, url: str) -> None:
    try:
        parts = urlsplit(url.rstrip(".,;:!?"))
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return
    if not host or _PRIVATE_HOST.search(host):
        return
    found.add(ThingKind.HOST, host, (at,))
    ticket = _TICKET_PATH.match(parts.path)
    if ticket:
        found.add(ThingKind.TICKET, f"#{ticket[1]}", (at,))


def _package_root(name: str) -> str:
    """Name the package of a module: its first part, or both of a scoped name."""
    parts = name.split("/")
    if name.startswith("@"):
        return "/".join(parts[:2])
    return parts[0].partition(".")[0] if len(parts) == 1 else parts[0]


def is_same_command(one: str, other: str) -> bool:
    """Tell whether a run of one command line says something about the other."""
    return commands.covers(commands.parse_command(one), commands.parse_command(other))
