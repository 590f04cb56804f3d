"""Pages say when, how much and how large in words, and mark what was left out."""

from datetime import UTC, datetime, timedelta

import pytest

from app.entrypoints.web import wording

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(hours=25), "yesterday"),
        (timedelta(days=12), "12 days ago"),
    ],
    ids=lambda value: str(value).replace(" ", "-"),
)
def test_how_long_ago_something_was_is_said_in_words(ago: timedelta, said: str) -> None:
    assert wording.tell_since(NOW - ago, NOW) == said


def test_a_time_carries_the_exact_moment() -> None:
    shown = wording.render_age(NOW - timedelta(hours=2), NOW)

    assert shown == (
        '<time datetime="2026-11-30T10:00:00Z" title="30 Nov 2026, 10:00:00 UTC" data-shows="age">2 hours ago</time>'
    )
    assert wording.render_age(None, NOW) == ""


@pytest.mark.parametrize(
    ("size", "said"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (2_706_688, "2.7 MB"), (345_000_000, "345 MB"),
     (10**13, "10.0 TB")],
    ids=str,
)  # fmt: skip
def test_sizes_have_units(size: int, said: str) -> None:
    assert wording.tell_size(size) == said


def test_what_was_left_out_is_marked_and_the_rest_is_escaped() -> None:
    shown = wording.render_inline("<b> `x<y` [redacted:github-token] [redacted:<i>]")

    assert shown.startswith('&lt;b&gt; <code>x&lt;y</code> <span class="redacted"')
    assert "[redacted:github-token]</span> [redacted:&lt;i&gt;]" in shown
    assert wording.render_inline("odd ` tick <") == "odd ` tick &lt;"


@pytest.mark.parametrize(
    ("text", "shown", "plain"),
    [("a `b` c", "a <code>b</code> c", "a b c"), ("a `b …", "a <code>b</code> …", "a b …"),
     ("a `b…", "a <code>b</code>…", "a b…"), ("a `…", "a …", "a …"), ("a ` b", "a ` b", "a ` b")],
)  # fmt: skip
def test_code_is_set_as_code_or_without_its_ticks_also_where_it_is_cut(text: str, shown: str, plain: str) -> None:
    assert wording.render_inline(text) == shown
    assert wording.tell_plainly(text) == plain


@pytest.mark.parametrize(
    ("text", "shown", "plain"),
    [("**a <b>** c", "<strong>a &lt;b&gt;</strong> c", "a <b> c"), ("`**a**` b", "<code>**a**</code> b", "**a** b"),
     ("2**3 and **b", "2**3 and **b", "2**3 and **b"), ("f(**a, **b)", "f(**a, **b)", "f(**a, **b)")],
)  # fmt: skip
def test_strong_words_are_strong_or_without_their_asterisks(text: str, shown: str, plain: str) -> None:
    assert wording.render_inline(text) == shown
    assert wording.tell_plainly(text) == plain


def test_what_matched_is_marked_within_code_and_across_its_end() -> None:
    text = "use `a<b` x"
    at = text.index("b`")

    assert wording.mark_snippet(text, [(at, at + 3), (0, 3)][::-1]) == (
        "<mark>use</mark> <code>a&lt;<mark>b</mark></code><mark> </mark>x"
    )
    assert wording.mark_snippet("odd ` tick", [(0, 3)]) == "<mark>odd</mark> ` tick"
    # Cut out of `x = 1` and `y`: what stands between the two is no code.
    assert wording.mark_snippet("= 1` and `y` then", [(5, 8)]) == "= 1` <mark>and</mark> <code>y</code> then"
