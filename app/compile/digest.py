"""From a session's observations to what it comes down to, by rules alone; every part names its evidence."""

from collections.abc import Iterable, Sequence

from app.compile import commits, fixes, messages, outcome, prompts, sentences
from app.compile.failures import build_excerpt
from app.compile.messages import MessageLine
from app.compile.purposes import CHECKS, Purpose
from app.compile.timeline import Run, Timeline, Touch, Words, read_timeline
from app.domain import legible
from app.domain.event import FileChange, Outcome
from app.domain.session import (
    CommandWork,
    FileWork,
    Observation,
    Session,
    SessionDigest,
    Statement,
    Turn,
)

PERSON_DECISIONS_PER_PROMPT_MAX = 3
SHORT_ANSWER_WORDS_MAX = 8
ASKED_CHARS_MAX = 400
PART_WORDS_MIN = 2

# What a series of changes leaves: keyed by the first and the latest.
_NET_CHANGE = {
    (FileChange.ADDED, FileChange.MODIFIED): FileChange.ADDED,
    (FileChange.ADDED, FileChange.ADDED): FileChange.ADDED,
    (FileChange.DELETED, FileChange.ADDED): FileChange.MODIFIED,
    (FileChange.DELETED, FileChange.MODIFIED): FileChange.MODIFIED,
    (FileChange.MODIFIED, FileChange.ADDED): FileChange.MODIFIED,
}


def build_digest(session: Session, observations: Iterable[Observation]) -> SessionDigest | None:
    """Digest a session; None when nobody said or did anything."""
    timeline = read_timeline(session, observations)
    if not timeline.sightings:
        return None
    reports = [(words.at, messages.parse_message(words.text)) for words in timeline.reports]
    last_report = _last_report(timeline, reports)
    failing = fixes.list_failing(timeline.runs)
    made = commits.list_commits(timeline.runs)
    ending = outcome.decide_ending(timeline, failing, made, last_report)
    goal_at = prompts.choose_goal([words.text for words in timeline.prompts])
    goal = timeline.prompts[goal_at] if goal_at is not None else None
    return SessionDigest(
        title=_build_title(timeline, goal),
        goal=Statement(goal.text, (goal.at,)) if goal else None,
        outcome=ending.outcome,
        outcome_reason=ending.reason,
        outcome_evidence=ending.evidence,
        outcome_label=ending.label,
        turns=_list_turns(timeline, dict(reports)),
        files=_list_files(timeline.touches),
        commands=_list_commands(timeline.runs, failing),
        errors=fixes.list_errors(timeline.runs, timeline.touches),
        decisions=_list_decisions(timeline, reports),
        rejected=_list_rejected(timeline, reports),
        commits=made,
        open_questions=_list_open_questions(timeline, last_report),
        next_steps=_list_next_steps(timeline, failing, last_report),
        last_words=_last_words(timeline),
        uncommitted=commits.list_uncommitted(timeline.runs, timeline.touches),
        lookups=sum(run.line.is_lookup for run in timeline.runs),
        sightings=tuple(timeline.sightings),
    )


def changed_something(digest: SessionDigest) -> bool:
    """Tell work from mere talk: files, commits, or commands that do more than look and check."""
    acts = any(work.purpose not in {Purpose.TEST, Purpose.LINT} for work in digest.commands)
    return bool(digest.files or digest.commits or acts)


def _last_report(timeline: Timeline, reports: list[tuple[int, tuple[MessageLine, ...]]]) -> tuple[MessageLine, ...]:
    """Take the last report, unless a person has written since and it is no longer the last word."""
    last_prompt = timeline.prompts[-1].at if timeline.prompts else 0
    return reports[-1][1] if reports and reports[-1][0] > last_prompt else ()


def _build_title(timeline: Timeline, goal: Words | None) -> str:
    # "continue" says nothing; what was then done does.
    is_telling = goal is not None and not (prompts.is_filler(goal.text) and timeline.reports)
    return prompts.build_title(goal.text) if goal and is_telling else _untitled(timeline)


def _untitled(timeline: Timeline) -> str:
    """Name a session of which no prompt is known after what it did."""
    gist = next((messages.find_gist(messages.parse_message(words.text)) for words in timeline.reports), "")
    if gist:
        return prompts.build_title(gist)
    touched = list(dict.fromkeys(touch.path for touch in timeline.touches))
    if touched:
        return legible.clip(f"Changes to {', '.join(touched[:3])}", prompts.TITLE_SHOWN_CHARS_MAX)
    return next((f"Session that ran {run.line.shown}" for run in timeline.runs), "Session without a recorded request")


def _list_turns(timeline: Timeline, reports: dict[int, tuple[MessageLine, ...]]) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    bounds = [*(words.at for words in timeline.prompts), timeline.sightings[-1].id + 1]
    for words, until in zip(timeline.prompts, bounds[1:], strict=True):
        answers = [at for at in reports if words.at < at < until]
        gist = messages.find_gist(reports[answers[-1]]) if answers else ""
        answered = Statement(gist, (answers[-1],)) if gist else None
        turns.append(Turn(Statement(legible.clip(legible.squeeze(words.text), ASKED_CHARS_MAX), (words.at,)), answered))
    return tuple(turns)


def _list_files(touches: Sequence[Touch]) -> tuple[FileWork, ...]:
    by_path: dict[str, list[Touch]] = {}
    for touch in touches:
        by_path.setdefault(touch.path, []).append(touch)
    files: list[FileWork] = []
    for path, changes in by_path.items():
        net = changes[0].change
        for touch in changes[1:]:
            net = _NET_CHANGE.get((net, touch.change), touch.change)
        # What a session made and removed again is not there for anybody to find.
        if net is FileChange.DELETED and changes[0].change is FileChange.ADDED:
            continue
        files.append(FileWork(path, net, len(changes), tuple(touch.at for touch in changes)))
    return tuple(files)


def _list_commands(runs: Sequence[Run], failing: tuple[int, ...]) -> tuple[CommandWork, ...]:
    """List each command line once, with what only looked left out."""
    open_failures = {runs[at].line.key for at in failing}
    by_key: dict[str, list[Run]] = {}
    for run in runs:
        if run.line.key and (not run.line.is_lookup or run.outcome is Outcome.FAILED):
            by_key.setdefault(run.line.key, []).append(run)
    works: list[CommandWork] = []
    for key, repeats in by_key.items():
        failed = [run for run in repeats if run.outcome is Outcome.FAILED]
        if repeats[0].line.is_lookup:
            continue
        works.append(
            CommandWork(
                command=repeats[0].line.shown,
                purpose=repeats[0].line.purpose.value,
                outcome=repeats[-1].outcome,
                times=len(repeats),
                failures=len(failed),
                excerpt=build_excerpt(failed[-1].output) if failed else "",
                evidence=tuple(run.at for run in repeats),
                is_failing=key in open_failures,
            )
        )
    return tuple(works)


def _list_decisions(timeline: Timeline, reports: list[tuple[int, tuple[MessageLine, ...]]]) -> tuple[Statement, ...]:
    found: list[Statement] = []
    for words in timeline.prompts:
        texts = messages.list_person_decisions(messages.parse_message(words.text))
        found.extend(
            Statement(_with_question(text, words, reports), (words.at,))
            for text in texts[:PERSON_DECISIONS_PER_PROMPT_MAX]
        )
    for at, lines in reports:
        found.extend(Statement(text, (at,)) for text in messages.list_agent_decisions(lines))
    return _unique(sorted(found, key=lambda statement: statement.evidence))


def _with_question(text: str, words: Words, reports: list[tuple[int, tuple[MessageLine, ...]]]) -> str:
    """Give a short answer ("let's do option 2") the question that it answers."""
    if sentences.count_words(text) > SHORT_ANSWER_WORDS_MAX:
        return text
    asked = next((messages.list_open_questions(lines) for at, lines in reversed(reports) if at < words.at), ())
    return f"{text} (in answer to: {asked[-1]})" if asked else text


def _list_rejected(timeline: Timeline, reports: list[tuple[int, tuple[MessageLine, ...]]]) -> tuple[Statement, ...]:
    # The first prompt describes the work; "it does not work" there is the task, not a verdict on an attempt.
    found = [
        Statement(text, (words.at,))
        for words in timeline.prompts[1:]
        for text in messages.list_person_rejections(messages.parse_message(words.text))
    ]
    found.extend(Statement(text, (at,)) for at, lines in reports for text in messages.list_agent_rejections(lines))
    return _unique(sorted(found, key=lambda statement: statement.evidence))


def _list_open_questions(timeline: Timeline, last_report: tuple[MessageLine, ...]) -> tuple[Statement, ...]:
    at = timeline.reports[-1].at if timeline.reports else 0
    return _unique(Statement(text, (at,)) for text in messages.list_open_questions(last_report))


def _list_next_steps(
    timeline: Timeline, failing: tuple[int, ...], last_report: tuple[MessageLine, ...]
) -> tuple[Statement, ...]:
    found: list[Statement] = []
    last_prompt = timeline.prompts[-1] if timeline.prompts else None
    if last_prompt and _is_unanswered(timeline, last_prompt.at):
        asked = legible.clip(legible.squeeze(last_prompt.text), ASKED_CHARS_MAX)
        began = any(touch.at > last_prompt.at for touch in timeline.touches)
        verb = "Finish" if began else "Answer"
        found.append(Statement(f"{verb} the last request: {asked}", (last_prompt.at,)))
    if last_report:
        at = timeline.reports[-1].at
        found.extend(Statement(text, (at,)) for text in messages.list_next_steps(last_report))
    todo_at, todos = timeline.todos
    found.extend(Statement(item.text, (todo_at,)) for item in todos if not item.is_done)
    broken = (timeline.runs[at] for at in failing if timeline.runs[at].line.purpose in CHECKS)
    found.extend(Statement(f"Make `{run.line.shown.replace('`', '')}` pass", (run.at,)) for run in broken)
    return _without_parts(_unique(found))


def _is_unanswered(timeline: Timeline, asked_at: int) -> bool:
    """Tell whether nothing after a request says that it was dealt with: no report, no check that passed."""
    reported = bool(timeline.reports) and timeline.reports[-1].at > asked_at
    checked = any(
        run.at > asked_at and run.outcome is Outcome.SUCCEEDED and run.line.purpose in CHECKS for run in timeline.runs
    )
    return not reported and not checked


def _without_parts(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Drop a statement all of whose words another one has too: it says the same in short."""
    words = [set(sentences.normalise_key(statement.text).split()) for statement in statements]
    return tuple(
        statement
        for at, statement in enumerate(statements)
        if not any(words[at] < other for other in words if len(words[at]) >= PART_WORDS_MIN)
    )


def _last_words(timeline: Timeline) -> Statement | None:
    return Statement(timeline.reports[-1].text.strip(), (timeline.reports[-1].at,)) if timeline.reports else None


def _unique(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Keep one statement of those that say the same; repeats add their evidence."""
    kept: dict[str, Statement] = {}
    for statement in statements:
        key = sentences.normalise_key(statement.text)
        if not key:
            continue
        first = kept.get(key)
        evidence = statement.evidence if first is None else (*first.evidence, *statement.evidence)
        kept[key] = Statement(first.text if first else statement.text, tuple(dict.fromkeys(evidence)))
    return tuple(kept.values())
