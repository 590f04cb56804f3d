"""What was said between a person and the agent: requests with their answers, decisions, what was sent back."""

from collections.abc import Iterable, Sequence

from app.compile import messages, prompts, sentences
from app.compile.messages import MessageLine
from app.compile.timeline import Reply, Timeline, Words
from app.domain import legible
from app.domain.limits_compile import ASKED_CHARS_MAX, PERSON_DECISIONS_PER_PROMPT_MAX, SHORT_ANSWER_WORDS_MAX
from app.domain.session import Statement, Turn

# How a statement's context begins, where it has one: the page shows it outside the person's words.
IN_ANSWER_TO, WHEN_STOPPING = "in answer to: ", "when stopping "

Report = tuple[int, tuple[MessageLine, ...]]


def list_requests(timeline: Timeline) -> list[Words]:
    """List what a person asked; a prompt that was taken back and sent again, longer or the same, counts once."""
    reported = sorted(words.at for words in timeline.reports)
    requests: list[Words] = []
    for words in timeline.prompts:
        is_unanswered = bool(requests) and not any(requests[-1].at < at < words.at for at in reported)
        if is_unanswered and _goes_on(requests[-1].text, words.text):
            requests.pop()
        requests.append(words)
    return requests


def list_turns(requests: Sequence[Words], reports: Sequence[Report], until: int) -> tuple[Turn, ...]:
    """Pair each request with the gist of the last report that came before the next one."""
    turns: list[Turn] = []
    bounds = [*(words.at for words in requests), until]
    lines_at = dict(reports)
    for words, end in zip(requests, bounds[1:], strict=True):
        answers = [at for at in lines_at if words.at < at < end]
        gist = messages.find_gist(lines_at[answers[-1]]) if answers else ""
        answered = Statement(gist, (answers[-1],)) if gist else None
        asked = legible.clip(legible.squeeze(words.text), ASKED_CHARS_MAX)
        turns.append(Turn(Statement(asked, (words.at,), is_persons=True), answered))
    return tuple(turns)


def list_decisions(timeline: Timeline, requests: Sequence[Words], reports: Sequence[Report]) -> tuple[Statement, ...]:
    """List what a person settled, in prompts and in answers to the agent's questions, and what a report says was."""
    found: list[Statement] = []
    for words in requests:
        texts = messages.list_person_decisions(messages.parse_message(words.text))
        found.extend(
            Statement(_with_question(text, words, reports), (words.at,), is_persons=True)
            for text in texts[:PERSON_DECISIONS_PER_PROMPT_MAX]
        )
    found.extend(_tell_reply(reply, IN_ANSWER_TO) for reply in timeline.answers)
    for at, lines in reports:
        found.extend(Statement(text, (at,)) for text in messages.list_agent_decisions(lines))
    return unique(sorted(found, key=lambda statement: statement.evidence))


def list_rejected(timeline: Timeline, requests: Sequence[Words], reports: Sequence[Report]) -> tuple[Statement, ...]:
    """List what was sent back, stopped with a word why, or tried and dropped."""
    # The first prompt describes the work; "it does not work" there is the task, not a verdict on an attempt.
    found = [
        Statement(text, (words.at,), is_persons=True)
        for words in requests[1:]
        for text in messages.list_person_rejections(messages.parse_message(words.text))
    ]
    found.extend(_tell_reply(reply, WHEN_STOPPING) for reply in timeline.objections)
    found.extend(Statement(text, (at,)) for at, lines in reports for text in messages.list_agent_rejections(lines))
    return unique(sorted(found, key=lambda statement: statement.evidence))


def unique(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Keep one statement of those that say the same; repeats add their evidence."""
    kept: dict[str, Statement] = {}
    for statement in statements:
        key = sentences.normalise_key(statement.text)
        if not key:
            continue
        first = kept.get(key, statement)
        evidence = tuple(dict.fromkeys((*first.evidence, *statement.evidence)))
        kept[key] = Statement(first.text, evidence, first.is_persons or statement.is_persons)
    return tuple(kept.values())


def _goes_on(earlier: str, later: str) -> bool:
    before, after = sentences.normalise_key(earlier), sentences.normalise_key(later)
    return bool(before) and after.startswith(before) and not prompts.is_filler(earlier)


def _with_question(text: str, words: Words, reports: Sequence[Report]) -> str:
    """Give a short answer ("let's do option 2") the question that it answers."""
    if sentences.count_words(text) > SHORT_ANSWER_WORDS_MAX:
        return text
    asked = next((messages.list_open_questions(lines) for at, lines in reversed(reports) if at < words.at), ())
    return f"{text} ({IN_ANSWER_TO}{asked[-1]})" if asked else text


def _tell_reply(reply: Reply, link: str) -> Statement:
    text = legible.clip(reply.text, ASKED_CHARS_MAX)
    return Statement(f"{text} ({link}{legible.clip(reply.to, ASKED_CHARS_MAX)})", (reply.at,), is_persons=True)
