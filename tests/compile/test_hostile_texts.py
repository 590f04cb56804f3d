"""Texts that no person writes, in all that a session says: pages and lessons are made of them without a standstill."""

import pytest

from app.compile import learning, session_end
from app.domain.limits import SESSION_PAGE_BYTES_MAX
from app.domain.page import PagePath
from tests.compile import builders
from tests.compile.builders import PROJECT, House, Script

# As long as what is kept of a prompt. What reads one of these again from every character would outlast the test.
LENGTH = 32_000
TEXTS = {
    "letters": "a",
    "path": "a/",
    "dotted": "a.b",
    "dashes": "-",
    "blanks": " ",
    "lines": "\n",
    "backticks": "`",
    "brackets": "[[",
    "quotes": '"a',
    "parentheses": "(",
    "digits": "1",
    "capitals": "A-",
    "colons": "a:",
    "stars": "*",
    "pipes": "|a",
    "angles": "<",
    "equals": "a=",
    "sentences": "Because a. ",
    "numbered": "1. ",
    "unspaced": "\u4e00",
    "stops": "!",
    "unspaced sentences": "\u4e00\u3002",
    "headings": "# ",
    "tasks": "- [ ] a\n",
    "addresses": "https://a",
    "lines of a trace": 'File "a.py", line 1\n',
    "errors": "Error: ",
    "instead": "use a instead of b ",
    "options": "--a ",
    "shell": "a && ",
    "hashes": "abcdef1 ",
    "commas": "a,",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_goes_on_for_ever_is_read_once(house: House, name: str) -> None:
    unit = TEXTS[name]
    text = (unit * (LENGTH // len(unit)))[:LENGTH]
    script = Script().ask(f"Make it green. {text}").run(f"pytest {text}", text, failed=True).edit("shop/tax.py")
    script.run("pytest", text).report(f"Done. {text}").ask(text).report(text).end()
    session = house.add_session(builders.session(1))
    house.observe(session, script.events)

    report = session_end.compile_session(house.parts, session.id)
    learning.learn_session(house.parts, session.id)

    assert report.path
    page = house.parts.wiki.read_page(PROJECT.scope, PagePath(report.path))
    assert "shop/tax.py" in page.body
    assert len(page.body.encode()) <= SESSION_PAGE_BYTES_MAX
