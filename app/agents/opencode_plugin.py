"""OpenCode's plug-in: which of its callbacks and events are told to the hook client, and how a brief gets in."""

from app.agents import plugin_sender
from app.agents.agent import Link
from app.domain.event import AgentName

_BODY = r"""
// What is heavy in a tool's answer and tells nothing that its input and output do not.
const HEAVY = ["diff", "filediff", "files", "preview", "output", "diagnostics", "todos", "matches"];

const guard = (work) => async (...given) => {
  try {
    return await work(...given);
  } catch {}
};

const ASK_MS = 1000;
const started = Date.now();

export const Memwiki = async ({ client, directory }) => {
  // Each session that was heard of here: its parent, if a helper's, and the brief that it was answered with.
  const sessions = new Map();
  const said = new Map();
  // Sessions that are being compacted: what the model says then is the summary.
  const summaries = new Map();
  const mode = process.argv.slice(2, 4).includes("run") ? "run" : "";

  const envelope = (id) => {
    const known = sessions.get(id) ?? {};
    const about = { session_id: id, cwd: known.cwd || directory };
    if (known.parent) Object.assign(about, { agent_id: id, parent_session_id: known.root });
    return about;
  };

  const begin = (id, event, info, extra) => {
    const parent = info?.parentID;
    const root = parent ? (sessions.get(parent)?.root ?? parent) : id;
    const session = { parent, root, cwd: info?.directory, brief: Promise.resolve("") };
    sessions.set(id, session);
    const told = send(event, { ...envelope(id), ...(mode && { mode }), ...extra });
    if (!parent) session.brief = within(told, START_MS);
  };

  // Events come when they come: the first callback of a session may be ahead of its creation. A session that began in
  // another run of OpenCode is not told of at all when it goes on.
  const meet = async (id) => {
    if (!id || sessions.has(id)) return;
    const asked = client?.session?.get?.({ path: { id } }) ?? Promise.resolve();
    const info = (await within(Promise.resolve(asked), ASK_MS))?.data;
    if (sessions.has(id)) return;
    if (info?.time?.created >= started) begin(id, "session.created", info, { properties: { info } });
    else begin(id, "session.resumed", info, { source: "resume" });
  };

  const tell = async (id, event, extra) => {
    await meet(id);
    send(event, { ...envelope(id), ...extra });
  };

  const end = (id, event, extra) => {
    const session = sessions.get(id);
    if (session && !session.parent) send(event, { ...envelope(id), ...extra });
    sessions.delete(id);
    said.delete(id);
  };

  const lighten = (output) => {
    if (!output?.metadata || typeof output.metadata !== "object") return output;
    const kept = Object.entries(output.metadata).filter(([name]) => !HEAVY.includes(name));
    return { ...output, metadata: Object.fromEntries(kept) };
  };

  const listen = async ({ event }) => {
    const about = event?.properties ?? {};
    const id = about.sessionID ?? about.info?.id;
    switch (event?.type) {
      case "session.created":
        if (!sessions.has(about.info?.id)) begin(about.info?.id, "session.created", about.info, { ...event });
        break;
      case "session.idle":
        if (!sessions.has(id) || summaries.has(id)) break;
        send("session.idle", { ...envelope(id), ...event, last_assistant_message: said.get(id) });
        said.delete(id);
        break;
      case "session.compacted":
        await tell(id, "session.compacted", { ...event, compact_summary: summaries.get(id) });
        summaries.delete(id);
        break;
      case "session.deleted":
        end(id, "session.deleted", event);
        break;
      case "message.part.updated":
        if (about.part?.type === "tool" && about.part.state?.status === "error") {
          await tell(about.part.sessionID, "tool.execute.error", event);
        }
    }
  };

  return {
    event: guard(listen),
    "chat.message": guard((input, output) => tell(input.sessionID, "chat.message", { input, output })),
    "tool.execute.before": guard((input, output) => {
      // The arguments stand where a policy looks for them.
      return tell(input.sessionID, "tool.execute.before", { input: { ...input, args: output.args } });
    }),
    "tool.execute.after": guard((input, output) => {
      return tell(input.sessionID, "tool.execute.after", { input, output: lighten(output) });
    }),
    "experimental.session.compacting": guard((input) => void summaries.set(input.sessionID, "")),
    "experimental.text.complete": guard((input, output) => {
      const texts = summaries.has(input.sessionID) ? summaries : said;
      texts.set(input.sessionID, String(output.text ?? "").slice(0, SAID_MAX));
    }),
    "experimental.chat.system.transform": guard(async (input, output) => {
      // A session's title and summary are asked for in its name as well.
      const isTitle = output.system.some((text) => /^You are a title generator/.test(text));
      if (isTitle || summaries.has(input.sessionID)) return;
      await meet(input.sessionID);
      const text = await sessions.get(input.sessionID)?.brief;
      if (text) output.system.push(text);
    }),
    dispose: guard(async () => {
      for (const id of [...sessions.keys()]) end(id, "session.ended", { reason: "dispose" });
      await drain();
    }),
  };
};
"""


def render(link: Link) -> str:
    """Write the plug-in for the calls of a link."""
    return plugin_sender.render(AgentName.OPENCODE, link, _BODY)
