"""Brings a project's first pages up to what its repository says; what a person changed is only proposed for."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from app.compile import bootstrap_pages, changing
from app.compile import plan as plans
from app.compile.bootstrap_pages import SOURCE, FirstPage
from app.compile.changing import Effect
from app.compile.parts import CompileParts
from app.compile.repository_facts import Document, History, HotFile, RepositoryFacts
from app.domain import redact
from app.domain.page import Page, PagePath
from app.domain.scope import Project
from app.index import catalog
from app.index.filters import PageFilter
from app.wiki.pages import Byline
from app.wiki.projects import write_manifest


class FirstEffect(StrEnum):
    """What becomes, or would become, of a page; one that sessions have taken over is `KEPT`."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    PROPOSED = "proposed"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class FirstOutcome:
    """One page, and what became of it."""

    path: PagePath
    title: str
    effect: FirstEffect


def bootstrap_project(
    parts: CompileParts, project: Project, known: RepositoryFacts, byline: Byline, *, apply: bool
) -> list[FirstOutcome]:
    """Write the pages of a repository's facts, or tell what that would do.

    Raises:
        DiskRefused: the disk is full, read-only or somebody else's; a later call finishes.
    """
    pages = bootstrap_pages.build_pages(project, redact_facts(known))
    done = [_bring_up_to_date(parts, project, page, byline, apply=apply) for page in pages]
    if apply:
        write_manifest(parts.wiki, project, session_id="")
    return done


def redact_facts(known: RepositoryFacts) -> RepositoryFacts:
    """Take secrets and private blocks out of every text, so that a page is planned as it will be written."""
    history = known.history
    return RepositoryFacts(
        documents=tuple(Document(_clean(each.path), each.kind, _clean(each.text)) for each in known.documents),
        folders=tuple((_clean(name), count) for name, count in known.folders),
        history=History(
            commits=history.commits,
            begun_on=_clean(history.begun_on),
            changed_on=_clean(history.changed_on),
            is_cut=history.is_cut,
            subjects=tuple((_clean(day), _clean(text)) for day, text in history.subjects),
            authors=tuple((_clean(name), count) for name, count in history.authors),
            hot_files=tuple(_clean_file(file) for file in history.hot_files),
        ),
        left_out=known.left_out,
    )


def _bring_up_to_date(
    parts: CompileParts, project: Project, wanted: FirstPage, byline: Byline, *, apply: bool
) -> FirstOutcome:
    present = _find_page(parts, project, wanted)
    title = str(wanted.fields["title"])
    path = present.path if present else wanted.path
    if present is not None and _is_taken_over(present):
        return FirstOutcome(path, title, FirstEffect.KEPT)
    plan = plans.because(plans.list_changes(present, path, wanted.fields, wanted.parts), "its repository says so")
    if not plan.changes:
        return FirstOutcome(path, title, FirstEffect.UNCHANGED)
    effect = FirstEffect.CREATED if present is None else FirstEffect.CHANGED
    if plans.decide_changes(present, plan.changes).ask:
        effect = FirstEffect.PROPOSED
    if apply:
        applied = changing.apply_plan(parts, project, plan, byline)
        if any(each.effect is Effect.PROPOSED for each in applied):
            effect = FirstEffect.PROPOSED
    return FirstOutcome(path, title, effect)


def _find_page(parts: CompileParts, project: Project, wanted: FirstPage) -> Page | None:
    """Find the page by its id, wherever somebody moved it, else what lies at its place."""
    scopes = PageFilter(scopes=(project.scope,))
    page_id = str(wanted.fields["id"])
    found = parts.wiki.index.read(partial(catalog.list_pages_by_id, page_id=page_id, wanted=scopes))
    path = found[0].path if found else wanted.path
    return parts.wiki.find_page(project.scope, path)


def _is_taken_over(page: Page) -> bool:
    """Tell whether sessions have made a page of ours their own."""
    sources = page.fields.get("sources")
    return isinstance(sources, list) and not any(str(source).startswith(SOURCE) for source in sources)


def _clean(text: str) -> str:
    return redact.redact_text(redact.strip_private(text))


def _clean_file(file: HotFile) -> HotFile:
    return replace(file, path=_clean(file.path), subjects=tuple(map(_clean, file.subjects)))
