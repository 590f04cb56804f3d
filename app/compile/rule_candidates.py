"""Rule candidates: what a person says is always or never to be done; each waits until a person makes it a rule."""

import re
from collections.abc import Iterator, Sequence

from app.compile import escape, knowledge, messages, sentences
from app.compile.cues import HEDGE
from app.compile.timeline import Timeline
from app.domain import legible
from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.limits_knowledge import (
    LESSON_KEY_CHARS_MAX,
    RULE_CANDIDATES_PER_PROMPT_MAX,
    RULE_CHARS_MAX,
    RULE_TITLE_CHARS_MAX,
    SIGHTINGS_SHOWN_MAX,
)
from app.domain.session import SessionDigest

_COMMENT_MARKS = ("//", "#", "/*", "--", ">", "$")
WORDS_MIN = 4

# A verb in its plain form: "always run", not "always fails", "always written" or "always running".
_VERB = r"(?:(?:pass|address|access|process|express|press|listen|open|need|embed)\b|(?!\w+(?:ed|en|ing|s)\b)\w{2,}\b)"
_BEFORE = r"(?:^|[,;:(]\s*|\b(?:please|and|then|so|but|should|must|sure to|remember to|you|we|i|also|will|shall)\s+)"
_RULE: dict[str, str] = {
    "en": rf"{_BEFORE}(?:always|never)\s+{_VERB}"
    r"|\b(?:do not|don'?t|must not) ever\b|^(?:please )?(?:do not|don'?t)\s+\w+\b.{2,80}\bagain\b"
    r"|\bfrom now on\b|\bin (?:the )?future,? (?:please|always|never|do not|don'?t|use|make|we|you)\b"
    r"|\b(?:we|i)(?:'d| would)? (?:always |only |generally |strongly )?prefer (?!that\b|it\b|this\b)\w+|^prefer \w+"
    r"|\b(?:we|i) (?:only|usually) (?:use|want|write|commit|push|allow|mock)\b"
    r"|\b(?:we|i) (?:do not|don'?t) (?:use|want|allow|mock|gitignore|commit|push) \w+"
    r"|\b(?:i|we) would only want\b"
    r"|\bin this (?:repo(?:sitory)?|project|code ?base)\b.{0,80}\b(?:use|must|should|only|not)\b"
    r"|\bis (?:not allowed|forbidden|mandatory) (?:here|in)\b|\bthe rule is\b"
    r"|\bour (?:convention|policy|rule|style) is\b|\bas a rule\b",
    "pt": r"(?:^|[,;]\s*|\bpor favor,? )(?:sempre|nunca|jamais) \w+|\b(?:use|usa|usem|escreva|rode) (?:sempre|nunca)\b"
    r"|\ba partir de agora\b|\bprefir[oa]\b|\bpreferimos\b",
    "es": r"(?:^|[,;]\s*|\bpor favor,? )(?:siempre|nunca|jamás) \w+|\b(?:usa|use|usad|escribe) (?:siempre|nunca)\b"
    r"|\ba partir de ahora\b|\bprefiero\b|\bpreferimos\b",
    "de": r"(?:^|[,;]\s*|\bbitte )(?:immer|nie|niemals) \w+"
    r"|\b(?:verwende|benutze|nutze|nimm|schreib\w*|lass) (?:\w+ )?(?:immer|nie|niemals|stets)\b"
    r"|\bab (?:jetzt|sofort)\b|\bgrundsätzlich\b|\bkeinesfalls\b|\bkünftig\b|\b(?:ich|wir) bevorzuge(?:n)?\b",
    "fr": r"(?:^|[,;]\s*)(?:toujours|jamais) \w+|\b(?:utilise[zr]?|écri[st]|mets|faites) toujours\b"
    r"|\bn['e]\s?\w+(?:e|ez|ons) jamais\b|\b(?:désormais|dorénavant)\b|\b(?:je préfère|nous préférons|on préfère)\b",
    "zh": r"始终(?:使用|用|要)|永远不要|从现在起|从今以后|以后(?:都|一律)|一律(?:使用|用|不)|务必|优先使用|统一使用",
    "ja": r"必ず.{0,30}(?:使|して|する|こと|ください)|常に.{0,30}(?:使|して|こと)|今後は|これからは"
    r"|(?:決して|絶対に).{0,30}(?:ない|禁止)",
}
_IS_RULE = re.compile("|".join(f"(?:{pattern})" for pattern in _RULE.values()), re.IGNORECASE)
# What happens is told, not wished for; what somebody asks is neither.
_TOLD = re.compile(
    r"\bnever mind\b|\b(?:don'?t|do not|doesn'?t|not) always\b|\balways (?:has|have|had|been|was|were|is|are)\b"
    r"|\b(?:has|have|had) (?:always|never)\b|\bi(?:'ve| have)? (?:always|never) (?:seen|had|used|been|liked|thought)\b"
    r"|^(?:this|that|it|these|those|which|why|how|what|when|who|where|does|did|is|are|was|to|warum|wie|por que|por qué"
    r"|pourquoi|//|#|/\*)"
    r"(?=\W|$)|[→\u21d2]|\bi guess\b|\bi don'?t want (?:you )?to (?:have|see|do)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?\uff1f؟]\W*$")
# Text that tells an agent who it is and what it may do is a prompt of a program, and is no rule of a project.
_SCAFFOLD = re.compile(
    r"\b(?:you are (?:an?|the)\b|your (?:task|role|job) is|the user|the assistant|system prompt"
    r"|ignore (?:all|any|previous)"
    r"|(?:thought|action|observation)\b.{0,20}\bformat)|</?\w[\w-]*>|^\W*(?:important|note|system)\s*:",
    re.IGNORECASE,
)


def list_lessons(timeline: Timeline, digest: SessionDigest) -> Iterator[Lesson]:
    """List what a person's own words wish for good; nothing that a tool, a file or a recap said is looked at."""
    told: dict[str, Lesson] = {}
    for words in timeline.prompts:
        for text in list(_list_wishes(words.text))[:RULE_CANDIDATES_PER_PROMPT_MAX]:
            key = sentences.normalise_key(text)[:LESSON_KEY_CHARS_MAX]
            lesson = Lesson(
                kind=LessonKind.RULE,
                key=key,
                title=legible.clip(text, RULE_TITLE_CHARS_MAX),
                told_at=knowledge.find_time(digest, words.at),
                evidence=(words.at,),
                text=text,
                is_persons=True,
            )
            told.setdefault(key, lesson)
    yield from told.values()


def is_wish(sentence: str) -> bool:
    """Tell whether a sentence of a person wishes for something to be so from now on."""
    if not _IS_RULE.search(sentence) or _QUESTION.search(sentence) or HEDGE.search(sentence):
        return False
    if sentence.endswith((":", "\uff1a")) or sentence.startswith(_COMMENT_MARKS):
        return False
    if _TOLD.search(sentence) or _SCAFFOLD.search(sentence):
        return False
    return sentences.count_words(sentence) >= WORDS_MIN and len(sentence) <= RULE_CHARS_MAX


def render_rule(text: str, seen: Sequence[SeenLesson]) -> str:
    """Write the page of a rule that a person approved."""
    whose = sorted({each.owner for each in seen if each.owner})
    said = f"Said by {', '.join(map(escape.escape_inline, whose))}" if whose else "Said by a person"
    lead = f"# {escape.escape_inline(legible.clip(text, RULE_TITLE_CHARS_MAX))}\n\n{escape.escape_inline(text)}\n"
    newest = list(reversed(seen))[:SIGHTINGS_SHOWN_MAX]
    lines = [
        f"- {knowledge.link(each)}: in a person's own words ({knowledge.render_range(each.lesson.evidence)})"
        for each in newest
    ]
    return "\n".join([f"{lead}\n## Evidence\n\n{said}.\n", *lines]).rstrip() + "\n"


def _list_wishes(text: str) -> Iterator[str]:
    for line in messages.parse_message(text):
        for sentence in sentences.split_sentences(line.text):
            plain = legible.squeeze(sentence)
            if is_wish(plain):
                yield plain
