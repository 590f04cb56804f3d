"""What became of each file: its net change, where it lay before, and the last check that holds for it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.compile.purposes import CHECKS, Purpose
from app.compile.timeline import Run, Touch
from app.domain.event import FileChange, Outcome
from app.domain.session import FileWork

# What a series of changes leaves: keyed by the first and the latest.
_NET_CHANGE = {
    (FileChange.ADDED, FileChange.MODIFIED): FileChange.ADDED,
    (FileChange.ADDED, FileChange.ADDED): FileChange.ADDED,
    (FileChange.DELETED, FileChange.ADDED): FileChange.MODIFIED,
    (FileChange.DELETED, FileChange.MODIFIED): FileChange.MODIFIED,
    (FileChange.MODIFIED, FileChange.ADDED): FileChange.MODIFIED,
}


@dataclass(slots=True)
class _History:
    """What has happened to one file so far."""

    net: FileChange
    is_made_here: bool
    moved_from: str = ""
    touched: list[int] = field(default_factory=list)
    moves: int = 0


def list_files(touches: Sequence[Touch], runs: Sequence[Run], failing: tuple[int, ...]) -> tuple[FileWork, ...]:
    """List changed files in the order in which they were first touched; what came and went again is left out."""
    histories: dict[str, _History] = {}
    for touch in touches:
        if touch.moved_from:
            _move(histories, touch)
        elif touch.change is FileChange.DELETED:
            _remove(histories, touch)
        else:
            _change(histories, touch)
    open_failures = {runs[at].line.key for at in failing}
    passes = [
        run
        for run in runs
        if run.outcome is Outcome.SUCCEEDED and run.line.purpose in CHECKS and run.line.key not in open_failures
    ]
    return tuple(_conclude(path, history, passes) for path, history in histories.items() if not _is_gone(history))


def _change(histories: dict[str, _History], touch: Touch) -> None:
    history = histories.get(touch.path)
    if history is None:
        history = histories[touch.path] = _History(touch.change, touch.change is FileChange.ADDED)
    else:
        history.net = _NET_CHANGE.get((history.net, touch.change), touch.change)
    history.touched.append(touch.at)


def _remove(histories: dict[str, _History], touch: Touch) -> None:
    """Remove a file, or a folder with the files in it that are known."""
    inside = [path for path in histories if path.startswith(f"{touch.path}/")]
    for path in inside:
        histories[path].net = FileChange.DELETED
        histories[path].touched.append(touch.at)
    if not inside or touch.path in histories:
        _change(histories, touch)


def _move(histories: dict[str, _History], touch: Touch) -> None:
    """Carry a file's history to its new path, or those of all known files of a folder."""
    source = touch.moved_from
    # Moving away was told as a removal just before; that one is the move itself.
    removed = histories.get(source)
    inside = [path for path in histories if path.startswith(f"{source}/")]
    for path in inside:
        _carry(histories, path, f"{touch.path}{path[len(source) :]}", touch.at)
    if removed is not None and (len(removed.touched) > 1 or not inside):
        _carry(histories, source, touch.path, touch.at)
    elif removed is not None:
        del histories[source]


def _carry(histories: dict[str, _History], source: str, target: str, at: int) -> None:
    history = histories.pop(source)
    history.net = FileChange.ADDED if history.is_made_here else FileChange.MODIFIED
    history.moved_from = "" if history.is_made_here else history.moved_from or source
    if history.moved_from == target:
        history.moved_from = ""
    history.touched = [seen for seen in history.touched if seen != at] + [at]
    history.moves += 1
    there = histories.get(target)
    if there is not None and not there.is_made_here:
        # It took the place of a file that was there before.
        history.net, history.moved_from, history.is_made_here = FileChange.MODIFIED, history.moved_from or source, False
    histories[target] = history


def _is_gone(history: _History) -> bool:
    return history.is_made_here and history.net is FileChange.DELETED


def _conclude(path: str, history: _History, passes: Sequence[Run]) -> FileWork:
    last = history.touched[-1]
    after = [run for run in passes if run.at > last]
    tests = [run for run in after if run.line.purpose is Purpose.TEST]
    best = (tests or after)[-1:] if history.net is not FileChange.DELETED else []
    return FileWork(
        path=path,
        change=history.net,
        times=len(history.touched) - history.moves,
        evidence=tuple(dict.fromkeys(history.touched)),
        moved_from=history.moved_from,
        verified_by=best[0].line.shown if best else "",
        verified_at=best[0].at if best else 0,
    )
