"""What is read out of a repository's documents."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.compile import bootstrap_pages, repository_facts
from app.compile.repository_facts import Document, FactKind, RepositoryFacts
from app.domain.scope import Project, Scope

START = datetime(2026, 1, 2, tzinfo=UTC)


def test_a_title_stands_under_hashes_or_above_a_line() -> None:
    assert repository_facts.find_title("intro\n# The shop #\n") == "The shop"
    assert repository_facts.find_title("The shop\n========\n") == "The shop"
    assert repository_facts.find_title("```\n# no heading\n```\n") == ""


def test_a_paragraph_is_prose_and_not_a_badge_or_a_table() -> None:
    text = "# T\n\n![x](y)\n<p>\n\n| a | b |\n\nIt **sells**\nbooks.\n\nMore.\n"

    assert repository_facts.find_paragraph(text) == "It sells books."


@pytest.mark.parametrize(
    ("text", "status"),
    [("Status: accepted", "accepted"), ("- **Status**: proposed", "proposed"), ("## Status\n\nRejected.", "Rejected.")],
)
def test_a_decisions_status_is_found_in_its_usual_forms(text: str, status: str) -> None:
    assert repository_facts.find_field(f"# 1. X\n\n{text}\n", "status") == status


def test_commands_come_from_blocks_of_shell_alone() -> None:
    text = "```sh\n$ make\n# why\n```\n```python\nprint()\n```\n```\nls\n```\n"

    assert repository_facts.list_commands(text) == ["make"]


def test_the_newest_entry_that_says_something_is_chosen() -> None:
    assert repository_facts.find_latest_entry("# C\n\n## Next\n\n## 2.0\n\n- Faster\n  now.\n\n## 1.0\n\n- Old\n") == (
        "2.0",
        ["Faster now."],
    )


@given(text=st.text(max_size=300))
def test_any_document_makes_the_same_pages_twice(text: str) -> None:
    project = Project(id="p", scope=Scope("main", "shop"), created_at=START)
    known = RepositoryFacts(documents=tuple(Document(f"docs/{kind}.md", kind, text) for kind in FactKind))

    assert bootstrap_pages.build_pages(project, known) == bootstrap_pages.build_pages(project, known)
