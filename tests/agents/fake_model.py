"""Stands in for a provider of models on loopback: says what a test has written down, and keeps all that it was sent.

It speaks the four wire formats that coding agents use: Anthropic's messages, OpenAI's responses and chat completions,
and Gemini's contents; streamed where that is asked for.
"""

import gzip
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
HOLD_SECONDS_MAX = 400


@dataclass(frozen=True)
class Call:
    """The model asks for a tool, which OpenAI's responses may name in two parts."""

    tool: str
    arguments: Json
    namespace: str = ""


@dataclass(frozen=True)
class Say:
    """The model answers, which ends its turn."""

    text: str


@dataclass(frozen=True)
class Hold:
    """The model thinks until something else has happened, and then does a step."""

    until: threading.Event
    then: Call | Say


Step = Call | Say
# The events of a stream, each with its name where it has one.
Stream = Iterator[tuple[str, Json | str]]


@dataclass
class FakeModel:
    """What the model is to say next, and every request that it got; side requests without tools use up no step."""

    url: str
    steps: list[Step | Hold] = field(default_factory=list)
    requests: list[Json] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _calls: int = 0

    def play(self, steps: Sequence[Step | Hold]) -> None:
        """Begin a new script, and forget what was asked before."""
        with self._lock:
            self.steps[:] = steps
            self.requests.clear()

    def list_told(self) -> list[str]:
        """List the requests of the conversation itself, each as its JSON text."""
        with self._lock:
            return [json.dumps(request, ensure_ascii=False) for request in self.requests if request.get("tools")]

    def answer(self, request: Json) -> tuple[Step, str]:
        """Take the next step for a request, with an id for a call."""
        with self._lock:
            self.requests.append(request)
            self._calls += 1
            step = self.steps.pop(0) if request.get("tools") and self.steps else Say("Done.")
            call_id = f"call_{self._calls:06}"
        if isinstance(step, Hold):
            assert step.until.wait(HOLD_SECONDS_MAX), "nothing ended the model's thinking"
            step = step.then
        return step, call_id


@contextmanager
def run_model() -> Iterator[FakeModel]:
    """Run a model on a port of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Talk)
    server.daemon_threads = True
    model = FakeModel(f"http://127.0.0.1:{server.server_address[1]}")
    server.model = model  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Talk(BaseHTTPRequestHandler):
    """One connection of an agent."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_args: object) -> None:
        """Say nothing on the terminal."""

    def do_GET(self) -> None:
        """List one model, for agents that look."""
        self._send_json({"object": "list", "data": [{"id": "fake-model", "object": "model"}], "models": []})

    def do_POST(self) -> None:
        """Answer in the format that the path names."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        request = json.loads(body or b"{}")
        path = self.path.partition("?")[0]
        render = next((render for ending, render in _FORMATS.items() if path.endswith(ending)), None)
        if render is None:
            self._send_json({"input_tokens": 10, "totalTokens": 10})
            return
        step, call_id = self.server.model.answer(request)  # type: ignore[attr-defined]
        events = list(render(step, call_id))
        if request.get("stream") or path.endswith(":streamGenerateContent"):
            self._send(_render_stream(events), "text/event-stream")
        else:
            self._send_json(_WHOLE[render](step, call_id))

    def _send_json(self, answer: Json) -> None:
        self._send(json.dumps(answer).encode(), "application/json")

    def _send(self, body: bytes, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _render_stream(events: Sequence[tuple[str, Json | str]]) -> bytes:
    lines = []
    for name, value in events:
        lines.append(f"event: {name}\n" if name else "")
        lines.append(f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n")
    return "".join(lines).encode()


def _message(step: Step, call_id: str) -> Json:
    """Build Anthropic's message."""
    block: Json = {"type": "text", "text": step.text} if isinstance(step, Say) else {
        "type": "tool_use", "id": f"toolu_{call_id}", "name": step.tool, "input": step.arguments,
    }  # fmt: skip
    return {
        "id": f"msg_{call_id}", "type": "message", "role": "assistant", "model": "fake-model", "content": [block],
        "stop_reason": "end_turn" if isinstance(step, Say) else "tool_use", "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }  # fmt: skip


def _stream_message(step: Step, call_id: str) -> Stream:
    message = _message(step, call_id)
    [block] = message["content"]
    if isinstance(step, Say):
        opened, delta = {**block, "text": ""}, {"type": "text_delta", "text": step.text}
    else:
        opened, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(step.arguments)}
    begun = {**message, "content": [], "stop_reason": None}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_start", {"type": "message_start", "message": begun}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": opened}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    yield "message_delta", {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 10}}
    yield "message_stop", {"type": "message_stop"}


def _response(step: Step, call_id: str) -> Json:
    """Build OpenAI's response."""
    item: Json
    if isinstance(step, Say):
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        item = {"type": "message", "id": f"msg_{call_id}", "role": "assistant", "content": content}
    else:
        item = {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": step.tool}
        item |= {"arguments": json.dumps(step.arguments)} | ({"namespace": step.namespace} if step.namespace else {})
    usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
    return {
        "id": f"resp_{call_id}", "object": "response", "status": "completed", "model": "fake-model",
        "output": [{**item, "status": "completed"}], "usage": usage,
    }  # fmt: skip


def _stream_response(step: Step, call_id: str) -> Stream:
    response = _response(step, call_id)
    [item] = response["output"]
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"type": "response.created", "response": begun}
    yield "response.output_item.added", {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield "response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield "response.completed", {"type": "response.completed", "response": response}


def _completion(step: Step, call_id: str) -> Json:
    """Build OpenAI's chat completion."""
    return {
        "id": f"chatcmpl-{call_id}", "object": "chat.completion", "created": 0, "model": "fake-model",
        "choices": [{"index": 0, "message": _speak(step, call_id), "finish_reason": _finish(step)}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
    }  # fmt: skip


def _stream_completion(step: Step, call_id: str) -> Stream:
    chunk = {**_completion(step, call_id), "object": "chat.completion.chunk"}
    usage = chunk.pop("usage")
    first = {"index": 0, "delta": _speak(step, call_id), "finish_reason": None}
    yield "", {**chunk, "choices": [first]}
    yield "", {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": _finish(step)}]}
    yield "", {**chunk, "choices": [], "usage": usage}
    yield "", "[DONE]"


def _speak(step: Step, call_id: str) -> Json:
    if isinstance(step, Say):
        return {"role": "assistant", "content": step.text}
    function = {"name": step.tool, "arguments": json.dumps(step.arguments)}
    call = {"index": 0, "id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _finish(step: Step) -> str:
    return "stop" if isinstance(step, Say) else "tool_calls"


def _content(step: Step, _call_id: str) -> Json:
    """Build Gemini's content."""
    part: Json = {"text": step.text} if isinstance(step, Say) else {
        "functionCall": {"name": step.tool, "args": step.arguments},
    }  # fmt: skip
    return {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
    }


def _stream_content(step: Step, call_id: str) -> Stream:
    yield "", _content(step, call_id)


_FORMATS: dict[str, Callable[[Step, str], Stream]] = {
    "/messages": _stream_message,
    "/responses": _stream_response,
    "/chat/completions": _stream_completion,
    ":generateContent": _stream_content,
    ":streamGenerateContent": _stream_content,
}
_WHOLE: dict[Callable[[Step, str], Stream], Callable[[Step, str], Json]] = {
    _stream_message: _message,
    _stream_response: _response,
    _stream_completion: _completion,
    _stream_content: _content,
}
