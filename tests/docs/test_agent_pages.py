"""The pages under `docs/agents/` say what the code does; renew with `--update-golden` and read the diff."""

import re
from pathlib import Path

import pytest

from app.agents import registry
from app.agents.agent import EvidenceKind
from tests.docs import agent_pages

FOLDER = Path(__file__).parents[2] / "docs" / "agents"


def test_every_agents_page_says_what_the_code_says(request: pytest.FixtureRequest) -> None:
    pages = agent_pages.build_pages()

    if request.config.getoption("--update-golden"):
        for path in FOLDER.glob("*.md"):
            path.unlink()
        for name, text in pages.items():
            (FOLDER / name).write_text(text, encoding="utf-8")

    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == pages


def test_what_was_verified_names_the_release() -> None:
    for agent in registry.AGENTS:
        evidence = agent.traits.evidence

        assert bool(evidence.version) or evidence.kind is not EvidenceKind.VERIFIED


@pytest.mark.parametrize("agent", registry.AGENTS, ids=lambda agent: agent.name.value)
def test_sentences_for_people_are_sentences(agent: registry.Agent) -> None:
    traits = agent.traits

    for said in (*traits.install_notes, *traits.doctor_notes, *traits.misses):
        assert re.search(r"[.:!]$", said), said
    assert not traits.captures.endswith(".")
