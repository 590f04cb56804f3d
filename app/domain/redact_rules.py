"""The one set of redaction rules, as data; `redact_engine.py` applies it, on the server and in the hook client."""

from app.domain.redact_commands import COMMAND_RULES, CONTEXT_RULES, HEADER_RULES, URL_RULES
from app.domain.redact_literals import LITERAL_RULES
from app.domain.redact_patterns import (
    ENV_LOOKALIKE,
    KEY_HINTS,
    KEY_LOOKALIKE,
    KEY_NAME,
    LEAD,
    NAME_END,
    NAME_TAIL,
    NAMED_KEY_LOOKALIKE,
    PASSWORD_HINTS,
    PASSWORD_LOOKALIKE,
    PASSWORD_NAME,
    PATH,
    QUOTED_KEY_LOOKALIKE,
    QUOTED_PASSWORD_LOOKALIKE,
    QUOTED_TOKEN_LOOKALIKE,
    SEPARATOR,
    STAND_IN,
    TOKEN_HINTS,
    TOKEN_LOOKALIKE,
    TOKEN_NAME,
    Rule,
    build_assigned,
)
from app.domain.redact_vendors import VENDOR_KEYS

PLACEHOLDER = r"\[redacted:[a-z][a-z-]{0,30}\]"

# Characters that do not show but break a value into pieces: colour codes, zero-width and bidi marks, the JSON and
# shell spellings of both, and a shell's continuation of a line.
MARKS = (
    r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[@-Z^-~]|\x9b[0-9;]*[@-~]"
    "|[\\x00-\\x08\\x0e-\\x1f\\x7f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
    r"|\\(?:u001[bB]|x1[bB]|033|e)\[[0-9;]*[a-zA-Z]|\\u(?:200[b-fB-F]|202[a-eA-E]|206[0-9a-fA-F]|[fF][eE][fF][fF])"
    r"|\\\r?\n|\\\\\\(?:r\\)?n"
)

# A shell's own form takes every character up to the blank, so nothing of a strange value is left behind.
_ENV_TAIL = "(?:_(?:KEY|BASE|PROD|DEV|STAGING|LIVE|TEST|VALUE|OLD|NEW|B64|BASE64|[0-9]{1,2})){0,2}"
_ENV_VALUE = r"=(?:\"([^\"\n]+)|'([^'\n]+)|((?:[^\s\"'`\\]|\\[^nrt\s\"'])+))"
_ENV_RULES = (
    Rule(
        "password",
        ("password", "passwd", "passphrase", "secret", "_pass", "_pwd", "_pw"),
        f"(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|_PASS|_PWD|_PW){_ENV_TAIL}{_ENV_VALUE}",
        ENV_LOOKALIKE,
    ),
    Rule(
        "token",
        ("token", "_key", "apikey", "credential", "_pat", "_auth"),
        "(?:TOKEN|APIKEY|CREDENTIALS?|_PAT|_AUTH|(?:API|APP|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|AUTH|ADMIN|SERVICE"
        f"|ACCOUNT|STORAGE|SESSION|CLIENT|WEBHOOK|DEPLOY|JWT|HMAC|FERNET)_KEY){_ENV_TAIL}{_ENV_VALUE}",
        f"{ENV_LOOKALIKE}|[0-9.,]{{1,7}}|{PATH}",
    ),
    Rule("key", ("_key",), f"[A-Z0-9]_KEY{_ENV_VALUE}", KEY_LOOKALIKE),
    Rule(
        "key",
        ("_key", "-key", *(f"{letter}key" for letter in "abcdefghijklmnopqrstuvwxyz0123456789")),
        rf"(?:[ABD-Zabd-z0-9][_-][Kk][Ee][Yy]|[abd-z0-9]Key){NAME_END}{SEPARATOR}\\*[\"'`]?([A-Za-z0-9+/_=.~-]{{20,}})",
        KEY_LOOKALIKE,
    ),
    Rule(
        "password",
        ("${",),
        r"\$\{\w*(?:PASS|SECRET|TOKEN|KEY|PWD)\w*:?[-=]([^}\s$]+)\}",
        STAND_IN,
    ),
)

_B64 = "[A-Za-z0-9+/=]"
_GAP = "(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192])"
_LINE_END = "(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+(?:r\\\\+)?n|[ ])"
_PEM_NAME = r"(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)"
_PEM_END = rf"{_GAP}{{0,40}}-{{4,5}} ?END {_PEM_NAME} ?-{{4,5}}"
_PEM_MARK = r"-+ ?(?:BEGIN|END)[A-Za-z0-9 ]+-+"
_PEM_HEADER = rf"{_GAP}{{0,12}}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject):[^\n\\]{{0,200}}"

_BLOCK_RULES = (
    Rule(
        "private-key",
        ("private key", "static key"),
        rf"(-{{4,5}} ?BEGIN {_PEM_NAME} ?-{{4,5}}(?:{_PEM_HEADER})*"
        rf"(?:(?:{_GAP}{{0,40}}{_B64}{{16,}})+(?:{_LINE_END}[ \t+]{{0,40}}{_B64}{{1,15}})?)?(?:{_PEM_END})?)",
        _PEM_MARK,
    ),
    # The last part of a block whose beginning was cut off.
    Rule(
        "private-key",
        ("private key", "static key"),
        rf"(?:^|\\n|[^\w+/=\\])((?:{_B64}{{1,15}}{_LINE_END})?(?:{_B64}{{16,}}{_LINE_END}){{0,52}}"
        rf"(?:{_B64}{{1,15}}{_LINE_END})?-{{4,5}} ?END {_PEM_NAME} ?-{{4,5}})",
        _PEM_MARK,
    ),
    Rule(
        "private-key",
        ("private-lines",),
        rf"Private-Lines: [0-9]+{_GAP}{{1,6}}({_B64}{{16,}}(?:{_GAP}{{1,6}}{_B64}{{16,}})*)",
    ),
    Rule("private-key", ('"d', '"k', '"p', '"q'), r"\"(?:d|k|p|q|dp|dq|qi)\\*\"[ \t]*:[ \t]*\\*\"([\w-]{40,})"),
    Rule("key-path", ("id_",), r"[/\\](id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-][\w.-]+|_sk)?)\b", r".*\.pub"),
    Rule("key-path", (".key",), r"[/\\]([\w.-]+\.key)\b"),
    Rule(
        "key-path",
        (".p12", ".pfx", ".ppk", ".jks", ".keystore", ".p8", ".pem"),
        r"(?:^|[^\w.-])([\w.-]+\.(?:p12|pfx|ppk|jks|keystore|p8|pem))\b",
        r"(?i:.*(?:cert|crt|chain|bundle|ca|pub|root|trust|dhparam)[\w.-]*\.pem)",
    ),
)


def _parse_table(table: str) -> tuple[Rule, ...]:
    """Read the rows of keys that their prefix gives away."""
    rows = (line.split(None, 2) for line in table.strip().splitlines())
    return tuple(Rule(name, tuple(hints.split(",")), f"{LEAD}({pattern})") for name, hints, pattern in rows)


RULES: tuple[Rule, ...] = (
    *_BLOCK_RULES,
    *_parse_table(VENDOR_KEYS),
    *CONTEXT_RULES,
    *HEADER_RULES,
    *URL_RULES,
    *COMMAND_RULES,
    *LITERAL_RULES,
    *_ENV_RULES,
    *build_assigned(
        "password", PASSWORD_HINTS, PASSWORD_NAME, lookalike=PASSWORD_LOOKALIKE, quoted=QUOTED_PASSWORD_LOOKALIKE
    ),
    *build_assigned("key", KEY_HINTS, KEY_NAME, NAMED_KEY_LOOKALIKE, QUOTED_KEY_LOOKALIKE),
    *build_assigned("token", TOKEN_HINTS, TOKEN_NAME, TOKEN_LOOKALIKE, QUOTED_TOKEN_LOOKALIKE),
)

# For a name and a value that stand apart, as in parsed JSON: class, the whole name, and what the value may be.
NAMED: tuple[tuple[str, str, str], ...] = (
    ("password", f".*(?:{PASSWORD_NAME}){NAME_TAIL}", QUOTED_PASSWORD_LOOKALIKE),
    ("key", f".*(?:{KEY_NAME}){NAME_TAIL}", QUOTED_KEY_LOOKALIKE),
    ("token", f".*(?:{TOKEN_NAME}){NAME_TAIL}", QUOTED_TOKEN_LOOKALIKE),
)
