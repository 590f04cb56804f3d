"""Who asks, and what of what was asked for may be told: absent and forbidden look the same at every door."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from app.access import grants
from app.domain import scope as scopes
from app.domain.errors import HandoffNotFound, NotFound, ProjectNotFound, SessionNotFound
from app.domain.handoff_errors import MessageNotFound
from app.domain.knowledge_errors import ProposalNotFound
from app.domain.page import PagePath
from app.domain.person import Act, Principal, Sight
from app.domain.person_errors import ProjectArchived
from app.domain.proposal import Proposal
from app.domain.scope import Project, Scope
from app.domain.session import Session
from app.entrypoints import traces
from app.state import handoffs, messages, moves, projects, proposals, sessions
from app.state.engine import ReadConnection
from app.wiring import Runtime

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks, with the projects that this person may read now."""

    principal: Principal
    sight: Sight

    @property
    def person(self) -> str:
        """The person's name."""
        return self.principal.person

    @property
    def is_admin(self) -> bool:
        """Whether this request may administer the server."""
        return grants.decide(self.principal.rights, Act.ADMINISTER)

    def check(self, act: Act, project_id: str = "") -> None:
        """Let an act through, in a project or to the whole server.

        Raises:
            ActDenied: the visitor may not do this.
            ProjectArchived: the visitor might, and the project is only read.
        """
        grants.check(self.principal, act, project_id)
        if act is Act.WRITE and project_id in self.principal.rights.archived:
            raise ProjectArchived


async def meet(runtime: Runtime, principal: Principal) -> Visitor:
    """Find what a caller may see; nobody is asked where that is everything."""
    if grants.sees_all(principal.rights):
        return Visitor(principal, Sight())
    return Visitor(principal, await runtime.run(runtime.gate.find_sight, principal))


async def get_project(runtime: Runtime, visitor: Visitor, name: str, act: Act = Act.READ) -> Project:
    """Get a project by its name, to do something in it.

    Raises:
        ProjectNotFound: there is none that the visitor may read.
        ActDenied: it may be read, and this may not be done.
    """
    found, is_hidden = await runtime.read(_read_project, scopes.parse_scope(name, runtime.workspace), visitor)
    if found is None:
        _note_missed(visitor, name, is_hidden=is_hidden)
        raise ProjectNotFound(name)
    traces.note_scope(found.scope)
    visitor.check(act, found.id)
    return found


async def follow_page(runtime: Runtime, name: str, project: Project, path: PagePath) -> PagePath:
    """Tell where a page is now that was at `path` when its project had the name by which somebody asks for it."""
    if not name or name == "*":
        return path
    named = scopes.parse_scope(name, runtime.workspace)
    if named == project.scope:
        return path
    return await runtime.read(moves.find_moved_page, named, path) or path


async def get_session(runtime: Runtime, visitor: Visitor, session_id: str, act: Act = Act.READ) -> Session:
    """Get a session by either of its ids, to do something with it.

    Raises:
        SessionNotFound: there is none in a project that the visitor may read.
        ActDenied: it may be read, and this may not be done.
    """
    found = await runtime.read(sessions.find_session_by_any_id, session_id)
    if found is None or not visitor.sight.has_project(found.project_id):
        _note_missed(visitor, session_id, is_hidden=found is not None)
        raise SessionNotFound(session_id)
    await note_project(runtime, found.project_id, act)
    visitor.check(act, found.project_id)
    return found


async def get_proposal(runtime: Runtime, visitor: Visitor, proposal_id: str, act: Act = Act.READ) -> Proposal:
    """Get a proposal, to look at it or to decide it.

    Raises:
        ProposalNotFound: there is none in a project that the visitor may read.
        ActDenied: it may be read, and this may not be done.
    """
    found = await _read_or_note(runtime, visitor, proposals.get_proposal, proposal_id)
    if not visitor.sight.has_project(found.project_id):
        _note_missed(visitor, proposal_id, is_hidden=True)
        raise ProposalNotFound(proposal_id)
    await note_project(runtime, found.project_id, act)
    visitor.check(act, found.project_id)
    return found


async def check_handoff(runtime: Runtime, visitor: Visitor, handoff_id: str, act: Act = Act.READ) -> None:
    """Let an act on a handoff through; whose it is besides, its own rules say.

    Raises:
        HandoffNotFound: there is none in a project that the visitor may read.
        ActDenied: it may be read, and this may not be done.
    """
    found = await runtime.read(handoffs.find_handoff, handoff_id)
    if found is None or not visitor.sight.has_project(found.project_id):
        _note_missed(visitor, handoff_id, is_hidden=found is not None)
        raise HandoffNotFound(handoff_id)
    await note_project(runtime, found.project_id, act)
    visitor.check(act, found.project_id)


async def check_message(runtime: Runtime, visitor: Visitor, message_id: str, act: Act = Act.READ) -> None:
    """Let an act on a message through: from the inbox that it is in, or of the project that sent it.

    Raises:
        MessageNotFound: there is none in or from a project that the visitor may read.
        ActDenied: it may be read, and this may not be done.
    """
    found = await _read_or_note(runtime, visitor, messages.get_message, message_id)
    ends = [end for end in (found.project_id, found.from_project_id) if end and visitor.sight.has_project(end)]
    if not ends:
        _note_missed(visitor, message_id, is_hidden=True)
        raise MessageNotFound(message_id)
    await note_project(runtime, ends[0], act)
    if not any(grants.decide(visitor.principal.rights, act, end) for end in ends):
        visitor.check(act, ends[0])


async def note_project(runtime: Runtime, project_id: str, act: Act) -> None:
    """Say for the trail which project something is to be done in; of looking there is no row."""
    if act is not Act.READ:
        traces.find_current().scope = await runtime.read(projects.find_scope_name, project_id)


def _read_project(conn: ReadConnection, scope: Scope, visitor: Visitor) -> tuple[Project | None, bool]:
    """Read a project that may be read; one that is kept from the visitor costs what one that is not there does."""
    project_id = projects.find_project_id(conn, scope)
    if project_id is None or not visitor.sight.has_project(project_id):
        return None, project_id is not None
    return projects.get_project(conn, project_id), False


async def _read_or_note(
    runtime: Runtime, visitor: Visitor, read: Callable[[ReadConnection, str], T], thing_id: str
) -> T:
    try:
        return await runtime.read(read, thing_id)
    except NotFound:
        _note_missed(visitor, thing_id, is_hidden=False)
        raise


def _note_missed(visitor: Visitor, name: str, *, is_hidden: bool) -> None:
    """Leave a trace of what somebody asked for in vain who may not see all."""
    if visitor.sight.project_ids is not None:
        traces.note_missed(name, is_hidden=is_hidden)
