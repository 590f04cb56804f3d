"""What holds for any configuration an installer may meet: twice is once, and back is back."""

import json
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from app.agents.agent import ConfigEdit, EditAction
from app.entrypoints.cli import install, install_files, json_text, toml_text, uninstall
from app.entrypoints.cli.machine import Machine
from tests.entrypoints.test_edit_properties import commented, toml_lists, yaml_texts

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
EVENTS = ["SessionStart", "Stop", "PostToolUse", "Custom"]
PLACE = ("mcp_servers", "memwiki")

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=8
)
handlers = st.fixed_dictionaries({"type": st.just("command"), "command": texts}) | values
groups = st.fixed_dictionaries({"hooks": st.lists(handlers, max_size=3)}, optional={"matcher": texts}) | values
hook_tables = st.dictionaries(st.sampled_from(EVENTS), st.lists(groups, max_size=3), max_size=3)
servers = st.dictionaries(texts.filter(lambda name: name != "memwiki"), values, max_size=3)


@st.composite
def configs(draw: st.DrawFn, key: str, below: st.SearchStrategy[object]) -> str:
    """Draw a valid JSON object, written in any of the ways that people and programs write one."""
    parsed = draw(st.dictionaries(texts.filter(lambda name: name != key), values, max_size=4))
    if draw(st.booleans()):
        parsed[key] = draw(below)
    items = draw(st.permutations(list(parsed.items())))
    indent = draw(st.sampled_from([None, 1, 2, 4, "\t"]))
    separators = draw(st.sampled_from([None, (",", ":"), (", ", " : ")]))
    text = json.dumps(dict(items), indent=indent, separators=separators, ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    lead = draw(st.sampled_from(["", "\ufeff", "\n ", "\ufeff  "]))
    return lead + text + draw(st.sampled_from(["", "\n", "\r\n", " \n\n"]))


@st.composite
def toml_configs(draw: st.DrawFn) -> str:
    """Draw a valid TOML text with comments, blank lines and tables of all kinds around our place."""
    heads = ['model = "x" # mine', "n = 0x1F", "# a comment", "", 't = """\n [a] \n"""', "s = [\n  1, # one\n]"]
    tables = [
        "[projects.'/a b']\ntrust = 'y'", "[mcp_servers.other]\ncommand = 'c'\n# tail", "[[list]]\nx = 1\n\n[[list]]",
        "  [mcp_servers.third.env]\n  A = 'b'", '[hooks.state."k"]\nh = 1.0', "[mcp_servers]", "# end", "",
    ]  # fmt: skip
    lines = [*draw(st.permutations(heads))[: draw(st.integers(0, 5))], *draw(st.permutations(tables))]
    text = "\n".join(lines[: draw(st.integers(0, len(lines)))]) + draw(st.sampled_from(["", "\n", "\n\n"]))
    tomllib.loads(text)
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@contextmanager
def temporary_machine() -> Iterator[Machine]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        client = Path(folder, "send_event.py")
        client.write_text("pass\n", encoding="utf-8")
        yield Machine(home=home, env={}, folder=home / "share" / "memwiki", python=sys.executable, client_source=client)


def snapshot(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def check_round_trip(agent: str, files: dict[str, str]) -> None:
    with temporary_machine() as machine:
        for name, text in files.items():
            path = machine.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        before = snapshot(machine.home)
        install_files.apply(install.plan_install([agent], machine), machine, NOW)
        wired = snapshot(machine.home)

        assert install_files.apply(install.plan_install([agent], machine), machine, NOW) == ()
        assert snapshot(machine.home) == wired
        (machine.folder / "installed.json").rename(machine.folder / "aside")
        without_record = uninstall.plan_uninstall([agent], machine)
        assert without_record.is_changed
        (machine.folder / "aside").rename(machine.folder / "installed.json")
        install_files.apply(uninstall.plan_uninstall([agent], machine), machine, NOW)
        assert snapshot(machine.home) == before


@settings(max_examples=40, deadline=None)
@given(configs("hooks", hook_tables), configs("mcpServers", servers))
def test_claude_code_install_is_idempotent_and_uninstall_its_inverse(hooks: str, listed: str) -> None:
    check_round_trip("claude-code", {".claude/settings.json": hooks, ".claude.json": listed})


@settings(max_examples=40, deadline=None)
@given(commented())
def test_files_with_remarks_are_wired_and_come_back_to_the_byte(text: str) -> None:
    check_round_trip("gemini-cli", {".gemini/settings.json": text})


@settings(max_examples=40, deadline=None)
@given(configs("hooks", hook_tables), toml_configs())
def test_codex_install_is_idempotent_and_uninstall_its_inverse(hooks: str, config: str) -> None:
    check_round_trip("codex", {".codex/hooks.json": hooks, ".codex/config.toml": config})


@settings(max_examples=12, deadline=None)
@given(toml_lists())
def test_hooks_in_a_list_of_tables_are_wired_and_come_back_to_the_byte(text: str) -> None:
    check_round_trip("kimi-code", {".kimi-code/config.toml": text})


@settings(max_examples=12, deadline=None)
@given(yaml_texts())
def test_an_entry_in_yaml_is_wired_and_comes_back_to_the_byte(text: str) -> None:
    check_round_trip("goose", {".config/goose/config.yaml": text})


@settings(max_examples=150, deadline=None)
@given(configs("hooks", hook_tables), texts, values)
def test_edit_of_json_text_means_what_it_says_and_can_be_undone(text: str, key: str, value: object) -> None:
    body = text.removeprefix("\ufeff")
    parsed = json.loads(body)

    edited = json_text.apply_edits(body, [ConfigEdit(EditAction.SET, (key,), value)])

    assert json.loads(edited) == {**parsed, key: value}
    if key not in parsed and parsed:
        assert json_text.apply_edits(edited, [ConfigEdit(EditAction.REMOVE, (key,))]) == body


@settings(max_examples=150, deadline=None)
@given(toml_configs())
def test_table_added_to_toml_text_can_be_taken_away_again(text: str) -> None:
    edited = toml_text.apply_edits(text, [ConfigEdit(EditAction.SET, PLACE, {"url": "http://x/mcp"})])

    assert toml_text.find_table(tomllib.loads(edited), PLACE) == {"url": "http://x/mcp"}
    taken = toml_text.apply_edits(edited, [ConfigEdit(EditAction.REMOVE, PLACE)])
    assert taken == text or (not text.endswith("\n") and taken.rstrip("\r\n") == text)
