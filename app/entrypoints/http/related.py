"""What belongs to a page, the story of a subject, and what people say of pages."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from app.domain import limits, pagepath
from app.domain.feedback import Opinion, Verdict
from app.domain.page import PagePath
from app.entrypoints import shapes
from app.entrypoints.http import search
from app.entrypoints.http.dependencies import (
    JsonBody,
    MaybeProject,
    OneProject,
    TheRuntime,
    TheVisitor,
    WritableProject,
)
from app.entrypoints.http.search import Moment
from app.entrypoints.shapes import Shape
from app.index.entries import ObservationRow
from app.search import connected, opinions
from app.search.connected import Connected, Story
from app.search.opinions import Word
from app.state import feedback

router = APIRouter(tags=["search"])

TimelineLimit = Annotated[int, Query(ge=1, le=limits.TIMELINE_LIMIT_MAX)]


class Said(JsonBody):
    """What somebody says of a page; `content_hash` is what they had read."""

    path: str
    verdict: Verdict
    note: str = Field("", max_length=limits.FEEDBACK_NOTE_CHARS_MAX * 4)
    content_hash: str = ""


@router.get("/related/{path:path}")
async def show_related(runtime: TheRuntime, visitor: TheVisitor, project: OneProject, path: str) -> Shape:
    """Show what belongs to a page: links, backlinks, what names the same, neighbours in time, evidence."""
    page_path = pagepath.parse_page_path(path)
    found = await runtime.run(connected.find_connected, runtime.index, project.scope, page_path, visitor.sight.scopes)
    return shape_connected(found)


@router.get("/timeline")
async def tell_timeline(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: MaybeProject,
    subject: Annotated[str, Query(description="A file, a function, an entity, or any words.")],
    limit: TimelineLimit = 20,
    *,
    until: Annotated[Moment, Query(description="Only what is older: the `next_until` of an earlier answer.")] = None,
) -> Shape:
    """Tell when a subject came up, in pages and in what was said and done, newest first."""
    scopes = search.list_scopes(project, visitor)
    moment = search.read_moment("until", until)
    story = await runtime.run(connected.tell_story, runtime.index, subject, scopes, limit, moment)
    return shape_story(story)


@router.post("/feedback")
async def give_feedback(runtime: TheRuntime, visitor: TheVisitor, project: WritableProject, said: Said) -> Shape:
    """Say that a page helped, did not, is wrong or stale; it holds until the page changes, and deletes nothing."""
    place = (project, pagepath.parse_page_path(said.path))
    word = Word(visitor.person, said.verdict, said.note, said.content_hash)
    opinion = await opinions.say(runtime.index, runtime.writer, runtime.clock, place, word)
    return _shape_opinion(opinion)


@router.get("/feedback")
async def list_feedback(runtime: TheRuntime, project: OneProject) -> Shape:
    """List what was said of the pages of a project, and which pages somebody should look into."""
    said = await runtime.read(feedback.list_of_project, project.id, limits.FEEDBACK_READ_MAX)
    doubts = await runtime.run(opinions.list_doubts, runtime.index, runtime.engine, project)
    return {
        "project": str(project.scope),
        "feedback": [_shape_opinion(opinion) for opinion in said],
        "findings": [{"path": path, "code": each.code, "detail": each.detail} for path, each in doubts],
    }


@router.delete("/feedback/{path:path}")
async def take_feedback_back(runtime: TheRuntime, visitor: TheVisitor, project: WritableProject, path: str) -> Shape:
    """Take back what you said of a page."""
    page_path = pagepath.parse_page_path(path)
    place = (project, page_path)
    was_there = await opinions.take_back(runtime.writer, runtime.clock, place, visitor.person)
    return {"path": page_path, "taken_back": was_there}


def shape_connected(found: Connected) -> Shape:
    """Shape what belongs to a page."""
    return {
        "page": {**shapes.shape_row(found.page), "id": found.page.id, "revision": found.page.revision},
        "links": [
            {"relation": link.relation, "target": link.target, "project": str(link.to_scope), "path": link.to_path}
            for link in found.links
        ],
        "backlinks": [shapes.shape_row(page) for page in found.backlinks],
        "sharing": [{**shapes.shape_row(page), "names": list(names)} for page, names in found.sharing],
        "before": [shapes.shape_row(page) for page in found.before],
        "after": [shapes.shape_row(page) for page in found.after],
        "evidence": [_shape_observation(each) for each in found.evidence],
    }


def shape_story(story: Story) -> Shape:
    """Shape a story; `next_until` leads to what is older."""
    moments = [
        {
            "at": shapes.shape_moment(moment.at),
            "project": str(moment.scope),
            "path": moment.path,
            "title": moment.title,
            "session_id": moment.session_id,
            "observation": _shape_observation(moment.observation) if moment.observation else None,
        }
        for moment in story.moments
    ]
    leads_on = story.omitted and story.moments
    next_until = story.moments[-1].at.isoformat() if leads_on else ""
    return {"subject": story.subject, "moments": moments, "omitted": story.omitted, "next_until": next_until}


def _shape_observation(seen: ObservationRow) -> Shape:
    return {
        "id": seen.id,
        "session_id": seen.session_id,
        "stretch": f"o{seen.id}",
        "shows": seen.shows,
        "at": shapes.shape_moment(seen.at),
        "text": seen.text[: limits.SNIPPET_CHARS_MAX],
    }


def _shape_opinion(opinion: Opinion) -> Shape:
    return {
        "path": PagePath(opinion.path),
        "verdict": opinion.verdict.value,
        "said_by": opinion.said_by,
        "said_at": shapes.shape_moment(opinion.said_at),
        "note": opinion.note,
        "content_hash": opinion.content_hash,
    }
