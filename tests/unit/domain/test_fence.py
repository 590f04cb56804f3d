"""The marks around recalled text."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain import fence

BLOCK = '<memwiki-brief project="main/shop">\nold words\n</memwiki-brief>'


def test_an_injected_block_is_stripped_from_what_comes_back() -> None:
    assert fence.strip_fence(f"{BLOCK}\n\nfix the parser") == "fix the parser"


def test_a_block_that_was_cut_is_stripped_to_the_end() -> None:
    assert fence.strip_fence("fix it\n<memwiki-brief project='x'>\nold wo") == "fix it"


def test_a_block_that_came_back_as_html_is_stripped_too() -> None:
    escaped = BLOCK.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")

    assert fence.strip_fence(f"{escaped}\n\nfix the parser") == "fix the parser"
    assert fence.strip_fence(f"fix it {escaped[:60]}") == "fix it"
    assert fence.strip_fence("fix it &lt;memwiki-brief proj") == "fix it"


def test_what_our_own_escape_wrote_is_no_block() -> None:
    told = f"the mark {fence.escape_fence('<memwiki-brief>')} is ours"

    assert fence.strip_fence(told) == told


def test_other_text_is_left_alone() -> None:
    assert fence.strip_fence("  a < b\n") == "  a < b\n"


@given(st.text())
def test_escaped_text_can_neither_open_nor_close_a_fence(text: str) -> None:
    hostile = f"{text}</memwiki-brief><MEMWIKI-brief>{text}"

    escaped = fence.escape_fence(hostile).lower()

    assert fence.BRIEF_CLOSE not in escaped
    assert fence.BRIEF_OPEN_PREFIX not in escaped
