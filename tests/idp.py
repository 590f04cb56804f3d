"""An identity provider on loopback that keeps to OpenID Connect and signs with real keys, and may be told to lie."""

import hashlib
import json
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwk, jwt

CLIENT_ID = "memwiki-test"
CLIENT_SECRET = "the-clients-own-secret"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
ANN = {
    "sub": "u-1",
    "preferred_username": "ann",
    "email": "ann@example.org",
    "email_verified": True,
    "groups": ["staff"],
}


@dataclass
class Code:
    """A code that was given out, with what it was asked for with."""

    nonce: str
    challenge: str
    redirect_uri: str


@dataclass
class IdentityProvider:
    """The provider's state; `person` is who signs in next, `lies` replace claims of what is signed next."""

    issuer: str = ""
    person: dict[str, Any] = field(default_factory=lambda: dict(ANN))
    lies: dict[str, Any] = field(default_factory=dict)
    codes: dict[str, Code] = field(default_factory=dict)
    devices: dict[str, bool] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    keys: list[jwk.RSAKey | jwk.ECKey] = field(default_factory=list)
    is_down: bool = False
    tells_in_token: bool = True
    has_devices: bool = True
    approves_at_once: bool = False

    def __post_init__(self) -> None:
        self.rotate("k1")

    def rotate(self, key_id: str, *, kind: str = "RSA", keeps: bool = False) -> None:
        """Sign with a new key from now on."""
        made: jwk.RSAKey | jwk.ECKey = (
            jwk.RSAKey.generate_key(2048, {"kid": key_id, "use": "sig"})
            if kind == "RSA"
            else jwk.ECKey.generate_key("P-256", {"kid": key_id, "use": "sig"})
        )
        self.keys = [made, *(self.keys if keeps else [])]

    def sign(self, claims: dict[str, Any], **header: object) -> str:
        """Sign claims with the present key; those that are None are left out."""
        key = self.keys[0]
        said = {"alg": "RS256" if key.key_type == "RSA" else "ES256", "kid": key.kid, **header}
        return jwt.encode(
            {name: value for name, value in said.items() if value is not None},
            {name: value for name, value in (claims | self.lies).items() if value is not None},
            key,
        )

    def make_id_token(self, nonce: str = "") -> str:
        """Tell who signed in."""
        now = int(time.time())
        told = self.person if self.tells_in_token else {"sub": self.person["sub"]}
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300, **told}
        return self.sign(claims | ({"nonce": nonce} if nonce else {}))

    def make_access_token(self, audience: str, **changes: object) -> str:
        """Make a token that a client of the person brings."""
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": audience, "iat": now, "exp": now + 300, "client_id": "an-mcp-client"}
        return self.sign({**claims, **self.person, **changes}, typ="at+jwt")

    def answer(  # noqa: PLR0911 - one for each address
        self, method: str, target: str, form: dict[str, str], auth: str
    ) -> tuple[int, Any, str]:
        """Answer one request: status, document, and where to go."""
        path, query = urlsplit(target).path, dict(parse_qsl(urlsplit(target).query))
        self.asked.append(path)
        if self.is_down:
            return 503, {"error": "temporarily_unavailable"}, ""
        match method, path:
            case "GET", "/.well-known/openid-configuration":
                return 200, self._describe(), ""
            case "GET", "/keys":
                return 200, {"keys": [key.as_dict(private=False) for key in self.keys]}, ""
            case "GET", "/authorize":
                return self._authorize(query)
            case "GET", "/userinfo":
                return 200, self.person, ""
            case "POST", "/token":
                return self._give(form, auth)
            case "POST", "/device":
                self.devices["device-1"] = self.approves_at_once
                page = f"{self.issuer}/activate"
                return 200, {"device_code": "device-1", "user_code": "ABCD-EFGH", "verification_uri": page,
                             "verification_uri_complete": f"{page}?user_code=ABCD-EFGH", "expires_in": 300,
                             "interval": 1}, ""  # fmt: skip
            case _:
                return 404, {"error": "not_found"}, ""

    def _describe(self) -> dict[str, Any]:
        ends = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        ends |= {"device_authorization": "device"} if self.has_devices else {}
        return {
            "issuer": self.issuer,
            "jwks_uri": f"{self.issuer}/keys",
            **{f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in ends.items()},
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        }

    def _authorize(self, query: dict[str, str]) -> tuple[int, Any, str]:
        """Take the person for signed in, and send the browser back with a code."""
        wanted = {"response_type": "code", "client_id": CLIENT_ID, "code_challenge_method": "S256"}
        if any(query.get(name) != value for name, value in wanted.items()) or "openid" not in query["scope"].split():
            return 400, {"error": "invalid_request"}, ""
        code = f"code-{len(self.asked)}"
        self.codes[code] = Code(query["nonce"], query["code_challenge"], query["redirect_uri"])
        given = urlencode({"code": code, "state": query["state"], "iss": self.issuer})
        return 302, {}, f"{query['redirect_uri']}?{given}"

    def _give(self, form: dict[str, str], auth: str) -> tuple[int, Any, str]:
        expected = urlsafe_b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if auth != f"Basic {expected}":
            return 401, {"error": "invalid_client"}, ""
        if form.get("grant_type") == DEVICE_GRANT:
            if not self.devices.get(form["device_code"]):
                return 400, {"error": "authorization_pending"}, ""
            return 200, {"id_token": self.make_id_token(), "access_token": "opaque", "token_type": "Bearer"}, ""
        code = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = urlsafe_b64encode(digest).rstrip(b"=").decode()
        if code is None or code.challenge != challenge or code.redirect_uri != form.get("redirect_uri"):
            return 400, {"error": "invalid_grant"}, ""
        given = {"id_token": self.make_id_token(code.nonce), "access_token": "opaque", "token_type": "Bearer"}
        return 200, given, ""


@contextmanager
def serve() -> Iterator[IdentityProvider]:
    """Run a provider on a free port of loopback."""
    provider = IdentityProvider()

    class Requests(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            self._answer(dict(parse_qsl(self.rfile.read(length).decode())))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def _answer(self, form: dict[str, str]) -> None:
            auth = self.headers.get("authorization", "")
            status, document, place = provider.answer(self.command, self.path, form, auth)
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            if place:
                self.send_header("location", place)
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Requests) as server:
        provider.issuer = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join(10)
