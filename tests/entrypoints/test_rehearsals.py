"""A rehearsal goes the whole way of a session, and once it is removed every store is what it was before."""

import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

from app.agents import registry
from app.agents.agent import Agent, BriefPoint
from app.domain import rehearsal
from app.state.engine import ReadConnection
from app.state.tables import SCHEMA, raw_segments
from tests.entrypoints.serving import Server, new_name, wait_for
from tests.server import run_git

# The chain of the audit is never shortened.
KEPT_TABLES = {"audit"}


def rehearse(server: Server, agent: Agent, name: str) -> str:
    """Tell a rehearsal of one agent, and the start of a second session; gives that one's brief."""
    folder = f"/tmp/{name}"
    checkout = {"cwd": folder, "marker_workspace": rehearsal.WORKSPACE, "marker_project": name, "machine": "desk"}

    def tell(session: str, event: str, payload: dict[str, object]) -> str:
        answer = server.hook(event, payload, agent=agent.name.value, checkout=checkout, key=new_name(session))
        assert answer.status_code == 202, answer.text
        return answer.text

    for event, payload in agent.sample_events(f"{name}a", folder, f"Is {name}a recorded?"):
        tell(f"{name}a", event, payload)
    server.settle()
    event, payload = agent.sample_events(f"{name}b", folder, "")[0]
    return tell(f"{name}b", event, payload)


def read_stores(server: Server) -> dict[str, object]:
    server.settle()

    def read_tables(conn: ReadConnection) -> dict[str, object]:
        return {
            name: sorted(map(str, conn.execute(sa.select(table))))
            for name, table in SCHEMA.tables.items()
            if name not in KEPT_TABLES
        }

    stores = server.runtime.engine.read(read_tables)
    wiki = server.folder / "wiki"
    stores["files"] = sorted(str(path) for path in wiki.rglob("*") if ".git" not in path.parts)
    stores["raw"] = sorted(str(path) for path in (server.folder / "raw").rglob("*.zst"))
    stores["git"] = run_git(wiki, "log", "--all", "--format=%H %s"), run_git(wiki, "status", "--porcelain")
    index = next((server.folder / "index").glob("index-v*.db"))
    with closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True)) as connection:
        query = "SELECT workspace, project, path FROM scopes LEFT JOIN pages ON scope_id = scopes.id"
        stores["index"] = sorted(map(str, connection.execute(query)))
        for table in ("page_bodies", "page_terms", "links", "name_terms"):
            stores[f"index {table}"] = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    return stores


# Those that begin with a brief and say when they end; of the others the doctor's own tests tell.
WHOLE = [
    agent
    for agent in registry.AGENTS
    if agent.traits.has_session_end and agent.traits.brief.point is BriefPoint.SESSION_START
]


@pytest.mark.parametrize("agent", WHOLE, ids=lambda agent: agent.name.value)
def test_a_rehearsal_leaves_no_trace(server: Server, agent: Agent) -> None:
    session = new_name()
    server.ask(session, "Something real.")
    server.end(session)
    before = read_stores(server)
    name = new_name("rehearsal").replace("-", "")

    brief = rehearse(server, agent, name)
    found = server.read("/search", q=f"{name}a", project=f"{rehearsal.WORKSPACE}/{name}")["hits"]
    page = server.session(f"{name}a")["page_path"]
    during = read_stores(server)
    removed = server.client.delete(f"/api/v1/rehearsals/{name}")

    assert page in {hit["path"] for hit in found}
    assert f"{name}a" in brief
    assert during["git"] == (before["git"][0], f"?? {rehearsal.WORKSPACE}/\n")  # type: ignore[index]
    assert during["observations"] != before["observations"]
    assert removed.json() == {"removed": name}
    assert read_stores(server) == before
    wait_for(lambda: server.client.get("/readyz").json()["git"]["pending"] == 0, "nothing waits for git")


def test_only_a_rehearsal_can_be_removed(server: Server) -> None:
    server.ask(new_name(), "Something real.")

    answers = [server.client.delete(f"/api/v1/rehearsals/{name}") for name in ("shop", "nothing", "..%2Fshop", "..")]

    assert [answer.status_code for answer in answers] == [404, 404, 404, 404]
    assert server.read("/projects")["projects"][0]["name"] == "main/shop"


def test_a_rehearsal_is_no_sign_of_life_of_its_agent(server: Server) -> None:
    rehearse(server, registry.AGENTS[0], "rehearsalx")

    assert server.read("/capture/health")["agents"] == []


def test_what_was_sealed_of_a_rehearsal_goes_too(server: Server) -> None:
    rehearse(server, registry.AGENTS[0], "rehearsaly")
    session = server.session("rehearsalya")["id"]
    path, now = "2026-11/made-up.jsonl.zst", server.runtime.clock.now()
    row = (session, 1, path, 1, 1, 1, 1, "", "", now, now, None)
    server.runtime.writer.submit(lambda conn: conn.execute(sa.insert(raw_segments).values(row))).result(10)
    (server.folder / "raw" / "2026-11").mkdir(parents=True)
    (server.folder / "raw" / path).write_bytes(b"")

    assert server.client.delete("/api/v1/rehearsals/rehearsaly").status_code == 200

    assert not (server.folder / "raw" / path).exists()
