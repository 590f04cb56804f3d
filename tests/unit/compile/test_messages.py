"""Reports and prompts in seven languages: decisions, rejections, open questions and next steps by their cues."""

# ruff: noqa: RUF001 - each language in its own punctuation

import pytest

from app.compile import messages
from app.compile.messages import parse_message


@pytest.mark.parametrize(
    "text",
    [
        "From now on money is a Decimal here.",
        "A partir de agora o dinheiro é Decimal.",
        "A partir de ahora el dinero es Decimal.",
        "Wir haben uns für Decimal entschieden: ab jetzt kein float verwenden.",
        "Désormais les prix sont des Decimal.",
        "从现在起金额一律使用 Decimal。",
        "今後は金額にDecimalを使ってください。",
    ],
    ids=["en", "pt", "es", "de", "fr", "zh", "ja"],
)
def test_a_person_decides(text: str) -> None:
    assert messages.list_person_decisions(parse_message(text)) == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "The function should use the existing table instead of its own.",
        "Instead of a list we take a table.",
        "Do not stash anything, read the files.",
        "Let's remove the old command too.",
        "The only way to hide it is a flag.",
        "Fix the test, the code is right.",
    ],
)
def test_a_person_settles_how_it_is_to_be(text: str) -> None:
    assert messages.list_person_decisions(parse_message(text)) == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "Should we use Decimal instead of float?",
        "I am wondering what happens if I never commit the lock file.",
        "Don't change anything, just let me know.",
        "The page is slow.",
        "The message is printed once for each guest instead of once at the end.",
        "```\nuse x instead of y\n```",
        "> Always use tabs, somebody said.",
    ],
    ids=["question", "thinking", "this turn only", "statement", "how it is", "code", "quotation"],
)
def test_not_every_sentence_is_a_decision(text: str) -> None:
    assert messages.list_person_decisions(parse_message(text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I tried a lock file first, but it did not work on Windows.",
        "O cache não funcionou no servidor.",
        "La caché no funcionó en el servidor.",
        "Der Cache hat nicht funktioniert, deshalb liest es direkt.",
        "Le cache n'a pas fonctionné sur le serveur.",
        "缓存方案行不通，所以改成直接读取。",
        "キャッシュはうまくいかなかったので直接読みます。",
    ],
    ids=["en", "pt", "es", "de", "fr", "zh", "ja"],
)
def test_an_agent_rejects(text: str) -> None:
    assert messages.list_agent_rejections(parse_message(text)) == (text,)


def test_a_feature_that_rejects_input_is_no_rejected_approach() -> None:
    assert messages.list_agent_rejections(parse_message("Negative prices are now rejected.")) == ()


@pytest.mark.parametrize(
    ("heading", "step"),
    [
        ("## Next steps", "write the changelog"),
        ("**Next:**", "write the changelog"),
        ("Próximos passos:", "escrever o changelog"),
        ("Próximos pasos:", "escribir el changelog"),
        ("Nächste Schritte:", "das Changelog schreiben"),
        ("Prochaines étapes :", "écrire le changelog"),
        ("下一步：", "编写更新日志"),
        ("次のステップ：", "変更履歴を書く"),
    ],
    ids=["heading", "bold", "pt", "es", "de", "fr", "zh", "ja"],
)
def test_what_is_listed_under_next_is_a_next_step(heading: str, step: str) -> None:
    lines = parse_message(f"All done so far.\n\n{heading}\n- {step}\n- b {step}\n\nThat was the whole list.")

    assert messages.list_next_steps(lines) == (step, f"b {step}")


def test_unticked_tasks_are_next_steps_and_ticked_ones_are_not() -> None:
    lines = parse_message("- [x] write the test\n- [ ] fix the rounding\n- [X] commit")

    assert messages.list_next_steps(lines) == ("fix the rounding",)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Done. Should guests see the reason too?", "Should guests see the reason too?"),
        ("**Open question:** tax in cents or in percent", "Tax in cents or in percent"),
        ("Feito. Os convidados devem ver o motivo?", "Os convidados devem ver o motivo?"),
        ("完成了。访客也应该看到原因吗？", "访客也应该看到原因吗？"),
        ("完了しました。ゲストにも理由を見せますか？", "ゲストにも理由を見せますか？"),
        (
            "Say whether it should be an error and I will add it.",
            "Say whether it should be an error and I will add it.",
        ),
    ],
    ids=["en", "label", "pt", "zh", "ja", "no mark"],
)
def test_what_a_report_asks_is_open(text: str, question: str) -> None:
    assert messages.list_open_questions(parse_message(text)) == (question,)


@pytest.mark.parametrize(
    "text",
    ["Is there anything else?", "Why did it fail? Because the key was missing.", "Run `grep foo?` to see.", "Really?"],
    ids=["courtesy", "answered at once", "code", "too short"],
)
def test_not_every_question_mark_opens_a_question(text: str) -> None:
    assert messages.list_open_questions(parse_message(text)) == ()


def test_a_question_about_options_carries_them() -> None:
    lines = parse_message("Two ways:\n\n1. Drop the cache\n2. Keep it for a day\n\nWhich one would you prefer?")

    assert messages.list_open_questions(lines) == ("Which one would you prefer? (Drop the cache; Keep it for a day)",)


@pytest.mark.parametrize(
    ("text", "gist"),
    [
        ("Done. Empty baskets are rejected now. More words.", "Empty baskets are rejected now. More words."),
        ("## Summary\n\nAll set!\n\nThe cache is gone.", "The cache is gone."),
        ("Committed as `abc1234`:\n\n**Drop the cache**", "Committed as `abc1234`: Drop the cache"),
        ("", ""),
    ],
    ids=["filler", "heading", "announced", "empty"],
)
def test_the_gist_is_the_first_sentence_that_says_something(text: str, gist: str) -> None:
    assert messages.find_gist(parse_message(text)) == gist


def test_wrapped_lines_are_one_paragraph() -> None:
    text = "The basket is checked when it is paid and again when it is sent, so that\nnobody can empty it in between."

    assert len(parse_message(text)) == 1
