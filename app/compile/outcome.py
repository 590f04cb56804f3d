"""How a session came out, as far as its own checks, commits and last words show it, in one sentence."""

from dataclasses import dataclass

from app.compile import failures, messages
from app.compile.messages import MessageLine
from app.compile.purposes import CHECKS, Purpose
from app.compile.timeline import Run, Timeline
from app.domain.event import Outcome
from app.domain.session import Statement

FAILING_NAMED_MAX = 3


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
    passed = _find_last_pass(timeline.runs)
    edited_after = [touch.at for touch in timeline.touches if passed is None or touch.at > passed.at]
    if passed is not None and timeline.touches and not edited_after:
        committed = f" and {_count_commits(commits)}" if commits else ""
        return Ending(
            Outcome.SUCCEEDED, "Done", f"The last {_name(passed)} passed{_result(passed)}{committed}.", (passed.at,)
        )
    if passed is not None and edited_after:
        reason = f"The last {_name(passed)} passed{_result(passed)}, but files changed after it."
        return Ending(Outcome.UNKNOWN, "Unverified", reason, (passed.at, *edited_after[-1:]))
    if commits:
        at = commits[-1].evidence
        return Ending(
            Outcome.SUCCEEDED, "Done", f"The work was committed ({_count_commits(commits)}); no check was run.", at
        )
    return _end_by_words(timeline, report)


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
    if last_prompt > last_report:
        return Ending(
            Outcome.UNKNOWN, "Cut off", "The session stopped before the last request was answered.", (last_prompt,)
        )
    changed = "files were changed and no check was run" if timeline.touches else "no file was changed"
    if last_report and messages.list_open_questions(report):
        return Ending(Outcome.UNKNOWN, "Open", f"The agent ended with a question; {changed}.", (last_report,))
    if last_report:
        label = "Unverified" if timeline.touches else "Answered"
        return Ending(Outcome.UNKNOWN, label, f"The agent reported back; {changed}.", (last_report,))
    last = tuple(sighting.id for sighting in timeline.sightings[-1:])
    return Ending(Outcome.UNKNOWN, "Cut off", f"The agent left no report; {changed}.", last)


def _find_last_pass(runs: list[Run]) -> Run | None:
    """Find the last check that passed: a test before a build or lint of the same moment."""
    passed = [run for run in runs if run.outcome is Outcome.SUCCEEDED and run.line.purpose in CHECKS]
    tests = [run for run in passed if run.line.purpose is Purpose.TEST]
    best = tests or passed
    return best[-1] if best else None


def _name(run: Run) -> str:
    return f"`{run.line.shown}`" if "`" not in run.line.shown else run.line.purpose.value


def _result(run: Run) -> str:
    result = failures.find_result(run.output)
    return f" ({result})" if result else ""


def _count_commits(commits: tuple[Statement, ...]) -> str:
    return "1 commit was made" if len(commits) == 1 else f"{len(commits)} commits were made"
