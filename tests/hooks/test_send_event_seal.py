"""The spool under a key: what waits cannot be read without it, arrives as ever, and is never in clear unsaid."""

import base64
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.capture import client_seal
from tests.hooks.conftest import PAYLOAD, Client, Loopback

Serve = Callable[..., Loopback]
SEALED = re.compile(rb'(\{"at": \d+, "sealed": "([0-9a-f]{16})\.)([A-Za-z0-9+/=]+)"\}')
OLD, NEW = bytes(range(32)), bytes(range(32, 64))
WORD = "zebra"


def write_keys(client: Client, *lines: bytes | str) -> Path:
    path = client.spool.parent / "spool.key"
    path.parent.mkdir(parents=True, exist_ok=True)
    shown = [line if isinstance(line, str) else base64.b64encode(line).decode() for line in lines]
    path.write_text("\n".join([*shown, ""]), encoding="ascii")
    path.chmod(0o600)
    return path


def read_spool(client: Client) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(client.spool.glob("events*")))


def keep(client: Client, url: str, rank: int) -> None:
    client.send(url, payload=PAYLOAD | {"prompt": WORD, "rank": rank})


def test_what_waits_under_a_key_is_sealed_by_aes_gcm(client: Client, closed_url: str) -> None:
    write_keys(client, NEW)

    keep(client, closed_url, 1)

    [(bound, key_id, packed)] = SEALED.findall(read_spool(client))
    opened = base64.b64decode(packed)
    entry = json.loads(AESGCM(NEW).decrypt(opened[:12], opened[12:], bound))
    assert entry["payload"]["prompt"] == WORD
    assert WORD.encode() not in b"".join(path.read_bytes() for path in client.spool.iterdir())
    assert key_id.decode() == client_seal.name_key(NEW)


def test_what_was_sealed_arrives_once_in_order_over_a_change_of_keys(
    serve: Serve, client: Client, closed_url: str
) -> None:
    keep(client, closed_url, 0)
    write_keys(client, OLD)
    keep(client, closed_url, 1)
    write_keys(client, NEW, OLD)
    keep(client, closed_url, 2)
    server = serve()

    client.send(server.url, "SessionStart")
    assert client.wait_until_empty()
    client.wait_for_events(server, 4)

    ranks = {event["key"]: event["payload"].get("rank") for event in server.list_events()}
    assert [rank for rank in ranks.values() if rank is not None] == [0, 1, 2]
    assert client.count_lost() == 0


@pytest.mark.parametrize("is_changed", [True, False], ids=["another time", "another key"])
def test_what_cannot_be_opened_is_set_aside_and_counted(
    serve: Serve, client: Client, closed_url: str, *, is_changed: bool
) -> None:
    write_keys(client, NEW)
    keep(client, closed_url, 1)
    path = client.spool / "events.jsonl"
    if is_changed:
        path.write_bytes(path.read_bytes().replace(b'"at": 1', b'"at": 2', 1))
    else:
        write_keys(client, OLD)
    server = serve()

    client.send(server.url, "SessionStart")
    assert client.wait_until_empty()

    assert SEALED.search(b"".join(path.read_bytes() for path in client.spool.glob("*.locked")))
    assert client.count_lost() == 1
    assert 1 not in [event["payload"].get("rank") for event in server.list_events()]


def test_an_event_that_cannot_be_sealed_is_kept_in_clear_and_told(client: Client, closed_url: str) -> None:
    write_keys(client, "no key")

    keep(client, closed_url, 1)

    assert client.wait_for_entries(1)[0]["payload"]["prompt"] == WORD
    assert (client.spool / "unsealed").read_bytes() == b"1\n"
    assert "kept in clear" in (client.spool / "hook.log").read_text(encoding="utf-8")


def test_where_sealing_is_required_nothing_is_kept_in_clear(client: Client, closed_url: str) -> None:
    write_keys(client, "required")

    keep(client, closed_url, 1)

    assert read_spool(client) == b""
    assert client.count_lost() == 1
    assert "may not be kept in clear" in (client.spool / "hook.log").read_text(encoding="utf-8")


def test_a_key_file_elsewhere_is_used_where_it_is_named(client: Client, closed_url: str, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere.key"
    write_keys(client, NEW).rename(moved)
    client.environ["MEMWIKI_SPOOL_KEY_FILE"] = str(moved)

    keep(client, closed_url, 1)

    assert SEALED.search(read_spool(client))


def test_a_python_without_a_cipher_says_so() -> None:
    hidden = "import sys; sys.modules['_hashlib'] = None; from app.capture import client_seal"
    code = f"{hidden}; print(client_seal.load_cipher())"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "None"
