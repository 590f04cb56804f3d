"""The wheel carries all that a server and an installer need, and works where nothing of the checkout is in sight."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.server import clean_environment, run_server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SECONDS_MAX = 100


def run(command: list[str], cwd: Path, **env: str) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        env=clean_environment() | env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS_MAX,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def copy_tracked(target: Path) -> list[str]:
    """Copy what a clone would have; what lies about in a checkout must not help."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: the tracked files cannot be listed")
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return names


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Copy the tracked files."""
    folder = tmp_path_factory.mktemp("source")
    return folder, copy_tracked(folder)


@pytest.fixture(scope="module")
def wheel(source: tuple[Path, list[str]]) -> Path:
    """Build the wheel from a clean copy."""
    folder, _ = source
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"], folder)
    (built,) = (folder / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install it in an environment that sees the libraries of this one, but not its memwiki; gives its programs."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=os.name != "nt", with_pip=False)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    python = str(programs / "python")
    run([sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", str(wheel)], folder)
    # A folder named in such a file is searched last, and files of this kind in it, as the checkout's, are not read.
    own = Path(run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip())
    (own / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return programs


def test_the_wheel_carries_every_tracked_file_of_the_program_and_nothing_else(
    source: tuple[Path, list[str]], wheel: Path
) -> None:
    _, tracked = source
    wanted = {name for name in tracked if name.startswith("app/")}
    wanted |= {f"app/_bundled/{name}" for name in tracked if name.startswith(("hooks/", "migrations/"))}

    with zipfile.ZipFile(wheel) as archive:
        carried = {name for name in archive.namelist() if ".dist-info/" not in name}
        extra = {name.partition(".dist-info/")[2] for name in archive.namelist()} - {""}

    assert carried == wanted
    assert "app/_bundled/hooks/send_event.py" in carried
    assert "app/_bundled/migrations/versions/0001_first_tables.py" in carried
    assert "app/entrypoints/cli/recordings/claude-code.jsonl" in carried
    assert "app/entrypoints/web/static/mermaid.tiny.js.gz" in carried
    assert {"entry_points.txt", "licenses/LICENSE"} <= extra


def test_the_installed_program_is_not_the_checkouts(installed: Path, tmp_path: Path) -> None:
    question = "import app.config as c; print(c.__file__); print(c.find_bundled('migrations'), c.find_bundled('hooks'))"

    told = run([str(installed / "python"), "-c", question], tmp_path)

    assert str(ROOT) not in told
    assert told.count("_bundled") == 2


def test_the_installed_server_serves_from_a_foreign_folder(installed: Path, tmp_path: Path) -> None:
    with run_server(tmp_path / "memory", program=(str(installed / "memwiki"),)) as server:
        assert server.get("/readyz")["status"] == "ready"

    assert (tmp_path / "memory" / "state" / "state.db").exists()


def test_the_installed_demonstration_shows_the_main_job(installed: Path, tmp_path: Path) -> None:
    facts = json.loads(run([str(installed / "memwiki"), "demo", "--json"], tmp_path, HOME=str(tmp_path)))

    assert facts["broken_promises"] == []
    assert [each["observations"] for each in facts["captured"]] == [38, 14]
    assert facts["page"]["path"].startswith("sessions/")


def test_the_installed_installer_finds_its_hook_client(installed: Path, tmp_path: Path) -> None:
    shown = run([str(installed / "memwiki"), "install", "codex", "--apply", "--json"], tmp_path, HOME=str(tmp_path))

    assert json.loads(shown)["applied"]
    assert next(tmp_path.rglob("send_event.py")).read_bytes() == (ROOT / "hooks" / "send_event.py").read_bytes()
