"""Pages of things say what these depend on and cause, and follow a rename that git reported."""

from datetime import timedelta

from app.compile import learning, session_end
from app.domain.page import Page, PageKind
from app.index import catalog
from app.index.filters import PageFilter
from tests.compile import builders
from tests.compile.builders import PROJECT, START, House, Script


def teach(house: House, script: Script, number: int) -> None:
    moment = START + timedelta(days=number)
    session = house.add_session(builders.session(number, started_at=moment, last_event_at=moment))
    shifted = [
        builders.replace(event, occurred_at=moment + timedelta(seconds=at)) for at, event in enumerate(script.events)
    ]
    house.observe(session, shifted)
    session_end.compile_session(house.parts, session.id)
    learning.learn_session(house.parts, session.id)


def find_concept(house: House, title: str) -> Page:
    wanted = PageFilter((PROJECT.scope,), kinds=(PageKind.CONCEPT,))
    rows = house.parts.wiki.index.read(lambda conn: catalog.list_pages(conn, wanted, 100))
    (found,) = [row for row in rows if row.title == title]
    return house.parts.wiki.read_page(PROJECT.scope, found.path)


def work(said: str = "Done.") -> Script:
    return Script().ask("Mend the totals.").edit("shop/tax.py", "shop/basket.py").report(said).end()


def test_a_thing_that_was_said_to_depend_on_another_is_tied_to_its_page(house: House) -> None:
    for number in (1, 2, 3):
        teach(house, work(), number)
    teach(house, work("`basket.py` depends on `tax.py` for the rates."), 4)

    basket, tax = find_concept(house, "shop/basket.py"), find_concept(house, "shop/tax.py")

    assert basket.fields["relations"] == {"depends_on": [tax.path]}
    assert "`basket.py` depends on `tax.py` for the rates." in basket.body
    assert "(o15)" in basket.body
    assert "relations" not in tax.fields


def test_a_file_named_as_the_cause_of_an_error_leads_to_its_page(house: House) -> None:
    error = "ModuleNotFoundError: No module named 'shop.rates'"
    for number in (1, 2):
        teach(house, work(), number)
    script = Script().ask("Build it.").run("make build", error, failed=True).edit("shop/tax.py")
    teach(house, script.run("make build", "ok").report("The cause was that tax.py named a module `shop.rates`."), 3)

    tied = find_concept(house, "shop/tax.py").fields["relations"]

    assert isinstance(tied, dict)
    (path,) = tied["causes"]
    assert path.startswith("gotchas/")


def test_a_rename_that_only_git_reported_keeps_one_page(house: House) -> None:
    for number in (1, 2, 3):
        teach(house, work(), number)
    before = find_concept(house, "shop/tax.py")

    moved = Script().ask("Commit it.").run("git commit -m x", " rename shop/{tax.py => rates.py} (98%)")
    teach(house, moved.edit("shop/rates.py").report("Done.").end(), 4)

    after = house.parts.wiki.read_page(PROJECT.scope, before.path)
    assert after.id == before.id
    assert "Before, it was called `shop/tax.py`." in after.body
    assert "file:shop/rates.py" in str(after.fields["entities"])
