"""Made-up secrets of every class that redaction knows, put together so that no scanner takes the source for real ones.

The same row gives the same secret in every run.
"""

import base64
import hashlib
import re
import string
from dataclasses import dataclass
from typing import Final

_ALPHABETS: Final = {
    "L": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "H": "0123456789abcdef",
    "U": string.ascii_uppercase + "234567",
    "D": string.digits,
    "M": string.ascii_letters,
    "B": string.ascii_letters + string.digits + "+/",
    "W": string.ascii_letters + string.digits + "-_",
    "P": string.ascii_letters + string.digits + "-._",
    "X": "0123456789ABCDEF",
}
_SLOT: Final = re.compile(r"\{([A-Za-z])([0-9]+)\}")

# One row each: class and form. `^` splits what a scanner looks for, `{L36}` stands for 36 letters and digits.
_VENDOR_FORMS: Final = r"""
adafruit-key        ai^o_{L28}
age-key             AGE-SEC^RET-KEY-1{U58}
airtable-token      p^at{L14}.{H64}
alibaba-key         LT^AI{L20}
anthropic-key       sk^-ant-api03-{W93}AA
anthropic-key       sk^-ant-oat01-{W93}AA
anthropic-key       sk^-ant-admin01-{W93}AA
artifactory-key     AK^Cp{L69}
atlassian-token     AT^ATT3xFfGF0{W172}
atlassian-token     AT^BB{L32}
aws-key             AK^IA{U16}
aws-key             AS^IA{U16}
aws-token           IQo^Jb3JpZ2luX2VjE{B240}==
aws-token           FwoG^ZXIvYXdzE{B240}
aws-token           ABSK^QmVkcm9ja0FQSUtleS{B90}=
azure-secret        {L3}8^Q~{W34}
brevo-key           xkey^sib-{H64}-{L16}
buildkite-token     bk^ua_{l40}
cerebras-key        cs^k-{l48}
circleci-token      CCI^PAT_{L22}_{H40}
clojars-token       CLO^JARS_{l60}
cloudflare-key      v1^.0-{H24}-{H146}
contentful-token    CF^PAT-{W43}
cratesio-token      ci^o{L32}
databricks-token    da^pi{H32}
databricks-token    da^pi{H32}-2
digitalocean-token  do^p_v1_{H64}
discord-token       M^T{L22}.G{L5}.{W38}
dnsimple-token      dns^imple_a_{L32}
docker-token        dc^kr_pat_{W27}
doppler-token       d^p.pt.{L43}
dropbox-token       s^l.B{W138}
duffel-token        duf^fel_live_{W43}
dynatrace-token     dt^0c01.{U24}.{U64}
sandbox-key         e2^b_{H40}
easypost-key        EZ^AK{L54}
elevenlabs-key      s^k_{H48}
facebook-token      EA^A{L120}
figma-token         fi^gd_{W40}
firecrawl-key       f^c-{H32}
fireworks-key       f^w_{L24}
flutterwave-key     FLW^SECK-{H32}-X
flyio-token         fm^2_{B200}
frameio-token       fi^o-u-{W64}
github-token        gh^p_{L36}
github-token        gh^o_{L36}
github-token        gh^s_{L36}
github-token        gh^r_{L76}
github-token        git^hub_pat_{L22}_{L59}
gitlab-token        gl^pat-{W20}
gitlab-token        gl^pat-{W27}.01.{l9}
gitlab-token        gl^rt-{W20}
gitlab-token        GR^1348941{W20}
google-key          AI^za{W35}
google-key          ya^29.{W120}
google-key          GOC^SPX-{W28}
google-key          1/^/0{W60}
grafana-token       gl^sa_{L32}_{H8}
grafana-token       gl^c_{B100}=
groq-key            gs^k_{L52}
harness-token       pa^t.{W22}.{H24}.{L20}
heroku-key          HR^KU-{H8}-{H4}-{H4}-{H4}-{H12}
hubspot-token       pa^t-na1-{H8}-{H4}-{H4}-{H4}-{H12}
huggingface-token   h^f_{M34}
infracost-key       ic^o-{L32}
jina-key            ji^na_{H32}{L28}
jwt                 ey^JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.ey^J{W90}.{W43}
jwt                 ey^JhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.ey^J{W160}.{W342}
langsmith-key       ls^v2_pt_{H32}_{H10}
launchdarkly-key    sd^k-{H8}-{H4}-4{H3}-a{H3}-{H12}
linear-key          lin^_api_{L40}
llamacloud-key      ll^x-{L48}
mailchimp-key       {H32}^-us12
mailgun-key         ke^y-{H32}
mapbox-token        s^k.eyJ1{L60}.{W22}
memwiki-token       m^w_{W43}
neon-key            na^pi_{l60}
netlify-token       nf^p_{L36}
newrelic-key        NR^AK-{U27}
notion-token        nt^n_{L46}
notion-token        sec^ret_{L43}
npm-token           np^m_{L36}
nuget-key           oy^2{l43}
nvidia-key          nv^api-{W64}
onepassword-key     A^3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}
onepassword-token   ops^_eyJ{L200}
openai-key          s^k-proj-{W74}T3BlbkFJ{W74}
openai-key          s^k-{L20}T3BlbkFJ{L20}
openai-key          s^k-svcacct-{W120}
openai-key          s^k-or-v1-{H64}
openai-key          s^k-{H32}
openshift-token     sha^256~{W43}
perplexity-key      pp^lx-{L48}
pinecone-key        pc^sk_{L5}_{L62}
plaid-token         acc^ess-sandbox-{H8}-{H4}-{H4}-{H4}-{H12}
planetscale-token   psc^ale_tkn_{W43}
posthog-key         ph^x_{L43}
postman-key         PM^AK-{H24}-{H34}
prefect-key         pn^u_{L36}
pulumi-token        pu^l-{H40}
pypi-token          pyp^i-AgEIcHlwaS5vcmc{W140}
razorpay-key        rz^p_live_{L14}
readme-key          rd^me_{l70}
replicate-token     r^8_{L37}
resend-key          r^e_{L8}_{L24}
rubygems-key        rub^ygems_{H48}
runpod-key          rp^a_{X40}{l6}
scalingo-token      t^k-us-{W48}
sendgrid-key        S^G.{W22}.{W43}
sentry-token        snt^rys_{L80}
sentry-token        snt^ryu_{H64}
shippo-token        shi^ppo_live_{H40}
shopify-token       shp^at_{H32}
slack-token         xox^b-{D12}-{D13}-{L24}
slack-token         xox^p-{D12}-{D12}-{D13}-{H32}
slack-token         xap^p-1-A{U10}-{D13}-{H64}
sonar-token         sq^p_{H40}
sourcegraph-token   sg^p_{H16}_{H40}
square-token        sq^0atp-{W22}
square-token        EA^AA{W60}
stripe-key          s^k_live_{L24}
stripe-key          r^k_test_{L99}
stripe-key          wh^sec_{L32}
supabase-key        sb^p_{H40}
supabase-key        sb_sec^ret_{W31}
tailscale-key       tsk^ey-auth-{L17}-{L33}
tavily-key          tv^ly-{L32}
telegram-token      {D10}^:AA{W33}
tencent-key         AK^ID{L32}
terraform-token     {L14}.atl^asv1.{W67}
together-key        tg^p_v1_{W43}
twilio-key          S^K{H32}
twitter-token       {A}
typeform-token      tf^p_{W44}_{L14}
vault-token         hv^s.{L24}
vault-token         hv^b.{W138}
wakatime-key        wa^ka_{H8}-{H4}-4{H3}-a{H3}-{H12}
wallet-key          xp^rv9s21ZrQH143K{L98}
xai-key             xa^i-{L80}
"""


@dataclass(frozen=True, slots=True)
class Fake:
    """One made-up secret of a class."""

    kind: str
    secret: str


def make_text(alphabet: str, count: int, seed: str) -> str:
    """Make `count` characters of an alphabet, which always hold one of each kind that the alphabet has."""
    letters = _ALPHABETS[alphabet]
    for attempt in range(99):
        drawn = hashlib.shake_256(f"{alphabet}{seed}{attempt}".encode()).digest(count)
        text = "".join(letters[byte % len(letters)] for byte in drawn)
        if count < _MIXED_CHARS_MIN or (_is_mixed(text, letters) and text[0].isalnum() and text[-1].isalnum()):
            return text
    raise AssertionError("no attempt gave a text of every kind")


def fill_form(form: str, seed: str) -> str:
    """Make a secret of its form."""
    filled = form.replace("^", "").replace("{A}", "A" * 22 + "{L20}%3D{L60}")
    return _SLOT.sub(lambda slot: make_text(slot[1], int(slot[2]), f"{seed}/{slot.start()}"), filled)


def make_private_key(kind: str, lines: int = 12) -> str:
    """Make a block that looks like a private key; `kind` stands before the words, with a blank behind it."""
    dashes, name = "-" * 5, f"{kind}PRIVATE" + " KEY"
    body = "\n".join(make_text("B", 64, f"{kind}{line}") for line in range(lines))
    return f"{dashes}BEGIN {name}{dashes}\n{body}\n{make_text('B', 30, kind)}==\n{dashes}END {name}{dashes}"


def wrap_base64(text: str) -> str:
    """Write a text in base64."""
    return base64.b64encode(text.encode()).decode()


def _is_mixed(text: str, letters: str) -> bool:
    kinds = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
    return all(set(text) & set(kind) for kind in kinds if set(letters) & set(kind))


_MIXED_CHARS_MIN: Final = 8

VENDOR_KEYS: Final = tuple(
    Fake(kind, fill_form(form, f"{kind}{rank}"))
    for rank, (kind, form) in enumerate(line.split() for line in _VENDOR_FORMS.strip().splitlines())
)
