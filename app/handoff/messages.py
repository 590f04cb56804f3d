"""Messages between projects as they are used: sent, listed without being read, taken once, answered, withdrawn."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.domain import legible, redact
from app.domain.errors import InvalidValue
from app.domain.handoff_errors import ClaimTokenRejected, InboxFull, MessageClosed, MessageNotFound
from app.domain.limits import (
    LIST_LIMIT_MAX,
    MESSAGE_BODY_CHARS_MAX,
    MESSAGE_EXPIRY_DAYS,
    MESSAGE_EXPIRY_DAYS_MAX,
    MESSAGE_LEASE_SECONDS,
    MESSAGE_SUBJECT_CHARS_MAX,
    MESSAGES_WAITING_MAX,
)
from app.domain.message import OPEN_STATES, Message, MessageState
from app.domain.person import LOCAL_PERSON
from app.handoff.claims import TOKEN_CHARS
from app.handoff.offers import Caller, OfferParts, write
from app.state import audit, messages, projects
from app.state.audit import AuditEntry
from app.state.engine import ReadConnection, WriteConnection
from app.state.messages import Pop, Reader

_SEND = "send"


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What somebody has to say to a project; `reply_to` is the id of the message that it answers."""

    project_id: str
    body: str
    from_project_id: str | None = None
    subject: str = ""
    reply_to: str = ""
    to_agent: str = ""
    to_user: str = ""
    expires_in_days: int = MESSAGE_EXPIRY_DAYS


@dataclass(frozen=True, slots=True)
class _Move:
    """What somebody does to a message, as it was seen, and what it is after that."""

    verb: str
    seen: Message
    after: MessageState


def send(parts: OfferParts, caller: Caller, new: NewMessage) -> Message:
    """Put a message into a project's inbox; texts are redacted and cut to their bounds.

    Raises:
        InvalidValue: it says nothing, or would wait for too long.
        MessageNotFound: it answers a message that there is not.
        InboxFull: too many wait there already.
    """
    body = _clean(new.body, MESSAGE_BODY_CHARS_MAX)
    if not body:
        raise InvalidValue("body", "a message without words says nothing")
    if not 1 <= new.expires_in_days <= MESSAGE_EXPIRY_DAYS_MAX:
        raise InvalidValue("expires_in_days", f"between 1 and {MESSAGE_EXPIRY_DAYS_MAX}")
    now = parts.clock.now()
    made = Message(
        id=parts.ids.new_id(),
        project_id=new.project_id,
        from_project_id=new.from_project_id,
        thread_id="",
        reply_to=new.reply_to,
        owner=caller.owner,
        subject=_clean(legible.squeeze(new.subject), MESSAGE_SUBJECT_CHARS_MAX),
        body=body,
        state=MessageState.WAITING,
        created_at=now,
        expires_at=now + timedelta(days=new.expires_in_days),
        from_session_id=caller.session_id,
        from_agent=caller.agent,
        to_agent=new.to_agent,
        to_user=new.to_user,
    )
    return write(parts, lambda conn: _insert(conn, caller, made))


def reply(parts: OfferParts, caller: Caller, message_id: str, body: str) -> Message:
    """Answer a message in the project that it came from, as a part of the same conversation.

    Raises:
        MessageNotFound: there is no such message for this caller.
        InvalidValue: it came from no project, or the answer says nothing.
        InboxFull: too many wait there already.
    """
    asked = parts.engine.read(_get_visible, caller, message_id)
    if asked.from_project_id is None:
        raise InvalidValue("message_id", "it came from no project, so there is nowhere to send an answer to")
    subject = asked.subject if asked.subject.startswith("Re: ") or not asked.subject else f"Re: {asked.subject}"
    answer = NewMessage(
        project_id=asked.from_project_id,
        body=body,
        from_project_id=asked.project_id,
        subject=subject,
        reply_to=asked.id,
        to_user=asked.owner,
    )
    return send(parts, caller, answer)


def list_inbox(parts: OfferParts, caller: Caller, project_id: str, limit: int = LIST_LIMIT_MAX) -> list[Message]:
    """List what waits for the caller in a project, the oldest first; nothing is taken."""
    return parts.engine.read(messages.list_inbox, _build_reader(parts, caller, project_id), limit)


def count_inbox(conn: ReadConnection, parts: OfferParts, caller: Caller, project_id: str) -> int:
    """Count what waits for the caller in a project."""
    return messages.count_inbox(conn, _build_reader(parts, caller, project_id))


def pop(parts: OfferParts, caller: Caller, project_id: str) -> Message | None:
    """Take the oldest message that waits for the caller; None where none does.

    It is the caller's until the lease ends and gone once acknowledged. Asking again before that gives the same one.
    """

    def take(conn: WriteConnection) -> Message | None:
        reader = _build_reader(parts, caller, project_id)
        held = messages.find_popped(conn, reader, caller.holder_id)
        if held is not None and held.lease_until is not None and held.lease_until > reader.now:
            return held
        waiting = messages.list_inbox(conn, reader, 1)
        if not waiting or not messages.take_message(conn, _build_pop(parts, caller, waiting[0].id)):
            return None
        _note(conn, caller, _Move("pop", waiting[0], MessageState.POPPED), reader.now)
        return messages.get_message(conn, waiting[0].id)

    return write(parts, take)


def acknowledge(parts: OfferParts, caller: Caller, message_id: str, token: str) -> Message:
    """Say that a message was read, so that nobody gets it again; repeating it changes nothing.

    Raises:
        MessageNotFound: there is no such message for this caller.
        MessageClosed: it was withdrawn, or is too old.
        ClaimTokenRejected: the token is not that of the one who took it last.
    """

    def close(conn: WriteConnection) -> Message:
        seen = _get_visible(conn, caller, message_id)
        if seen.state not in {*OPEN_STATES, MessageState.READ}:
            raise MessageClosed(seen.id, seen.state.value)
        if not token or token != seen.pop_token:
            raise ClaimTokenRejected("message", seen.id, seen.holder_session_id)
        if messages.close_message(conn, seen, OPEN_STATES, MessageState.READ, parts.clock.now()):
            _note(conn, caller, _Move("acknowledge", seen, MessageState.READ), parts.clock.now())
        return messages.get_message(conn, seen.id)

    return write(parts, close)


def cancel(parts: OfferParts, caller: Caller, message_id: str) -> Message:
    """Withdraw a message that its reader has not acknowledged; repeating it changes nothing.

    Raises:
        MessageNotFound: there is none, or the caller did not send it.
        MessageClosed: it was read, or is too old.
    """

    def withdraw(conn: WriteConnection) -> Message:
        seen = messages.get_message(conn, message_id)
        if seen.owner != caller.owner:
            raise MessageNotFound(message_id)
        if seen.state is MessageState.CANCELLED:
            return seen
        if not messages.close_message(conn, seen, OPEN_STATES, MessageState.CANCELLED, parts.clock.now()):
            raise MessageClosed(seen.id, seen.state.value)
        _note(conn, caller, _Move("cancel", seen, MessageState.CANCELLED), parts.clock.now())
        return messages.get_message(conn, seen.id)

    return write(parts, withdraw)


def list_thread(parts: OfferParts, caller: Caller, message_id: str) -> list[Message]:
    """List the conversation that a message is a part of, as far as it is the caller's.

    Raises:
        MessageNotFound: there is no such message for this caller.
    """
    found = parts.engine.read(_get_visible, caller, message_id)
    thread = parts.engine.read(messages.list_thread, found.thread_id, LIST_LIMIT_MAX)
    return [message for message in thread if _is_for(message, caller.owner)]


def is_shown(message: Message, person: str) -> bool:
    """Tell whether a message's words may be shown in its conversation: its sender's own, or those that were read."""
    return message.owner == person or message.state is MessageState.READ


def _insert(conn: WriteConnection, caller: Caller, made: Message) -> Message:
    thread_id = made.id
    if made.reply_to:
        thread_id = _get_visible(conn, caller, made.reply_to).thread_id
    if messages.count_waiting(conn, made.project_id, made.created_at) >= MESSAGES_WAITING_MAX:
        raise InboxFull(str(projects.get_project(conn, made.project_id).scope), MESSAGES_WAITING_MAX)
    messages.insert_message(conn, replace(made, thread_id=thread_id))
    _note(conn, caller, _Move(_SEND, made, MessageState.WAITING), made.created_at)
    return messages.get_message(conn, made.id)


def _build_reader(parts: OfferParts, caller: Caller, project_id: str) -> Reader:
    return Reader(project_id, caller.owner, caller.agent, parts.clock.now())


def _build_pop(parts: OfferParts, caller: Caller, message_id: str) -> Pop:
    now = parts.clock.now()
    return Pop(
        message_id=message_id,
        session_id=caller.holder_id,
        agent=caller.agent,
        token=hashlib.sha256(parts.ids.new_secret().encode()).hexdigest()[:TOKEN_CHARS],
        now=now,
        lease_until=now + timedelta(seconds=MESSAGE_LEASE_SECONDS),
    )


def _get_visible(conn: ReadConnection, caller: Caller, message_id: str) -> Message:
    found = messages.get_message(conn, message_id)
    if not _is_for(found, caller.owner):
        raise MessageNotFound(message_id)
    return found


def _is_for(message: Message, person: str) -> bool:
    return not message.to_user or person in {message.owner, message.to_user}


def _clean(text: str, chars_max: int) -> str:
    plain = redact.redact_text(redact.strip_private(text))
    return legible.clip(legible.clean_text(plain).strip(), chars_max)


def _note(conn: WriteConnection, caller: Caller, move: _Move, now: datetime) -> None:
    seen, detail = move.seen, f"session {caller.session_id or '-'}"
    scope = projects.find_scope_name(conn, seen.project_id)
    before = "" if move.verb == _SEND else seen.state.value
    context = audit.build_context(scope=scope, before=before, after=move.after.value)
    entry = AuditEntry(now, caller.owner or LOCAL_PERSON, f"message.{move.verb}", seen.id, detail, context)
    audit.insert_audit(conn, entry)
