"""Prompts: only what a person typed, the goal among them, and a title that says it."""

import pytest

from app.compile import prompts
from app.domain import limits_compile


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("<system-reminder>be kind</system-reminder>Fix the basket", "Fix the basket"),
        ('Fix it <memwiki-brief project="a">old text', "Fix it"),
        ("<memwiki-brief>old</memwiki-brief> Fix it", "Fix it"),
        ("[Request interrupted by user for tool use]", ""),
        ("<command-name>/review</command-name><command-args>the basket</command-args>", "/review the basket"),
        ("<command-name>/clear</command-name>", ""),
        ("<local-command-stdout>ok</local-command-stdout>", ""),
        ("This session is being continued from a previous conversation that ran out of context.", ""),
        ("# Context\nopen: a.py\n\n## My request for Codex:\nFix the basket", "Fix the basket"),
        ("<environment_context>linux</environment_context>\nFix the basket", "Fix the basket"),
    ],
    ids=["reminder", "cut brief", "brief", "interrupt", "slash", "client", "output", "recap", "editor", "context"],
)
def test_machine_text_is_never_a_person_s(raw: str, clean: str) -> None:
    assert prompts.clean_prompt(raw) == clean


def test_the_goal_is_the_first_prompt_that_says_something() -> None:
    assert prompts.choose_goal(["hi", "continue", "Fix the basket", "and the form"]) == 2
    assert prompts.choose_goal(["继续", "好的"]) == 0
    assert prompts.choose_goal([]) is None


@pytest.mark.parametrize(
    ("goal", "title"),
    [
        ("Reject empty baskets. Full ones must still work.", "Reject empty baskets"),
        ("Can you please look at the basket?", "Look at the basket"),
        ("okay, let's drop the cache", "Drop the cache"),
        ("Continue: finish the rounding, then commit.", "Finish the rounding, then commit"),
        ("Implement the following plan:\n\n# Plan: Basket limits\n\n## Overview\nMore.", "Basket limits"),
        ("Right now, prices are floats. Could we store cents?", "Store cents"),
        ("when I run this:\n$ shop pay\nI'd like to see the total first", "See the total first"),
        ("/review the tax table", "The tax table"),
        ("请修复购物车的空值检查。还有表单。", "修复购物车的空值检查"),
        ("Why does v1.2 fail?", "Why does v1.2 fail?"),
        ("```\ncode only\n```", "``` code only ```"),
    ],
)
def test_a_title_is_the_request_in_one_line(goal: str, title: str) -> None:
    assert prompts.build_title(goal) == title


def test_a_long_title_is_cut_at_a_word() -> None:
    title = prompts.build_title("Rewrite " + "the very long sentence " * 20)

    assert len(title) <= limits_compile.TITLE_SHOWN_CHARS_MAX
    assert title.endswith(" …")


@pytest.mark.parametrize(
    ("goal", "title"),
    [
        (
            "/plan right now we warn of conflicts. Because it is too loud, I want to have a flag against that noise.",
            "Have a flag against that noise",
        ),
        (
            'In checkout we ask the guest ("Link the basket?") can we add the name there?',
            'In checkout we ask the guest ("Link the basket?")',
        ),
        ("I got this:\n$ git rebase\nI think we should prevent this.", "I got this: I think we should prevent this"),
        ("The tests hang. You should always wait. Fix the lexer, please.", "Fix the lexer, please"),
    ],
    ids=["reason first", "points back", "pasted in between", "an order to the agent"],
)  # fmt: skip
def test_a_title_says_what_is_wanted_and_of_what(goal: str, title: str) -> None:
    assert prompts.build_title(goal) == title


@pytest.mark.parametrize(
    "prompt",
    ["Go on.", "Please continue where you left off", "ok, proceed", "Take over and finish it.", "mach bitte weiter",
     "Sigue con el trabajo, por favor", "Continue de onde parou", "继续完成工作", "続けてください"],
)  # fmt: skip
def test_what_only_says_to_go_on_is_a_nudge(prompt: str) -> None:
    assert prompts.is_nudge(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Continue with the tax table.",
        "Finish the tests",
        "Now fix it",
        "Go over the open issues",
        "继续修复登录页面的错误",
    ],
)
def test_what_names_the_work_is_none(prompt: str) -> None:
    assert not prompts.is_nudge(prompt)
