"""Which sentences of a person wish for something for good."""

import pytest

from app.compile import rule_candidates

WISHES = [
    "Always run make lint before you commit.",
    "Please never push with --force.",
    "From now on use pnpm for all packages.",
    "We always want to be passed a valid id.",
    "We don't use mocks in this code base.",
    "I prefer small commits with one change.",
    "In this repository you must use tabs only.",
    "Nunca use npm neste projeto, só pnpm.",
    "Siempre ejecuta las pruebas antes de subir.",
    "Bitte immer vor dem Commit die Tests laufen lassen.",
    "Utilise toujours pnpm pour les paquets.",
    "以后都用 pnpm 安装依赖包",
    "今後は必ず pnpm を使ってください",
]
OTHERS = [
    "The test always fails on my machine.",
    "Why does it never stop?",
    "It has always been like that here.",
    "Never mind, go on with the tax.",
    "I guess we don't always have the session.",
    "// Always written as steps_count in new data.",
    "Always → exit with 1 on any error",
    "To suppress this warning in future sessions, run:",
    "You are an agent and must always answer in JSON.",
    "Maybe we should always lint first?",
    "This causes estimates to always return 0 for them.",
]


@pytest.mark.parametrize("sentence", WISHES)
def test_a_wish_for_good_is_one_in_every_language(sentence: str) -> None:
    assert rule_candidates.is_wish(sentence)


@pytest.mark.parametrize("sentence", OTHERS)
def test_what_is_told_asked_or_quoted_is_none(sentence: str) -> None:
    assert not rule_candidates.is_wish(sentence)
