"""A session's observations sorted into what the rest of compile reads: words, reports, runs, touches, tasks."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from app.agents.tool_use import ANSWER_ARROW
from app.compile import commands, failures, paths, prompts
from app.compile.commands import CommandLine
from app.compile.purposes import CHECKS, Purpose
from app.domain import legible
from app.domain.event import Actor, Event, EventKind, FileChange, Outcome, TodoItem, ToolCall, ToolPurpose
from app.domain.session import Observation, Session, Sighting

# What an agent's program writes where it was asked nothing, as after it was taken up again.
_NO_ANSWER = re.compile(r"\s*No response requested\.?\s*", re.IGNORECASE)


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
    """One change to a file; `path` is relative to the checkout where it lies inside, `moved_from` is the one before."""

    at: int
    path: str
    change: FileChange
    moved_from: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person said to one tool call: the answer to a question, or why a call was stopped; `to` is either."""

    at: int
    text: str
    to: str


@dataclass(slots=True)
class Timeline:
    """Everything of a session that says something, in order; machine text is not in it."""

    prompts: list[Words] = field(default_factory=list)
    reports: list[Words] = field(default_factory=list)
    # The last observation of a turn's end, also of an agent that does not tell what it answered; 0 for none.
    turn_ended_at: int = 0
    runs: list[Run] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    answers: list[Reply] = field(default_factory=list)
    objections: list[Reply] = field(default_factory=list)
    # Each task by its key or words, with where it was last told.
    todos: dict[str, tuple[int, TodoItem]] = field(default_factory=dict)
    sightings: list[Sighting] = field(default_factory=list)


def read_timeline(session: Session, observations: Iterable[Observation]) -> Timeline:
    """Sort a session's observations, seen one by one; lifecycle, machine text and our own tools leave no trace."""
    timeline = Timeline()
    roots = tuple(root for root in (session.checkout.root, session.cwd) if root)
    started: dict[tuple[str, str], Run] = {}
    is_subagents_alone = True
    for observation in observations:
        event = observation.event
        if event.kind is EventKind.TURN_END and event.actor is not Actor.SUBAGENT:
            timeline.turn_ended_at = observation.id
        if not is_work(observation):
            continue
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
            return event.actor is Actor.AGENT and bool(event.text.strip()) and not _NO_ANSWER.fullmatch(event.text)
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
    if tool.purpose is ToolPurpose.TODO and tool.outcome is not Outcome.FAILED:
        _note_todos(timeline.todos, observation.id, tool.todos)
    if tool.purpose is ToolPurpose.QUESTION:
        timeline.answers.extend(_list_answers(observation.id, tool.output_text))
    if tool.outcome is not Outcome.SUCCEEDED and failures.was_declined(tool.output_text):
        objection = failures.find_objection(tool.output_text)
        # A helper's call that is stopped is not answered by the person who speaks with the session.
        if objection and observation.event.actor is Actor.AGENT:
            timeline.objections.append(Reply(observation.id, objection, _name_call(tool)))
        return
    if tool.purpose is ToolPurpose.SHELL and tool.command:
        line = commands.parse_command(tool.command)
        outcome = failures.decide_outcome(tool, line)
        # Output is kept where somebody reads it, so that a session of any length fits in memory.
        is_telling = outcome is Outcome.FAILED or line.purpose in CHECKS or line.purpose is Purpose.GIT
        timeline.runs.append(Run(observation.id, line, outcome, tool.output_text if is_telling else ""))
    if tool.outcome is Outcome.FAILED:
        return
    timeline.touches.extend(_list_touches(observation, tool, roots))


def _note_todos(todos: dict[str, tuple[int, TodoItem]], at: int, told: tuple[TodoItem, ...]) -> None:
    """Take a list that was told as a whole in place of the one before; a line with a key changes that line alone."""
    if any(not item.key for item in told):
        todos.clear()
    for item in told:
        key = item.key or item.text
        text = item.text or (todos[key][1].text if key in todos else "")
        if text:
            todos[key] = (at, TodoItem(text, item.is_done, item.key))


def _list_answers(at: int, output: str) -> Iterator[Reply]:
    for line in legible.clean_text(output).split("\n"):
        asked, arrow, answer = line.rpartition(f" {ANSWER_ARROW} ")
        if arrow and answer.strip():
            yield Reply(at, answer.strip(), asked.strip())


def _name_call(tool: ToolCall) -> str:
    if tool.command:
        return commands.parse_command(tool.command).shown
    tried = tool.input_text.partition("\n")[0] if tool.purpose is ToolPurpose.EDIT else ""
    return f"{tool.name} of {tried.rpartition('/')[2]}" if tried else tool.name


def _list_touches(observation: Observation, tool: ToolCall, roots: tuple[str, ...]) -> Iterator[Touch]:
    """List a call's changes to files; what is removed and at once added elsewhere by a moving command has moved."""
    is_moving = not tool.command or commands.moves_files(tool.command)
    left = ""
    for file in tool.files:
        if file.change is FileChange.READ:
            continue
        path = paths.relate_path(file.path, observation.event.cwd, roots)
        if not path:
            continue
        is_moved = bool(left) and is_moving and file.change is FileChange.ADDED
        yield Touch(observation.id, path, file.change, left if is_moved else "")
        left = path if file.change is FileChange.DELETED else ""
