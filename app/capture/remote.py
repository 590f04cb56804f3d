"""One spelling for each remote repository, whichever protocol, port, user and letters its URL has."""

import re
from urllib.parse import unquote, urlsplit

_SCP_FORM = re.compile(r"^(?:[^@/\s\[]+@)?(?P<host>\[[^\]\s]+\]|[^:/\s\[\]@]+):(?!//)(?P<path>.+)$")
_HELPER = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*::")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
_AZURE_PATH = re.compile(r"^(?:v3/)?([^/]+)/([^/]+)/(?:_git/)?([^/]+)$")
_LOOPBACK = re.compile(r"^(?:localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0|.*\.localhost)$")

# Further names of forges, under which they take the same repositories.
_OTHER_NAMES = {
    "www.github.com": "github.com",
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
}


def normalise_remote(url: str, machine: str = "") -> str:
    """Reduce a remote's URL to `host/path`.

    A remote that is a folder on the same machine is no identity, and gives the empty text; a server on the same
    machine is known by its port, and only there.
    """
    text = _HELPER.sub("", url.strip())
    if not text or text.startswith((".", "/", "\\", "~", "file:")) or _DRIVE.match(text):
        return ""
    scp = _SCP_FORM.match(text) if "://" not in text else None
    if scp:
        (host, port), path = _split_host(scp["host"]), scp["path"]
    else:
        try:
            parts = urlsplit(text)
            host, port, path = parts.hostname or "", str(parts.port or ""), parts.path
        except ValueError:
            return ""
    host = _OTHER_NAMES.get(host.lower().rstrip("."), host.lower().rstrip("."))
    path = _tidy_path(unquote(path))
    if host == "dev.azure.com":
        path = _AZURE_PATH.sub(r"\1/\2/\3", path)
    if not host or not path:
        return ""
    return f"{machine.casefold()}@{host}:{port}/{path}" if _LOOPBACK.match(host) else f"{host}/{path}"


def find_path(normalised: str) -> list[str]:
    """Split a normalised remote into its host and the names in its path; empty for none."""
    return normalised.rpartition("@")[2].split("/") if normalised else []


def _split_host(text: str) -> tuple[str, str]:
    """Split `host`, `[host:port]` or `[address]`."""
    inner = text.strip("[]")
    host, colon, port = inner.rpartition(":")
    is_port = bool(colon) and port.isdigit() and ":" not in host
    return (host.rpartition("@")[2], port) if is_port else (inner.rpartition("@")[2], "")


def _tidy_path(path: str) -> str:
    names = [name for name in path.lower().replace("\\", "/").split("/") if name not in {"", "."}]
    return "/".join(names).removesuffix("/.git").removesuffix(".git").strip("/")
