"""Which project an event belongs to: identities of a checkout, strongest first, and the name a new project gets."""

import re
from collections.abc import Collection
from urllib.parse import urlsplit

from app.domain import limits, pagepath, scope
from app.domain.checkout import Checkout
from app.domain.errors import InvalidName
from app.domain.scope import Scope

_SCP_FORM = re.compile(r"^(?:[^@/\s]+@)?(?P<host>[^:/\s]+):(?!//)(?P<path>.+)$")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
_FALLBACK_NAME = "unsorted"


def normalise_remote(url: str) -> str:
    """Reduce a remote's URL to `host/path`, the same for ssh, https, ports, users, case and a `.git` ending.

    A remote that is a folder on the same machine is no identity, and gives the empty text.
    """
    text = url.strip()
    if not text or text.startswith((".", "/", "~", "file:")) or _DRIVE.match(text):
        return ""
    scp = _SCP_FORM.match(text) if "://" not in text else None
    if scp:
        host, path = scp["host"], scp["path"]
    else:
        try:
            parts = urlsplit(text)
            host, path = parts.hostname or "", parts.path
        except ValueError:
            return ""
    path = path.strip("/").removesuffix(".git").strip("/")
    return f"{host}/{path}".lower() if host and path else ""


def list_identities(checkout: Checkout) -> tuple[str, ...]:
    """List the keys under which the checkout's project may be known, strongest first.

    A marker file stands alone: a folder that says where it belongs is never found by its repository.
    """
    if checkout.marker_project:
        workspace = checkout.marker_workspace or scope.DEFAULT_WORKSPACE
        return (f"marker:{workspace}/{checkout.marker_project}",)
    remote = normalise_remote(checkout.remote)
    keys = [f"remote:{remote}"] if remote else []
    if checkout.common_dir:
        keys.append(f"git:{_clean_path(checkout.common_dir)}")
    elif checkout.root or checkout.cwd:
        keys.append(f"folder:{_clean_path(checkout.root or checkout.cwd)}")
    return tuple(keys)


def name_project(checkout: Checkout, workspace: str, taken: Collection[str]) -> Scope:
    """Choose the scope of a new project: its marker's name, its repository's, or its folder's.

    `taken` are the names in the workspace that belong to other projects; two repositories of one base name stay
    two projects, told apart by the owner in the remote, then by a number.
    """
    if checkout.marker_project:
        try:
            return Scope(
                scope.parse_name(checkout.marker_workspace or workspace),
                scope.parse_name(checkout.marker_project),
            )
        except InvalidName:
            workspace = scope.DEFAULT_WORKSPACE
    for name in _list_names(checkout):
        if name not in taken:
            return Scope(workspace, name)
    first = _list_names(checkout)[0]
    number = next(count for count in range(2, len(taken) + 3) if f"{first}-{count}" not in taken)
    return Scope(workspace, f"{first}-{number}")


def _list_names(checkout: Checkout) -> list[str]:
    remote = normalise_remote(checkout.remote).split("/")
    names = []
    if len(remote) > 1:
        names = [remote[-1], "-".join(remote[-2:]), "-".join(remote)]
    else:
        folder = checkout.root or _owner_of(checkout.common_dir) or checkout.cwd
        names = [_clean_path(folder).rsplit("/", 1)[-1]]
    return [_to_name(name) for name in names]


def _to_name(text: str) -> str:
    slug = re.sub(r"[^\w.\-]", "-", pagepath.portable_name(text)).lstrip("-._").rstrip(".")
    try:
        return scope.parse_name(slug[: limits.NAME_CHARS_MAX].rstrip("."))
    except InvalidName:
        return _FALLBACK_NAME


def _owner_of(common_dir: str) -> str:
    return _clean_path(common_dir).removesuffix("/.git").removesuffix(".git") if common_dir else ""


def _clean_path(path: str) -> str:
    return path.replace("\\", "/").rstrip("/") or "/"
