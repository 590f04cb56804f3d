"""What `memwiki doctor` says of a data directory: each thing is broken in turn, and exactly its check sees it."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import config, system, wiring
from app.access import accounts, issuing
from app.access.accounts import NewPerson
from app.access.issuing import NewToken
from app.domain import limits_doctor
from app.domain.page import PagePath
from app.domain.person import Principal, Right, Rights, Role
from app.domain.scope import Scope
from app.entrypoints.cli import doctor_store, main
from app.entrypoints.cli.verdicts import Check, Verdict
from app.state import lock
from app.state.lock import DirectoryLock
from app.upkeep import backup_keeper, records
from app.upkeep.records import BackupRecord, DrillRecord
from app.wiki import markdown
from tests.entrypoints import serving

QUIET = {Verdict.PASS, Verdict.SKIP}


def now() -> datetime:
    return system.SystemClock().now()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Path:
    """Make a data directory in which all is well: pages, a sealed session, a backup that was proved."""
    folder = tmp_path_factory.mktemp("sound") / "memwiki"
    with serving.serve(folder, template=template, seal_after_seconds=0) as running:
        session = serving.new_name()
        running.start(session)
        running.ask(session, "Fix the lexer.")
        running.run(session, "make test", "all passed")
        running.end(session)
        running.put("notes/setup.md", {"body": "Type make run.", "title": "Setup"}, project="shop")
        running.runtime.worker.keep()
        running.runtime.worker.run_due_jobs()
        serving.wait_for(lambda: list((folder / "raw").rglob("*.zst")), "a sealed session")
        serving.wait_for(lambda: not running.runtime.committer.stats.pending, "commits")
        source = wiring.build_backup_source(config.load_settings(data_dir=folder))
        target = backup_keeper.name_backup(folder / "backups", now(), is_encrypted=False)
        manifest = backup_keeper.backup.make_backup(source, target, now())
        backup_keeper.note_backup(folder, target, manifest, now(), is_encrypted=False)
    records.install_record(folder, DrillRecord(now(), str(target), passed=True, faults=[]))
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """A copy to break, in which the record of the backup names the copy's own file."""
    copy = Path(shutil.copytree(sound, tmp_path / "memwiki"))
    made = records.read_backup_record(copy)
    assert made is not None
    file = str(copy / "backups" / Path(made.file).name)
    records.install_record(copy, BackupRecord(made.at, file, made.size, is_encrypted=False, faults=[]))
    return copy


def look(folder: Path, **settings: object) -> list[Check]:
    loaded = config.load_settings(data_dir=folder, **settings)
    return list(doctor_store.check_store(doctor_store.find_store(loaded, now())))


def list_loud(checks: list[Check]) -> dict[str, Verdict]:
    return {check.name: check.verdict for check in checks if check.verdict not in QUIET}


def execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def in_state(*statements: str) -> Callable[[Path], None]:
    return lambda folder: execute(folder / "state" / "state.db", *statements)


def in_index(*statements: str) -> Callable[[Path], None]:
    return lambda folder: execute(find_index(folder), *statements)


def find_index(folder: Path) -> Path:
    (found,) = (folder / "index").glob("index-v*.db")
    return found


def find_page(folder: Path) -> Path:
    return folder / "wiki" / "main" / "shop" / "notes" / "setup.md"


def scribble(path: Path) -> None:
    """Overwrite the middle of a file, as a dying disk does."""
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 8192] = b"\xa5" * 8192
    path.write_bytes(content)


def break_page(folder: Path) -> None:
    """Change a page so that it cannot be understood, of which the index knows and git too."""
    page = find_page(folder)
    page.write_text(page.read_text(encoding="utf-8").replace("title:", "title: [", 1), encoding="utf-8")
    path = PagePath("notes/setup.md")
    words = markdown.parse_page(Scope("main", "shop"), path, page.read_bytes()).content_hash
    in_index(f"UPDATE pages SET content_hash = '{words}' WHERE path = '{path}'")(folder)  # noqa: S608 - values of ours
    note_time(folder)


def note_time(folder: Path) -> None:
    """Have the index know when a page was written; of one that was just written it does not trust the time."""
    seen = find_page(folder).stat()
    change = f"UPDATE pages SET mtime_ns = {seen.st_mtime_ns}, size = {seen.st_size} WHERE path = 'notes/setup.md'"  # noqa: S608
    in_index(change)(folder)
    git(folder, "commit", "--quiet", "--all", "--message", "by hand")


def remove_object(folder: Path) -> None:
    objects = folder / "wiki" / ".git" / "objects"
    next(path for path in sorted(objects.glob("??/*"))).unlink(missing_ok=True)
    for pack in objects.glob("pack/*.pack"):
        pack.chmod(0o600)
        scribble(pack)


def change_words(folder: Path) -> None:
    """Change a page's words, and neither its size nor its time."""
    page = find_page(folder)
    page.write_text(page.read_text(encoding="utf-8").replace("make run", "make fun"), encoding="utf-8")
    note_time(folder)


def git(folder: Path, *arguments: str) -> None:
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    subprocess.run(["git", *arguments], cwd=folder / "wiki", env=os.environ | who, check=True, timeout=60)


def leave_lock(folder: Path) -> None:
    path = folder / "wiki" / ".git" / "index.lock"
    path.touch()
    old = now().timestamp() - limits_doctor.GIT_LOCK_SECONDS - 60
    os.utime(path, (old, old))


def make_token(folder: Path) -> None:
    operator = Principal("operator", Rights(is_admin=True))
    with wiring.open_people(config.load_settings(data_dir=folder)) as people:
        accounts.add_person(people, operator, NewPerson("mia", Role.ADMIN))
        issuing.issue_token(people, operator, "mia", NewToken("laptop", [Right.READ], days=3))


def note_backup(age: timedelta) -> Callable[[Path], None]:
    def note(folder: Path) -> None:
        made = records.read_backup_record(folder)
        assert made is not None
        records.install_record(folder, BackupRecord(now() - age, made.file, 1, is_encrypted=False, faults=[]))

    return note


def note_drill(*, passed: bool, age: timedelta = timedelta(0)) -> Callable[[Path], None]:
    record = DrillRecord(now() - age, "x", passed=passed, faults=[])
    return lambda folder: records.install_record(folder, record)


def take_future(folder: Path) -> None:
    later = int((now() + timedelta(days=1)).timestamp() * 1_000_000)
    in_state(f"UPDATE sessions SET last_event_at = {later}")(folder)  # noqa: S608 - a number of ours


def leave_copies(folder: Path) -> None:
    for number in range(7, 10):
        (folder / "state" / f"state.db.before-{number:04}").write_bytes(b"x")


@dataclass(frozen=True)
class Case:
    """What is broken and how, and what the one check says that must see it."""

    name: str
    verdict: Verdict
    breaking: Callable[[Path], object] = lambda _: None
    settings: dict[str, object] = field(default_factory=dict)


CASES = (
    Case("data directory", Verdict.WARN, lambda folder: shutil.rmtree(folder / "logs", ignore_errors=True)),
    Case("permissions", Verdict.WARN, lambda folder: folder.chmod(0o755)),
    Case("permissions", Verdict.WARN, lambda folder: (folder / "state" / "token.key").chmod(0o644)),
    Case("state file", Verdict.FAIL, lambda folder: scribble(folder / "state" / "state.db")),
    Case("state file", Verdict.FAIL, lambda folder: (folder / "state" / "state.db").write_bytes(b"no database" * 999)),
    Case("state schema", Verdict.FAIL, in_state("UPDATE alembic_version SET version_num = '9999'")),
    Case("state schema", Verdict.WARN, in_state("UPDATE alembic_version SET version_num = '0001'")),
    Case("clock of state", Verdict.WARN, take_future),
    Case(
        "jobs",
        Verdict.WARN,
        in_state(
            "INSERT INTO jobs (kind, key, state, due_at, attempts, generation, claim_number, payload, worker,"
            " last_error) VALUES ('compile_session', 's', 'failed', 0, 9, 1, 1, '', '', 'disk full')"
        ),
    ),
    Case("sealed files", Verdict.FAIL, lambda folder: next((folder / "raw").rglob("*.zst")).unlink()),
    Case("access tokens", Verdict.WARN, make_token),
    Case("wiki pages", Verdict.WARN, break_page),
    Case("wiki history", Verdict.FAIL, remove_object),
    Case("wiki history", Verdict.FAIL, lambda folder: shutil.rmtree(folder / "wiki" / ".git")),
    Case("wiki commits", Verdict.FAIL, leave_lock),
    Case("index file", Verdict.FAIL, lambda folder: scribble(find_index(folder))),
    Case("index file", Verdict.WARN, lambda folder: find_index(folder).unlink()),
    Case("index file", Verdict.WARN, in_index("DELETE FROM meta WHERE name = 'complete'")),
    Case("index lag", Verdict.WARN, in_index("UPDATE pages SET size = 1 WHERE path = 'notes/setup.md'")),
    Case("index sample", Verdict.FAIL, change_words),
    Case("rights posture", Verdict.FAIL, settings={"host": "0.0.0.0"}),  # noqa: S104 - what is to be found
    Case("rights posture", Verdict.FAIL, settings={"trusted_proxies": "0.0.0.0/0", "access_token": "x" * 40}),
    Case("rights posture", Verdict.WARN, settings={"host": "0.0.0.0", "access_token": "guess"}),  # noqa: S104 - see above
    Case("rights posture", Verdict.WARN, settings={"host": "0.0.0.0", "access_token": "x" * 40}),  # noqa: S104 - see above
    Case("backup", Verdict.WARN, lambda folder: (folder / "backups" / "last-backup.json").unlink()),
    Case("backup", Verdict.WARN, lambda folder: [path.unlink() for path in (folder / "backups").glob("*.zst")]),
    Case("backup", Verdict.WARN, note_backup(timedelta(days=30))),
    Case("backup", Verdict.FAIL, note_backup(timedelta(days=3)), settings={"backup_every_hours": 24}),
    Case("restore drill", Verdict.WARN, lambda folder: (folder / "backups" / "last-drill.json").unlink()),
    Case("restore drill", Verdict.FAIL, note_drill(passed=False)),
    Case("restore drill", Verdict.WARN, note_drill(passed=True, age=timedelta(days=200))),
    Case("copies of state", Verdict.WARN, leave_copies),
)


def test_all_is_well_in_a_directory_that_is_sound_and_every_check_is_told(folder: Path) -> None:
    checks = look(folder)

    assert [check for check in checks if check.verdict is not Verdict.PASS] == []
    assert {case.name for case in CASES} <= {check.name for check in checks}
    assert len({check.name for check in checks}) == len(checks)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_broken_is_seen_by_its_own_check_and_by_no_other(folder: Path, case: Case) -> None:
    case.breaking(folder)

    checks = look(folder, **case.settings)

    assert list_loud(checks) == {case.name: case.verdict}
    (check,) = [each for each in checks if each.name == case.name]
    assert check.seen
    assert check.advice


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no owners here")
def test_a_directory_of_somebody_else_is_named_and_not_touched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4242)

    checks = look(folder)

    assert list_loud(checks) == {"data directory": Verdict.FAIL}
    assert "4242" in checks[0].seen
    assert len(checks) == 2


def test_a_lock_whose_holder_does_not_answer_is_found(folder: Path) -> None:
    with DirectoryLock(folder, {"pid": 1, "version": system.find_version(), "url": "http://127.0.0.1:9"}):
        assert lock.is_held(folder)
        found = list_loud(look(folder))

    assert found == {"lock": Verdict.FAIL}
    assert not lock.is_held(folder)


def test_another_release_that_has_the_directory_is_found(folder: Path) -> None:
    with DirectoryLock(folder, {"pid": 1, "version": "0.0.9", "url": "http://127.0.0.1:9"}):
        assert list_loud(look(folder)) == {"lock": Verdict.FAIL, "version": Verdict.WARN}


def run_doctor(folder: Path, *options: str) -> tuple[dict[str, str], list[str]]:
    env = {"HOME": str(folder.parent), "MEMWIKI_URL": "http://127.0.0.1:9", "XDG_DATA_HOME": "", "XDG_STATE_HOME": ""}
    done = CliRunner().invoke(main.app, ["doctor", "--json", "--data-dir", str(folder), *options], env=env)
    found = json.loads(done.stdout)
    return {check["name"]: check["verdict"] for check in found["checks"] if check["group"] == "data"}, found["fixed"]


def test_what_is_safe_is_mended_and_named_and_then_well(folder: Path) -> None:
    folder.chmod(0o755)
    leave_lock(folder)
    scribble(find_index(folder))
    index = find_index(folder)

    before, nothing = run_doctor(folder)
    after, done = run_doctor(folder, "--fix")

    assert nothing == []
    assert (before["permissions"], before["wiki commits"], before["index file"]) == ("warn", "fail", "fail")
    assert (after["permissions"], after["wiki commits"], after["index file"]) == ("pass", "pass", "warn")
    assert len(done) == 3
    assert not index.exists()


def test_a_lock_of_git_that_may_be_in_use_is_left_alone(folder: Path) -> None:
    path = folder / "wiki" / ".git" / "index.lock"
    path.touch()

    _, done = run_doctor(folder, "--fix")

    assert done == []
    assert path.exists()


def test_a_running_server_is_examined_as_well(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template) as running:
        running.put("notes/setup.md", {"body": "Type make run.", "title": "Setup"}, project="shop")
        loud = list_loud(look(running.folder))

    # In this process nothing listens at the address that is noted; all else of a running server is looked at.
    assert set(loud) == {"lock", "backup", "restore drill"}


def test_there_are_twenty_checks_of_a_data_directory_and_its_surroundings(folder: Path) -> None:
    data, _ = run_doctor(folder)

    assert len(data) >= 20
