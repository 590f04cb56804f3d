"""Texts that look as if they held a secret and hold none; redaction has to leave each as it is, byte for byte."""

import base64
from typing import Final

from app.bench.redaction_fakes import fill_form, make_text
from app.bench.redaction_prose import CODE, FILES, PROSE

_FORMS: Final[dict[str, str]] = {
    "hashes and ids": """
commit {H40}
{H7} fix: read the token from the environment
index {H7}..{H7} 100644
Merge: {H7} {H7}
tree {H40}\\nparent {H40}
sha256:{H64}
image: ghcr.io/a/b@sha256:{H64}
FROM python:3.11-slim@sha256:{H64} AS build
md5 {H32}  token_store.py
{H64}  secrets.tar.gz
{H128}  password-list.txt
ETag: "{H32}"
etag: W/"{H40}"
request_id={H8}-{H4}-4{H3}-a{H3}-{H12}
id: {H8}-{H4}-4{H3}-a{H3}-{H12}
"uuid": "{H8}-{H4}-4{H3}-a{H3}-{H12}",
session {H8}-{H4}-7{H3}-a{H3}-{H12} ended
{H8}-{H4}-4{H3}-a{H3}-{H12}.jsonl
/home/dev/.claude/projects/x/{H8}-{H4}-4{H3}-a{H3}-{H12}.jsonl
traceparent: 00-{H32}-{H16}-01
trace_id={H32} span_id={H16}
X-Request-Id: {H32}
x-amz-request-id: {U16}
X-Amz-Cf-Id: {W54}==
cf-ray: {H16}-FRA
toolu_01{L22}
"tool_use_id": "toolu_01{L22}"
msg_01{L22}
call_{L24}
chatcmpl-{L29}
"id": "resp_{H48}"
req_011C{L20}
run_{L24} thread_{L24}
"snowflake": 1187{D15}
tweet 1{D18} was deleted
<@{D18}> in <#{D19}>
order 4111-1{D4}-{D5}
01{U24}
ulid 01J{U23}
object_id: {H24}
ObjectId("{H24}")
nanoid: {W21}
build {D10}.{D4}
cluster-{l10}-{l5}
pod/web-{l9}-{l5} Running
container {H12} exited
network {H64} removed
vol-0{H17} i-0{H17} sg-0{H17}
arn:aws:iam::{D12}:role/deploy
ami-0{H17} subnet-0{H17}
projects/my-app-{D6}/locations/eu
{D12}.dkr.ecr.eu-west-1.amazonaws.com/web:{H40}
fingerprint SHA256:{B43}
SHA256:{B43} dev@host (ED25519)
MD5:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
Serial Number: {H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
mac 52:54:00:{H2}:{H2}:{H2}
inet6 fe80::{H4}:{H4}:{H4}:{H4}/64
0x{H40} sent 1 ETH
tx 0x{H64}
bc1q{l38}
ipfs://Qm{L44}
magnet:?xt=urn:btih:{H40}
Deduplicated: {H64} == {H64}
Q{L43}:{L10}
blake2b {H32} and xxh {H16}
cache key {H64} hit
cache-key: node-modules-{H64}
""",
    "lock files": """
"integrity": "sha512-{B86}=="
integrity sha512-{B86}==
integrity sha1-{B27}=
resolved "https://registry.yarnpkg.com/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz#{H40}"
"resolved": "https://registry.npmjs.org/js-tokens/-/js-tokens-4.0.0.tgz",
checksum = "{H64}"
    --hash=sha256:{H64} \\
secretstorage==3.3.3 --hash=sha256:{H64}
name = "password-hash"\\nversion = "0.5.0"\\nchecksum = "{H64}"
golang.org/x/crypto v0.31.0 h1:{B43}=
github.com/golang-jwt/jwt/v5 v5.2.1/go.mod h1:{B43}=
  resolution: {integrity: sha512-{B86}==}
keyring-25.0.1: {sha256: {H64}}
"content-hash": "{H32}"
specifier: ^4.0.0\\n        version: 4.0.0(@types/node@20.11.5)
"narHash": "sha256-{B43}="
sha256 = "{l52}";
gem "bcrypt-pbkdf", "1.1.1" sha256={H64}
"rev": "{H40}", "type": "github"
<script src="/a.js" integrity="sha384-{B64}" crossorigin></script>
{ "path": "token.js", "sha256": "{H64}" }
hash = "sha256-{B43}="
rust 1.83.0 ({H9} 2024-11-26)
""",
    "public keys and certificates": """
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{B43} dev@host
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{B300} dev@host
github.com ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAI{B100}=
-----BEGIN CERTIFICATE-----\\nMII{B61}\\n{B64}\\n{B30}==\\n-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----\\nMIIB{B60}\\n{B64}\\n-----END PUBLIC KEY-----
-----BEGIN PGP SIGNATURE-----\\n\\niQ{B62}\\n={B4}\\n-----END PGP SIGNATURE-----
-----BEGIN SSH SIGNATURE-----\\nU1NIU0lH{B56}\\n-----END SSH SIGNATURE-----
-----BEGIN CERTIFICATE REQUEST-----\\nMII{B61}\\n-----END CERTIFICATE REQUEST-----
age1{l58}
certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1J{B80}
PublicKey = {B43}=
"n": "{W86}", "e": "AQAB", "kty": "RSA", "kid": "{W27}"
"x": "{W43}", "y": "{W43}", "crv": "P-256"
minisign RW{B54}
subject key id: {X40}
pk_live_{L24} is the public key
pk_test_{L24}
phc_{L43} is public
-----BEGIN PGP PUBLIC KEY BLOCK-----\\n\\nmQ{B62}\\n=abcd\\n-----END PGP PUBLIC KEY BLOCK-----
""",
    "encoded": """
data:image/png;base64,iVBORw0KGgoAAAANSUhEUg{B200}==
<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
url(data:font/woff2;base64,d09GMgABAAAAA{B160})
data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxIj48L3N2Zz4=
{B76}\\n{B76}\\n{B40}==
begin 644 a.bin\\nM{X60}
"mappings": "AAAA,SAASA,EAAIC,GACX,OAAOA,EAAI,CACb,CAEA,SAASC,{L60}"
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEuanMiXX0=
aGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0IG9mIGJhc2U2NA==
echo VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZw== | base64 -d
%E5%AF%86%E7%A0%81%E9%94%99%E8%AF%AF
\\u5bc6\\u7801\\u9519\\u8bef
Content-Transfer-Encoding: base64\\n\\n{B76}\\n{B20}
\\x7fELF\\x02\\x01\\x01\\x00 {H64}
0000010 {H4} {H4} {H4} {H4} {H4} {H4} {H4} {H4}
{H8}: {H4} {H4} {H4} {H4}  ..password..
!function(e,t){"use strict";var n=e.token,r=t[n]||{};return r.key=function(o){return o.k}}(this,{});
var a=b?c:d,e=f.g(h,i[j]),k=l&&m||n;o.p=q.r.s,t.u(v.w),x(y=>z.key)
.sk-cube-grid{width:40px}.sk-fading-circle .sk-circle{left:0}
a{color:#{H6}}b{background:#{H6}{H2}}
QmFzaWMgYmFzZTY0IHdpdGhvdXQgYW55IHNlY3JldA==
""",
}


def _fill(group: str, line: str, rank: int) -> str:
    return fill_form(line, f"{group}{rank}").replace("\\n", "\n")


def _list_filled() -> dict[str, tuple[str, ...]]:
    return {
        group: tuple(_fill(group, line, rank) for rank, line in enumerate(forms.strip("\n").splitlines()))
        for group, forms in _FORMS.items()
    }


# What a picture and a packed file look like when a tool prints them in base64.
_BLOBS: Final = tuple(
    base64.b64encode(bytes.fromhex(make_text("H", size, f"blob{size}"))).decode() for size in (64, 400, 3000)
)

LOOKALIKES: Final[dict[str, tuple[str, ...]]] = {
    **_list_filled(),
    "blobs": _BLOBS,
    "prose": tuple(PROSE.strip("\n").splitlines()),
    "code": tuple(line.replace("\\n", "\n") for line in CODE.strip("\n").splitlines()),
    "files and logs": tuple(line.replace("\\n", "\n") for line in FILES.strip("\n").splitlines()),
}
