"""Backups: made while the server runs, proved to the byte, put back whole or not at all."""

import io
import os
import signal
import stat
import subprocess
import tarfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
import zstandard
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from app import config, wiring
from app.domain.errors import AppError, DiskRefused, SchemaTooNew
from app.domain.upkeep_errors import (
    BackupMisplaced,
    BackupNotFound,
    BackupUnreadable,
    FolderOccupied,
    PassphraseRefused,
)
from app.state import schema
from app.upkeep import backup, backup_keeper, records, restore
from app.upkeep.archive import Manifest
from app.upkeep.backup import BackupSource
from app.upkeep.backup_keeper import BackupKeeper, BackupPlan
from app.upkeep.rotation import KeptBackups
from tests.e2e import sessions
from tests.e2e.disks import small_disk
from tests.entrypoints import serving
from tests.entrypoints.serving import Server, new_name
from tests.fakes import FakeClock
from tests.server import SERVE, clean_environment, run_git, run_server, wait_for

_PIECE_BYTES = 1024 * 1024
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
REVISIONS = schema.list_revisions(config.find_bundled("migrations"))


def work(server: Server, words: str = "Fix the lexer.") -> str:
    session = new_name()
    server.start(session)
    server.ask(session, words)
    server.run(session, "make test", "all good")
    server.end(session)
    return session


def make(server: Server, target: Path, **options: str) -> Manifest:
    return backup.make_backup(BackupSource(server.folder, "0.1.0"), target, NOW, **options)


def back(file: Path, target: Path, **options: str) -> Manifest:
    return restore.restore_backup(file, target, REVISIONS, **options)


def list_files(folder: Path) -> dict[str, bytes]:
    return {place: (folder / place).read_bytes() for place in backup.list_wiki_files(folder)}


def test_what_was_acknowledged_before_a_backup_is_there_after_a_restore(server: Server, tmp_path: Path) -> None:
    session = work(server)
    make(server, tmp_path / "b.tar.zst")
    work(server, "Something later.")

    back(tmp_path / "b.tar.zst", tmp_path / "restored")

    with serving.serve(tmp_path / "restored") as restored:
        assert restored.observations(session) == server.observations(session)
        assert restored.read("/status")["counts"]["sessions"] == 1
        assert restored.read("/search", q="lexer")["hits"]
    assert run_git(tmp_path / "restored" / "wiki", "status", "--porcelain") == ""
    run_git(tmp_path / "restored" / "wiki", "fsck", "--strict")


def test_pages_that_were_not_committed_are_kept_and_not_committed_afterwards(server: Server, tmp_path: Path) -> None:
    work(server)
    shop = server.folder / "wiki" / "main" / "shop"
    (shop / ".obsidian").mkdir()
    (shop / ".obsidian" / "app.json").write_text("{}", encoding="utf-8")
    server.runtime.watcher.stop(10)
    (shop / "notes").mkdir(exist_ok=True)
    (shop / "notes" / "half.md").write_text("# Half\n", encoding="utf-8")

    manifest = make(server, tmp_path / "b.tar.zst")
    back(tmp_path / "b.tar.zst", tmp_path / "restored")

    wiki = tmp_path / "restored" / "wiki"
    assert manifest.uncommitted == 1
    assert list_files(wiki) == list_files(server.folder / "wiki")
    assert run_git(wiki, "status", "--porcelain", "--untracked-files=all").split() == ["??", "main/shop/notes/half.md"]
    assert run_git(wiki, "log", "--format=%H") == run_git(server.folder / "wiki", "log", "--format=%H")


def test_sealed_sessions_are_in_it_and_a_lost_one_is_named(tmp_path: Path, template: Path) -> None:
    at_once = {"seal_after_seconds": 0, "observations_retention_days": 0}
    with serving.serve(tmp_path / "memwiki", template=template, **at_once) as server:
        session = work(server)
        serving.wait_for(lambda: list(server.folder.glob("raw/*/*.zst")), "it is sealed")
        before = server.observations(session)
        assert make(server, tmp_path / "b.tar.zst").faults == []
        next(server.folder.glob("raw/*/*.zst")).unlink()
        faults = make(server, tmp_path / "damaged.tar.zst").faults

    assert len(faults) == 1
    assert "missing" in faults[0]
    back(tmp_path / "b.tar.zst", tmp_path / "restored")
    with serving.serve(tmp_path / "restored") as restored:
        assert restored.observations(session) == before


def test_a_damaged_state_is_named_and_what_can_be_read_of_it_is_kept(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template) as server:
        for number in range(20):
            server.run(new_name(), f"make {number}", "x" * 4000)
    path = server.folder / "state" / "state.db"
    content = bytearray(path.read_bytes())
    content[-3 * 4096 : -2 * 4096] = b"\xff" * 4096
    path.write_bytes(content)

    manifest = make(server, tmp_path / "b.tar.zst")

    assert any("state.db is damaged" in fault for fault in manifest.faults)
    with pytest.raises(BackupUnreadable):
        back(tmp_path / "b.tar.zst", tmp_path / "new")


def test_it_is_for_its_owner_alone_and_leaves_nothing_beside_it(server: Server, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()

    make(server, tmp_path / "out" / "b.tar.zst")

    assert stat.S_IMODE((tmp_path / "out" / "b.tar.zst").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.tar.zst"]
    assert not list((server.folder / "state").glob(".memwiki-backup-*"))


def test_an_encrypted_one_shows_nothing_and_opens_by_its_passphrase_alone(server: Server, tmp_path: Path) -> None:
    work(server, "zyxgranny")
    file = tmp_path / "b.tar.zst.enc"
    make(server, file, passphrase="correct horse")

    assert file.read_bytes().startswith(b"memwiki-backup-1 aes-256-gcm argon2id ")
    for wrong in ("", "battery staple"):
        with pytest.raises(PassphraseRefused):
            back(file, tmp_path / "restored", passphrase=wrong)
    assert not (tmp_path / "restored").exists()
    assert back(file, tmp_path / "restored", passphrase="correct horse").rows["sessions"] == 1


def test_one_that_scrypt_made_the_key_of_is_read_as_it_was_written(server: Server, tmp_path: Path) -> None:
    work(server)
    make(server, tmp_path / "plain")
    plain, salt = (tmp_path / "plain").read_bytes(), bytes(range(16))
    head = b"memwiki-backup-1 aes-256-gcm scrypt 12 8 1 %s\n" % salt.hex().encode()
    cipher = AESGCM(Scrypt(salt=salt, length=32, n=1 << 12, r=8, p=1).derive(b"correct horse"))
    pieces = [plain[place : place + _PIECE_BYTES] for place in range(0, len(plain), _PIECE_BYTES)]
    sealed = [
        cipher.encrypt(number.to_bytes(11, "big") + bytes([number == len(pieces) - 1]), piece, head)
        for number, piece in enumerate(pieces)
    ]
    (tmp_path / "old.enc").write_bytes(head + b"".join(sealed))

    assert back(tmp_path / "old.enc", tmp_path / "restored", passphrase="correct horse").rows["sessions"] == 1


@pytest.mark.parametrize(
    "way",
    ["argon2id 1048577 3 4", "argon2id 131072 33 1", "argon2id 131072 0 4", "argon2id 8 1 4", "scrypt 21 8 1",
     "scrypt 0 8 1", "md5 1 1 1"],
)  # fmt: skip
def test_a_first_line_that_asks_for_too_much_or_for_nonsense_is_refused(tmp_path: Path, way: str) -> None:
    (tmp_path / "odd.enc").write_bytes(f"memwiki-backup-1 aes-256-gcm {way} {'0' * 32}\n".encode() + bytes(64))

    with pytest.raises(BackupUnreadable):
        restore.verify_backup(tmp_path / "odd.enc", passphrase="correct horse")


@pytest.mark.parametrize("passphrase", ["", "correct horse"], ids=["plain", "encrypted"])
def test_any_changed_or_missing_byte_is_noticed_and_restores_nothing(
    server: Server, tmp_path: Path, passphrase: str
) -> None:
    work(server)
    make(server, tmp_path / "b", passphrase=passphrase)
    whole = (tmp_path / "b").read_bytes()
    broken = [bytearray(whole) for _ in range(4)]
    for content, place in zip(broken, (100, len(whole) // 3, len(whole) // 2, len(whole) - 40), strict=True):
        content[place] ^= 0x10
    cuts = [whole[: len(whole) // 2], whole[:-1], b""]

    # Each look at an encrypted one costs the passphrase's work.
    for content in [*broken, *cuts][:: 3 if passphrase else 1]:
        (tmp_path / "bad").write_bytes(content)
        with pytest.raises((BackupUnreadable, PassphraseRefused)):
            restore.verify_backup(tmp_path / "bad", passphrase=passphrase)
        with pytest.raises((BackupUnreadable, PassphraseRefused)):
            back(tmp_path / "bad", tmp_path / "restored", passphrase=passphrase)
        assert sorted(path.name for path in tmp_path.iterdir() if "restore" in path.name) == []


def rewrite(file: Path, name: str, content: bytes | None, *, rename: str = "") -> None:
    """Change one member of a plain backup and nothing else, with all checksums of the formats right."""
    out = io.BytesIO()
    opened = io.BytesIO(zstandard.ZstdDecompressor().stream_reader(file.read_bytes()).read())
    with tarfile.open(fileobj=opened) as old, tarfile.open(fileobj=out, mode="w") as new:
        for entry in old:
            kept = old.extractfile(entry)
            assert kept is not None
            text = kept.read()
            if entry.name == name:
                text = text if content is None else content
                entry.name = rename or name
            entry.size = len(text)
            new.addfile(entry, io.BytesIO(text))
    file.write_bytes(zstandard.ZstdCompressor().compress(out.getvalue()))


@pytest.mark.parametrize("name", ["state/../../out", "/etc/out", "elsewhere/x", "wiki/../x"])
def test_a_member_that_leads_elsewhere_is_refused(server: Server, tmp_path: Path, name: str) -> None:
    make(server, tmp_path / "b")
    rewrite(tmp_path / "b", "state/state.db", None, rename=name)

    with pytest.raises(BackupUnreadable):
        back(tmp_path / "b", tmp_path / "sub" / "restored")

    assert not (tmp_path / "out").exists()


def test_a_changed_member_is_named(server: Server, tmp_path: Path) -> None:
    work(server)
    manifest = make(server, tmp_path / "b")
    page = next(member.name for member in manifest.members if member.name.endswith("index.md"))
    rewrite(tmp_path / "b", page, b"# Other\n")

    with pytest.raises(BackupUnreadable, match=r"index\.md is not what its manifest says"):
        restore.verify_backup(tmp_path / "b")


def test_a_backup_of_a_newer_release_is_refused(server: Server, tmp_path: Path) -> None:
    make(server, tmp_path / "b")

    with pytest.raises(SchemaTooNew):
        restore.restore_backup(tmp_path / "b", tmp_path / "restored", REVISIONS[:-1])

    assert not (tmp_path / "restored").exists()


def test_a_folder_that_is_not_empty_is_left_as_it_is(server: Server, tmp_path: Path) -> None:
    make(server, tmp_path / "b")
    (tmp_path / "restored").mkdir()
    (tmp_path / "restored" / "mine.txt").write_text("mine", encoding="utf-8")

    with pytest.raises(FolderOccupied):
        back(tmp_path / "b", tmp_path / "restored")

    assert [path.name for path in (tmp_path / "restored").iterdir()] == ["mine.txt"]


def test_it_is_never_written_into_what_it_copies(server: Server, tmp_path: Path) -> None:
    for place in ("wiki/b", "state/b", "b", "raw/x/b"):
        with pytest.raises(BackupMisplaced):
            make(server, server.folder / place)
    (tmp_path / "link").symlink_to(server.folder / "wiki")
    with pytest.raises(BackupMisplaced):
        make(server, tmp_path / "link" / "b")

    first = make(server, server.folder / "backups" / "b")
    second = make(server, server.folder / "backups" / "c")

    assert [member.name for member in second.members] == [member.name for member in first.members]
    with pytest.raises(BackupNotFound):
        backup.make_backup(BackupSource(tmp_path / "nothing", "0.1.0"), tmp_path / "b", NOW)


def test_secrets_among_the_settings_are_kept_only_when_asked(server: Server, tmp_path: Path) -> None:
    (server.folder / "memwiki.toml").write_text('# Mine.\naccess_token = "mw_zyx"\nport = 7000\n', encoding="utf-8")
    settings = config.load_settings(data_dir=server.folder)

    for with_secrets in (False, True):
        source = wiring.build_backup_source(settings, with_secrets=with_secrets)
        backup.make_backup(source, tmp_path / "b", NOW)
        back(tmp_path / "b", tmp_path / f"restored-{with_secrets}")

    plain = (tmp_path / "restored-False" / "memwiki.toml").read_text(encoding="utf-8")
    assert plain == "# Mine.\nport = 7000\n"
    assert "mw_zyx" in (tmp_path / "restored-True" / "memwiki.toml").read_text(encoding="utf-8")


def test_a_full_disk_is_told_and_leaves_nothing_behind(server: Server, tmp_path: Path) -> None:
    (server.folder / "wiki" / "main" / "shop").mkdir(parents=True)
    (server.folder / "wiki" / "main" / "shop" / "noise.bin").write_bytes(os.urandom(4 * 1024 * 1024))
    with small_disk(tmp_path / "small", size="2m") as disk:
        with pytest.raises(DiskRefused):
            make(server, disk / "b.tar.zst")

        assert list(disk.iterdir()) == []


def test_a_killed_backup_has_no_name_and_the_next_one_works(server: Server, tmp_path: Path) -> None:
    work(server)
    noise = server.folder / "wiki" / "main" / "shop" / "noise.bin"
    noise.write_bytes(os.urandom(48 * 1024 * 1024))
    (tmp_path / "out").mkdir()
    command = [*SERVE, "backup", "--to", str(tmp_path / "out" / "b"), "--data-dir", str(server.folder)]
    process = subprocess.Popen(command, env=clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    wait_for(lambda: [path for path in tmp_path.glob("out/.*/archive") if path.stat().st_size], "it writes")
    process.send_signal(signal.SIGKILL)
    process.wait(30)

    assert not (tmp_path / "out" / "b").exists()
    noise.unlink()
    make(server, tmp_path / "out" / "b")
    assert restore.verify_backup(tmp_path / "out" / "b").rows["sessions"] == 1
    # What it left is removed a day later, since before that it could be somebody's at work.
    for leftover in (*(tmp_path / "out").glob(".memwiki-backup-*"), *server.folder.glob("state/.memwiki-backup-*")):
        os.utime(leftover, (0, 0))
    make(server, tmp_path / "out" / "b")
    assert not list(tmp_path.glob("**/.memwiki-backup-*"))


def test_the_schedule_makes_what_is_due_keeps_what_its_rule_says_and_tells(server: Server, tmp_path: Path) -> None:
    clock = FakeClock(NOW)
    plan = BackupPlan(tmp_path / "kept", timedelta(hours=24), KeptBackups(daily=2, weekly=0, monthly=0))
    keeper = BackupKeeper(BackupSource(server.folder, "0.1.0"), plan, clock)

    made = []
    for _ in range(8):
        made.append(keeper.make_if_due() is not None)
        clock.advance(12 * 3600)

    assert made == [True, False] * 4
    assert [moment.day for moment, _ in backup_keeper.list_backups(tmp_path / "kept")] == [3, 2]
    told = server.client.get("/readyz").json()["backup"]
    assert (told["last_at"], told["faults"], told["drill_at"]) == ("2026-12-03T12:00:00Z", 0, None)


def test_a_server_with_a_schedule_begins_it_by_itself(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template, backup_every_hours=24) as running:
        serving.wait_for(lambda: list((running.folder / "backups").glob("memwiki-*.tar.zst")), "a backup")
        serving.wait_for(lambda: running.read("/status")["backup"]["last_at"], "a record of it")


def test_a_schedule_that_fails_says_why_and_tries_again(server: Server, tmp_path: Path) -> None:
    clock = FakeClock(NOW)
    (tmp_path / "kept").write_text("a file in the way", encoding="utf-8")
    plan = BackupPlan(tmp_path / "kept", timedelta(hours=24), KeptBackups(1, 1, 1))
    keeper = BackupKeeper(BackupSource(server.folder, "0.1.0"), plan, clock)

    assert keeper.make_if_due() is None
    assert keeper.last_error
    (tmp_path / "kept").unlink()
    assert keeper.make_if_due() is None
    clock.advance(16 * 60)

    assert keeper.make_if_due() is not None
    assert keeper.last_error == ""


def test_a_drill_compares_with_the_running_server_and_notes_its_result(tmp_path: Path) -> None:
    with run_server(tmp_path / "memwiki") as server:
        sessions.build_start("drill").send(server)
        for number in range(60):
            body = {"body": f"# Topic {number}\n\nWords about it.\n"}
            saved = server.client.put(f"/api/v1/pages/notes/{number}.md", params={"project": "shop"}, json=body)
            assert saved.status_code == 200, saved.text
        command = [*SERVE, "restore-drill", "--json", "--data-dir", str(server.data_dir)]
        done = subprocess.run(command, env=clean_environment(), capture_output=True, timeout=100, check=False)

        report = msgspec.json.decode(done.stdout)
        assert (done.returncode, report["passed"], report["faults"]) == (0, True, []), done.stderr
        assert report["asked"] == report["equal"] == 50
        assert server.get("/readyz")["backup"]["drill_passed"] is True
    record = records.read_drill_record(tmp_path / "memwiki")
    assert record is not None
    assert record.passed


def test_a_record_that_cannot_be_read_is_as_if_there_were_none(tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "last-backup.json").write_text("{", encoding="utf-8")

    assert records.read_backup_record(tmp_path) is None
    assert issubclass(BackupUnreadable, AppError)


@pytest.mark.parametrize("is_whole", [True, False], ids=["whole", "with a fault"])
def test_a_good_backup_lets_copies_of_long_past_upgrades_go(server: Server, tmp_path: Path, *, is_whole: bool) -> None:
    copies = [server.folder / "state" / f"state.db.before-{number:04}" for number in range(7, 10)]
    for path in copies:
        path.write_bytes(b"x")
    target = tmp_path / "b.tar.zst"
    manifest = msgspec.structs.replace(make(server, target), faults=[] if is_whole else ["a page"])

    backup_keeper.note_backup(server.folder, target, manifest, NOW, is_encrypted=False)

    assert [path.exists() for path in copies] == [not is_whole, True, True]
    told = server.read("/status", sizes="true")["sizes"]
    assert told["copies"] == [path.name for path in reversed(copies) if path.exists()]
