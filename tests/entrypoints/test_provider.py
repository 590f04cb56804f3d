"""Signing in by an identity provider, as a browser, a machine and a client do it; and whom that does not let in."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from app.access import accounts, sharing
from app.access.accounts import NewPerson
from app.domain import limits_people
from app.domain.person import Access, Role
from app.domain.scope import Scope
from app.state import projects, tokens
from tests import idp
from tests.entrypoints import rpc, serving
from tests.entrypoints.rights import ROOT
from tests.entrypoints.serving import Server, find_bytes
from tests.idp import IdentityProvider

HTML = {"accept": "text/html"}
ADDRESS = "http://127.0.0.1:7470"
BACK = "/sign-in/oidc/back"
NOW = 1_700_000_000


@pytest.fixture(scope="module")
def running_provider() -> Iterator[IdentityProvider]:
    with idp.serve() as running:
        yield running


@pytest.fixture(scope="module")
def running_server(
    tmp_path_factory: pytest.TempPathFactory, template: Path, running_provider: IdentityProvider
) -> Iterator[Server]:
    """A server whose people come from the provider: staff may come in, wheel administers, devs are a group here."""
    folder = tmp_path_factory.mktemp("provided") / "memwiki"
    with serving.serve(folder, template=template, **build_settings(running_provider)) as running:
        accounts.add_person(running.runtime.people, ROOT, NewPerson("root", Role.ADMIN, "correct horse battery"))
        yield running


@pytest.fixture
def provider(running_provider: IdentityProvider) -> IdentityProvider:
    """The provider, where somebody new signs in."""
    name = serving.new_name("p")
    running_provider.person = {
        "sub": f"sub-{name}",
        "preferred_username": name,
        "email": f"{name}@example.org",
        "email_verified": True,
        "groups": ["staff"],
    }
    running_provider.lies = {}
    running_provider.is_down, running_provider.tells_in_token = False, True
    return running_provider


@pytest.fixture
def served(running_server: Server, provider: IdentityProvider) -> Server:
    """The server, in a browser that was never there."""
    assert provider.issuer
    running_server.client.cookies.clear()
    return running_server


def build_settings(provider: IdentityProvider) -> dict[str, object]:
    return {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": idp.CLIENT_ID,
        "oidc_client_secret": idp.CLIENT_SECRET,
        "oidc_member_groups": ["staff"],
        "oidc_admin_groups": ["wheel"],
        "oidc_groups": {"devs": "builders"},
    }


def leave(server: Server, query: str = "") -> str:
    """Begin to sign in; gives where the browser is sent."""
    answer = server.client.get(f"/sign-in/oidc{query}", headers=HTML, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def visit(url: str) -> str:
    """Sign in at the provider; gives the path by which the browser comes back."""
    with httpx2.Client(trust_env=False) as browser:
        place = browser.get(url).headers["location"]
    assert place.startswith(f"{ADDRESS}{BACK}?")
    return place.removeprefix(ADDRESS)


def come_back(server: Server, path: str) -> httpx2.Response:
    return server.client.get(path, headers=HTML, follow_redirects=False)


def sign_in(server: Server, query: str = "") -> httpx2.Response:
    return come_back(server, visit(leave(server, query)))


def whoami(server: Server, token: str) -> httpx2.Response:
    return server.client.get("/api/v1/whoami", headers={"authorization": f"Bearer {token}"})


def people(server: Server) -> dict[str, str]:
    """Tell the accounts with their roles."""
    return {person.name: person.role.value for person in server.runtime.engine.read(accounts.list_people)}


def name_of(provider: IdentityProvider) -> str:
    return str(provider.person["preferred_username"])


def is_builder(server: Server, provider: IdentityProvider) -> bool:
    found = [group for group in server.runtime.engine.read(sharing.list_groups) if group.name == "builders"]
    return bool(found) and name_of(provider) in found[0].members


def test_a_person_of_the_provider_comes_in_and_has_an_account(served: Server, provider: IdentityProvider) -> None:
    assert served.client.get("/", headers=HTML, follow_redirects=False).headers["location"] == "/sign-in"
    assert "/sign-in/oidc" in served.client.get("/sign-in").text

    answer = sign_in(served, "?next=/sessions")

    assert answer.status_code == 200
    assert 'content="0;url=/sessions"' in answer.text
    cookies = answer.headers.get_list("set-cookie")
    assert any("samesite=strict" in cookie.lower() and "httponly" in cookie.lower() for cookie in cookies)
    assert name_of(provider) in served.client.get("/account", headers=HTML).text
    assert people(served)[name_of(provider)] == "member"


def test_the_way_there_holds_what_makes_it_safe(served: Server) -> None:
    query = parse_qs(urlsplit(leave(served)).query)

    assert query["code_challenge_method"] == ["S256"]
    assert query["redirect_uri"] == [f"{ADDRESS}{BACK}"]
    assert all(len(query[name][0]) >= 40 for name in ("state", "nonce", "code_challenge"))


def test_a_server_with_a_provider_is_open_to_nobody(served: Server) -> None:
    answer = served.client.get("/api/v1/projects")

    assert answer.status_code == 401
    assert (
        f'resource_metadata="{ADDRESS}/.well-known/oauth-protected-resource/mcp"' in answer.headers["www-authenticate"]
    )
    assert served.client.get("/api/v1/login").json() == {
        "open": False,
        "password": True,
        "provider": True,
        "setup": False,
    }


@pytest.mark.parametrize("place", ["", "/mcp"])
def test_clients_learn_who_gives_out_tokens(served: Server, provider: IdentityProvider, place: str) -> None:
    told = served.client.get(f"/.well-known/oauth-protected-resource{place}").json()

    assert told["resource"] == f"{ADDRESS}{place}"
    assert told["authorization_servers"] == [provider.issuer]
    assert served.client.get("/.well-known/oauth-protected-resource/elsewhere").status_code == 404


def test_without_a_provider_clients_are_told_of_none(shared: Server) -> None:
    for place in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
        assert shared.client.get(place).status_code == 404
    assert shared.client.get("/sign-in/oidc").status_code == 404
    assert shared.post("/login/device").status_code == 404
    assert "/sign-in/oidc" not in shared.client.get("/sign-in").text


LIES: dict[str, dict[str, Any]] = {
    "wrong issuer": {"iss": "https://elsewhere.example"},
    "wrong audience": {"aud": "another-client"},
    "two audiences": {"aud": [idp.CLIENT_ID, "another-client"]},
    "another client's": {"azp": "another-client"},
    "no audience": {"aud": None},
    "wrong nonce": {"nonce": "of-another-sign-in"},
    "no nonce": {"nonce": None},
    "expired": {"exp": NOW},
    "never ends": {"exp": None},
    "ends in words": {"exp": "never"},
    "not yet valid": {"nbf": NOW * 2},
    "made in the future": {"iat": NOW * 2},
    "made at no time": {"iat": None},
    "nobody": {"sub": None},
    "not a name": {"sub": 5},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_what_does_not_hold_lets_nobody_in(served: Server, provider: IdentityProvider, lie: dict[str, Any]) -> None:
    provider.lies = lie

    answer = sign_in(served)

    assert answer.status_code == 401
    assert "memwiki_session" not in served.client.cookies
    assert name_of(provider) not in people(served)


def test_a_sign_in_is_done_once(served: Server, provider: IdentityProvider) -> None:
    path = visit(leave(served))
    assert come_back(served, path).status_code == 200
    asked = provider.asked.count("/token")

    served.client.cookies.delete("memwiki_session")
    again = come_back(served, path)

    assert again.status_code == 401
    assert provider.asked.count("/token") == asked


def test_a_code_is_good_once_also_under_a_new_state(served: Server) -> None:
    path = visit(leave(served))
    come_back(served, path)
    used = parse_qs(urlsplit(path).query)["code"][0]
    state = parse_qs(urlsplit(leave(served)).query)["state"][0]

    assert come_back(served, f"{BACK}?code={used}&state={state}").status_code == 422


@pytest.mark.parametrize("change", ["no cookie", "another browser's cookie", "unknown state", "another provider", "no"])
def test_what_another_browser_began_is_not_finished(served: Server, provider: IdentityProvider, change: str) -> None:
    path = visit(leave(served))
    match change:
        case "no cookie":
            served.client.cookies.clear()
        case "another browser's cookie":
            served.client.cookies.clear()
            leave(served)
        case "unknown state":
            path = re.sub(r"state=[^&]+", "state=guessed", path)
        case "another provider":
            path = re.sub(r"iss=[^&]+", "iss=https%3A%2F%2Felsewhere.example", path)
        case _:
            path = re.sub(r"code=[^&]+", "error=access_denied", path)

    answer = come_back(served, path)

    assert answer.status_code in {401, 422}
    assert name_of(provider) not in people(served)


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/a\nb",
        "",
    ],
)
def test_nobody_is_sent_elsewhere(served: Server, wanted: str) -> None:
    answer = served.client.get("/sign-in/oidc", params={"next": wanted}, follow_redirects=False)

    shown = come_back(served, visit(answer.headers["location"]))

    assert shown.status_code == 200
    assert 'content="0;url=/"' in shown.text


def test_a_group_that_was_left_is_left_here_too(served: Server, provider: IdentityProvider) -> None:
    provider.person["groups"] = ["staff", "devs", "wheel"]
    sign_in(served)
    assert (people(served)[name_of(provider)], is_builder(served, provider)) == ("admin", True)

    provider.person["groups"] = ["staff"]
    sign_in(served)

    assert (people(served)[name_of(provider)], is_builder(served, provider)) == ("member", False)


def test_the_first_administrator_may_come_by_the_provider_and_stays_one(
    tmp_path: Path, template: Path, provider: IdentityProvider
) -> None:
    with serving.serve(tmp_path / "memwiki", template=template, **build_settings(provider)) as server:
        assert server.get("/projects").status_code == 401
        roles = []
        for group in ("wheel", "staff"):
            provider.person["groups"] = [group]
            assert sign_in(server).status_code == 200
            roles.append(people(server))

    assert roles == [{name_of(provider): "admin"}] * 2


def test_who_may_come_in_no_longer_has_nothing_left(served: Server, provider: IdentityProvider) -> None:
    token = log_in(served, provider)
    sign_in(served)
    assert served.client.get("/account", headers=HTML).status_code == 200

    provider.person["groups"] = []
    refused = sign_in(served)

    assert refused.status_code == 403
    assert whoami(served, token).status_code == 401
    assert served.client.get("/account", headers=HTML, follow_redirects=False).status_code == 303


def test_a_disabled_person_stays_out(served: Server, provider: IdentityProvider) -> None:
    sign_in(served)
    bearer = provider.make_access_token(f"{ADDRESS}/mcp")
    assert whoami(served, bearer).status_code == 200

    accounts.switch_person(served.runtime.people, ROOT, name_of(provider), is_enabled=False)

    assert sign_in(served).status_code == 401
    assert whoami(served, bearer).json()["code"] == "account_disabled"


def test_a_name_that_is_taken_is_another_persons(served: Server, provider: IdentityProvider) -> None:
    provider.person["preferred_username"] = "Root"

    sign_in(served)

    assert (people(served)["root"], people(served)["root-2"]) == ("admin", "member")
    assert served.client.get("/api/v1/people", headers=HTML).status_code == 401


@pytest.mark.parametrize(
    ("name", "expected"), [("local", "person"), ("Jane Doe!", "jane-doe"), ("../x", "x"), ("", "y")]
)
def test_names_are_made_fit(served: Server, provider: IdentityProvider, name: str, expected: str) -> None:
    provider.person |= {"preferred_username": name, "email": "y@example.org"}

    sign_in(served)

    assert expected in people(served)


def test_what_the_token_leaves_out_is_asked_for(served: Server, provider: IdentityProvider) -> None:
    provider.tells_in_token = False

    assert sign_in(served).status_code == 200
    assert "/userinfo" in provider.asked


def test_a_provider_that_is_away_is_said_so(served: Server, provider: IdentityProvider) -> None:
    path = visit(leave(served))
    provider.is_down = True

    answer = come_back(served, path)

    assert answer.status_code == 502
    assert "identity provider cannot be asked" in answer.text


def log_in(server: Server, provider: IdentityProvider) -> str:
    """Sign in from a machine without a browser; gives its access token."""
    begun = server.post("/login/device").json()
    provider.devices["device-1"] = True
    answer = server.post("/login/device/poll", {"handle": begun["handle"], "token_name": "laptop"})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["token"])


def test_a_machine_without_a_browser_gets_a_token_that_ends(served: Server, provider: IdentityProvider) -> None:
    begun = served.post("/login/device")
    assert begun.status_code == 201
    assert begun.json()["user_code"] == "ABCD-EFGH"
    assert "device-1" not in begun.text
    handle = {"handle": begun.json()["handle"]}

    assert served.post("/login/device/poll", handle).json() == {"waiting": True}
    # Asking more often than the provider wants does not reach it.
    asked = len(provider.asked)
    assert served.post("/login/device/poll", handle).json() == {"waiting": True}
    assert len(provider.asked) == asked

    token = log_in(served, provider)
    assert whoami(served, token).json()["person"] == name_of(provider)
    kept = served.runtime.engine.read(tokens.list_tokens, None, 10)[0]
    assert kept.expires_at is not None
    assert (kept.expires_at - kept.created_at).days == limits_people.LOGIN_TOKEN_DAYS


def test_a_handle_is_good_once_and_nobody_guesses_one(served: Server, provider: IdentityProvider) -> None:
    begun = served.post("/login/device").json()
    provider.devices["device-1"] = True

    answers = [served.post("/login/device/poll", {"handle": handle}) for handle in ("x", *[begun["handle"]] * 2)]

    assert [answer.status_code for answer in answers] == [401, 200, 401]


def test_a_client_with_a_token_of_the_provider_is_let_in(served: Server, provider: IdentityProvider) -> None:
    bearer = provider.make_access_token(f"{ADDRESS}/mcp")

    told = whoami(served, bearer).json()
    listed = rpc.send(served, "tools/list", authorization=f"Bearer {bearer}")

    assert (told["person"], told["rights"]) == (name_of(provider), ["capture", "read", "write"])
    assert listed.status_code == 200
    refused = served.client.get("/api/v1/people", headers={"authorization": f"Bearer {bearer}"})
    assert refused.status_code == 403


def test_a_bare_token_of_somebody_known_changes_nothing(served: Server, provider: IdentityProvider) -> None:
    provider.person["groups"] = ["staff", "devs"]
    sign_in(served)

    bearer = provider.make_access_token(f"{ADDRESS}/mcp", groups=None, email=None)

    assert whoami(served, bearer).status_code == 200
    assert is_builder(served, provider)


BEARERS: dict[str, dict[str, Any]] = {
    "for another server": {"aud": "https://elsewhere.example/mcp"},
    "of another provider": {"iss": "https://elsewhere.example"},
    "over": {"exp": NOW},
    "not yet good": {"nbf": NOW * 2},
    "one that tells who signed in": {"at_hash": "x"},
}


@pytest.mark.parametrize("lie", BEARERS.values(), ids=BEARERS)
def test_a_token_that_is_not_for_us_is_refused(served: Server, provider: IdentityProvider, lie: dict[str, Any]) -> None:
    answer = whoami(served, provider.make_access_token(f"{ADDRESS}/mcp", **lie))

    assert answer.status_code == 401
    assert answer.json()["code"] == "proof_rejected"
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_what_tells_who_signed_in_opens_nothing(served: Server, provider: IdentityProvider) -> None:
    assert whoami(served, provider.make_id_token("n")).status_code == 401


def test_no_secret_of_a_sign_in_is_kept(served: Server, provider: IdentityProvider) -> None:
    token = log_in(served, provider)
    sign_in(served)

    for secret in (token, served.client.cookies["memwiki_session"], idp.CLIENT_SECRET):
        assert find_bytes(served.folder, secret) == []


def test_what_a_group_was_granted_its_members_may_do(served: Server, provider: IdentityProvider) -> None:
    provider.person["groups"] = ["staff", "devs"]
    token = log_in(served, provider)
    header = {"authorization": f"Bearer {token}"}
    served.hook("UserPromptSubmit", serving.read_payload("claude-code", "UserPromptSubmit"), **header)
    shop = served.runtime.engine.read(projects.find_project, Scope("main", "shop"))
    assert shop is not None
    sharing.restrict_project(served.runtime.people, ROOT, shop, is_restricted=True)
    assert served.client.get("/api/v1/recent?project=shop", headers=header).status_code == 404

    sharing.add_grant(served.runtime.people, ROOT, shop, "@builders", Access.READ)

    assert served.client.get("/api/v1/recent?project=shop", headers=header).status_code == 200
