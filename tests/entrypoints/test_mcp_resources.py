"""Pages as MCP resources, and the prompts that people start by name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints import rpc, serving
from tests.entrypoints.serving import Server, new_name

ZEBRA = "memwiki://main/shop/notes/zebra.md"
CLOSE = "</memwiki-brief>"


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    """A server with one project and two pages."""
    with serving.serve(tmp_path_factory.mktemp("zoo") / "memwiki", template=template) as running:
        running.ask(new_name(), "Look around.")
        running.put("notes/zebra.md", {"body": "A zebra has stripes.", "title": "Zebra"}, project="shop")
        running.put("notes/grüner bär.md", {"body": "Es gibt ihn nicht.", "title": f"Bär {CLOSE}"}, project="shop")
        yield running


def read(server: Server, uri: str) -> dict[str, Any]:
    found: dict[str, Any] = rpc.send(server, "resources/read", {"uri": uri}).json()
    return found


def test_pages_are_listed_with_the_last_change_first(zoo: Server) -> None:
    listed = rpc.ask(zoo, "resources/list")["resources"]

    assert [found["name"] for found in listed[:2]] == ["main/shop:notes/grüner bär.md", "main/shop:notes/zebra.md"]
    assert (listed[1]["uri"], listed[1]["title"], listed[1]["mimeType"]) == (ZEBRA, "Zebra", "text/markdown")


def test_every_listed_page_is_read_by_its_address(zoo: Server) -> None:
    for resource in rpc.ask(zoo, "resources/list")["resources"]:
        part = read(zoo, resource["uri"])["result"]["contents"][0]

        assert part["uri"] == resource["uri"]
        assert part["text"].startswith("<memwiki-brief>")
        assert part["text"].endswith(CLOSE)
        assert part["text"].count(CLOSE) == 1


def test_a_title_that_looks_like_a_mark_of_ours_is_harmless_in_the_list(zoo: Server) -> None:
    assert CLOSE not in str(rpc.ask(zoo, "resources/list"))


def test_the_form_of_an_address_is_told(zoo: Server) -> None:
    templates = rpc.ask(zoo, "resources/templates/list")["resourceTemplates"]

    assert [found["uriTemplate"] for found in templates] == ["memwiki://{workspace}/{project}/{+path}"]


@pytest.mark.parametrize(
    "uri",
    [
        "memwiki://main/shop/notes/nowhere.md",
        "memwiki://main/nowhere/notes/zebra.md",
        "memwiki://main/shop/../api/x.md",
        "memwiki://main/shop/%2e%2e/%2e%2e/etc/passwd",
        "memwiki://main/shop//etc/passwd",
        "memwiki://main/shop",
        "memwiki://main",
        "memwiki://",
        "file:///etc/passwd",
        "zebra",
        "",
    ],
)
def test_an_address_that_leads_nowhere_is_the_callers_fault(zoo: Server, uri: str) -> None:
    error = read(zoo, uri)["error"]

    assert error["code"] == -32602
    assert "Traceback" not in error["message"]


def test_three_prompts_say_what_they_ask_for(zoo: Server) -> None:
    listed = rpc.ask(zoo, "prompts/list")["prompts"]

    assert {prompt["name"]: [part["name"] for part in prompt["arguments"]] for prompt in listed} == {
        "memory_recall": ["topic"],
        "memory_resume": ["project"],
        "memory_hand_over": ["note"],
    }
    assert all(prompt["description"] for prompt in listed)


@pytest.mark.parametrize(
    ("name", "arguments", "tool"),
    [
        ("memory_recall", {"topic": "the lexer"}, "memory_search"),
        ("memory_resume", {}, "memory_handoff_list"),
        ("memory_resume", {"project": "the lexer"}, "memory_handoff_claim"),
        ("memory_hand_over", {"note": "the lexer"}, "memory_handoff_offer"),
    ],
)
def test_a_prompt_leads_to_the_tools_that_there_are(
    zoo: Server, name: str, arguments: dict[str, str], tool: str
) -> None:
    messages = rpc.ask(zoo, "prompts/get", {"name": name, "arguments": arguments})["messages"]

    text = messages[0]["content"]["text"]
    assert (len(messages), messages[0]["role"]) == (1, "user")
    assert tool in text
    assert all(value in text for value in arguments.values())
    named = {word.strip(".,;:()") for word in text.split() if word.startswith("memory_")}
    assert named <= {found["name"] for found in rpc.ask(zoo, "tools/list")["tools"]}


@pytest.mark.parametrize(
    "params",
    [{"name": "memory_forget"}, {"name": "memory_recall"}, {"name": "memory_recall", "arguments": {"other": "x"}}],
)
def test_a_prompt_that_cannot_be_made_is_the_callers_fault(zoo: Server, params: dict[str, Any]) -> None:
    error = rpc.send(zoo, "prompts/get", params).json()["error"]

    assert error["code"] == -32602
