"""The tool list under the subsets of JSON Schema that models' makers take, and what it costs a model to carry it."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpe_openai
import pytest

from tests.entrypoints import rpc, serving

Schema = dict[str, Any]
Found = list[str]

TOKENS_MAX = 3000
# The vocabulary of OpenAI's present models; other makers publish none, and count otherwise.
VOCABULARY = "o200k_base"

_COMBINED = ("anyOf", "oneOf", "allOf", "not", "if", "then", "else")
_REFERRED = ("$ref", "$defs", "definitions", "$dynamicRef", "$anchor")
_PLAIN = {"string", "integer", "number", "boolean", "array", "object"}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[list[dict[str, Any]]]:
    """The tools as a client is told of them."""
    with serving.serve(tmp_path_factory.mktemp("schemas") / "memwiki", template=template) as running:
        yield rpc.ask(running, "tools/list")["tools"]


def walk(schema: Schema, place: str = "") -> Iterator[tuple[str, Schema]]:
    """List a schema and all below it, each with where it stands."""
    yield place, schema
    for name, below in schema.get("properties", {}).items():
        yield from walk(below, f"{place}.{name}")
    if isinstance(schema.get("items"), dict):
        yield from walk(schema["items"], f"{place}[]")


def check_gemini(tool: dict[str, Any]) -> Found:
    """An OpenAPI 3.0 subset: one type each, lists say of what, only the listed words, enums are texts."""
    words = {"type", "format", "title", "description", "nullable", "enum", "items", "maxItems", "minItems",
             "properties", "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "default",
             "minimum", "maximum", "anyOf", "propertyOrdering", "example"}  # fmt: skip
    found = [] if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}", tool["name"]) else ["name"]
    for place, schema in walk(tool["inputSchema"]):
        found += [f"{place}: {word}" for word in schema.keys() - words]
        found += [f"{place}: type" for _ in [0] if str(schema.get("type")) not in _PLAIN]
        found += [f"{place}: items" for _ in [0] if schema.get("type") == "array" and "items" not in schema]
        found += [f"{place}: required" for name in schema.get("required", ()) if name not in schema["properties"]]
        found += [f"{place}: enum" for value in schema.get("enum", ()) if not isinstance(value, str) or not value]
        found += [f"{place}: format" for _ in [0] if schema.get("format", "enum") not in {"enum", "date-time"}]
    return found


def check_openai(tool: dict[str, Any]) -> Found:
    """An object without anything combined at the root; names of 64 letters; 100 properties, 5 levels."""
    schema = tool["inputSchema"]
    found = [] if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"]) else ["name"]
    found += [] if schema.get("type") == "object" and "properties" in schema else ["root"]
    found += [f"root: {word}" for word in (*_COMBINED, "enum", "const") if word in schema]
    below = list(walk(schema))
    found += ["properties"] if len(below) > 100 else []
    found += [f"{place}: deep" for place, _ in below if place.count(".") + place.count("[") > 5]
    banned = ("prefixItems", "patternProperties", "unevaluatedProperties", "propertyNames")
    return found + [f"{place}: {word}" for place, part in below for word in banned if word in part]


def check_anthropic(tool: dict[str, Any]) -> Found:
    """Names and property names within 64 characters, nothing combined at the root, a valid draft 2020-12."""
    schema = tool["inputSchema"]
    found = [] if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"]) else ["name"]
    found += [] if schema.get("type") == "object" else ["root: type"]
    found += [f"root: {word}" for word in _COMBINED if word in schema]
    for place, part in walk(schema):
        names = part.get("properties", {})
        found += [f"{place}.{name}" for name in names if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name)]
    return found


def check_moonshot(tool: dict[str, Any]) -> Found:
    """Every part has one type of its own; nothing combined or referred to; a name that begins with a letter."""
    found = [] if re.fullmatch(r"[a-zA-Z][a-zA-Z0-9_-]{0,63}", tool["name"]) else ["name"]
    for place, schema in walk(tool["inputSchema"]):
        found += [f"{place}: {word}" for word in (*_COMBINED, *_REFERRED) if word in schema]
        found += [f"{place}: type" for _ in [0] if not isinstance(schema.get("type"), str)]
    return found


def check_bedrock(tool: dict[str, Any]) -> Found:
    """Names of 64 letters, an object at the root with nothing combined, a description that is there."""
    schema = tool["inputSchema"]
    found = [] if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"]) else ["name"]
    found += [] if schema.get("type") == "object" else ["root: type"]
    found += [] if tool.get("description") else ["description"]
    return found + [f"root: {word}" for word in (*_COMBINED, *_REFERRED) if word in schema]


def check_grok(tool: dict[str, Any]) -> Found:
    """No `allOf`, no references, one type each, an object at the root."""
    found = [] if tool["inputSchema"].get("type") == "object" else ["root: type"]
    for place, schema in walk(tool["inputSchema"]):
        found += [f"{place}: {word}" for word in ("allOf", *_REFERRED) if word in schema]
        found += [f"{place}: type" for _ in [0] if str(schema.get("type")) not in _PLAIN]
    return found


DIALECTS: dict[str, Callable[[dict[str, Any]], Found]] = {
    "gemini": check_gemini,
    "openai": check_openai,
    "anthropic": check_anthropic,
    "moonshot": check_moonshot,
    "bedrock": check_bedrock,
    "grok": check_grok,
}

REFUSED: list[tuple[str, Schema]] = [
    ("gemini", {"type": "object", "properties": {"x": {"type": ["string", "null"]}}}),
    ("gemini", {"type": "object", "properties": {"x": {"type": "array"}}}),
    ("gemini", {"type": "object", "properties": {"x": {"type": "string", "const": "a"}}}),
    ("gemini", {"type": "object", "properties": {"x": {"type": "object", "additionalProperties": False}}}),
    ("openai", {"type": "object", "properties": {}, "anyOf": []}),
    ("openai", {}),
    ("anthropic", {"type": "object", "properties": {"a b": {"type": "string"}}}),
    ("anthropic", {"type": "object", "oneOf": []}),
    ("moonshot", {"type": "object", "properties": {"x": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}),
    ("moonshot", {"type": "object", "properties": {"x": {"description": "no type"}}}),
    ("bedrock", {"type": "object", "$defs": {}}),
    ("grok", {"type": "object", "properties": {"x": {"$ref": "#/x"}}}),
]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_tool_is_plain_enough_for(tools: list[dict[str, Any]], dialect: str) -> None:
    assert {tool["name"]: found for tool in tools if (found := DIALECTS[dialect](tool))} == {}


@pytest.mark.parametrize(("dialect", "schema"), REFUSED)
def test_what_a_dialect_refuses_is_seen(dialect: str, schema: Schema) -> None:
    assert DIALECTS[dialect]({"name": "x", "description": "x", "inputSchema": schema})


def test_no_tool_has_a_word_for_machines_alone(tools: list[dict[str, Any]]) -> None:
    for tool in tools:
        for place, schema in walk(tool["inputSchema"]):
            assert "title" not in schema, f"{tool['name']}{place}"
            assert "additionalProperties" not in schema, f"{tool['name']}{place}"


def test_every_argument_says_what_it_is(tools: list[dict[str, Any]]) -> None:
    for tool in tools:
        for name, argument in tool["inputSchema"].get("properties", {}).items():
            assert argument.get("description") or name == "title", f"{tool['name']}.{name}"


def test_all_tools_together_cost_a_model_little(tools: list[dict[str, Any]]) -> None:
    told = [
        {"name": tool["name"], "description": tool["description"], "parameters": tool["inputSchema"]} for tool in tools
    ]

    tokens = len(bpe_openai.get_encoding(VOCABULARY).encode(json.dumps(told, ensure_ascii=False)))

    assert 500 < tokens <= TOKENS_MAX
