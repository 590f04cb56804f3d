"""What a folder's owner lets be captured: every rule, and every file that nobody can read."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.capture import policy, policy_facts
from app.capture.policy import DROP, KEEP, STRIP, EventFacts, Policy, PolicyUnreadable
from app.domain import limits
from app.domain.event import EventKind

BASE, HOME = "/home/x/shop", "/home/x"


def make_policy(lines: str) -> Policy:
    return policy.parse_policy(f"[capture]\n{lines}\n", BASE, HOME)


def decide(lines: str, *, kind: str = "tool_end", tool_input: object = None, **fields: object) -> str:
    payload = {"cwd": BASE, "tool_input": tool_input or {}, **fields}
    return policy.decide(make_policy(lines), policy_facts.read_facts(kind, payload)).action


def test_the_kinds_are_those_of_events() -> None:
    assert set(policy.KINDS) == set(EventKind)


def test_without_a_policy_everything_is_kept() -> None:
    found = policy.parse_policy('project = "shop"\n', BASE)

    assert found == Policy()
    assert policy.decide(found, EventFacts("prompt")).action == KEEP


def test_capture_that_is_off_drops_everything() -> None:
    assert {decide("enabled = false", kind=kind) for kind in policy.KINDS} == {DROP}


DENIED = {
    "a name at any depth": ("*.pem", {"file_path": f"{BASE}/a/b/key.pem"}),
    "a folder": ("secrets", {"file_path": f"{BASE}/a/secrets/b/c.txt"}),
    "a folder with a slash": ("secrets/", {"file_path": "secrets/c.txt"}),
    "from the policy's folder": ("config/prod/**", {"file_path": f"{BASE}/config/prod/x/y"}),
    "any depth between": ("src/**/gen", {"path": f"{BASE}/src/a/b/gen/x"}),
    "other case": ("Secrets/**", {"file_path": f"{BASE}/secrets/X"}),
    "dots": ("secrets/**", {"file_path": f"{BASE}/src/../secrets/x"}),
    "whole path": ("/etc/passwd", {"file_path": "/etc/passwd"}),
    "home": ("~/.ssh/**", {"command": "cat ~/.ssh/id_rsa"}),
    "home by variable": ("~/.ssh", {"command": "cat ${HOME}/.ssh/id_rsa"}),
    "backslashes": ("secrets/**", {"filePath": "secrets\\x.txt"}),
    "a command": (".env", {"command": "set -a; . ./.env && make"}),
    "a command in quotes": ("secrets/**", {"command": "bash -c \"cat 'secrets/my key'\""}),
    "a command as a list": (".env", {"command": ["cat", ".env"]}),
    "a file in a revision": ("secrets/**", {"command": "git show HEAD:secrets/x"}),
    "a body from a file": ("*.pem", {"command": "curl -d @a.pem https://h.example"}),
    "a patch": ("secrets/**", {"command": "*** Begin Patch\n*** Update File: secrets/x\n@@\n"}),
    "one letter": ("k?y", {"file_path": "key"}),
}


@pytest.mark.parametrize(("glob", "tool_input"), DENIED.values(), ids=DENIED)
def test_a_denied_file_is_not_captured(glob: str, tool_input: object) -> None:
    assert decide(f"deny = ['{glob}']", tool_input=tool_input) == DROP


KEPT = {
    "another name": ("*.pem", {"file_path": f"{BASE}/pem/readme.md"}),
    "a longer name": ("secrets", {"file_path": f"{BASE}/secretsanta/x"}),
    "the same name elsewhere": ("config/prod", {"file_path": f"{BASE}/web/config/prod"}),
    "outside": ("src/**", {"file_path": "/opt/other/src/x"}),
    "no file": ("*.pem", {"command": "make test"}),
}


@pytest.mark.parametrize(("glob", "tool_input"), KEPT.values(), ids=KEPT)
def test_another_file_is_captured(glob: str, tool_input: object) -> None:
    assert decide(f"deny = ['{glob}']", tool_input=tool_input) == KEEP


def test_files_in_an_answer_are_looked_at_too() -> None:
    answer = {"filenames": ["src/a", "secrets/b"]}

    assert decide('deny = ["secrets"]', tool_response=answer) == DROP


@pytest.mark.parametrize(
    ("tool_input", "action"),
    [
        ({"file_path": f"{BASE}/src/a.py"}, KEEP),
        ({"command": "pytest src/a.py docs/b.md"}, KEEP),
        ({"file_path": f"{BASE}/other/a.py"}, DROP),
        ({"command": "cp src/a.py /tmp/b"}, DROP),
        ({"command": "make test"}, DROP),
        ({"file_path": f"{BASE}/SRC/a.py"}, DROP),
    ],
)
def test_an_allow_list_keeps_tool_calls_whose_every_file_is_listed(tool_input: object, action: str) -> None:
    assert decide('mode = "allow-list"\nallow = ["src/**", "docs"]', tool_input=tool_input) == action


def test_an_allow_list_says_nothing_of_prompts() -> None:
    assert decide('mode = "allow-list"', kind="prompt") == KEEP


def test_denied_comes_before_allowed() -> None:
    lines = 'mode = "allow-list"\nallow = ["src"]\ndeny = ["*.key"]'

    assert decide(lines, tool_input={"file_path": "src/a.key"}) == DROP


def test_kinds_are_switched_one_by_one() -> None:
    lines = "kinds = { prompt = false, tool_end = true }"

    assert decide(lines, kind="prompt") == DROP
    assert decide(lines, kind="tool_end") == KEEP


def test_subagents_are_dropped_on_request() -> None:
    assert decide('subagents = "drop"', agent_id="a1") == DROP
    assert decide('subagents = "drop"', kind="subagent_end") == DROP
    assert decide('subagents = "keep"', agent_id="a1") == KEEP


def test_the_models_words_are_stripped_on_request() -> None:
    payload = {"session_id": "s", "last_assistant_message": "I think", "prompt": "do"}

    assert decide("assistant_text = false", kind="turn_end", last_assistant_message="I think") == STRIP
    assert decide("assistant_text = false", kind="turn_end") == KEEP
    assert policy.strip_payload(payload) == {"session_id": "s", "prompt": "do"}


UNREADABLE = [
    "denny = []", "enabled = 1", 'mode = "some"', 'deny = "x"', "deny = [1]", 'deny = [""]', 'deny = ["!x"]',
    'deny = ["*.[ch]"]', 'deny = ["a{b,c}"]', "kinds = { prompts = false }", "kinds = { prompt = 0 }",
    'subagents = "some"', "assistant_text = 'no'", 'deny = ["' + "x" * 257 + '"]', "deny = [" + "'x'," * 65 + "]",
    "deny = ['../x']", "deny = ['./']",
    "deny = [" + "'" + "x" * 200 + "'," * 1 + ("'" + "x" * 200 + "',") * 30 + "]", 'deny = ["a"', "deny =",
]  # fmt: skip


@pytest.mark.parametrize("lines", UNREADABLE)
def test_a_policy_in_words_that_are_not_known_is_unreadable(lines: str) -> None:
    with pytest.raises(PolicyUnreadable):
        make_policy(lines)


@pytest.mark.parametrize("text", ["[captu", "capture = 3\n", "x" * (limits.MARKER_BYTES_MAX + 1)])
def test_a_file_that_is_not_whole_is_unreadable(text: str) -> None:
    with pytest.raises(PolicyUnreadable):
        policy.parse_policy(text)


def test_the_nearest_file_with_a_policy_decides() -> None:
    outer = "[capture]\nenabled = false\n"

    assert not policy.find_policy([(BASE, 'project = "x"'), (HOME, outer)]).is_enabled
    assert policy.find_policy([(BASE, "[capture]\n"), (HOME, outer)]).is_enabled
    with pytest.raises(PolicyUnreadable, match=r"shop/\.memwiki\.toml"):
        policy.find_policy([(BASE, "[captu"), (HOME, outer)])


def test_what_names_too_much_to_look_at_is_dropped() -> None:
    many = {"command": " ".join(f"f{number}" for number in range(limits.POLICY_PATHS_MAX + 1))}

    assert decide('deny = ["*.pem"]', tool_input=many) == DROP
    assert decide('deny = ["*.pem"]', tool_input={"command": "x" * (limits.POLICY_TEXT_CHARS_MAX + 1)}) == DROP
    assert decide("enabled = true", tool_input=many) == KEEP


GLOBS = st.lists(st.text(st.sampled_from("ab*?/.~ü\\"), min_size=1, max_size=9), max_size=4).filter(
    lambda globs: all(re.search(r"[^./\\]", glob) and ".." not in glob for glob in globs)
)


@settings(deadline=None)
@given(
    st.builds(
        Policy,
        is_stated=st.just(value=True),
        is_readable=st.just(value=True),
        is_enabled=st.booleans(),
        is_allow_list=st.booleans(),
        allow=GLOBS.map(tuple),
        deny=GLOBS.map(tuple),
        dropped_kinds=st.sets(st.sampled_from(policy.KINDS)).map(
            lambda kinds: tuple(sorted(kinds, key=policy.KINDS.index))
        ),
        keeps_subagents=st.booleans(),
        keeps_assistant_text=st.booleans(),
        root=st.sampled_from(["", "/a/b", "C:/x"]),
        home=st.sampled_from(["", "/a"]),
    )
)
def test_a_policy_travels_whole(stated: Policy) -> None:
    header = policy.render_header(stated)

    assert policy.parse_header(header) == stated
    assert header.isascii()
    assert header.isprintable()


@pytest.mark.parametrize("text", ["{", "[]", '{"denny": []}', '{"root": 1}', '"x"', "[" * 3000, "9" * 4200])
def test_a_header_that_is_no_policy_is_refused(text: str) -> None:
    with pytest.raises(PolicyUnreadable):
        policy.parse_header(text)


def test_an_unreadable_policy_travels_as_such() -> None:
    found = policy.parse_header(policy.UNREADABLE)

    assert policy.decide(found, EventFacts("prompt")).action == DROP
    assert policy.render_header(found) == policy.UNREADABLE


@settings(deadline=None)
@given(GLOBS, st.text(max_size=30))
def test_no_glob_and_no_path_is_a_fault(globs: list[str], path: str) -> None:
    stated = Policy(is_stated=True, is_allow_list=True, allow=tuple(globs), deny=tuple(globs), root=BASE, home=HOME)

    action = policy.decide(stated, EventFacts("tool_end", cwd=BASE, paths=(path,), words=(path,))).action

    assert action in {KEEP, DROP}


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(st.sampled_from("a/.'\"$*\\ \n@:~{}=;é"), max_size=40)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["command", "file_path", "paths", "tool_input", "cwd", "edits", "x"]), inner),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["tool_input", "tool_response", "cwd", "agent_id", "prompt", "command"]), JSON))
def test_whatever_an_agent_sends_is_decided_upon(payload: dict[str, object]) -> None:
    stated = make_policy('mode = "allow-list"\nallow = ["a/**"]\ndeny = ["*.pem"]\nassistant_text = false')

    decision = policy.decide(stated, policy_facts.read_facts("tool_end", payload))

    assert decision.action in {KEEP, DROP, STRIP}
    assert decision.reason
