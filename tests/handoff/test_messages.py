"""Messages on a real store: they come back when nobody acknowledges them, and close when nobody reads them."""

import pytest

from app.domain.handoff_errors import ClaimTokenRejected, InboxFull, MessageNotFound
from app.domain.limits import MESSAGE_EXPIRY_DAYS, MESSAGE_LEASE_SECONDS, MESSAGES_WAITING_MAX
from app.domain.message import Message, MessageState
from app.handoff import messages, offers
from app.handoff.messages import NewMessage
from app.handoff.offers import Caller
from app.state import audit
from tests.compile.builders import PROJECT, House

ANN = Caller("ann", "session-1", "codex")


def send(house: House, body: str = "The API changes.", **fields: str) -> Message:
    return messages.send(house.offers, ANN, NewMessage(PROJECT.id, body, PROJECT.id, **fields))


def pop(house: House, session_id: str, owner: str = "ann", agent: str = "codex") -> Message | None:
    return messages.pop(house.offers, Caller(owner, session_id, agent), PROJECT.id)


def test_a_message_that_nobody_acknowledges_comes_back_and_its_first_reader_is_too_late(house: House) -> None:
    sent = send(house)
    first = pop(house, "session-2")
    assert first is not None
    assert pop(house, "session-3") is None

    house.parts.clock.advance(MESSAGE_LEASE_SECONDS)
    second = pop(house, "session-3")

    assert second is not None
    assert (second.id, second.holder_session_id) == (sent.id, "session-3")
    with pytest.raises(ClaimTokenRejected):
        messages.acknowledge(house.offers, Caller("ann", "session-2"), sent.id, first.pop_token)


def test_a_message_that_nobody_reads_expires(house: House) -> None:
    sent = send(house)
    house.parts.clock.advance(MESSAGE_EXPIRY_DAYS * 24 * 3600)

    assert pop(house, "session-2") is None
    offers.close_stale(house.offers)

    assert [found.state for found in messages.list_thread(house.offers, ANN, sent.id)] == [MessageState.EXPIRED]


def test_a_message_for_one_person_or_agent_is_for_no_other(house: House) -> None:
    send(house, to_user="bob")
    for_agent = send(house, to_agent="claude-code")

    assert pop(house, "session-2") is None
    assert pop(house, "session-3", owner="bob", agent="codex") is not None
    found = pop(house, "session-4", agent="claude-code")
    assert found is not None
    assert found.id == for_agent.id
    with pytest.raises(MessageNotFound):
        messages.cancel(house.offers, Caller("eve"), for_agent.id)


def test_an_inbox_has_a_bound(house: House) -> None:
    for number in range(MESSAGES_WAITING_MAX):
        send(house, f"Number {number}.")

    with pytest.raises(InboxFull):
        send(house)


def test_every_change_of_a_message_is_in_the_audit_trail(house: House) -> None:
    send(house)
    popped = pop(house, "session-2")
    assert popped is not None
    messages.acknowledge(house.offers, Caller("ann", "session-2"), popped.id, popped.pop_token)
    messages.cancel(house.offers, ANN, send(house).id)

    entries = reversed(house.read(lambda conn: audit.list_audit(conn, 10)))
    assert [entry.action for entry in entries] == [
        "message.send",
        "message.pop",
        "message.acknowledge",
        "message.send",
        "message.cancel",
    ]
