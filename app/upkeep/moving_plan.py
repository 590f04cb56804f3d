"""Decides what stands in the way of a move, and tells what it would do; looks at nothing itself."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain import rehearsal
from app.domain.moving import DROPPED, Conflict, ConflictKind, Move
from app.domain.page import PagePath
from app.domain.person import Access
from app.domain.scope import Project, Scope

_RANKS = {access: rank for rank, access in enumerate(Access)}


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that a session holds at this moment: `handoff …` or `message …`."""

    name: str
    holder: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Facts:
    """What was seen before a move; `named` is the project that the new name leads to already, if any.

    `edited` are pages that are other on the disk than memwiki knows; grants are by holder.
    """

    project: Project
    target: Scope
    named: Project | None = None
    has_folder: bool = False
    names: frozenset[str] = frozenset()
    claims: Sequence[Claim] = ()
    edited: Sequence[str] = ()
    grants: Mapping[str, Access] | None = None
    grants_into: Mapping[str, Access] | None = None


@dataclass(frozen=True, slots=True)
class MovePlan:
    """What a move does or would do: counts by name, pages that get other paths, pages whose links are written anew."""

    move: Move
    counts: Mapping[str, int]
    rewritten: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    notes: tuple[str, ...]
    digest: str
    is_done: bool = False

    @property
    def renamed(self) -> dict[str, str]:
        """The files that get another path."""
        return {old: new for old, new in self.move.paths.items() if new != DROPPED}

    @property
    def dropped(self) -> list[str]:
        """The files that go nowhere."""
        return [old for old, new in self.move.paths.items() if new == DROPPED]


def decide_rename(facts: Facts) -> tuple[Conflict, ...]:
    """Decide what keeps a project from getting another name; nothing if nothing does."""
    source, target = facts.project.scope, facts.target
    found = list(_list_shared(facts))
    if source == target:
        found.append(Conflict(ConflictKind.SAME_PROJECT, str(target), "it has this name"))
    elif facts.named is not None and facts.named.id != facts.project.id:
        whose = "another project's" if facts.named.scope == target else f"a former one of {facts.named.scope}"
        advice = f"this name is {whose}; choose another, or merge the two"
        found.append(Conflict(ConflictKind.NAME_TAKEN, str(target), advice))
    elif like := _find_alike(facts):
        advice = f"some file systems cannot tell it from {target.workspace}/{like}; choose another"
        found.append(Conflict(ConflictKind.NAME_TAKEN, str(target), advice))
    if facts.has_folder:
        found.append(Conflict(ConflictKind.FOLDER_TAKEN, f"wiki/{target}", "there are files; move them away first"))
    if rehearsal.WORKSPACE in {source.workspace, target.workspace}:
        found.append(Conflict(ConflictKind.NAME_TAKEN, rehearsal.WORKSPACE, "it is for rehearsals alone"))
    return tuple(found)


def decide_merge(facts: Facts) -> tuple[Conflict, ...]:
    """Decide what keeps a project from becoming part of `named`; nothing if nothing does."""
    into = facts.named
    assert into is not None, "a merge has both"
    found = list(_list_shared(facts))
    if into.id == facts.project.id:
        found.append(Conflict(ConflictKind.SAME_PROJECT, str(into.scope), "it is the same project"))
    if into.is_restricted != facts.project.is_restricted:
        hidden, shown = sorted((into, facts.project), key=lambda each: not each.is_restricted)
        advice = f"it is restricted and {shown.scope} is open; make both alike (memwiki project restrict, or open)"
        found.append(Conflict(ConflictKind.RIGHTS_DIFFER, str(hidden.scope), advice))
    if into.archived_at is not None:
        found.append(Conflict(ConflictKind.ONLY_READ, str(into.scope), "it is archived: memwiki project unarchive"))
    return tuple(found)


def list_gains(facts: Facts) -> tuple[str, ...]:
    """Tell who may do more in a merged project than in one of its parts."""
    ours, theirs = facts.grants or {}, facts.grants_into or {}
    source = facts.project.scope
    return (
        *_list_gains(ours, theirs, facts.target),
        *_list_gains(theirs, ours, source),
    )


def build_digest(move: Move, pages: Iterable[tuple[PagePath, str]], conflicts: Sequence[Conflict]) -> str:
    """Build what tells whether a plan that somebody saw is still the one that would be done."""
    lines = [move.kind.value, move.project_id, str(move.source), str(move.target)]
    lines += [f"{path} {content_hash}" for path, content_hash in sorted(pages)]
    lines += [f"{old} {new}" for old, new in sorted(move.paths.items())]
    lines += [f"{each.now} {each.content_hash}" for each in move.rewrites]
    lines += [f"{each.kind} {each.subject}" for each in conflicts]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _list_shared(facts: Facts) -> Iterable[Conflict]:
    for claim in facts.claims:
        until = f"{claim.until:%Y-%m-%d %H:%M} UTC"
        advice = f"{claim.holder or 'a terminal'} holds it until {until}; let it finish, or release or cancel it"
        yield Conflict(ConflictKind.CLAIM_RUNNING, claim.name, advice)
    for place in facts.edited:
        yield Conflict(ConflictKind.PAGE_EDITED, place, "it was changed outside memwiki this moment; try again soon")


def _find_alike(facts: Facts) -> str:
    wanted = facts.target.project.casefold()
    own = {facts.project.scope.project, *(alias.rpartition("/")[2] for alias in facts.project.aliases)}
    return next((name for name in sorted(facts.names - own) if name.casefold() == wanted), "")


def _list_gains(had: Mapping[str, Access], had_there: Mapping[str, Access], there: Scope) -> list[str]:
    rank = {holder: _RANKS[access] for holder, access in had_there.items()}
    return [
        f"{holder} may {access} what was in {there}"
        for holder, access in sorted(had.items())
        if _RANKS[access] > rank.get(holder, -1)
    ]
