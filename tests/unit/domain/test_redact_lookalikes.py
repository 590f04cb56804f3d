"""What redaction leaves alone, and that both engines read its rules."""

import pytest
import re2

from app.domain.redact import redact_text
from app.domain.redact_rules import RULES
from tests.unit.domain import planted

HEX40, HEX64 = planted.make_hex(40), planted.make_hex(64)
STAYS = {
    "prose": "the password is required, and the token must not expire",
    "prose with a colon": "Reset password: users click the link",
    "annotation": "def login(user: str, password: str, token: Token | None = None) -> Session:",
    "typed secret": "client_secret: SecretStr",
    "interface": "interface A { token: string; password?: string }",
    "call": "token = get_token()",
    "awaited": "const token = await getToken();",
    "attribute": "token = self.token",
    "environment": "const token = process.env.TOKEN;",
    "passed on": "connect(password=password, token=token)",
    "counts": '"max_tokens": 4096, "input_tokens": 12, "token_count": 9',
    "limit": "TOKEN_LIMIT=8",
    "null": '"password": null, "token": ""',
    "variable": "PASSWORD=${DB_PASSWORD} TOKEN=$TOKEN PW=$(pass show x)",
    "template": "password: {{ .Values.password }}",
    "workflow": "token: ${{ secrets.GITHUB_TOKEN }}",
    "angle brackets": "API_KEY=<API_KEY> --token <token>",
    "mask": "password=*** token: ****1234",
    "placeholder": "api_key: your-api-key-here",
    "header template": 'curl -H "Authorization: Bearer ${TOKEN}"',
    "f-string": "headers={'Authorization': f'Bearer {token}'}",
    "label": '"password": "Enter your password"',
    "redacted before": "token: [redacted:jwt], password=[redacted:x]",
    "commit": f"commit {HEX40}",
    "short commit": "fixed in 3f2a9c1d and 0123456",
    "digest": f"sha256:{HEX64} image@sha256:{HEX64}",
    "lock file": '"integrity": "sha512-' + planted.make_letters(86) + '=="',
    "lock hash": f"--hash=sha256:{HEX64}",
    "uuid": "id: 4be4285e-8c20-497b-a310-2993376c3413",
    "tool use": '"tool_use_id": "toolu_01' + planted.make_letters(22) + '"',
    "path": "/home/dev/shop/src/auth/token_store.py:12:4: error: bad",
    "working folder": "PWD=/srv/main OLDPWD=/x/y1",
    "known hosts": "~/.ssh/known_hosts ~/.ssh/id_rsa.pub",
    "credentials file": "GOOGLE_APPLICATION_CREDENTIALS=/etc/key.json",
    "address": "https://example.com:8080/path@x?page=2#top",
    "ssh remote": "git@github.com:org/repo.git ssh://git@host/x",
    "auth words": "Bearer authentication is used; basic JavaScript knowledge",
    "fetch option": "credentials: 'include'",
    "cache key": "cache_key: users:all:v2 sort_key=created_at primary_key=True",
    "keys of a keyboard": "hotkey: ctrl+shift+k; monkey = banana42",
    "style class": "sk-fading-circle-container-big task-" + "a" * 40,
    "user and group": "docker run -u 1000:1000 image",
    "compiler": "src/a.c:1234:56:error:message",
    "certificate": "-----BEGIN CERTIFICATE-----\n" + planted.make_letters(64) + "\n-----END CERTIFICATE-----",
    "start of a key in code": 'START = b"-----BEGIN OPENSSH PRIVATE KEY-----"',
    "colours": "\x1b[32mPASS\x1b[0m tests/test_token.py \x1b[1m12 passed\x1b[0m",
    "Chinese prose": "请输入密码\uff0c然后点击登录",
    "secret name": "secretName: my-secret\nkind: Secret",
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_a_look_alike_stays(text: str) -> None:
    assert redact_text(text) == text


def test_every_pattern_means_something_to_both_engines() -> None:
    assert [rule.name for rule in RULES if re2.compile(rule.pattern).groups < 1] == []
    assert [rule.name for rule in RULES if not rule.hints or any(hint != hint.lower() for hint in rule.hints)] == []
