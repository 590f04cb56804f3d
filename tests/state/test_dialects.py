"""Every table and statement of state can be spoken by the other database that state is meant for."""

from types import ModuleType

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from app.state import activity, audit, handoffs, jobs, observations, projects, sessions
from app.state.tables import SCHEMA

MODULES = (activity, audit, handoffs, jobs, observations, projects, sessions)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_statements_compile_for_postgresql(module: ModuleType) -> None:
    statements = [value for value in vars(module).values() if isinstance(value, sa.Executable)]

    compiled = [str(statement.compile(dialect=postgresql.dialect())) for statement in statements]

    assert compiled
    assert all(compiled)


def test_tables_compile_for_postgresql() -> None:
    dialect = postgresql.dialect()

    made = [str(CreateTable(table).compile(dialect=dialect)) for table in SCHEMA.sorted_tables]
    made += [str(CreateIndex(index).compile(dialect=dialect)) for t in SCHEMA.sorted_tables for index in t.indexes]

    assert not [text for text in made if "INTEGER" in text]
    assert len(made) > len(SCHEMA.tables)
