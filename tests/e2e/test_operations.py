"""Every command that the documents tell operators to type is typed, on a real server, and works as written."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.entrypoints.cli import main
from tests.docs.operations_commands import OPEN, SIGNED_IN, WITH_SECRET
from tests.e2e import sessions
from tests.server import Server, run_git, run_server

# Some sixty commands and three servers.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@dataclass
class Console:
    """Where commands are typed; what somebody must fill in is known to it."""

    env: Mapping[str, str]
    words: Mapping[str, str]
    faults: list[str] = field(default_factory=list)
    said: str = ""

    def type_in(self, *templates: str) -> None:
        for template in templates:
            command, _, answer = template.partition(" <")
            arguments = [word.format(**self.words) for word in shlex.split(command)]
            done = CliRunner().invoke(main.app, arguments, input=f"{answer}\n", env=dict(self.env))
            self.said += done.output
            if done.exit_code or not done.output.strip() or "Traceback" in done.output:
                self.faults.append(f"{command}: {done.exit_code} {done.output[-300:]} {done.exception!r}")


def prepare(server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    """Make two projects with a session and a page, and tell what commands may name."""
    for event in [*sessions.build_session("typed", goal="Fix the lexer"), elsewhere("stalls")]:
        event.send(server)
    for text in ("first", "second"):
        page = server.client.put("/api/v1/pages/notes/a.md", params={"project": "shop"}, json={"body": f"# {text}\n"})
        assert page.status_code in {200, 409}, page.text
    session = server.wait_for_page("typed")
    server.wait_until_committed()
    (folder / "home").mkdir()
    (folder / "secret").write_text("s" * 40 + "\n", encoding="utf-8")
    (folder / "work").mkdir()
    run_git(folder / "work", "init", "-q")
    monkeypatch.chdir(folder / "work")
    revision = run_git(server.wiki, "rev-parse", "HEAD").strip()
    places = {name: str(folder / name) for name in ("again", "bundle", "memwiki.key", "carl.zip", "work")}
    return {
        "data": str(server.data_dir),
        "session": str(session["id"]),
        "revision": revision,
        "folder": places["work"],
        "again": places["again"],
        "bundle": places["bundle"],
        "key": places["memwiki.key"],
        "zip": places["carl.zip"],
        "kept": str(folder / "kept.tar.zst"),
        "secret": str(folder / "secret"),
    }


def elsewhere(project: str) -> sessions.SentEvent:
    event = sessions.build_start(f"in-{project}")
    checkout = {name: value.replace("shop", project) for name, value in event.checkout.items()}
    return sessions.SentEvent(event.agent, event.event, event.payload, checkout)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server on an empty directory."""
    with run_server(tmp_path / "memory") as running:
        yield running


def test_what_the_documents_tell_operators_to_type_works(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = prepare(server, tmp_path, monkeypatch)
    key = {"MEMWIKI_RAW_KEY_FILE": words["key"]}
    own = {"HOME": str(tmp_path / "home"), "NO_COLOR": "1", **key}
    console = Console(own | {"MEMWIKI_URL": server.url}, words)

    console.type_in("backup --to {kept} --data-dir {data}", *OPEN.values())
    token = re.search(r"mw_[A-Za-z0-9_-]{20,}", console.said)
    assert (console.faults, bool(token)) == ([], True)
    with run_server(Path(words["again"]), **key) as restored:
        known = {"MEMWIKI_URL": restored.url, "MEMWIKI_ACCESS_TOKEN": token.group() if token else ""}
        signed_in = Console(own | known, words)
        signed_in.type_in("group add platform", *SIGNED_IN.values())
    with run_server(Path(f"{words['again']}-once-more"), MEMWIKI_SETUP_SECRET_FILE=words["secret"], **key) as closed:
        first = Console(own, {**words, "url": closed.url})
        first.type_in(*WITH_SECRET.values())

    assert [*signed_in.faults, *first.faults] == []
