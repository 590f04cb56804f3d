"""The tools for messages between projects; their docstrings are what agents read."""

from typing import Annotated

from pydantic import Field

from app.agents import registry
from app.domain.limits import MESSAGE_EXPIRY_DAYS
from app.domain.message import Message
from app.domain.person import Act
from app.entrypoints import reports, visits
from app.entrypoints.mcp import callers, message_texts
from app.entrypoints.mcp.callers import AnyContext
from app.entrypoints.mcp.projects import get_project
from app.entrypoints.mcp.tools_handoffs import Project, SessionId
from app.handoff import messages
from app.handoff.messages import NewMessage
from app.wiring import Runtime

MessageId = Annotated[str, Field(description="The message's id.")]

Body = Annotated[str, Field(description="Plain text.")]


class MessageTools:
    """Words from one project to another, each read by exactly one session."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def memory_message_send(
        self,
        to_project: Annotated[str, Field(description="The project, as memory_status names it.")],
        body: Body,
        ctx: AnyContext,
        *,
        subject: Annotated[str, Field(description="One line.")] = "",
        to_agent: Annotated[str, Field(description="Only this agent, such as codex.")] = "",
        to_user: Annotated[str, Field(description="Only this person.")] = "",
        expires_in_days: Annotated[int, Field(description="How long it may wait.")] = MESSAGE_EXPIRY_DAYS,
        project: Project = "",
        session_id: SessionId = "",
    ) -> str:
        """SEND a message to ANOTHER project's inbox, where exactly one session will read it.

        For work in your own project use memory_handoff_offer.
        """
        if to_agent:
            registry.find_agent(to_agent)
        source = await get_project(self._runtime, project, ctx, Act.WRITE)
        target = await visits.get_project(self._runtime, await callers.meet(self._runtime), to_project)
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        new = NewMessage(
            project_id=target.id,
            body=body,
            from_project_id=source.id,
            subject=subject,
            to_agent=to_agent,
            to_user=to_user,
            expires_in_days=expires_in_days,
        )
        sent = await self._runtime.run(messages.send, self._runtime.offers, caller, new)
        return f"sent {sent.id} to {target.scope}"

    async def memory_message_list(self, ctx: AnyContext, *, project: Project = "", session_id: SessionId = "") -> str:
        """LIST the messages that wait for your project: subjects only, and nothing is taken."""
        found = await get_project(self._runtime, project, ctx)
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        listed = await self._runtime.run(messages.list_inbox, self._runtime.offers, caller, found.id)
        names = await self._name(listed)
        return message_texts.render_inbox(listed, names)

    async def memory_message_pop(self, ctx: AnyContext, *, project: Project = "", session_id: SessionId = "") -> str:
        """TAKE the oldest waiting message out of your project's inbox and read it; nobody else gets it meanwhile.

        Say that you have read it by memory_message_acknowledge, or it comes back after a quarter of an hour.
        """
        found = await get_project(self._runtime, project, ctx, Act.WRITE)
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        popped = await self._runtime.run(messages.pop, self._runtime.offers, caller, found.id)
        if popped is None:
            return "No message waits."
        names = await self._name([popped])
        return message_texts.render_message(popped, names)

    async def memory_message_acknowledge(
        self,
        message_id: MessageId,
        token: Annotated[str, Field(description="The token that memory_message_pop showed.")],
        ctx: AnyContext,
    ) -> str:
        """CONFIRM that you have read a message that you took, so that it never comes back."""
        await self._check(message_id)
        caller = await callers.find_caller(self._runtime, ctx)
        read = await self._runtime.run(messages.acknowledge, self._runtime.offers, caller, message_id, token)
        return f"{read.id} is {read.state}"

    async def memory_message_reply(
        self, message_id: MessageId, body: Body, ctx: AnyContext, session_id: SessionId = ""
    ) -> str:
        """ANSWER a message: the answer goes into the inbox of the project that it came from."""
        await self._check(message_id)
        caller = await callers.find_caller(self._runtime, ctx, session_id)
        sent = await self._runtime.run(messages.reply, self._runtime.offers, caller, message_id, body)
        return f"sent {sent.id} in answer to {message_id}"

    async def memory_message_cancel(self, message_id: MessageId, ctx: AnyContext) -> str:
        """WITHDRAW a message that you sent and nobody has acknowledged."""
        await self._check(message_id)
        caller = await callers.find_caller(self._runtime, ctx)
        gone = await self._runtime.run(messages.cancel, self._runtime.offers, caller, message_id)
        return f"{gone.id} is {gone.state}"

    async def _name(self, listed: list[Message]) -> dict[str, str]:
        """Name the projects that messages came from, as far as the caller may know of them."""
        sight = (await callers.meet(self._runtime)).sight
        return await reports.name_projects(
            self._runtime, filter(sight.has_project, message_texts.list_project_ids(listed))
        )

    async def _check(self, message_id: str) -> None:
        """Let a change of a message through that the caller may know of."""
        await visits.check_message(self._runtime, await callers.meet(self._runtime), message_id, Act.WRITE)
