"""The spool's key: made and renewed by a command, looked at by status and doctor, which tell nothing of it."""

import base64
import json
import os
import stat
from pathlib import Path

import pytest

from app.capture import client_seal
from app.capture.client_spool import Spool
from app.domain.errors import InvalidValue
from app.entrypoints.cli import doctor_machine, spool_key
from app.entrypoints.cli.verdicts import Verdict
from tests.entrypoints.test_key import run

ENTRY = b'{"at": 1790000000000, "key": "k", "agent": "codex", "event": "Stop", "payload": {}}\n'


@pytest.fixture
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMWIKI_SPOOL_DIR", str(tmp_path / "state" / "spool"))
    monkeypatch.delenv("MEMWIKI_SPOOL_KEY_FILE", raising=False)
    return tmp_path / "state" / "spool"


def list_ids(path: Path) -> list[str]:
    return [client_seal.name_key(secret) for secret in client_seal.read_keys(str(path)).secrets]


def look(spool: Path) -> tuple[Verdict, str]:
    found = spool_key.look(str(spool), Spool(str(spool)).count_unsealed())
    check = doctor_machine.check_sealing(found, "")
    return check.verdict, check.seen


@pytest.mark.slow
def test_the_command_makes_a_key_that_only_its_owner_can_read(spool: Path) -> None:
    answer = json.loads(run("key", "spool", "--json", MEMWIKI_SPOOL_DIR=str(spool)))

    path = Path(answer["file"])
    assert path == spool.parent / "spool.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "lost" in answer["warning"]
    assert list_ids(path) == [answer["key_id"]]


def test_a_new_key_keeps_the_older_ones_that_something_waits_under(spool: Path) -> None:
    path = spool.parent / "spool.key"
    first = spool_key.put_key(path, b"1" * 32, str(spool), is_required=True)
    Spool(str(spool)).append(ENTRY)
    second = spool_key.put_key(path, b"2" * 32, str(spool), is_required=False)
    third = spool_key.put_key(path, b"3" * 32, str(spool), is_required=False)

    assert list_ids(path) == [third, second, first]
    for waiting in spool.glob("events*"):
        waiting.unlink()
    fourth = spool_key.put_key(path, b"4" * 32, str(spool), is_required=False)
    assert list_ids(path) == [fourth, third]
    assert client_seal.read_keys(str(path)).is_required


def test_a_file_that_holds_something_else_is_left_alone(spool: Path) -> None:
    path = spool.parent / "spool.key"
    path.parent.mkdir()
    path.write_text("my notes\n", encoding="utf-8")

    with pytest.raises(InvalidValue):
        spool_key.put_key(path, os.urandom(32), str(spool), is_required=False)

    assert path.read_text(encoding="utf-8") == "my notes\n"


def test_doctor_tells_off_on_and_what_is_wrong(spool: Path) -> None:
    path = spool.parent / "spool.key"
    assert look(spool) == (Verdict.PASS, "off; `memwiki key spool` turns it on")

    key_id = spool_key.put_key(path, b"1" * 32, str(spool), is_required=False)
    assert look(spool)[0] is Verdict.PASS
    assert key_id in look(spool)[1]
    path.chmod(0o644)
    assert look(spool) == (Verdict.FAIL, f"others can read {path}")
    path.write_text("nothing\n", encoding="ascii")
    Spool(str(spool)).append(ENTRY)
    assert look(spool) == (Verdict.FAIL, f"{path} holds no key, so that events are kept in clear")
    path.write_text(base64.b64encode(b"1" * 32).decode(), encoding="ascii")
    path.chmod(0o600)
    assert look(spool) == (Verdict.WARN, "1 events were kept in clear")
