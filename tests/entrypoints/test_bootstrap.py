"""`memwiki bootstrap`: a project's first pages from its repository, same from same, and never over a person's."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.entrypoints.cli.main import app
from tests.server import Server, run_git, run_server

NAMES = count(1)
SECRET = "ghp_" + "Zx9" * 12
README = """# Shop

[![badge](https://example.invalid/b.svg)](https://example.invalid)

The **shop** sells books, and rounds totals half up.

```sh
$ make test
```
"""
DECISION = """# 1. Money is Decimal

- Status: accepted
- Date: 2026-01-02

## Context

Floats lose cents.

## Decision

Amounts are Decimal everywhere.
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("memory") / "data") as running:
        yield running


@pytest.fixture
def shop(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMWIKI_URL", server.url)
    monkeypatch.setenv("MEMWIKI_SPOOL_DIR", str(tmp_path / "spool"))
    folder = tmp_path / f"shop{next(NAMES)}"
    write(folder, "README.md", README)
    write(folder, "docs/adr/0001-money-is-decimal.md", DECISION)
    write(folder, "CHANGELOG.md", "# Changelog\n\n## 1.2\n\n- Totals round\n  half up.\n")
    write(folder, "AGENTS.md", "# Agents\n\n- Always run `make test` first.\n")
    write(folder, "app/prices.py", "total = 0\n")
    run_git(folder, "init", "-q", "-b", "main")
    for number in range(3):
        write(folder, "app/prices.py", f"total = {number + 1}\n")
        commit(folder, f"prices: step {number}")
    return folder


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def commit(folder: Path, subject: str) -> None:
    run_git(folder, "add", ".")
    run_git(folder, "-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", "commit", "-q", "-m", subject)


def run(folder: Path, *options: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["bootstrap", str(folder), *options, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def read_pages(server: Server, folder: Path) -> dict[str, str]:
    place = server.wiki / "main" / folder.name
    found = {path.relative_to(place).as_posix(): path for path in sorted(place.rglob("*.md"))}
    return {name: path.read_text(encoding="utf-8") for name, path in found.items()}


def test_what_tests_hold_is_no_decision_of_the_project(server: Server, shop: Path) -> None:
    write(shop, "tests/data/decisions/0009-made-up.md", DECISION)
    commit(shop, "tests: data")

    run(shop, "--apply")

    decisions = [path for path in read_pages(server, shop) if path.startswith("decisions/")]
    assert decisions == ["decisions/0001-money-is-decimal.md"]


def test_a_repository_becomes_an_overview_decisions_and_stubs(server: Server, shop: Path) -> None:
    answer = run(shop, "--apply")

    pages = read_pages(server, shop)
    overview = pages[f"concepts/overview-of-{shop.name}.md"]
    for told in (
        "The shop sells books, and rounds totals half up. (`README.md`)",
        "- `make test` (`README.md`)",
        "- Always run `make test` first. (`AGENTS.md`)",
        "- 1.2: Totals round half up.",
        "- commits by author: Ada 3",
        ": prices: step 2",
        "[[decisions/0001-money-is-decimal|1. Money is Decimal]]",
        "[[concepts/app-prices.py|app/prices.py]]",
    ):
        assert told in overview
    decision = pages["decisions/0001-money-is-decimal.md"]
    assert "Amounts are Decimal everywhere." in decision
    assert "status accepted; date 2026-01-02." in decision
    assert "generated: true" in decision
    assert "repository:docs/adr/0001-money-is-decimal.md" in decision
    assert "A file that 3 commits changed" in pages["concepts/app-prices.py.md"]
    assert {row["effect"] for row in answer["pages"]} == {"created"}


def test_the_same_repository_again_changes_no_byte(server: Server, shop: Path) -> None:
    run(shop, "--apply")
    before = read_pages(server, shop)

    answer = run(shop, "--apply")

    assert {row["effect"] for row in answer["pages"]} == {"unchanged"}
    assert read_pages(server, shop) == before


def test_what_changed_in_the_repository_is_brought_up_to_date(server: Server, shop: Path) -> None:
    run(shop, "--apply")
    write(shop, "README.md", README.replace("books", "pens"))

    effects = {row["path"]: row["effect"] for row in run(shop, "--apply")["pages"]}

    assert effects[f"concepts/overview-of-{shop.name}.md"] == "changed"
    assert "sells pens" in read_pages(server, shop)[f"concepts/overview-of-{shop.name}.md"]


def test_a_page_that_a_person_edited_is_only_proposed_for(server: Server, shop: Path) -> None:
    run(shop, "--apply")
    path = server.wiki / "main" / shop.name / "decisions" / "0001-money-is-decimal.md"
    edited = path.read_text(encoding="utf-8").replace("Amounts are Decimal everywhere.", "Amounts are cents now.")
    path.write_text(edited, encoding="utf-8")
    write(shop, "docs/adr/0001-money-is-decimal.md", DECISION.replace("everywhere", "in the shop"))

    effects = {row["path"]: row["effect"] for row in run(shop, "--apply")["pages"]}

    assert effects["decisions/0001-money-is-decimal.md"] == "proposed"
    assert path.read_text(encoding="utf-8") == edited


def test_without_apply_nothing_is_written_and_no_project_made(server: Server, shop: Path) -> None:
    answer = run(shop)

    assert (answer["applied"], answer["project"]) == (False, f"main/{shop.name}")
    assert read_pages(server, shop) == {}
    assert f"main/{shop.name}" not in {each["name"] for each in server.get("/api/v1/projects")["projects"]}


def test_secrets_private_parts_and_denied_files_stay_out(server: Server, shop: Path, tmp_path: Path) -> None:
    write(shop, "README.md", f"# Shop\n\nToken {SECRET} is <private>the launch code</private> here.\n")
    write(shop, "docs/hidden.md", "# Hidden plans\n")
    write(shop, ".memwiki.toml", '[capture]\ndeny = ["docs/hidden.md"]\n')
    (shop / "docs" / "outside.md").symlink_to(write(tmp_path, "outside.txt", "# Outside words\n"))
    commit(shop, "docs: more")

    run(shop, "--apply")

    told = json.dumps(read_pages(server, shop))
    assert "[redacted:" in told
    for hidden in (SECRET, "launch code", "Hidden plans", "docs/hidden.md", "Outside words"):
        assert hidden not in told


def test_a_folder_whose_capture_is_off_is_not_read(server: Server, shop: Path) -> None:
    write(shop, ".memwiki.toml", "[capture]\nenabled = false\n")

    assert run(shop, "--apply")["documents"] == 0
    assert "sells books" not in json.dumps(read_pages(server, shop))


def test_a_folder_without_git_has_its_documents(server: Server, tmp_path: Path, shop: Path) -> None:
    plain = tmp_path / f"plain{shop.name}"
    write(plain, "README.md", README)

    assert run(plain, "--apply")["commits"] == 0
    assert "sells books" in read_pages(server, plain)[f"concepts/overview-of-{plain.name}.md"]
