"""What a tool call did, to which files, and how it went."""

import pytest

from app.agents import registry
from app.domain.event import EventKind, FileChange, FileTouch, Outcome, TodoItem, ToolCall, ToolPurpose
from app.domain.limits import COMMAND_BYTES_MAX, TOOL_TEXT_BYTES_MAX

ADDED, MODIFIED, DELETED, READ = FileChange.ADDED, FileChange.MODIFIED, FileChange.DELETED, FileChange.READ


def use(agent: str, tool: str, given: object, result: object = None, event: str = "PostToolUse") -> ToolCall:
    payload = {
        "session_id": "s",
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": given,
        "error" if event == "PostToolUseFailure" else "tool_response": result,
    }
    found = registry.find_agent(agent).parse_event(event, payload).tool
    assert found is not None
    return found


def run_codex(command: str, output: object = "") -> ToolCall:
    return use("codex", "Bash", {"command": command}, output)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("git rm old.py && git mv a.py b.py", [("old.py", DELETED), ("a.py", DELETED), ("b.py", ADDED)]),
        ("rm -rf build 'my file'", [("build", DELETED), ("my file", DELETED)]),
        ("mv a.py b.py lib/", [("a.py", DELETED), ("lib/a.py", ADDED), ("b.py", DELETED), ("lib/b.py", ADDED)]),
        ("sed -i 's/a/b/' x.py y.py", [("x.py", MODIFIED), ("y.py", MODIFIED)]),
        ("sed -n -e 1p x.py", []),
        ("sed -i -e 's/a/b/' x.py", [("x.py", MODIFIED)]),
        ("cat > new.py <<'EOF'\nrm x > y\nEOF\ntouch t", [("new.py", MODIFIED), ("t", ADDED)]),
        ("cd sub && touch a; echo b >> c", [("sub/a", ADDED), ("sub/c", MODIFIED)]),
        ("pytest -q 2>&1 | tee out.log", [("out.log", MODIFIED)]),
        ("make > /dev/null 2>&1", []),
        ("echo 'a > b' \"c > d\"", []),
        ("rm $FILES *.py `ls`", []),
        ("cd $DIR && rm a", []),
        ("git rm --cached secret.txt", []),
        ('[[ a > b ]] && python -c "print(1 > 2)"', []),
        ("echo 'unclosed > x", []),
        ("# rm x", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_are_read_from_a_command_only_where_it_says_them_plainly(
    command: str, files: list[tuple[str, FileChange]]
) -> None:
    expected = tuple(FileTouch(path, change) for path, change in files)

    assert use("claude-code", "Bash", {"command": command}, {"stdout": "", "stderr": ""}).files == expected


def test_long_text_written_by_a_command_does_not_hide_the_file() -> None:
    command = "cat > big.py <<'EOF'\n" + "x = 1\n" * 5000 + "EOF"

    call = run_codex(command)

    assert call.files == (FileTouch("big.py", MODIFIED),)
    assert len(call.command) <= COMMAND_BYTES_MAX


def test_failed_command_changed_no_file() -> None:
    call = use("claude-code", "Bash", {"command": "rm a"}, "Exit code 1\nrm: no such file", "PostToolUseFailure")

    assert call.files == ()
    assert call.exit_code == 1
    assert call.output_text.endswith("rm: no such file")


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("== 2 failed, 3 passed in 1.20s ==", Outcome.FAILED),
        ("1 failed, 5 passed, 2 warnings in 0.44s", Outcome.FAILED),
        ("1 error in 0.12s", Outcome.FAILED),
        ("5 passed, 1 xfailed in 0.10s", Outcome.SUCCEEDED),
        ("no tests ran in 0.01s", Outcome.UNKNOWN),
        ("Ran 3 tests in 0.001s\n\nFAILED (failures=1)", Outcome.FAILED),
        ("Ran 3 tests in 0.001s\n\nOK", Outcome.SUCCEEDED),
        ("test result: FAILED. 1 passed; 1 failed", Outcome.FAILED),
        ("test result: ok. 2 passed; 0 failed", Outcome.SUCCEEDED),
        ("--- FAIL: TestX (0.00s)\nFAIL\tshop/lexer\t0.2s\nFAIL", Outcome.FAILED),
        ("ok  \tshop/lexer\t0.2s", Outcome.SUCCEEDED),
        ("ok  \tshop/a\t0.2s\nFAIL\tshop/b\t0.1s", Outcome.FAILED),
        ("Tests:       1 failed, 4 passed, 5 total", Outcome.FAILED),
        ("Tests:       5 passed, 5 total", Outcome.SUCCEEDED),
        (" Tests  1 failed | 3 passed (4)", Outcome.FAILED),
        ("make: *** [Makefile:3: test] Error 1", Outcome.FAILED),
        ("make: [Makefile:3: test] Error 1 (ignored)", Outcome.UNKNOWN),
        ("src/a.ts(3,1): error TS2304: Cannot find name 'x'.", Outcome.FAILED),
        ("Found 2 errors in 1 file (checked 3 source files)", Outcome.FAILED),
        ("Success: no issues found in 3 source files", Outcome.SUCCEEDED),
        ("[INFO] BUILD SUCCESS", Outcome.SUCCEEDED),
        ("BUILD FAILED in 3s", Outcome.FAILED),
        ("bash: line 1: frob: command not found", Outcome.FAILED),
        ("Process exited with code 2\nOutput:\nall good", Outcome.FAILED),
        ("Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n1 failed, 2 passed in 0.1s", None),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nfine", Outcome.SUCCEEDED),
        ("Process running with session ID 7\nOutput:\n3 passed in 0.1s", Outcome.UNKNOWN),
        ('{"output":"boom","metadata":{"exit_code":3,"duration_seconds":0.1}}', Outcome.FAILED),
        ("deploying to staging", Outcome.UNKNOWN),
        ("the last run had 2 failed tests", Outcome.UNKNOWN),
        ("", Outcome.UNKNOWN),
    ],
)
def test_codex_command_goes_as_its_own_output_says(output: str, outcome: Outcome | None) -> None:
    # A stated 0 of a test runner whose summary says otherwise is a masked failure.
    assert run_codex("./check.sh", output).outcome is (outcome or Outcome.FAILED)


@pytest.mark.parametrize("command", ["cat build.log", "grep -n failed log | head", "cd x && tail -5 log", "git log -3"])
def test_command_that_shows_text_says_nothing_by_it(command: str) -> None:
    assert run_codex(command, "1 failed, 5 passed in 0.44s").outcome is Outcome.UNKNOWN


def test_pipe_does_not_hide_failed_tests() -> None:
    result = {"stdout": "1 failed, 6 passed in 0.43s", "stderr": "", "interrupted": False}

    assert use("claude-code", "Bash", {"command": "pytest -q | tail -1"}, result).outcome is Outcome.FAILED


@pytest.mark.parametrize("result", [{"stdout": "", "interrupted": True}, {"stdout": "", "backgroundTaskId": "b1"}])
def test_command_that_has_not_ended_has_no_outcome(result: object) -> None:
    assert use("claude-code", "Bash", {"command": "sleep 9"}, result).outcome is Outcome.UNKNOWN


def test_both_streams_of_a_command_are_kept_without_colours() -> None:
    call = use("claude-code", "Bash", {"command": "x"}, {"stdout": "\x1b[31mred\x1b[0m", "stderr": "warned"})

    assert call.output_text == "red\nwarned"


def test_patch_names_its_files() -> None:
    patch = (
        "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n*** Move to: c.py\n@@\n-1\n+2\n"
        "*** Update File: d.py\n@@\n-1\n+2\n*** Delete File: e.py\n*** End Patch\n"
    )

    call = use(
        "codex", "apply_patch", {"command": patch}, "Exit code: 0\nOutput:\nSuccess. Updated the following files:\n"
    )

    assert [(touch.path, touch.change) for touch in call.files] == [
        ("a.py", ADDED), ("b.py", DELETED), ("c.py", ADDED), ("d.py", MODIFIED), ("e.py", DELETED),
    ]  # fmt: skip
    assert (call.purpose, call.outcome) == (ToolPurpose.EDIT, Outcome.SUCCEEDED)


def test_refused_patch_changed_no_file_but_says_which_it_tried() -> None:
    patch = "*** Begin Patch\n*** Update File: b.py\n@@\n-1\n+2\n*** End Patch\n"

    call = use("codex", "apply_patch", {"command": patch}, "apply_patch verification failed: no such line")

    assert (call.outcome, call.files) == (Outcome.FAILED, ())
    assert call.input_text.startswith("b.py\n")


def test_patch_within_a_command_is_an_edit() -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch"

    call = run_codex(f"apply_patch <<'EOF'\n{patch}\nEOF", "Success. Updated the following files:\nA a.py\n")

    assert (call.purpose, call.files, call.outcome) == (
        ToolPurpose.EDIT,
        (FileTouch("a.py", ADDED),),
        Outcome.SUCCEEDED,
    )


@pytest.mark.parametrize(
    ("tool", "given", "result", "purpose", "files"),
    [
        ("Read", {"file_path": "a.py"}, {"file": {"content": "x"}}, ToolPurpose.READ, [("a.py", READ)]),
        ("Write", {"file_path": "a.py", "content": "x"}, {"type": "create"}, ToolPurpose.EDIT, [("a.py", ADDED)]),
        ("Write", {"file_path": "a.py", "content": "x"}, {"type": "update"}, ToolPurpose.EDIT, [("a.py", MODIFIED)]),
        ("Edit", {"file_path": "a.py", "old_string": "1"}, {}, ToolPurpose.EDIT, [("a.py", MODIFIED)]),
        (
            "MultiEdit",
            {"file_path": "a.py", "edits": [{"new_string": "2"}]},
            {},
            ToolPurpose.EDIT,
            [("a.py", MODIFIED)],
        ),
        ("NotebookEdit", {"notebook_path": "a.ipynb"}, {}, ToolPurpose.EDIT, [("a.ipynb", MODIFIED)]),
        ("Grep", {"pattern": "x", "path": "src"}, {"filenames": ["a"]}, ToolPurpose.SEARCH, []),
        ("Glob", {"pattern": "*.py"}, {}, ToolPurpose.SEARCH, []),
        ("WebFetch", {"url": "http://x", "prompt": "y"}, {}, ToolPurpose.WEB, []),
        ("WebSearch", {"query": "x"}, {}, ToolPurpose.WEB, []),
        ("Task", {"description": "d", "prompt": "p"}, {}, ToolPurpose.SUBAGENT, []),
        ("Agent", {"description": "d", "prompt": "p"}, {}, ToolPurpose.SUBAGENT, []),
        ("TaskUpdate", {"taskId": "1", "status": "completed"}, {}, ToolPurpose.TODO, []),
        ("mcp__github__list", {"repo": "x"}, {}, ToolPurpose.OTHER, []),
        ("Brand New Tool", {"x": 1}, {}, ToolPurpose.OTHER, []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_claude_tool_is_known_for_what_it_does(
    tool: str, given: object, result: object, purpose: ToolPurpose, files: list[tuple[str, FileChange]]
) -> None:
    call = use("claude-code", tool, given, result)

    assert call.purpose is purpose
    assert [(touch.path, touch.change) for touch in call.files] == files


def test_failed_edit_changed_no_file() -> None:
    call = use(
        "claude-code", "Edit", {"file_path": "a.py", "old_string": "1"}, "String not found", "PostToolUseFailure"
    )

    assert (call.files, call.output_text) == ((), "String not found")
    assert call.input_text.startswith("a.py\n")


def test_edit_keeps_what_was_replaced_by_what() -> None:
    call = use(
        "claude-code", "Edit", {"file_path": "a", "old_string": "x\ny", "new_string": "z"}, {"originalFile": "x\ny"}
    )

    assert call.input_text == "-x\n-y\n+z"


def test_task_lists_of_both_agents_are_read() -> None:
    todos = [
        {"content": "a", "status": "completed"},
        {"content": "b", "status": "pending"},
        {"content": ""},
        "odd",
        None,
    ]
    plan = [{"step": "a", "status": "completed"}, {"step": "b", "status": ["odd"]}]
    expected = (TodoItem("a", is_done=True), TodoItem("b", is_done=False))

    assert use("claude-code", "TodoWrite", {"todos": todos}).todos == expected
    assert use("codex", "update_plan", {"plan": plan}).todos == expected


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
@pytest.mark.parametrize(
    "tool",
    ["mcp__memwiki__memory_search", "mcp__memory__memory_read", "mcp__plugin_memwiki_memwiki__anything",
     "memory-memory_handoff_claim", "mcp__x__memory_handoff_list"],
)  # fmt: skip
def test_answer_of_our_own_tool_is_dropped(agent: str, tool: str) -> None:
    call = use(agent, tool, {"query": "staging"}, {"content": [{"type": "text", "text": "OLD MEMORY"}]})

    assert call.purpose is ToolPurpose.MEMORY
    assert "OLD MEMORY" not in repr(call)
    assert "staging" in call.input_text


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_answer_of_our_own_command_is_dropped(agent: str) -> None:
    call = use(agent, "Bash", {"command": 'memwiki search "staging"'}, "OLD MEMORY")

    assert (call.purpose, call.output_text) == (ToolPurpose.MEMORY, "")


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_own_brief_in_a_tools_output_is_dropped(agent: str) -> None:
    call = use(agent, "Bash", {"command": "cat t.jsonl"}, "before\n<memwiki-brief x>OLD MEMORY</memwiki-brief>\nafter")

    assert call.output_text == "before\n\nafter"


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_start_of_a_tool_is_kept_small(agent: str) -> None:
    call = use(agent, "Bash", {"command": "pytest", "description": "d"}, event="PreToolUse")

    assert call == ToolCall(name="Bash", purpose=ToolPurpose.SHELL, command="pytest")


def test_start_and_end_of_a_tool_are_told_apart() -> None:
    agent = registry.find_agent("codex")
    payload = {"session_id": "s", "tool_name": "Bash", "tool_use_id": "t1"}

    assert agent.parse_event("PreToolUse", payload).kind is EventKind.TOOL_START
    assert agent.parse_event("PostToolUse", payload).kind is EventKind.TOOL_END
    assert agent.parse_event("PostToolUse", payload).native_id == "t1"


def test_output_of_ten_megabytes_is_cut_to_its_bound() -> None:
    call = use("claude-code", "Bash", {"command": "yes"}, {"stdout": "y\n" * 5_000_000, "stderr": ""})

    assert len(call.output_text) <= TOOL_TEXT_BYTES_MAX
    assert "…[cut " in call.output_text


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"command": ["bash", "-lc", "pytest -q"]}, "pytest -q"),
        ({"command": ["ls", "my dir"]}, "ls 'my dir'"),
        ({"cmd": "ls"}, "ls"),
        ("ls -l", "ls -l"),
    ],
)
def test_codex_command_is_read_in_each_of_its_forms(given: object, command: str) -> None:
    assert use("codex", "exec_command", given, "").command == command
