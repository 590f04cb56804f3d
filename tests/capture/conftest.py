"""The database of state, as tests of state have it."""

from tests.state.conftest import empty_store, migrated_file, state_file

__all__ = ["empty_store", "migrated_file", "state_file"]
