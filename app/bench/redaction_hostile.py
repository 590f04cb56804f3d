"""Texts made to keep a redactor busy: one part again and again, behind and before what makes its rules look."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_PARTS: Final = (
    *("a", "aA0", "A", "9", "0f", "-", "_", ".", "=", ":", "/", "+", " ", "\t", "\n", "\r\n", "\\", "\\n", "\\\\n"),
    *('"', "'", "`", "[", "(", "{", "<", "|", "$", "%", "@", "#", ",", "a.", "a-", "a_", "a b", "a/", "a=", "a:", "a("),
    *("aaaaaaaaaaaaaaaa\n", "a" * 70 + "\n", "aB3" * 24 + "\n", "aB3/" * 19 + "\n  ", "a1 " * 20 + "\n"),
    *("password", "password=", "password: ", 'password="', 'password: "a ', "password=a(", "password ", "password,"),
    *("密码\uff1a", "token: ", "token=", "--password ", "--token,", "-a-", "a_key=", "aKey: ", "key.", "API_KEY=a"),
    *(
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----",
        "-----BEGIN ",
        "1\t",
        "1\u2192",
        "Private-Lines: 1\n",
    ),
    *("://", "://a:", "://a:b", "postgres://a:", ":aaa@a:1", ":5432:a:a:", "@tcp(", "?code=", "a@b:"),
    *("eyJ", "eyJa.", "eyJaaaaaaaa.aaaaaa", "AKIA", "sk-", "sk-a", "sk-ant-", "ghp_", "xoxb-", "AAAA", "A%2", "fm2_"),
    *("Bearer ", "Bearer a", "authorization: ", "authorization: basic ", "cookie: a=", "set-cookie: a=", "-b a=b "),
    *(
        "machine a ",
        "mysql -p",
        "mysql -a ",
        "redis-cli a ",
        "docker login ",
        "curl -u a:",
        "htpasswd -b ",
        "echo a | ",
    ),
    *("${A_KEY:-", "$2b$", "pbkdf2_sha256$", "/id_rsa", "/a.key", "a.pem ", "a.p12", "<password>", "| password | "),
    *("define('", "setPassword(", '"password" {', 'name="password"', "identified by '", "psk=", "secret set a "),
    *(
        "\x1b[",
        "\x1b]",
        "\\u001b[",
        "\x00",
        "\u200b",
        "\u202e",
        "[redacted:a]",
        "[redacted:",
        "<private>",
        "&",
        "\ud800",
    ),
    *("cGFzc3dvcmQ9aHVudGVyMg==", "cGFzc3dvcmQ9aHVudGVyMg", "cGFzc3dvcmQ9\n", "Z2hwX2FhYWFh", "the a ", "The An "),
    *("mnemonic: abandon ", "abandon ", "A B C D ", "aB cD ", "x9Y8z7W6v5" * 6 + "\nq1W2e3R4t5"),
)
_BEGINNINGS: Final = ("", "password=", 'token: "', "://", "-----BEGIN PRIVATE KEY-----\n", 'api_key = "')
_ENDINGS: Final = ("", "!", '"', "\n-----END PRIVATE KEY-----", " secret_key api token password cookie ://")


@dataclass(frozen=True, slots=True)
class Hostile:
    """A text and what it is made of."""

    name: str
    text: str


def list_hostile(chars: int, *, step: int = 1) -> Iterator[Hostile]:
    """Build every combination of a beginning, a part and an ending at one length, or each `step`th of them."""
    combinations = [(head, part, tail) for part in _PARTS for head in _BEGINNINGS for tail in _ENDINGS]
    for head, part, tail in combinations[::step]:
        text = (head + part * (chars // len(part) + 1))[: chars - len(tail)] + tail
        yield Hostile(f"{head!r} {part[:24]!r} {tail!r}", text)
