"""Curation: finds pages that say nearly the same, and proposes to make one of two; a person decides."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final

from app.compile import changing, escape, page_parts
from app.compile import plan as plans
from app.compile.parts import CompileParts
from app.compile.plan import ChangeAction, PageChange, PagePlan
from app.domain.limits import LIST_LIMIT_MAX, STATE_WRITE_SECONDS_MAX
from app.domain.limits_knowledge import CURATE_MERGES_PER_RUN_MAX, PLAN_TEXT_BYTES_MAX
from app.domain.page import Page, PageKind
from app.domain.proposal import Ground, Proposal, ProposalKind, ProposalState
from app.domain.scope import Project
from app.index import catalog
from app.index.filters import PageFilter
from app.state import projects

CURATED_KINDS: Final = (PageKind.GOTCHA, PageKind.DECISION, PageKind.RULE, PageKind.NOTE)
SIMILAR_SHARE: Final = 0.72
WORDS_MIN: Final = 4
COMPARED_CHARS: Final = 1500

_WORD = re.compile(r"[\w./-]{2,}")
# What all pages of a kind share says nothing about how like two of them are.
_FRAME = re.compile(r"\[\[[^\]]*\]\]|\(o\d+(?:-o\d+)?\)|\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two pages that say nearly the same; `share` is how much of their words they share."""

    keep: Page
    merge: Page
    share: float


def curate_project(parts: CompileParts, project_id: str) -> list[Proposal]:
    """Propose a merge for each pair of pages that say nearly the same; gives those that are new or renewed."""
    project = parts.engine.read(projects.get_project, project_id)
    found = list(_list_likenesses(parts, project))[:CURATE_MERGES_PER_RUN_MAX]
    wanted = [_build_proposal(parts, project, likeness) for likeness in found]
    return [
        parts.writer.submit(partial(changing.put_proposal, wanted=proposal)).result(STATE_WRITE_SECONDS_MAX)
        for proposal in wanted
    ]


def list_alike(pages: list[Page]) -> Iterator[Likeness]:
    """List the pairs among pages of one kind that share most of their words, the most alike first."""
    words = {page.path: _list_words(page) for page in pages}
    pairs: list[Likeness] = []
    for one, other in combinations(sorted(pages, key=_age), 2):
        first, second = words[one.path], words[other.path]
        if min(len(first), len(second)) < WORDS_MIN:
            continue
        share = len(first & second) / len(first | second)
        if share >= SIMILAR_SHARE:
            pairs.append(Likeness(one, other, share))
    yield from sorted(pairs, key=lambda pair: (-pair.share, pair.keep.path, pair.merge.path))


def _list_likenesses(parts: CompileParts, project: Project) -> Iterator[Likeness]:
    for kind in CURATED_KINDS if parts.wiki.index.progress is None else ():
        wanted = PageFilter(scopes=(project.scope,), kinds=(kind,), include_superseded=False)
        rows = parts.wiki.index.read(partial(catalog.list_recent, wanted=wanted, limit=LIST_LIMIT_MAX))
        found = (parts.wiki.find_page(project.scope, row.path) for row in rows)
        yield from list_alike([page for page in found if page is not None and not page.fields.get("superseded_by")])


def _build_proposal(parts: CompileParts, project: Project, likeness: Likeness) -> Proposal:
    keep, merge = likeness.keep, likeness.merge
    text = _render_merged(merge)
    fields = {"relations": {"supersedes": [merge.path]}}
    present = keep.fields.get("relations")
    if isinstance(present, dict):
        fields = {"relations": {**present, "supersedes": [merge.path]}}
    change = PageChange(
        ChangeAction.APPEND_SECTION, keep.path, text, f"Also told as {merge.path}", keep.content_hash, fields
    )
    return Proposal(
        id=parts.ids.new_id(),
        project_id=project.id,
        kind=ProposalKind.MERGE,
        key=changing.build_key(*sorted((keep.path, merge.path))),
        title=f"Make one page of {keep.path} and {merge.path}",
        text=f"{keep.path} stays and takes in what {merge.path} tells, which it then supersedes.\n\n{text}",
        reason=f"they share {round(likeness.share * 100)} % of their words",
        state=ProposalState.WAITING,
        created_at=parts.clock.now(),
        path=keep.path,
        plan=plans.render_plan(PagePlan("nearly the same", (change,))),
        grounds=tuple(_list_grounds(keep)) + tuple(_list_grounds(merge)),
    )


def _render_merged(merge: Page) -> str:
    """Show what the other page tells, its headings one level lower."""
    told = "\n".join(f"#{line}" if line.startswith("##") else line for line in _drop_title(merge.body).split("\n"))
    cut = told.encode("utf-8")[: PLAN_TEXT_BYTES_MAX // 2].decode("utf-8", "ignore")
    return f"{escape.escape_inline(merge.title)} ([[{merge.path}]]):\n\n{cut.strip()}"


def _drop_title(body: str) -> str:
    lead = page_parts.split_parts(body)[0].text
    if lead.lstrip().startswith("# "):
        return body.lstrip().partition("\n")[2]
    return body


def _list_grounds(page: Page) -> Iterator[Ground]:
    yield Ground(page_path=page.path)
    sources = page.fields.get("sources")
    for source in sources if isinstance(sources, list) else ():
        session, _, stretch = str(source).removeprefix("session:").partition("#")
        numbers = tuple(int(number) for number in re.findall(r"o(\d{1,18})", stretch))
        yield Ground(session, page.path, numbers)


def _list_words(page: Page) -> frozenset[str]:
    """List the words that a page says of its own: what memwiki writes around them is the same on many."""
    body = page.body[:COMPARED_CHARS]
    if plans.is_ours(page):
        body = "\n".join(line for line in body.split("\n") if line.startswith("> "))
    elif page.kind is PageKind.RULE:
        body = page_parts.split_parts(body)[0].text
    text = _FRAME.sub(" ", f"{page.title} {body}".casefold())
    return frozenset(_WORD.findall(text))


def _age(page: Page) -> tuple[str, str]:
    return str(page.fields.get("created") or page.fields.get("updated") or ""), page.path
