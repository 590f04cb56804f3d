"""How a session came out, as far as its own checks, commits and last words show it, in one sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.compile import failures, messages
from app.compile.messages import MessageLine
from app.compile.purposes import CHECKS, Purpose
from app.compile.timeline import Run, Timeline
from app.domain.event import Outcome
from app.domain.limits_compile import FAILING_NAMED_MAX
from app.domain.session import Statement


@dataclass(frozen=True, slots=True)
class Ending:
    """The outcome, a word for it, and why; `evidence` is where it shows."""

    outcome: Outcome
    label: str
    reason: str
    evidence: tuple[int, ...]


def decide_ending(
    timeline: Timeline, failing: tuple[int, ...], commits: tuple[Statement, ...], report: tuple[MessageLine, ...]
) -> Ending:
    """Decide from the strongest sign to the weakest: failing checks, passing checks, commits, words."""
    checks = [timeline.runs[at] for at in failing if timeline.runs[at].line.purpose in CHECKS]
    if checks:
        return _end_failing(checks)
    passes = [run for run in timeline.runs if run.outcome is Outcome.SUCCEEDED and run.line.purpose in CHECKS]
    if passes:
        return _end_checked(passes, [touch.at for touch in timeline.touches], commits, timeline, report)
    if commits:
        at = commits[-1].evidence
        return Ending(
            Outcome.SUCCEEDED, "Done", f"The work was committed ({_count_commits(commits)}); no check was run.", at
        )
    return _end_by_words(timeline, report)


def is_silent_end(timeline: Timeline) -> bool:
    """Tell whether the last turn came to its end without words, as it does where an agent sends none."""
    return any(timeline.turn_ended_at > sighting.id for sighting in timeline.sightings[-1:])


def _end_checked(
    passes: Sequence[Run],
    edits: Sequence[int],
    commits: tuple[Statement, ...],
    timeline: Timeline,
    report: tuple[MessageLine, ...],
) -> Ending:
    """Tell an ending by the checks that passed: which held after the last edit, and which before it."""
    tests = [run for run in passes if run.line.purpose is Purpose.TEST]
    last, test = passes[-1], (tests or passes)[-1]
    last_edit = max(edits, default=0)
    committed = f" and {_count_commits(commits)}" if commits else ""
    if test.at > last_edit:
        if not edits and not commits:
            return _end_by_words(timeline, report)
        return Ending(
            Outcome.SUCCEEDED, "Done", f"The last {_name(test)} passed{_result(test)}{committed}.", (test.at,)
        )
    if last.at > last_edit:
        reason = f"The last {_name(last)} passed{_result(last)}{committed}; {_name(test)} passed before the last edit."
        return Ending(Outcome.SUCCEEDED, "Done", reason, (last.at, test.at))
    reason = f"The last {_name(last)} passed{_result(last)}, but files changed after it."
    return Ending(Outcome.UNKNOWN, "Unverified", reason, (last.at, last_edit))


def _end_failing(checks: list[Run]) -> Ending:
    shown = checks[-FAILING_NAMED_MAX:]
    named = "; ".join(f"{_name(run)} failed{_result(run)}" for run in shown)
    more = len(checks) - FAILING_NAMED_MAX
    rest = f"; and {more} more" if more > 0 else ""
    return Ending(
        Outcome.FAILED, "Failing", f"At the end {named}{rest}.", tuple(run.at for run in checks[-FAILING_NAMED_MAX:])
    )


def _end_by_words(timeline: Timeline, report: tuple[MessageLine, ...]) -> Ending:
    last_prompt = timeline.prompts[-1].at if timeline.prompts else 0
    last_report = timeline.reports[-1].at if timeline.reports else 0
    changed = "files were changed and no check was run" if timeline.touches else "no file was changed"
    if is_silent_end(timeline):
        label = "Unverified" if timeline.touches else "Answered"
        last = (timeline.sightings[-1].id,)
        reason = f"The turn ended, and this agent does not tell what it answered; {changed}."
        return Ending(Outcome.UNKNOWN, label, reason, last)
    if last_prompt > last_report:
        return Ending(
            Outcome.UNKNOWN, "Cut off", "The session stopped before the last request was answered.", (last_prompt,)
        )
    if last_report and messages.list_open_questions(report):
        return Ending(Outcome.UNKNOWN, "Open", f"The agent ended with a question; {changed}.", (last_report,))
    if last_report:
        label = "Unverified" if timeline.touches else "Answered"
        return Ending(Outcome.UNKNOWN, label, f"The agent reported back; {changed}.", (last_report,))
    seen = tuple(sighting.id for sighting in timeline.sightings[-1:])
    return Ending(Outcome.UNKNOWN, "Cut off", f"The agent left no report; {changed}.", seen)


def _name(run: Run) -> str:
    return f"`{run.line.shown}`" if "`" not in run.line.shown else run.line.purpose.value


def _result(run: Run) -> str:
    result = failures.find_result(run.output)
    return f" ({result})" if result else ""


def _count_commits(commits: tuple[Statement, ...]) -> str:
    return "1 commit was made" if len(commits) == 1 else f"{len(commits)} commits were made"
