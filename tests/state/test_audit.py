"""The audit trail shows every change to its past."""

import pytest
import sqlalchemy as sa

from app.state import audit
from app.state.audit import AuditEntry
from app.state.engine import WriteConnection
from tests.state.builders import Store, at

ROWS = 5
COPY_OF_THE_LAST = (
    "INSERT INTO audit SELECT 6, at, actor, action, subject, detail, row_hash, row_hash, context "
    "FROM audit WHERE id = 5"
)


BY_ITSELF = '{"address":"this server"}'


def fill(conn: WriteConnection, rows: int = ROWS) -> None:
    for number in range(1, rows + 1):
        audit.insert_audit(conn, AuditEntry(at(number), "ann", "page.save", f"notes/{number}.md", "ü"))


def test_entries_come_back_newest_first_and_the_chain_holds(store: Store) -> None:
    store.write(fill)

    newest = store.read(lambda conn: audit.list_audit(conn, 2))

    assert newest[0] == AuditEntry(at(5), "ann", "page.save", "notes/5.md", "ü", BY_ITSELF, id=5)
    assert [entry.id for entry in newest] == [5, 4]
    assert store.read(audit.verify_audit).broken_at is None


def test_an_empty_trail_holds(store: Store) -> None:
    assert store.read(audit.verify_audit).broken_at is None


@pytest.mark.parametrize(
    ("tampering", "broken_id"),
    [
        ("UPDATE audit SET actor = 'bob' WHERE id = 3", 3),
        ("UPDATE audit SET action = 'x' WHERE id = 1", 1),
        ("UPDATE audit SET subject = 'x' WHERE id = 5", 5),
        ("UPDATE audit SET detail = '' WHERE id = 2", 2),
        ("UPDATE audit SET at = at + 1 WHERE id = 4", 4),
        ("UPDATE audit SET row_hash = 'x' WHERE id = 3", 3),
        ("UPDATE audit SET previous_hash = 'x' WHERE id = 3", 3),
        ("DELETE FROM audit WHERE id = 3", 4),
        ("DELETE FROM audit WHERE id = 1", 2),
        ("UPDATE audit SET id = 9 WHERE id = 5", 9),
        (COPY_OF_THE_LAST, 6),
    ],
)
def test_tampering_is_found_at_its_row(store: Store, tampering: str, broken_id: int) -> None:
    store.write(fill)
    store.write(lambda conn: conn.execute(sa.text(tampering)).rowcount)

    assert store.read(audit.verify_audit).broken_at == broken_id


def test_a_long_trail_is_walked_to_its_end(store: Store) -> None:
    store.write(lambda conn: fill(conn, 2500))
    store.write(lambda conn: conn.execute(sa.text("UPDATE audit SET actor = '' WHERE id = 2400")).rowcount)

    assert store.read(audit.verify_audit).broken_at == 2400
