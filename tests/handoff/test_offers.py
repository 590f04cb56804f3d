"""Offers and claims on a real store: looking is free, taking happens once, everything can be undone."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.checkout import Checkout
from app.domain.errors import HandoffClaimed, HandoffClosed, HandoffNotFound, InvalidValue
from app.domain.handoff import Handoff, HandoffContent, HandoffOrigin, HandoffState
from app.domain.handoff_errors import ClaimTokenRejected, HandoffOfAnother
from app.domain.limits import (
    HANDOFF_ITEMS_MAX,
    HANDOFF_LEASE_SECONDS,
    HANDOFF_PROVISIONAL_SECONDS,
    HANDOFF_SUMMARY_CHARS_MAX,
)
from app.handoff import claims, offers, start
from app.handoff.offers import Caller, NewOffer
from app.state import audit, handoff_moves, handoffs
from tests.compile import builders
from tests.compile.builders import PROJECT, ROOT, House, Script

ANN = Caller("ann")
START = Script().start().events[0]


def offer(house: House, summary: str = "Finish the tax table", **fields: object) -> Handoff:
    content = HandoffContent(summary=summary, next_steps=("write the test",))
    return offers.offer(house.offers, ANN, replace(NewOffer(PROJECT.id, content, cwd=ROOT), **fields))


def add_automatic(house: House, number: int, **fields: object) -> Handoff:
    values = {
        "id": f"automatic-{number}",
        "project_id": PROJECT.id,
        "owner": "ann",
        "origin": HandoffOrigin.AUTOMATIC,
        "state": HandoffState.OFFERED,
        "cwd": ROOT,
        "content": HandoffContent(summary=f"work {number}"),
        "created_at": house.parts.clock.now(),
    }
    made = Handoff(**{**values, **fields})
    house.write(lambda conn: handoffs.insert_handoff(conn, made))
    return made


def begin(house: House, number: int, **fields: object) -> Handoff | None:
    session = house.add_session(builders.session(number, **fields))
    return claims.claim_for_start(house.offers, session)


def test_an_offer_can_be_looked_at_without_using_it_up(house: House) -> None:
    made = offer(house)

    for _ in range(3):
        assert offers.show(house.offers, ANN, made.id) == made
        assert offers.list_open(house.offers, PROJECT.id, "ann") == [made]


def test_an_empty_summary_is_refused(house: House) -> None:
    for empty in ("", "   \n", "\u200b"):
        with pytest.raises(InvalidValue):
            offer(house, empty)


def test_an_offer_is_redacted_and_cut_with_a_visible_mark(house: House) -> None:
    key = "ghp_" + "a1B2" * 9
    made = offers.offer(
        house.offers,
        ANN,
        NewOffer(
            PROJECT.id,
            HandoffContent(
                summary=f"use {key} " + "word " * 200_000,
                next_steps=tuple(f"step {number}" for number in range(100)),
            ),
        ),
    )

    assert key not in made.content.summary
    assert len(made.content.summary) <= HANDOFF_SUMMARY_CHARS_MAX
    assert made.content.summary.endswith("…")
    assert len(made.content.next_steps) == HANDOFF_ITEMS_MAX
    assert made.content.omitted == 100 - HANDOFF_ITEMS_MAX


def test_claiming_again_from_the_same_session_is_the_same_claim(house: House) -> None:
    made = offer(house)
    holder = Caller("ann", "session-1", "codex")

    first = claims.claim(house.offers, holder, made.id)
    again = claims.claim(house.offers, holder, made.id)

    assert first == again
    assert again.holder_session_id == "session-1"


def test_a_person_at_a_terminal_claims_without_a_session_and_may_repeat_it(house: House) -> None:
    made = offer(house)

    first = claims.claim(house.offers, ANN, made.id)

    assert claims.claim(house.offers, ANN, made.id) == first
    with pytest.raises(HandoffClaimed):
        claims.claim(house.offers, Caller("ann", "session-1"), made.id)


def test_a_loser_learns_who_holds_it_and_until_when(house: House) -> None:
    made = offer(house)
    claims.claim(house.offers, Caller("ann", "session-1", "codex"), made.id)

    with pytest.raises(HandoffClaimed) as refused:
        claims.claim(house.offers, Caller("ann", "session-2", "claude-code"), made.id)

    assert refused.value.holder == "codex session session-1"
    assert refused.value.until.endswith("Z")


def test_of_fifty_parallel_claimers_exactly_one_wins(house: House) -> None:
    def try_claim(number: int) -> bool:
        try:
            claims.claim(house.offers, Caller("ann", f"session-{number}"), made.id)
        except HandoffClaimed:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        for _ in range(10):
            made = offer(house)
            assert sum(pool.map(try_claim, range(50))) == 1


def test_of_many_sessions_that_start_together_exactly_one_is_told(house: House) -> None:
    offer(house)
    started = [house.add_session(builders.session(number)) for number in range(1, 17)]

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda session: claims.claim_for_start(house.offers, session), started))

    assert sum(handoff is not None for handoff in told) == 1


def test_a_repeated_start_gets_the_same_claim(house: House) -> None:
    offer(house)
    offer(house, "Something else")
    session = house.add_session(builders.session())

    first = claims.claim_for_start(house.offers, session)

    assert first is not None
    assert [claims.claim_for_start(house.offers, session) for _ in range(3)] == [first] * 3


@pytest.mark.parametrize("reason", ["resume", "clear", "compact"])
def test_a_continued_session_takes_no_handoff(reason: str) -> None:
    assert not start.decide_take(builders.session(), replace(START, reason=reason))


def test_a_session_that_worked_already_takes_no_second_handoff() -> None:
    worked = builders.session(has_work=True)

    assert start.decide_take(builders.session(), START)
    assert not start.decide_take(replace(worked, last_event_at=worked.started_at + timedelta(minutes=5)), START)


def test_a_start_that_comes_just_behind_the_first_prompt_takes_the_handoff() -> None:
    prompted = builders.session(has_work=True)

    assert start.decide_take(replace(prompted, last_event_at=prompted.started_at + timedelta(seconds=2)), START)


@pytest.mark.parametrize(
    "checkout",
    [Checkout(run="one-shot"), Checkout(marker_workspace="memwiki-rehearsal")],
    ids=["one-shot", "rehearsal"],
)
def test_a_run_without_a_person_takes_nothing_unasked(checkout: Checkout) -> None:
    assert not start.decide_take(builders.session(checkout=checkout), START)


def test_a_start_that_comes_again_after_the_work_is_done_takes_no_more(house: House) -> None:
    first, second = offer(house), offer(house, "Another work")
    taken = begin(house, 1)
    assert taken is not None
    holder = Caller("ann", builders.session(1).id, "claude-code")
    claims.finish(house.offers, holder, taken.id, taken.claim_token)

    assert claims.claim_for_start(house.offers, builders.session(1)) is None

    left = {first.id, second.id} - {taken.id}
    assert {offers.show(house.offers, ANN, each).state for each in left} == {HandoffState.OFFERED}
    assert claims.claim(house.offers, holder, left.pop()).state is HandoffState.CLAIMED


def test_a_start_that_is_killed_gives_the_handoff_back_when_its_lease_ends(house: House) -> None:
    made = offer(house)
    first = begin(house, 1)
    assert first is not None
    assert first.is_provisional
    assert begin(house, 2) is None

    house.parts.clock.advance(HANDOFF_PROVISIONAL_SECONDS + 1)

    taken = begin(house, 3)
    assert taken is not None
    assert taken.id == made.id
    assert taken.holder_session_id == "session-3"


def test_a_silent_holder_loses_the_handoff_after_its_lease(house: House) -> None:
    made = offer(house)
    claims.claim(house.offers, Caller("ann", "session-1"), made.id)

    house.parts.clock.advance(HANDOFF_LEASE_SECONDS + 1)

    assert claims.claim(house.offers, Caller("ann", "session-2"), made.id).holder_session_id == "session-2"


def test_a_start_gets_the_right_one_out_of_a_backlog(house: House) -> None:
    add_automatic(house, 1, created_at=builders.START.replace(month=9))
    add_automatic(house, 2, cwd="/home/ann/other")
    add_automatic(house, 3, owner="bob")
    add_automatic(house, 4, to_agent="codex")
    newest = add_automatic(house, 5)

    told = begin(house, 1)

    assert told is not None
    assert told.id == newest.id


def test_a_manual_offer_goes_before_a_newer_automatic_one(house: House) -> None:
    made = offer(house)
    house.parts.clock.advance(60)
    add_automatic(house, 1)

    told = begin(house, 1)

    assert told is not None
    assert told.id == made.id


def test_a_sibling_folder_with_a_longer_name_is_not_below(house: House) -> None:
    add_automatic(house, 1, cwd="/home/ann/sho")

    assert begin(house, 1) is None


def test_somebody_else_s_handoff_looks_as_if_it_did_not_exist(house: House) -> None:
    made = offer(house)
    bob = Caller("bob")

    for act in (offers.show, claims.claim, offers.release, claims.finish, offers.cancel):
        with pytest.raises(HandoffNotFound):
            act(house.offers, bob, made.id)
    assert offers.list_open(house.offers, PROJECT.id, "bob") == []


def test_a_handoff_sent_to_a_person_is_for_that_person(house: House) -> None:
    made = offer(house, to_user="bob")

    assert begin(house, 1) is None
    told = begin(house, 2, owner="bob")
    assert told is not None
    assert told.id == made.id


def test_a_cancelled_handoff_cannot_be_taken_and_cancelling_twice_is_the_same(house: House) -> None:
    made = offer(house)

    first = offers.cancel(house.offers, ANN, made.id)

    assert offers.cancel(house.offers, ANN, made.id) == first
    with pytest.raises(HandoffClosed):
        claims.claim(house.offers, Caller("ann", "session-1"), made.id)


def test_only_the_holder_or_a_person_releases(house: House) -> None:
    made = offer(house)
    holder = Caller("ann", "session-1")
    claims.claim(house.offers, holder, made.id)

    with pytest.raises(InvalidValue):
        offers.release(house.offers, Caller("ann", "session-2"), made.id)
    with pytest.raises(ClaimTokenRejected):
        offers.release(house.offers, Caller("ann", "session-2"), made.id, "guessed")
    freed = offers.release(house.offers, ANN, made.id)

    assert freed.state is HandoffState.OFFERED
    assert freed.holder_session_id == ""
    assert offers.release(house.offers, holder, made.id) == freed


def test_who_is_concerned_may_free_shared_work_and_no_other(house: House) -> None:
    made = offer(house, to_user="*")
    claims.claim(house.offers, Caller("bob"), made.id)

    with pytest.raises(HandoffOfAnother):
        offers.release(house.offers, Caller("carol"), made.id)
    with pytest.raises(HandoffOfAnother):
        claims.finish(house.offers, Caller("carol"), made.id)
    for person in ("ann", "bob"):
        assert offers.release(house.offers, Caller(person), made.id).state is HandoffState.OFFERED
        claims.claim(house.offers, Caller("bob"), made.id)


def test_only_its_maker_or_an_administrator_withdraws_a_handoff(house: House) -> None:
    mine, shared = offer(house), offer(house, to_user="*")

    with pytest.raises(HandoffOfAnother):
        offers.cancel(house.offers, Caller("bob"), shared.id)
    with pytest.raises(HandoffNotFound):
        offers.cancel(house.offers, Caller("bob"), mine.id)

    for made in (mine, shared):
        assert offers.cancel(house.offers, Caller("root", is_admin=True), made.id).state is HandoffState.CANCELLED


def test_a_stuck_handoff_is_freed_by_an_administrator_and_the_trail_says_who(house: House) -> None:
    made = offer(house)
    claims.claim(house.offers, Caller("ann", "session-1"), made.id)

    offers.release(house.offers, Caller("root", is_admin=True), made.id)

    [last, *_] = house.read(lambda conn: audit.list_audit(conn, 10))
    assert (last.actor, last.action, last.subject) == ("root", "handoff.release", made.id)


def test_the_trail_names_who_took_shared_work_and_what_the_server_did_by_itself(house: House) -> None:
    made = offer(house, to_user="*")
    taker = house.add_session(replace(builders.session(1), owner="bob"))
    claims.claim_for_start(house.offers, taker)
    house.write(lambda conn: handoff_moves.give_back_provisional(conn, [taker.id], house.parts.clock.now()))
    claims.claim(house.offers, Caller("bob"), made.id)
    house.parts.clock.advance(HANDOFF_LEASE_SECONDS + 1)
    offers.close_stale(house.offers)

    trail = [(entry.actor, entry.action) for entry in reversed(house.read(lambda conn: audit.list_audit(conn, 10)))]
    assert trail == [
        ("ann", "handoff.offer"),
        ("bob", "handoff.claim"),
        ("bob", "handoff.give_back"),
        ("bob", "handoff.claim"),
        ("(server)", "handoff.lapse"),
    ]


def test_a_holder_finishes_and_nobody_else_does(house: House) -> None:
    made = offer(house)
    holder = Caller("ann", "session-1")
    with pytest.raises(HandoffClosed):
        claims.finish(house.offers, holder, made.id)
    token = claims.claim(house.offers, holder, made.id).claim_token

    with pytest.raises(ClaimTokenRejected):
        claims.finish(house.offers, Caller("ann", "session-2"), made.id, "guessed")
    done = claims.finish(house.offers, holder, made.id, token)

    assert done.state is HandoffState.DONE
    assert claims.finish(house.offers, holder, made.id, token) == done
    with pytest.raises(HandoffClosed):
        offers.release(house.offers, holder, made.id, token)


def test_a_holder_that_lost_it_by_silence_cannot_finish_it_for_its_successor(house: House) -> None:
    made = offer(house)
    token = claims.claim(house.offers, Caller("ann", "session-1"), made.id).claim_token
    house.parts.clock.advance(HANDOFF_LEASE_SECONDS + 1)
    claims.claim(house.offers, Caller("ann", "session-2", "codex"), made.id)

    with pytest.raises(ClaimTokenRejected) as refused:
        claims.finish(house.offers, Caller("ann", "session-1"), made.id, token)

    assert refused.value.holder == "codex session session-2"


def test_the_same_offer_made_again_is_the_first_one(house: House) -> None:
    first = offer(house)

    assert offer(house) == first
    assert offer(house, to_agent="codex").id != first.id
    assert len(offers.list_open(house.offers, PROJECT.id, "ann")) == 2


def test_what_nobody_is_at_any_more_is_swept_up(house: House) -> None:
    made = offer(house)
    claims.claim(house.offers, Caller("ann", "session-1"), made.id)
    add_automatic(house, 1, created_at=builders.START.replace(month=9))
    house.parts.clock.advance(HANDOFF_LEASE_SECONDS + 1)

    assert offers.close_stale(house.offers) == 1

    assert offers.show(house.offers, ANN, made.id).state is HandoffState.RELEASED
    assert offers.show(house.offers, ANN, "automatic-1").state is HandoffState.EXPIRED


def test_every_change_is_in_the_audit_trail_once(house: House) -> None:
    made = offer(house)
    holder = Caller("ann", "session-1")
    token = [claims.claim(house.offers, holder, made.id).claim_token for _ in range(2)][-1]
    offers.release(house.offers, holder, made.id, token)
    offers.cancel(house.offers, ANN, made.id)

    actions = [entry.action for entry in reversed(house.read(lambda conn: audit.list_audit(conn, 10)))]
    assert actions == ["handoff.offer", "handoff.claim", "handoff.release", "handoff.cancel"]
    assert house.read(audit.verify_audit).broken_at is None
