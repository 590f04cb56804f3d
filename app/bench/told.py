"""Sessions of agents that memwiki has no module for, told as Claude Code's hooks tell theirs: for measuring alone."""

from dataclasses import dataclass, field
from datetime import datetime

from app.agents.transcript import TranscriptEvent


@dataclass(slots=True)
class Telling:
    """Collects a session's events step by step."""

    session_id: str
    cwd: str
    at: datetime | None = None
    events: list[TranscriptEvent] = field(default_factory=list)

    def begin(self) -> None:
        """Tell the start."""
        self._tell("SessionStart", source="startup")

    def ask(self, text: str) -> None:
        """Tell a person's prompt."""
        self._tell("UserPromptSubmit", prompt=text)

    def report(self, text: str) -> None:
        """Tell the end of a turn and its last words; a turn without words has no report."""
        if text.strip():
            self._tell("Stop", last_assistant_message=text.strip())

    def run(self, command: str, output: str, *, is_failed: bool = False) -> None:
        """Tell a shell command that was run."""
        self._use("Bash", {"command": command}, {"stdout": output, "stderr": ""}, output if is_failed else None)

    def edit(self, path: str, *, is_new: bool = False, error: str | None = None) -> None:
        """Tell a file that was written or changed; with an error, one that was not."""
        name = "Write" if is_new else "Edit"
        self._use(name, {"file_path": path}, {"type": "create" if is_new else "update"}, error)

    def end(self) -> None:
        """Tell the end."""
        self._tell("SessionEnd", reason="other")

    def _use(self, name: str, given: dict[str, str], answered: dict[str, str], error: str | None) -> None:
        told: dict[str, object] = {"tool_name": name, "tool_input": given, "tool_use_id": f"use_{len(self.events)}"}
        if error is None:
            self._tell("PostToolUse", **told, tool_response=answered)
        else:
            self._tell("PostToolUseFailure", **told, error=error)

    def _tell(self, name: str, **more: object) -> None:
        payload = {"session_id": self.session_id, "cwd": self.cwd, "hook_event_name": name, **more}
        self.events.append(TranscriptEvent(name, payload, self.at))
