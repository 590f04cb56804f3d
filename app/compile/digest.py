"""From a session's observations to what it comes down to, by rules alone; every part names its evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.compile import (
    commits,
    conversation,
    entities,
    failures,
    file_work,
    fixes,
    messages,
    outcome,
    prompts,
    sentences,
)
from app.compile.messages import MessageLine
from app.compile.purposes import CHECKS, FORMATTERS, Purpose
from app.compile.timeline import Run, Timeline, Words, read_timeline
from app.domain import legible, limits_compile
from app.domain.event import Outcome
from app.domain.handoff import HandoffContent
from app.domain.session import (
    CommandWork,
    FileWork,
    Observation,
    Session,
    SessionDigest,
    Statement,
)

PART_WORDS_MIN = 2


def build_digest(
    session: Session, observations: Iterable[Observation], taken: Sequence[HandoffContent] = ()
) -> SessionDigest | None:
    """Digest a session that held the handoffs `taken`; None when nobody said or did anything."""
    return digest_timeline(session, read_timeline(session, observations), taken)


def digest_timeline(session: Session, timeline: Timeline, taken: Sequence[HandoffContent] = ()) -> SessionDigest | None:
    """Digest a session that was read already."""
    if not timeline.sightings:
        return None
    reports = [(words.at, messages.parse_message(words.text)) for words in timeline.reports]
    requests = conversation.list_requests(timeline)
    last_report = _last_report(timeline, reports)
    failing = fixes.list_failing(timeline.runs)
    made = commits.list_commits(timeline.runs)
    ending = outcome.decide_ending(timeline, failing, made, last_report)
    files = file_work.list_files(timeline.touches, timeline.runs, failing)
    uncommitted = _without_gone(commits.list_uncommitted(timeline.runs, timeline.touches), timeline, files)
    goal = _choose_goal(requests, taken)
    digest = SessionDigest(
        title=_build_title(timeline, goal),
        goal=goal,
        outcome=ending.outcome,
        outcome_reason=ending.reason,
        outcome_evidence=ending.evidence,
        outcome_label=ending.label,
        turns=conversation.list_turns(requests, reports, timeline.sightings[-1].id + 1),
        files=files,
        commands=_list_commands(timeline.runs, failing),
        errors=fixes.list_errors(timeline.runs, timeline.touches),
        decisions=conversation.list_decisions(timeline, requests, reports),
        rejected=conversation.list_rejected(timeline, requests, reports),
        commits=made,
        open_questions=_list_open_questions(timeline, last_report),
        next_steps=_list_next_steps(timeline, failing, last_report),
        last_words=_last_words(timeline),
        uncommitted=tuple(left.text for left in uncommitted),
        uncommitted_evidence=tuple(at for left in uncommitted for at in left.evidence),
        lookups=sum(run.line.is_lookup or _only_formats([run]) for run in timeline.runs),
        sightings=tuple(timeline.sightings),
    )
    return replace(digest, things=entities.list_things(session, timeline, digest))


def changed_something(digest: SessionDigest) -> bool:
    """Tell work from mere talk: files, commits, or commands that do more than look and check."""
    acts = any(work.purpose not in {Purpose.TEST, Purpose.LINT} for work in digest.commands)
    return bool(digest.files or digest.commits or acts)


def _last_report(timeline: Timeline, reports: list[tuple[int, tuple[MessageLine, ...]]]) -> tuple[MessageLine, ...]:
    """Take the last report, unless a person has written since and it is no longer the last word."""
    last_prompt = timeline.prompts[-1].at if timeline.prompts else 0
    return reports[-1][1] if reports and reports[-1][0] > last_prompt else ()


def _choose_goal(requests: Sequence[Words], taken: Sequence[HandoffContent]) -> Statement | None:
    """Choose what the session is for: the first prompt, or where that only says "go on" what it was to go on with."""
    if not requests:
        return None
    handed = next((content.goal for content in taken if content.goal), "")
    if handed and prompts.is_nudge(requests[0].text):
        return Statement(handed, (requests[0].at,))
    chosen = requests[prompts.choose_goal([words.text for words in requests]) or 0]
    return Statement(chosen.text, (chosen.at,), is_persons=True)


def _build_title(timeline: Timeline, goal: Statement | None) -> str:
    # "continue" says nothing; what was then done does.
    did_anything = bool(timeline.reports or timeline.touches or timeline.runs)
    is_telling = goal is not None and not (prompts.is_nudge(goal.text) and did_anything)
    return prompts.build_title(goal.text) if goal and is_telling else _untitled(timeline)


def _untitled(timeline: Timeline) -> str:
    """Name a session of which no prompt is known after what it did."""
    gist = next((messages.find_gist(messages.parse_message(words.text)) for words in timeline.reports), "")
    if gist:
        return prompts.build_title(gist)
    touched = list(dict.fromkeys(touch.path for touch in timeline.touches))
    if touched:
        return legible.clip(f"Changes to {', '.join(touched[:3])}", limits_compile.TITLE_SHOWN_CHARS_MAX)
    return next((f"Session that ran {run.line.shown}" for run in timeline.runs), "Session without a recorded request")


def _without_gone(
    uncommitted: tuple[Statement, ...], timeline: Timeline, files: tuple[FileWork, ...]
) -> tuple[Statement, ...]:
    """Leave out what the session itself made and removed again, or moved on."""
    gone = {touch.path for touch in timeline.touches} - {work.path for work in files}
    return tuple(left for left in uncommitted if left.text not in gone)


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
        if repeats[0].line.is_lookup or _only_formats(repeats):
            continue
        works.append(
            CommandWork(
                command=repeats[0].line.shown,
                purpose=repeats[0].line.purpose.value,
                outcome=repeats[-1].outcome,
                times=len(repeats),
                failures=len(failed),
                excerpt=failures.build_excerpt(failed[-1].output) if failed else "",
                evidence=tuple(run.at for run in repeats),
                is_failing=key in open_failures,
                first_failure=_name_first_failure(failed),
            )
        )
    return tuple(works)


def _only_formats(repeats: Sequence[Run]) -> bool:
    """Tell whether runs put files into form and nothing more, as nobody needs to be told."""
    steps = repeats[0].line.segments
    return all(map(FORMATTERS.match, steps)) and all(run.outcome is Outcome.SUCCEEDED for run in repeats)


def _name_first_failure(failed: Sequence[Run]) -> str:
    headlines = [failures.find_headline(run.output) for run in (*failed[:1], *failed[-1:])]
    same = len({failures.normalise_signature(headline) for headline in headlines}) < len(headlines)
    return "" if same or not headlines else headlines[0]


def _list_open_questions(timeline: Timeline, last_report: tuple[MessageLine, ...]) -> tuple[Statement, ...]:
    at = timeline.reports[-1].at if timeline.reports else 0
    return conversation.unique(Statement(text, (at,)) for text in messages.list_open_questions(last_report))


def _list_next_steps(
    timeline: Timeline, failing: tuple[int, ...], last_report: tuple[MessageLine, ...]
) -> tuple[Statement, ...]:
    found: list[Statement] = []
    last_prompt = timeline.prompts[-1] if timeline.prompts else None
    if last_prompt and _is_unanswered(timeline, last_prompt.at):
        asked = legible.clip(legible.squeeze(last_prompt.text), limits_compile.ASKED_CHARS_MAX)
        began = any(touch.at > last_prompt.at for touch in timeline.touches)
        verb = "Finish" if began else "Answer"
        found.append(Statement(f"{verb} the last request: {asked}", (last_prompt.at,)))
    if last_report:
        at = timeline.reports[-1].at
        found.extend(Statement(text, (at,)) for text in messages.list_next_steps(last_report))
    found.extend(Statement(item.text, (at,)) for at, item in timeline.todos.values() if not item.is_done)
    broken = (timeline.runs[at] for at in failing if timeline.runs[at].line.purpose in CHECKS)
    found.extend(Statement(f"Make `{run.line.shown.replace('`', '')}` pass", (run.at,)) for run in broken)
    return _without_parts(conversation.unique(found))


def _is_unanswered(timeline: Timeline, asked_at: int) -> bool:
    """Tell whether nothing after a request says that it was dealt with: no report, no check that passed."""
    if outcome.is_silent_end(timeline):
        return False
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
