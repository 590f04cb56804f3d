"""The rules for what stands in headers, addresses and commands, where no assignment names the secret."""

from app.domain.redact_patterns import (
    KEY_LOOKALIKE,
    LEAD,
    NAME_END,
    PASSWORD_LOOKALIKE,
    PLAIN,
    QUOTED,
    SEPARATOR,
    STAND_IN,
    WORDS,
    Rule,
)

_AUTH_VALUE = r"([^\s\"'`,;<>{}()\[\]\\]+[(\[]?)"
_AUTH_NAME = r"(?i)authorization(?:\\*[\"'`])?\]?[ \t]*[:=,][ \t]*[brfuBRFU]{0,2}(?:\\*[\"'`])?"
_AUTH_LOOKALIKE = (
    rf"{STAND_IN}|{WORDS}|(?i:auth\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\w.]*[(\[].*"
)

HEADER_RULES = (
    Rule("bearer-token", ("bearer",), rf"{_AUTH_NAME}bearer[ \t]+{_AUTH_VALUE}", _AUTH_LOOKALIKE),
    Rule("bearer-token", ("bearer",), r"(?i)\bbearer[ \t]+([\w.~+/=-]{16,})", f"{PLAIN}|{_AUTH_LOOKALIKE}"),
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
        f"{_AUTH_LOOKALIKE}|{PLAIN}",
    ),
    Rule("basic-auth", ("auth",), r"[\"_]auth\\*[\"']?[ \t]*[:=][ \t]*\\*[\"']?([A-Za-z0-9+/]{12,}={0,2})", PLAIN),
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

_URL_LOOKALIKE = rf"{STAND_IN}|\{{.*|\[.*"

URL_RULES = (
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

COMMAND_RULES = (
    Rule(
        "password",
        ("-u", "--user", "--proxy-user"),
        r"[\s\"'\[](?:-u|--user|--proxy-user)[\"']?(?:[ \t=]|,[ \t]*)?[\"']?[^\s:\"'/=-][^\s:\"'/=]*:([^\s\"'\\,/]+)",
        rf"{STAND_IN}|[0-9]{{1,6}}",
    ),
    Rule(
        "password",
        ("mysql", "mariadb"),
        rf"(?:mysql|mysqldump|mysqladmin|mariadb){_ARGUMENTS}-p[\"']?([^\s\"']+)",
        STAND_IN,
    ),
    Rule("password", ("redis-cli",), rf"redis-cli{_ARGUMENTS}-a[ \t]*[\"']?([^\s\"']+)", STAND_IN),
    Rule(
        "password",
        (" login",),
        rf"(?:docker|podman|registry) login{_ARGUMENTS}-p[ \t]*[\"']?([^\s\"']+)",
        STAND_IN,
    ),
    Rule(
        "password",
        ("mongo", "az login", "mysqlsh"),
        rf"(?:mongosh|mongo|mongodump|mongorestore|mongoexport|mongoimport|az login|mysqlsh){_ARGUMENTS}-p[ \t=]+"
        r"[\"']?([^\s\"']+)",
        STAND_IN,
    ),
    Rule("password", ("ldap",), rf"ldap[a-z]+{_ARGUMENTS}-w[ \t]*[\"']?([^\s\"']+)", STAND_IN),
    Rule("password", ("zip ", "zip\t"), rf"\b(?:un)?zip{_ARGUMENTS}-P[ \t]*[\"']?([^\s\"']+)", STAND_IN),
    Rule("password", ("7z ", "unrar "), rf"(?:unrar|7z) [ax]{_ARGUMENTS}-p[\"']?([^\s\"']+)", STAND_IN),
    Rule(
        "password",
        ("ssh-keygen",),
        rf"ssh-keygen{_ARGUMENTS}-[NP][ \t]+[\"']?([^\s\"'-][^\s\"']*)",
        STAND_IN,
    ),
    Rule("password", ("storepass", "keypass"), r"-\w*(?:store|key)pass[ \t]+[\"']?([^\s\"':]+)", STAND_IN),
    Rule("password", ("sshpass",), r"sshpass[ \t]+-p[ \t]*[\"']?([^\s\"']+)", STAND_IN),
    Rule("password", ("-pass",), r"-pass(?:in|out)?[ \t]+[\"']?pass:([^\s\"']+)", STAND_IN),
    Rule(
        "netrc-password",
        ("machine", "default"),
        r"(?:machine\s+\S+|default)\s+login\s+\S+\s+password\s+([^\s\"'\\]+)",
        STAND_IN,
    ),
    Rule("pgpass-password", (":",), r":(?:5432|5433|6432|\*):[\w*-]+:[\w.*-]+:([^\s:\"'\\]+)", STAND_IN),
    Rule("password", ("passphrase",), rf"(?i)passphrase{NAME_END}{SEPARATOR}{QUOTED}", PASSWORD_LOOKALIKE),
    Rule(
        "seed-phrase",
        ("mnemonic", "phrase"),
        rf"(?i)(?:mnemonic|(?:seed|recovery)[ _-]?phrase){NAME_END}{SEPARATOR}"
        r"\\*[\"']?([a-z]{3,8}(?: [a-z]{3,8}){11,23})",
    ),
    Rule(
        "password-hash",
        ("$",),
        r"((?:\$(?:apr1|2[abxy]|5|6|y|scrypt|argon2id?|argon2i)|pbkdf2_sha(?:1|256|512))\$[\w./$=,+-]{16,})",
    ),
    Rule(
        "password",
        ("password", "passphrase", "passwd", "passcode", "passwort", "pw ", "pw\t"),
        "(?i)(?:password|passphrase|passwd|passcode|passwort|\\bpw)(?:[ \\t]+(?:for|of)[ \\t]+\\S+)?"
        "[ \\t]+(?:is|was|to|will be|lautet|ist)[ \\t:]+"
        "[\"'`\u201c]?([^\\s\"'`,<>(){}&\u201d]*[0-9!@#$%^*+][^\\s\"'`,<>(){}&\u201d]*)",
        rf"{STAND_IN}|{WORDS}|[0-9.]+.{{0,3}}",
    ),
    Rule(
        "token",
        ("token", "key", "secret"),
        r"(?i)(?:token|key|secret)[ \t]+(?:is|was)[ \t:]+[\"'`]?([A-Za-z0-9+/_=.~-]{16,})",
        KEY_LOOKALIKE,
    ),
)

CONTEXT_RULES = (
    Rule("openai-key", ("sk-",), rf"{LEAD}(sk-[A-Za-z0-9][\w-]{{18,}})", r"sk(?:-[a-z]+)+|sk-(?:ant|ecdsa|ssh)-.*"),
    Rule("aws-secret", ("akia", "asia"), r"A[KS]IA[A-Z0-9]{12,28}[\s,:;|\"']{1,8}([A-Za-z0-9/+]{40})\b"),
    Rule("slack-webhook", ("hooks.slack.com",), r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})"),
    Rule("discord-webhook", ("/api/webhooks/",), r"discord(?:app)?\.com/api/webhooks/([0-9]+/[\w-]{30,})"),
    Rule("teams-webhook", ("webhookb2/",), r"webhook\.office\.com/webhookb2/([\w@/.-]{40,})"),
    Rule("zapier-webhook", ("hooks.zapier.com",), r"hooks\.zapier\.com/hooks/catch/([0-9]+/[\w/]{4,})"),
    Rule("url-token", ("code=",), r"[?&]code=([\w-]{40,}={0,2})"),
    Rule("azure-key", ("key=",), r"(?i)(?:Account|SharedAccess|Primary|Secondary)Key=([A-Za-z0-9+/]{20,}={0,2})"),
    Rule("signature", ("sig",), r"[?&;, ](?:sig|[Ss]ignature|X-Amz-Signature)=([A-Za-z0-9%+/=_-]{20,})"),
)
