"""Messages between projects."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from app.agents import registry
from app.domain import limits
from app.domain.message import Message
from app.domain.person import Act
from app.entrypoints import reports, shapes, visits
from app.entrypoints.http.dependencies import JsonBody, OneProject, TheRuntime, TheVisitor, WritableProject
from app.entrypoints.http.handoffs import ClaimBody, Label, TokenBody
from app.entrypoints.shapes import Shape
from app.entrypoints.visits import Visitor
from app.handoff import messages
from app.handoff.messages import NewMessage
from app.handoff.offers import Caller
from app.state import messages as stored
from app.wiring import Runtime

router = APIRouter(tags=["messages"])


class MessageBody(JsonBody):
    """What somebody has to say to another project; the request's project is the one that it comes from."""

    to_project: str = Field(description="`workspace/project`, or `project` where that is clear.")
    body: str
    subject: str = ""
    to_agent: Label = ""
    to_user: Label = ""
    expires_in_days: int = limits.MESSAGE_EXPIRY_DAYS
    session_id: Label = Field("", description="The session that sends it.")


class ReplyBody(JsonBody):
    """An answer."""

    body: str
    session_id: Label = ""


@router.post("/messages", status_code=201)
async def send_message(runtime: TheRuntime, visitor: TheVisitor, project: WritableProject, body: MessageBody) -> Shape:
    """Put a message into another project's inbox."""
    if body.to_agent:
        registry.find_agent(body.to_agent)
    target = await visits.get_project(runtime, visitor, body.to_project)
    new = NewMessage(
        project_id=target.id,
        body=body.body,
        from_project_id=project.id,
        subject=body.subject,
        to_agent=body.to_agent,
        to_user=body.to_user,
        expires_in_days=body.expires_in_days,
    )
    caller = await reports.find_caller(runtime, visitor.person, body.session_id)
    sent = await runtime.run(messages.send, runtime.offers, caller, new)
    return await _shape(runtime, visitor, sent, is_whole=True)


@router.get("/messages")
async def list_messages(
    runtime: TheRuntime,
    visitor: TheVisitor,
    project: OneProject,
    *,
    sent: Annotated[bool, Query(description="those that this project sent, in place of its inbox")] = False,
    limit: Annotated[int, Query(ge=1, le=limits.LIST_LIMIT_MAX)] = 50,
) -> Shape:
    """List what waits in a project's inbox, the oldest first, without the bodies; nothing is taken."""
    if sent:
        found = await runtime.read(stored.list_sent, project.id, visitor.person, limit)
    else:
        found = await runtime.run(messages.list_inbox, runtime.offers, Caller(visitor.person), project.id, limit)
    return {"messages": [await _shape(runtime, visitor, message, is_whole=False) for message in found]}


@router.post("/messages/pop")
async def pop_message(runtime: TheRuntime, visitor: TheVisitor, project: WritableProject, body: ClaimBody) -> Shape:
    """Take the oldest waiting message; it comes back unless it is acknowledged. `message` is null where none waits."""
    caller = await reports.find_caller(runtime, visitor.person, body.session_id, body.agent)
    popped = await runtime.run(messages.pop, runtime.offers, caller, project.id)
    if popped is None:
        return {"message": None}
    return {"message": {**await _shape(runtime, visitor, popped, is_whole=True), "token": popped.pop_token}}


@router.get("/messages/{message_id}/thread")
async def show_thread(runtime: TheRuntime, visitor: TheVisitor, message_id: str) -> Shape:
    """List the conversation that a message is a part of; what nobody has read in it is shown without its body."""
    await visits.check_message(runtime, visitor, message_id)
    thread = await runtime.run(messages.list_thread, runtime.offers, Caller(visitor.person), message_id)
    shown = [(message, messages.is_shown(message, visitor.person)) for message in thread]
    return {"messages": [await _shape(runtime, visitor, message, is_whole=is_whole) for message, is_whole in shown]}


@router.post("/messages/{message_id}/acknowledge")
async def acknowledge_message(runtime: TheRuntime, visitor: TheVisitor, message_id: str, body: TokenBody) -> Shape:
    """Say that a message was read, so that it never comes back."""
    await visits.check_message(runtime, visitor, message_id, Act.WRITE)
    caller = await reports.find_caller(runtime, visitor.person, body.session_id, body.agent)
    read = await runtime.run(messages.acknowledge, runtime.offers, caller, message_id, body.token)
    return await _shape(runtime, visitor, read, is_whole=True)


@router.post("/messages/{message_id}/reply", status_code=201)
async def reply_message(runtime: TheRuntime, visitor: TheVisitor, message_id: str, body: ReplyBody) -> Shape:
    """Answer a message in the inbox of the project that it came from."""
    await visits.check_message(runtime, visitor, message_id, Act.WRITE)
    caller = await reports.find_caller(runtime, visitor.person, body.session_id)
    sent = await runtime.run(messages.reply, runtime.offers, caller, message_id, body.body)
    return await _shape(runtime, visitor, sent, is_whole=True)


@router.post("/messages/{message_id}/cancel")
async def cancel_message(runtime: TheRuntime, visitor: TheVisitor, message_id: str, body: ClaimBody) -> Shape:
    """Withdraw a message that nobody has acknowledged."""
    await visits.check_message(runtime, visitor, message_id, Act.WRITE)
    caller = await reports.find_caller(runtime, visitor.person, body.session_id, body.agent)
    gone = await runtime.run(messages.cancel, runtime.offers, caller, message_id)
    return await _shape(runtime, visitor, gone, is_whole=False)


async def _shape(runtime: Runtime, visitor: Visitor, message: Message, *, is_whole: bool) -> Shape:
    ends = (message.project_id, message.from_project_id)
    names = await reports.name_projects(runtime, [end for end in ends if end and visitor.sight.has_project(end)])
    shaped: Shape = {
        "id": message.id,
        "to_project": names.get(message.project_id, ""),
        "from_project": names.get(message.from_project_id or "", ""),
        "thread_id": message.thread_id,
        "reply_to": message.reply_to,
        "owner": message.owner,
        "from_agent": message.from_agent,
        "to_agent": message.to_agent,
        "to_user": message.to_user,
        "subject": message.subject,
        "state": str(message.state),
        "created_at": shapes.shape_moment(message.created_at),
        "expires_at": shapes.shape_moment(message.expires_at),
        "lease_until": shapes.shape_moment(message.lease_until),
    }
    return {**shaped, "body": message.body} if is_whole else shaped
