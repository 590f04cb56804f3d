"""The part of every generated plug-in that hands events to the hook client, and what its text is filled in with.

A plug-in sends nothing itself: the client knows the folder's policy, takes secrets out, finds out where the session
works and keeps what the server cannot take. So each event is given to it as hooks are, by a process of its own, one
after the other and in the background; only the text that a session's start is answered with is waited for, and not
for long.
"""

import json
from collections.abc import Mapping

from app.agents import own_files
from app.agents.agent import HOOK_SECONDS, HookCall, Link
from app.domain.event import AgentName

_COMMENT = "//"
# The client itself gives up within a second; this is for a machine that hardly gets to run it, as with hooks.
_START_MS = HOOK_SECONDS * 1000

_SENDER = r"""
import { spawn, spawnSync } from "node:child_process";

// What to run for each event: the hook client, which knows the folder's policy, redacts, and keeps what cannot be sent.
const CALLS = @CALLS@;
const START_MS = @START_MS@;
const CLOSE_MS = 3000;
const RUN_MS = 10000;
const WAITING_MAX = 1000;
const SAID_MAX = 32768;

const waiting = [];
let isRunning = false;
let idle = [];

// Hand an event over, after those before it; the promise has what the client printed. Nothing here fails or blocks.
function send(event, payload) {
  return new Promise((resolve) => {
    try {
      if (!CALLS[event] || waiting.length >= WAITING_MAX) return resolve("");
      const body = JSON.stringify({ ...payload, hook_event_name: event, timestamp: new Date().toISOString() });
      waiting.push({ event, body, resolve, isHanded: false });
      runNext();
    } catch {
      resolve("");
    }
  });
}

function runNext() {
  if (isRunning) return;
  if (!waiting.length) {
    for (const done of idle.splice(0)) done();
    return;
  }
  isRunning = true;
  const item = waiting[0];
  let text = "";
  let isDone = false;
  const finish = (printed) => {
    if (isDone) return;
    isDone = true;
    isRunning = false;
    if (waiting[0] === item) waiting.shift();
    item.resolve(printed);
    runNext();
  };
  try {
    const [program, ...words] = CALLS[item.event];
    const isPosix = process.platform !== "win32";
    // A group of its own, so that what ends the agent does not end an event on its way.
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], detached: isPosix, windowsHide: true });
    const limit = setTimeout(() => finish(""), RUN_MS);
    limit.unref?.();
    child.on("error", () => finish(""));
    child.on("close", () => {
      clearTimeout(limit);
      finish(text);
    });
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.stdin.on("error", () => {});
    child.stdin.end(item.body, () => {
      item.isHanded = true;
    });
  } catch {
    finish("");
  }
}

// Wait until everything is handed over, or until the time is up.
function drain() {
  if (!isRunning && !waiting.length) return Promise.resolve();
  return within(new Promise((resolve) => idle.push(resolve)), CLOSE_MS);
}

function within(promise, milliseconds) {
  return new Promise((resolve) => {
    const limit = setTimeout(() => resolve(""), milliseconds);
    promise.then(
      (value) => {
        clearTimeout(limit);
        resolve(value);
      },
      () => resolve(""),
    );
  });
}

// What is left when the process ends; an event whose bytes the client already has is not given twice.
process.on("exit", () => {
  for (const item of waiting.splice(0)) {
    if (item.isHanded) continue;
    try {
      const [program, ...words] = CALLS[item.event];
      const stdio = ["pipe", "ignore", "ignore"];
      spawnSync(program, words, { input: item.body, stdio, timeout: CLOSE_MS, windowsHide: true });
    } catch {}
  }
});
"""


def render(agent: AgentName, link: Link, body: str) -> str:
    """Write a plug-in: the line by which it is ours, the part that sends, and the agent's own part."""
    sender = _SENDER.replace("@CALLS@", _render_calls(link.calls)).replace("@START_MS@", str(_START_MS))
    return f"{own_files.render_mark(agent, _COMMENT)}\n{sender}{body}"


def is_own(agent: AgentName, text: str) -> bool:
    """Tell a plug-in of ours by its line."""
    return own_files.has_mark(agent, _COMMENT)(text)


def _render_calls(calls: Mapping[str, HookCall]) -> str:
    """Write the calls as an object of lists; JSON is a part of the language but for two line ends."""
    listed = {event: list(call) for event, call in calls.items() if isinstance(call, tuple)}
    return json.dumps(listed, indent=2)
