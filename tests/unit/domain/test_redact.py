"""What redaction takes out: keys by their prefix, values by their name, in every carrier that agents use."""

import json
import re

import pytest

from app.domain.redact import redact_text
from app.domain.redact_rules import RULES
from tests.unit.domain import planted

WORD = planted.make_letters(12, "value") + "9"
PEM = planted.make_pem()
CARRIERS = {
    "bare": "{}",
    "in a sentence": "use {} for it",
    "beside Chinese": "凭证为{}。",
    "beside Japanese": "キーは{}です",
    "in an address": "https://host/path?k={}&b=1",
    "percent-encoded": "k%3D{}",
    "after an escaped line end": "one\\n{}\\ntwo",
    "after an underscore": "my_{}",
    "in backticks": "the key (`{}`) works",
    "in a path": "/tmp/{}",
    "coloured": "\x1b[32m{}\x1b[0m",
}
NAMED = {
    "env line": "DB_PASSWORD={}",
    "exported": "export API_TOKEN='{}'",
    "quoted with blanks": 'DB_PASSWORD="two words {}"',
    "strange characters": "DB_PASSWORD=a&b;{}",
    "numbered key": "API_KEY_2={}",
    "psql": "PGPASSWORD={} psql",
    "default of a variable": "${{DB_PASSWORD:-{}}}",
    "JSON snake key": '"db_password": "{}"',
    "JSON camel key": '{{"dbPassword":"{}"}}',
    "JSON in JSON": '{{\\"db_password\\": \\"{}\\"}}',
    "JSON over two lines": '"password":\n    "{}"',
    "JSON cut off": '"client_secret": "{}',
    "YAML": "password: {}",
    "YAML block": "password: |\n  {}",
    "YAML env list": "- name: DB_PASSWORD\n  value: {}",
    "JSON env list": '{{"name":"API_TOKEN","value":"{}"}}',
    "TOML": 'secret_key = "{}"',
    "properties": "app.secret={}",
    "Python": "password: str = '{}'",
    "subscript": "os.environ['API_KEY'] = '{}'",
    "Ruby": "password => '{}'",
    "Go": 'token := "{}"',
    "XML": "<password>{}</password>",
    "flag": "--password {}",
    "flag with equals": "--api-key={}",
    "flag in a list": '["--token", "{}"]',
    "header": "X-Api-Key: {}",
    "Amazon's header": "X-Amz-Security-Token: {}",
    "private token header": "PRIVATE-TOKEN: {}",
    "bearer": "Authorization: Bearer {}",
    "bearer in JSON": '"authorization": "Bearer {}"',
    "token scheme": "Authorization: token {}",
    "npm": "//registry.npmjs.org/:_authToken={}",
    "query": "https://h/?access_token={}&x=1",
    "percent-encoded name": "token%3D{}",
    "connection string": "Server=x;Uid=y;Pwd={};Database=z",
    "database address": "postgresql+asyncpg://user:{}@host:5432/db",
    "address with an at sign": "https://user:p@{}@host/",
    "git remote": "https://oauth2:{}@gitlab.example/x.git",
    "Go data source": "root:{}@tcp(127.0.0.1:3306)/db",
    "curl": "curl -u bob:{} https://host",
    "mysql": "mysql -h db -u root -p{} shop",
    "sshpass": "sshpass -p {} ssh host",
    "netrc": "machine host login bob password {}",
    "pgpass": "db:5432:shop:bob:{}",
    "cookie": "Cookie: session={}; other=2",
    "set-cookie": "Set-Cookie: sid={}; Path=/",
    "markdown": "**Password:** {}",
    "code spans": "`api_key`: `{}`",
    "prose": "the password is {}",
    "Chinese": "密码是{}。",
    "full-width colon": "密码\uff1a{}",
    "Russian": "Пароль: {}",
    "AWS prompt": "AWS Secret Access Key [None]: {}",
    "line continuation": "ANTHROPIC_API_KEY=\\\n{}",
    "broken by colours": "\x1b[31mTOKEN\x1b[0m=\x1b[32mab\x1b[1m{}\x1b[0m",
    "broken by a bidi mark": "API_TOKEN=ab\u202e{}",
    "escaped colour in JSON": '"TOKEN\\u001b[0m=\\u001b[32m{}"',
}


@pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS)
@pytest.mark.parametrize(
    ("name", "key"), planted.KEYS, ids=[f"{name}-{rank}" for rank, (name, _) in enumerate(planted.KEYS)]
)
def test_a_key_is_replaced_by_its_class_whatever_stands_beside_it(name: str, key: str, carrier: str) -> None:
    before, _, after = carrier.partition("{}")

    redacted = redact_text(carrier.format(key))

    assert redacted == f"{before}[redacted:{name}]{after}"


@pytest.mark.parametrize("form", NAMED.values(), ids=NAMED)
def test_a_value_is_taken_out_by_the_name_that_stands_before_it(form: str) -> None:
    text = form.format(WORD)

    redacted = redact_text(text)

    assert WORD not in redacted
    assert re.search(r"\[redacted:[a-z-]+\]", redacted)
    assert redact_text(redacted) == redacted


def test_only_the_secret_goes_and_the_text_around_it_stays() -> None:
    redacted = redact_text(f"deploy --password {WORD} --region eu && echo PASSWORD={WORD}\nthen run it")

    assert redacted == (
        "deploy --password [redacted:password] --region eu && echo PASSWORD=[redacted:password]\nthen run it"
    )


@pytest.mark.parametrize("mark", ["\u200b", "\u202e", "\u00ad", "\ufeff", "\x1b[1m", "\x1b[38;5;1m", "\x00", "\\\n"])
def test_a_key_broken_by_what_does_not_show_is_found(mark: str) -> None:
    name, key = planted.GITHUB

    redacted = redact_text(f"a {mark.join((key[:7], key[7:20], key[20:]))} b")

    assert redacted == f"a [redacted:{name}] b"


PARTS = {
    "whole": (f"see {PEM} there", "see [redacted:private-key] there"),
    "end cut off": (f"see {PEM[:240]}", "see [redacted:private-key]"),
    "end cut off, text after": (f"{PEM[:240]}\n\nAnd so on.", "[redacted:private-key]\n\nAnd so on."),
    "beginning cut off": (f"{PEM[150:]}\nafter", "[redacted:private-key]\nafter"),
    "escaped line ends": (json.dumps({"k": PEM}), '{"k": "[redacted:private-key]"}'),
    "added in a diff": ("+" + PEM.replace("\n", "\n+"), "+[redacted:private-key]"),
    "numbered lines": (
        "".join(f"{number:6}→{line}\n" for number, line in enumerate(PEM.splitlines(), 1)),
        "     1→[redacted:private-key]\n",
    ),
    "encrypted": (
        PEM.replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB12\n\n", 1),
        "[redacted:private-key]",
    ),
    "OpenSSH": (planted.make_pem("OPENSSH "), "[redacted:private-key]"),
}


@pytest.mark.parametrize(("text", "expected"), PARTS.values(), ids=PARTS)
def test_a_private_key_goes_whole_or_in_part(text: str, expected: str) -> None:
    assert redact_text(text) == expected


def test_paths_of_private_keys_lose_their_file_name() -> None:
    redacted = redact_text(
        "scp -i ~/.ssh/id_ed25519 /etc/ssl/private/server.key deploy.pem host:/srv/certs/fullchain.pem"
    )

    assert redacted == (
        "scp -i ~/.ssh/[redacted:key-path] /etc/ssl/private/[redacted:key-path] [redacted:key-path]"
        " host:/srv/certs/fullchain.pem"
    )


def test_basic_credentials_and_hashes_of_passwords_go() -> None:
    hashed = "$2b$12$" + planted.make_letters(53)

    redacted = redact_text(f"Authorization: Basic dXNlcjpwYXNz\nbob:{hashed}")

    assert redacted == "Authorization: Basic [redacted:basic-auth]\nbob:[redacted:password-hash]"


def test_a_list_of_words_behind_the_name_of_a_seed_phrase_goes() -> None:
    words = "abandon ability able about above absent absorb abstract absurd abuse access accident"

    assert redact_text(f'mnemonic: "{words}"') == 'mnemonic: "[redacted:seed-phrase]"'


def test_every_class_is_a_name_that_a_placeholder_can_carry() -> None:
    assert [rule.name for rule in RULES if not re.fullmatch(r"[a-z][a-z-]{0,30}", rule.name)] == []
