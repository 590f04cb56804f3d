"""A person's own words in a prompt: scaffolding taken away, the goal chosen, a title made of it."""

import re

from app.compile import sentences
from app.compile.cues import BACKGROUND, FILLER_PROMPT, POLITENESS, REQUEST
from app.domain import fence, legible
from app.domain.limits import NUDGE_WORDS_MAX
from app.domain.limits_compile import TITLE_LINES_MAX, TITLE_SHOWN_CHARS_MAX

TITLE_WORDS_MIN = 3

# Blocks that agents and editors put into prompts; none of it was typed by a person.
_MACHINE_BLOCK = re.compile(
    r"<(system-reminder|local-command-(?:stdout|stderr|caveat)|command-(?:message|contents)|bash-(?:input"
    r"|stdout|stderr)"
    r"|ide_\w+|task-notification|hook_context|untrusted_context|environment_(?:context|details)|user_instructions"
    r"|user-prompt-submit-hook|turn_aborted|INSTRUCTIONS|permissions|skill|attached_files?|additional_data"
    r"|open_files?"
    r"|current_file|context|available_skills|system_info|subagent_notification)\b[^>]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_SLASH_COMMAND = re.compile(r"<command-name>\s*/?([\w:-]+)\s*</command-name>", re.IGNORECASE)
_SLASH_ARGUMENTS = re.compile(r"<command-args>(.*?)(?:</command-args>|\Z)", re.DOTALL | re.IGNORECASE)
_WRAPPER_TAG = re.compile(
    r"</?(?:user_query|task|feedback|user_message|prompt|user_request|question|private|command-args)>", re.IGNORECASE
)
_BRACKET_NOTE = re.compile(
    r"\[(?:Request interrupted by user[^\]]*|Image(?: #\d+)?(?:: [^\]]*)?|Pasted text #\d+[^\]]*"
    r"|\.\.\.Truncated text[^\]]*)\]"
)
# Recaps stand where a prompt would be and speak in the person's place.
_RECAP = re.compile(
    r"^\s*(?:This session is being continued from a previous conversation|Caveat: The messages below were generated"
    r"|# AGENTS\.md instructions for |Another language model started to solve this problem"
    r"|Please continue the conversation from where we left it off)",
    re.IGNORECASE,
)
_REQUEST_MARK = re.compile(r"^#+ My request(?: for \w+)?:\s*$", re.MULTILINE | re.IGNORECASE)
# What a prompt is made of that only says to go on; it says so by one of the first, and by nothing else.
_GOES_ON = re.compile(
    r"\b(?:go(?:ing)? (?:on|ahead)|continu(?:e|ing)|carry on|keep (?:going|working)|proceed|pick (?:it|this|that|up)"
    r"|resume|take (?:it |this )?over|finish|complete|weiter(?:machen|arbeiten)?|fortfahren|fortsetzen"
    r"|sigue|seguir|siga|contin[úu]a|continuar|continue[zr]?|poursui[st]|prossiga|retoma[r]?|reprends|reprendre)\b"
    r"|[继接续続]",
    re.IGNORECASE,
)
_GOES_ON_TEXT = """
a above again ahead all and any as at back before by can carry claim complete continue continuing could done earlier
finish from further go going good great handed handoff hand-off has have here i in is it its job just keep last left let
lets me more my next now of off ok okay on open our over pick please point previous proceed resume rest right s session
so started step still stopped sure take task thank thanks that the then there things this to up was we were what where
which with work working would yes you your
bitte da das dem den der die es fort fortfahren fortsetzen gut ja jetzt mach mache machen arbeit weiter weitermachen
weiterarbeiten wir wo aufgehört haben hast du
adelante ahí con continúa continua continuar de desde donde dónde el esto favor la lo por quedamos seguir siga sigue sí
tarea trabajo onde parou paramos retoma retomar prossiga agora isso trabalho
allez aller arrêté avec avons ce continuez continuer le là merci nous où poursuis poursuit reprends reprendre s'il tâche
te travail tu vas-y vous
"""
_GOES_ON_WORDS = frozenset(_GOES_ON_TEXT.split())
_CONTINUED = re.compile(r"[继接续続][续着下上来去けくはてる请吧这个工作任务务で把完成しださい、。\s]*", re.UNICODE)
_BLANK_LINES = re.compile(r"\n{3,}")
_CLIENT_COMMAND = re.compile(r"^/[\w:-]+\s*$")
_LINE_MARK = re.compile(r"^(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+|>\s*)+")
_LEADING_COMMAND = re.compile(r"^\s*/[\w:-]+[ \t]+(?=\S)")
_POINTS_BACK = re.compile(r"\b(?:it|there|this|that|these|those|them|here)\W*$", re.IGNORECASE)
_POINTS_AT = re.compile(r"\b(?:it|this|that|these|those)\b", re.IGNORECASE)
_REASON = re.compile(
    r"^(?:because|since|as|when|if|after|weil|da|wenn|porque|como|parce que|comme|因为|由于)\b", re.IGNORECASE
)
_PLAN_HEADING = re.compile(r"^(?:implementation )?plan\s*[:\u2013-]\s*", re.IGNORECASE)
# Terminal output and other people's bullets that somebody pasted in.
_PASTED = re.compile(r"^[\u276f$>✓✗✔\u2a2f•│┃╭╰]|^(?:---|===)")
_CODE_FENCE = re.compile(r"^(?:```|~~~)")


def clean_prompt(text: str) -> str:
    """Take away everything that no person typed; empty when nothing is left."""
    plain = fence.strip_fence(legible.clean_text(text))
    asked = _REQUEST_MARK.split(plain)[-1] if _REQUEST_MARK.search(plain) else plain
    asked = _SLASH_COMMAND.sub(r"/\1", _SLASH_ARGUMENTS.sub(r" \1", _MACHINE_BLOCK.sub("", asked)))
    asked = _BRACKET_NOTE.sub("", _WRAPPER_TAG.sub("", asked)).strip()
    if _RECAP.match(asked) or _CLIENT_COMMAND.match(asked):
        return ""
    return _BLANK_LINES.sub("\n\n", asked)


def is_filler(text: str) -> bool:
    """Tell whether a prompt says nothing about the work, such as "continue" or a greeting."""
    return bool(FILLER_PROMPT.match(legible.squeeze(text)))


def is_nudge(text: str) -> bool:
    """Tell whether a prompt only says to go on with what there is, such as "continue where you left off"."""
    plain = legible.squeeze(text)
    if is_filler(plain) or _CONTINUED.fullmatch(plain):
        return True
    words = re.findall(r"[\w'-]+", plain.casefold())
    return (
        len(words) <= NUDGE_WORDS_MAX
        and bool(_GOES_ON.search(plain))
        and all(word.replace("let's", "lets") in _GOES_ON_WORDS for word in words)
    )


def choose_goal(prompts: list[str]) -> int | None:
    """Choose which prompt states what the session is for: the first that says something."""
    if not prompts:
        return None
    return next((at for at, prompt in enumerate(prompts) if not is_nudge(prompt)), 0)


def build_title(goal: str) -> str:
    """Make one line of a goal: its first sentence that says enough, without politeness."""
    wanted = _choose_sentence(goal)
    asked = POLITENESS.sub("", wanted, count=1).strip() or wanted
    shown = asked if asked == wanted else asked.rstrip("?")
    shown = shown.rstrip(" .!\u3002\uff01:\uff1a,;")
    return legible.clip(shown[:1].upper() + shown[1:], TITLE_SHOWN_CHARS_MAX)


def _choose_sentence(goal: str) -> str:
    """Choose the sentence that says what is wanted; what only announces or gives background is passed over."""
    goal = _LEADING_COMMAND.sub("", goal)
    raw = [line for line in _outside_fences(goal) if line.strip() and not _PASTED.match(line.strip())]
    lines = [line for line in map(_plain_line, raw) if line][:TITLE_LINES_MAX]
    if not lines:
        return legible.squeeze(goal)
    parts = [part for line in lines for part in sentences.split_sentences(line)]
    telling = [part for part in parts if sentences.count_words(part) >= TITLE_WORDS_MIN] or parts
    first = telling[0]
    if REQUEST.search(first):
        return first
    if first.endswith((":", "\uff1a")):
        heading = next((_plain_line(line) for line in raw if line.lstrip().startswith("#")), "")
        asked = next(filter(REQUEST.search, telling), telling[1] if len(telling) > 1 else "")
        return heading or (f"{first} {asked}" if _POINTS_AT.search(asked) else asked or first)
    if not BACKGROUND.match(first):
        return first
    asked = next(filter(REQUEST.search, telling), "")
    # "Can we add it there?" says nothing without what comes before it.
    return first if not asked or _POINTS_BACK.search(asked) else asked[_find_request(asked) :]


def _find_request(sentence: str) -> int:
    """Find where the request begins in a sentence that gives its reason first."""
    found = REQUEST.search(sentence)
    begins_with_reason = found is not None and found.start() > 0 and bool(_REASON.match(sentence))
    return found.start() if found and begins_with_reason else 0


def _outside_fences(text: str) -> list[str]:
    lines: list[str] = []
    is_fenced = False
    for line in text.split("\n"):
        if _CODE_FENCE.match(line.strip()):
            is_fenced = not is_fenced
        elif not is_fenced:
            lines.append(line)
    return lines


def _plain_line(line: str) -> str:
    plain = _LINE_MARK.sub("", line.strip()).replace("**", "").replace('"""', "")
    return legible.squeeze(_PLAN_HEADING.sub("", plain))
