"""The rules for secrets that a call, a table, a query or a form names, and for values handed to a command's input."""

from app.domain.redact_patterns import (
    KEY_NAME,
    LABEL,
    NAME_TAIL,
    PASSWORD_HINTS,
    PASSWORD_NAME,
    PATH,
    QUOTED_PASSWORD_LOOKALIKE,
    QUOTED_TOKEN_LOOKALIKE,
    STAND_IN,
    TOKEN_NAME,
    Rule,
)

_NAMES = f"(?:{PASSWORD_NAME}|{KEY_NAME}|{TOKEN_NAME}){NAME_TAIL}"
_SECRET_WORDS = tuple(dict.fromkeys(("pass", "pwd", "secret", "token", "key", "credential", *PASSWORD_HINTS)))
_WITHIN = r"\\*[\"']([^\"'\n\\]+)"

LITERAL_RULES = (
    # A call that sets: setenv('DB_PASSWORD', '…'), setPassword("…"), .apiKey("…").
    Rule("password", _SECRET_WORDS, rf"\w\([ \t]*[\"'][\w.-]*{_NAMES}[\"'],[ \t]*{_WITHIN}", QUOTED_TOKEN_LOOKALIKE),
    Rule("password", _SECRET_WORDS, rf"(?:[sS]et_?|[wW]ith_?|\.){_NAMES}\([ \t]*{_WITHIN}", QUOTED_TOKEN_LOOKALIKE),
    Rule("password", ("#define",), rf"#define[ \t]+\w*{_NAMES}[ \t]+{_WITHIN}", QUOTED_TOKEN_LOOKALIKE),
    Rule(
        "password",
        ("default",),
        rf"\"\w*{_NAMES}\"[ \t]*\{{[^{{}}]{{0,200}}?default[ \t]*=[ \t]*{_WITHIN}",
        QUOTED_TOKEN_LOOKALIKE,
    ),
    Rule("password", ("set ", "set\t"), rf"set[ \t]+(?:-\w+[ \t]+)*\w*{_NAMES}[ \t]+{_WITHIN}", QUOTED_TOKEN_LOOKALIKE),
    Rule(
        "password",
        ("set ", "set\t"),
        rf"(?:config|configure)[ \t]+set[ \t]+(?:--?[\w-]+[ \t]+)*[\w.:-]*{_NAMES}[ \t]+[\"']?([^\s\"']+)",
        STAND_IN,
    ),
    Rule(
        "password",
        ("login", "auth"),
        r"(?:login|[aA]uth)(?:[ \t]*=[ \t]*)?\([ \t]*[\"'][^\"'\n]{1,80}[\"'],[ \t]*[\"']([^\"'\n]+)[\"'][ \t]*\)",
        f"{QUOTED_PASSWORD_LOOKALIKE}|{PATH}",
    ),
    Rule("password", ("[[",), rf"{_NAMES}[ \t]*=[ \t]*\[\[([^\]\n]+)\]\]", QUOTED_TOKEN_LOOKALIKE),
    Rule(
        "password",
        ("getconnection(", "mysqli"),
        r"(?:getConnection\([^()\n]{1,200}|mysqli(?:_connect)?\([ \t]*[\"'][^\"'\n]*[\"']),[ \t]*[\"'][^\"'\n]*[\"'],"
        r"[ \t]*[\"']([^\"'\n]+)[\"']",
        STAND_IN,
    ),
    Rule("password", ("requirepass", "masterauth"), r"(?:requirepass|masterauth)[ \t]+[\"']?([^\s\"']+)", STAND_IN),
    Rule("password", ("securestring",), rf"ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?{_WITHIN}", STAND_IN),
    Rule(
        "password",
        ("pass", "pwd", "pw"),
        rf"(?:\$|\b(?:var|let|const|my|val|string)[ \t]+\$?)(?:pass|pwd|pw)[ \t]*:?=[ \t]*{_WITHIN}",
        QUOTED_PASSWORD_LOOKALIKE,
    ),
    Rule("password", ("password for",), r"(?i)password for \S+: ([^\s\"'`]*[0-9!@#$%^*+][^\s\"'`]*)", STAND_IN),
    Rule("password", ("sqlcmd",), r"sqlcmd(?:[ \t]+[^\s|;&]+){0,8}?[ \t]+-P[ \t]*[\"']?([^\s\"']+)", STAND_IN),
    # Behind the bare word, only what nobody would take for another one.
    Rule(
        "password",
        ("password ", "password\t"),
        r"password[ \t]+([^\s\"'`,;<>(){}\[\]]{8,})",
        rf"{STAND_IN}|[^0-9]*|[^!@#$%^&*+~]*|[^A-Za-z]*|.*://.*|--.*",
    ),
    Rule("token", ("--with-token",), r"--with-token[ \t]*<<<[ \t]*[\"']?([^\s\"']+)", STAND_IN),
    # A row of a table in markdown.
    Rule(
        "password",
        PASSWORD_HINTS,
        rf"\|[ \t*`]*(?:\w+[ _-])?(?:{PASSWORD_NAME})[ \t*`]*\|[ \t*`]*([^\s|`*]+)[ \t*`]*\|",
        f"{QUOTED_PASSWORD_LOOKALIKE}|[^0-9!@#$%^*+/~]*",
    ),
    Rule(
        "password",
        ("password", "identified"),
        r"(?i)(?:password|identified[ \t]+(?:with[ \t]+\w+[ \t]+)?by)[ \t]+(?:password[ \t]+)?'([^'\n]+)'",
        f"{STAND_IN}|{LABEL}",
    ),
    Rule(
        "password",
        _SECRET_WORDS,
        rf"name=\\*\"[\w.-]*(?:{_NAMES})\\*\"(?:\\r\\n|\r?\n)(?:[A-Z][\w-]+:[^\n]*\n)?(?:\\r\\n|\r?\n)([^\s\\]+)",
        STAND_IN,
    ),
    Rule("password", ("psk",), r"(?:^|[\s_\"'{])[pP][sS][kK][\"']?[ \t]*[=:][ \t]*[\"']?([^\s\"',}]{8,})", STAND_IN),
    Rule(
        "password",
        ("htpasswd",),
        r"htpasswd(?:[ \t]+-\w+)*[ \t]+-\w*b\w*(?:[ \t]+-\w+)*(?:[ \t]+[^\s-]\S*){1,2}[ \t]+[\"']?([^\s\"'|;&>]+)",
        STAND_IN,
    ),
    Rule("password", ("mysqladmin",), r"mysqladmin(?:[ \t]+-\S+)*[ \t]+password[ \t]+[\"']?([^\s\"'|;&]+)", STAND_IN),
    Rule(
        "password",
        ("chpasswd",),
        r"[\s\"'][\w.-]+:([^\s\"':]+)[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd",
        STAND_IN,
    ),
    Rule(
        "password",
        ("--password-stdin", "--with-token", "--stdin", "sudo -s"),
        r"(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?[\"']?([^\s\"'|]+)[\"']?[ \t]*\|[^|;\n]{0,80}"
        r"(?:--password-stdin|--with-token|--stdin|sudo -S)",
        rf"{STAND_IN}|%s\\n",
    ),
    Rule(
        "token",
        ("secret set",),
        r"secret set[ \t]+[^\n|;&]{1,80}?(?:--body|-b)[ \t=]+[\"']?([^\s\"']+)",
        STAND_IN,
    ),
)
