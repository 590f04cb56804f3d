"""What a session leaves: enough to go on from, bounded, with what is left out counted."""

import pytest

from app.compile import handover
from app.compile.digest import build_digest
from app.compile.handover import Looks, NewHandoff
from app.domain.checkout import Checkout
from app.domain.handoff import HandoffContent
from app.domain.limits import HANDOFF_ITEM_CHARS_MAX, HANDOFF_ITEMS_MAX, HANDOFF_SUMMARY_CHARS_MAX
from app.handoff import compose
from app.handoff.compose import Handover
from tests.compile import builders
from tests.compile.builders import FAILED_TEST, Script


def compose_script(script: Script, *taken: HandoffContent, **fields: object) -> HandoffContent:
    session = builders.session(**fields)
    digest = build_digest(session, script.observe())
    assert digest is not None
    told = Handover("sessions/2026-11/30-x.md", goal=handover.choose_last_goal(digest), taken=taken)
    return compose.compose_handoff(session, digest, told)


def test_a_finished_session_hands_over_what_is_open() -> None:
    content = compose_script(builders.fixing_script())

    assert content.summary.split("\n")[:2] == [
        "Reject empty baskets in checkout",
        "Done: The last `pytest -q` passed (6 passed) and 1 commit was made.",
    ]
    assert content.goal.startswith("Please reject empty baskets")
    assert content.summary.split("\n")[2].startswith("Last report: Empty baskets are rejected now.")
    assert content.done == ("Committed abc1234 Reject empty baskets",)
    assert content.next_steps == ("Cover the admin form.",)
    assert content.open_questions == ("Should guests see the reason too?",)
    assert content.decisions == ("Use exceptions, not return codes.",)
    assert content.revision == "abc1234"
    assert content.branch == "main"
    assert content.dirty == ()
    assert content.page == "sessions/2026-11/30-x.md"


def test_a_broken_session_hands_over_what_fails_and_what_lies_around() -> None:
    content = compose_script(Script().ask("Fix it.").edit("basket.py").run("pytest -q", FAILED_TEST, failed=True))

    [failing] = content.failing_commands
    assert failing.startswith("pytest -q: ")
    assert "DID NOT RAISE" in failing
    assert content.dirty == ("basket.py",)
    assert content.files == ("basket.py (not committed)",)
    assert content.revision == "a" * 40


def test_the_goal_is_the_last_that_the_person_wanted() -> None:
    script = Script().ask("Fix the basket, please.").report("Fixed it.").ask("Now do the same to the form.")

    assert compose_script(script).goal == "Now do the same to the form."
    assert compose_script(script.ask("Go on.").ask("yes, thanks")).goal == "Now do the same to the form."


def test_a_session_of_one_wish_and_nudges_keeps_the_wish() -> None:
    script = Script().ask("Fix the basket, please.").report("Half of it.").ask("Go on.").ask("continue").ask("ok")

    assert compose_script(script).goal == "Fix the basket, please."


def test_where_it_stands_is_told_in_three_lines_at_most() -> None:
    script = Script().ask("Fix the basket.").edit("basket.py").report("Fixed it.\n\nMore.").ask("And the form?")

    assert len(compose_script(script, HandoffContent(summary="x", page="p.md")).summary.split("\n")) == 3


def test_open_points_of_what_was_taken_over_are_carried_on_until_they_are_settled() -> None:
    taken = HandoffContent(
        summary="x",
        next_steps=("Reject empty baskets in checkout", "Translate the invoice footer", "Make `pytest -q` pass"),
        open_questions=("Which currency for refunds?",),
        failing_commands=("npm run lint: 3 errors", "pytest -q: 1 failed"),
        carried=("Ask Bob about the certificate",),
    )

    carried = compose_script(builders.fixing_script(), taken).carried

    assert carried == (
        "Translate the invoice footer",
        "Which currency for refunds?",
        "Ask Bob about the certificate",
        "Failed before: npm run lint: 3 errors",
    )


def test_what_git_saw_at_the_end_goes_before_what_the_session_seems_to_have_left() -> None:
    seen = Checkout(root=builders.ROOT, branch="fix", dirty=("other.py",), dirty_count=1, ahead=2, behind=0)

    content = compose_script(Script().ask("Fix the basket.").edit("basket.py"), checkout=seen)

    assert content.dirty == ("other.py",)
    assert (content.branch, content.dirty_count, content.ahead, content.behind) == ("fix", 1, 2, 0)


def test_a_session_that_changed_nothing_passes_on_what_was_uncommitted_before() -> None:
    checkout = builders.Checkout(root=builders.ROOT, dirty=("left.py",))

    assert compose_script(Script().ask("What is left?").report("One file."), checkout=checkout).dirty == ("left.py",)


def test_everything_is_cut_to_its_bound_and_what_is_left_out_is_counted() -> None:
    content = compose.cap_content(
        HandoffContent(
            summary="word " * 10_000,
            next_steps=tuple(f"{number} " + "x" * 10_000 for number in range(50)),
            files=("", "  ", "a.py"),
        )
    )

    assert len(content.summary) <= HANDOFF_SUMMARY_CHARS_MAX
    assert len(content.next_steps) == HANDOFF_ITEMS_MAX
    assert all(len(step) <= HANDOFF_ITEM_CHARS_MAX and step.endswith("…") for step in content.next_steps)
    assert content.files == ("a.py",)
    assert content.omitted == 50 - HANDOFF_ITEMS_MAX
    assert compose.cap_content(content) == content


@pytest.mark.parametrize("words", ["Go on.", "go on with it", "Please continue", "ok, pick it up where it was left"])
def test_who_only_said_to_go_on_wanted_what_the_work_was_for(words: str) -> None:
    taken = HandoffContent(summary="Round the tax table\nFailing: 1 failed", goal="Round the tax table to cents.")
    session = builders.session()
    digest = build_digest(session, Script().ask(words).edit("tax.py").observe())
    assert digest is not None

    new = NewHandoff("h", builders.START, taken=(taken,))
    content = handover.build_handoff(session, digest, new).content

    assert content.goal == "Round the tax table to cents."
    assert content.summary.split("\n")[0] == "Round the tax table"


def test_files_that_were_read_last_are_named_and_those_that_were_changed_are_not_among_them() -> None:
    script = Script().ask("Look into it, please.").read(f"{builders.ROOT}/a.py").read(f"{builders.ROOT}/b.py")
    observations = script.edit("a.py").read("/etc/hosts").observe()
    looks = Looks()
    for observation in observations:
        looks.add(observation)

    assert looks.list_files(builders.session()) == ("b.py",)
