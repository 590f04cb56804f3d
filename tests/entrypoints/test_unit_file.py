"""Service files: what a system reads in them is the command that was meant, whatever the paths are called."""

import json
import plistlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.domain.errors import AppError, DiskRefused
from app.entrypoints.cli.main import app

ODD = 'my 100% "own" $HOME \\ data'


def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *options: str, name: str = "data") -> dict[str, Any]:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / name
    done = CliRunner().invoke(app, ["service", "--json", "--data-dir", str(folder), *options])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_unit_is_written_only_when_asked_and_into_the_persons_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / ".config" / "systemd" / "user" / "memwiki.service"

    shown = make(tmp_path, monkeypatch, "--kind", "systemd")
    assert not place.exists()
    written = make(tmp_path, monkeypatch, "--kind", "systemd", "--apply")

    assert (shown["file"], shown["is_written"], written["is_written"]) == (str(place), False, True)
    assert place.read_text(encoding="utf-8") == shown["text"] == written["text"]
    assert "systemctl --user enable --now memwiki" in shown["next"]


def test_a_unit_has_the_server_read_its_settings_again_and_the_one_file_unpack_where_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = make(tmp_path, monkeypatch, "--kind", "systemd", "--system")["text"]
    monkeypatch.setenv("PEX", "/usr/local/bin/memwiki")

    one_file = make(tmp_path, monkeypatch, "--kind", "systemd", "--system")["text"]
    own = make(tmp_path, monkeypatch, "--kind", "systemd")["text"]

    assert "ExecReload=/bin/kill -HUP $MAINPID" in installed.splitlines()
    assert {"CacheDirectory=memwiki", "Environment=PEX_ROOT=/var/cache/memwiki"} <= set(one_file.splitlines())
    assert not [line for text in (installed, own) for line in text.splitlines() if "PEX" in line]


@pytest.mark.parametrize("scope", [[], ["--system"]], ids=["own", "system"])
def test_systemd_takes_the_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: list[str]) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("no systemd-analyze here to read the unit")
    unit = tmp_path / "memwiki.service"
    unit.write_text(make(tmp_path, monkeypatch, "--kind", "systemd", *scope, name=ODD)["text"], encoding="utf-8")

    read = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False, timeout=60)

    assert "memwiki.service:" not in read.stderr, read.stderr


def test_what_systemd_would_read_into_a_path_is_doubled_and_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = make(tmp_path, monkeypatch, "--kind", "systemd", "--system", name=ODD)["text"]

    [line] = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    assert line.endswith('/my 100%% \\"own\\" $$HOME \\\\ data"')
    assert "User=memwiki" in text
    assert "ProtectSystem=strict" in text


def test_launchd_starts_the_same_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make(tmp_path, monkeypatch, "--kind", "launchd", name=ODD)

    told = plistlib.loads(made["text"].encode())
    assert told["ProgramArguments"][-3:] == ["serve", "--data-dir", str(tmp_path / ODD)]
    assert told["KeepAlive"] == {"SuccessfulExit": False}
    assert made["file"].endswith("/io.memwiki.server.plist")


def refuse(tmp_path: Path, *options: str) -> tuple[AppError, Path]:
    """Ask for a unit that cannot be had; gives the error and where the unit belongs."""
    done = CliRunner().invoke(app, ["service", "--data-dir", str(tmp_path / "data"), *options])
    assert isinstance(done.exception, AppError), done.output
    return done.exception, tmp_path / ".config" / "systemd" / "user" / "memwiki.service"


def test_launchd_starts_nothing_for_the_whole_machine(tmp_path: Path) -> None:
    error, _ = refuse(tmp_path, "--kind", "launchd", "--system")

    assert "--system" in str(error)


def test_a_unit_that_somebody_wrote_stays_and_the_same_again_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, monkeypatch, "--kind", "systemd", "--apply")
    make(tmp_path, monkeypatch, "--kind", "systemd", "--apply")
    place = tmp_path / ".config" / "systemd" / "user" / "memwiki.service"
    place.write_text("[Service]\nExecStart=/mine\n", encoding="utf-8")

    error, _ = refuse(tmp_path, "--kind", "systemd", "--apply")

    assert str(place) in str(error)
    assert "/mine" in place.read_text(encoding="utf-8")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".config").write_text("a file where a folder belongs", encoding="utf-8")

    error, place = refuse(tmp_path, "--kind", "systemd", "--apply")

    assert isinstance(error, DiskRefused)
    assert str(place) in str(error)


def test_a_server_of_the_whole_machine_keeps_out_of_anybodys_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMWIKI_DATA_DIR", raising=False)
    done = CliRunner().invoke(app, ["service", "--kind", "systemd", "--system", "--json"])

    assert "ReadWritePaths=/var/lib/memwiki\n" in json.loads(done.stdout)["text"]


def test_the_command_of_the_file_is_this_memwiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = plistlib.loads(make(tmp_path, monkeypatch, "--kind", "launchd")["text"].encode())["ProgramArguments"]

    asked = [*command[: command.index("serve")], "--help"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60, cwd=Path(sys.prefix).parent)

    assert "A self-hosted memory" in said.stdout


@pytest.mark.parametrize("kind", ["systemd", "launchd"])
def test_a_service_without_a_script_takes_no_other_app_for_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "gone")])

    text = make(tmp_path, monkeypatch, "--kind", kind)["text"]

    command = re.sub(r"</?string>|\s+", " ", text)
    assert re.search(r" -P +-m +app\.entrypoints\.cli\.main +serve ", command)
