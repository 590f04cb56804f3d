"""One spelling for each folder of a machine: Windows, WSL and UNC forms of a path come to the same text."""

import posixpath
import re

_DRIVE = re.compile(r"^([A-Za-z]):(?:/|$)")
_MOUNTED_DRIVE = re.compile(r"^/(?:mnt|cygdrive)/([A-Za-z])(?:/|$)")
_LONG_FORM = re.compile(r"^//[?.]/(UNC/)?", re.IGNORECASE)
_WSL_SHARE = re.compile(r"^//wsl(?:\$|\.localhost)/([^/]+)(/.*|$)", re.IGNORECASE)
_MACHINE_CHARS = re.compile(r"[^\w.+-]")
_INSIDE_GIT = re.compile(r"(?i)/\.git/(?:modules|worktrees)/.*")


def spell_folder(path: str, machine: str = "") -> str:
    """Spell a folder so that all forms of it on one machine are one text, `machine@path`.

    Windows takes letters of both cases for one; a folder inside WSL belongs to its distribution, whichever side names
    it, and the drives of Windows belong to Windows.
    """
    host, _, distribution = _MACHINE_CHARS.sub("-", machine).casefold().partition("+")
    text = path.replace("\\", "/")
    long_form = _LONG_FORM.match(text)
    if long_form:
        text = ("//" if long_form[1] else "") + text[long_form.end() :]
    share = _WSL_SHARE.match(text)
    if share:
        distribution, text = share[1].casefold(), share[2] or "/"
    drive = _DRIVE.match(text) or _MOUNTED_DRIVE.match(text)
    if drive:
        rest = text[drive.end() :].casefold()
        return _join(host, f"{drive[1].lower()}:{_tidy('/' + rest)}")
    if text.startswith("//"):
        return _join(host, f"/{_tidy(text[1:].casefold())}")
    return _join(f"{host}+{distribution}" if distribution else host, _tidy(text))


def spell_repository(common_dir: str, machine: str = "") -> str:
    """Spell git's common directory; one of a worktree or submodule is that of the repository around it."""
    return spell_folder(_INSIDE_GIT.sub("/.git", common_dir.replace("\\", "/")), machine)


def find_owner(common_dir: str) -> str:
    """Find the folder that a repository is named after: the one around `.git`, or a bare one without its ending."""
    path = _INSIDE_GIT.sub("/.git", common_dir.replace("\\", "/")).rstrip("/")
    return path.removesuffix("/.git").removesuffix(".git") if path.endswith(".git") else ""


def find_name(path: str) -> str:
    """Find the last part of a folder's path, as it is written."""
    return _tidy(path.replace("\\", "/")).rsplit("/", 1)[-1]


def _tidy(path: str) -> str:
    return posixpath.normpath(re.sub(r"/{2,}", "/", path)) if path else "/"


def _join(machine: str, path: str) -> str:
    return f"{machine}@{path}" if machine else path
