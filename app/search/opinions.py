"""What was said of pages, as what it does to an answer: a bounded factor, for the very content that it was said of."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial

from app.domain import feedback
from app.domain.clock import Clock
from app.domain.errors import PageChanged, PageNotFound
from app.domain.feedback import Opinion, Verdict
from app.domain.limits import FEEDBACK_NOTE_CHARS_MAX, FEEDBACK_READ_MAX
from app.domain.page import Finding, PagePath
from app.domain.redact import redact_text, strip_private
from app.domain.scope import Project
from app.index import catalog
from app.index.database import IndexDatabase
from app.index.entries import PageRow
from app.index.meaning import Meaning
from app.state import audit
from app.state import feedback as opinions
from app.state.audit import AuditEntry
from app.state.engine import StateEngine, WriteConnection
from app.state.meter import Meter
from app.state.writer import Writer


@dataclass(frozen=True, slots=True)
class Aids:
    """What helps a search beside the index: a model, and what was said of pages; each may be missing.

    The meter counts how long each stream took.
    """

    meaning: Meaning | None = None
    find_priors: Callable[[Collection[PageRow]], dict[int, float]] | None = None
    meter: Meter = field(default_factory=Meter)


@dataclass(frozen=True, slots=True)
class Word:
    """What somebody says of a page; `content_hash` is what they had read, empty for the page as it is."""

    said_by: str
    verdict: Verdict
    note: str = ""
    content_hash: str = ""


def find_priors(engine: StateEngine, pages: Collection[PageRow]) -> dict[int, float]:
    """Find for each of these pages by what its score is multiplied; those of which nothing was said are left out."""
    if not pages:
        return {}
    said = engine.read(opinions.list_on_paths, [page.path for page in pages], FEEDBACK_READ_MAX)
    verdicts: dict[tuple[object, ...], list[Verdict]] = {}
    for scope, opinion in said:
        verdicts.setdefault((scope, opinion.path, opinion.content_hash), []).append(opinion.verdict)
    found = {page.row_id: verdicts.get((page.scope, page.path, page.content_hash)) for page in pages}
    return {row_id: feedback.decide_prior(words) for row_id, words in found.items() if words}


async def say(
    index: IndexDatabase, writer: Writer, clock: Clock, place: tuple[Project, PagePath], word: Word
) -> Opinion:
    """Store what somebody says of a page.

    Raises:
        PageNotFound: there is no such page.
        PageChanged: it is not any more what they had read.
    """
    project, path = place
    page = index.read(partial(catalog.find_page, scope=project.scope, path=path))
    if page is None:
        raise PageNotFound(path)
    if word.content_hash and word.content_hash != page.content_hash:
        raise PageChanged(path, word.content_hash, page.content_hash)
    note = redact_text(strip_private(word.note)[:FEEDBACK_NOTE_CHARS_MAX])
    opinion = Opinion(project.id, path, word.said_by, word.verdict, page.content_hash, note, clock.now())

    def store(conn: WriteConnection) -> None:
        former = opinions.find_verdict(conn, project.id, path, word.said_by)
        opinions.put_opinion(conn, opinion)
        before = former.value if former else ""
        context = audit.build_context(scope=str(project.scope), before=before, after=word.verdict.value)
        entry = AuditEntry(opinion.said_at, word.said_by, "feedback.say", path, page.content_hash, context)
        audit.insert_audit(conn, entry)

    await writer.write(store)
    return opinion


async def take_back(writer: Writer, clock: Clock, place: tuple[Project, PagePath], said_by: str) -> bool:
    """Take back what somebody said of a page; False if that was nothing."""
    project, path = place
    now = clock.now()

    def remove(conn: WriteConnection) -> bool:
        former = opinions.find_verdict(conn, project.id, path, said_by)
        if former is not None:
            context = audit.build_context(scope=str(project.scope), before=former.value)
            audit.insert_audit(conn, AuditEntry(now, said_by, "feedback.take-back", path, context=context))
        return opinions.delete_opinion(conn, project.id, path, said_by)

    return await writer.write(remove)


def list_doubts(index: IndexDatabase, engine: StateEngine, project: Project) -> list[tuple[PagePath, Finding]]:
    """List what people and agents call wrong or stale in a project; what was changed since is not listed."""
    said = engine.read(opinions.list_of_project, project.id, FEEDBACK_READ_MAX)
    hashes: dict[PagePath, str] = {}
    for path in dict.fromkeys(opinion.path for opinion in said):
        page = index.read(partial(catalog.find_page, scope=project.scope, path=path))
        hashes[path] = page.content_hash if page else ""
    standing = [opinion for opinion in said if opinion.content_hash == hashes[opinion.path]]
    return [(opinion.path, finding) for opinion in standing for finding in feedback.list_findings([opinion])]
