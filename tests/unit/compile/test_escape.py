"""Foreign text inside a page stays text: it opens no structure, link, code or markup of its own."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.compile import escape

MARKDOWN = MarkdownIt("commonmark").enable("table").enable("strikethrough")
ODD = st.text(alphabet=st.sampled_from("ab1 `*_[]()<>!#-+|~:=.\\$%&;\n\t'\"{}/^x"), max_size=60)


@given(text=ODD | st.text(max_size=60))
@example(text="[^o1]: a footnote of my own")
@example(text="``` \n- [ ] task\n# heading")
@example(text="a ` b `` c")
@example(text="![[Secret]] <script>alert(1)</script> [x](y)")
def test_an_inline_text_is_text_and_code_only(text: str) -> None:
    tokens = MARKDOWN.parse(f"- {escape.escape_inline(text)} [^o1]\n")

    blocks = [token.type for token in tokens if token.type != "inline"]
    assert [kind for kind in blocks if "list" not in kind and "paragraph" not in kind] == []
    assert blocks.count("list_item_open") == 1
    kinds = {child.type for token in tokens if token.type == "inline" for child in token.children or []}
    assert kinds <= {"text", "code_inline", "text_special"}


@given(text=ODD | st.text(max_size=60))
def test_a_code_span_holds_its_whole_text(text: str) -> None:
    shown = escape.code_span(text)

    if shown:
        [child] = MARKDOWN.parseInline(shown)[0].children or []
        assert child.type == "code_inline"
        assert child.content.split() == shown.strip("`").split()


@given(text=ODD | st.text(max_size=80))
def test_a_fence_cannot_be_closed_from_inside(text: str) -> None:
    tokens = MARKDOWN.parse(f"before\n\n{escape.fence_block(text)}\n\nafter\n")

    assert [token.type for token in tokens if token.type == "fence"] == ["fence"]
    assert tokens[-2].content == "after"


@given(text=ODD | st.text(max_size=80))
@example(text="# a\n- b\n```\nc\n```\n1. d **e** f\n***\n---\n> g\n    h\n<b>i</b>")
@example(text="- \t1")
def test_a_quotation_ends_where_it_ends_and_holds_no_links_or_html(text: str) -> None:
    tokens = MARKDOWN.parse(f"before\n\n{escape.quote_lines(text)}\n\nafter\n")

    assert tokens[-2].content == "after"
    assert tokens[-3].level == 0
    kinds = {token.type for token in tokens} | {
        child.type for token in tokens if token.type == "inline" for child in token.children or []
    }
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "code_block", "heading_open", "hr"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words, parse_price and 100 %", "plain words, parse_price and 100 %"),
        ("`code` stays", "`code` stays"),
        ("__init__ is a name", r"\_\_init\_\_ is a name"),
        ("[[link]] and [^o1]", r"\[\[link\]\] and \[^o1\]"),
        ("# no heading", r"\# no heading"),
        ("1. no list", r"1\. no list"),
        ("costs $5", r"costs \$5"),
        ("a < b and <b>", r"a < b and \<b>"),
        ("hidden\u202etext\u200b", "hiddentext"),
        ("two\nlines", "two lines"),
    ],
    ids=["plain", "code", "dunder", "links", "heading", "number", "math", "html", "bidi", "lines"],
)
def test_only_what_would_be_markup_is_escaped(text: str, shown: str) -> None:
    assert escape.escape_inline(text) == shown
