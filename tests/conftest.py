"""Options of the whole test suite."""

import signal

import pytest
from hypothesis import settings

from app.domain.event import AgentName

# How long an example takes says how busy the machine is.
settings.register_profile("untimed", deadline=None)


def pytest_configure() -> None:
    """Time no example, and have programs take an interrupt, also where a shell has put the suite in the background."""
    settings.load_profile("untimed")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files anew instead of comparing with them"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name an agent in a test's id by its name: its facts in full are long and differ from one process to the next."""
    del config, argname
    name = getattr(val, "name", None)
    return str(name.value) if isinstance(name, AgentName) else None
