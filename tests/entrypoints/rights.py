"""A server with a team and a restricted project full of canaries, and the table of who may do what there."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final

import httpx2

from app.access import accounts, issuing, sharing
from app.access.accounts import NewPerson
from app.access.issuing import NewToken
from app.domain import rehearsal
from app.domain.person import Access, Principal, Right, Rights, Role
from app.domain.proposal import Proposal, ProposalKind, ProposalState
from app.domain.scope import Project, Scope
from app.state import projects, proposals, tokens
from tests.entrypoints.serving import Server

CANARY: Final = "zanzibarquokka"
VAULT: Final = {"cwd": "/home/dev/hold", "root": "/home/dev/hold", "remote": "https://github.com/example/hold.git"}
ROOT: Final = Principal("local", Rights(is_admin=True))
SIGNED_OUT: Final = frozenset({"anonymous", "expired", "revoked"})
# Whose account a role's token is; the others have tokens of the writer's that can do less.
PEOPLE: Final = {"admin": "ann", "member": "bob", "reader": "rea", "manager": "man"} | dict.fromkeys(
    ("writer", "wrong-project", "capture-only", "read-only"), "wri"
)
ROLES: Final = (
    "anonymous",
    "expired",
    "revoked",
    "member",
    "reader",
    "writer",
    "manager",
    "admin",
    "wrong-project",
    "capture-only",
    "read-only",
)
# Who may do what with the restricted project: by each kind of row, those that are let through.
_READERS: Final = frozenset({"reader", "writer", "manager", "admin", "read-only"})
_WRITERS: Final = frozenset({"writer", "manager", "admin"})
_MANAGERS: Final = frozenset({"manager", "admin"})
_ALL_IN: Final = frozenset(ROLES) - SIGNED_OUT
ALLOWED: Final = {
    "public": frozenset(ROLES),
    "anybody": _ALL_IN,
    "look": _ALL_IN - {"capture-only"},
    "review": _ALL_IN - {"capture-only", "read-only"},
    "self": _ALL_IN - {"capture-only", "read-only", "wrong-project"},
    "capture": _ALL_IN - {"read-only"},
    "read": _READERS,
    "write": _WRITERS,
    "manage": _MANAGERS,
    "admin": frozenset({"admin"}),
    # A message is its sender's alone to withdraw; the first administrator has sent what was sent before.
    "sender": frozenset({"admin"}),
    # Pages of an identity provider, where there is none.
    "nobody": frozenset(),
    # Whoever may write to open projects: what a rehearsal is.
    "common": _ALL_IN - {"capture-only", "read-only", "wrong-project"},
}
# One of them is enough where what is asked for can be had only once.
ONCE: Final = "writer"
# What a refused request is answered with; anything else was let through.
HIDING: Final = frozenset(
    {
        "project_not_found",
        "session_not_found",
        "handoff_not_found",
        "message_not_found",
        "proposal_not_found",
    }
)
REFUSING: Final = frozenset({"token_rejected", "act_denied"})


@dataclass(frozen=True)
class Row:
    """One thing to ask for: who may, and what is sent."""

    kind: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    is_once: bool = False


_OF_VAULT: Final = {"project": "hold"}
_PAGE: Final = {"body": "New text.", "expected_hash": "0" * 64}
_WORDS: Final = {"summary": "Half is done.", "body": "Hello.", "to_project": "hold"}

ROUTES: Final[dict[str, Row]] = {
    "GET /healthz": Row("public"),
    "GET /readyz": Row("anybody"),
    "GET /metrics": Row("admin"),
    "GET /api/openapi.json": Row("anybody"),
    "GET /api/v1/search": Row("read", {**_OF_VAULT, "q": CANARY}),
    "GET /api/v1/recent": Row("read", _OF_VAULT),
    "GET /api/v1/backlinks/{path:path}": Row("read", _OF_VAULT),
    "GET /api/v1/history/{path:path}": Row("read", _OF_VAULT),
    "GET /api/v1/pages/{path:path}": Row("read", _OF_VAULT),
    "PUT /api/v1/pages/{path:path}": Row("write", _OF_VAULT, _PAGE),
    "DELETE /api/v1/pages/{path:path}": Row("write", {**_OF_VAULT, "expected_hash": "0" * 64}),
    "GET /api/v1/where": Row("read", _OF_VAULT),
    "POST /api/v1/capture/check": Row("capture", {"agent": "claude-code", "event": "Stop"}, {"session_id": "x"}),
    "GET /api/v1/projects": Row("look"),
    "GET /api/v1/sessions": Row("read", _OF_VAULT),
    "GET /api/v1/sessions/{session_id}": Row("read"),
    "POST /api/v1/sessions/{session_id}/end": Row("write"),
    "POST /api/v1/sessions/{session_id}/compile": Row("write"),
    "POST /api/v1/sessions/{session_id}/finalize": Row("write"),
    "POST /api/v1/sessions/{session_id}/reopen": Row("write"),
    "POST /api/v1/sessions/{session_id}/forget": Row("manage", body={"apply": False}),
    "POST /api/v1/sessions/{session_id}/capture": Row("manage", body={"enabled": True}),
    "GET /api/v1/handoffs": Row("read", _OF_VAULT),
    "POST /api/v1/handoffs": Row("write", _OF_VAULT, {"summary": "Half is done."}),
    "GET /api/v1/handoffs/{handoff_id}": Row("read"),
    "POST /api/v1/handoffs/{handoff_id}/claim": Row("write", body={}),
    "POST /api/v1/handoffs/{handoff_id}/release": Row("write", body={"session_id": "s", "token": "t"}),
    "POST /api/v1/handoffs/{handoff_id}/done": Row("write", body={"session_id": "s", "token": "t"}),
    "POST /api/v1/handoffs/{handoff_id}/cancel": Row("write", body={}),
    "GET /api/v1/brief": Row("read", _OF_VAULT),
    "POST /api/v1/messages": Row("write", _OF_VAULT, {"body": "Hello.", "to_project": "hold"}),
    "GET /api/v1/messages": Row("read", _OF_VAULT),
    "POST /api/v1/messages/pop": Row("write", _OF_VAULT, {}),
    "GET /api/v1/messages/{message_id}/thread": Row("read"),
    "POST /api/v1/messages/{message_id}/acknowledge": Row("write", body={"token": "t"}),
    "POST /api/v1/messages/{message_id}/reply": Row("write", body={"body": "Yes."}),
    "POST /api/v1/messages/{message_id}/cancel": Row("sender", body={}),
    "GET /api/v1/status": Row("look"),
    "GET /api/v1/capture/health": Row("look"),
    "GET /api/v1/related/{path:path}": Row("read", _OF_VAULT),
    "GET /api/v1/timeline": Row("read", {**_OF_VAULT, "subject": CANARY}),
    "GET /api/v1/feedback": Row("read", _OF_VAULT),
    "POST /api/v1/feedback": Row("write", _OF_VAULT, {"path": "notes/secret.md", "verdict": "helpful"}),
    "DELETE /api/v1/feedback/{path:path}": Row("write", _OF_VAULT),
    "GET /api/v1/proposals": Row("read", _OF_VAULT),
    "GET /api/v1/proposals/{proposal_id}": Row("read"),
    "POST /api/v1/proposals/{proposal_id}/approve": Row("write"),
    "POST /api/v1/proposals/{proposal_id}/reject": Row("write"),
    "POST /api/v1/confirm": Row("write", _OF_VAULT, {"path": "notes/secret.md"}),
    "POST /api/v1/curate": Row("write", _OF_VAULT),
    "GET /api/v1/lint": Row("read", _OF_VAULT),
    "GET /api/v1/okf": Row("read", _OF_VAULT),
    "POST /api/v1/okf": Row("write", _OF_VAULT, {"files": {}}),
    "POST /api/v1/bootstrap": Row("write", _OF_VAULT, {"facts": {}}),
    "POST /api/v1/purge": Row("admin", body={"kind": "project", "name": "hold"}),
    "POST /api/v1/restore": Row("write", _OF_VAULT, {"path": "notes/secret.md", "revision": "0" * 40}),
    "POST /api/v1/maintenance": Row("admin"),
    "POST /api/v1/reindex": Row("admin"),
    "DELETE /api/v1/rehearsals/{name}": Row("common", is_once=True),
    "GET /api/v1/login": Row("public"),
    "POST /api/v1/login/password": Row("public", body={"name": "nobody", "password": "wrong"}),
    "POST /api/v1/login/first": Row("public", body={"name": "nobody", "secret": "wrong"}),
    "POST /api/v1/login/device": Row("public", body={}),
    "POST /api/v1/login/device/poll": Row("public", body={"handle": "unknown"}),
    "GET /.well-known/oauth-protected-resource": Row("public"),
    "GET /.well-known/oauth-protected-resource/{resource:path}": Row("public"),
    "GET /api/v1/whoami": Row("look"),
    "GET /api/v1/people": Row("admin"),
    "POST /api/v1/people": Row("admin", body={"name": "ann"}),
    "POST /api/v1/people/{name}/disable": Row("admin"),
    "POST /api/v1/people/{name}/enable": Row("admin"),
    "POST /api/v1/people/{name}/role": Row("admin", body={"role": "member"}),
    "POST /api/v1/people/{name}/password": Row("admin", body={"password": "long enough it is"}),
    "DELETE /api/v1/people/{name}": Row("admin"),
    "POST /api/v1/people/{name}/link": Row("admin", body={"subject": "s-1"}),
    "POST /api/v1/people/{name}/unlink": Row("admin"),
    "GET /api/v1/people/{name}/export": Row("admin"),
    "GET /api/v1/groups": Row("admin"),
    "POST /api/v1/groups": Row("admin", body={"name": "devs"}),
    "DELETE /api/v1/groups/{name}": Row("admin"),
    "POST /api/v1/groups/{name}/members/{person}": Row("admin"),
    "DELETE /api/v1/groups/{name}/members/{person}": Row("admin"),
    "GET /api/v1/grants": Row("manage", _OF_VAULT),
    "POST /api/v1/grants": Row("manage", _OF_VAULT, {"holder": "nobody", "access": "read"}),
    "POST /api/v1/grants/remove": Row("manage", _OF_VAULT, {"holder": "nobody"}),
    "POST /api/v1/projects/restrict": Row("manage", _OF_VAULT),
    "POST /api/v1/projects/open": Row("manage", {**_OF_VAULT, "dry_run": "true"}),
    "POST /api/v1/projects/archive": Row("manage", {**_OF_VAULT, "dry_run": "true"}),
    "POST /api/v1/projects/unarchive": Row("manage", _OF_VAULT),
    "POST /api/v1/projects/rename": Row("admin", {"dry_run": "true"}, {"project": "hold", "name": "keep"}),
    "POST /api/v1/projects/move": Row("admin", {"dry_run": "true"}, {"project": "hold", "workspace": "far"}),
    "POST /api/v1/projects/merge": Row("admin", {"dry_run": "true"}, {"project": "hold", "into": "shop"}),
    "GET /api/v1/sign-ins": Row("admin"),
    "POST /api/v1/sign-ins/{sign_in_id}/end": Row("admin"),
    "GET /api/v1/audit": Row("admin"),
    "GET /api/v1/audit/verify": Row("admin"),
    "GET /api/v1/audit/export": Row("admin"),
    # Refused for its query, since whoever gets through is signed out.
    "POST /api/v1/logout": Row("anybody", {"nothing": "1"}, {}),
    "GET /api/v1/tokens": Row("self"),
    "POST /api/v1/tokens": Row("admin", body={"name": "t", "person": "nobody"}),
    "POST /api/v1/tokens/{token_id}/rotate": Row("self", body={}),
    "POST /api/v1/tokens/{token_id}/revoke": Row("self"),
}

TOOLS: Final[dict[str, Row]] = {
    "memory_search": Row("read", body={"query": CANARY, "project": "hold"}),
    "memory_read": Row("read", body={"path": "notes/secret.md", "project": "hold"}),
    "memory_related": Row("read", body={"path": "notes/secret.md", "project": "hold"}),
    "memory_feedback": Row("write", body={"path": "notes/secret.md", "verdict": "helpful", "project": "hold"}),
    "memory_recent": Row("read", body={"project": "hold"}),
    "memory_session": Row("read", body={"session": "{session_id}"}),
    "memory_write": Row("write", body={"path": "notes/secret.md", "body": "x", "project": "hold"}),
    "memory_status": Row("look", body={}),
    "memory_setup": Row("look", body={}),
    "memory_review": Row("review", body={}),
    "memory_handoff_offer": Row("write", body={"summary": "Half.", "project": "hold"}),
    "memory_handoff_list": Row("read", body={"project": "hold"}),
    "memory_handoff_claim": Row("write", body={"handoff_id": "{handoff_id}"}),
    "memory_handoff_done": Row("write", body={"handoff_id": "{handoff_id}", "token": "t"}),
    "memory_handoff_release": Row("write", body={"handoff_id": "{handoff_id}", "token": "t"}),
    "memory_handoff_cancel": Row("write", body={"handoff_id": "{handoff_id}"}),
    "memory_message_send": Row("write", body={"to_project": "hold", "body": "x", "project": "hold"}),
    "memory_message_list": Row("read", body={"project": "hold"}),
    "memory_message_pop": Row("write", body={"project": "hold"}),
    "memory_message_acknowledge": Row("write", body={"message_id": "{message_id}", "token": "t"}),
    "memory_message_reply": Row("write", body={"message_id": "{message_id}", "body": "x"}),
    "memory_message_cancel": Row("sender", body={"message_id": "{message_id}"}),
}

PAGES: Final[dict[str, Row]] = {
    "/": Row("look"),
    "/search": Row("look", {"q": CANARY}),
    "/sessions": Row("look"),
    "/sessions/{session_id}": Row("read"),
    "/handoffs": Row("look"),
    "/handoffs/{handoff_id}": Row("read"),
    "/status": Row("look"),
    "/sign-in": Row("public"),
    "/sign-in/oidc": Row("nobody"),
    "/sign-in/oidc/back": Row("nobody"),
    "/account": Row("look"),
    "/review": Row("look"),
    "/p/{workspace}/{project}/": Row("read"),
    "/p/{workspace}/{project}/pages": Row("read"),
    "/p/{workspace}/{project}/timeline": Row("read"),
    "/p/{workspace}/{project}/graph": Row("read"),
    "/p/{workspace}/{project}/lint": Row("read"),
    "/p/{workspace}/{project}/page/{path:path}": Row("read"),
    "/p/{workspace}/{project}/raw/{path:path}": Row("read"),
    "/p/{workspace}/{project}/history/{path:path}": Row("read"),
    "/p/{workspace}/{project}/diff/{path:path}": Row("read"),
    "/p/{workspace}/{project}/blame/{path:path}": Row("read"),
    "/admin/people": Row("admin"),
    "/admin/groups": Row("admin"),
    "/admin/tokens": Row("admin"),
    "/admin/projects": Row("admin"),
    "/admin/sign-ins": Row("admin"),
    "/admin/audit": Row("admin"),
}

# What forms send, each with the token of our own pages; nothing here leaves a change behind but the last decision.
FORMS: Final[dict[str, Row]] = {
    "/sign-in": Row("public", body={"name": "nobody", "password": "wrong"}),
    "/sign-in/first": Row("public", body={"name": "nobody", "secret": "wrong", "password": "wrong"}),
    "/sign-out": Row("anybody"),
    # For browsers alone, which no token is.
    "/account/link": Row("nobody"),
    "/account/unlink": Row("nobody"),
    "/handoffs/{handoff_id}/{action}": Row("write", {"action": "release"}),
    "/review/{proposal_id}/{action}": Row("write", {"action": "approve"}),
    "/admin/people": Row("admin", body={"name": "not a name"}),
    "/admin/people/{name}/{action}": Row("admin", {"action": "disable"}),
    "/admin/groups": Row("admin", body={"name": "not a name"}),
    "/admin/groups/{name}/{action}": Row("admin", {"action": "remove"}),
    "/admin/tokens/{token_id}/revoke": Row("admin"),
    "/admin/projects/{workspace}/{project}/{action}": Row("admin", {"action": "unarchive"}),
    "/admin/sign-ins/{sign_in_id}/end": Row("admin"),
}


@dataclass
class World:
    """The server, each role's token, and what stands for the parts of an address in braces."""

    server: Server
    secrets: dict[str, str]
    names: dict[str, str]

    def header(self, role: str) -> dict[str, str]:
        """Say who one is."""
        return {"authorization": f"Bearer {self.secrets[role]}"} if role in self.secrets else {}

    def fill(self, template: str) -> str:
        """Put names into the parts of an address in braces."""
        for name, value in self.names.items():
            template = template.replace(f"{{{name}}}", value)
        return template

    def ask(self, key: str, row: Row, role: str, **changes: str) -> httpx2.Response:
        """Ask for a row as somebody."""
        method, _, path = key.partition(" ")
        body = None if method == "GET" else dict(row.body or {})
        query = {**row.query, **changes}
        header = self.header(role)
        if method == "DELETE":
            return self.server.client.request(method, self.fill(path), params=query, headers=header)
        return self.server.client.request(method, self.fill(path), params=query, json=body, headers=header)

    def submit(self, place: str, row: Row, role: str) -> httpx2.Response:
        """Send a form of ours as somebody, with the token that our page would have had for this person."""
        whose = f"{PEOPLE.get(role, '')}\n"
        token = hmac.new(self.server.runtime.form_key, whose.encode(), hashlib.sha256).hexdigest()
        sent = {"form_token": token, **(row.body or {})}
        for name, value in row.query.items():
            place = place.replace(f"{{{name}}}", value)
        return self.server.client.post(self.fill(place), data=sent, headers=self.header(role), follow_redirects=False)


def build_world(server: Server) -> World:
    """Fill a server while it is open, then let the team in and restrict the project."""
    names = _plant(server)
    people, runtime = server.runtime.people, server.runtime
    accounts.add_person(people, ROOT, NewPerson("ann", Role.ADMIN))
    vault = runtime.engine.read(projects.find_project, Scope("main", "hold"))
    shop = runtime.engine.read(projects.find_project, Scope("main", "shop"))
    assert vault is not None
    assert shop is not None
    sharing.restrict_project(people, ROOT, vault, is_restricted=True)
    names["proposal_id"] = _propose(server, vault.id)
    rehearse(server, names["name"])
    for name, access in (("bob", None), ("rea", Access.READ), ("wri", Access.WRITE), ("man", Access.MANAGE)):
        accounts.add_person(people, ROOT, NewPerson(name))
        if access:
            sharing.add_grant(people, ROOT, vault, name, access)
    everything = NewToken("test", frozenset(Right))
    of_role = {"admin": "ann", "member": "bob", "reader": "rea", "writer": "wri", "manager": "man"}
    issued = {role: issuing.issue_token(people, ROOT, name, everything) for role, name in of_role.items()}
    others = {
        "expired": everything,
        "revoked": everything,
        "wrong-project": replace(everything, project_ids=frozenset({shop.id})),
        "capture-only": replace(everything, rights=[Right.CAPTURE]),
        "read-only": replace(everything, rights=[Right.READ]),
    }
    issued |= {role: issuing.issue_token(people, ROOT, "wri", new) for role, new in others.items()}
    issuing.revoke_token(people, ROOT, issued["revoked"].token.id)
    over = replace(issued["expired"].token, expires_at=runtime.clock.now() - timedelta(hours=1))
    runtime.writer.submit(lambda conn: tokens.update_token(conn, over)).result(20)
    return World(server, {role: made.secret for role, made in issued.items()}, names)


def _propose(server: Server, project_id: str) -> str:
    """Put a proposal into the restricted project."""
    proposal = Proposal(
        "p-1", project_id, ProposalKind.RULE, "key", f"Feed {CANARY}", f"Always feed the {CANARY}.",
        "", ProposalState.WAITING, server.runtime.clock.now(),
    )  # fmt: skip
    server.runtime.writer.submit(lambda conn: proposals.insert_proposal(conn, proposal)).result(20)
    return proposal.id


def rehearse(server: Server, name: str) -> None:
    """Leave a rehearsal as `memwiki doctor` does before it removes it."""
    project = Project(f"id-of-{name}", rehearsal.build_scope(name), server.runtime.clock.now())
    server.runtime.writer.submit(lambda conn: projects.insert_project(conn, project)).result(20)


def _plant(server: Server) -> dict[str, str]:
    """Put canaries into every kind of thing that a project can hold."""
    server.ask("open-session", "Look around.")
    for event in ("SessionStart.startup", "UserPromptSubmit"):
        text = {"prompt": f"Find {CANARY} please."} if event == "UserPromptSubmit" else {}
        payload = {
            "session_id": "vault-session",
            "hook_event_name": event.partition(".")[0],
            "cwd": VAULT["cwd"],
            **text,
        }
        answer = server.hook(event.partition(".")[0], payload, checkout=VAULT)
        assert answer.status_code == 202, answer.text
    page = {"body": f"# {CANARY} page\n\nThe {CANARY} is here."}
    assert server.put("notes/secret.md", page, project="hold").status_code == 200
    linking = {"body": "# Open page\n\nSee [[main/hold:notes/secret.md]]."}
    assert server.put("notes/open.md", linking, project="shop").status_code == 200
    offered = server.post("/handoffs", {"summary": f"The {CANARY} is half done.", "to_user": "*"}, project="hold")
    message = {"to_project": "hold", "body": f"Feed the {CANARY}.", "subject": CANARY}
    sent = server.post("/messages", message, project="hold")
    session = server.session("vault-session")
    return {
        "session_id": session["id"],
        "handoff_id": offered.json()["id"],
        "message_id": sent.json()["id"],
        "path:path": "notes/secret.md",
        "workspace": "main",
        "project": "hold",
        "name": "nobody",
        "person": "nobody",
        "token_id": "nothing",
        "sign_in_id": "nothing",
        "proposal_id": "",
    }
