"""Plans how agents are set up: their hooks, MCP entries and instructions, and the hook client that hooks run.

The client is copied to the user's data folder, so that removing a checkout or an environment breaks no agent; it
goes when the last agent is unwired. A plan changes nothing; `install_files.apply` writes it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from app.agents import registry
from app.agents.agent import Agent, Link, TokenUse
from app.agents.places import Site, WiringScope
from app.capture import client_files
from app.domain.errors import AppError, InvalidValue
from app.entrypoints.cli import entries, guidance_files, hook_client, plans
from app.entrypoints.cli.config_files import Owner
from app.entrypoints.cli.drafts import Drafts
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.plans import Plan

DEFAULT_URL = "http://127.0.0.1:7470"
_POSTS_NOTE = (
    "Events are posted by {agents} itself: what happens while the server is away is not kept, no [capture] rules are "
    "looked at before an event leaves this machine, and a failing post at the session's end shows in its output."
)
_KEPT_NOTE = "Hooks read the access token from a file of yours alone; an MCP entry still takes it from {variable}."
_PROJECT_NOTE = "The hooks name paths of this machine: keep the files out of git, or wire all of your work instead."

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_UNQUOTABLE = re.compile(r"[^!-~]|['\"`$\\;|&<>]")


@dataclass(frozen=True, slots=True)
class Options:
    """What a person chose. `token_env` names the variable with the access token, empty where the server wants none.

    With `keeps_token` what that variable has now is kept in a file for the hooks; with `posts` an agent sends events
    itself where it can, which costs no process and has neither spool nor policy; `project` is the folder to wire,
    empty for all work. Without `wires` only instructions and skills are written.
    """

    server_url: str = DEFAULT_URL
    token_env: str = ""
    keeps_token: bool = False
    posts: bool = False
    project: str = ""
    wires: bool = True
    instructions: bool = False
    skills: bool = False


def plan_install(names: Sequence[str], machine: Machine, options: Options | None = None) -> Plan:
    """Plan the files after which agents report to the server and ask it through MCP.

    One agent that cannot be wired is refused; of several, the others are.

    Raises:
        UnknownAgent: there is no such agent.
        InvalidValue: the address or the variable's name cannot be used, or the agent has not what was asked for.
        ForeignEntry: a file is not what its agent reads, or has something of another's in our place.
        DiskRefused: a file cannot be read.
    """
    options = _check_options(options or Options())
    agents = [registry.find_agent(name) for name in names]
    drafts, notes, refused = Drafts(), list(_list_notes(options, agents)), []
    for agent in agents:
        tried = drafts.fork()
        try:
            notes += _wire(tried, agent, machine, options)
        except AppError as error:
            if len(agents) == 1:
                raise
            refused.append((agent.name.value, str(error)))
        else:
            drafts = tried
    changes = drafts.list_changes()
    return Plan(
        tuple(names), is_install=True, changes=changes, notes=tuple(dict.fromkeys(notes)), refused=tuple(refused)
    )


def build_link(agent: Agent, machine: Machine, options: Options) -> Link:
    """Build what an agent's entries point to.

    Raises:
        InvalidValue: the agent knows no way to name a token but the token itself, and there is none here.
    """
    url, client = options.server_url, hook_client.locate_client(machine.folder)
    calls = hook_client.build_calls(
        agent, python=machine.python, shell_path=machine.shell_path, client=client, server_url=url
    ) | (hook_client.build_posts(agent, url, options.token_env) if options.posts else {})
    token_file = str(hook_client.locate_token(machine.folder)) if options.keeps_token else ""
    link = Link(
        server_url=url,
        calls=calls,
        python=machine.python,
        client=str(client),
        token_env=options.token_env,
        token_file=token_file,
        bridge=(machine.program, "mcp-stdio", "--url", url, *(("--token-file", token_file) if token_file else ())),
    )
    if not options.token_env or agent.traits.token is not TokenUse.LITERAL:
        return link
    token = client_files.find_token(machine.env)
    if not token:
        raise InvalidValue("token", f"{agent.title} wants the token itself in its file: set {options.token_env} here")
    return replace(link, token=token, token_env="")


def _check_options(options: Options) -> Options:
    if options.token_env and not _VARIABLE.fullmatch(options.token_env):
        raise InvalidValue("token_env", "give the name of an environment variable, not the token itself")
    return replace(options, server_url=_parse_url(options.server_url))


def _list_notes(options: Options, agents: Sequence[Agent]) -> Iterator[str]:
    if options.keeps_token:
        yield _KEPT_NOTE.format(variable=options.token_env)
    elif options.token_env:
        yield f"Hooks and MCP take the access token from the environment variable {options.token_env}."
    posting = [agent.title for agent in agents if agent.traits.http_events]
    if options.posts and posting:
        yield _POSTS_NOTE.format(agents=" and ".join(posting))
    if options.project and options.wires:
        yield _PROJECT_NOTE


def _wire(drafts: Drafts, agent: Agent, machine: Machine, options: Options) -> list[str]:
    """Draft one agent's files; what is to be said of them comes back."""
    owner, site = Owner(agent.name.value, options.project), machine.site(options.project)
    _check_agent(agent, site, options)
    for piece in guidance_files.list_pieces(agent, site, instructions=options.instructions, skills=options.skills):
        drafts.edit(piece, Link(options.server_url), owner)
    if not options.wires:
        return []
    link = build_link(agent, machine, options)
    if link.token and site.scope is WiringScope.PROJECT:
        raise InvalidValue("scope", f"{agent.title} wants the token itself, which has no place in a project's files")
    pieces = list(entries.list_pieces(agent, site))
    for piece in pieces:
        is_open = piece.purpose == entries.MCP and not link.token
        drafts.edit(replace(piece, mode=None) if is_open else piece, link, owner)
    if any(piece.runs_client for piece in pieces) or agent.list_wiring(site).snippets:
        _add_client(drafts, machine, options, owner)
    return list(_list_agent_notes(agent, site, link))


def _check_agent(agent: Agent, site: Site, options: Options) -> None:
    if options.posts and not agent.traits.http_events:
        raise InvalidValue("http_hooks", f"{agent.title} runs commands alone")
    if options.wires and site.scope not in agent.traits.scopes:
        known = "one project, in it: --scope project" if WiringScope.PROJECT in agent.traits.scopes else "all work"
        raise InvalidValue("scope", f"{agent.title} has settings for {known} alone")


def _add_client(drafts: Drafts, machine: Machine, options: Options, owner: Owner) -> None:
    changes = list(plans.plan_client(machine))
    if options.keeps_token:
        token = client_files.find_token(machine.env)
        if not token:
            raise InvalidValue("token", f"set {options.token_env} here, so that it can be kept")
        changes.append(plans.plan_token(machine, token))
    for change in changes:
        known = drafts.find(change.path)
        drafts.put(replace(change, owners=(known.owners if known else frozenset()) | {owner}))


def _list_agent_notes(agent: Agent, site: Site, link: Link) -> Iterator[str]:
    yield from agent.traits.install_notes
    if entries.is_pattern_without_file(agent, site):
        yield f"{agent.title} has no file yet that hooks could go into: make one, then run this again."
    if link.token:
        yield f"{agent.title} knows no reference to a token: it stands in its file, which is yours alone now."
    for snippet in agent.list_wiring(site).snippets:
        yield f"Paste this into {snippet.path} yourself:\n{snippet.render(link)}"


def _parse_url(text: str) -> str:
    parts = urlsplit(text.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname or _UNQUOTABLE.search(text.strip()):
        raise InvalidValue("url", "give the server's address, like http://127.0.0.1:7470")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InvalidValue("url", "the address must have no user, password, query or fragment")
    path = parts.path.rstrip("/").removesuffix("/mcp").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"
