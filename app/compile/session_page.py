"""The page that a session leaves without a model: what a careful colleague would have written down."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from typing import Final

from app.agents import registry
from app.compile import escape, page_sections
from app.compile.evidence import Footnotes
from app.compile.page_sections import Caps
from app.domain import legible
from app.domain.entity import ThingKind
from app.domain.event import FileChange
from app.domain.limits import SESSION_PAGE_BYTES_MAX, TITLE_CHARS_MAX
from app.domain.limits_compile import DESCRIPTION_CHARS_MAX, FRONTMATTER_FILES_MAX, FRONTMATTER_THINGS_MAX
from app.domain.page import PageKind, PagePath
from app.domain.pagepath import build_page_path
from app.domain.session import Session, SessionDigest
from app.wiki import markdown

ID_MARK_CHARS = 4
HASH_CHARS = 16
HASH_FIELD = "generated_hash"
_SOURCE_END = re.compile(r"-o(\d{1,18})$")

# Each step leaves more out, until the page fits.
_LESS = (
    {"commands": 14, "errors": 8, "turns": 12, "report_chars": 800, "goal_chars": 700, "item_chars": 260},
    {"commands": 10, "turns": 10, "report_chars": 600, "goal_chars": 600, "item_chars": 220},
    {"files": 45, "commands": 8, "errors": 6, "turns": 8, "report_chars": 500, "goal_chars": 500, "excerpts": 2},
    {"files": 36, "commands": 6, "errors": 5, "turns": 7, "commits": 32, "item_chars": 200},
    {"files": 28, "commits": 28, "statements": 8, "turns": 6, "report_chars": 350, "item_chars": 180, "excerpts": 1},
    {"files": 22, "commands": 5, "errors": 3, "commits": 20, "statements": 6, "turns": 5, "item_chars": 160},
    {"files": 20, "commands": 4, "commits": 18, "turns": 5, "report_chars": 250, "item_chars": 140},
    {"files": 17, "errors": 2, "commits": 12, "statements": 5, "turns": 4, "goal_chars": 350},
    {"files": 14, "commands": 4, "errors": 2, "commits": 8, "statements": 4, "turns": 4, "report_chars": 0},
    {"files": 3, "commands": 1, "errors": 1, "commits": 1, "statements": 1, "turns": 0, "goal_chars": 120,
     "excerpts": 0, "item_chars": 120},
)  # fmt: skip
_SHRINKS = tuple(accumulate(_LESS, lambda caps, less: replace(caps, **less), initial=Caps()))
_CONTINUED = _SHRINKS[2]


@dataclass(frozen=True, slots=True)
class SessionPage:
    """A page to be saved: where, its frontmatter, and its text."""

    path: PagePath
    fields: Mapping[str, object]
    body: str


@dataclass(frozen=True, slots=True)
class SessionLink:
    """Another session and its page, empty where it has none; `project` is named where it is another one."""

    session_id: str
    page_path: str
    project: str = ""


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """Another page of the project about files that a session changed, and where it last changed them."""

    path: str
    title: str
    files: tuple[str, ...]
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SessionLinks:
    """The sessions that one goes on with, those that go on with it, and pages about what it changed and fixed."""

    continues: tuple[SessionLink, ...] = ()
    continued_by: tuple[SessionLink, ...] = ()
    related: tuple[RelatedPage, ...] = ()
    fixed: tuple[PagePath, ...] = ()


NO_LINKS: Final = SessionLinks()


def build_session_page(session: Session, digest: SessionDigest, links: SessionLinks = NO_LINKS) -> SessionPage:
    """Build the page; the same session, digest and links always give the same bytes."""
    fields = _build_fields(session, digest)
    if links.fixed:
        fields["relations"] = {"fixes": list(links.fixed)}
    # What is added when the page is saved has its room too.
    room = SESSION_PAGE_BYTES_MAX - len(markdown.render_page(mark_generated(fields, ""), "").encode("utf-8"))
    body = ""
    for caps in _SHRINKS:
        body = _render_body(session, digest, caps, links)
        if len(body.encode("utf-8")) <= room:
            break
    return SessionPage(choose_path(session, digest), fields, body)


def choose_path(session: Session, digest: SessionDigest) -> PagePath:
    """Keep the path that the session's page has; a new one tells by date, title and the end of the session's id."""
    if session.page_path:
        return PagePath(session.page_path)
    mark = session.id[-ID_MARK_CHARS:]
    return build_page_path(PageKind.SESSION, digest.title, on=session.started_at.date(), mark=mark)


def choose_longer_path(session: Session, digest: SessionDigest) -> PagePath:
    """Choose a path that no other session can have, for when the usual one is taken."""
    return build_page_path(PageKind.SESSION, digest.title, on=session.started_at.date(), mark=session.id)


def mark_generated(fields: Mapping[str, object], body: str) -> Mapping[str, object]:
    """Add to a page's fields what tells later whether a person changed its text."""
    return {**fields, HASH_FIELD: hash_body(body)}


def was_edited(fields: Mapping[str, object], body: str) -> bool:
    """Tell whether a person changed the text of a page that we wrote."""
    return fields.get(HASH_FIELD) != hash_body(body)


def find_last_told(fields: Mapping[str, object]) -> int:
    """Find the last observation that a page tells of, by its sources; 0 where a person changed them."""
    sources = fields.get("sources")
    ends = [_SOURCE_END.search(str(source)) for source in sources] if isinstance(sources, list) else []
    return max((int(end.group(1)) for end in ends if end), default=0)


def hash_body(body: str) -> str:
    """Tell a page's text by a short hash; blank lines at its ends do not count."""
    return hashlib.sha256(body.strip().encode("utf-8", "replace")).hexdigest()[:HASH_CHARS]


def append_continuation(body: str, session: Session, newer: SessionDigest) -> str:
    """Put what a session did since a person edited its page below that person's text."""
    text = _render_body(session, newer, _CONTINUED).replace("\n## ", "\n### ")
    heading, _, rest = text.partition("\n")
    return f"{body.rstrip()}\n\n## Continued: {heading.removeprefix('# ')}\n{rest}"


def describe_session(digest: SessionDigest) -> str:
    """Say in one line how a session came out, for lists of pages."""
    told = f"{digest.outcome_label}. {digest.outcome_reason}"
    return legible.clip(legible.squeeze(told), DESCRIPTION_CHARS_MAX)


def _build_fields(session: Session, digest: SessionDigest) -> dict[str, object]:
    first, last = digest.sightings[0], digest.sightings[-1]
    fields: dict[str, object] = {
        "type": "session",
        "id": session.id,
        "kind": PageKind.SESSION.value,
        "title": legible.clip(legible.squeeze(digest.title), TITLE_CHARS_MAX),
        "description": describe_session(digest),
        "tags": ["session", session.agent.value],
        "session_id": session.id,
        "agent": session.agent.value,
        "author": session.owner,
        "outcome": digest.outcome_label.lower(),
        "generated": True,
        "sources": [f"session:{session.id}#o{first.id}-o{last.id}"],
        "created": _iso(session.started_at),
        "updated": _iso(last.at),
        "branch": legible.squeeze(session.checkout.branch),
        "revision": legible.squeeze(session.checkout.revision),
        "entities": list(_list_entities(digest)),
    }
    return {name: value for name, value in fields.items() if value not in ("", [])}


def _list_entities(digest: SessionDigest) -> Iterator[str]:
    """List what the session was about, files first; what is left out stands in the text as far as there is room."""
    files = [thing for thing in digest.things if thing.kind is ThingKind.FILE][:FRONTMATTER_FILES_MAX]
    others = [thing for thing in digest.things if thing.kind is not ThingKind.FILE]
    yield from map(str, [*files, *others][:FRONTMATTER_THINGS_MAX])


def _render_body(session: Session, digest: SessionDigest, caps: Caps, links: SessionLinks = NO_LINKS) -> str:
    notes = Footnotes(digest.sightings)
    sections: Sequence[tuple[str, str]] = (
        ("Goal", page_sections.render_goal(digest, caps, notes)),
        ("Outcome", page_sections.render_outcome(digest, caps, notes)),
        ("What changed", page_sections.render_files(digest, caps, notes)),
        ("Commands", page_sections.render_commands(digest, caps, notes)),
        ("Errors and fixes", page_sections.render_errors(digest, caps, notes)),
        ("Decisions", page_sections.render_decisions(digest, caps, notes)),
        ("Open questions", page_sections.render_statements(digest.open_questions, caps, notes)),
        ("Next steps", page_sections.render_statements(digest.next_steps, caps, notes)),
    )
    related = ("Related pages", _render_related(links.related, caps, notes))
    lead = "\n\n".join([_render_lead(session, digest, notes), *_render_links(links)])
    shown = [f"## {title}\n\n{text}" for title, text in (*sections, related) if text]
    provenance = f"## Provenance\n\n{_render_provenance(session, digest)}\n\n{notes.render_definitions()}"
    return "\n\n".join([f"# {escape.escape_inline(digest.title)}", lead, *shown, provenance.rstrip()]) + "\n"


def _render_lead(session: Session, digest: SessionDigest, notes: Footnotes) -> str:
    reason = escape.escape_inline(digest.outcome_reason)
    mark = notes.mark(digest.outcome_evidence)
    facts = [registry.find_agent(session.agent.value).title]
    if session.owner:
        facts.append(escape.escape_inline(session.owner))
    facts.append(_render_span(session.started_at, digest.sightings[-1].at))
    if session.checkout.branch:
        facts.append(f"branch {escape.code_span(session.checkout.branch)}")
    if digest.files:
        facts.append(_count(len(digest.files), "file changed", "files changed"))
    if digest.commits:
        facts.append(_count(len(digest.commits), "commit", "commits"))
    return f"**{digest.outcome_label}.** {reason}{mark}\n\n*{' · '.join(facts)}*"


def _render_links(links: SessionLinks) -> list[str]:
    lines = [("Continues", link) for link in links.continues] + [("Continued in", link) for link in links.continued_by]
    return ["  \n".join(f"{words} {_render_link(link)}." for words, link in lines)] if lines else []


def _render_link(link: SessionLink) -> str:
    if not link.page_path:
        return f"session {escape.code_span(link.session_id)}, which left no page"
    return f"[[{link.project}:{link.page_path}]]" if link.project else f"[[{link.page_path}]]"


def _render_related(related: Sequence[RelatedPage], caps: Caps, notes: Footnotes) -> str:
    return "\n".join(
        f"- [[{page.path}]] {escape.escape_inline(legible.clip(page.title, caps.item_chars))}, about"
        f" {page_sections.name_files(page.files)}{notes.mark(page.evidence)}"
        for page in related[: caps.statements]
    )


def _render_provenance(session: Session, digest: SessionDigest) -> str:
    first, last = digest.sightings[0], digest.sightings[-1]
    agent = registry.find_agent(session.agent.value).title
    lines = [
        f"- Session {escape.code_span(session.id)}, {agent}'s own id {escape.code_span(session.agent_session_id)}",
        (
            f"- {_count(len(digest.sightings), 'observation', 'observations')}, o{first.id} to o{last.id},"
            f" from {_iso(first.at)} to {_iso(last.at)}"
        ),
    ]
    if session.checkout.revision:
        lines.append(f"- Began at revision {escape.code_span(session.checkout.revision[:12])}")
    if session.cwd:
        lines.append(f"- Folder {escape.code_span(session.cwd)}")
    lines.append("- Written by rules, without a model; marks such as o12 name observations of this session.")
    return "\n".join(lines)


def _render_span(start: datetime, end: datetime) -> str:
    minutes = max(round((end - start).total_seconds() / 60), 0)
    hours, rest = divmod(minutes, 60)
    length = f"{hours} h {rest} min" if hours else f"{rest} min" if rest else "under a minute"
    if not minutes:
        return f"{start:%Y-%m-%d %H:%M} UTC ({length})"
    until = f"{end:%H:%M}" if end.date() == start.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{start:%Y-%m-%d %H:%M} to {until} UTC ({length})"


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def list_changes(digest: SessionDigest) -> tuple[str, ...]:
    """List changed files as short lines, for lists outside the page."""
    words = {FileChange.ADDED: "new", FileChange.DELETED: "removed"}
    return tuple(f"{work.path} ({words[work.change]})" if work.change in words else work.path for work in digest.files)
