"""Turns a page's markdown into HTML that is safe to show: rendered, highlighted, then sanitised as a whole.

The dialect is CommonMark with tables, strikethrough, bare addresses, task lists, footnotes, Obsidian's wikilinks and
callouts, and the evidence marks of generated pages (`[^o12]`, `[^o12-15]`). Raw HTML passes through the sanitiser as
everything else does. Nothing is fetched: pictures from elsewhere become links.
"""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

from app.compile import escape
from app.domain import link as links
from app.domain.limits_web import RENDERED_CHARS_MAX
from app.domain.page import Link
from app.domain.redact_rules import PLACEHOLDER
from app.entrypoints.web import evidence, highlight
from app.entrypoints.web.evidence import Source

DIAGRAM_LANGUAGE: Final = "mermaid"

_WIKILINK = re.compile(r"\[\[([^\[\]\n]{1,600})\]\]")
_EVIDENCE = re.compile(r"\[\^o(\d{1,18})(?:-(\d{1,18}))?\]")
_EVIDENCE_NOTE = re.compile(r"^\[\^(o\d{1,18}(?:-\d{1,18})?)\]:[ \t]*(.*)(?:\n|\Z)", re.MULTILINE)
_REDACTED = re.compile(PLACEHOLDER)
_CALLOUT = re.compile(r"^\[!([A-Za-z]{1,20})\][+-]?[ \t]*([^\n]*)")
_ANCHOR = re.compile(r"(?:h|fn|fnref)-?[\w:.\-]{1,120}")
_PRE = re.compile(r'<pre class="highlight(?: diagram)?"(?=>)')
_TASK = re.compile(r"\[([ xX])\](?=\s)")
_LIST_OPENINGS = frozenset({"bullet_list_open", "ordered_list_open"})
_LIST_CLOSINGS = frozenset({"bullet_list_close", "ordered_list_close"})
_AUTOLINK_RULE = "gfm_autolink_protocol"
_PROTOCOLS = ("http", "https", "mailto", "xmpp")
_NO_WORD = re.compile(r"[^\w\- ]+")
_SCHEMES = {"http", "https", "mailto"}
_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl", "dt", "em",
    "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li",
    "mark", "ol", "p", "pre", "q", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var", "wbr",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"id", "dir", "lang", "title"},
    "a": {"href"},
    "li": {"value"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "details": {"open"},
    "div": {"role"},
}
_CALLOUT_KINDS = frozenset({"note", "tip", "info", "warning", "danger", "success", "question", "quote", "example"})
_CLASSES = {
    "a": {"missing", "external", "evidence", "wikilink", "footnote-backref"},
    "span": {"box", "missing", "evidence", "redacted", *highlight.CLASSES},
    "div": {"callout", "callout-title", "code", *(f"callout-{kind}" for kind in _CALLOUT_KINDS)},
    "pre": {"highlight", "diagram"},
    "li": {"task-list-item", "footnote-item"},
    "ul": {"contains-task-list"},
    "ol": {"footnotes-list"},
    "section": {"footnotes"},
    "sup": {"footnote-ref"},
    "hr": {"footnotes-sep"},
    "td": {"left", "center", "right"},
    "th": {"left", "center", "right"},
}
_ALIGNMENTS = {"text-align:left": "left", "text-align:center": "center", "text-align:right": "right"}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What links on a page lead to: `resolve` gives an address or the empty text, `session_url` opens evidence.

    `name` gives the title of the page that a link leads to, and `sources` the addresses of the sessions that a page
    rests on, each for a range of observations. A text among others on one page has no anchors, which would be there
    twice.
    """

    resolve: Callable[[Link], str]
    session_url: str = ""
    has_anchors: bool = True
    name: Callable[[Link], str] = lambda _: ""
    sources: Sequence[Source] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page for its table of contents."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as HTML; `omitted_chars` counts what is too far down to be shown."""

    body: str
    headings: tuple[Heading, ...] = ()
    omitted_chars: int = 0


@dataclass(slots=True)
class _Work:
    """What one rendering collects on its way."""

    around: Surroundings
    notes: Mapping[str, str]
    headings: list[Heading] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    slugs: dict[str, int] = field(default_factory=dict)


def render_body(text: str, around: Surroundings) -> Rendered:
    """Render a page's body; what lies behind the bound is counted and left out at a line's end."""
    shown = text
    if len(text) > RENDERED_CHARS_MAX:
        shown = text[: text.rfind("\n", 0, RENDERED_CHARS_MAX) + 1] or text[:RENDERED_CHARS_MAX]
    notes = dict(_EVIDENCE_NOTE.findall(shown)) if around.session_url else {}
    source = _EVIDENCE_NOTE.sub("", shown) if around.session_url else shown
    work = _Work(around, notes)
    raw = _MARKDOWN.render(source, {"work": work})
    # Whoever has no mouse must reach code that is wider than the page.
    safe = _PRE.sub(r'\g<0> tabindex="0"', sanitise(raw))
    return Rendered(safe, tuple(work.headings), len(text) - len(shown))


def sanitise(raw: str) -> str:
    """Keep the markup that is on the list and nothing that could run, load or imitate our own controls."""
    return nh3.clean(
        raw,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
        clean_content_tags={
            "script",
            "style",
            "template",
            "title",
            "iframe",
            "noscript",
            "textarea",
            "select",
            "object",
        },
        attribute_filter=_filter_attribute,
    )


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    del tag
    if name == "id" and not _ANCHOR.fullmatch(value):
        return None
    return None if name == "role" and value != "note" else value


def _build_markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": True, "highlight": None}).enable(["table", "strikethrough"])
    markdown.use(gfm_autolink_plugin).use(footnote_plugin, inline=False)
    _look_before_autolinks(markdown)
    markdown.inline.ruler.before("link", "evidence", _read_evidence)
    markdown.inline.ruler.before("link", "wikilink", _read_wikilink)
    markdown.inline.ruler.before("link", "redacted", _read_redacted)
    markdown.core.ruler.push("tasks", _mark_tasks)
    markdown.core.ruler.push("callouts", _mark_callouts)
    markdown.core.ruler.push("places", _resolve_places)
    for kind in ("fence", "code_block"):
        markdown.add_render_rule(kind, _render_code)
    markdown.add_render_rule("image", _render_image)
    return markdown


def _look_before_autolinks(markdown: MarkdownIt) -> None:
    """Have colons looked at only behind a protocol's name: the plug-in reads the whole paragraph again at each."""
    inner = next(rule.fn for rule in markdown.inline.ruler.__rules__ if rule.name == _AUTOLINK_RULE)

    def read_protocol(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser calls by this signature
        return state.src[state.pos] == ":" and state.pending.endswith(_PROTOCOLS) and inner(state, silent)

    markdown.inline.ruler.at(_AUTOLINK_RULE, read_protocol)


def _mark_tasks(state: StateCore) -> None:
    """Draw the boxes of task lists as signs: they cannot be ticked here, so they are no controls."""
    lists: list[Token] = []
    for at, token in enumerate(state.tokens):
        if token.type in _LIST_OPENINGS:
            lists.append(token)
        elif token.type in _LIST_CLOSINGS:
            lists.pop()
        match = _TASK.match(token.content) if token.type == "inline" else None
        if match is None or [each.type for each in state.tokens[at - 2 : at]] != ["list_item_open", "paragraph_open"]:
            continue
        first = (token.children or [Token("", "", 0)])[0]
        if lists and first.type == "text" and first.content.startswith(match[0]):
            first.content = first.content[len(match[0]) :]
            sign, said = ("\u2610", "open") if match[1] == " " else ("\u2611", "done")
            box = Token("html_inline", "", 0)
            box.content = f'<span class="box" title="{said}">{sign}</span>'
            token.children = [box, *(token.children or ())]
            state.tokens[at - 2].attrSet("class", "task-list-item")
            lists[-1].attrSet("class", "contains-task-list")


def _read_wikilink(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser calls by this signature
    match = _WIKILINK.match(state.src, state.pos)
    if match is None:
        return False
    state.pos = match.end()
    if silent:
        return True
    link = links.parse_wikilink(match[1])
    work: _Work = state.env["work"]
    address = work.around.resolve(link) if link.target else ""
    title = work.around.name(link) if address and not link.label else ""
    stem = link.target.rpartition("/")[2].removesuffix(".md") if link.target else match[1]
    _push_link(state, link.label or title or stem, address, "wikilink" if address else "missing")
    if title:
        _skip_title(state, title)
    return True


def _skip_title(state: StateInline, title: str) -> None:
    """Leave out a title that stands again behind the link that is called by it now, as generated pages have it."""
    said = escape.escape_inline(title)
    for before, after, kept in ((" (", ")", ""), (": ", "; ", ": "), (" ", "", "")):
        if state.src.startswith(f"{before}{said}{after}", state.pos):
            state.pos += len(before) + len(said) + len(after)
            state.pending += kept
            return


def _read_evidence(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser calls by this signature
    work: _Work = state.env["work"]
    match = _EVIDENCE.match(state.src, state.pos) if work.around.session_url else None
    if match is None:
        return False
    state.pos = match.end()
    if not silent:
        name = f"o{match[1]}" + (f"-{match[2]}" if match[2] else "")
        address = f"{work.around.session_url}?at={match[1]}#o{match[1]}"
        _push_link(state, name, address, "evidence", title=work.notes.get(name, ""))
    return True


def _read_redacted(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser calls by this signature
    match = _REDACTED.match(state.src, state.pos)
    if match is None:
        return False
    state.pos = match.end()
    if not silent:
        _push_link(state, match[0], "", "redacted", title="left out before it was stored")
    return True


def _push_link(state: StateInline, label: str, address: str, mark: str, title: str = "") -> None:
    tag = "a" if address else "span"
    opening = state.push("link_open", tag, 1)
    opening.attrs = {"class": mark, **({"href": address} if address else {}), **({"title": title} if title else {})}
    # Our own address: it is not to be resolved as one that stands in the text.
    opening.meta = {"is_placed": True}
    parts = label.split("`")
    for number, part in enumerate(parts if len(parts) % 2 else [label]):
        kind, code = ("code_inline", "code") if number % 2 else ("text", "")
        state.push(kind, code, 0).content = part
    state.push("link_close", tag, -1)


def _mark_callouts(state: StateCore) -> None:
    """Turn quotes that begin with `[!kind]` into callouts."""
    for at, token in enumerate(state.tokens):
        if token.type != "blockquote_open" or at + 2 >= len(state.tokens):
            continue
        inline = state.tokens[at + 2]
        match = _CALLOUT.match(inline.content) if inline.type == "inline" else None
        if match is None or not inline.children:
            continue
        kind = match[1].lower() if match[1].lower() in _CALLOUT_KINDS else "note"
        token.tag = "div"
        token.attrs = {"class": f"callout callout-{kind}", "role": "note"}
        _find_close(state.tokens, at).tag = "div"
        _take_opening(inline, match[2].strip() or match[1].capitalize())


def _find_close(tokens: Sequence[Token], at: int) -> Token:
    return next(t for t in tokens[at + 1 :] if t.type == "blockquote_close" and t.level == tokens[at].level)


def _take_opening(inline: Token, title: str) -> None:
    """Replace the first line of a callout by its title."""
    children = inline.children or []
    taken = next((i for i, child in enumerate(children) if child.type in {"softbreak", "hardbreak"}), len(children))
    opening, text, closing = (
        Token("strong_open", "strong", 1),
        Token("text", "", 0),
        Token("strong_close", "strong", -1),
    )
    text.content = title
    line = [Token("hardbreak", "br", 0)] if taken < len(children) else []
    inline.children = [opening, text, closing, *line, *children[taken + 1 :]]


def _resolve_places(state: StateCore) -> None:
    """Give headings their anchors, and relative links the address of what they lead to."""
    work: _Work = state.env["work"]
    for at, token in enumerate(state.tokens):
        if token.type == "heading_open" and work.around.has_anchors:
            _anchor_heading(work, token, state.tokens[at + 1])
        elif token.type in {"th_open", "td_open"} and "style" in token.attrs:
            # No page of ours has styles of its own.
            token.attrs = {"class": _ALIGNMENTS.get(str(token.attrs["style"]), "left")}
        if token.children and work.around.sources:
            token.children = evidence.mark_ranges(token.children, work.around.sources)
        for child in token.children or ():
            if child.type == "link_open" and not (child.meta or {}).get("is_placed"):
                _place_link(work, child)


def _anchor_heading(work: _Work, token: Token, inline: Token) -> None:
    text = "".join(child.content for child in inline.children or () if child.type in {"text", "code_inline"}).strip()
    slug = "-".join(_NO_WORD.sub("", text.lower()).split())[:80] or "section"
    number = work.slugs.get(slug, 1)
    anchor = f"h-{slug}" if number == 1 else f"h-{slug}-{number}"
    while anchor in work.anchors:
        number += 1
        anchor = f"h-{slug}-{number}"
    work.slugs[slug] = number + 1
    work.anchors.add(anchor)
    work.headings.append(Heading(int(token.tag[1]), text, anchor))
    token.attrs["id"] = anchor


def _place_link(work: _Work, token: Token) -> None:
    target = str(token.attrs.get("href", ""))
    if target.startswith("#"):
        token.attrs["href"] = "#h-" + target[1:].lower() if target[1:] else "#"
    elif re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:|//", target):
        token.attrs["class"] = "external"
    else:
        path, mark, heading = target.partition("#")
        address = work.around.resolve(Link(path, "", is_wiki=False))
        token.attrs["class"] = "wikilink" if address else "missing"
        if address:
            token.attrs["href"] = address + (f"{mark}h-{heading.lower()}" if heading else "")
        else:
            del token.attrs["href"]


def _render_code(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    del renderer, options, env
    language = tokens[at].info.strip().partition(" ")[0] if tokens[at].info else ""
    mark = "highlight diagram" if language.lower() == DIAGRAM_LANGUAGE else "highlight"
    return f'<pre class="{mark}"><code>{highlight.mark_up(tokens[at].content, language)}</code></pre>\n'


def _render_image(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    """Show where a picture is: loading it would tell another machine who reads here."""
    token = tokens[at]
    label = html.escape(renderer.renderInlineAsText(token.children or [], options, env) or "picture")
    address = html.escape(str(token.attrs.get("src", "")), quote=True)
    return f'<a class="external" href="{address}">{label}</a>'


_MARKDOWN = _build_markdown()
