"""The grammar of links between pages and how a target resolves; whether a page is there is the index's to say."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from app.domain.errors import InvalidName, UnsafePath
from app.domain.page import Link, PagePath
from app.domain.pagepath import parse_page_path
from app.domain.scope import Scope, parse_name

# Both patterns exclude brackets inside, so a hostile line costs time in proportion to its length.
_WIKI = re.compile(r"!?\[\[([^\[\]\n]{1,600})\]\]")
_MARKDOWN = re.compile(r"(?<!\!)\[([^\[\]\n]{0,400})\]\(<?([^()<>\s\n]{1,600})>?(?:\s+\"[^\"\n]{0,200}\")?\)")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^\n]{1,2000}?(?<!`)\1(?!`)")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.\-]*:")


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """Where a link leads; `is_bare` means a name without folder, which any page of that file name may answer."""

    scope: Scope
    path: PagePath
    is_bare: bool = False


def parse_wikilink(inner: str) -> Link:
    """Read what stands between `[[` and `]]`: `target#heading|label`."""
    target, _, label = inner.partition("|")
    return Link(target.partition("#")[0].strip(), label.strip(), is_wiki=True)


def list_links(text: str) -> tuple[Link, ...]:
    """Collect the links of a markdown text in reading order, each once, without code and without web addresses."""
    found: dict[Link, None] = {}
    for line in list_prose_lines(text):
        if "[" not in line:
            continue
        prose = _CODE.sub(" ", line) if "`" in line else line
        for match in _WIKI.finditer(prose):
            link = parse_wikilink(match[1])
            if link.target:
                found.setdefault(link)
        for match in _MARKDOWN.finditer(prose):
            target = match[2].partition("#")[0]
            if target and not _SCHEME.match(target) and not target.startswith("/"):
                found.setdefault(Link(target, match[1].strip(), is_wiki=False))
    return tuple(found)


def respell_links(text: str, respell: Callable[[Link], str | None]) -> str:
    """Write the targets of links anew; None leaves one as it is, and all else keeps its letters.

    Code and web addresses are no links.
    """
    return "".join(
        _respell_line(line, respell) if is_prose and "[" in line else line
        for line, is_prose in _walk_lines(text, keepends=True)
    )


def list_prose_lines(text: str) -> Iterator[str]:
    """Walk the lines outside fenced code blocks."""
    return (line for line, is_prose in _walk_lines(text) if is_prose)


def _walk_lines(text: str, *, keepends: bool = False) -> Iterator[tuple[str, bool]]:
    """Walk all lines, and tell which stand outside fenced code blocks; the fences are code too."""
    fence = ""
    for line in text.splitlines(keepends=keepends):
        match = _FENCE.match(line)
        if match and not fence:
            fence = match[1]
        elif match and match[1].startswith(fence):
            fence = ""
        elif not fence:
            yield line, True
            continue
        yield line, False


def _respell_line(line: str, respell: Callable[[Link], str | None]) -> str:
    # As long as before, so that what is found stands at the same place in the line itself.
    prose = _CODE.sub(lambda match: " " * len(match[0]), line) if "`" in line else line
    changes: list[tuple[int, int, str]] = []
    for match in _WIKI.finditer(prose):
        target = match[1].partition("|")[0].partition("#")[0]
        new = respell(parse_wikilink(match[1])) if target.strip() else None
        if new is not None:
            changes.append((match.start(1), match.start(1) + len(target), new))
    for match in _MARKDOWN.finditer(prose):
        target = match[2].partition("#")[0]
        is_page = target and not _SCHEME.match(target) and not target.startswith("/")
        new = respell(Link(target, match[1].strip(), is_wiki=False)) if is_page else None
        if new is not None:
            changes.append((match.start(2), match.start(2) + len(target), new))
    for start, end, new in sorted(changes, reverse=True):
        line = line[:start] + new + line[end:]
    return line


def resolve_link(link: Link, scope: Scope, path: PagePath) -> LinkTarget | None:
    """Find where a link on a page leads, or None where no page can be."""
    try:
        if link.is_wiki:
            return _resolve_wikilink(link.target, scope, path)
        return _resolve_relative(unquote(link.target), scope, path)
    except (InvalidName, UnsafePath):
        return None


def _resolve_wikilink(target: str, scope: Scope, path: PagePath) -> LinkTarget | None:
    head, colon, rest = target.partition(":")
    if colon and rest.strip():
        workspace, slash, project = head.partition("/")
        named = Scope(workspace, project) if slash else Scope(scope.workspace, head)
        parse_name(named.workspace, what="workspace")
        parse_name(named.project, what="project")
        rest = rest.strip()
        return LinkTarget(named, parse_page_path(rest), is_bare="/" not in rest)
    if target.startswith(("./", "../")):
        return _resolve_relative(target, scope, path)
    return LinkTarget(scope, parse_page_path(target.removeprefix("/")), is_bare="/" not in target)


def _resolve_relative(target: str, scope: Scope, path: PagePath) -> LinkTarget | None:
    parts = [scope.workspace, scope.project, *path.split("/")[:-1]]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    if len(parts) < 3 or target.endswith("/"):  # noqa: PLR2004 - workspace, project and at least a file
        return None
    workspace, project, *rest = parts
    name = rest[-1]
    if "." in name and not name.endswith(".md"):
        return None
    return LinkTarget(
        Scope(parse_name(workspace, what="workspace"), parse_name(project, what="project")),
        parse_page_path("/".join(rest)),
    )
