"""Sessions that teach something, and the pages that come of it."""

from dataclasses import replace
from datetime import timedelta

from app.compile import learning, session_end
from app.domain.event import Actor, FileChange
from app.domain.page import Page, PageKind
from app.index import catalog
from app.index.filters import PageFilter
from tests.compile import builders
from tests.compile.builders import PROJECT, START, House, Script

SCOPE = PROJECT.scope
MISSING = (
    "Traceback (most recent call last):\n  File \"shop.py\", line 3\nModuleNotFoundError: No module named 'app.tax'"
)


def teach(house: House, script: Script, number: int) -> str:
    """Compile a session that began `number` days after the first, and learn from it; gives its page's path."""
    moment = START + timedelta(days=number)
    session = house.add_session(builders.session(number, started_at=moment, last_event_at=moment))
    events = (replace(event, occurred_at=moment + timedelta(seconds=at)) for at, event in enumerate(script.events))
    house.observe(session, events)
    path = session_end.compile_session(house.parts, session.id).path
    learning.learn_session(house.parts, session.id)
    return path


def list_pages(house: House, kind: PageKind) -> list[Page]:
    wanted = PageFilter((SCOPE,), kinds=(kind,))
    rows = house.parts.wiki.index.read(lambda conn: catalog.list_pages(conn, wanted, 100))
    return [house.parts.wiki.read_page(SCOPE, row.path) for row in rows]


def fix(error: str = MISSING, command: str = "make build", path: str = "pyproject.toml") -> Script:
    return (
        Script()
        .ask("Build the shop.")
        .run(command, error, failed=True)
        .edit(path)
        .run(command, "done")
        .report("It builds. The cause was that `app.tax` was not named in pyproject.toml, because it is new.")
        .end()
    )


def move() -> Script:
    """Move a file as an adapter tells it: one command that removes and adds."""
    tool = builders.ToolCall(
        "Bash",
        builders.ToolPurpose.SHELL,
        builders.Outcome.SUCCEEDED,
        command="git mv shop/tax.py shop/duty.py",
        files=(
            builders.FileTouch(f"{builders.ROOT}/shop/tax.py", FileChange.DELETED),
            builders.FileTouch(f"{builders.ROOT}/shop/duty.py", FileChange.ADDED),
        ),
    )
    return Script().ask("Rename it.").add(builders.EventKind.TOOL_END, Actor.AGENT, tool=tool).end()
