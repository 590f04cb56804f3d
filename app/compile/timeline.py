"""A session's observations sorted into what the rest of compile reads: words, reports, runs, touches, tasks."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.compile import commands, failures, paths, prompts
from app.compile.commands import CommandLine
from app.compile.purposes import CHECKS, Purpose
from app.domain import legible
from app.domain.event import Actor, Event, EventKind, FileChange, Outcome, TodoItem, ToolCall, ToolPurpose
from app.domain.session import Observation, Session, Sighting


@dataclass(frozen=True, slots=True)
class Words:
    """Text of a person or of the agent's report, and the observation that holds it."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command."""

    at: int
    line: CommandLine
    outcome: Outcome
    output: str


@dataclass(frozen=True, slots=True)
class Touch:
    """One change to a file; `path` is relative to the checkout where it lies inside."""

    at: int
    path: str
    change: FileChange


@dataclass(slots=True)
class Timeline:
    """Everything of a session that says something, in order; machine text is not in it."""

    prompts: list[Words] = field(default_factory=list)
    reports: list[Words] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    todos: tuple[int, tuple[TodoItem, ...]] = (0, ())
    sightings: list[Sighting] = field(default_factory=list)


def read_timeline(session: Session, observations: Iterable[Observation]) -> Timeline:
    """Sort a session's observations, seen one by one; lifecycle, machine text and our own tools leave no trace."""
    timeline = Timeline()
    roots = tuple(root for root in (session.checkout.root, session.cwd) if root)
    started: dict[tuple[str, str], Run] = {}
    is_subagents_alone = True
    for observation in observations:
        if not is_work(observation):
            continue
        event = observation.event
        is_subagents_alone = is_subagents_alone and event.actor is Actor.SUBAGENT
        seen_at = event.occurred_at or observation.received_at
        timeline.sightings.append(Sighting(observation.id, seen_at, _describe(event)))
        match event.kind:
            case EventKind.PROMPT:
                timeline.prompts.append(Words(observation.id, prompts.clean_prompt(event.text)))
            case EventKind.TURN_END:
                timeline.reports.append(Words(observation.id, legible.clean_text(event.text)))
            case EventKind.TOOL_END if event.tool is not None:
                started.pop(_identify(event, event.tool), None)
                _add_call(timeline, observation, event.tool, roots)
            case EventKind.TOOL_START if event.tool is not None and event.tool.command:
                line = commands.parse_command(event.tool.command)
                started[_identify(event, event.tool)] = Run(observation.id, line, Outcome.UNKNOWN, "")
            case _:
                pass
    if is_subagents_alone:
        # Helpers that do not say who sent them; what they came to is told by the session that did.
        return Timeline()
    # A command whose end was never seen: the session was cut off while it ran.
    cut_off = (run for (_, purpose), run in started.items() if purpose == ToolPurpose.SHELL)
    timeline.runs = sorted((*timeline.runs, *cut_off), key=lambda run: run.at)
    return timeline


def is_work(observation: Observation) -> bool:
    """Tell whether an observation is somebody's words or deed, and not lifecycle, machinery or memory."""
    event = observation.event
    match event.kind:
        case EventKind.PROMPT:
            return event.actor is Actor.PERSON and bool(prompts.clean_prompt(event.text))
        case EventKind.TURN_END:
            return event.actor is Actor.AGENT and bool(event.text.strip())
        case EventKind.TOOL_START | EventKind.TOOL_END:
            return event.tool is not None and event.tool.purpose is not ToolPurpose.MEMORY
        case _:
            return False


def _describe(event: Event) -> str:
    if event.tool is None:
        return {EventKind.PROMPT: "prompt", EventKind.TURN_END: "report"}.get(event.kind, event.kind.value)
    started = " started" if event.kind is EventKind.TOOL_START else ""
    failed = ", failed" if event.tool.outcome is Outcome.FAILED else ""
    return f"{event.tool.name}{started}{failed}"


def _identify(event: Event, tool: ToolCall) -> tuple[str, str]:
    """Name a tool call so that its start and its end are equal; agents without ids are told apart by command."""
    return event.native_id or f"{tool.name} {tool.command}", tool.purpose.value


def _add_call(timeline: Timeline, observation: Observation, tool: ToolCall, roots: tuple[str, ...]) -> None:
    if tool.purpose is ToolPurpose.TODO and tool.todos:
        timeline.todos = (observation.id, tool.todos)
    if tool.outcome is not Outcome.SUCCEEDED and failures.was_declined(tool.output_text):
        return
    if tool.purpose is ToolPurpose.SHELL and tool.command:
        line = commands.parse_command(tool.command)
        outcome = failures.decide_outcome(tool, line)
        # Output is kept where somebody reads it, so that a session of any length fits in memory.
        is_telling = outcome is Outcome.FAILED or line.purpose in CHECKS or line.purpose is Purpose.GIT
        timeline.runs.append(Run(observation.id, line, outcome, tool.output_text if is_telling else ""))
    if tool.outcome is Outcome.FAILED:
        return
    for file in tool.files:
        if file.change is FileChange.READ:
            continue
        path = paths.relate_path(file.path, observation.event.cwd, roots)
        if path:
            timeline.touches.append(Touch(observation.id, path, file.change))
