"""The one set of redaction rules, as data; `redact_engine.py` applies it, on the server and in the hook client.

Patterns mean the same to RE2 and to `re` with its ASCII flag: no look-around, no back-reference, no end-of-text mark.
The last group that took part in a match is the secret, and the rest of the match is context that stays.
"""

from typing import NamedTuple

from app.domain.redact_vendors import VENDOR_KEYS


class Rule(NamedTuple):
    """One way to recognise secrets of the class `name`; a tuple, as the hook client's copy of it is.

    A text that has none of `hints` once it is in lower case cannot match. A secret that `unless` matches as a whole
    is a look-alike and stays.
    """

    name: str
    hints: tuple[str, ...]
    pattern: str
    unless: str = ""


PLACEHOLDER = r"\[redacted:[a-z][a-z-]{0,30}\]"

# Characters that do not show but break a value into pieces: colour codes, zero-width and bidi marks, the JSON and
# shell spellings of both, and a shell's continuation of a line.
MARKS = (
    r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[@-Z^-~]|\x9b[0-9;]*[@-~]"
    "|[\\x00-\\x08\\x0e-\\x1f\\x7f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
    r"|\\(?:u001[bB]|x1[bB]|033|e)\[[0-9;]*[a-zA-Z]|\\u(?:200[b-fB-F]|202[a-eA-E]|206[0-9a-fA-F]|[fF][eE][fF][fF])"
    r"|\\\r?\n"
)

# What may stand right before a key. An escape sequence ends in a letter that is no part of the key, and `\b` is ASCII
# in both engines, so that a neighbour in another script is a boundary.
_LEAD = r"(?:\b|_|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})"


def _any_case(*names: str) -> str:
    """Join names so that `re` can skip by their first letters, which it does not do under its case flag."""
    rests: dict[str, list[str]] = {}
    for name in names:
        rests.setdefault(name[0], []).append(name[1:])
    return "|".join(
        f"{first}(?i:{'|'.join(endings)})" for letter, endings in rests.items() for first in (letter, letter.upper())
    )


# The pieces of an assignment: a name that says what its value is, a separator, a value.
_PASSWORD_NAME = _any_case(
    *("password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase[\u00f1n]a", "secret"),
    *("mnemonic", "seed[ _-]?phrase"),
) + (
    r"|_(?i:pass|pwd)|-(?i:pass|pwd)|\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass"
    "|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9"
    "|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c"
)
_PASSWORD_HINTS = (
    *("password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic"),
    *("seed", "pwd", "_pass", "-pass", ".pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass"),
    *("\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5"),
    *("\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"),
)
_KEY_OWNERS = (
    *("api", "app", "application", "private", "access", "sign", "signing", "encrypt", "encryption", "decryption"),
    *("master", "auth", "admin", "service", "account", "storage", "session", "client", "webhook", "deploy", "jwt"),
    *("secret", "shared", "preshared", "hmac", "aes", "fernet", "license", "root", "subscription", "functions", "ssh"),
    *("openai", "anthropic", "vault", "consumer"),
)
_KEY_NAME = _any_case(*(f"{owner}[ _-]?key" for owner in _KEY_OWNERS))
_KEY_HINTS = (" key", "_key", "-key", *(f"{owner}key" for owner in _KEY_OWNERS))
_TOKEN_NAME = _any_case("token", "credentials?")
_TOKEN_HINTS = ("token", "credential")
_NAME_TAIL = r"(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?"
_NAME_END = r"(?:\\*[\"'`])?\]?\*{0,2}(?: \[[^\]\n]{0,24}\])?"
_EQUALS = r"[ \t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \t]*"
_COLON = "[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*"
_SCALAR = r"(?:[|>][+-]?\r?\n[ \t]*)?"
_TYPED = r":[ \t]*[A-Za-z][\w.|\[\]<>]*[ \t]*=[ \t]*"
_SEPARATOR = rf"(?:{_TYPED}|{_EQUALS}|{_COLON})(?:\\?\r?\n[ \t]*|[|>][+-]?\r?\n[ \t]*)?"
_QUOTED = (
    r"[brfuBRFU@$]{0,2}(?:\\+\"((?:[^\"\\\n]|\\[^\"\n])+)|\"((?:[^\"\\\n]|\\[^\n])+)"
    r"|\\*'((?:[^'\\\n]|\\[^'\n])+)|`([^`\n]+))"
)
# An opening bracket is taken along, so that a call or a subscript can be told from a value.
_STOPS = "\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d"
_BARE_START = f"[^{_STOPS}:=]"
_BARE_REST = rf"[^{_STOPS}]*[(\[{{]?"
_WORD_AT_LINE_END = r"([A-Za-z][A-Za-z._-]*)[ \t]*\r?(?m:$)"

# What stands where a value would: variables, templates, masks, types, code, and the words of a sentence.
_STAND_IN = (
    r"<[^<>]*>|\$[({].*|\{\{?[^}]*\}?\}?|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|\$[0-9@*]|%[A-Za-z_]+%|%\(?\w*\)?[sdr]|#\{.*"
    "|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"
)
_WORDS = (
    r"(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined"
    r"|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set"
    r"|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default"
    r"|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key"
    r"|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)"
    r"[.,:!?*]*"
)
_CODE = (
    r"[\w.$?!:>-]*[(\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\??\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))"
    r"|[a-z]+(?:Password|Secret|Token|Key)|\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)"
)
_SENTENCE = r"[A-Za-z][\w'-]*(?:[ ,]+[\w'(-][\w').-]*)+[!?:]?"
_CAMEL = (
    r"[a-z]*(?:[A-Z][a-z]{2,14}){2,}"
    r"|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\[]?"
)
_PLAIN = r"[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}"
_PATH = r"(?:~|\.{1,2}|[A-Za-z]:|\$?[A-Za-z_]+)?[/\\][\w.@{}$ /\\-]*"
_DIGEST = r"(?:sha[0-9]+[:-])?[0-9a-fA-F]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PASSWORD_LOOKALIKE = f"{_STAND_IN}|{_WORDS}|{_CODE}|.{{1,2}}"
_NAMED_KEY_LOOKALIKE = f"{_PASSWORD_LOOKALIKE}|{_SENTENCE}|{_PATH}|{_CAMEL}|[0-9.,]{{1,7}}"
_TOKEN_LOOKALIKE = f"{_PASSWORD_LOOKALIKE}|{_SENTENCE}|{_PLAIN}|{_PATH}|{_CAMEL}"


def _assigned(name: str, hints: tuple[str, ...], names: str, lookalike: str) -> tuple[Rule, ...]:
    """Build the rules for one family of names, from the most explicit form to the loosest."""
    start = f"(?:{names}){_NAME_TAIL}{_NAME_END}"
    return (
        Rule(name, hints, f"{start}{_SEPARATOR}{_QUOTED}", f"{lookalike}|{_SENTENCE}"),
        Rule(name, hints, f"{start}{_EQUALS}({_BARE_START}{_BARE_REST})", lookalike),
        Rule(name, hints, f"{start}{_COLON}{_SCALAR}({_BARE_START}{_BARE_REST})", f"{lookalike}|[^0-9!@#$%^*+/~]*"),
        Rule(name, hints, f"{start}{_COLON}{_SCALAR}{_WORD_AT_LINE_END}", lookalike),
        Rule(
            name,
            hints,
            rf"--?(?:[A-Za-z0-9]+[-_]){{0,4}}(?:{names}){_NAME_TAIL}[\"']?(?:[ \t]+|,[ \t]*)[\"']?"
            f"({_BARE_START}{_BARE_REST})",
            f"{lookalike}|-.*",
        ),
        Rule(name, hints, rf"(?:{names})[\"']?>[ \t]*([^<>\s]+)</", lookalike),
        Rule(
            name,
            hints,
            rf"(?:{names})[\"']?[ \t]*,?(?:\r?\n)?[ \t]*[\"']?[Vv]alue[\"']?[ \t]*[:=][ \t]*[\"']?([^\s\"'<>]+)",
            lookalike,
        ),
    )


# A shell's own form takes every character up to the blank, so nothing of a strange value is left behind.
_ENV_TAIL = "(?:_(?:KEY|BASE|PROD|DEV|STAGING|LIVE|TEST|VALUE|OLD|NEW|B64|BASE64|[0-9]{1,2})){0,2}"
_ENV_VALUE = r"=(?:\"([^\"\n]+)|'([^'\n]+)|((?:[^\s\"'`\\]|\\[^nrt\s\"'])+))"
_ENV_LOOKALIKE = (
    rf"{_STAND_IN}|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\w.]*[(\[].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+"
    "|[A-Z_]+"
)
_SLUG = r"[a-z0-9]{1,12}(?:[-_.:/][a-z0-9]{1,12})+"
_KEY_LOOKALIKE = f"{_ENV_LOOKALIKE}|{_PLAIN}|{_PATH}|{_DIGEST}|{_SLUG}|{_CAMEL}|[a-z]*(?:_[a-z]+)+[(\\[]?"

_ENV_RULES = (
    Rule(
        "password",
        ("password", "passwd", "passphrase", "secret", "_pass", "_pwd", "_pw"),
        f"(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|_PASS|_PWD|_PW){_ENV_TAIL}{_ENV_VALUE}",
        _ENV_LOOKALIKE,
    ),
    Rule(
        "token",
        ("token", "_key", "apikey", "credential", "_pat", "_auth"),
        "(?:TOKEN|APIKEY|CREDENTIALS?|_PAT|_AUTH|(?:API|APP|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|AUTH|ADMIN|SERVICE"
        f"|ACCOUNT|STORAGE|SESSION|CLIENT|WEBHOOK|DEPLOY|JWT|HMAC|FERNET)_KEY){_ENV_TAIL}{_ENV_VALUE}",
        f"{_ENV_LOOKALIKE}|[0-9.,]{{1,7}}|{_PATH}",
    ),
    Rule("key", ("_key",), f"[A-Z0-9]_KEY{_ENV_VALUE}", _KEY_LOOKALIKE),
    Rule(
        "key",
        ("_key", "-key", *(f"{letter}key" for letter in "abcdefghijklmnopqrstuvwxyz0123456789")),
        rf"(?:[A-Za-z0-9][_-][Kk][Ee][Yy]|[a-z0-9]Key){_NAME_END}{_SEPARATOR}\\*[\"'`]?([A-Za-z0-9+/_=.~-]{{20,}})",
        _KEY_LOOKALIKE,
    ),
    Rule(
        "password",
        ("${",),
        r"\$\{\w*(?:PASS|SECRET|TOKEN|KEY|PWD)\w*:?[-=]([^}\s$]+)\}",
        _STAND_IN,
    ),
)

_B64 = "[A-Za-z0-9+/=]"
_GAP = "(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192])"
_LINE_END = "(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+r?\\\\*n|[ ])"
_PEM_NAME = r"(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)"
_PEM_END = rf"{_GAP}{{0,40}}-{{4,5}} ?END {_PEM_NAME} ?-{{4,5}}"
_PEM_MARK = r"-+ ?(?:BEGIN|END)[A-Za-z0-9 ]+-+"
_PEM_HEADER = rf"{_GAP}{{0,12}}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject):[^\n\\]{{0,200}}"

_BLOCK_RULES = (
    Rule(
        "private-key",
        ("private key", "static key"),
        rf"(-{{4,5}} ?BEGIN {_PEM_NAME} ?-{{4,5}}(?:{_PEM_HEADER})*(?:{_GAP}{{0,40}}{_B64}{{16,}})*"
        rf"(?:{_PEM_END}|(?:{_LINE_END}[ \t+]{{0,40}}{_B64}{{1,15}})?(?:{_PEM_END})?))",
        _PEM_MARK,
    ),
    # The last part of a block whose beginning was cut off.
    Rule(
        "private-key",
        ("private key", "static key"),
        rf"(?:^|\n|\\n)[ \t>+]{{0,8}}((?:{_B64}{{1,15}}{_LINE_END})?(?:{_B64}{{16,}}{_LINE_END}){{0,60}}"
        rf"(?:{_B64}{{1,15}}{_LINE_END})?-{{4,5}} ?END {_PEM_NAME} ?-{{4,5}})",
        _PEM_MARK,
    ),
    Rule("private-key", ("private-lines",), rf"Private-Lines: [0-9]+((?:{_GAP}{{1,6}}{_B64}{{16,}})+)"),
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

_AUTH_VALUE = r"([^\s\"'`,;<>{}()\[\]\\]+[(\[]?)"
_AUTH_NAME = r"(?i)authorization(?:\\*[\"'`])?\]?[ \t]*[:=,][ \t]*[brfuBRFU]{0,2}(?:\\*[\"'`])?"
_AUTH_LOOKALIKE = (
    rf"{_STAND_IN}|{_WORDS}|(?i:auth\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\w.]*[(\[].*"
)

_HEADER_RULES = (
    Rule("bearer-token", ("bearer",), rf"{_AUTH_NAME}bearer[ \t]+{_AUTH_VALUE}", _AUTH_LOOKALIKE),
    Rule("bearer-token", ("bearer",), r"(?i)\bbearer[ \t]+([\w.~+/=-]{16,})", f"{_PLAIN}|{_AUTH_LOOKALIKE}"),
    Rule("basic-auth", ("basic",), rf"{_AUTH_NAME}basic[ \t]+{_AUTH_VALUE}", _AUTH_LOOKALIKE),
    Rule(
        "basic-auth",
        ("basic",),
        r"(?i)\bbasic[ \t]+([A-Za-z0-9+/]{12,}={0,2})",
        r"[A-Z]?[a-z]+(?:[A-Z][a-z]+)*[A-Z]*[0-9]*|[a-z/]+",
    ),
    Rule(
        "authorization",
        ("authorization",),
        rf"{_AUTH_NAME}(?:(?:token|digest|negotiate|api-?key|key|splunk|bot|jwt|aws4-hmac-sha256)[ \t]+)?{_AUTH_VALUE}",
        f"{_AUTH_LOOKALIKE}|{_PLAIN}",
    ),
    Rule("basic-auth", ("auth",), r"[\"_]auth\\*[\"']?[ \t]*[:=][ \t]*\\*[\"']?([A-Za-z0-9+/]{12,}={0,2})", _PLAIN),
    Rule(
        "cookie",
        ("cookie",),
        r"(?i)(?:^|[^\w-])cookie(?:\\*[\"'])?[ \t]*[:=][ \t]*(?:\\*[\"'`])?([\w.%-]+=[^\s\"'`\\](?:[^\r\n\"'`\\])*)",
    ),
    Rule("cookie", ("cookie",), r"(?i)set-cookie(?:\\*[\"'])?[ \t]*[:=][ \t]*(?:\\*[\"'`])?[\w.%-]+=([^\s;\"'`\\]+)"),
    Rule(
        "cookie",
        ("-b", "--cookie"),
        r"(?:\s-b|--cookie)[ \t=]+(?:\"([^\"\n=]+=[^\"\n]+)|'([^'\n=]+=[^'\n]+)|([^\s\"'=]+=[^\s\"']+))",
    ),
    Rule(
        "cookie",
        ("sess", "connect.sid", "csrftoken", "xsrf-token"),
        r"(?:JSESSIONID|PHPSESSID|connect\.sid|SessionId|_session|csrftoken|sessionid|XSRF-TOKEN)=([^\s;\"'&\\]{8,})",
        rf"{_AUTH_LOOKALIKE}|[a-z_]+,?",
    ),
)

_URL_LOOKALIKE = rf"{_STAND_IN}|\{{.*|\[.*"

_URL_RULES = (
    Rule("url-password", ("://",), r"://[^\s/:@\"'`<>]*:([^\s/\"'`<>]+)@", _URL_LOOKALIKE),
    Rule(
        "url-password",
        ("://",),
        r"(?i)(?:postgres|postgresql|mysql|mariadb|mongodb|srv|redis|rediss|amqps?|mssql|sqlserver|oracle|psycopg2?|asyncpg"
        r"|pymysql|ldaps?|smtps?|s?ftps?)://[^\s:@/\"'`<>]*:([^\s\"'`<>@]{1,200})@",
        _URL_LOOKALIKE,
    ),
    Rule("url-token", ("://",), r"://([\w~.%+-]{20,}):?@", r"[a-z.]+"),
    Rule("url-password", (":",), r":([^\s:@/\"'`<>{}(),]{3,})@[\w-]+(?:\.[\w-]+)*:[0-9]{2,5}\b", _URL_LOOKALIKE),
    Rule("url-password", ("@tcp(", "@unix(", "@udp("), r":([^\s:@\"'`<>]+)@(?:tcp|unix|udp)\(", _URL_LOOKALIKE),
)

_ARGUMENTS = r"(?:[ \t]+[^\s|;&]+){0,8}?[ \t]+"

_COMMAND_RULES = (
    Rule(
        "password",
        ("-u", "--user", "--proxy-user"),
        r"[\s\"'\[](?:-u|--user|--proxy-user)[\"']?(?:[ \t=]|,[ \t]*)?[\"']?[^\s:\"'/=-][^\s:\"'/=]*:([^\s\"'\\,/]+)",
        rf"{_STAND_IN}|[0-9]{{1,6}}",
    ),
    Rule(
        "password",
        ("mysql", "mariadb"),
        rf"(?:mysql|mysqldump|mysqladmin|mariadb){_ARGUMENTS}-p[\"']?([^\s\"']+)",
        _STAND_IN,
    ),
    Rule("password", ("redis-cli",), rf"redis-cli{_ARGUMENTS}-a[ \t]*[\"']?([^\s\"']+)", _STAND_IN),
    Rule(
        "password",
        (" login",),
        rf"(?:docker|podman|registry) login{_ARGUMENTS}-p[ \t]*[\"']?([^\s\"']+)",
        _STAND_IN,
    ),
    Rule("password", ("sshpass",), r"sshpass[ \t]+-p[ \t]*[\"']?([^\s\"']+)", _STAND_IN),
    Rule("password", ("-pass",), r"-pass(?:in|out)?[ \t]+[\"']?pass:([^\s\"']+)", _STAND_IN),
    Rule(
        "netrc-password",
        ("machine", "default"),
        r"(?:machine\s+\S+|default)\s+login\s+\S+\s+password\s+([^\s\"'\\]+)",
        _STAND_IN,
    ),
    Rule("pgpass-password", (":",), r":(?:5432|5433|6432|\*):[\w*-]+:[\w.*-]+:([^\s:\"'\\]+)", _STAND_IN),
    Rule("password", ("passphrase",), rf"(?i)passphrase{_NAME_END}{_SEPARATOR}{_QUOTED}", _PASSWORD_LOOKALIKE),
    Rule(
        "seed-phrase",
        ("mnemonic", "phrase"),
        rf"(?i)(?:mnemonic|(?:seed|recovery)[ _-]?phrase){_NAME_END}{_SEPARATOR}"
        r"\\*[\"']?([a-z]{3,8}(?: [a-z]{3,8}){11,23})",
    ),
    Rule("password-hash", ("$",), r"(\$(?:apr1|2[abxy]|5|6|y|scrypt|argon2id?|argon2i)\$[\w./$=,+-]{16,})"),
    Rule(
        "password",
        ("password ", "passphrase ", "passwd ", "passcode ", "password\t", "passphrase\t", "passwd\t", "passcode\t"),
        "(?i)(?:password|passphrase|passwd|passcode)[ \\t]+(?:is|was|to|will be)[ \\t:]+[\"'`\u201c]?"
        "([^\\s\"'`,<>(){}&\u201d]*[0-9!@#$%^*+][^\\s\"'`,<>(){}&\u201d]*)",
        rf"{_STAND_IN}|{_WORDS}|[0-9.]+.{{0,3}}",
    ),
    Rule(
        "token",
        ("token", "key", "secret"),
        r"(?i)(?:token|key|secret)[ \t]+(?:is|was)[ \t:]+[\"'`]?([A-Za-z0-9+/_=.~-]{16,})",
        _KEY_LOOKALIKE,
    ),
)

_CONTEXT_RULES = (
    Rule("openai-key", ("sk-",), rf"{_LEAD}(sk-[A-Za-z0-9][\w-]{{18,}})", r"sk(?:-[a-z]+)+|sk-(?:ant|ecdsa|ssh)-.*"),
    Rule("aws-secret", ("akia", "asia"), r"A[KS]IA[A-Z0-9]{12,28}[\s,:;|\"']{1,8}([A-Za-z0-9/+]{40})\b"),
    Rule("slack-webhook", ("hooks.slack.com",), r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})"),
    Rule("discord-webhook", ("/api/webhooks/",), r"discord(?:app)?\.com/api/webhooks/([0-9]+/[\w-]{30,})"),
    Rule("azure-key", ("key=",), r"(?i)(?:Account|SharedAccess|Primary|Secondary)Key=([A-Za-z0-9+/]{20,}={0,2})"),
    Rule("signature", ("sig",), r"[?&;, ](?:sig|Signature|X-Amz-Signature)=([A-Za-z0-9%+/=_-]{20,})"),
)


def _parse_table(table: str) -> tuple[Rule, ...]:
    """Read the rows of keys that their prefix gives away."""
    rows = (line.split(None, 2) for line in table.strip().splitlines())
    return tuple(Rule(name, tuple(hints.split(",")), f"{_LEAD}({pattern})") for name, hints, pattern in rows)


RULES: tuple[Rule, ...] = (
    *_BLOCK_RULES,
    *_parse_table(VENDOR_KEYS),
    *_CONTEXT_RULES,
    *_HEADER_RULES,
    *_URL_RULES,
    *_COMMAND_RULES,
    *_ENV_RULES,
    *_assigned("password", _PASSWORD_HINTS, _PASSWORD_NAME, _PASSWORD_LOOKALIKE),
    *_assigned("key", _KEY_HINTS, _KEY_NAME, _NAMED_KEY_LOOKALIKE),
    *_assigned("token", _TOKEN_HINTS, _TOKEN_NAME, _TOKEN_LOOKALIKE),
)

# For a name and a value that stand apart, as in parsed JSON: class, the whole name, and what the value may be.
NAMED: tuple[tuple[str, str, str], ...] = (
    ("password", f".*(?:{_PASSWORD_NAME}){_NAME_TAIL}", f"{_PASSWORD_LOOKALIKE}|{_SENTENCE}"),
    ("key", f".*(?:{_KEY_NAME}){_NAME_TAIL}", _NAMED_KEY_LOOKALIKE),
    ("token", f".*(?:{_TOKEN_NAME}){_NAME_TAIL}", _TOKEN_LOOKALIKE),
)
