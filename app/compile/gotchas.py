"""Gotchas: an error that a command showed, the edits that followed, and that the command then passed.

Sessions that met the same error meet under its normalised signature. Errors that come and go while code is written
(a failing assertion, an unknown name) are worth a page only when they come back.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.compile import commands, edits, entities, escape, failures, knowledge
from app.compile.commands import CommandLine
from app.compile.edits import Edit
from app.compile.knowledge import KnowledgePage, Subject
from app.compile.page_parts import PagePart
from app.compile.purposes import CHECKS, Purpose
from app.compile.timeline import Run, Timeline
from app.domain import legible
from app.domain.entity import ThingKind, build_thing
from app.domain.event import FileChange, Outcome
from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.limits import TITLE_CHARS_MAX
from app.domain.limits_knowledge import (
    GOTCHA_CAUSE_CHARS_MAX,
    GOTCHA_CAUSES_MAX,
    GOTCHA_EXCERPT_CHARS_MAX,
    GOTCHA_STEPS_BETWEEN_MAX,
    LESSON_KEY_CHARS_MAX,
    SIGHTINGS_SHOWN_MAX,
)
from app.domain.page import PageKind
from app.domain.session import ErrorWork, SessionDigest

LINT_WORDS_KEPT = 8
TITLE_WORDS_MIN = 4

_FLEETING = re.compile(
    r"^(?:--- FAIL|FAILED|FAIL\b|ERROR \S+::|E?\s*assert|AssertionError|Failed:|not ok\b|[\u25cf\u2715\u2717\u00d7])"
    r"|^\S*(?:_test\.\w+|test_\w+\.py|\.(?:test|spec)\.\w+):\d+:"
    r"|\b(?:expected|got|want|received)\b.*\b(?:got|expected|received|but)\b|\d+ (?:failed|failing)\b"
    r"|imported and not used|declared and not used|is not defined|\bundefined\b|NameError|SyntaxError|IndentationError"
    r"|[Uu]nexpected token|expected (?:a |an |')|expression expected|(?:not enough|too many) arguments"
    r"|(?:missing|takes) \d+ (?:required )?positional|has no (?:field|member|attribute|exported member|method)"
    r"|does not exist on type|[Cc]annot find name|[Uu]nused (?:import|variable)|cannot use .* as|TypeError"
    r"|never used|no-unused|not assignable|AttributeError|cannot find (?:value|function|type)|use of undeclared"
    r"|missing return|unreachable code|does not match|F401|F841|E501|W\d{3}\b",
)
_CAUSE = re.compile(
    r"\b(?:because|root cause|caused by|the (?:cause|reason|problem|issue|bug) (?:was|is)|due to|turned out"
    r"|weil|die Ursache|o problema (?:era|é)|porque|la causa|la cause|à cause|parce que)\b|原因|因为|ため",
    re.IGNORECASE,
)
# What names code or a place: it has a dot, a slash, brackets, quotation marks or capitals inside.
_NAME_OF_CODE = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"|\S*\w[./(\[]\w\S*")
_DOCUMENT = re.compile(r"\.(?:md|mdx|rst|txt|adoc)$|(?:^|/)(?:LICENSE|CHANGELOG)[^/]*$", re.IGNORECASE)
_TELLING_PURPOSES = CHECKS | {Purpose.INSTALL, Purpose.RUN}
_WORD = re.compile(r"[A-Za-z_]\w{3,}")


@dataclass(frozen=True, slots=True)
class Look:
    """What a session shows, as far as errors and their fixes are concerned."""

    timeline: Timeline
    digest: SessionDigest
    edits: Sequence[Edit]


def list_lessons(look: Look) -> Iterator[Lesson]:
    """List the errors of a session: those that were fixed by edits, and those that were left."""
    told: dict[str, Lesson] = {}
    for error in look.digest.errors:
        is_telling = _parse(error.command).purpose in _TELLING_PURPOSES
        if not is_telling or (error.is_resolved and not _list_causing(error)):
            continue
        lesson = _build_lesson(look, error, LessonKind.FIX if error.is_resolved else LessonKind.FAILURE)
        told.setdefault(lesson.key, lesson)
    yield from told.values()


def list_late_fixes(look: Look, failed: Sequence[SeenLesson]) -> Iterator[Lesson]:
    """List the errors that earlier sessions left, and that this one fixed: it edited, and the command passed."""
    known = {lesson.key for lesson in list_lessons(look)}
    for seen in failed:
        lesson = seen.lesson
        run = _find_pass(look.timeline.runs, lesson.command)
        touched = [touch for touch in look.timeline.touches if run is not None and touch.at < run.at]
        edited = [touch for touch in touched if not _DOCUMENT.search(touch.path)]
        if run is None or not edited or lesson.key in known:
            continue
        known.add(lesson.key)
        files = tuple(dict.fromkeys(touch.path for touch in edited))
        yield replace(
            lesson,
            kind=LessonKind.FIX,
            told_at=knowledge.find_time(look.digest, run.at),
            evidence=(*(touch.at for touch in edited[-1:]), run.at),
            files=files,
            change=edits.choose_change([edit for edit in look.edits if edit.at < run.at], files, lesson.title),
            notes=_list_causes(look, lesson.title, files, edited[0].at),
            things=(),
            times=0,
        )


def build_key(headline: str, *, is_lint: bool = False) -> str:
    """Build the key under which sightings of an error meet: without places, numbers and paths.

    What a linter complains of is the same for whichever name it names.
    """
    plain = failures.normalise_signature(entities.strip_place(legible.squeeze(headline))).casefold()
    if is_lint and not _FLEETING.search(headline):
        plain = " ".join(_NAME_OF_CODE.sub("*", plain).split()[:LINT_WORDS_KEPT])
    return plain[:LESSON_KEY_CHARS_MAX]


def is_due(seen: Sequence[SeenLesson], *, sessions: int, fleeting_sessions: int) -> bool:
    """Tell whether enough sessions met an error for it to have a page: one must have fixed it."""
    fixed = [each for each in seen if each.lesson.kind is LessonKind.FIX]
    met = {each.session_id for each in seen}
    is_fleeting = all(each.lesson.is_fleeting for each in seen)
    return bool(fixed) and len(met) >= (fleeting_sessions if is_fleeting else sessions)


def build_page_key(key: str) -> str:
    """Build what the page of a lesson is known by."""
    return f"error {key}"


def build_page(subject: Subject, seen: Sequence[SeenLesson]) -> KnowledgePage:
    """Build the page of one error from all sessions that met it, the oldest first."""
    fixed = [each for each in seen if each.lesson.kind is LessonKind.FIX]
    last = fixed[-1].lesson
    title = _build_title(last.title)
    files = tuple(dict.fromkeys(file for each in fixed for file in each.lesson.files))
    things = [build_thing(ThingKind.ERROR, entities.name_error(last.title))]
    things += [build_thing(ThingKind.FILE, file) for file in files[:SIGHTINGS_SHOWN_MAX]]
    things += [build_thing(ThingKind.COMMAND, entities.name_command(_parse(last.command)))]
    sections = (
        PagePart("", _render_lead(title, seen, last)),
        PagePart("What fixed it", "\n\n".join(_render_fix(each) for each in reversed(fixed[-3:]))),
        PagePart("Evidence", knowledge.render_evidence(seen, _describe)),
    )
    return KnowledgePage(
        kind=PageKind.GOTCHA,
        key=build_page_key(seen[0].lesson.key),
        title=title,
        description=_describe_page(last, seen),
        parts=sections,
        seen=tuple(seen),
        things=tuple(dict.fromkeys(things)),
        verified_at=max(each.lesson.told_at for each in fixed),
        command=last.command,
        subject=subject,
    )


def _build_lesson(look: Look, error: ErrorWork, kind: LessonKind) -> Lesson:
    headline = legible.squeeze(error.signature)
    before = [edit for edit in look.edits if error.evidence[0] < edit.at <= error.evidence[-1]]
    made_here = {work.path for work in look.digest.files if work.change is FileChange.ADDED}
    run = next((run for run in look.timeline.runs if run.at == error.evidence[0]), None)
    is_own_script = run is not None and run.line.purpose is Purpose.RUN and _runs_any(run, made_here)
    excerpt = failures.build_excerpt(run.output)[:GOTCHA_EXCERPT_CHARS_MAX] if run else ""
    files = _list_causing(error)
    return Lesson(
        kind=kind,
        key=build_key(headline, is_lint=_parse(error.command).purpose is Purpose.LINT),
        title=_choose_title(headline, excerpt),
        told_at=knowledge.find_time(look.digest, error.evidence[-1]),
        evidence=error.evidence,
        text=excerpt,
        command=error.command,
        files=files,
        change=edits.choose_change(before, files, headline),
        notes=_list_causes(look, headline, files, error.evidence[0]),
        things=_list_between(look, error),
        times=error.times,
        is_fleeting=bool(_FLEETING.search(headline)) or is_own_script,
    )


def _list_causing(error: ErrorWork) -> tuple[str, ...]:
    """List the changed files that can make a command pass; prose cannot."""
    return tuple(file for file in error.fixed_in if not _DOCUMENT.search(file))


def _choose_title(headline: str, excerpt: str) -> str:
    """Choose the line that says what is wrong; "go mod tidy" alone says what to do about something."""
    if len(headline.split()) >= TITLE_WORDS_MIN:
        return headline
    lines = (legible.squeeze(line) for line in excerpt.split("\n"))
    return next(
        (
            line
            for line in lines
            if headline not in line and len(line.split()) >= TITLE_WORDS_MIN and not line.startswith("[")
        ),
        headline,
    )


def _list_between(look: Look, error: ErrorWork) -> tuple[str, ...]:
    """List the commands between a failure and the pass that had to do with it: installs, and what the error names."""
    failed = next((run for run in look.timeline.runs if run.at == error.evidence[0]), None)
    output = failed.output if failed else ""
    found = (
        run.line.shown
        for run in look.timeline.runs
        if error.evidence[0] < run.at < error.evidence[-1]
        and run.outcome is not Outcome.FAILED
        and (run.line.purpose is Purpose.INSTALL or any(step in output for step in run.line.segments))
    )
    return tuple(dict.fromkeys(found))[:GOTCHA_STEPS_BETWEEN_MAX]


def _runs_any(run: Run, made_here: set[str]) -> bool:
    return any(path.rpartition("/")[2] in run.line.key for path in made_here)


def _find_pass(runs: Sequence[Run], command: str) -> Run | None:
    """Find the first run that passed and covers a command, and did not fail in this session before."""
    wanted = _parse(command)
    passed = (run for run in runs if run.outcome is Outcome.SUCCEEDED and commands.covers(run.line, wanted))
    return next(passed, None)


def _list_causes(look: Look, headline: str, files: Sequence[str], after: int) -> tuple[str, ...]:
    """List what the agent said the error came from: sentences with a cause that name the error or its files."""
    named = " ".join((headline, *(file.rpartition("/")[2] for file in files)))
    words = {word.lower() for word in _WORD.findall(named)}
    found: list[str] = []
    for report in look.timeline.reports:
        for sentence in knowledge.list_sentences(report.text) if report.at > after else ():
            told = {word.lower() for word in _WORD.findall(sentence)}
            if _CAUSE.search(sentence) and len(words & told) >= 2:  # noqa: PLR2004 - one shared word says nothing
                found.append(legible.clip(sentence, GOTCHA_CAUSE_CHARS_MAX))
    return tuple(dict.fromkeys(found))[:GOTCHA_CAUSES_MAX]


def _build_title(headline: str) -> str:
    plain = legible.squeeze(entities.strip_place(headline)).strip(" :-=")
    # A name is not written large; a word is.
    is_word = bool(re.match(r"[a-z]+ ", plain))
    return legible.clip(plain[:1].upper() + plain[1:] if is_word else plain, TITLE_CHARS_MAX // 2)


def _render_lead(title: str, seen: Sequence[SeenLesson], last: Lesson) -> str:
    times = sum(max(each.lesson.times, 0) for each in seen)
    met = f"It was met {knowledge.count(times, 'time', 'times')} in {knowledge.count_sessions(seen)}"
    when = f", last on {seen[-1].lesson.told_at:%Y-%m-%d}."
    excerpt = next((each.lesson.text for each in reversed(seen) if each.lesson.text), last.title)
    return (
        f"# {escape.escape_inline(title)}\n\n{escape.code_span(last.command)} failed with this, and passed again after"
        f" changes to {knowledge.name_files(last.files)}. {met}{when}\n\n{escape.fence_block(excerpt)}\n"
    )


def _render_fix(each: SeenLesson) -> str:
    lesson = each.lesson
    ran = f" and ran {', '.join(map(escape.code_span, lesson.things))}" if lesson.things else ""
    changed = f"changed {knowledge.name_files(lesson.files)}{ran}"
    where = f"On {lesson.told_at:%Y-%m-%d}, in {knowledge.link(each)}: {changed},"
    passed = f"after which {escape.code_span(lesson.command)} passed ({knowledge.render_range(lesson.evidence)})."
    told = [f"{where} {passed}"]
    if lesson.change:
        told.append(escape.fence_block(lesson.change).replace("text\n", "diff\n", 1))
    told += [f"> {escape.escape_inline(cause)}" for cause in lesson.notes]
    return "\n\n".join(told)


def _describe(each: SeenLesson) -> str:
    lesson = each.lesson
    if lesson.kind is LessonKind.FAILURE:
        return f"failed {knowledge.count(lesson.times, 'time', 'times')} and was left failing"
    if not lesson.times:
        return "fixed what an earlier session had left failing"
    return f"failed {knowledge.count(lesson.times, 'time', 'times')}, then passed"


def _describe_page(last: Lesson, seen: Sequence[SeenLesson]) -> str:
    files = ", ".join(last.files[:2])
    sessions = knowledge.count_sessions(seen)
    return legible.clip(f"Fixed by changes to {files}; met in {sessions}.", 200)


def _parse(command: str) -> CommandLine:
    return commands.parse_command(command)
