"""Reads what the files of a working copy tell of it, without running git.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
Includes in git's settings are not followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from app.capture import client_files
from app.domain import limits, limits_client

MARKER_NAME = ".memwiki.toml"


def read_checkout(cwd: str, environ: Mapping[str, str]) -> dict[str, object]:
    """Read the facts of a folder; what is not seen is left out."""
    facts: dict[str, object] = {"cwd": cwd, "machine": _name_machine(environ)}
    facts["launch"] = environ.get("MEMWIKI_RUN", "")[: limits.NAME_CHARS_MAX]
    markers = read_markers(cwd)
    if markers:
        facts.update(_read_names(markers[0][1]))
    for folder in list_folders(cwd):
        git_dir = _find_git_dir(folder)
        if git_dir:
            facts.update(_read_repository("" if git_dir == folder else folder, git_dir, environ))
            break
    return {name: value for name, value in facts.items() if value}


def list_folders(cwd: str) -> list[str]:
    """List a folder and those above it."""
    folders = [os.path.abspath(cwd)]
    while os.path.dirname(folders[-1]) != folders[-1] and len(folders) < limits.PARENT_FOLDERS_MAX:
        folders.append(os.path.dirname(folders[-1]))
    return folders


def read_markers(cwd: str) -> list[tuple[str, str]]:
    """Read the marker files of a folder and those above it, nearest first, each with its folder.

    One that is there and cannot be read is given as a text that is no marker, so that it is not taken for absent.
    """
    found = []
    for folder in list_folders(cwd):
        try:
            raw = client_files.read_all(os.path.join(folder, MARKER_NAME), limits_client.CLIENT_READ_BYTES_MAX)
            found.append((folder, raw.decode("utf-8").lstrip("\ufeff")))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError):
            found.append((folder, "\0"))
    return found


def _read_names(marker: str) -> dict[str, object]:
    """Read the names from the part above the first table, also from a file with a fault further down."""
    head = re.split(r"(?m)^[ \t]*\[", marker)[0]
    names = re.findall(r"(?m)^[ \t]*(workspace|project)[ \t]*=[ \t]*[\"']([^\"'\r\n]+)", head)
    facts: dict[str, object] = {"marker_" + name: value for name, value in reversed(names)}
    aliases = re.search(r"(?m)^[ \t]*aliases[ \t]*=[ \t]*(\[[^\]]*\])", head)
    if aliases:
        facts["marker_aliases"] = re.findall(r"[\"']([^\"'\r\n]+)[\"']", aliases.group(1))
    return facts


def _name_machine(environ: Mapping[str, str]) -> str:
    """Name the computer; a distribution inside WSL has its Windows' name, and its own behind it."""
    name = os.uname().nodename if hasattr(os, "uname") else environ.get("COMPUTERNAME", "")
    name = name[: limits.MACHINE_NAME_CHARS_MAX]
    distribution = environ.get("WSL_DISTRO_NAME", "")
    return "%s+%s" % (name, distribution[: limits.MACHINE_NAME_CHARS_MAX]) if name and distribution else name


def _find_git_dir(folder: str) -> str:
    dot_git = os.path.join(folder, ".git")
    if os.path.isfile(dot_git):
        target = re.match(r"gitdir:\s*(.+)", client_files.read_text(dot_git))
        return os.path.normpath(os.path.join(folder, target.group(1).strip())) if target else ""
    is_bare = all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))
    return dot_git if os.path.isdir(dot_git) else folder if is_bare else ""


def _read_repository(root: str, git_dir: str, environ: Mapping[str, str]) -> dict[str, str]:
    # A submodule keeps its repository inside that of the project that it is a part of, and belongs to it.
    outer = re.match(r"(.*[/\\]\.git)[/\\]modules[/\\]", git_dir)
    if outer:
        root, git_dir = os.path.dirname(outer.group(1)), outer.group(1)
    shared = client_files.read_text(os.path.join(git_dir, "commondir")).strip()
    common_dir = os.path.normpath(os.path.join(git_dir, shared))
    head = client_files.read_text(os.path.join(git_dir, "HEAD")).strip()
    ref = head[5:] if re.match(r"ref: refs/[^\0\\]+$", head) and ".." not in head else ""
    remotes = _read_remotes(client_files.read_text(os.path.join(common_dir, "config")), environ)
    remote, origin = remotes.get("upstream", ""), remotes.get("origin", "")
    return {
        "root": root,
        "common_dir": common_dir,
        "remote": remote or origin,
        "origin": origin if remote and origin != remote else "",
        "branch": ref[11:] if ref.startswith("refs/heads/") and not ref.endswith("/.invalid") else "",
        "revision": _find_revision(head, ref, (git_dir, common_dir)),
    }


def _find_revision(head: str, ref: str, folders: Sequence[str]) -> str:
    found = [client_files.read_text(os.path.join(folder, ref)).strip() for folder in folders] if ref else [head]
    packed = client_files.read_text(os.path.join(folders[1], "packed-refs")) if ref and not any(found) else ""
    found += re.findall(r"(?m)^([0-9a-f]{40,64}) %s$" % re.escape(ref), packed)
    return next((each for each in found if re.match(r"[0-9a-f]{40,64}$", each)), "")


def _read_remotes(settings: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Read the addresses of the remotes, as git would use them and without their users and passwords."""
    pairs = list(_list_settings(settings))
    remotes: dict[str, str] = {}
    for section, name, value in pairs:
        if name == "url" and section.startswith('remote "'):
            remotes.setdefault(section[8:-1], value.partition(" ")[0])
    if not remotes:
        return {}
    for path in _list_global_settings(environ):
        pairs += _list_settings(client_files.read_text(path))
    instead = {value: section[5:-1] for section, name, value in pairs if name == "insteadof" and section[:5] == 'url "'}
    return {remote: _rewrite(url, instead) for remote, url in remotes.items()}


def _rewrite(url: str, instead: Mapping[str, str]) -> str:
    prefix = max(filter(url.startswith, instead), key=len, default="")
    return re.sub(r"(?<=://)[^/\s]*@", "", instead[prefix] + url[len(prefix) :] if prefix else url)


def _list_settings(text: str) -> Iterator[tuple[str, str, str]]:
    section = ""
    for line in text.splitlines():
        opening = re.match(r"\s*\[(.*)\]", line)
        section = opening.group(1) if opening else section
        pair = re.match(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*\"?([^\"]*?)\"?\s*$", line)
        if pair:
            yield section, pair.group(1).lower(), pair.group(2)


def _list_global_settings(environ: Mapping[str, str]) -> list[str]:
    home = environ.get("HOME") or os.path.expanduser("~")
    folder = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    own = environ.get("GIT_CONFIG_GLOBAL")
    return [own] if own else [os.path.join(home, ".gitconfig"), os.path.join(folder, "git", "config")]
