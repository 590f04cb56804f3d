"""Errors as episodes: what failed, how often, and what was edited before the same command passed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.compile import commands, failures
from app.compile.purposes import Purpose
from app.compile.timeline import Run, Touch
from app.domain.event import Outcome
from app.domain.session import ErrorWork


@dataclass(slots=True)
class _Episode:
    headline: str
    runs: list[int] = field(default_factory=list)


def list_failing(runs: Sequence[Run]) -> tuple[int, ...]:
    """List the positions of last runs that failed, unless a later run that covers it passed or left it unclear."""
    latest: dict[str, int] = {run.line.key: at for at, run in enumerate(runs) if run.outcome is not Outcome.UNKNOWN}
    failed = (at for at in sorted(latest.values()) if runs[at].outcome is Outcome.FAILED)
    return tuple(at for at in failed if find_pass(runs, at) is None and not _is_unclear_since(runs, at))


def _is_unclear_since(runs: Sequence[Run], failed_at: int) -> bool:
    """Tell whether a later run may have passed: it showed output, of which nothing tells of a failure."""
    return any(
        run.outcome is Outcome.UNKNOWN and run.output and commands.covers(run.line, runs[failed_at].line)
        for run in runs[failed_at + 1 :]
    )


def find_pass(runs: Sequence[Run], failed_at: int) -> int | None:
    """Find the first later run that passed and checked at least what failed."""
    failed = runs[failed_at].line
    return next(
        (
            at
            for at in range(failed_at + 1, len(runs))
            if runs[at].outcome is Outcome.SUCCEEDED
            and (commands.covers(runs[at].line, failed) or commands.concludes(runs[at].line, failed))
        ),
        None,
    )


def list_errors(runs: Sequence[Run], touches: Sequence[Touch]) -> tuple[ErrorWork, ...]:
    """List errors in the order they were met; the same signature in the same command is one."""
    episodes: dict[tuple[str, str], _Episode] = {}
    for at, run in enumerate(runs):
        if run.outcome is not Outcome.FAILED or run.line.purpose is Purpose.SEARCH:
            continue
        headline = failures.find_headline(run.output)
        if headline:
            key = (run.line.key, failures.normalise_signature(headline))
            episodes.setdefault(key, _Episode(headline)).runs.append(at)
    errors = ((episode, _close_episode(episode, runs, touches)) for episode in episodes.values())
    # A look-up that went wrong once and was not wanted again taught nothing.
    return tuple(
        error
        for episode, error in errors
        if error.is_resolved or error.times > 1 or not runs[episode.runs[-1]].line.is_lookup
    )


def _close_episode(episode: _Episode, runs: Sequence[Run], touches: Sequence[Touch]) -> ErrorWork:
    last = episode.runs[-1]
    passed = find_pass(runs, last)
    fixed_in: dict[str, None] = {}
    evidence = [runs[at].at for at in episode.runs]
    if passed is not None:
        for touch in touches:
            if runs[last].at < touch.at < runs[passed].at:
                fixed_in.setdefault(touch.path)
        evidence.append(runs[passed].at)
    return ErrorWork(
        signature=episode.headline,
        command=runs[last].line.shown,
        times=len(episode.runs),
        is_resolved=passed is not None,
        fixed_in=tuple(fixed_in),
        evidence=tuple(evidence),
    )
