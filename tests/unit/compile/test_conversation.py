"""What a person says beside prompts, prompts sent twice, and goals that another session left."""

import pytest

from app.compile.digest import build_digest
from app.compile.session_page import build_session_page
from app.domain.event import Actor, EventKind, Outcome, TodoItem, ToolCall, ToolPurpose
from app.domain.handoff import HandoffContent
from app.domain.session import SessionDigest
from tests.compile import builders
from tests.compile.builders import Script

STOPPED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n{said}"
)


def digest(script: Script, *taken: HandoffContent) -> SessionDigest:
    made = build_digest(builders.session(), script.observe(), taken)
    assert made is not None
    return made


def show(script: Script, *taken: HandoffContent) -> str:
    return build_session_page(builders.session(), digest(script, *taken)).body


def test_why_a_person_stopped_a_command_is_told_as_rejected() -> None:
    script = Script().ask("Fix the redaction of arrays.")
    script.run("make ci", STOPPED.format(said="don't run CI, too slow."), failed=True)

    [rejected] = digest(script).rejected

    assert rejected.text == "don't run CI, too slow. (when stopping make ci)"
    assert rejected.is_persons
    assert "- “don't run CI, too slow.” (the person, when stopping make ci)" in show(script)


def test_a_call_that_was_stopped_without_a_word_leaves_no_trace() -> None:
    refused = STOPPED.partition(" To tell you")[0]

    assert digest(Script().ask("Fix it all.").run("make ci", refused, failed=True)).rejected == ()


def test_what_a_helper_was_denied_is_not_the_persons_word() -> None:
    script = Script().ask("Look around, please.").edit("a.py")
    script.run("make ci", STOPPED.format(said="not now"), failed=True, actor=Actor.SUBAGENT)

    assert digest(script).rejected == ()


def test_an_answer_to_the_agents_question_is_a_decision_with_its_question() -> None:
    asked = ToolCall("AskUserQuestion", ToolPurpose.QUESTION, Outcome.SUCCEEDED, output_text="Which folder? → docs/out")
    script = Script().ask("Write the diagram somewhere.").add(EventKind.TOOL_END, Actor.AGENT, tool=asked)

    [decision] = digest(script).decisions

    assert decision.text == "docs/out (in answer to: Which folder?)"
    assert "- “docs/out” (the person, in answer to: Which folder?)" in show(script)


def test_a_prompt_that_was_taken_back_and_sent_again_counts_once() -> None:
    script = Script().ask("Say hello to").ask("Say hello to guests").report("Guests are greeted.").ask("Say hello to")

    assert [turn.asked.text for turn in digest(script).turns] == ["Say hello to guests", "Say hello to"]


@pytest.mark.parametrize("words", ["Go on.", "continue", "继续", "weiter", "続けて"])
def test_go_on_has_the_goal_of_the_handoff_that_was_taken(words: str) -> None:
    taken = HandoffContent(summary="Half of it is there.", goal="Reject empty baskets in checkout.")

    made = digest(Script().ask(words).edit("basket.py"), taken)

    assert made.title == "Reject empty baskets in checkout"
    assert made.goal is not None
    assert (made.goal.text, made.goal.is_persons) == ("Reject empty baskets in checkout.", False)
    assert "Taken over from an earlier session:\n\n> Reject empty baskets" in show(
        Script().ask(words).edit("basket.py"), taken
    )


def test_go_on_without_a_handoff_has_the_goal_of_the_next_telling_prompt() -> None:
    made = digest(Script().ask("Go on.").report("With what?").ask("Reject empty baskets."))

    assert made.goal is not None
    assert made.goal.text == "Reject empty baskets."


def test_a_goal_of_ones_own_outweighs_the_handoff() -> None:
    taken = HandoffContent(summary="Half of it is there.", goal="Reject empty baskets in checkout.")

    made = digest(Script().ask("Write the release notes."), taken)

    assert made.goal is not None
    assert made.goal.text == "Write the release notes."


def change_task(key: str, text: str = "", *, is_done: bool = False) -> ToolCall:
    return ToolCall("Task", ToolPurpose.TODO, Outcome.SUCCEEDED, todos=(TodoItem(text, is_done, key),))


def test_tasks_that_are_told_one_by_one_are_one_list() -> None:
    script = Script().ask("Do all of it.")
    for tool in (
        change_task("1", "Cover the form"),
        change_task("2", "Move the table"),
        change_task("1", is_done=True),
    ):
        script.add(EventKind.TOOL_END, Actor.AGENT, tool=tool)

    assert "Move the table" in {step.text for step in digest(script).next_steps}
    assert "Cover the form" not in {step.text for step in digest(script).next_steps}
