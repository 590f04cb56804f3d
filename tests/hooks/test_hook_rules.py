"""The hook client redacts by the same rules and with the same code as the server."""

import ast
import json
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.capture import hook_rules
from app.domain import redact
from app.domain.redact_engine import Engine
from tests.hooks.conftest import SCRIPT
from tests.unit.domain import planted, test_redact, test_redact_lookalikes


@pytest.fixture(scope="module")
def engine(script: ModuleType) -> Engine:
    return script.Engine(*json.loads(script.RULES_JSON))


def test_the_block_in_the_client_is_todays() -> None:
    source = SCRIPT.read_text(encoding="utf-8")

    assert source.count(hook_rules.BEGIN_MARK) == 1
    assert hook_rules.replace_block(source) == source


def test_client_and_server_redact_alike(engine: Engine) -> None:
    word = test_redact.WORD
    texts = [carrier.format(key) for carrier in test_redact.CARRIERS.values() for _, key in planted.KEYS]
    texts += [form.format(word) for form in test_redact.NAMED.values()]
    texts += [text for text, _ in test_redact.PARTS.values()]
    texts += test_redact_lookalikes.STAYS.values()

    differing = [text for text in texts if engine.redact(text, engine.find_hinted) != redact.redact_text(text)]

    assert differing == []


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.one_of(st.sampled_from(test_redact_lookalikes.WORDS), st.text(max_size=6)), max_size=12).map("".join)
)
def test_client_and_server_redact_any_text_alike(engine: Engine, text: str) -> None:
    assert engine.redact(text, engine.find_hinted) == redact.redact_text(text)


def test_the_client_is_written_in_python_3_8() -> None:
    source = SCRIPT.read_text(encoding="utf-8")

    assert ast.parse(source, feature_version=(3, 8))


def test_importing_the_client_does_nothing(script: ModuleType) -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    kinds = {type(node).__name__ for node in tree.body}

    assert kinds == {"Expr", "ImportFrom", "Import", "Assign", "FunctionDef", "ClassDef", "If"}
    assert script.read_checkout is not None
