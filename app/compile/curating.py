"""Calls for curation in idle time: of projects whose pages of knowledge have changed since they were looked at."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from app.compile import curate
from app.compile.parts import CompileParts
from app.domain.clock import has_passed
from app.domain.errors import ProjectNotFound, StoreUnreadable
from app.domain.limits import LIST_LIMIT_MAX
from app.domain.scope import Project, Scope
from app.index import catalog
from app.index.filters import PageFilter
from app.state import jobs, projects
from app.state.engine import WriteConnection
from app.state.jobs import Job

CURATE_PROJECT: Final = "curate_project"


@dataclass(slots=True)
class Rounds:
    """When projects were last looked at, and what their pages were then; the first round waits its time too."""

    looked_at: datetime
    seen: dict[str, str] = field(default_factory=dict)


def list_due(parts: CompileParts, rounds: Rounds) -> list[Project]:
    """List the projects that a round is due for; none before its time, or while the index is made anew."""
    now, every = parts.clock.now(), timedelta(hours=parts.thresholds.curate_every_hours)
    if not every or not has_passed(rounds.looked_at, now, every) or parts.wiki.index.progress is not None:
        return []
    rounds.looked_at = now
    return list(_list_changed(parts, rounds))


def call_for(conn: WriteConnection, due: list[Project], now: datetime) -> None:
    """Queue the curation of some projects."""
    for project in due:
        jobs.upsert_job(conn, CURATE_PROJECT, project.id, now)


def run(parts: CompileParts, job: Job) -> None:
    """Curate one project: proposals only, which wait for a person."""
    try:
        curate.curate_project(parts, job.key)
    except ProjectNotFound:
        # Deleted since it was queued.
        return


def _list_changed(parts: CompileParts, rounds: Rounds) -> Iterator[Project]:
    for project in parts.engine.read(projects.list_projects, LIST_LIMIT_MAX):
        try:
            mark = _mark_pages(parts, project.scope)
        except StoreUnreadable:
            return
        if mark != rounds.seen.get(project.id):
            rounds.seen[project.id] = mark
            yield project


def _mark_pages(parts: CompileParts, scope: Scope) -> str:
    """Tell the pages that curation compares by one short text, which differs when one of them does."""
    wanted = PageFilter(scopes=(scope,), kinds=curate.CURATED_KINDS, include_superseded=False)
    rows = parts.wiki.index.read(partial(catalog.list_recent, wanted=wanted, limit=LIST_LIMIT_MAX))
    told = "\n".join(f"{row.path} {row.content_hash}" for row in rows)
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()
