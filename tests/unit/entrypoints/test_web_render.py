"""Markdown as HTML: links, callouts and evidence are live, and nothing that could run or load is left."""

import re

import pytest

from app.domain import limits_web
from app.domain.page import Link
from app.entrypoints.web import render
from app.entrypoints.web.render import Surroundings

KNOWN = {"notes/setup.md": "/p/main/shop/page/notes/setup.md", "setup": "/p/main/shop/page/notes/setup.md"}


def resolve(link: Link) -> str:
    return KNOWN.get(link.target, "")


def show(text: str, session_url: str = "") -> str:
    return render.render_body(text, Surroundings(resolve, session_url)).body


def test_wikilinks_lead_to_pages_that_are_there() -> None:
    shown = show("See [[setup|how to]] and [[nowhere]].")

    assert 'href="/p/main/shop/page/notes/setup.md"' in shown
    assert ">how to</a>" in shown
    assert '<span class="missing">nowhere</span>' in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("[[setup]]", "L"), ("[[setup|how]] How to `do` it", "<a>how</a> How to <code>do</code> it"),
     ("12:05 [[setup]] How to `do` it: Done.", "12:05 L: Done."),
     ("in [[setup]] (How to `do` it) (o12).", "in L (o12)."),
     ("[[setup]]: How to `do` it; it was changed", "L: it was changed"), ("[[setup]] Howto", "L Howto"),
     ("[[nowhere]] How to", '<span class="missing">nowhere</span> How to')],
    ids=str,
)  # fmt: skip
def test_a_page_is_called_by_its_title_once(text: str, shown: str) -> None:
    around = Surroundings(resolve, name=lambda _: "How to `do` it")

    found = render.render_body(text, around).body

    found = re.sub(r"<a [^>]*>", "<a>", found)
    assert found == f"<p>{shown}</p>\n".replace("L", "<a>How to <code>do</code> it</a>")


def test_what_sessions_taught_opens_the_moments_that_it_rests_on() -> None:
    around = Surroundings(resolve, sources=((12, 20, "/sessions/s1"), (30, 31, "/sessions/s2")))

    shown = render.render_body("Failed (o12-o15), passed (o31); [see (o13)](setup) `(o12)` (o99) (o1x)\n", around).body

    assert 'Failed <a class="evidence" href="/sessions/s1?at=12#o12"' in shown
    assert '>o12-o15</a>, passed <a class="evidence" href="/sessions/s2?at=31#o31"' in shown
    assert ">see (o13)</a> <code>(o12)</code> (o99) (o1x)" in shown


def test_relative_links_lead_to_pages_and_lost_ones_are_text() -> None:
    shown = show("[there](notes/setup.md#Next-steps) [lost](notes/none.md)")

    assert 'href="/p/main/shop/page/notes/setup.md#h-next-steps"' in shown
    assert "notes/none.md" not in shown


def test_evidence_opens_its_observation_with_what_it_was() -> None:
    shown = show("It failed. [^o34] Then more. [^o8-12]\n\n[^o34]: 12:57:25, Bash, failed\n", "/sessions/s1")

    assert 'href="/sessions/s1?at=34#o34"' in shown
    assert 'title="12:57:25, Bash, failed"' in shown
    assert 'href="/sessions/s1?at=8#o8"' in shown
    assert "[^o34]" not in shown


def test_a_callout_keeps_its_kind_title_and_text() -> None:
    shown = show("> [!warning] Mind the gap\n> Deep.\n")

    assert 'class="callout callout-warning"' in shown
    assert "<strong>Mind the gap</strong>" in shown
    assert "Deep." in shown


def test_tables_tasks_and_code_are_shown() -> None:
    shown = show("| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n```python\ndef f(): pass\n```\n")

    assert "<td>1</td>" in shown
    assert (shown.count("\u2611"), shown.count("\u2610")) == (1, 1)
    assert '<span class="k">def</span>' in shown


def test_the_code_of_a_diagram_is_marked_as_such_and_stays_code() -> None:
    shown = show("```mermaid\ngraph LR; a --> b\n```\n\n```mermaids\nx\n```\n")

    assert '<pre class="highlight diagram" tabindex="0"><code>graph LR; a --&gt; b\n</code></pre>' in shown
    assert shown.count("diagram") == 1


def test_headings_have_anchors_that_differ() -> None:
    found = render.render_body("## Same\n\n## Same\n", Surroundings(resolve)).headings

    assert [heading.anchor for heading in found] == ["h-same", "h-same-2"]


def test_what_is_too_long_is_counted() -> None:
    text = "line\n" * (limits_web.RENDERED_CHARS_MAX // 5 + 100)

    rendered = render.render_body(text, Surroundings(resolve))

    assert rendered.omitted_chars == 500
    assert len(text) - rendered.omitted_chars <= limits_web.RENDERED_CHARS_MAX


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/pixel.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "<a href='javascript&colon;alert(1)'>x</a>",
    "<svg onload=alert(1)><circle/></svg>",
    "<iframe src=https://evil.example></iframe>",
    "<object data=https://evil.example></object><embed src=x>",
    "<form action=https://evil.example><button>go</button></form>",
    "<style>body{background:url(https://evil.example)}</style>",
    "<div style='background:url(https://evil.example)'>x</div>",
    "<link rel=stylesheet href=https://evil.example>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<base href=https://evil.example>",
    "<video src=https://evil.example autoplay></video>",
    "<details ontoggle=alert(1) open>x</details>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<template><script>alert(1)</script></template>",
    "<div hx-get=https://evil.example hx-trigger=load>x</div>",
    "<div data-hx-get=/handoffs/1/cancel>x</div>",
    "<input type=password name=q autofocus onfocus=alert(1)>",
    "[[x|<script>alert(1)</script>]]",
    '```"><script>alert(1)</script>\ncode\n```',
    "| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |",
    "[^1]\n\n[^1]: <img src=x onerror=alert(1)>",
    "> [!note] <img src=x onerror=alert(1)>",
    "<p class='notice bad' id='main'>Sign in again</p>",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_runs_loads_or_imitates_our_controls(text: str) -> None:
    shown = show(text)
    tags = " ".join(re.findall(r"<[^>]*>", shown)).lower()

    assert not re.search(r"<(script|img|svg|iframe|object|embed|form|style|link|meta|base|video|template|math)\b", tags)
    assert not re.search(r"\s(on\w+|style|src|srcset|action|formaction|hx-[\w-]+|data-[\w-]+|name)\s*=", tags)
    assert "javascript" not in tags
    assert 'href="data:' not in tags
    assert "<input" not in tags
    assert "notice" not in tags
    assert 'id="main"' not in tags


@pytest.mark.parametrize("unit", ["a:", "Error: ", "- [ ] a\n", "# a\n"], ids=["colons", "words", "tasks", "headings"])
def test_a_text_that_goes_on_for_ever_is_rendered_in_one_go(unit: str) -> None:
    text = (unit * limits_web.RENDERED_CHARS_MAX)[: limits_web.RENDERED_CHARS_MAX]

    shown = show(text)

    assert len(shown) >= limits_web.RENDERED_CHARS_MAX // 2


def test_boxes_stand_only_at_the_beginning_of_an_items_text() -> None:
    shown = show("- [ ] open\n- [x] done\n  1. [X] inner\n- [x](https://x.test) link\n- a [ ] b\n\n[ ] no item\n")

    assert re.findall(r'title="(open|done)"', shown) == ["open", "done", "done"]
    assert shown.count('class="task-list-item"') == 3
    assert shown.count('class="contains-task-list"') == 1
    assert "a [ ] b" in shown
    assert "[ ] no item" in shown


def test_headings_alike_have_anchors_of_their_own() -> None:
    shown = render.render_body("# a\n# a\n# a 2\n# a\n# a-2\n", Surroundings(resolve))

    assert len({heading.anchor for heading in shown.headings}) == 5
    assert [heading.anchor for heading in shown.headings][:2] == ["h-a", "h-a-2"]


def test_the_columns_of_a_table_stand_as_they_are_told_to() -> None:
    shown = show("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |\n")

    assert '<th class="left">a</th>' in shown
    assert '<td class="center">2</td>' in shown
    assert '<td class="right">3</td>' in shown
    assert "style" not in shown


def test_what_was_redacted_is_marked_as_left_out() -> None:
    shown = show("Use [redacted:github-token], not [redacted:Not One] or `[redacted:url-password]`.")

    assert shown.count('class="redacted"') == 1
    assert ">[redacted:github-token]</span>" in shown


def test_code_in_the_label_of_a_wikilink_is_code() -> None:
    assert ">make <code>pytest</code> green</a>" in show("[[setup|make `pytest` green]]")
    assert ">odd ` tick</a>" in show("[[setup|odd ` tick]]")


def test_a_text_among_others_has_no_anchors() -> None:
    shown = render.render_body("# One\n\n## Two\n", Surroundings(resolve, has_anchors=False))

    assert "id=" not in shown.body
    assert shown.headings == ()
