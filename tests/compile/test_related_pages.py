"""Session pages lead to what else is known about the files that the session changed."""

from dataclasses import replace
from datetime import timedelta

from app.compile import session_end
from app.domain.page import PagePath
from app.domain.redact import redact_text
from app.wiki.pages import Byline
from tests.compile import builders
from tests.compile.builders import PROJECT, START, House, Script

SCOPE = PROJECT.scope


def save(house: House, path: str, body: str) -> None:
    fields = {"type": "gotcha", "title": "Baskets are lazy"}
    house.parts.wiki.save_generated(SCOPE, PagePath(path), fields, redact_text(body), Byline("ann", "Save", ""))


def compile_script(house: House, script: Script, number: int) -> str:
    """Compile a session that began `number` days after the first."""
    moment = START + timedelta(days=number)
    session = house.add_session(builders.session(number, started_at=moment, last_event_at=moment))
    house.observe(session, (replace(event, occurred_at=moment) for event in script.events))
    path = session_end.compile_session(house.parts, session.id).path
    page = house.parts.wiki.find_page(SCOPE, PagePath(path))
    assert page is not None
    return page.body


def test_a_page_leads_to_knowledge_about_its_files_and_to_earlier_sessions(house: House) -> None:
    save(house, "gotchas/lazy-baskets.md", "In `shop/basket.py` nothing is loaded before it is asked for.")
    save(house, "gotchas/other.md", "In `shop/voucher.py` all is well.")
    compile_script(house, Script().ask("Reject empty baskets.").edit("shop/basket.py"), 1)

    body = compile_script(house, Script().ask("Greet the guests.").edit("shop/basket.py").edit("guest.py"), 2)

    related = body.partition("## Related pages")[2].partition("##")[0]
    assert "- [[gotchas/lazy-baskets.md]] Baskets are lazy, about `shop/basket.py` [^o" in related
    assert "Reject empty baskets, about `shop/basket.py`" in related
    assert "gotchas/other.md" not in related


def test_a_session_without_files_leads_nowhere(house: House) -> None:
    save(house, "gotchas/lazy-baskets.md", "In `shop/basket.py` nothing is loaded before it is asked for.")

    assert "Related pages" not in compile_script(house, Script().ask("What is a basket?").report("A list."), 1)


def test_what_came_later_is_not_led_to(house: House) -> None:
    compile_script(house, Script().ask("Reject empty baskets.").edit("shop/basket.py"), 9)

    assert "Related pages" not in compile_script(house, Script().ask("Greet the guests.").edit("shop/basket.py"), 1)
