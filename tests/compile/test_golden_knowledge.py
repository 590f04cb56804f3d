"""One page of each kind beyond the session, and the pages of a project itself, as they were reviewed."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.compile import bootstrap, learning, reviewing, session_end
from app.compile.repository_facts import Document, FactKind, History, HotFile, RepositoryFacts
from app.domain.page import PageKind
from app.domain.proposal import ProposalKind
from app.index import catalog
from app.index.filters import PageFilter
from app.state import proposals
from app.wiki.pages import Byline
from tests.compile import builders
from tests.compile.builders import PROJECT, START, House, Script
from tests.compile.test_golden_pages import GOLDEN, compare

FACTS = RepositoryFacts(
    documents=(
        Document(
            "README.md",
            FactKind.README,
            "# Shop\n\nThe shop sells seeds by mail.\n\n## Development\n\n```sh\nmake test\n```\n",
        ),
        Document(
            "docs/adr/0001-one-ledger.md",
            FactKind.DECISION,
            "# 1. One ledger for all currencies\n\nStatus: accepted\n\n## Decision\n\nAmounts are in minor units.\n",
        ),
        Document("CHANGELOG.md", FactKind.CHANGELOG, "# Changelog\n\n## 1.2.0 - 2026-10-01\n\n- Vouchers.\n"),
        Document("AGENTS.md", FactKind.INSTRUCTIONS, "# Agents\n\n- Run `make lint` before a commit.\n"),
    ),
    folders=(("shop", 12), ("tests", 9)),
    history=History(
        commits=42,
        begun_on="2026-01-05",
        changed_on="2026-11-29",
        subjects=(("2026-11-29", "Round once per invoice"),),
        authors=(("Ann", 30), ("Bob", 12)),
        hot_files=(HotFile("shop/tax.py", 17, "2026-11-29", ("Round once per invoice",)),),
    ),
)


def work(number: int) -> Script:
    """Write one of three sessions: an error and its fix, a wish, a decision, the same commands, ties."""
    error = "ModuleNotFoundError: No module named 'shop.rates'"
    script = Script().ask("Let the totals use the table of rates. Always run make lint before you commit.")
    script.run("make build", error, failed=True).edit("shop/tax.py", "shop/basket.py").run("make build", "built")
    script.run("make lint", "All checks passed!").run("pytest -q", "12 passed in 0.4s")
    script.run("git commit -qm 'Totals by table' && git log --oneline | head -1", f"abc123{number} Totals by table")
    told = "The cause was that tax.py named a module `shop.rates` too early. `shop/basket.py` depends on `shop/tax.py`."
    return script.report(
        f"Totals come from the table. {told}\n\nWe decided to keep amounts in minor units instead of floats."
        "\n\n**Next:** cover the admin form."
    ).end()


@pytest.fixture
def learnt(house: House) -> House:
    """A project with three sessions, of which the last two did much the same as the first."""
    for number in (1, 2, 3):
        moment = START + timedelta(days=number)
        session = house.add_session(builders.session(number, started_at=moment, last_event_at=moment))
        script = work(number)
        times = (moment + timedelta(seconds=at) for at in range(len(script.events)))
        shifted = [builders.replace(event, occurred_at=at) for event, at in zip(script.events, times, strict=True)]
        house.observe(session, shifted)
        session_end.compile_session(house.parts, session.id)
        learning.learn_session(house.parts, session.id)
    return house


def list_texts(house: House) -> Iterator[tuple[str, str]]:
    """List each page that is no session's, by its place in the project."""
    wanted = PageFilter((PROJECT.scope,))
    rows = house.parts.wiki.index.read(lambda conn: catalog.list_pages(conn, wanted, 100))
    for row in rows:
        if row.kind is not PageKind.SESSION:
            content = house.parts.wiki.tree.read_page(PROJECT.scope, row.path)
            yield row.path, content.decode("utf-8") if content else ""


def compare_all(folder: Path, found: dict[str, str], *, update: bool) -> None:
    for path, text in found.items():
        compare(folder / path, text, update=update)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.md")) == sorted(found)


def test_the_pages_that_sessions_teach_are_as_reviewed(learnt: House, update_golden: bool) -> None:  # noqa: FBT001
    (wish,) = learnt.read(lambda conn: proposals.list_proposals(conn, PROJECT.id, 10, kind=ProposalKind.RULE))
    reviewing.approve(learnt.parts, wish.id, "ann")

    found = dict(list_texts(learnt))

    kinds = {path.partition("/")[0] for path in found}
    assert {"gotchas", "procedures", "decisions", "concepts", "rules", "log", "index.md", "project.md"} <= kinds
    compare_all(GOLDEN / "knowledge", found, update=update_golden)


def test_a_wish_waits_as_reviewed(learnt: House, update_golden: bool) -> None:  # noqa: FBT001
    (wish,) = learnt.read(lambda conn: proposals.list_proposals(conn, PROJECT.id, 10, kind=ProposalKind.RULE))

    told = "\n".join([wish.title, wish.text, wish.reason, *map(str, wish.grounds), ""])

    compare(GOLDEN / "rule-candidate.txt", told, update=update_golden)


def test_a_projects_first_pages_are_as_reviewed(house: House, update_golden: bool) -> None:  # noqa: FBT001
    bootstrap.bootstrap_project(house.parts, PROJECT, FACTS, Byline("ann", "Bootstrap"), apply=True)

    compare_all(GOLDEN / "bootstrap", dict(list_texts(house)), update=update_golden)
