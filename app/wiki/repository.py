"""Runs git on the wiki's repository: with no one else's settings, hooks or keys, and with a bound on time."""

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import WikiUnreadable
from app.domain.limits import GIT_COMMAND_SECONDS_MAX
from app.wiki import commit_plan

_KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH")
_SETTINGS = (
    ("core.hooksPath", os.devnull),
    ("core.autocrlf", "false"),
    ("core.safecrlf", "false"),
    ("core.fileMode", "false"),
    ("core.fsmonitor", "false"),
    ("core.quotePath", "false"),
    ("commit.gpgSign", "false"),
    # Packing goes on in idle time, never within a command that somebody waits for.
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
)
# Bytes are stored as they are on disk, whatever a .gitattributes in the tree says.
_ATTRIBUTES = "* -text -eol -filter -ident -working-tree-encoding\n"
_EXCLUDES = ".memwiki-*.tmp\n.obsidian/\n.trash/\n.DS_Store\n"
_UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_NO_ID = "0"


@dataclass(frozen=True, slots=True)
class HeadState:
    """What git has now: HEAD's commit id ("" for none) and the ids of its copies of some places."""

    revision: str
    copies: dict[str, str]


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository around the wiki's folder."""

    root: Path
    git_dir: Path

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run one git command and give back what it printed.

        Raises:
            WikiUnreadable: git failed, is missing, or took too long.
        """
        return _run_git(self.root, self.git_dir, arguments, stdin)

    def read_head(self, places: Sequence[str]) -> HeadState:
        """Ask in one go for HEAD and for its copies of the given places."""
        asked = "HEAD\n" + "".join(f"HEAD:{place}\n" for place in places)
        answer = self.run("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=asked.encode())
        ids = [
            line.split(" ")[0] if line.endswith((" blob", " commit")) else "" for line in answer.decode().splitlines()
        ]
        if len(ids) != len(places) + 1:
            raise WikiUnreadable("git gave another number of answers than asked for")
        return HeadState(ids[0], dict(zip(places, ids[1:], strict=True)))

    def import_commits(self, stream: bytes) -> None:
        """Store the commits of a fast-import stream, without moving HEAD."""
        self.run("fast-import", "--quiet", "--done", "--force", stdin=stream)

    def move_head(self, old: str) -> None:
        """Move HEAD, or the branch that it stands for, to the imported commits if it is still at `old`.

        Raises:
            WikiUnreadable: somebody moved it in between.
        """
        expected = old or _NO_ID * 40
        orders = f"update HEAD {commit_plan.IMPORT_REF} {expected}\ndelete {commit_plan.IMPORT_REF}\n"
        self.run("update-ref", "-m", "memwiki", "--stdin", stdin=orders.encode())

    def stage(self, places: Sequence[str]) -> None:
        """Make git's staging entries of some places equal to what is on disk."""
        names = b"".join(place.encode() + b"\x00" for place in places)
        self.run("update-index", "-z", "--add", "--remove", "--replace", "--stdin", stdin=names)

    def list_differences(self) -> list[str]:
        """List the places at which disk, staging and HEAD are not all equal."""
        listed = self.run("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
        return [entry[3:].decode("utf-8", "surrogateescape") for entry in listed.split(b"\x00") if len(entry) > 3]  # noqa: PLR2004 - two marks and a blank stand before the name

    def find_blocker(self) -> str:
        """Tell what keeps us from committing now; empty if nothing does."""
        for name in _UNDER_WAY:
            if (self.git_dir / name).exists():
                return f"a merge or rebase is under way in the wiki (.git/{name}); commits wait until it is finished"
        lock = self.git_dir / "index.lock"
        with suppress(OSError):
            seconds = max(0, int(time.time_ns() // 10**9 - lock.stat().st_mtime))
            return (
                f".git/index.lock has been held for {seconds} s; commits wait. "
                "If no git command is running in the wiki, delete that file"
            )
        return ""

    def check_objects(self) -> None:
        """Read every object and prove that it is whole and leads to others that are.

        Raises:
            WikiUnreadable: something is missing or damaged, or looking took too long.
        """
        self.run("fsck", "--full", "--no-dangling", "--no-progress")


def open_repository(root: Path) -> Repository:
    """Open the wiki's repository, making it where there is none.

    Raises:
        WikiUnreadable: git is not installed, or the folder cannot hold a repository.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WikiUnreadable(f"its folder cannot be made: {error.strerror}") from error
    root = root.resolve()
    if _is_unfinished(root / ".git"):
        # A crash during the first start left it; there is nothing in it yet.
        shutil.rmtree(root / ".git")
    if not (root / ".git").exists():
        _run_git(root, root / ".git", ("init", "--quiet", "--initial-branch=main", "--template="), b"")
        repository = Repository(root, root / ".git")
        # For the person who runs git here by hand: the same treatment of bytes and modes as ours.
        for name, value in (("core.autocrlf", "false"), ("core.fileMode", "false"), ("core.quotePath", "false")):
            repository.run("config", "--local", name, value)
    else:
        found = _run_git(root, None, ("rev-parse", "--absolute-git-dir"), b"")
        repository = Repository(root, Path(os.fsdecode(found.rstrip(b"\r\n"))))
    _write_once(repository.git_dir / "info" / "attributes", _ATTRIBUTES)
    _write_once(repository.git_dir / "info" / "exclude", _EXCLUDES)
    return repository


def build_environment(root: Path, git_dir: Path | None) -> dict[str, str]:
    """Build git's environment from nothing, so that no variable or file of the person running us has a say."""
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    environment |= {
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_PARAMETERS": "",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_CONFIG_COUNT": str(len(_SETTINGS) + 1),
    }
    for number, (name, value) in enumerate((*_SETTINGS, ("safe.directory", "*"))):
        environment |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    if git_dir is not None:
        # Naming both leaves nothing to discover, so the folder's owner does not matter either.
        environment |= {"GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(root)}
    return environment


def _run_git(root: Path, git_dir: Path | None, arguments: Sequence[str], stdin: bytes) -> bytes:
    try:
        # Its own session: Ctrl-C in our terminal must not stop git in the middle of a commit.
        with subprocess.Popen(
            ["git", *arguments],
            cwd=root,
            env=build_environment(root, git_dir),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            printed, complaint = _communicate(process, stdin)
    except FileNotFoundError as error:
        raise WikiUnreadable("git is not installed, or the wiki's folder is gone") from error
    except OSError as error:
        raise WikiUnreadable(f"git cannot be started: {error.strerror}") from error
    if process.returncode != 0:
        said = complaint.decode("utf-8", "replace").replace(str(root), "").strip().splitlines()
        raise WikiUnreadable(f"git {arguments[0]} failed: {' / '.join(said)[:300] or process.returncode}")
    return printed


def _communicate(process: subprocess.Popen[bytes], stdin: bytes) -> tuple[bytes, bytes]:
    try:
        return process.communicate(stdin, timeout=GIT_COMMAND_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        # Asked politely, git removes its lock files.
        process.terminate()
        try:
            return process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()


def _is_unfinished(git_dir: Path) -> bool:
    """Tell whether the making of a repository was cut short: no HEAD to speak of, and no object."""
    head = git_dir / "HEAD"
    if not git_dir.is_dir() or (head.is_file() and head.stat().st_size) or head.is_symlink():
        return False
    return not any(path.is_file() for path in (git_dir / "objects").rglob("*"))


def _write_once(path: Path, text: str) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
