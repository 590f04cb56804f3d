"""The command line against a real server: what each command prints, its exit codes, and where it stands."""

import gc
import io
import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer

from app import system
from app.capture.client_spool import Spool
from app.entrypoints.cli import main as cli
from tests import forking
from tests.entrypoints.serving import new_name, read_payload
from tests.server import SERVE, Server, clean_environment, run_git, run_server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SECONDS_MAX = 60
DEAD = "http://127.0.0.1:9"


@dataclass
class Desk:
    """A checkout on this machine, and the server that captured a session in it."""

    server: Server
    checkout: Path
    session: str
    page: str
    path: str = "notes/zebra.md"


@dataclass(frozen=True)
class Done:
    """What a command left."""

    code: int
    out: str
    err: str

    @property
    def parsed(self) -> Any:  # noqa: ANN401 - whatever the command printed
        return json.loads(self.out)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("desk")
    checkout = folder / "shop"
    (checkout / "src").mkdir(parents=True)
    run_git(checkout, "init", "-q")
    run_git(checkout, "remote", "add", "origin", "git@github.com:example/shop.git")
    session = new_name("cli")
    seen = {"cwd": str(checkout), "root": str(checkout), "remote": "https://github.com/Example/shop.git"}
    with run_server(folder / "memwiki") as server:
        for name in ("SessionStart.startup", "UserPromptSubmit", "PostToolUse.edit", "SessionEnd"):
            payload = read_payload("claude-code", name, session_id=session, cwd=str(checkout))
            server.post_event("claude-code", payload["hook_event_name"], payload, checkout=seen)
        page = server.wait_for_page(session)["page_path"]
        other = read_payload("claude-code", "UserPromptSubmit", session_id=new_name("cli"), cwd="/srv/api")
        server.post_event("claude-code", "UserPromptSubmit", other, checkout={"cwd": "/srv/api", "root": "/srv/api"})
        for project in ("shop", "api"):
            url = f"/api/v1/pages/notes/zebra.md?project={project}"
            server.client.put(url, json={"body": f"A zebra of {project}.\n"}).raise_for_status()
        yield Desk(server, checkout, session, page)


@pytest.fixture
def run(desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Run":
    """Run commands in this process, standing in the checkout."""
    monkeypatch.chdir(desk.checkout)
    for name in list(os.environ):
        if name.startswith("MEMWIKI_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MEMWIKI_URL", desk.server.url)
    return Run(monkeypatch, capsys)


@dataclass
class Run:
    """Calls a command as its program does."""

    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str) -> Done:
        self.monkeypatch.setattr(sys, "argv", ["memwiki", *arguments])
        code = 0
        with warnings.catch_warnings():
            # A command ends with its process and leaves its connection to it.
            warnings.simplefilter("ignore", ResourceWarning)
            try:
                cli.main()
            except SystemExit as stopped:
                code = int(stopped.code or 0)
            gc.collect()
        shown = self.capsys.readouterr()
        return Done(code, shown.out, shown.err)


def spawn(*arguments: str, cwd: Path | None = None, **env: str) -> Done:
    """Run a command as a process of its own."""
    done = forking.run(arguments, cwd=cwd, env=clean_environment() | env, timeout=SECONDS_MAX)
    return Done(done.returncode, done.stdout, done.stderr)


def offer(run: Run, summary: str = "Half of the lexer.") -> str:
    made: str = run("handoff", "offer", summary, "--next", "The other half.", "--json").parsed["id"]
    return made


READS: dict[str, tuple[str, ...]] = {
    "status": ("status",),
    "status with sizes": ("status", "--sizes"),
    "search": ("search", "zebra"),
    "search with reasons": ("search", "zebra", "--why", "--limit", "3"),
    "search of a kind": ("search", "zebra", "--kind", "note", "--kind", "decision"),
    "search for nothing": ("search", "zzzqqq"),
    "read": ("read", "notes/zebra.md"),
    "recent": ("recent", "--limit", "2"),
    "projects": ("projects",),
    "sessions": ("session", "list"),
    "handoffs": ("handoff", "list"),
    "all handoffs": ("handoff", "list", "--all", "--project", "*"),
    "reindex": ("reindex",),
}


@pytest.mark.parametrize("name", READS)
def test_a_command_prints_for_people(run: Run, name: str) -> None:
    done = run(*READS[name])

    assert (done.code, done.err) == (0, "")
    assert done.out.strip()
    assert "{'" not in done.out


@pytest.mark.parametrize("name", READS)
def test_a_command_prints_one_json_document_for_programs(run: Run, name: str) -> None:
    done = run(*READS[name], "--json")

    assert (done.code, done.err) == (0, "")
    assert isinstance(done.parsed, dict)


def test_search_finds_the_project_by_the_checkout(run: Run, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk.checkout / "src")

    hits = run("search", "zebra", "--json").parsed["hits"]

    assert {hit["project"] for hit in hits} == {"main/shop"}


def test_search_tells_what_it_understood_as_no_plain_word(run: Run) -> None:
    shown = run("search", "zebra", "kind:note", "-p", "*", "since:2020", "in", "May", "2025").out

    assert "only kind:note since:2020; " in shown
    assert '"in May 2025" (2025-05-01 to before 2025-06-01) stands higher' in " ".join(shown.split())
    assert "stands higher" not in run("search", "zebra").out


def test_search_lists_pages_by_filters_alone(run: Run) -> None:
    shown = run("search", "kind:note", "path:zebra", "--why", "-p", "shop").out

    assert "main/shop:notes/zebra.md" in shown
    assert "filter" in shown
    assert "only kind:note path:zebra; the newest change first" in shown


def test_search_outside_any_project_looks_everywhere(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    hits = run("search", "zebra", "--json").parsed["hits"]

    assert {hit["project"] for hit in hits} == {"main/shop", "main/api"}


def test_a_named_project_wins_over_the_checkout(run: Run) -> None:
    assert {hit["project"] for hit in run("search", "zebra", "-p", "api", "--json").parsed["hits"]} == {"main/api"}


def test_read_prints_the_file_as_it_is(run: Run, desk: Desk) -> None:
    place = desk.server.wiki / "main" / "shop" / "notes" / "zebra.md"

    assert run("read", "notes/zebra").out == place.read_text(encoding="utf-8")


def test_a_part_of_a_page_is_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"notes/{new_name('page')}.md"
    monkeypatch.setattr(sys, "stdin", io.StringIO("# One\nfirst\n## Two\nsecond\n"))
    run("write", path)

    assert run("read", path, "--part", "Two").out == "## Two\nsecond\n"
    assert run("read", path, "--part", "2", "--json").parsed["lines"] == {"first": 2, "last": 2, "total": 4}
    assert run("read", path, "--part", "Three").code == 2


def test_a_search_goes_on_by_its_cursor_and_keeps_its_budget(run: Run) -> None:
    first = run("search", "zebra", "-p", "*", "-n", "1", "--json").parsed
    shown = run("search", "zebra", "-p", "*", "-n", "1").out
    second = run("search", "zebra", "-p", "*", "-n", "1", "--cursor", first["next_cursor"], "--json").parsed
    small = run("search", "zebra", "-p", "*", "--budget-chars", "700", "--json")

    assert f"--cursor {first['next_cursor']}" in shown
    assert {hit["project"] for hit in (*first["hits"], *second["hits"])} == {"main/shop", "main/api"}
    assert len(small.out) <= 700
    assert "zebra" in run("search", "zebra", "-p", "*", "--budget-chars", "700", "--why").out.lower()
    assert small.parsed["omitted"] + len(small.parsed["hits"]) == 2
    assert run("search", "zebra", "--budget-tokens", "1").code == 2


def test_brackets_in_texts_are_no_markup(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("[bold]okapi[/bold] [/red]\n"))
    path = f"notes/{new_name('page')}.md"

    assert run("write", path, "--title", "[red]Okapi[/red]").code == 0
    assert "[red]Okapi[/red]" in run("search", "okapi").out
    assert "[/red]" in run("recent").out


def test_write_saves_what_is_typed_and_refuses_an_older_base(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"notes/{new_name('page')}.md"
    texts = {"one": "One.\n", "two": "Two.\n"}

    def write(text: str, *options: str) -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(texts[text]))
        return run("write", path, *options)

    first = write("one", "--tag", "x", "--json").parsed
    assert write("two").code == 6
    assert write("two", "--expected-hash", first["content_hash"]).code == 0
    assert "Two." in run("read", path).out


def test_a_session_is_shown_and_ended(run: Run, desk: Desk) -> None:
    shown = run("session", "show", desk.session)
    assert (shown.code, "session_end" in shown.out) == (0, True)
    assert run("session", "show", desk.session, "--json").parsed["page_path"] == desk.page
    assert run("session", "end", desk.session).code == 0
    assert run("session", "end", desk.session, "--json").parsed["state"] == "ended"


def test_a_session_is_shown_a_stretch_at_a_time(run: Run, desk: Desk) -> None:
    whole = run("session", "show", desk.session, "--json").parsed["observations"]

    first = run("session", "show", desk.session, "--limit", "1")
    second = run("session", "show", desk.session, "--limit", "1", "--after", str(whole[0]["id"]), "--json")

    assert f"o{whole[0]['id']} " in first.out
    assert f"--after {whole[0]['id']}" in first.out
    assert second.parsed["observations"] == whole[1:2]
    assert "--after" not in run("session", "show", desk.session).out
    one = f"o{whole[1]['id']}"
    assert run("session", "show", desk.session, "--observations", one, "--json").parsed["observations"] == whole[1:2]


def test_the_status_shows_the_size_of_each_table_and_folder(run: Run) -> None:
    shown = run("status", "--sizes").out

    for name in ("observations", "ingest_keys", "state/", "raw/", "wiki/", "index/", "logs/"):
        assert name in shown
    assert "observations" not in run("status").out.partition("index")[2]


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])
def test_a_handoff_goes_its_way(run: Run, as_json: tuple[str, ...]) -> None:
    made = offer(run)

    steps = [
        run("handoff", "show", made, *as_json),
        run("handoff", "claim", made, *as_json),
        run("handoff", "claim", made, *as_json),
        run("handoff", "release", made, *as_json),
        run("handoff", "claim", made, "--session", "s1", *as_json),
        run("handoff", "done", made, *as_json),
    ]

    assert [step.code for step in steps] == [0] * 6
    assert all("The other half." in step.out for step in steps)
    assert run("handoff", "cancel", offer(run), *as_json).code == 0


EXITS: dict[str, tuple[tuple[str, ...], int]] = {
    "unknown option": (("status", "--colour"), 2),
    "unknown command": (("forget",), 2),
    "missing argument": (("read",), 2),
    "wrong number": (("search", "x", "--limit", "0"), 2),
    "unsafe path": (("read", "/etc/passwd"), 2),
    "unknown kind": (("search", "x", "--kind", "poem"), 2),
    "wrong name": (("search", "x", "-p", "../x"), 2),
    "no page": (("read", "notes/nowhere.md"), 5),
    "no project": (("search", "x", "-p", "nowhere"), 5),
    "no session": (("session", "show", "nowhere"), 5),
    "no handoff": (("handoff", "show", "nowhere"), 5),
    "empty summary": (("handoff", "offer", " "), 2),
    "slash in an id": (("session", "show", "a/b?c#d"), 5),
    "nobody there": (("status", "--url", DEAD), 8),
    "no address": (("status", "--url", "nonsense"), 8),
    "odd scheme": (("status", "--url", "ftp://127.0.0.1"), 8),
}


@pytest.mark.parametrize("name", EXITS)
def test_an_error_is_one_line_and_its_familys_exit_code(run: Run, name: str) -> None:
    arguments, code = EXITS[name]

    done = run(*arguments)

    assert done.code == code, done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    assert done.err.strip()


def test_a_held_handoff_is_a_conflict(run: Run) -> None:
    made = offer(run)
    run("handoff", "claim", made, "--session", "s1")

    done = run("handoff", "claim", made, "--session", "s2")

    assert done.code == 6
    assert "s1" in done.err


def test_an_absent_server_is_named_with_how_to_start_one(run: Run) -> None:
    done = run("status", "--url", DEAD)

    assert DEAD in done.err
    assert "memwiki serve" in done.err


def test_output_into_a_pipe_that_closes_is_no_fault(desk: Desk) -> None:
    command = f"{sys.executable} -m app.entrypoints.cli.main session show {desk.session} --json | head -c 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        env=clean_environment() | {"MEMWIKI_URL": desk.server.url},
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )

    assert done.stdout == "{"
    assert done.stderr == ""
    assert done.returncode == 0


def test_help_is_shown_for_a_bare_command(run: Run) -> None:
    done = run("--help")

    assert done.code == 0
    assert "serve" in done.out


def test_every_command_stands_once_in_the_help(run: Run) -> None:
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]

    done = run("--help")
    shown = [line.split()[0] for line in done.out.splitlines() if line.startswith("  ") and line[2:3].isalpha()]

    assert sorted(shown[1:]) == sorted(commands)  # behind the program's own line


def test_the_release_is_printed(run: Run) -> None:
    done = run("--version")

    assert done.code == 0
    assert done.out == f"memwiki {system.find_version()}\n"


def test_a_command_that_asks_a_server_loads_no_part_of_one() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "app.entrypoints.cli.main", "status", "--url", DEAD],
        cwd=ROOT,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}

    assert done.returncode == 8
    assert "app.entrypoints.cli.views" in loaded
    assert not loaded & {"sqlalchemy", "fastapi", "mcp", "numpy", "app.wiring", "app.agents.registry"}


@pytest.mark.parametrize(
    ("text", "key"),
    [("session_idle_seconds = 0\n", "session_idle_seconds"), ("colour = 1\n", "colour"), ("port =\n", "memwiki.toml")],
)
def test_a_wrong_setting_stops_the_start_and_is_named(tmp_path: Path, text: str, key: str) -> None:
    (tmp_path / "memwiki.toml").write_text(text, encoding="utf-8")

    done = spawn("serve", "--data-dir", str(tmp_path), "--port", "0")

    assert done.code == 2
    assert key in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("token", ["", "   "])
def test_an_address_for_other_machines_needs_an_administrator(tmp_path: Path, token: str) -> None:
    options = ("--data-dir", str(tmp_path / "d"), "--host", "0.0.0.0", "--port", "0")  # noqa: S104 - it is refused

    done = spawn("serve", *options, MEMWIKI_ACCESS_TOKEN=token)

    assert done.code == 2
    assert "127.0.0.1" in done.err
    assert "MEMWIKI_SETUP_SECRET_FILE" in done.err
    assert not (tmp_path / "d").exists()


def test_a_port_in_use_is_said_and_leaves_the_directory_free(desk: Desk, tmp_path: Path) -> None:
    for _ in range(2):
        done = spawn("serve", "--data-dir", str(tmp_path / "d"), "--port", str(desk.server.port))
        assert done.code == 2
        assert str(desk.server.port) in done.err


def test_a_second_server_on_one_directory_names_the_first(desk: Desk) -> None:
    done = spawn("serve", "--data-dir", str(desk.server.data_dir), "--port", "0")

    assert done.code == 6
    assert f"process {desk.server.pid}" in done.err
    assert desk.server.url in done.err
    assert desk.server.get("/readyz")["status"] == "ready"


def test_a_killed_servers_directory_is_free_though_its_file_names_a_living_process(tmp_path: Path) -> None:
    with run_server(tmp_path / "memwiki") as server:
        server.kill()
        (tmp_path / "memwiki" / "server.lock").write_text(
            json.dumps({"pid": os.getpid(), "version": "9"}), encoding="utf-8"
        )

        server.start()

        assert server.get("/readyz")["status"] == "ready"


def test_a_relative_directory_is_taken_from_where_the_server_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "relative").mkdir()
    monkeypatch.chdir(tmp_path)
    # The server is started one folder further down, and steps up to where the name leads.
    program = ("env", "-C", "..", *SERVE)
    with run_server(Path("relative") / "memwiki", program=program, PYTHONPATH=str(ROOT)) as server:
        server.post_event("codex", "Stop", read_payload("codex", "Stop"))
        status = server.get("/api/v1/status")

    assert status["counts"]["observations"] == 1
    assert (tmp_path / "relative" / "memwiki" / "state" / "state.db").is_file()


def test_a_token_is_read_from_the_environment_and_its_absence_is_exit_4(tmp_path: Path) -> None:
    token = "mw_" + "cli-token-" + "0123456789"
    (tmp_path / "token").write_text(f"{token}\n", encoding="utf-8")
    with run_server(tmp_path / "memwiki", MEMWIKI_ACCESS_TOKEN=token) as server:
        url = {"MEMWIKI_URL": server.url}
        without = spawn("status", **url)
        wrong = spawn("status", MEMWIKI_ACCESS_TOKEN="mw_wrong", **url)
        right = spawn("status", "--json", MEMWIKI_ACCESS_TOKEN=token, **url)
        log = server.read_log()
        from_file = spawn("status", "--json", MEMWIKI_ACCESS_TOKEN_FILE=str(tmp_path / "token"), **url)

    assert [done.code for done in (without, wrong, right, from_file)] == [4, 4, 0, 0]
    assert "MEMWIKI_ACCESS_TOKEN" in without.err
    log += (tmp_path / "memwiki" / "logs" / "memwiki.log").read_text(encoding="utf-8")
    assert token not in log + right.out + wrong.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_server_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with run_server(tmp_path / "memwiki") as server:
        server.post_event("codex", "Stop", read_payload("codex", "Stop"))
        os.kill(server.pid, number)

        assert server.stop() == 0
        assert "Traceback" not in server.read_log()


def test_status_tells_of_each_agent_and_of_what_waits_on_this_machine(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = Spool(str(tmp_path / "spool"))
    assert spool.append(b'{"at": 1764500000000, "key":"k","agent":"codex","event":"Stop","payload":{}}\n')
    (tmp_path / "spool" / "unreadable").write_text("", encoding="utf-8")
    monkeypatch.setenv("MEMWIKI_SPOOL_DIR", spool.folder)

    text, parsed = run("status").out, run("status", "--json").parsed
    away = run("status", "--url", DEAD)

    assert (parsed["here"]["spooled"], [fault["kind"] for fault in parsed["here"]["faults"]]) == (1, ["spooled"])
    assert "problem here" in text
    assert spool.folder in text
    assert {"agent", "machine", "today", "refused"} <= set(text.split())
    assert (away.code, away.out) == (8, "")
    assert f"1 events wait in {spool.folder}" in away.err
