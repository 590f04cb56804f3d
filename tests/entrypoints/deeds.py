"""What changes something, by route, tool and form: how each is brought to do so, and what its rows must say."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from app.access import accounts, issuing, linking, sharing, signing_in
from app.access.accounts import NewPerson
from app.access.issuing import NewToken
from app.domain.person import Access, Principal, Right, Rights, Role
from app.domain.proposal import Proposal, ProposalKind, ProposalState
from app.domain.scope import Project, Scope
from app.state import projects, proposals
from tests.entrypoints import rights, serving
from tests.entrypoints.rights import ROOT, VAULT, World

HOLD: Final = "main/hold"
SHOP: Final = "main/shop"
PASSWORD: Final = "long enough it is"
WORDS: Final = "yes please take that rule"
Names = dict[str, str]


@dataclass
class Maker:
    """Makes what a deed needs, as the writer of the restricted project; each thing is a new one."""

    world: World

    def send(self, method: str, path: str, body: object = None, **query: str) -> dict[str, Any]:
        """Ask the API for something that must come about."""
        header = self.world.header("writer")
        place = f"{serving.API}{path}"
        answer = self.world.server.client.request(method, place, params=query, json=body, headers=header)
        assert answer.status_code < 300, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def page(self) -> Names:
        path = f"notes/{serving.new_name('page')}.md"
        made = self.send("PUT", f"/pages/{path}", {"body": "# Made\n\nAll of it."}, project="hold")
        return {"path:path": path, "content_hash": made["content_hash"]}

    def revision(self) -> Names:
        made = self.page()
        assert self.world.server.runtime.committer.flush(serving.WAIT_SECONDS)
        path = made["path:path"]
        body = {"body": "# Changed", "expected_hash": made["content_hash"]}
        self.send("PUT", f"/pages/{path}", body, project="hold")
        first = self.send("GET", f"/history/{path}", project="hold")["revisions"][-1]
        return {**made, "revision": first["id"]}

    def session(self) -> Names:
        name = serving.new_name("deed")
        payload = {"session_id": name, "hook_event_name": "UserPromptSubmit", "cwd": VAULT["cwd"], "prompt": WORDS}
        header = self.world.header("writer")
        assert self.world.server.hook("UserPromptSubmit", payload, checkout=VAULT, **header).status_code == 202
        return {"session_id": self.send("GET", f"/sessions/{name}")["id"], "agent_session_id": name}

    def ended_session(self) -> Names:
        made = self.session()
        self.send("POST", f"/sessions/{made['session_id']}/end")
        return made

    def handoff(self) -> Names:
        made = self.send("POST", "/handoffs", {"summary": serving.new_name("Half")}, project="hold")
        return {"handoff_id": made["id"]}

    def claimed(self) -> Names:
        made = self.handoff()
        claimed = self.send("POST", f"/handoffs/{made['handoff_id']}/claim", {})
        return {**made, "claim_token": claimed["claim_token"]}

    def message(self) -> Names:
        while held := self.send("POST", "/messages/pop", {}, project="hold")["message"]:
            self.send("POST", f"/messages/{held['id']}/acknowledge", {"token": held["token"]})
        made = self.send("POST", "/messages", {"to_project": "hold", "body": "Hello."}, project="hold")
        return {"message_id": made["id"]}

    def popped(self) -> Names:
        made = self.message()
        return {**made, "token": self.send("POST", "/messages/pop", {}, project="hold")["message"]["token"]}

    def opinion(self) -> Names:
        made = self.page()
        said = {"path": made["path:path"], "verdict": "helpful"}
        self.send("POST", "/feedback", said, project="hold")
        return made

    def proposal(self) -> Names:
        runtime, name = self.world.server.runtime, serving.new_name("p")
        vault = runtime.engine.read(projects.find_project, Scope("main", "hold"))
        assert vault is not None
        text = f"Feed {name} at noon."
        proposal = Proposal(
            name, vault.id, ProposalKind.RULE, name, text, text, "", ProposalState.WAITING, runtime.clock.now()
        )
        runtime.writer.submit(lambda conn: proposals.insert_proposal(conn, proposal)).result(20)
        return {"proposal_id": name, **self.session()}

    def rehearsal(self) -> Names:
        name = serving.new_name("rehearsed")
        rights.rehearse(self.world.server, name)
        return {"name": name}

    def person(self) -> Names:
        name = serving.new_name("person")
        accounts.add_person(self.world.server.runtime.people, ROOT, NewPerson(name, Role.MEMBER, PASSWORD))
        return {"name": name, "person": name}

    def projects(self) -> Names:
        """Make two projects that nobody else needs."""
        runtime, names = self.world.server.runtime, [serving.new_name("made"), serving.new_name("made")]
        made = [Project(name, Scope("main", name), runtime.clock.now()) for name in names]
        for project in made:
            insert = partial(projects.insert_project, project=project)
            runtime.writer.submit(insert).result(20)
        return {"made": names[0], "other": names[1]}

    def linked(self) -> Names:
        made, people = self.person(), self.world.server.runtime.people
        issuer = "https://idp.example.org"
        linking.link(people, ROOT, made["name"], issuer=issuer, subject=f"sub-{made['name']}")
        return made

    def group(self) -> Names:
        name = serving.new_name("group")
        sharing.add_group(self.world.server.runtime.people, ROOT, name)
        return {"name": name, "person": "bob"}

    def member(self) -> Names:
        made = self.group()
        sharing.change_member(self.world.server.runtime.people, ROOT, made["name"], "bob", is_member=True)
        return made

    def grant(self) -> Names:
        made, runtime = self.person(), self.world.server.runtime
        vault = runtime.engine.read(projects.find_project, Scope("main", "hold"))
        assert vault is not None
        sharing.add_grant(runtime.people, ROOT, vault, made["person"], Access.READ)
        return made

    def token(self) -> Names:
        people = self.world.server.runtime.people
        issued = issuing.issue_token(people, ROOT, "wri", NewToken("deed", frozenset(Right)))
        return {"token_id": issued.token.id, "own_token": issued.secret}

    def sign_in(self) -> Names:
        people = self.world.server.runtime.people
        bob = people.engine.read(accounts.list_people)[1]
        who = Principal(bob.name, Rights(), account_id=bob.id, address="192.0.2.7")
        signing_in.begin_session(people, who)
        found = people.engine.read(signing_in.list_sign_ins, people.clock.now())
        return {"sign_in_id": found[0].id}


Make = Callable[[Maker], Names]


@dataclass(frozen=True)
class Doing:
    """One deed: what is made before, what is sent, and what the rows must say of it.

    `is_moving` says that something was one way before and is another way after.
    """

    make: Make = lambda _: {}
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    scope: str = ""
    is_moving: bool = True
    role: str = "writer"


_IN: Final = {"project": "hold"}
_AT: Final = {"project": "shop"}
_BUNDLE: Final = {"notes/bundled.md": base64.b64encode(b"---\ntype: note\n---\n# Bundled\n").decode()}
_README: Final = {"documents": [{"path": "README.md", "kind": "readme", "text": "# Hold\n\nIt holds what is kept.\n"}]}
_NEW_PAGE: Final = {"body": "# New\n\nText."}


def _page(**more: object) -> Doing:
    return Doing(Maker.page, scope=HOLD, **more)


def _session(make: Make = Maker.session, **more: object) -> Doing:
    return Doing(make, scope=HOLD, **more)


def _admin(make: Make = lambda _: {}, **more: object) -> Doing:
    return Doing(make, role="admin", **more)


ROUTES: Final[dict[str, Doing]] = {
    "PUT /api/v1/pages/{path:path}": Doing(lambda _: {"path:path": "notes/d.md"}, _IN, _NEW_PAGE, HOLD),
    "DELETE /api/v1/pages/{path:path}": _page(query={**_IN, "expected_hash": "{content_hash}"}),
    "POST /api/v1/sessions/{session_id}/end": _session(),
    "POST /api/v1/sessions/{session_id}/compile": _session(is_moving=False),
    "POST /api/v1/sessions/{session_id}/finalize": _session(is_moving=False),
    "POST /api/v1/sessions/{session_id}/reopen": _session(Maker.ended_session),
    "POST /api/v1/sessions/{session_id}/forget": _session(body={"apply": True}, is_moving=False),
    "POST /api/v1/sessions/{session_id}/capture": _session(body={"enabled": False}),
    "POST /api/v1/handoffs": Doing(query=_IN, body={"summary": "All is to be done."}, scope=HOLD),
    "POST /api/v1/handoffs/{handoff_id}/claim": Doing(Maker.handoff, scope=HOLD),
    "POST /api/v1/handoffs/{handoff_id}/release": Doing(Maker.claimed, body={"token": "{claim_token}"}, scope=HOLD),
    "POST /api/v1/handoffs/{handoff_id}/done": Doing(Maker.claimed, body={"token": "{claim_token}"}, scope=HOLD),
    "POST /api/v1/handoffs/{handoff_id}/cancel": Doing(Maker.handoff, scope=HOLD),
    "POST /api/v1/messages": Doing(query=_IN, body={"to_project": "hold", "body": "Hello."}, scope=HOLD),
    "POST /api/v1/messages/pop": Doing(Maker.message, _IN, scope=HOLD),
    "POST /api/v1/messages/{message_id}/acknowledge": Doing(Maker.popped, body={"token": "{token}"}, scope=HOLD),
    "POST /api/v1/messages/{message_id}/reply": Doing(Maker.message, body={"body": "Yes."}, scope=HOLD),
    "POST /api/v1/messages/{message_id}/cancel": Doing(Maker.message, scope=HOLD),
    "POST /api/v1/feedback": _page(query=_IN, body={"path": "{path:path}", "verdict": "helpful"}),
    "DELETE /api/v1/feedback/{path:path}": Doing(Maker.opinion, _IN, scope=HOLD),
    "POST /api/v1/proposals/{proposal_id}/approve": Doing(Maker.proposal, scope=HOLD),
    "POST /api/v1/proposals/{proposal_id}/reject": Doing(Maker.proposal, scope=HOLD),
    "POST /api/v1/confirm": _page(query=_IN, body={"path": "{path:path}"}),
    "POST /api/v1/curate": Doing(query=_IN, scope=HOLD, is_moving=False),
    "POST /api/v1/okf": Doing(query=_IN, body={"files": _BUNDLE}, scope=HOLD),
    "POST /api/v1/bootstrap": Doing(query=_IN, body={"facts": _README, "apply": True}, scope=HOLD),
    "POST /api/v1/purge": _admin(
        Maker.page, body={"kind": "page", "name": "main/hold:{path:path}", "apply": True}, scope=HOLD
    ),
    "POST /api/v1/restore": Doing(Maker.revision, _IN, {"path": "{path:path}", "revision": "{revision}"}, scope=HOLD),
    "POST /api/v1/reindex": _admin(is_moving=False),
    "POST /api/v1/maintenance": _admin(is_moving=False),
    "DELETE /api/v1/rehearsals/{name}": Doing(Maker.rehearsal, scope="memwiki-rehearsal/{name}", is_moving=False),
    "POST /api/v1/people": _admin(body={"name": "newcomer"}),
    "POST /api/v1/people/{name}/disable": _admin(Maker.person),
    "POST /api/v1/people/{name}/enable": _admin(Maker.person),
    "POST /api/v1/people/{name}/role": _admin(Maker.person, body={"role": "admin"}),
    "POST /api/v1/people/{name}/password": _admin(Maker.person, body={"password": PASSWORD}, is_moving=False),
    "DELETE /api/v1/people/{name}": _admin(Maker.person),
    "POST /api/v1/people/{name}/link": _admin(
        Maker.person, body={"subject": "s-{name}", "issuer": "https://idp.example.org"}
    ),
    "POST /api/v1/people/{name}/unlink": _admin(Maker.linked),
    "POST /api/v1/groups": _admin(body={"name": "newgroup"}, is_moving=False),
    "DELETE /api/v1/groups/{name}": _admin(Maker.group, is_moving=False),
    "POST /api/v1/groups/{name}/members/{person}": _admin(Maker.group, is_moving=False),
    "DELETE /api/v1/groups/{name}/members/{person}": _admin(Maker.member, is_moving=False),
    "POST /api/v1/grants": Doing(Maker.person, _IN, {"holder": "{person}", "access": "read"}, HOLD, role="manager"),
    "POST /api/v1/grants/remove": Doing(Maker.grant, _IN, {"holder": "{person}"}, HOLD, role="manager"),
    "POST /api/v1/projects/restrict": _admin(query=_AT, scope=SHOP),
    "POST /api/v1/projects/open": _admin(query=_AT, scope=SHOP),
    "POST /api/v1/projects/archive": _admin(query=_AT, scope=SHOP),
    "POST /api/v1/projects/unarchive": _admin(query=_AT, scope=SHOP),
    "POST /api/v1/projects/rename": _admin(
        Maker.projects, body={"project": "{made}", "name": "{made}-new", "apply": True}, scope="main/{made}-new"
    ),
    "POST /api/v1/projects/move": _admin(
        Maker.projects, body={"project": "{made}", "workspace": "elsewhere", "apply": True}, scope="elsewhere/{made}"
    ),
    "POST /api/v1/projects/merge": _admin(
        Maker.projects, body={"project": "{made}", "into": "{other}", "apply": True}, scope="main/{other}"
    ),
    "POST /api/v1/sign-ins/{sign_in_id}/end": _admin(Maker.sign_in, is_moving=False),
    "POST /api/v1/tokens": Doing(body={"name": "t"}),
    "POST /api/v1/tokens/{token_id}/rotate": Doing(Maker.token),
    "POST /api/v1/tokens/{token_id}/revoke": Doing(Maker.token),
}
# What changes nothing, or nothing here: their reasons.
OTHERS: Final = {
    "POST /api/v1/capture/check": "only tells what would become of an event",
    "POST /api/v1/login/password": "by nobody who is known yet; below",
    "POST /api/v1/login/first": "there is an administrator already",
    "POST /api/v1/login/device": "there is no identity provider",
    "POST /api/v1/login/device/poll": "there is no identity provider",
    "POST /api/v1/logout": "ends the very token that asks; below",
}

TOOLS: Final[dict[str, Doing]] = {
    "memory_write": Doing(body={"path": "notes/tooled.md", "body": "# Tool", **_IN}, scope=HOLD),
    "memory_feedback": _page(body={"path": "{path:path}", "verdict": "stale", **_IN}),
    "memory_review": Doing(
        Maker.proposal,
        body={
            "proposal_id": "{proposal_id}", "answer": "approve", "words": WORDS, "session_id": "{agent_session_id}",
        },
        scope=HOLD,
    ),
    "memory_handoff_offer": Doing(body={"summary": "By a tool.", **_IN}, scope=HOLD),
    "memory_handoff_claim": Doing(Maker.handoff, body={"handoff_id": "{handoff_id}"}, scope=HOLD),
    "memory_handoff_done": Doing(
        Maker.claimed, body={"handoff_id": "{handoff_id}", "token": "{claim_token}"}, scope=HOLD
    ),
    "memory_handoff_release": Doing(
        Maker.claimed, body={"handoff_id": "{handoff_id}", "token": "{claim_token}"}, scope=HOLD
    ),
    "memory_handoff_cancel": Doing(Maker.handoff, body={"handoff_id": "{handoff_id}"}, scope=HOLD),
    "memory_message_send": Doing(body={"to_project": "hold", "body": "x", **_IN}, scope=HOLD),
    "memory_message_pop": Doing(Maker.message, body=_IN, scope=HOLD),
    "memory_message_acknowledge": Doing(
        Maker.popped, body={"message_id": "{message_id}", "token": "{token}"}, scope=HOLD
    ),
    "memory_message_reply": Doing(Maker.message, body={"message_id": "{message_id}", "body": "x"}, scope=HOLD),
    "memory_message_cancel": Doing(Maker.message, body={"message_id": "{message_id}"}, scope=HOLD),
}  # fmt: skip


def _form(action: str, make: Make = lambda _: {}, **more: object) -> Doing:
    return _admin(make, query={"action": action}, **more)


# By each form and, where it does several things, what it does.
FORMS: Final[dict[tuple[str, str], Doing]] = {
    ("/handoffs/{handoff_id}/{action}", "release"): Doing(Maker.claimed, {"action": "release"}, scope=HOLD),
    ("/handoffs/{handoff_id}/{action}", "cancel"): Doing(Maker.handoff, {"action": "cancel"}, scope=HOLD),
    ("/review/{proposal_id}/{action}", "approve"): Doing(Maker.proposal, {"action": "approve"}, scope=HOLD),
    ("/review/{proposal_id}/{action}", "reject"): Doing(Maker.proposal, {"action": "reject"}, scope=HOLD),
    ("/admin/people", ""): _admin(body={"name": "formed", "password": PASSWORD}),
    ("/admin/people/{name}/{action}", "disable"): _form("disable", Maker.person),
    ("/admin/people/{name}/{action}", "enable"): _form("enable", Maker.person),
    ("/admin/people/{name}/{action}", "role"): _form("role", Maker.person, body={"role": "admin"}),
    ("/admin/people/{name}/{action}", "password"): _form(
        "password", Maker.person, body={"password": PASSWORD}, is_moving=False
    ),
    ("/admin/people/{name}/{action}", "remove"): _form("remove", Maker.person),
    ("/admin/groups", ""): _admin(body={"name": "formedgroup"}, is_moving=False),
    ("/admin/groups/{name}/{action}", "join"): _form("join", Maker.group, body={"person": "bob"}, is_moving=False),
    ("/admin/groups/{name}/{action}", "leave"): _form("leave", Maker.member, body={"person": "bob"}, is_moving=False),
    ("/admin/groups/{name}/{action}", "remove"): _form("remove", Maker.group, is_moving=False),
    ("/admin/tokens/{token_id}/revoke", ""): _admin(Maker.token),
    ("/admin/projects/{workspace}/{project}/{action}", "grant"): _form(
        "grant", Maker.person, body={"holder": "{person}", "access": "read"}, scope=HOLD
    ),
    ("/admin/projects/{workspace}/{project}/{action}", "take"): _form(
        "take", Maker.grant, body={"holder": "{person}"}, scope=HOLD
    ),
    ("/admin/projects/{workspace}/{project}/{action}", "open"): _form("open", scope=HOLD),
    ("/admin/projects/{workspace}/{project}/{action}", "restrict"): _form("restrict", scope=HOLD),
    ("/admin/projects/{workspace}/{project}/{action}", "archive"): _form("archive", scope=HOLD),
    ("/admin/projects/{workspace}/{project}/{action}", "unarchive"): _form("unarchive", scope=HOLD),
    ("/admin/sign-ins/{sign_in_id}/end", ""): _admin(Maker.sign_in, is_moving=False),
}
OTHER_FORMS: Final = {
    "/sign-in": "by nobody who is known yet; below",
    "/sign-in/first": "there is an administrator already",
    "/sign-out": "by a browser",
    "/account/link": "there is no identity provider",
    "/account/unlink": "by a browser",
}
