"""pi's extension: which of its events are told to the hook client, and how a brief gets in; omp's is the same."""

from app.agents import plugin_sender
from app.agents.agent import Link
from app.domain.event import AgentName

_BODY = r"""
const guard = (work) => async (event, context) => {
  try {
    return await work(event, context);
  } catch {}
};

const envelope = (context) => {
  const sessions = context?.sessionManager;
  return {
    session_id: sessions?.getSessionId?.(),
    cwd: context?.cwd ?? sessions?.getCwd?.() ?? process.cwd(),
    transcript_path: sessions?.getSessionFile?.(),
    ...(context?.mode && { mode: context.mode }),
  };
};

const read = (content) => {
  if (!Array.isArray(content)) return String(content ?? "");
  return content.flatMap((part) => (part?.type === "text" ? [part.text] : [])).join("\n");
};

// Pictures and whole conversations stay where they are.
const lighten = ({ images, details, messages, preparation, branchEntries, signal, ...event }) => event;

export default function memwiki(pi) {
  let brief = Promise.resolve("");
  let said = "";
  const tell = (event, context, extra) => send(event.type, { ...envelope(context), ...lighten(event), ...extra });
  const on = (name, work) => pi.on(name, guard(work));

  on("session_start", (event, context) => {
    said = "";
    // After a reload the same session goes on, and has its brief.
    if (event.reason !== "reload") brief = within(tell(event, context), START_MS);
  });
  on("before_agent_start", async () => {
    const text = await brief;
    brief = Promise.resolve("");
    if (text) return { message: { customType: "memwiki-brief", content: text, display: false } };
  });
  on("message_end", (event) => {
    if (event.message?.role === "assistant") said = read(event.message.content).slice(0, SAID_MAX) || said;
  });
  on("input", (event, context) => void tell(event, context));
  on("tool_call", (event, context) => void tell(event, context));
  on("tool_result", (event, context) => void tell(event, context));
  on("session_compact", ({ compactionEntry, ...event }, context) => {
    tell(event, context, { compact_summary: compactionEntry?.summary });
  });
  on("agent_settled", (event, context) => {
    tell(event, context, { last_assistant_message: said });
    said = "";
  });
  on("session_shutdown", async (event, context) => {
    if (event.reason !== "reload") tell(event, context);
    await drain();
  });
}
"""


def render(link: Link, agent: AgentName = AgentName.PI) -> str:
    """Write the extension for the calls of a link."""
    return plugin_sender.render(agent, link, _BODY)
