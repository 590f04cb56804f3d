"""Command lines: what they are for, when two are the same, when one covers another."""

import pytest

from app.compile import commands
from app.compile.commands import parse_command
from app.compile.purposes import CHECKS, Purpose
from app.domain import limits_compile


@pytest.mark.parametrize(
    ("command", "purpose", "shown"),
    [
        ("cd /home/ann/shop && pytest -q 2>&1 | tail -20", Purpose.TEST, "pytest -q"),
        ("  uv run  pytest   tests/a.py", Purpose.TEST, "uv run pytest tests/a.py"),
        (".venv/bin/python -m pytest -q || true", Purpose.TEST, ".venv/bin/python -m pytest -q"),
        ("bash -lc 'go test ./...'", Purpose.TEST, "go test ./..."),
        ("npm run test:unit", Purpose.TEST, "npm run test:unit"),
        ("go vet ./... && go test ./...", Purpose.TEST, "go vet ./... && go test ./..."),
        ("cargo clippy -- -D warnings", Purpose.LINT, "cargo clippy -- -D warnings"),
        ("mise run lint", Purpose.LINT, "mise run lint"),
        ("docker build -t shop .", Purpose.BUILD, "docker build -t shop ."),
        ("pnpm install --frozen-lockfile", Purpose.INSTALL, "pnpm install --frozen-lockfile"),
        ("git push -u origin main", Purpose.GIT, "git push -u origin main"),
        ("./deploy.sh staging", Purpose.RUN, "./deploy.sh staging"),
        ("python3 tools/load.py", Purpose.RUN, "python3 tools/load.py"),
        ("go build -o app . && ./app --help", Purpose.RUN, "go build -o app . && ./app --help"),
        ("grep -rn 'a && b' . | wc -l", Purpose.SEARCH, "grep -rn 'a && b' . | wc -l"),
        ("frobnicate --all", Purpose.OTHER, "frobnicate --all"),
        ("", Purpose.OTHER, ""),
    ],
)
def test_a_command_has_a_purpose_and_a_short_form(command: str, purpose: Purpose, shown: str) -> None:
    line = parse_command(command)

    assert line.purpose is purpose
    assert line.shown == shown


@pytest.mark.parametrize(
    ("command", "is_lookup"),
    [
        ("git status --short && git diff --stat", True),
        ("cat a.py | head -5", True),
        ("for f in a b; do echo $f; cat $f; done", True),
        ("git commit -m x", False),
        ("git -C /x log --oneline", True),
        ("ls && rm -r build", False),
    ],
)
def test_looking_is_told_from_doing(command: str, is_lookup: bool) -> None:  # noqa: FBT001
    assert parse_command(command).is_lookup is is_lookup


def test_the_text_of_a_here_document_is_no_command() -> None:
    line = parse_command("cat > run.sh <<'EOF'\npytest -q\nrm -rf /\nEOF")

    assert line.purpose is Purpose.SEARCH
    assert "rm -rf" not in line.shown


def test_a_commit_message_in_a_here_document_is_shown_as_its_subject() -> None:
    line = parse_command("git commit -m \"$(cat <<'EOF'\nFix the basket\n\nLong story.\nEOF\n)\"")

    assert line.shown == 'git commit -m "Fix the basket"'


@pytest.mark.parametrize(
    ("later", "earlier", "expected"),
    [
        ("pytest -q", "pytest -q tests/a.py", True),
        ("pytest -q tests/b.py", "pytest -q tests/a.py", False),
        ("pytest -x", "pytest -q", True),
        ("mise run lint && mise run test", "mise run lint", True),
        ("go vet ./...", "go test ./...", False),
        ("cd /x && pytest -q", "pytest -q", True),
        ("python a.py", "python b.py", False),
    ],
)
def test_a_broader_pass_covers_a_failure(later: str, earlier: str, expected: bool) -> None:  # noqa: FBT001
    assert commands.covers(parse_command(later), parse_command(earlier)) is expected


def test_a_very_long_command_is_cut() -> None:
    line = parse_command("python " + "word " * 1000)

    assert len(line.shown) <= limits_compile.COMMAND_SHOWN_CHARS_MAX
    assert line.shown.endswith("…")


@pytest.mark.parametrize(
    ("earlier", "later", "is_covered"),
    [
        ("go test -run TestBasketEmpty", "go test -run TestBasket", True),
        ("go test -run TestBasket", "go test -run TestBasketEmpty", False),
        ("golangci-lint run ./a.go", "mise run lint", True),
        ("golangci-lint run ./a.go", "mise run lint:docs", False),
        ("mise run fmt && mise run lint", "mise run lint", True),
        ("pytest tests/a", "mise run lint", False),
    ],
)
def test_a_broader_run_covers_a_narrower_one(earlier: str, later: str, is_covered: bool) -> None:  # noqa: FBT001
    assert commands.covers(parse_command(later), parse_command(earlier)) is is_covered


@pytest.mark.parametrize("line", ["mise run fmt", "gofmt -w .", "prettier --write src", "ruff format ."])
def test_what_only_puts_files_into_form_checks_nothing(line: str) -> None:
    assert parse_command(line).purpose not in CHECKS
