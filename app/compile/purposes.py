"""Which command lines do what: the table behind a command's purpose."""

import re
from enum import StrEnum


class Purpose(StrEnum):
    """Why somebody runs a command; the order is that of weight in a compound line."""

    TEST = "test"
    BUILD = "build"
    LINT = "lint"
    INSTALL = "install"
    GIT = "git"
    RUN = "run"
    OTHER = "other"
    SEARCH = "search"


# The ones whose outcome says whether the work holds.
CHECKS = frozenset({Purpose.TEST, Purpose.BUILD, Purpose.LINT})

_RUNNER = r"(?:npm|pnpm|yarn|bun)(?: run| -s| --silent)*"
_TASK = r"(?:make|just|task|mise run|rake|invoke|nox -s|tox -e|hatch run|pdm run|deno task)(?: -\S+)*"

# Tried from top to bottom on one segment of a command line; the first match decides.
PURPOSE_RULES: tuple[tuple[Purpose, re.Pattern[str]], ...] = tuple(
    (purpose, re.compile(rf"^(?:{pattern})(?:\s|$|[:\-])"))
    for purpose, pattern in (
        (Purpose.TEST, rf"{_TASK} \S*(?:test|check|verify|spec)\S*|{_RUNNER} (?:t|tst|test\S*)"),
        (Purpose.LINT, rf"{_TASK} \S*(?:lint|fmt|format|typecheck|types)\S*"),
        (Purpose.LINT, rf"{_RUNNER} \S*(?:lint|format|typecheck|type-check|check|validate|verify)\S*"),
        (Purpose.TEST, r"pytest|py\.test|tox|nox|unittest|jest|vitest|mocha|ava|karma|rspec|phpunit|ctest|bats|behave"),
        (
            Purpose.TEST,
            r"(?:go|cargo|dotnet|mix|swift|deno|bun|flutter|dart|bazel|sbt|lein|rails|zig build|stack|cabal) test",
        ),
        (Purpose.TEST, r"cargo nextest|playwright test|cypress run|(?:mvn|\S*mvnw)(?: -\S+)* (?:test|verify)"),
        (Purpose.TEST, r"(?:gradle|\S*gradlew)(?: -\S+)* (?:test|check)|doctest"),
        (
            Purpose.LINT,
            r"ruff|mypy|flake8|pylint|black|isort|pyright|eslint|prettier|biome|stylelint|golangci-lint|gofmt",
        ),
        (
            Purpose.LINT,
            r"go (?:vet|fmt)|cargo (?:clippy|fmt)|shellcheck|hadolint|rubocop|pre-commit|lint-imports|tsc .*--noEmit",
        ),
        (Purpose.LINT, r"staticcheck|clang-tidy|clang-format|swiftlint|ktlint|markdownlint\S*|yamllint|bandit"),
        (
            Purpose.INSTALL,
            r"pip3? install|uv (?:sync|add|lock|pip|tool install)|poetry (?:install|add|lock)|pipx? install",
        ),
        (
            Purpose.INSTALL,
            r"(?:npm|pnpm|yarn|bun) (?:i|ci|install|add|remove|update)|brew install|apt(?:-get)? (?:install|update)",
        ),
        (
            Purpose.INSTALL,
            r"cargo (?:add|install)|go (?:get|install|mod)|gem install|bundle install|composer (?:install|require)",
        ),
        (
            Purpose.INSTALL,
            r"apk add|dnf install|yum install|mise install|corepack|pdm (?:add|install)|dotnet (?:add|restore)",
        ),
        (
            Purpose.BUILD,
            rf"{_RUNNER} \S*build\S*|(?:go|cargo|dotnet|swift|zig|next|vite|docker|docker compose|hugo) build",
        ),
        (
            Purpose.BUILD,
            r"cargo check|tsc|webpack|rollup|esbuild|cmake|ninja|make|mise run build\S*|just build\S*|gcc|g\+\+",
        ),
        (
            Purpose.BUILD,
            (
                r"clang(?:\+\+)?|javac|rustc|(?:mvn|\S*mvnw) \S*(?:package|compile|install)"
                r"|\S*gradlew? \S*(?:build|assemble)"
            ),
        ),
        (Purpose.BUILD, r"build|compileall|py_compile|protoc|bazel build|meson|xcodebuild"),
        (Purpose.GIT, r"git|gh|glab|hub|jj|hg|svn"),
        (
            Purpose.SEARCH,
            r"grep|egrep|fgrep|rg|ag|ack|find|fd|fdfind|ls|tree|cat|bat|head|tail|less|more|wc|which|type|pwd|stat",
        ),
        (
            Purpose.SEARCH,
            (
                r"file|diff|jq|yq|du|df|sort|uniq|cut|tr|awk|gawk|sed -n|nl|xxd|hexdump|strings|realpath|dirname"
                r"|basename"
            ),
        ),
        (
            Purpose.SEARCH,
            (
                r"echo|printf|date|env|printenv|whoami|uname|ps|pgrep|lsof|man|column|comm|read|test|true|false"
                r"|sleep|cd|\["
            ),
        ),
        (
            Purpose.RUN,
            (
                r"python[\d.]*|node|ruby|perl|php|java|deno run|bun run|tsx|ts-node|go run|cargo run|dotnet run"
                r"|streamlit"
            ),
        ),
        (
            Purpose.RUN,
            (
                rf"{_RUNNER} \S+|{_TASK} \S+|docker|docker-compose|podman|kubectl|terraform|ansible\S*|curl|wget"
                rf"|psql|sqlite3"
            ),
        ),
        (
            Purpose.RUN,
            r"\.{0,2}/\S+|bash|sh|zsh|uvicorn|gunicorn|flask|alembic|mysql|redis-cli|hyperfine|systemctl|R|Rscript",
        ),
    )
)

# Steps that change how files are written and find nothing wrong in them.
FORMATTERS = re.compile(
    rf"^(?:(?:{_TASK}|{_RUNNER}) \S*(?:fmt|format)\S*|gofmt -w\b|go fmt\b|cargo fmt(?! -- --check)|black(?! .*--check)"
    r"|isort(?! .*--check)|ruff format(?! .*--check)|prettier .*--write|clang-format -i)"
)

# The project's own task that lints all of it.
LINTS_ALL = re.compile(rf"^(?:{_TASK}|{_RUNNER}) (?:lint|check|verify)(?::all)?$|^pre-commit run (?:-a|--all-files)\b")

# Sub-commands of git and its hosts' clients that change something; the others only look.
GIT_CHANGES = re.compile(
    r"^(?:git(?: -[cC] \S+| --no-pager)* (?:commit|push|merge|rebase|cherry-pick|revert|reset|tag|stash|am"
    r"|apply|rm|mv|restore"
    r"|checkout|switch|clone|init|pull|branch -[dDmM]|worktree (?:add|remove)|submodule)"
    r"|gh (?:pr|issue|release|repo|workflow) (?:create|edit|merge|close|comment|review|reopen|ready|run|checkout))\b"
)

# What may stop at a conflict, and what goes on after it.
MERGES = re.compile(
    r"^git(?: -[cC] \S+| --no-pager)* (?:merge|rebase|cherry-pick|revert|pull|am|stash (?:pop|apply))\b"
)
CONCLUDES = re.compile(
    r"^git(?: -[cC] \S+| --no-pager)*"
    r" (?:commit\b|(?:merge|rebase|cherry-pick|revert|am) --(?:continue|abort|skip|quit)\b)"
)

# Words in front of a command that say how it runs and not what it is.
WRAPPERS = re.compile(
    r"^(?:(?:\w+=(?:'[^']*'|\"[^\"]*\"|\S*)|sudo(?: -\S+)*|time|nice|nohup|command|exec|env|stdbuf -\S+"
    r"|xvfb-run|timeout(?: -\S+)* \S+"
    r"|(?:uv|poetry|pipenv|pdm|hatch|rye) run(?: --?[\w-]+(?:=\S+)?)*|(?:npx|bunx|pnpx|uvx)(?: -{1,2}\S+)*"
    r"|pnpm (?:exec|dlx)"
    r"|bundle exec|mise (?:exec|x)(?: \S+)? --|python[\d.]* -m|(?:\S*/)?\.?venv/bin/python[\d.]* -m"
    r"|docker[ -]compose (?:exec|run)(?: --?\S+)* \S+|docker exec(?: --?\S+)* \S+|nix develop -c"
    r"|direnv exec \S+)\s+)+"
)
