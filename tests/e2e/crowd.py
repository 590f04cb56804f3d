"""Many clients at once, on connections that cost the test little."""

import asyncio
import contextlib
import http.client
import itertools
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.e2e.sessions import SentEvent
from tests.server import WAIT_SECONDS_MAX, Server, build_headers

_MCP_HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}


@dataclass(slots=True)
class Outcome:
    """What became of the events of a crowd: acknowledged, refused (status and body), or cut off."""

    acknowledged: set[SentEvent] = field(default_factory=set)
    refused: list[tuple[int, str]] = field(default_factory=list)
    cut_off: set[SentEvent] = field(default_factory=set)


class EventCrowd:
    """Threads that send events, each its own in order, until they have none left or the server is gone."""

    def __init__(self, server: Server, queues: Sequence[Sequence[SentEvent]]) -> None:
        self.outcome = Outcome()
        self._address = urlsplit(server.url).netloc
        self._changed = threading.Condition()
        self._threads = [threading.Thread(target=self._send_all, args=(queue,)) for queue in queues]

    def start(self) -> None:
        """Begin to send."""
        for thread in self._threads:
            thread.start()

    def wait_for_acknowledged(self, count: int) -> None:
        """Wait until so many events have been acknowledged."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.outcome.acknowledged) >= count, WAIT_SECONDS_MAX)

    def join(self) -> Outcome:
        """Wait until every thread has ended."""
        for thread in self._threads:
            thread.join(WAIT_SECONDS_MAX * 2)
            assert not thread.is_alive()
        return self.outcome

    def _send_all(self, events: Sequence[SentEvent]) -> None:
        connection = http.client.HTTPConnection(self._address, timeout=WAIT_SECONDS_MAX)
        try:
            for event in events:
                self._send(connection, event)
        except (OSError, http.client.HTTPException):
            with self._changed:
                self.outcome.cut_off |= set(events) - self.outcome.acknowledged
        finally:
            connection.close()

    def _send(self, connection: http.client.HTTPConnection, event: SentEvent) -> None:
        headers = {"Content-Type": "application/json", **build_headers(event.key, event.checkout)}
        target = "/hook?" + urlencode({"agent": event.agent, "event": event.event})
        connection.request("POST", target, json.dumps(event.payload), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        with self._changed:
            if answer.status == http.client.ACCEPTED:
                self.outcome.acknowledged.add(event)
            else:
                self.outcome.refused.append((answer.status, text))
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer."""

    status: int
    text: str

    def read(self) -> dict[str, Any]:
        """Read it as JSON."""
        found: dict[str, Any] = json.loads(self.text)
        return found


class Caller:
    """One client on one connection that stays open; connects again where the server has gone and come back."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url).netloc
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._numbers = itertools.count(1)

    async def call(self, method: str, target: str, body: object = None, headers: dict[str, str] | None = None) -> Reply:
        """Ask once; a connection that breaks is an OSError."""
        content = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {target} HTTP/1.1", f"Host: {self._address}", f"Content-Length: {len(content)}"]
        head += ["Content-Type: application/json", *(f"{name}: {value}" for name, value in (headers or {}).items())]
        try:
            async with asyncio.timeout(WAIT_SECONDS_MAX):
                return await self._exchange("\r\n".join([*head, "", ""]).encode() + content)
        except (OSError, asyncio.IncompleteReadError) as error:
            await self.close()
            raise ConnectionError(str(error)) from error

    async def call_patiently(
        self, method: str, target: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Reply:
        """Ask until there is an answer, as a client does that outlives the server."""
        async with asyncio.timeout(WAIT_SECONDS_MAX):
            while True:
                try:
                    return await self.call(method, target, body, headers)
                except ConnectionError:
                    await asyncio.sleep(0.05)

    async def call_tool(self, name: str, arguments: dict[str, object]) -> Reply:
        """Call an MCP tool; the reply's status is 200 for a result and 400 for a tool's error."""
        request = {"jsonrpc": "2.0", "id": next(self._numbers), "method": "tools/call"}
        params = {"name": name, "arguments": arguments}
        reply = await self.call_patiently("POST", "/mcp", {**request, "params": params}, _MCP_HEADERS)
        assert reply.status == http.client.OK, reply.text
        result = reply.read()["result"]
        text = "\n".join(part["text"] for part in result["content"])
        return Reply(400 if result.get("isError") else 200, text)

    async def send(self, event: SentEvent) -> Reply:
        """Send an event as the hook client does."""
        target = "/hook?" + urlencode({"agent": event.agent, "event": event.event})
        headers = build_headers(event.key, event.checkout)
        return await self.call_patiently("POST", target, event.payload, headers)

    async def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            writer, self._streams = self._streams[1], None
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _exchange(self, request: bytes) -> Reply:
        if self._streams is None:
            host, _, port = self._address.rpartition(":")
            self._streams = await asyncio.open_connection(host, int(port), limit=4 * 1024 * 1024)
        reader, writer = self._streams
        writer.write(request)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        return Reply(int(lines[0].split()[1]), body.decode())


def run_together(url: str, count: int, work: Callable[[int, Caller], Any]) -> list[Any]:
    """Run `work` for so many clients at once, and give back what each came to."""

    async def run() -> list[Any]:
        callers = [Caller(url) for _ in range(count)]
        try:
            return list(await asyncio.gather(*(work(number, caller) for number, caller in enumerate(callers))))
        finally:
            for caller in callers:
                await caller.close()

    return asyncio.run(run())
