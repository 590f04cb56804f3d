"""Who is let in: by nothing on loopback, else by a token that is known, good, and its person's."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from app.access import accounts, issuing
from app.access.accounts import NewPerson
from app.access.issuing import Issued, NewToken
from app.domain.person import Principal, Right, Rights, Role
from tests.entrypoints import serving
from tests.entrypoints.serving import Server, find_bytes, wait_for

ROOT = Principal("local", Rights(is_admin=True))
ALL = frozenset(Right)


@dataclass
class Team:
    """A server with an administrator, ann, and a member, bob."""

    server: Server

    def issue(self, person: str = "bob", **fields: object) -> Issued:
        new = NewToken(**{"name": "laptop", "rights": ALL, **fields})  # type: ignore[arg-type]
        return issuing.issue_token(self.server.runtime.people, ROOT, person, new)

    def ask(self, secret: str, path: str = "/api/v1/projects") -> int:
        answer = self.server.client.get(path, headers={"authorization": f"Bearer {secret}"})
        return answer.status_code


@pytest.fixture
def team(server: Server) -> Iterator[Team]:
    accounts.add_person(server.runtime.people, ROOT, NewPerson("ann", Role.ADMIN, "correct horse"))
    accounts.add_person(server.runtime.people, ROOT, NewPerson("bob"))
    return Team(server)


@pytest.mark.parametrize("header", ["", "Bearer mw_stale", "Basic eDp5", "Bearer"])
def test_an_open_server_takes_no_notice_of_tokens(server: Server, header: str) -> None:
    answer = server.client.get("/api/v1/projects", headers={"authorization": header})

    assert answer.status_code == 200


def test_with_the_first_account_everybody_must_prove_who_they_are(team: Team) -> None:
    answer = team.server.client.get("/api/v1/projects")

    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="memwiki"')
    assert team.ask(team.issue().secret) == 200
    assert team.server.client.get("/healthz").status_code == 200


def test_the_first_account_must_be_an_administrators(server: Server) -> None:
    with pytest.raises(accounts.InvalidValue):
        accounts.add_person(server.runtime.people, ROOT, NewPerson("bob"))


def test_a_revoked_token_is_refused_at_once_and_says_so(team: Team) -> None:
    issued = team.issue()
    assert team.ask(issued.secret) == 200

    issuing.revoke_token(team.server.runtime.people, ROOT, issued.token.id)

    answer = team.server.client.get("/api/v1/projects", headers={"authorization": f"Bearer {issued.secret}"})
    assert answer.status_code == 401
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]
    assert "revoked" in answer.json()["detail"]


def test_a_rotated_token_is_good_until_the_overlap_ends(team: Team) -> None:
    people, old = team.server.runtime.people, team.issue()

    fresh = issuing.rotate_token(people, ROOT, old.token.id, overlap_hours=1)
    at_once = issuing.rotate_token(people, ROOT, fresh.token.id, overlap_hours=0)

    assert [team.ask(issued.secret) for issued in (old, fresh, at_once)] == [200, 401, 200]


def test_a_disabled_person_is_refused_with_every_token(team: Team) -> None:
    issued = team.issue()
    assert team.ask(issued.secret) == 200

    accounts.switch_person(team.server.runtime.people, ROOT, "bob", is_enabled=False)
    assert team.ask(issued.secret) == 401

    accounts.switch_person(team.server.runtime.people, ROOT, "bob", is_enabled=True)
    assert team.ask(issued.secret) == 200


@pytest.mark.parametrize("change", ["disable", "remove", "demote"])
def test_the_last_administrator_stays(team: Team, change: str) -> None:
    people = team.server.runtime.people
    changes = {
        "disable": lambda: accounts.switch_person(people, ROOT, "ann", is_enabled=False),
        "remove": lambda: accounts.remove_person(people, ROOT, "ann"),
        "demote": lambda: accounts.change_role(people, ROOT, "ann", Role.MEMBER),
    }

    with pytest.raises(accounts.LastAdministrator):
        changes[change]()

    accounts.change_role(people, ROOT, "bob", Role.ADMIN)
    changes[change]()
    assert team.server.runtime.gate.has_admin


def test_a_removed_persons_name_is_nobody_elses(team: Team) -> None:
    accounts.remove_person(team.server.runtime.people, ROOT, "bob")

    with pytest.raises(accounts.PersonExists):
        accounts.add_person(team.server.runtime.people, ROOT, NewPerson("BOB"))


def test_what_is_stored_is_neither_token_nor_password(team: Team) -> None:
    issued = team.issue()
    assert team.ask(issued.secret) == 200
    assert team.ask(issued.secret + "x") == 401

    assert issued.secret.startswith("mw_")
    assert find_bytes(team.server.folder, issued.secret) == []
    assert find_bytes(team.server.folder, "correct horse") == []
    assert (team.server.folder / "state" / "token.key").stat().st_mode & 0o077 == 0


def test_the_use_of_a_token_is_noted(team: Team) -> None:
    issued = team.issue()
    assert team.ask(issued.secret) == 200

    def is_noted() -> bool:
        token = team.server.runtime.engine.read(issuing.tokens.get_token, issued.token.id)
        return token.last_used_at is not None

    wait_for(is_noted, "the use of a token")


def test_the_secret_of_the_settings_stays_an_administrators(tmp_path: Path, template: Path) -> None:
    with serving.serve(tmp_path / "memwiki", template=template, access_token="mw_of-the-settings") as server:
        accounts.add_person(server.runtime.people, ROOT, NewPerson("ann", Role.ADMIN))

        assert server.get("/projects").status_code == 200


def test_a_token_ends_by_itself(team: Team) -> None:
    issued = team.issue(days=1)
    assert team.ask(issued.secret) == 200
    assert issued.token.expires_at == issued.token.created_at + timedelta(days=1)
