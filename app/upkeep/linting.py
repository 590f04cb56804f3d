"""Lints a project: asks the index what is wrong between pages, and reads the files that people wrote."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from app.domain import redact
from app.domain.clock import Clock
from app.domain.errors import FieldsUnreadable
from app.domain.limits import LIST_LIMIT_MAX
from app.domain.limits_knowledge import LINT_FINDINGS_MAX, LINT_PAGES_MAX, LINT_SURVEYS_KEPT, PAGE_BYTES_ADVISED
from app.domain.page import Finding, PagePath
from app.domain.scope import Scope
from app.index import catalog, flaws, standing
from app.index.entries import PageRow
from app.index.filters import PageFilter
from app.upkeep import lint
from app.upkeep.lint import Found, LintFinding
from app.wiki import fields as yaml_fields
from app.wiki import markdown
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
    survey = _SURVEYS.find(key)
    if survey is None:
        survey = _survey(wiki, scope)
        if survey.is_settled:
            _SURVEYS.keep(key, survey)
    now, found = clock.now(), survey.found
    expired = [(path, day) for path, day in found.expired if lint.is_past(day, now)]
    return lint.build_findings(replace(found, flaws=(*found.flaws, *said), expired=expired), now)[:LINT_FINDINGS_MAX]


@dataclass(frozen=True, slots=True)
class _Survey:
    """What index and files show of a project, whatever day it is; settled where the index knew every file as it is."""

    found: Found
    is_settled: bool


# Surveys by what the index held when they were made.
_SURVEYS: Kept[_Survey] = Kept(LINT_SURVEYS_KEPT)


def _survey(wiki: Wiki, scope: Scope) -> _Survey:
    rows = list(_walk_rows(wiki, scope))
    told = wiki.index.read(partial(catalog.list_findings, scopes=(scope,), limit=LINT_FINDINGS_MAX))
    broken = {each.path for each in told}
    looks = [(row.path, look) for row in rows if (look := _look(wiki, row, is_broken=row.path in broken)) is not None]
    written = {path for path, look in looks if look.is_written}
    read, most = wiki.index.read, LINT_FINDINGS_MAX
    found = Found(
        flaws=[(each.path, each.finding) for each in told],
        broken=read(partial(flaws.list_broken_links, scope=scope, limit=most)),
        # What memwiki made says itself where it comes from, and stands on the entry page.
        orphans=[path for path in read(partial(flaws.list_orphans, scope=scope, limit=most)) if path in written],
        contradictions=read(partial(standing.list_contradictions, scope=scope, limit=most)),
        twins=read(partial(flaws.list_twins, scope=scope, limit=most)),
        large=read(partial(flaws.list_large, scope=scope, bytes_max=PAGE_BYTES_ADVISED, limit=most)),
        secrets=[(path, look.secrets) for path, look in looks if look.secrets],
        rows=[row for row in rows if row.kind in lint.AGEING],
        expired=[(path, look.stale_after) for path, look in looks if look.stale_after],
    )
    return _Survey(found, all(_LOOKS.find((row.path, row.content_hash)) is not None for row in rows))


def _walk_rows(wiki: Wiki, scope: Scope) -> Iterator[PageRow]:
    after, read = "", 0
    wanted = PageFilter(scopes=(scope,))
    while read < LINT_PAGES_MAX:
        rows = wiki.index.read(partial(catalog.list_pages, wanted=wanted, limit=LIST_LIMIT_MAX, after=after))
        if not rows:
            return
        yield from rows
        read, after = read + len(rows), rows[-1].path


@dataclass(frozen=True, slots=True)
class Look:
    """What one page's file says; `secrets` are the classes that stand in what a person wrote."""

    is_written: bool
    secrets: tuple[str, ...]
    stale_after: str


# Each file is looked at once for as long as its content stays.
_LOOKS: Kept[Look] = Kept(LINT_PAGES_MAX)
# A backslash may spell either name in another way.
_GENERATED = b"\ngenerated: true\n"
_ASKED = re.compile(rb"\ngenerated: true\n|generated\b|stale_after|\\")


def _look(wiki: Wiki, row: PageRow, *, is_broken: bool) -> Look | None:
    """Look at the file of a page as the index knows it; None where it is gone."""
    key = (row.path, row.content_hash)
    known = _LOOKS.find(key)
    if known is not None:
        return known
    raw = wiki.tree.read_page(row.scope, row.path)
    if raw is None:
        return None
    fields = _read_fields(raw, is_broken=is_broken)
    is_written = not fields.get("generated")
    found = Look(is_written, _find_secrets(raw) if is_written else (), lint.find_stale_after(fields))
    # What was edited this moment the index will know soon.
    if markdown.hash_content(raw) == row.content_hash:
        _LOOKS.keep(key, found)
    return found


def _read_fields(raw: bytes, *, is_broken: bool) -> Mapping[str, object]:
    """Read a page's frontmatter if it may say what is asked here: most pages do not, and reading it takes longest."""
    block = yaml_fields.find_block(raw)
    if block is None:
        return {}
    asked = _ASKED.findall(raw, block.start, block.end)
    if not asked:
        return {}
    if asked == [_GENERATED] and not is_broken:
        return {"generated": True}
    with suppress(FieldsUnreadable):
        return yaml_fields.parse_fields(block.read_text(raw))
    return {}


def _find_secrets(raw: bytes) -> tuple[str, ...]:
    """Name the classes of secrets in a page's whole file, its frontmatter included."""
    return tuple(sorted(set(redact.list_classes(raw.decode("utf-8", "replace")))))
