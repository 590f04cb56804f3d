"""Plans of page changes: what is refused, what is done, and what is held for a person."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.compile import page_parts
from app.compile import plan as plans
from app.compile.page_parts import PagePart
from app.compile.plan import ChangeAction, PageChange, PagePlan
from app.domain.knowledge_errors import PlanRefused
from app.domain.page import ContentHash, Page, PageKind, PagePath
from app.domain.scope import Scope

PATH = PagePath("gotchas/a.md")
PARTS = (PagePart("", "# A\n\nLead."), PagePart("Fix", "Do it."), PagePart("Evidence", "- one"))
SEEN = ContentHash("a" * 64)


def page(body: str, **fields: object) -> Page:
    return Page(Scope("main", "shop"), PATH, PageKind.GOTCHA, "A", body, SEEN, fields=fields)


def written(**fields: object) -> Page:
    """A page as a plan has written it."""
    plan = plans.list_changes(None, PATH, {"title": "A"}, PARTS)
    decided = plans.decide_changes(None, plan.changes)
    return page(decided.body, **decided.fields, **fields)


CREATE = PageChange(ChangeAction.CREATE, PATH, "# A\n")
REPLACE = PageChange(ChangeAction.REPLACE_SECTION, PATH, "Text.", "Fix", SEEN)
BAD = {
    "outside": replace(CREATE, path=PagePath("../a.md")),
    "of-a-session": replace(CREATE, path=PagePath("sessions/a.md")),
    "the-manifest": replace(CREATE, path=PagePath("project.md")),
    "empty": replace(CREATE, text=" \n"),
    "new-on-an-old-text": replace(CREATE, expected=SEEN),
    "old-on-no-text": replace(REPLACE, expected=ContentHash("")),
    "two-lines-of-heading": replace(REPLACE, heading="a\nb"),
    "a-section-in-a-section": replace(REPLACE, text="a\n\n## b\n\nc"),
    "pins": replace(CREATE, fields={"pinned": True}),
    "too-long": replace(CREATE, text="x" * 70_000),
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD.keys())
def test_a_plan_with_one_bad_change_is_refused(change: PageChange) -> None:
    with pytest.raises(PlanRefused):
        plans.check_plan(PagePlan("why", (CREATE, change)))


def test_a_plan_that_was_written_down_is_read_again_and_checked() -> None:
    plan = PagePlan("why", (CREATE, REPLACE))

    assert plans.parse_plan(plans.render_plan(plan)) == plan
    with pytest.raises(PlanRefused):
        plans.parse_plan('{"reason": "x", "changes": [{"action": "delete", "path": "a.md", "text": "x"}]}')


def test_a_page_as_it_should_be_needs_no_change() -> None:
    assert plans.list_changes(written(), PATH, {"title": "A"}, PARTS).changes == ()


def test_only_the_sections_that_differ_change() -> None:
    present = written()
    wanted = (PARTS[0], PagePart("Fix", "Do that."), PARTS[2])

    plan = plans.list_changes(present, PATH, {}, wanted)
    decided = plans.decide_changes(present, plan.changes)

    assert [change.heading for change in plan.changes] == ["Fix"]
    assert decided.body == present.body.replace("Do it.", "Do that.")


HELD = {
    "pinned": (written(pinned=True), "the page is pinned"),
    "hand-written": (page("# A\n\n## Fix\n\nMine.\n"), "a person wrote the page"),
    "changed": (
        replace(written(), body=written().body.replace("Do it.", "Do mine.")),
        "a person changed the section Fix",
    ),
    "removed": (replace(written(), body="# A\n\nLead.\n\n## Evidence\n\n- one\n"), "a person removed the section Fix"),
}


@pytest.mark.parametrize(("present", "reason"), HELD.values(), ids=HELD.keys())
def test_what_is_a_persons_is_held(present: Page, reason: str) -> None:
    assert plans.explain_hold(present, REPLACE) == reason
    assert plans.decide_changes(present, [REPLACE]).ask == reason
    assert plans.decide_changes(present, [REPLACE], has_persons_word=True).ask == ""


@given(st.text(alphabet="#` \n\r~ab", max_size=200))
def test_parts_joined_are_the_text_again(body: str) -> None:
    assert "".join(part.text for part in page_parts.split_parts(body)) == body
