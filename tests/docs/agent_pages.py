"""Writes the support matrix and a page for each agent from the same table that the installer reads."""

from collections.abc import Iterator, Mapping

from app.agents import launch, registry
from app.agents.agent import Agent, BriefPoint, Evidence, EvidenceKind, TokenUse, Wiring
from app.agents.places import Site, WiringScope

INDEX = "README.md"
_HOME, _PROJECT = "~", "PROJECT"
_POINTS = {
    BriefPoint.SESSION_START: "at the session's start",
    BriefPoint.FIRST_PROMPT: "with the first prompt",
    BriefPoint.FIRST_TOOL_RESULT: "with the first tool's result",
    BriefPoint.PLUGIN: "by our plug-in",
    BriefPoint.ON_REQUEST: "when it asks, by MCP",
}
_TOKENS = {
    TokenUse.ENV: "The MCP entry names the variable `MEMWIKI_ACCESS_TOKEN`; the token itself stands in no file.",
    TokenUse.LITERAL: "The agent knows no reference to a variable: the token stands in its file, then yours alone.",
    TokenUse.BRIDGE: "The MCP entry starts `memwiki mcp-stdio`, which finds the token itself.",
}
_INTRO = """# Agents

What memwiki knows of each coding agent, written from the table that the installer itself reads. *Verified* means that
this release of the agent was run with our hooks; *from documentation* that it was wired by what its makers say, and may
differ in places, *payloads assumed* that nothing was found of what its hooks are given, so that fields are looked for
under the names that others use; *MCP only* that it reads and writes the memory, while nothing of its sessions is
recorded by itself.

    memwiki install                      which agents are here
    memwiki install NAME                 what would change
    memwiki install NAME --apply         write it
    memwiki install --detected --apply   every agent that is here
    memwiki doctor agents                whether it works
    memwiki uninstall --all --apply      leave no trace

Comments and other people's entries stay where they are; what was there before is kept beside each file, and comes back
to the byte. `--scope project` wires one repository, `--instructions` and `--skills` tell the agent when to use the
memory, `--with-token` says that the server wants an access token and `--keep-token` keeps it in a file for the hooks.

Hooks run a small client, which spools while the server is away; `--http-hooks` has agents that can post events do so
themselves. Hooks of the type `mcp_tool`, which Codex and Claude Code know, are not used: [what was seen of
them](../decisions/0024-no-hooks-that-call-a-tool.md).
"""


def build_pages() -> Mapping[str, str]:
    """Build every page by its file's name."""
    pages = {f"{agent.name.value}.md": _render_page(agent) for agent in registry.AGENTS}
    return {INDEX: _render_index(), **pages}


def _render_index() -> str:
    rows = ["| Agent | Wiring is | Recorded | Brief arrives | Project scope |", "|---|---|---|---|---|"]
    for agent in registry.AGENTS:
        traits = agent.traits
        cells = (
            f"[{agent.title}]({agent.name.value}.md)",
            _say_evidence(traits.evidence),
            "yes" if _is_recorded(agent) else "no",
            _POINTS[traits.brief.point],
            "yes" if WiringScope.PROJECT in traits.scopes else "no",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return f"{_INTRO}\n" + "\n".join(rows) + "\n"


def _render_page(agent: Agent) -> str:
    sections = [
        f"# {agent.title}",
        f"`{agent.name.value}` · {_say_evidence(agent.traits.evidence)} · [all agents]({INDEX})",
        f"    memwiki install {agent.name.value} --apply\n    memwiki doctor {agent.name.value}",
        _render_list("What is written", _list_files(agent)),
        _render_list("What is recorded", _list_recorded(agent)),
        _render_list("When the brief arrives", _list_brief(agent)),
        _render_list("Start and go on", list(_list_starts(agent))),
        _render_list("Token", [_TOKENS[agent.traits.token]]),
        _render_list("To know", [*agent.traits.install_notes, *agent.traits.doctor_notes, *_list_readers(agent)]),
        _render_list("Limits", _list_limits(agent)),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _list_starts(agent: Agent) -> Iterator[str]:
    known, binaries = agent.traits.launch, agent.traits.binaries
    if known is None or not binaries:
        yield "It is not started by `memwiki run`."
        return
    program = known.program or binaries[0]
    yield f"`memwiki run {agent.name.value}` starts `{program}` and ends its session when it ends."
    words = " ".join((program, *launch.build_resume(known, "ID")))
    yield (
        f"`memwiki continue` opens its own session by `{words}`."
        if known.resume
        else (
            "`memwiki continue` hands over what its last session left, since its sessions cannot be opened by their id."
        )
    )
    if known.read:
        yield "What its hooks missed is taken from its own transcript when it ends."


def _render_list(title: str, items: list[str]) -> str:
    lines = "\n".join(f"- {item}" for item in items)
    return f"## {title}\n\n{lines}" if items else ""


def _list_files(agent: Agent) -> list[str]:
    sites = {
        WiringScope.USER: Site(_HOME, {}),
        WiringScope.PROJECT: Site(_HOME, {}, scope=WiringScope.PROJECT, project=_PROJECT),
    }
    found = []
    for scope, site in sites.items():
        if scope in agent.traits.scopes:
            place = "for all work" if scope is WiringScope.USER else "for one project"
            found += [f"{said}, {place}" for said in _list_places(agent.list_wiring(site))]
    moved = [f"`{home.variable}`" for home in agent.traits.homes if home.variable]
    return [*found, f"A home that {', '.join(moved)} moves is found."] if moved else found


def _list_places(wiring: Wiring) -> Iterator[str]:
    for hooks in wiring.hooks:
        yield f"`{hooks.path}`: our hooks among others'"
    for file in wiring.files:
        yield f"`{file.path}`: {file.note or 'a file of ours alone'}"
    for server in wiring.mcp:
        yield f"`{server.path}`: our MCP server, at `{'.'.join(server.keys)}`"
    for snippet in wiring.snippets:
        yield f"`{snippet.path}`: printed for you to paste"


def _list_recorded(agent: Agent) -> list[str]:
    traits = agent.traits
    if not _is_recorded(agent):
        return ["Nothing by itself: the agent has to write down what matters through MCP."]
    events = ", ".join(f"`{event.name}`" for event in traits.hook_events)
    said = [f"{traits.captures[0].upper()}{traits.captures[1:]}."]
    said += [f"By the events {events}."] if events else []
    if traits.http_events:
        by_command = [event.name for event in traits.hook_events if event.name not in traits.http_events]
        but = f", all but {' and '.join(f'`{name}`' for name in by_command)}" if by_command else ""
        said.append(f"With `--http-hooks` it posts events itself{but}.")
    if not traits.has_session_end:
        said.append("It never says that a session ended: its page is written once the session has been silent.")
    if traits.one_shot.said:
        told = (
            "such a run looks at open work, and takes it only when it asks"
            if traits.one_shot.is_known
            else "such a run is not told from others, and takes open work that it is told of"
        )
        said.append(f"Runs without a person: {traits.one_shot.said}; {told}.")
    return said


def _list_brief(agent: Agent) -> list[str]:
    way = agent.traits.brief
    said = _POINTS[way.point]
    lines = [f"{said[0].upper()}{said[1:]}{f' ({way.envelope})' if way.envelope else ''}."]
    if way.point is not BriefPoint.ON_REQUEST:
        lines.append(f"At most {way.size_max:,} {way.unit.value}.")
    return lines


def _list_readers(agent: Agent) -> list[str]:
    titles = [other.title for other in registry.AGENTS if other.name in agent.traits.reads_hooks_of]
    return [f"It runs the hooks of {title} as well; what comes twice is stored once." for title in titles]


def _list_limits(agent: Agent) -> list[str]:
    return list(agent.traits.misses)


def _is_recorded(agent: Agent) -> bool:
    return bool(agent.traits.hook_events) or any(agent.list_wiring(Site(_HOME, {})).files)


def _say_evidence(evidence: Evidence) -> str:
    match evidence.kind:
        case EvidenceKind.VERIFIED:
            return f"verified with {evidence.version}"
        case EvidenceKind.DOCUMENTED:
            return "from documentation"
        case EvidenceKind.ASSUMED:
            return "from documentation, payloads assumed"
        case EvidenceKind.MCP_ONLY:
            return f"MCP only{f', verified with {evidence.version}' if evidence.version else ''}"
