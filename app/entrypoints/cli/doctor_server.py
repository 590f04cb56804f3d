"""What `memwiki doctor` asks the server: is it there, of which release, with which clock, and does MCP answer."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx2

from app import system
from app.domain import limits, limits_doctor
from app.domain.errors import AppError, ServerUnreachable
from app.entrypoints.cli import kept_token
from app.entrypoints.cli.remote import Remote, build_trust
from app.entrypoints.cli.verdicts import Check, fail, skip, tell, warn

# From this release on a WAL database survives a writer beside another connection's checkpoint.
_SQLITE_WHOLE: Final = (3, 51, 3)
_PROTOCOL: Final = "2025-06-18"


def check_server(remote: Remote) -> Iterator[Check]:
    """Check the server's answers; the first line is a failure where there are none."""
    try:
        status = remote.get("/api/v1/status")
    except ServerUnreachable as error:
        yield fail("server", str(error), "start it: memwiki serve; or name its address: --url or MEMWIKI_URL")
        return
    except AppError as error:
        yield fail("server", f"{remote.url}: {error}", "see what it says; a token is given in MEMWIKI_ACCESS_TOKEN")
        return
    own = system.find_version()
    said = f"{remote.url}, release {status['version']}"
    if status["version"] == own:
        yield tell("server", said)
    else:
        yield warn("server", f"{said}, while this is {own}", "bring both to one release, then install the hooks again")
    yield _check_sqlite(status["sqlite"])
    yield _check_vectors(status["index"]["vectors"])
    yield from (warn("server's own word", problem, "") for problem in status["problems"])
    yield from _check_clock(remote)
    yield _check_token(remote)
    yield _check_mcp(remote)


def _check_sqlite(version: str) -> Check:
    numbers = tuple(int(part) for part in version.split(".") if part.isdigit())
    if numbers >= _SQLITE_WHOLE:
        return tell("sqlite", f"{version} on the server")
    known = f"{version} on the server has a fault in its log (fixed in {'.'.join(map(str, _SQLITE_WHOLE))})"
    return warn("sqlite", known, "memwiki avoids it: one connection writes; let no other program write to state.db")


def _check_vectors(vectors: Mapping[str, Any]) -> Check:
    name = "vectors"
    if vectors["state"] == "off":
        return skip(name, "search goes by words: the extra `vectors` is not installed, or the setting is off")
    if vectors["last_error"]:
        return warn(name, f"search goes by words alone: {vectors['last_error']}", "see logs/memwiki.log on the server")
    return tell(name, f"{vectors['done']} of {vectors['total']} texts embedded by {vectors['model']}")


def _check_clock(remote: Remote) -> Iterator[Check]:
    try:
        seconds, trust = limits.DOCTOR_REQUEST_SECONDS_MAX, build_trust(remote.url)
        answer = httpx2.get(f"{remote.url}/healthz", timeout=seconds, trust_env=False, verify=trust)
        told = parsedate_to_datetime(answer.headers["date"])
    except (httpx2.HTTPError, KeyError, ValueError):
        return
    # The header is to the second, and the answer took its time.
    skew = abs((system.SystemClock().now() - told).total_seconds())
    said, advice = f"{skew:.0f} s apart from the server's", "set both clocks by the network (NTP)"
    if skew > limits.CLIENT_CLOCK_SKEW_SECONDS_MAX:
        yield fail("clock", said, advice)
    elif skew > limits.CLOCK_SKEW_SECONDS_NOTED:
        yield warn("clock", said, advice)
    else:
        yield tell("clock", said)


def _check_token(remote: Remote) -> Check:
    """Check how long the token of this machine is still good, with which its commands and hooks are let in."""
    name = "access token here"
    try:
        who = remote.get("/api/v1/whoami")
    except AppError as error:
        return skip(name, str(error))
    if not who.get("expires_at"):
        return tell(name, f"{who['person']}, without an end" if who["token_id"] else "none is needed")
    end = datetime.fromisoformat(who["expires_at"])
    said = f"{who['person']}, until {end:%Y-%m-%d}"
    if end - system.SystemClock().now() < timedelta(days=limits_doctor.TOKEN_DAYS_LEFT):
        return warn(name, said, f"memwiki login, or: memwiki token rotate {who['token_id']}")
    return tell(name, said)


def _check_mcp(remote: Remote) -> Check:
    hello = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": {"name": "memwiki doctor", "version": "1"}}
    try:
        greeted = _call_mcp(remote, "initialize", hello)
        tools = _call_mcp(remote, "tools/list", {})["tools"]
        names = sorted(tool["name"] for tool in tools)
        said = f"{greeted['serverInfo']['name']} answers with {len(names)} tools"
    except (httpx2.HTTPError, AppError, ValueError, KeyError, TypeError) as error:
        return fail("mcp", f"{remote.url}/mcp: {error or type(error).__name__}", "see logs/memwiki.log on the server")
    if "memory_search" not in names:
        return fail("mcp", f"{remote.url}/mcp has no tool memory_search", "another server may hold this address")
    return tell("mcp", said)


def _call_mcp(remote: Remote, method: str, params: Mapping[str, object]) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": _PROTOCOL}
    token = kept_token.find_token()
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    answer = httpx2.post(
        f"{remote.url}/mcp",
        json=body,
        headers=headers,
        timeout=limits.DOCTOR_REQUEST_SECONDS_MAX,
        trust_env=False,
        verify=build_trust(remote.url),
    )
    result: dict[str, Any] = answer.raise_for_status().json()["result"]
    return result
