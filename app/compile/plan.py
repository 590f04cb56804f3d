"""A plan of page changes, checked: what rules, curation and models may do to pages, and what a person must decide.

A page that a person pinned, a section that a person changed or removed, and a page that memwiki did not write are
never rewritten: for these the plan becomes a proposal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import msgspec

from app.compile import page_parts
from app.compile.page_parts import PagePart
from app.domain import pagepath
from app.domain.errors import UnsafePath
from app.domain.knowledge_errors import PlanRefused
from app.domain.limits import TITLE_CHARS_MAX
from app.domain.limits_knowledge import PLAN_CHANGES_MAX, PLAN_TEXT_BYTES_MAX
from app.domain.page import ContentHash, Page, PageKind, PagePath

SECTIONS_FIELD: Final = "generated_sections"
LEAD: Final = ""
NO_HASH: Final = ContentHash("")
# How the lead is called in the page's own fields, where a key without letters would be odd.
_LEAD_NAME: Final = "lead"
_MADE_KINDS: Final = frozenset(
    {PageKind.CONCEPT, PageKind.DECISION, PageKind.GOTCHA, PageKind.PROCEDURE, PageKind.RULE, PageKind.NOTE}
)
_UNREADABLE: Final = frozenset({"frontmatter_unreadable", "frontmatter_unclosed"})
# What a person may have chosen anew is only set when the page is made.
_FIRST_FIELDS: Final = frozenset({"id", "type", "kind", "title", "tags", "created", "author", "pinned"})


class ChangeAction(StrEnum):
    """The only things that a plan can do."""

    CREATE = "create"
    APPEND_SECTION = "append_section"
    REPLACE_SECTION = "replace_section"


@dataclass(frozen=True, slots=True)
class PageChange:
    """One change: a page's whole text, or one section of it (an empty heading is what stands before the first).

    `expected` is the hash of the page that the change is based on, empty for a new page. `fields` are set besides.
    """

    action: ChangeAction
    path: PagePath
    text: str
    heading: str = LEAD
    expected: ContentHash = NO_HASH
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PagePlan:
    """Changes that belong together, and in a few words why."""

    reason: str
    changes: tuple[PageChange, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of the changes to one page: the new body and fields, or why a person must be asked."""

    body: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)
    ask: str = ""


_PLAN = msgspec.json.Decoder(PagePlan)


def parse_plan(text: str) -> PagePlan:
    """Read a plan that was written down, and check it.

    Raises:
        PlanRefused: it has another shape, or asks for something that a plan may not do.
    """
    try:
        plan = _PLAN.decode(text)
    except msgspec.MsgspecError as error:
        raise PlanRefused("pages", str(error)) from error
    check_plan(plan)
    return plan


def render_plan(plan: PagePlan) -> str:
    """Write a plan down as JSON."""
    return msgspec.json.encode(plan).decode()


def check_plan(plan: PagePlan) -> None:
    """Check a plan before any of it is done.

    Raises:
        PlanRefused: a change is not one that memwiki makes; the message says which and why.
    """
    if len(plan.changes) > PLAN_CHANGES_MAX:
        raise PlanRefused(plan.changes[0].path, f"a plan changes at most {PLAN_CHANGES_MAX} places")
    for change in plan.changes:
        reason = _explain_bad(change)
        if reason:
            raise PlanRefused(change.path, reason)


def because(plan: PagePlan, reason: str) -> PagePlan:
    """Give a plan its reason."""
    return replace(plan, reason=reason)


def list_changes(
    page: Page | None, path: PagePath, fields: Mapping[str, object], parts: Sequence[PagePart]
) -> PagePlan:
    """Plan what makes a page equal to what it should be; nothing where it is."""
    parts = [page_parts.render_part(part.heading, part.text) for part in parts]
    if page is None:
        text = page_parts.join_parts(parts)
        return PagePlan("", (PageChange(ChangeAction.CREATE, path, text, fields=fields),))
    told = {name: value for name, value in fields.items() if name not in _FIRST_FIELDS}
    changed = {name: value for name, value in told.items() if page.fields.get(name) != value}
    present = page_parts.split_parts(page.body)
    changes: list[PageChange] = []
    for part in parts:
        at = page_parts.find_part(present, part.heading)
        if at is not None and page_parts.hash_part(present[at]) == page_parts.hash_part(part):
            continue
        action = ChangeAction.APPEND_SECTION if at is None else ChangeAction.REPLACE_SECTION
        changes.append(PageChange(action, page.path, _text_of(part), part.heading, page.content_hash))
    if changed and not changes:
        # The text is as it should be, so its first part stands for the page.
        changes.append(PageChange(ChangeAction.REPLACE_SECTION, page.path, _text_of(parts[0]), LEAD, page.content_hash))
    changes = [replace(change, fields=changed) for change in changes[:1]] + changes[1:]
    return PagePlan("", tuple(changes))


def decide_changes(page: Page | None, changes: Sequence[PageChange], *, has_persons_word: bool = False) -> Decision:
    """Decide what becomes of the changes to one page; with a person's word nothing is held back."""
    if page is None:
        first = changes[0]
        if first.action is not ChangeAction.CREATE:
            return Decision(ask="the page is gone")
        parts = page_parts.split_parts(first.text)
        marks = {_name_of(part.heading): page_parts.hash_part(part) for part in parts}
        return Decision(first.text, {**first.fields, "generated": True, SECTIONS_FIELD: marks})
    held = [] if has_persons_word else [reason for change in changes if (reason := explain_hold(page, change))]
    if any(finding.code in _UNREADABLE for finding in page.findings):
        held = ["its frontmatter cannot be read"]
    if held:
        ask = held[0]
        return Decision(ask=ask)
    parts = page_parts.split_parts(page.body)
    kept: dict[str, object] = dict(_read_marks(page))
    fields: dict[str, object] = {}
    for change in changes:
        new = page_parts.render_part(change.heading, change.text)
        at = page_parts.find_part(parts, change.heading)
        if at is None:
            parts.append(new)
        else:
            parts[at] = new
        kept[_name_of(change.heading)] = page_parts.hash_part(new)
        fields |= change.fields
    return Decision(page_parts.join_parts(parts), {**fields, SECTIONS_FIELD: kept})


def explain_hold(page: Page, change: PageChange) -> str:
    """Say why a change to a page needs a person; empty where it needs none."""
    if page.fields.get("pinned") is True:
        return "the page is pinned"
    if not is_ours(page):
        return "a person wrote the page"
    marks = _read_marks(page)
    present = page_parts.split_parts(page.body)
    is_there = page_parts.find_part(present, change.heading) is not None
    named = f"the section {change.heading}" if change.heading else "its beginning"
    if change.heading in list_edited(page):
        return f"a person changed {named}"
    if not is_there and _name_of(change.heading) in marks:
        return f"a person removed {named}"
    if is_there and _name_of(change.heading) not in marks:
        return f"a person added {named}"
    return ""


def is_ours(page: Page) -> bool:
    """Tell whether memwiki wrote a page by rules, so that it may keep it up to date."""
    return isinstance(page.fields.get(SECTIONS_FIELD), Mapping)


def list_edited(page: Page) -> list[str]:
    """List the headings of sections that a person changed since memwiki wrote them; the lead is an empty one."""
    marks = _read_marks(page)
    return [
        part.heading
        for part in page_parts.split_parts(page.body)
        if _name_of(part.heading) in marks and marks[_name_of(part.heading)] != page_parts.hash_part(part)
    ]


def renew_marks(page: Page, body: str) -> dict[str, object]:
    """Mark the sections that memwiki wrote by a new body, in which only their links are other; edited ones stay so."""
    marks = dict(_read_marks(page))
    for old, new in zip(page_parts.split_parts(page.body), page_parts.split_parts(body), strict=False):
        if marks.get(_name_of(old.heading)) == page_parts.hash_part(old):
            marks[_name_of(old.heading)] = page_parts.hash_part(new)
    return marks


def _explain_bad(change: PageChange) -> str:
    try:
        is_spelled = pagepath.parse_page_path(change.path) == change.path
    except UnsafePath as error:
        return str(error)
    is_new = change.action is ChangeAction.CREATE
    title = change.fields.get("title", "")
    checks = (
        (not is_spelled, "its path is not in its one spelling"),
        (pagepath.kind_of_path(change.path) not in _MADE_KINDS, "pages of this kind are not made by plans"),
        (len(change.text.encode("utf-8", "replace")) > PLAN_TEXT_BYTES_MAX, f"more than {PLAN_TEXT_BYTES_MAX} bytes"),
        (not change.text.strip(), "it says nothing"),
        (is_new and bool(change.expected), "a new page is based on none"),
        (not is_new and not change.expected, "it does not say which text it is based on"),
        (is_new and bool(change.heading), "a new page is given whole"),
        ("\n" in change.heading or change.heading != change.heading.strip(), "its heading is not one line"),
        (not is_new and _has_heading(change.text), "a section cannot hold another"),
        (len(str(title)) > TITLE_CHARS_MAX, "its title is too long"),
        (change.fields.get("pinned") is True, "only a person pins a page"),
    )
    return next((reason for is_bad, reason in checks if is_bad), "")


def _has_heading(text: str) -> bool:
    return any(part.heading for part in page_parts.split_parts(text))


def _text_of(part: PagePart) -> str:
    """Give a part's text without its heading line."""
    if not part.heading:
        return part.text
    return part.text.partition("\n")[2].strip("\n")


def _read_marks(page: Page) -> Mapping[str, object]:
    marks = page.fields.get(SECTIONS_FIELD)
    return marks if isinstance(marks, Mapping) else {}


def _name_of(heading: str) -> str:
    return heading or _LEAD_NAME
