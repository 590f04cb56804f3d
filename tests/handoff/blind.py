"""Labels for the blind reading of handoffs: what a real session did next, read from its remaining third alone."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from app.bench import transcripts
from app.bench.transcripts import Recording
from app.compile import paths
from app.domain.event import Actor, EventKind, FileChange, Outcome

OBSERVATIONS_MIN = 30
COMMAND_CHARS = 60


@dataclass(frozen=True)
class Label:
    """What came next: the first file that was changed, and the first command that failed; empty for none."""

    file: str
    failing_command: str


def list_sets() -> list[Path]:
    """List the places where the sets may lie."""
    root = Path(__file__).parents[2]
    return [root.parent / "shared" / "data", root / "shared" / "data"]


def list_recordings(folder: Path, count: int) -> Iterator[tuple[str, Recording]]:
    """List the first sessions by name that are long enough and do something in their last third."""
    found = 0
    for packed in sorted((folder / "agent-transcripts" / "claude-code").glob("*.jsonl.gz")):
        name = f"claude-code/{packed.name.removesuffix('.gz')}"
        recording = transcripts.read_recording(name, transcripts.read_text(folder / "agent-transcripts", name))
        if len(recording.observations) >= OBSERVATIONS_MIN and read_label(recording) is not None:
            yield name, recording
            found += 1
        if found == count:
            return


def cut(recording: Recording) -> Recording:
    """Keep the first two thirds."""
    kept = recording.observations[: find_cut(recording)]
    return replace(recording, observations=kept)


def find_cut(recording: Recording) -> int:
    """Find where the last third begins."""
    return len(recording.observations) * 2 // 3


def read_label(recording: Recording) -> Label | None:
    """Read what came next; None if nothing was changed and nothing failed."""
    file = command = ""
    for observation in recording.observations[find_cut(recording) :]:
        event = observation.event
        tool = event.tool
        if event.kind is not EventKind.TOOL_END or event.actor is Actor.SUBAGENT or tool is None:
            continue
        cwd = recording.session.cwd
        changed = [touch.path for touch in tool.files if touch.change is not FileChange.READ]
        # Scratch files and an agent's own notes come out empty.
        file = file or next((name for name in (paths.relate_path(path, cwd, (cwd,)) for path in changed) if name), "")
        if tool.command and tool.outcome is Outcome.FAILED and not command:
            command = tool.command[:COMMAND_CHARS]
    return Label(file, command) if file or command else None
