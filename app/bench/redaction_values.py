"""Made-up values for names that give a secret away, and whole secrets that are known by their shape."""

import textwrap
from dataclasses import dataclass
from typing import Final

from app.bench.redaction_fakes import fill_form, make_private_key, make_text, wrap_base64

# What kind of value, what it holds besides letters and digits (as in the carriers' keys), and the value.
VALUES: Final[tuple[tuple[str, str, str], ...]] = (
    ("word with digits", "", "Tr0ub4" + "dor-staple9"),
    ("hex", "", make_text("H", 40, "value")),
    ("letters of both cases", "w", make_text("M", 20, "value")),
    ("symbols", "s", "p@S5!w0" + "rd%^*z~"),
    ("letters and digits", "", make_text("L", 32, "value")),
    ("base64", "s", make_text("B", 43, "value") + "="),
    ("round bracket", "s", "abc(d" + "ef9"),
    ("blanks", "b", "correct 9 horse" + " battery staple"),
    ("short", "", "hunt" + "er2"),
    ("another script", "", "жЯ7-" + "ключик9"),
    ("UUID", "", fill_form("{H8}-{H4}-4{H3}-a{H3}-{H12}", "value")),
    ("round brackets", "s", "x(9)z" + "[7]k!2"),
)


@dataclass(frozen=True, slots=True)
class Shaped:
    """A secret with its carrier: the class, what it is called, and the text in three parts."""

    kind: str
    name: str
    before: str
    secret: str
    after: str


_RSA, _OPENSSH = make_private_key("RSA "), make_private_key("OPENSSH ", 7)
_PLAIN_KEY, _EC = make_private_key(""), make_private_key("EC ", 3)
_PGP = make_private_key("PGP ").replace("KEY-----", "KEY BLOCK-----")
_RSA_LINES = _RSA.splitlines()
_MARK = "\n…[cut 3120 characters]…\n"
_BASIC = wrap_base64("bob:" + "Tr0ub4" + "dor9")
_ACCOUNT_KEY = make_text("B", 86, "azure") + "=="
_SEED = "abandon ability able about above absent absorb abstract absurd abuse access accident"
_LONG_SEED = f"{_SEED} account accuse achieve acid acoustic acquire across act action actor actress actual"
_SERVICE_ACCOUNT = '{"type": "service_account", "private_key_id": "0a1b", "private_key": "'

SHAPED: Final[tuple[Shaped, ...]] = (
    Shaped("private-key", "PEM", "see ", _RSA, " there"),
    Shaped("private-key", "PEM, OpenSSH", "", _OPENSSH, "\n"),
    Shaped("private-key", "PEM, PKCS 8", "cat key\n", _PLAIN_KEY, "\n$ "),
    Shaped("private-key", "PEM, EC", "", _EC, "\nok"),
    Shaped("private-key", "PEM, PGP", "", _PGP.replace("-\n", "-\nVersion: GnuPG v2\n\n", 1), "\n"),
    Shaped("private-key", "PEM, escaped line ends", _SERVICE_ACCOUNT, _RSA.replace("\n", "\\n") + "\\n", '"}'),
    Shaped("private-key", "PEM, twice escaped", '"{\\"k\\": \\"', _RSA.replace("\n", "\\\\n"), '\\\\n\\"}"'),
    Shaped("private-key", "PEM, diff", "+", _RSA.replace("\n", "\n+"), "\n+x = 1\n"),
    Shaped("private-key", "PEM, indented", "tls.key: |\n  ", _RSA.replace("\n", "\n  "), "\nkind: Secret\n"),
    Shaped("private-key", "PEM, quoted mail", "> ", _RSA.replace("\n", "\n> "), "\n> thanks\n"),
    Shaped(
        "private-key",
        "PEM, numbered lines",
        "     1→",
        "".join(f"\n{number:6}→{line}" for number, line in enumerate(_RSA_LINES, 1))[8:],
        "\n    99→done\n",
    ),
    Shaped("private-key", "PEM, one line", "KEY=", " ".join(_RSA_LINES), "\nX=1\n"),
    Shaped("private-key", "PEM, C string", 'k =\n    "', '\\n"\n    "'.join(_RSA_LINES), '\\n";\n'),
    Shaped(
        "private-key",
        "PEM, encrypted",
        "",
        _RSA.replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB12\n\n", 1),
        "\n",
    ),
    Shaped("private-key", "PEM, end cut off", "", "\n".join(_RSA_LINES[:6]), f"{_MARK}and so on\n"),
    Shaped("private-key", "PEM, end cut off in a line", "", _RSA[:372], f"{_MARK}and so on\n"),
    Shaped("private-key", "PEM, beginning cut off", f"text{_MARK}", "\n".join(_RSA_LINES[4:]), "\nafter\n"),
    Shaped("private-key", "PEM, beginning cut off in a line", f"text{_MARK}", _RSA[180:], "\nafter\n"),
    Shaped("private-key", "PEM, beginning cut off, escaped", "…[cut 9]…", _RSA[180:].replace("\n", "\\n"), '\\n"}'),
    Shaped("private-key", "PEM, beginning cut off, diff", f"x{_MARK}", _RSA[180:].replace("\n", "\n+"), "\n+x\n"),
    Shaped("private-key", "PEM in base64", "tls.key: ", wrap_base64(_RSA), "\n"),
    Shaped(
        "private-key", "PEM in base64, wrapped", "", "\n".join(textwrap.wrap(wrap_base64(_OPENSSH), 76)), "\n\ndone\n"
    ),
    Shaped("private-key", "PuTTY", "Private-Lines: 2\n", "\n".join(_RSA_LINES[1:3]), "\nPrivate-MAC: 00\n"),
    Shaped("private-key", "JWK", '{"kty":"OKP","crv":"Ed25519","d":"', make_text("W", 43, "jwk"), '","x":"abc"}'),
    Shaped("key", "WireGuard", "[Interface]\nPrivateKey = ", make_text("B", 43, "wg") + "=", "\n"),
    Shaped("key", "kubeconfig", "    client-key-data: ", wrap_base64(_EC), "\n"),
    Shaped("key", "Laravel", "APP_KEY=", "base64:" + make_text("B", 43, "laravel") + "=", "\nX=1\n"),
    Shaped("key", "Django", "SECRET_KEY = '", "django" + "-insecure-" + make_text("W", 50, "django"), "'\n"),
    Shaped("key", "Azure storage", "AccountName=x;AccountKey=", _ACCOUNT_KEY, ";EndpointSuffix=core\n"),
    Shaped("key", "Azure functions", "https://x.example.net/api/f?code=", make_text("W", 54, "fn") + "==", " 200\n"),
    Shaped("password-hash", "bcrypt", "bob:", "$2b" + "$12$" + make_text("L", 53, "bcrypt"), "\n"),
    Shaped(
        "password-hash", "shadow", "root:", "$6" + "$salt1234$" + make_text("L", 86, "sha"), ":19000:0:99999:7:::\n"
    ),
    Shaped("password-hash", "yescrypt", "root:", "$y" + "$j9T$" + make_text("L", 66, "yes"), ":19000::::::\n"),
    Shaped("password-hash", "htpasswd", "bob:", "$apr1" + "$salt1234$" + make_text("L", 22, "apr"), "\n"),
    Shaped("password-hash", "argon2", "h = '", "$argon2id" + "$v=19$m=65536,t=3,p=4$" + make_text("L", 66, "a"), "'\n"),
    Shaped("password-hash", "Django", "pw: ", "pbkdf2_sha256" + "$600000$" + make_text("L", 66, "dj") + "=", "\n"),
    Shaped("basic-auth", "header", "Authorization: Basic ", _BASIC, "\n"),
    Shaped("basic-auth", "header in JSON", '{"Authorization": "Basic ', _BASIC, '"}'),
    Shaped("basic-auth", "docker's file", '{"auths":{"ghcr.io":{"auth":"', _BASIC, '"}}}'),
    Shaped("basic-auth", "npmrc", "//r.example/:_auth=", _BASIC, "\n"),
    Shaped("basic-auth", "curl", "curl -H 'Authorization: Basic ", _BASIC, "' https://h\n"),
    Shaped(
        "aws-secret",
        "behind its id",
        "",
        "AK" + "IA" + make_text("U", 16, "id") + "," + make_text("B", 40, "aws"),
        "\n",
    ),
    Shaped(
        "slack-webhook",
        "URL",
        "https://hooks.slack.com/services/",
        "T0AB1CD2E/B0AB1CD2E/" + make_text("L", 24, "sl"),
        "",
    ),
    Shaped("discord-webhook", "URL", "https://discord.com/api/webhooks/", "112233/" + make_text("W", 68, "d"), "\n"),
    Shaped(
        "teams-webhook",
        "URL",
        "https://x.webhook.office.com/webhookb2/",
        fill_form(
            "{H8}-{H4}-4{H3}-a{H3}-{H12}@{H8}-{H4}-4{H3}-a{H3}-{H12}/IncomingWebhook/{H32}/{H8}-{H4}-4{H3}-a{H3}-{H12}",
            "t",
        ),
        "\n",
    ),
    Shaped(
        "signature", "Azure SAS", "https://x.blob.example/c?sv=2024&sig=", make_text("L", 43, "sas") + "%3D", "&se=1\n"
    ),
    Shaped("signature", "S3", "https://b.s3.example/k?X-Amz-Signature=", make_text("H", 64, "s3"), "&x=1\n"),
    Shaped("cookie", "header", "Cookie: ", "sessionid=" + make_text("l", 32, "c") + "; theme=dark", "\n"),
    Shaped("cookie", "set", "Set-Cookie: sid=", make_text("L", 32, "c2"), "; Path=/; HttpOnly\n"),
    Shaped("cookie", "curl", "curl -b '", "session=" + make_text("L", 32, "c3"), "' https://h\n"),
    Shaped("cookie", "Java", "JSESSIONID=", make_text("X", 32, "c4"), "\n"),
    Shaped("seed-phrase", "assignment", 'mnemonic: "', _SEED, '"\n'),
    Shaped("seed-phrase", "prose", "seed phrase: ", _LONG_SEED, "\n"),
    Shaped("otp-secret", "URL", "otpauth://totp/x:bob?secret=", make_text("U", 32, "otp"), "&issuer=x\n"),
    Shaped("key", "Ethereum", "private_key = ", "0x" + make_text("H", 64, "eth"), "\n"),
    Shaped("key-path", "ssh", "scp -i ~/.ssh/", "id_ed25519", " f host:\n"),
    Shaped("key-path", "server", "/etc/ssl/private/", "server.key", " 0600\n"),
    Shaped("key-path", "store", "opens ", "release.keystore", " now\n"),
    Shaped("url-token", "git remote", "https://", make_text("L", 40, "u"), "@git.example/a.git\n"),
    Shaped("url-password", "git remote", "https://oauth2:", make_text("L", 26, "g"), "@git.example/a.git\n"),
    Shaped("url-password", "Cloudinary", "cloudinary://123456789012345:", make_text("W", 27, "cl"), "@demo\n"),
    Shaped(
        "token",
        "Kubernetes bootstrap",
        "kubeadm join 10.0.0.1:6443 --token ",
        "abc9ef." + make_text("l", 16, "k"),
        "\n",
    ),
    Shaped(
        "token",
        "Docker swarm",
        "docker swarm join --token ",
        "SWM" + "TKN-1-" + make_text("l", 50, "s"),
        " 10.0.0.1:2377\n",
    ),
    Shaped("key", "JWT secret", "jwt.secret-key: ", make_text("B", 64, "j"), "\n"),
    Shaped("key", "Algolia", "algoliasearch('APPID', apiKey='", make_text("H", 32, "al"), "')\n"),
    Shaped("key", "Datadog", "DD_API_KEY=", make_text("H", 32, "dd"), "\n"),
    Shaped("token", "Rollbar", "rollbar.init('access_token', accessToken: '", make_text("H", 32, "ro"), "')\n"),
    Shaped("base64", "env file", "echo ", wrap_base64("DB_PASSWORD=" + "Tr0ub4dor9\n"), " | base64 -d\n"),
    Shaped(
        "base64", "Kubernetes", "  .env: ", wrap_base64("X=1\nAPI_TOKEN=" + make_text("H", 40, "b")), "\nkind: Secret\n"
    ),
    Shaped("base64", "URL", "  url: ", wrap_base64("postgres://bob:" + "Tr0ub4dor9@db:5432/shop"), "\n"),
    Shaped("base64", "JSON", '"blob": "', wrap_base64('{"user": "bob", "password": "' + 'Tr0ub4dor9"}'), '"\n'),
)
