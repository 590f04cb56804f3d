"""A server without memwiki: reads each body and answers 202, under the same uvicorn; the ceiling of ingest."""

import json
import socket
import sys
from typing import Any

import uvicorn

_BACKLOG = 2048


async def answer(scope: dict[str, Any], receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI's own types
    """Read a request to its end and accept it."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body", False):
        pass
    await send({"type": "http.response.start", "status": 202, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def main() -> None:
    """Serve on a free port of this machine, and say which in one line of JSON as `memwiki serve` does."""
    with socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG) as listener:
        sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"}) + "\n")
        sys.stdout.flush()
        config = uvicorn.Config(answer, http="httptools", ws="none", lifespan="off", access_log=False, log_config=None)
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
