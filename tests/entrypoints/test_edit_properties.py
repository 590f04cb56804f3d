"""What holds for any text that people write: comments and layout stay, an edit means what it says and can be undone."""

import json
import tomllib

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from app.agents.agent import ConfigEdit, EditAction
from app.entrypoints.cli import edited_values, json_text, toml_text, yaml_text

ENTRY = {"url": "http://127.0.0.1:7470/mcp", "headers": {"Authorization": "Bearer ${MEMWIKI_ACCESS_TOKEN}"}}
REMARKS = ["", "", " // mine, really", " /* a, b: {c} */", ' // "quoted": ["x"],']
SCALARS = [
    "1",
    "true",
    "null",
    '"x // no remark"',
    '"a\\"b, /* c */"',
    "-2.5e3",
    "[]",
    "{}",
    '["a", 1,]',
    '{"k": [1],}',
]
KEYS = ["a", "b b", "mcpServers", "hooks", "c/*d"]
SETTINGS = settings(max_examples=200, deadline=None)


@st.composite
def commented(draw: st.DrawFn) -> str:
    """Draw an object with remarks before, behind and between its members, and perhaps a last comma."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    indent = draw(st.sampled_from(["  ", "\t", "    "]))
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=4))
    lines = [draw(st.sampled_from(["{", "// top, of all", "/* {\n } */"]))]
    if lines[0] != "{":
        lines.append("{")
    for at, key in enumerate(keys):
        if draw(st.booleans()):
            lines.append(f"{indent}// about {key}, and more")
        tables = ["{}", '{"k": [1],}', '{ "other": {"url": "u"} /* x */ }']
        value = draw(st.sampled_from(tables if key in {"mcpServers", "hooks"} else SCALARS))
        is_last = at == len(keys) - 1
        comma = draw(st.sampled_from(["", ","])) if is_last else ","
        lines.append(f"{indent}{json.dumps(key)}: {value}{comma}{draw(st.sampled_from(REMARKS))}")
    if draw(st.booleans()):
        lines.append(f"{indent}// the end")
    return newline.join([*lines, "}"]) + draw(st.sampled_from(["", newline, f"{newline}// after{newline}"]))


@SETTINGS
@given(commented(), st.sampled_from([("mcpServers", "memwiki"), ("memwiki",)]))
def test_an_entry_in_commented_json_comes_and_goes_and_remarks_stay(text: str, keys: tuple[str, ...]) -> None:
    parsed = json_text.parse_json(text)
    assert isinstance(parsed, dict)
    added = ConfigEdit(EditAction.SET, keys, ENTRY)
    removed = ConfigEdit(EditAction.REMOVE, keys if len(keys) == 1 or keys[0] in parsed else keys[:1])

    edited = json_text.apply_edits(text, [added])

    assert json_text.parse_json(edited) == edited_values.apply_edits(parsed, [added])
    assert [word for word in text.split() if word.strip("/*") in {"about", "mine", "top", "end", "after"}] == [
        word for word in edited.split() if word.strip("/*") in {"about", "mine", "top", "end", "after"}
    ]
    back = json_text.apply_edits(edited, [removed])
    assert json_text.parse_json(back) == parsed
    assert "".join(back.split()) == "".join(text.split())


@st.composite
def yaml_texts(draw: st.DrawFn) -> str:
    """Draw a table in lines, with remarks and blank lines, in which our place may be there, empty or missing."""
    place = draw(st.sampled_from([
        "", "servers:", "servers: {}", "servers: # none yet", "servers:\n  other:\n    url: u # one\n    n: [1, 2]",
        "servers:\n    # first\n    other: {url: u}\n\n    third:\n        - a\n        - b: |\n            text\n",
    ]))  # fmt: skip
    others = ["# a remark", "a: 1 # one", "", 'b: "x: # y"', "c:\n- 1\n- two", "d: |\n  # no remark\n  text", "e: ~"]
    lines = [*draw(st.permutations(others))[: draw(st.integers(0, 7))], place]
    lines = list(draw(st.permutations(lines)))
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n# end\n"]))
    # A text in lines that ends without a line's end would get one from whatever follows it.
    text += "\n" if text.endswith("  text") else ""
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@SETTINGS
@given(yaml_texts())
def test_an_entry_in_yaml_comes_and_goes_and_nothing_else_moves(text: str) -> None:
    parsed = yaml_text.parse_yaml(text)
    assert isinstance(parsed, dict)
    has_others = bool(parsed.get("servers"))

    edited = yaml_text.apply_edits(text, [ConfigEdit(EditAction.SET, ("servers", "memwiki"), ENTRY)])

    assert yaml.safe_load(edited)["servers"]["memwiki"] == ENTRY
    assert yaml_text.apply_edits(edited, [ConfigEdit(EditAction.SET, ("servers", "memwiki"), ENTRY)]) == edited
    place = ("servers", "memwiki") if has_others else ("servers",)
    back = yaml_text.apply_edits(edited, [ConfigEdit(EditAction.REMOVE, place)])
    assert edited_values.normalize(yaml_text.parse_yaml(back)) == edited_values.normalize(parsed)
    if has_others:
        assert back.rstrip() == text.rstrip()


@st.composite
def toml_lists(draw: st.DrawFn) -> str:
    """Draw a text with hooks of others in it, tables below them, remarks, and tables around."""
    parts = [
        '[[hooks]]\nevent = "Stop" # theirs\ncommand = "x"',
        '[[hooks]]\n# second\nevent = "Other"\n[hooks.env]\nA = "b"',
        "[model]\nname = 'm'", "# a remark", '[providers."a.b"]\nkey = """\ntext\n"""',
    ]  # fmt: skip
    heads = draw(st.sampled_from(["", "top = 1 # one\n", "\n# first\n\n"]))
    chosen = draw(st.permutations(parts))[: draw(st.integers(0, len(parts)))]
    text = heads + "\n\n".join(chosen) + draw(st.sampled_from(["", "\n", "\n\n"]))
    tomllib.loads(text)
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@SETTINGS
@given(toml_lists())
def test_items_of_a_list_in_toml_come_change_and_go(text: str) -> None:
    listed = tomllib.loads(text).get("hooks", [])
    add = [ConfigEdit(EditAction.APPEND, ("hooks",), {"event": name, "command": "ours"}) for name in ("Start", "End")]
    at = len(listed)

    edited = toml_text.apply_edits(text, add)
    changed = toml_text.apply_edits(
        edited, [ConfigEdit(EditAction.SET, ("hooks", at), {"event": "Start", "command": "new"})]
    )

    assert tomllib.loads(changed)["hooks"][:at] == listed
    assert tomllib.loads(changed)["hooks"][at:] == [
        {"event": "Start", "command": "new"}, {"event": "End", "command": "ours"},
    ]  # fmt: skip
    back = toml_text.apply_edits(changed, [ConfigEdit(EditAction.REMOVE, ("hooks", at + 1 - n)) for n in range(2)])
    assert back == text or back.rstrip("\r\n") == text.rstrip("\r\n")
