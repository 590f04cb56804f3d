"""What a session leaves: enough to go on from, bounded, with what is left out counted."""

from app.compile.digest import build_digest
from app.domain.handoff import HandoffContent
from app.domain.limits import HANDOFF_ITEM_CHARS_MAX, HANDOFF_ITEMS_MAX, HANDOFF_SUMMARY_CHARS_MAX
from app.handoff import compose
from tests.compile import builders
from tests.compile.builders import FAILED_TEST, Script


def compose_script(script: Script, **fields: object) -> HandoffContent:
    session = builders.session(**fields)
    digest = build_digest(session, script.observe())
    assert digest is not None
    return compose.compose_handoff(session, digest, "sessions/2026-11/30-x.md")


def test_a_finished_session_hands_over_what_is_open() -> None:
    content = compose_script(builders.fixing_script())

    assert content.summary.split("\n")[:2] == [
        "Reject empty baskets in checkout",
        "Done: The last `pytest -q` passed (6 passed) and 1 commit was made.",
    ]
    assert content.goal.startswith("Please reject empty baskets")
    assert content.done == ("Committed abc1234 Reject empty baskets", "Empty baskets are rejected now.")
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


def test_the_last_request_is_told_where_it_is_not_the_first() -> None:
    content = compose_script(Script().ask("Fix the basket.").report("Fixed it.").ask("Now do the same to the form."))

    assert "Last asked: Now do the same to the form." in content.summary


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
