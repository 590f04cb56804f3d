"""The one decision about who may do what."""

import pytest

from app.access import grants
from app.domain.person import Access, Act, Principal, Right, Rights, Sight
from app.domain.person_errors import ActDenied
from app.domain.scope import Scope

OPEN, CLOSED = (("open", Scope("main", "open")), ("closed", Scope("main", "closed")))
MEMBER = Rights(restricted=frozenset({"closed"}))
CAPTURE, READ, WRITE, MANAGE, ADMINISTER = Act


def grant(access: Access) -> Rights:
    return Rights(restricted=frozenset({"closed"}), granted={"closed": access})


@pytest.mark.parametrize(
    ("rights", "open_acts", "closed_acts"),
    [
        (MEMBER, {CAPTURE, READ, WRITE}, set()),
        (grant(Access.READ), {CAPTURE, READ, WRITE}, {READ}),
        (grant(Access.WRITE), {CAPTURE, READ, WRITE}, {CAPTURE, READ, WRITE}),
        (grant(Access.MANAGE), {CAPTURE, READ, WRITE}, {CAPTURE, READ, WRITE, MANAGE}),
        (Rights(is_admin=True, restricted=frozenset({"closed"})), set(Act), set(Act)),
        (Rights(only=frozenset({"open"})), {CAPTURE, READ, WRITE}, set()),
        (Rights(is_admin=True, only=frozenset({"closed"})), set(), {CAPTURE, READ, WRITE, MANAGE}),
        (Rights(is_admin=True, uses=frozenset({Right.READ})), {READ}, {READ}),
        (Rights(uses=frozenset({Right.CAPTURE})), {CAPTURE}, {CAPTURE}),
        (Rights(uses=frozenset()), set(), set()),
    ],
    ids=["member", "reader", "writer", "manager", "admin", "of-open", "admin-of-closed", "look", "hook", "nothing"],
)
def test_what_may_be_done_in_an_open_and_in_a_restricted_project(
    rights: Rights, open_acts: set[Act], closed_acts: set[Act]
) -> None:
    assert {act for act in Act if grants.decide(rights, act, "open")} == open_acts
    assert {act for act in Act if grants.decide(rights, act, "closed")} == closed_acts


def test_a_refusal_names_the_act() -> None:
    with pytest.raises(ActDenied) as refused:
        grants.check(Principal("ann", MEMBER), Act.WRITE, "closed")

    assert refused.value.act == "write"


def test_a_member_sees_what_may_be_read_and_an_administrator_all() -> None:
    seen = grants.build_sight(MEMBER, [OPEN, CLOSED])

    assert seen == Sight(frozenset({"open"}), frozenset({Scope("main", "open")}))
    assert grants.build_sight(Rights(is_admin=True), [OPEN, CLOSED]) == Sight()
    assert not grants.build_sight(Rights(is_admin=True, uses=frozenset({Right.CAPTURE})), [OPEN]).project_ids


def test_a_project_that_comes_later_takes_what_members_send() -> None:
    for rights, takes in ((MEMBER, False), (grant(Access.READ), False), (grant(Access.WRITE), True)):
        reach = grants.build_reach(rights)
        assert (reach.takes("closed"), reach.takes("new"), reach.takes("")) == (takes, True, True)


def test_a_token_for_some_projects_makes_no_new_one() -> None:
    reach = grants.build_reach(Rights(only=frozenset({"open"})))

    assert [reach.takes(project_id) for project_id in ("open", "closed", "")] == [True, False, False]


@pytest.mark.parametrize(
    ("given", "expanded"),
    [
        ({Right.CAPTURE}, {Right.CAPTURE}),
        ({Right.WRITE}, {Right.READ, Right.WRITE}),
        ({Right.CAPTURE, Right.WRITE}, {Right.CAPTURE, Right.READ, Right.WRITE}),
        ({Right.ADMIN}, set(Right)),
        (set(), set()),
    ],
    ids=["capture", "write", "both", "admin", "none"],
)
def test_rights_include_lesser_ones_but_never_capture(given: set[Right], expanded: set[Right]) -> None:
    assert grants.expand_rights(given) == expanded
