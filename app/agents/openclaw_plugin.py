"""OpenClaw's plug-in: which of its hooks are told to the hook client, and how a brief gets in."""

from app.agents import plugin_sender
from app.agents.agent import Link
from app.domain.event import AgentName

_BODY = r"""
const read = (messages) => {
  const last = [...(messages ?? [])].reverse().find((message) => message?.role === "assistant");
  if (typeof last?.content === "string") return last.content.slice(0, SAID_MAX);
  const parts = Array.isArray(last?.content) ? last.content : [];
  return parts.flatMap((part) => (part?.type === "text" ? [part.text] : [])).join("\n").slice(0, SAID_MAX);
};

// Whole conversations and what OpenClaw knows of itself stay where they are.
const lighten = ({ messages, context, sessionFile, sessionId, ...event }) => event;

export default {
  id: "memwiki",
  name: "memwiki",
  register(api) {
    const briefs = new Map();
    const tell = (name, event, context, extra) =>
      send(name, {
        session_id: context?.sessionId ?? event?.sessionId ?? context?.sessionKey,
        sessionKey: context?.sessionKey,
        agentId: context?.agentId,
        cwd: context?.workspaceDir ?? process.cwd(),
        ...lighten(event ?? {}),
        ...extra,
      });
    const on = (name, work) =>
      api.on(name, async (event, context) => {
        try {
          return await work(event, context);
        } catch {}
      });

    on("session_start", (event, context) => {
      const id = context?.sessionId ?? event?.sessionId;
      briefs.set(id, within(tell("session_start", event, context), START_MS));
    });
    on("before_prompt_build", async (event, context) => {
      void tell("before_prompt_build", event, context);
      const brief = briefs.get(context?.sessionId);
      briefs.delete(context?.sessionId);
      const text = await brief;
      if (text) return { prependContext: text };
    });
    on("after_tool_call", (event, context) => void tell("after_tool_call", event, context));
    on("after_compaction", (event, context) => void tell("after_compaction", event, context));
    on("agent_end", (event, context) =>
      void tell("agent_end", event, context, { last_assistant_message: read(event?.messages) }));
    on("session_end", async (event, context) => {
      // A compaction in the middle of a conversation ends nothing.
      if (event?.reason !== "compaction") tell("session_end", event, context);
      await drain();
    });
  },
};
"""


def render(link: Link) -> str:
    """Write the plug-in for the calls of a link."""
    return plugin_sender.render(AgentName.OPENCLAW, link, _BODY)
