"""What a sentence is for and against: "use X instead of Y" is for X and against Y; "never do Y" is against Y."""

import re
from dataclasses import dataclass

from app.compile import sentences
from app.domain import legible
from app.domain.limits_knowledge import STANCE_PHRASE_CHARS_MAX, STANCE_PHRASE_WORDS_MAX, STANCE_SENTENCE_CHARS_MAX

_END = (
    r"(?=\s*(?:[.,;:!?()]|\bbecause\b|\bsince\b|\bso that\b|\bwhen\b|\bfor\b|\bin order\b|\bwherever\b|\bweil\b"
    r"|\bporque\b|\bcar\b|$))"
)
_X, _Y = r"(?P<x>.{2,120}?)", rf"(?P<y>.{{2,120}}?){_END}"
_USE = (
    r"(?:use|using|prefer|keep|take|choose|pick|go with|stick with|stay with|adopt|put|have|want|do|write|call|return)"
)
# (pattern, whether the words themselves say that the one takes the other's place)
_RULES: tuple[tuple[re.Pattern[str], bool], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replaces)
    for pattern, replaces in (
        (
            (
                r"\b(?:switch(?:ed|ing)?|mov(?:e|ed|ing)|migrat(?:e|ed|ing)|chang(?:e|ed|ing)|went)\s+(?:\w+ )?"
                rf"from\s+(?P<y>.{{2,60}}?)\s+to\s+(?P<x>.{{2,60}}?){_END}"
            ),
            True,
        ),
        (rf"\b(?:replac(?:e|ed|es|ing))\s+(?P<y>.{{2,60}}?)\s+(?:with|by)\s+(?P<x>.{{2,60}}?){_END}", True),
        (
            (
                r"\b(?:no longer|not .{0,20} any ?more)\b\s*(?:use |using )?(?P<y>.{2,60}?)\s*[,;:]\s*"
                rf"(?:but |now |use |we use )*(?P<x>.{{2,60}}?){_END}"
            ),
            True,
        ),
        (
            (
                r"^\W*instead of\s+(?P<y>.{2,100}?)(?:,| we should| should| please)\s+"
                rf"(?:we |you |to |please |should |do |{_USE} )*(?P<x>.{{2,120}}?){_END}"
            ),
            False,
        ),
        (rf"\b{_USE}\s+{_X}\s+(?:instead of|rather than|in place of|over)\s+(?:using |the use of )?{_Y}", False),
        (rf"{_X}\s+(?:instead of|rather than)\s+{_Y}", False),
        (rf"\b{_USE}\s+{_X}\s*,\s*(?:and )?(?:not|never)\s+{_Y}", False),
        (rf"\b(?:usa[rm]?|use|usem|utilize)\s+{_X}\s+(?:em vez de|ao invés de|en (?:vez|lugar) de)\s+{_Y}", False),
        (rf"{_X}\s+(?:anstatt|statt|anstelle von)\s+{_Y}", False),
        (rf"\b(?:utilise[zr]?|prends|prenons)\s+{_X}\s+(?:au lieu d[e'])\s*{_Y}", False),
        (r"(?:用|使用|采用)(?P<x>[^\uff0c,。]{1,40}?)(?:而不是|\uff0c不用|代替)(?P<y>[^\uff0c,。]{1,40})", False),
        (r"(?P<y>[^、。\uff0c]{1,30}?)(?:の代わりに|ではなく)、?(?P<x>[^、。]{1,40}?)(?:を使|にし|で|$)", False),
    )
)
_AGAINST = re.compile(
    r"\b(?:never|do not|don'?t|must not|should not|shouldn'?t|avoid|stop)\s+(?:ever\s+)?"
    rf"(?:use |using |rely on |add |adding |import )?(?P<y>.{{2,100}}?){_END}"
    r"|\b(?:nunca|não|no) us(?:e|es|ar|em)\s+(?P<y2>.{2,60}?)(?=[.,;!?]|$)"
    r"|\b(?:nie|niemals|kein(?:e|en)?)\s+(?P<y3>\w.{2,60}?)(?=\s(?:verwenden|benutzen|nutzen)|[.,;!?]|$)"
    r"|(?:不要|禁止|不再)(?:用|使用)(?P<y4>[^\uff0c,。]{1,40})",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\b(?:always|we (?:will |should |must )?(?:use|prefer)|from now on,? (?:use|we use)"
    r"|let'?s (?:use|go with|stick with)|(?:decided|agreed|settled) (?:to use|on|to go with)|went with|opted for|chose"
    rf"|use|prefer)\s+(?:use |to use )?(?P<x>.{{2,80}}?){_END}"
    r"|\b(?:sempre|siempre) us(?:e|a|ar)\s+(?P<x2>.{2,60}?)(?=[.,;!?]|$)"
    r"|\bimmer\s+(?P<x3>.{2,60}?)(?=\sverwenden|[.,;!?]|$)"
    r"|(?:始终|统一|一律)(?:用|使用)(?P<x4>[^\uff0c,。]{1,40})",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:the|a|an|our|your|any|this|that|these|those|using|use|to|we|you|it|them)\s+", re.IGNORECASE)
_HOLLOW = re.compile(
    r"^(?:it|that|this|them|these|those|one|so|there|anything|something|everything|him|her|me|us)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Stance:
    """What a sentence is for and what against, in its words; `replaces` if it says that one took the other's place."""

    chosen: str = ""
    refused: str = ""
    replaces: bool = False


def find_stance(sentence: str) -> Stance:
    """Find what a sentence is for and against; both empty where it is neither plainly."""
    text = legible.squeeze(sentence)[:STANCE_SENTENCE_CHARS_MAX]
    for rule, replaces in _RULES:
        match = rule.search(text)
        if match:
            chosen, refused = _trim(match["x"]), _trim(match["y"])
            if chosen and refused:
                return Stance(chosen, refused, replaces)
    against = _AGAINST.search(text)
    if against:
        return Stance(refused=_trim(next(group for group in against.groups() if group)))
    favoured = _FOR.search(text)
    return Stance(chosen=_trim(next(group for group in favoured.groups() if group))) if favoured else Stance()


def build_key(phrase: str) -> str:
    """Bring what somebody is for or against to the key that phrases are compared by."""
    plain = phrase
    while (shorter := _LEADING.sub("", plain)) != plain:
        plain = shorter
    return sentences.normalise_key(plain)


def is_opposite(one: Stance, other: Stance) -> bool:
    """Tell whether two say the opposite: what the one is for, the other is against, without both being for the same."""
    pairs = ((one.chosen, other.refused), (other.chosen, one.refused))
    if one.chosen and build_key(one.chosen) == build_key(other.chosen):
        return False
    return any(liked and refused and _is_same(build_key(liked), build_key(refused)) for liked, refused in pairs)


def _is_same(one: str, other: str) -> bool:
    """Compare two keys: equal, or the shorter is a name that opens the longer."""
    if not one or not other:
        return False
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) > 3 and longer.startswith(f"{shorter} "))  # noqa: PLR2004 - a word, not "a"


def _trim(phrase: str) -> str:
    plain = legible.squeeze(phrase).strip(" \"'`*_.,;:()[]\u201c\u201d")
    # The verb's own sentence stands before what is chosen; the nearest clause says it.
    if sentences.count_words(plain) > STANCE_PHRASE_WORDS_MAX or _HOLLOW.match(plain):
        return ""
    return plain[:STANCE_PHRASE_CHARS_MAX]
