"""Made-up secrets for the tests of redaction, put together from parts so that no scanner takes them for real ones."""

import base64
import hashlib

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def make_letters(count: int, seed: str = "x") -> str:
    """Make letters and digits of both cases."""
    text = ""
    while len(text) < count:
        digest = hashlib.sha256(f"{seed}{len(text)}".encode()).digest()
        text += base64.b64encode(digest).decode().replace("+", "").replace("/", "").rstrip("=")
    return text[:count]


def make_hex(count: int, seed: str = "x") -> str:
    """Make hexadecimal digits."""
    text = "".join(hashlib.sha256(f"{seed}{part}".encode()).hexdigest() for part in range(count // 64 + 1))
    return text[:count]


def make_upper(count: int, seed: str = "x") -> str:
    """Make upper-case letters and digits."""
    return "".join(UPPER[int(digit, 16)] for digit in make_hex(count, seed))


def make_digits(count: int) -> str:
    """Make decimal digits."""
    return "".join(str(int(digit, 16) % 10) for digit in make_hex(count))


def make_pem(kind: str = "RSA ", lines: int = 6) -> str:
    """Make a block that looks like a private key."""
    body = "\n".join(make_letters(64, f"pem{line}") for line in range(lines))
    dashes = "-" * 5
    return (
        f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}\n{body}\n{make_letters(22)}==\n{dashes}END {kind}PRIVATE KEY{dashes}"
    )


L, H, U = make_letters, make_hex, make_upper

# Class and secret of keys that their prefix gives away.
KEYS: tuple[tuple[str, str], ...] = (
    ("anthropic-key", "sk" + "-ant-api03-" + L(40)),
    ("openai-key", "sk" + "-proj-" + L(40)),
    ("openai-key", "sk" + "-" + L(48)),
    ("github-token", "gh" + "p_" + L(36)),
    ("github-token", "gh" + "s_" + L(36)),
    ("github-token", "github" + "_pat_" + L(22) + "_" + L(59)),
    ("gitlab-token", "gl" + "pat-" + L(20)),
    ("gitlab-token", "GR" + "1348941" + L(20)),
    ("aws-key", "AK" + "IA" + U(16)),
    ("aws-key", "AS" + "IA" + U(16)),
    ("aws-token", "IQoJ" + "b3JpZ2lu" + L(80)),
    ("google-key", "AI" + "za" + L(35)),
    ("google-key", "ya" + "29." + L(60)),
    ("google-key", "GOC" + "SPX-" + L(28)),
    ("slack-token", "xo" + "xb-" + "123456789012-" + L(24)),
    ("slack-token", "xa" + "pp-1-A0123-456-" + L(30)),
    ("stripe-key", "sk" + "_live_" + L(24)),
    ("stripe-key", "rk" + "_test_" + L(24)),
    ("stripe-key", "wh" + "sec_" + L(32)),
    ("npm-token", "np" + "m_" + L(36)),
    ("pypi-token", "pypi" + "-AgEIcHlwaS5vcmc" + L(60)),
    ("huggingface-token", "h" + "f_" + L(34)),
    ("sendgrid-key", "S" + "G." + L(22) + "." + L(43)),
    ("twilio-key", "S" + "K" + H(32)),
    ("digitalocean-token", "do" + "p_v1_" + H(64)),
    ("telegram-token", "123456789" + ":AA" + L(33)),
    ("discord-token", "M" + L(23) + "." + L(6) + "." + L(38)),
    ("shopify-token", "shp" + "at_" + H(32)),
    ("vault-token", "hv" + "s." + L(24)),
    ("databricks-token", "da" + "pi" + H(32)),
    ("linear-key", "lin" + "_api_" + L(40)),
    ("notion-token", "nt" + "n_" + L(46)),
    ("notion-token", "secret" + "_" + L(43)),
    ("sentry-token", "sn" + "trys_" + L(60)),
    ("azure-secret", "abc8" + "Q~" + L(34)),
    ("atlassian-token", "AT" + "ATT3" + L(60)),
    ("mailgun-key", "ke" + "y-" + H(32)),
    ("mailchimp-key", H(32) + "-us" + "12"),
    ("brevo-key", "xkeysib" + "-" + H(64) + "-" + L(16)),
    ("resend-key", "r" + "e_" + L(8) + "_" + L(24)),
    ("square-token", "sq" + "0atp-" + L(22)),
    ("postman-key", "PM" + "AK-" + H(24) + "-" + H(34)),
    ("newrelic-key", "NR" + "AK-" + U(27)),
    ("grafana-token", "gl" + "sa_" + L(32) + "_" + H(8)),
    ("docker-token", "dckr" + "_pat_" + L(27)),
    ("figma-token", "fig" + "d_" + L(40)),
    ("airtable-token", "pa" + "t" + L(14) + "." + H(64)),
    ("terraform-token", L(14) + ".atlas" + "v1." + L(67)),
    ("doppler-token", "d" + "p.pt." + L(43)),
    ("planetscale-token", "pscale" + "_tkn_" + L(43)),
    ("supabase-key", "sb" + "p_" + H(40)),
    ("dynatrace-token", "dt" + "0c01." + U(24) + "." + U(64)),
    ("alibaba-key", "LT" + "AI" + L(20)),
    ("age-key", "AGE-SECRET" + "-KEY-1" + U(58)),
    ("rubygems-key", "ruby" + "gems_" + H(48)),
    ("pulumi-token", "pu" + "l-" + H(40)),
    ("groq-key", "gs" + "k_" + L(52)),
    ("xai-key", "xa" + "i-" + L(80)),
    ("replicate-token", "r" + "8_" + L(37)),
    ("nvidia-key", "nv" + "api-" + L(64)),
    ("langsmith-key", "ls" + "v2_pt_" + H(32) + "_" + H(10)),
    ("razorpay-key", "rzp" + "_live_" + L(14)),
    ("plaid-token", "access" + "-sandbox-8c2f1e1a-0c5d-4c6e-9c1b-0123456789ab"),
    ("memwiki-token", "m" + "w_" + L(43)),
    ("jwt", "ey" + "J" + L(34) + ".ey" + "J" + L(50) + "." + L(43)),
)
