"""The hook client is one file that carries copies of our modules, and runs on old Pythons without any of them."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.bench import redaction_corpus
from app.capture import hook_parts
from app.domain import redact
from tests.hooks.conftest import SCRIPT
from tests.unit.domain import planted, test_redact, test_redact_lookalikes

# Reads texts, and redacts each as the client does, with the parts that stand in its file.
REDACT = """
import json, runpy, sys
client = runpy.run_path(sys.argv[1])
sys.meta_path.insert(0, client["PartFinder"])
from app.capture import client_entry
assert "-c" == sys.argv[0] and not hasattr(sys.modules["app"], "__file__")
cleaner = client_entry._Cleaner(10 ** 9)
print(json.dumps([cleaner.clean(text) for text in json.load(sys.stdin)]))
"""
# Whatever else is installed on this machine.
OTHERS = (Path.home() / ".pyenv" / "versions").glob("3.*/bin/python3")
PYTHONS = [sys.executable, *sorted(str(path) for path in OTHERS if path.parts[-3][:4] not in {"3.6.", "3.7."})]


def read_parts() -> dict[str, str]:
    """Read the texts of the parts out of the client's source, without running it."""
    [found] = [
        node.value
        for node in ast.parse(SCRIPT.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PARTS"
    ]
    parts = ast.literal_eval(found)
    assert isinstance(parts, dict)
    return parts


def test_the_copies_in_the_client_are_todays() -> None:
    source = SCRIPT.read_text(encoding="utf-8")

    assert source.count(hook_parts.BEGIN_MARK) == 1
    assert hook_parts.replace_parts(source) == source, "run: make hooks"


def test_client_and_server_redact_alike() -> None:
    word = test_redact.WORD
    texts = [carrier.format(key) for carrier in test_redact.CARRIERS.values() for _, key in planted.KEYS]
    texts += [form.format(word) for form in test_redact.NAMED.values()]
    texts += [text for text, _ in test_redact.PARTS.values()]
    texts += test_redact_lookalikes.STAYS.values()
    texts += [each.text for each in (*redaction_corpus.list_planted(), *redaction_corpus.list_lookalikes())]

    command = [sys.executable, "-I", "-S", "-c", REDACT, str(SCRIPT)]
    run = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, timeout=60, check=True)

    ours = [redact.redact_text(redact.strip_private(text)) for text in texts]
    assert [pair for pair in zip(json.loads(run.stdout), ours, strict=True) if pair[0] != pair[1]] == []


def test_the_client_and_its_parts_are_written_in_python_3_8() -> None:
    sources = [SCRIPT.read_text(encoding="utf-8"), *read_parts().values()]

    assert [ast.parse(source, feature_version=(3, 8)) for source in sources]


def test_parts_import_the_standard_library_and_each_other_alone() -> None:
    parts = read_parts()
    faults = []

    for name, source in parts.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                faults += [alias.name for alias in node.names if alias.name not in sys.stdlib_module_names]
            elif isinstance(node, ast.ImportFrom):
                modules = [f"{node.module}.{alias.name}" for alias in node.names]
                is_known = node.module in {*parts, *sys.stdlib_module_names, "collections.abc"}
                faults += [f"{name}: {module}" for module in modules if not is_known and module not in parts]

    assert faults == []


@pytest.mark.parametrize("python", PYTHONS)
def test_every_part_can_be_imported_on_any_python(python: str) -> None:
    names = [f"import {name}" for name in read_parts()]
    code = "import runpy, sys; sys.meta_path.insert(0, runpy.run_path(sys.argv[1])['PartFinder']); " + "; ".join(names)

    run = subprocess.run([python, "-I", "-S", "-c", code, str(SCRIPT)], capture_output=True, timeout=60, check=False)

    assert (run.returncode, run.stderr) == (0, b"")


def test_importing_the_client_does_nothing(tmp_path: Path) -> None:
    kinds = {type(node).__name__ for node in ast.parse(SCRIPT.read_text(encoding="utf-8")).body}

    assert kinds == {"Expr", "ImportFrom", "Import", "Assign", "FunctionDef", "ClassDef", "If"}
    assert list(tmp_path.iterdir()) == []
