"""A part of a page: by lines, or by a heading as it stands there or as a link names it."""

import pytest

from app.domain.errors import InvalidValue
from app.domain.page import ContentHash, Page, PageKind, PagePath
from app.domain.scope import Scope
from app.wiki import parts

BODY = """# Setup
Intro.

## First steps ##
Install it.
```sh
# Not a heading
```
### Inside
More.
## Last
End."""


def find(asked: str, body: str = BODY) -> tuple[int, int]:
    page = Page(
        scope=Scope("main", "home"), path=PagePath("a.md"), kind=PageKind.NOTE, title="Setup", body=body,
        content_hash=ContentHash(""),
    )  # fmt: skip
    part = parts.find_part(page, asked)
    assert part.text == "\n".join(body.splitlines()[part.first - 1 : part.last])
    return part.first, part.last


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        pytest.param("2", (2, 2), id="one-line"),
        pytest.param("2-4", (2, 4), id="range"),
        pytest.param("L2-L4", (2, 4), id="as-links-write-it"),
        pytest.param("11-", (11, 12), id="to-the-end"),
        pytest.param("11-900", (11, 12), id="past-the-end"),
        pytest.param("First steps", (4, 10), id="heading"),
        pytest.param("## first STEPS", (4, 10), id="marks-and-case"),
        pytest.param("#first-steps", (4, 10), id="anchor"),
        pytest.param("Inside", (9, 10), id="below"),
        pytest.param("Setup", (1, 12), id="all-below"),
        pytest.param("Last", (11, 12), id="last"),
    ],
)
def test_a_part_is_found(asked: str, lines: tuple[int, int]) -> None:
    assert find(asked) == lines


@pytest.mark.parametrize("asked", ["0", "13", "4-2", "Not a heading", "nowhere", "#"])
def test_what_is_not_there_is_said_with_what_is(asked: str) -> None:
    with pytest.raises(InvalidValue):
        find(asked)


def test_a_page_without_text_has_no_part() -> None:
    with pytest.raises(InvalidValue):
        find("1", "")
