"""What rules of redaction are made of: names that say what a value is, and what stands where a secret would.

Patterns mean the same to RE2 and to `re` with its ASCII flag: no look-around, no back-reference, no end-of-text mark.
The last group that took part in a match is the secret, and the rest of the match is context that stays.
"""

from typing import NamedTuple


class Rule(NamedTuple):
    """One way to recognise secrets of the class `name`; a tuple, as the hook client's copy of it is.

    A text that has none of `hints` once it is in lower case cannot match. A secret that `unless` matches as a whole
    is a look-alike and stays.
    """

    name: str
    hints: tuple[str, ...]
    pattern: str
    unless: str = ""


# What may stand right before a key. An escape sequence ends in a letter that is no part of the key, and `\b` is ASCII
# in both engines, so that a neighbour in another script is a boundary.
LEAD = r"(?:\b|_|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})"


def _any_case(*names: str) -> str:
    """Join names so that `re` can skip by their first letters, which it does not do under its case flag."""
    rests: dict[str, list[str]] = {}
    for name in names:
        rests.setdefault(name[0], []).append(name[1:])
    return "|".join(
        f"{first}(?i:{'|'.join(endings)})" for letter, endings in rests.items() for first in (letter, letter.upper())
    )


# The pieces of an assignment: a name that says what its value is, a separator, a value.
PASSWORD_NAME = _any_case(
    *("password", "passwrd", "passwd", "pass ?phrase", "passcode", "passwort", "contrase[\u00f1n]a", "secret"),
    *("mnemonic", "seed[ _-]?phrase", "senha", "mot[ _-]de[ _-]passe", "wachtwoord", "has[\u0142l]o"),
) + (
    r"|[\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass"
    "|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9"
    "|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c"
)
PASSWORD_HINTS = (
    *(
        "password",
        "passwrd",
        "passwd",
        "pass phrase",
        "passphrase",
        "passcode",
        "passwort",
        "contrase",
        "secret",
        "mnemonic",
    ),
    *("senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo"),
    *(
        "seed",
        "pwd",
        "_pass",
        "-pass",
        ".pass",
        '"pass',
        "'pass",
        "dbpass",
        "userpass",
        "smtppass",
        "mailpass",
        "adminpass",
        "authpass",
    ),
    *("\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5"),
    *("\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"),
)
_KEY_OWNERS = (
    *("api", "app", "application", "private", "access", "sign", "signing", "encrypt", "encryption", "decryption"),
    *("master", "auth", "admin", "service", "account", "storage", "session", "client", "webhook", "deploy", "jwt"),
    *("secret", "shared", "preshared", "hmac", "aes", "fernet", "license", "root", "subscription", "functions", "ssh"),
    *("openai", "anthropic", "vault", "consumer"),
)
KEY_NAME = _any_case(*(f"{owner}[ _-]?key" for owner in _KEY_OWNERS))
KEY_HINTS = (" key", "_key", "-key", *(f"{owner}key" for owner in _KEY_OWNERS))
TOKEN_NAME = _any_case("token", "credentials?")
TOKEN_HINTS = ("token", "credential")
NAME_TAIL = r"(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?"
NAME_END = r"(?:\\*[\"'`])?\]?\*{0,2}(?: \[[^\]\n]{0,24}\])?"
_EQUALS = r"[ \t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \t]*"
_COLON = "[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*"
_SCALAR = r"(?:[|>][+-]?\r?\n[ \t]*)?"
_TYPED = r":[ \t]*&?(?:'[a-z]+[ \t]+)?[A-Za-z][\w.|\[\]<>]*[ \t]*=[ \t]*"
SEPARATOR = rf"(?:{_TYPED}|{_EQUALS}|{_COLON})(?:\\?\r?\n[ \t]*|[|>][+-]?\r?\n[ \t]*)?"
QUOTED = (
    r"[brfuBRFU@$]{0,2}(?:\\+\"((?:[^\"\\\n]|\\[^\"\n])+)|\"((?:[^\"\\\n]|\\[^\n])+)"
    r"|\\*'((?:[^'\\\n]|\\[^'\n])+)|`([^`\n]+))"
)
# An opening bracket is taken along, so that a call or a subscript can be told from a value.
_STOPS = "\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d"
_BARE_START = f"[^{_STOPS}:=]"
_BARE_REST = rf"[^{_STOPS}]*[(\[{{]?"
_WORD_AT_LINE_END = r"([A-Za-z][A-Za-z._-]*)[ \t]*\r?(?m:$)"

# What stands where a value would: variables, templates, masks, types, code, and the words of a sentence.
STAND_IN = (
    r"<[^<>]*>|\$[({].*|\{\{?[^}]*\}?\}?|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|\$[0-9@*]|%[A-Za-z_]+%|%\(?\w*\)?[sdr]|#\{.*"
    "|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"
)
WORDS = (
    r"(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined"
    r"|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set"
    r"|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default"
    r"|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key"
    r"|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)"
    r"[.,:!?*]*"
)
_NAMES_OF_CODE = (
    r"[A-Za-z_]{1,24}[0-9]{0,2}(?:\??\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))"
    r"|[a-z]+(?:Password|Secret|Token|Key)|\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)"
)
# A value that nobody quoted is code as soon as a bracket opens; in quotes it is only if it looks like a call.
_CODE = rf"[\w.$?!:>-]*[(\[{{].*|{_NAMES_OF_CODE}"
_QUOTED_CODE = rf"[\[{{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\w.$:]*\((?:[^()]*\))?|{_NAMES_OF_CODE}"
SENTENCE = r"[A-Za-z][\w'-]*(?:[ ,]+[\w'(-][\w').-]*)+[!?:]?"
CAMEL = (
    r"[a-z]*(?:[A-Z][a-z]{2,14}){2,}"
    r"|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\[]?"
)
# What a person says in a field for a password, as opposed to a passphrase: words that phrases of drawn words lack.
_TELLING = (
    "(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has"
    "|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again"
    "|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)"
)
LABEL = (
    rf"[A-Z][\w'-]*(?:[ ,]+[\w'(-][\w').-]*)+[!?:]?|[a-z][\w'-]*(?:[ ,]+[\w'(-][\w').-]*){{1,2}}[!?:]?"
    rf"|(?:.* [(\"']?)?{_TELLING}[,.!?:)]* .*|.* [(\"']?{_TELLING}[,.!?:)]*"
)
# Letters in an order of cases that people write; a word is read in one way only, so that no text takes long.
_WORD = "(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])"
PLAIN = rf"{_WORD}(?:[ _.,:'/-]+{_WORD})*[.!?:]*|[0-9.,]{{1,7}}|.{{1,5}}"
PATH = r"(?:~|\.{1,2}|[A-Za-z]:|\$?[A-Za-z_]+)?[/\\][\w.@{}$ /\\-]*"
DIGEST = r"(?:sha[0-9]+[:-])?[0-9a-fA-F]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NO_VALUE = f"{STAND_IN}|{WORDS}|.{{1,2}}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?"
PASSWORD_LOOKALIKE = f"{_NO_VALUE}|{_CODE}"
QUOTED_PASSWORD_LOOKALIKE = f"{_NO_VALUE}|{_QUOTED_CODE}|{LABEL}"
_ADDRESS = r"[a-z][a-z+]{1,12}://[^\s@]*"
_KEYLIKE = f"{SENTENCE}|{PATH}|{CAMEL}|{_ADDRESS}|[0-9.,]{{1,7}}"
NAMED_KEY_LOOKALIKE = f"{PASSWORD_LOOKALIKE}|{_KEYLIKE}"
QUOTED_KEY_LOOKALIKE = f"{_NO_VALUE}|{_QUOTED_CODE}|{_KEYLIKE}|{PLAIN}"
_TOKENLIKE = f"{SENTENCE}|{PLAIN}|{PATH}|{CAMEL}|{_ADDRESS}"
TOKEN_LOOKALIKE = f"{PASSWORD_LOOKALIKE}|{_TOKENLIKE}"
QUOTED_TOKEN_LOOKALIKE = f"{_NO_VALUE}|{_QUOTED_CODE}|{_TOKENLIKE}"

# A shell's own form takes every character up to the blank, so nothing of a strange value is left behind.
ENV_LOOKALIKE = (
    rf"{STAND_IN}|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\w.]*[(\[].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+"
    "|[A-Z_]+|<[\\w-]*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*"
)
_SLUG = r"[a-z0-9]{1,12}(?:[-_.:/][a-z0-9]{1,12})+(?:[-_.:/][0-9a-f]{13,})?"
KEY_LOOKALIKE = f"{ENV_LOOKALIKE}|{PLAIN}|{PATH}|{DIGEST}|{_SLUG}|{CAMEL}|[a-z]*(?:_[a-z]+)+[(\\[]?"
# A value with brackets is code if it is a call or a subscript as a whole, or one that more code is joined to.
_BRACKETED = r"([^\s\"'`,;<>(){}\[\]:=]+[(\[{][^\s\"'`,;<>]+)[ \t]*\r?(?m:$)"
_BRACKETED_CODE = rf"{STAND_IN}|[\w.$!]*[(\[{{].*[)\]}}][;:]*|[A-Za-z_$][\w.$]*\([\w.]*\)[\w.()+\[\]]*|[*&@].*"


def build_assigned(name: str, hints: tuple[str, ...], names: str, lookalike: str, quoted: str) -> tuple[Rule, ...]:
    """Build the rules for one family of names, from the most explicit form to the loosest."""
    start = f"(?:{names}){NAME_TAIL}{NAME_END}"
    return (
        Rule(name, hints, f"{start}{SEPARATOR}{QUOTED}", quoted),
        Rule(name, hints, f"{start}{_EQUALS}({_BARE_START}{_BARE_REST})", lookalike),
        Rule(name, hints, f"{start}{_COLON}{_SCALAR}-?({_BARE_START}{_BARE_REST})", f"{lookalike}|[^0-9!@#$%^*+/~]*"),
        Rule(name, hints, f"{start}{_COLON}{_SCALAR}{_WORD_AT_LINE_END}", lookalike),
        Rule(
            name,
            hints,
            rf"--?(?:[A-Za-z0-9]+[-_]){{0,4}}(?:{names}){NAME_TAIL}[\"']?(?:[ \t]+|,[ \t]*)[\"']?"
            f"({_BARE_START}{_BARE_REST})",
            rf"{lookalike}|-.*|[a-z_]{{2,12}}=[A-Za-z_.]*[(\[{{]?",
        ),
        Rule(
            name,
            hints,
            rf"--?(?:[A-Za-z0-9]+[-_]){{0,4}}(?:{names}){NAME_TAIL}[\"']?(?:[ \t]+|,[ \t]*){QUOTED}",
            f"{quoted}|-.*",
        ),
        Rule(
            name,
            hints,
            f"{start}(?:{_EQUALS}|{_COLON}){_BRACKETED}",
            _BRACKETED_CODE if name == "password" else f"{_BRACKETED_CODE}|[A-Za-z_.]*[(\\[{{][A-Za-z_.]*",
        ),
        Rule(name, hints, rf"(?:{names})[\"']?>[ \t]*([^<>\n]+)</", quoted),
        Rule(
            name,
            hints,
            rf"(?:{names})[\"']?[ \t]*,?(?:\r?\n)?[ \t]*[\"']?[Vv]alue[\"']?[ \t]*[:=][ \t]*[\"']?([^\s\"'<>]+)",
            lookalike,
        ),
    )
