"""The house rules that a machine can check: ceilings, names, the imports of hooks, the root, what files speak of."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "app").rglob("*.py"))
SCRIPTS = [*sorted((ROOT / "hooks").rglob("*.py")), *sorted((ROOT / "docker").rglob("*.py"))]
LINES_MAX = 400
FUNCTION_LINES_MAX = 60
PARAMETERS_MAX = 5
BANNED_WORDS = {
    "utils",
    "helpers",
    "common",
    "misc",
    "base",
    "manager",
    "handler",
    "service",
    "processor",
    "data",
    "info",
}
BANNED_PREFIXES = ("process_", "handle_", "do_")
# Names that a library or the operating system gives.
ALLOWED_NAMES = {
    "data_dir",
    "user_data_dir",
    "user_data_path",
    "common_dir",
    "_common_dir",
    "process_bind_param",
    "process_result_value",
}
ROOT_ENTRIES = {
    "pyproject.toml",
    "app",
    "migrations",
    "hooks",
    "docker",
    "docs",
    "tests",
    "Dockerfile",
    "compose.yaml",
    "README.md",
    "LICENSE",
    "Makefile",
    "requirements.lock",
}


def list_functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def count_body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def list_tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: the tracked files cannot be listed")
    return listed.stdout.splitlines()


@pytest.mark.parametrize("path", [*MODULES, *SCRIPTS], ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_under_their_ceilings(path: Path) -> None:
    faults = []

    # What the hook client carries are copies of modules that are looked at where they are written.
    written = re.sub(r"(?s)# BEGIN GENERATED.*# END GENERATED\n", "", path.read_text(encoding="utf-8"))
    if len(written.splitlines()) > LINES_MAX:
        faults.append(f"{path.name} is longer than {LINES_MAX} lines")
    for function in list_functions(path):
        lines = count_body_lines(function)
        parameters = function.args.posonlyargs + function.args.args
        named = [argument for argument in parameters if argument.arg not in {"self", "cls"}]
        if lines > FUNCTION_LINES_MAX:
            faults.append(f"{function.name} has {lines} lines")
        if len(named) > PARAMETERS_MAX:
            faults.append(f"{function.name} takes {len(named)} positional parameters")

    assert faults == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_use_no_word_that_says_nothing(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {path.stem}

    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)

    words = {name: re.findall(r"[A-Z]?[a-z0-9]+", name) for name in names - ALLOWED_NAMES}
    bad = [name for name, parts in words.items() if BANNED_WORDS & {part.lower() for part in parts}]
    bad += [name for name in words if name.lstrip("_").startswith(BANNED_PREFIXES)]
    assert bad == []


def test_every_package_file_is_empty() -> None:
    full = [str(path.relative_to(ROOT)) for path in MODULES if path.name == "__init__.py" and path.stat().st_size]

    assert full == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_hooks_and_container_scripts_import_the_standard_library_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = set()

    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])

    # The hook client carries the modules of ours that it speaks of.
    is_carrying = "# BEGIN GENERATED" in path.read_text(encoding="utf-8")
    assert imported - set(sys.stdlib_module_names) - ({"app"} if is_carrying else set()) == set()


def test_only_the_redactor_makes_redacted_text() -> None:
    makers = {"Redacted", "RedactedEvent"}
    found = []

    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
            name = (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) if is_call else ""
            if name in makers and path.name != "redact.py":
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")

    assert found == []


def test_only_state_and_the_wiki_read_text_back_without_redacting_it() -> None:
    allowed = {"state", "wiki"}
    found = []

    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        folder = path.relative_to(ROOT / "app").parts[0]
        if re.search(r"\brestore_(text|event)\(", text) and folder not in allowed and path.name != "redact.py":
            found.append(str(path.relative_to(ROOT)))

    assert found == []


def test_every_module_is_used() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in MODULES if path.name != "__init__.py"}
    unused = []

    for path, source in sources.items():
        folder, name = re.escape(".".join(path.relative_to(ROOT).parent.parts)), path.stem
        pattern = re.compile(
            rf"from {folder} import [^\n(]*\b{name}\b|from {folder} import \([^)]*\b{name}\b"
            rf"|from {folder}\.{name} import|import {folder}\.{name}\b|\"{folder}\.{name}"
        )
        # Most texts do not name it at all, which is told much faster.
        is_used = any(other != path and name in text and pattern.search(text) for other, text in sources.items())
        is_entry = 'if __name__ == "__main__":' in source
        if not is_entry and not is_used:
            unused.append(str(path.relative_to(ROOT)))

    assert unused == []


def test_the_root_holds_only_what_belongs_there() -> None:
    entries = {path.partition("/")[0] for path in list_tracked()}

    assert {entry for entry in entries if not entry.startswith(".")} - ROOT_ENTRIES == set()


def test_no_file_speaks_of_where_it_was_made() -> None:
    words = re.compile(r"(?<![\w/])/work/|/shared/(?!state)|\b[Ii]ssue #?\d|\bfake_llm\b|\bTO" r"DO[:(]|\bFIX" r"ME\b")
    found = []

    for name in list_tracked():
        path = ROOT / name
        if name.startswith(("tests/data/", "requirements", ".ci/")) or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{name}: {match.group(0)}" for match in words.finditer(text) if path != Path(__file__)]

    assert found == []


def test_no_bound_stands_outside_the_modules_of_bounds() -> None:
    found = set()

    for path in MODULES:
        name = str(path.relative_to(ROOT / "app"))
        if name.startswith(("domain/limits", "bench/")):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            value = getattr(node, "value", None)
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            is_number = value is not None and all(
                isinstance(each, ast.Constant | ast.BinOp | ast.operator) for each in ast.walk(value)
            )
            found |= {f"{name}:{each}" for each in names if is_number and each.endswith("_MAX")}

    assert sorted(found) == []
