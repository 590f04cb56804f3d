"""Lints a project: asks the index, which knows of every page what its file says, for all that is wrong in it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from app.domain.clock import Clock
from app.domain.limits import STALE_DAYS
from app.domain.limits_knowledge import LINT_FINDINGS_MAX, LINT_SURVEYS_KEPT
from app.domain.page import Finding, PagePath
from app.domain.scope import Scope
from app.index import catalog, flaws, standing
from app.index.database import Connection
from app.upkeep import lint
from app.upkeep.lint import Found, LintFinding
from app.wiki.kept import Kept
from app.wiki.pages import Wiki


def lint_project(
    wiki: Wiki, scope: Scope, clock: Clock, said: Sequence[tuple[PagePath, Finding]] = ()
) -> list[LintFinding]:
    """Look for what is wrong in a project's pages, `said` by readers included; nothing is changed.

    Raises:
        StoreUnreadable: the index cannot be asked.
    """
    key = (wiki.index.find_epoch(), scope)
    lasting = _SURVEYS.find(key)
    if lasting is None:
        lasting = wiki.index.read(partial(_survey, scope=scope))
        _SURVEYS.keep(key, lasting)
    now, most = clock.now(), LINT_FINDINGS_MAX
    found = replace(
        lasting,
        flaws=(*lasting.flaws, *said),
        expired=wiki.index.read(partial(flaws.list_expired, scope=scope, day=f"{now:%Y-%m-%d}", limit=most)),
        unchecked=wiki.index.read(
            partial(flaws.list_unchecked, scope=scope, before=now - timedelta(days=STALE_DAYS), limit=most)
        ),
    )
    return lint.build_findings(found)[:most]


# What is wrong whatever day it is, by what the index held when it was asked.
_SURVEYS: Kept[Found] = Kept(LINT_SURVEYS_KEPT)


def _survey(index: Connection, scope: Scope) -> Found:
    most = LINT_FINDINGS_MAX
    return Found(
        flaws=[(each.path, each.finding) for each in catalog.list_findings(index, (scope,), most)],
        broken=flaws.list_broken_links(index, scope, most),
        orphans=flaws.list_orphans(index, scope, most),
        contradictions=standing.list_contradictions(index, scope, most),
        twins=flaws.list_twins(index, scope, most),
        large=flaws.list_large(index, scope, most),
        secrets=flaws.list_secrets(index, scope, most),
    )
