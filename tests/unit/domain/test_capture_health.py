"""Each rule by which capture counts as broken: at its bound and past it, with advice that names what to do."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.domain import capture_health, limits
from app.domain.activity import AgentActivity, Refusal
from app.domain.capture_health import Fault, FaultKind

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def row(agent: str = "codex", machine: str = "desk", **fields: object) -> AgentActivity:
    values: dict[str, object] = {
        "agent": agent,
        "owner": "ann",
        "machine": machine,
        "last_event_at": NOW,
        "events_total": 1000,
        "counted_on": date(2026, 11, 30),
        "events_on_day": 5,
        "unknown_kinds_on_day": 0,
        "unknown_kinds": 0,
        "unknown_fields": 0,
        "spooled_depth": 0,
        "spooled_oldest_s": 0,
        "lost_total": 0,
        "lost_at": None,
        "last_error": "",
    }
    return AgentActivity(**{**values, **fields})


def refusal(code: str = "token_rejected", count: int = 1, agent: str = "codex") -> Refusal:
    return Refusal(agent, "ann", "desk", count, count, NOW, code, "the token is not known")


def find(*rows: AgentActivity, refusals: tuple[Refusal, ...] = ()) -> list[FaultKind]:
    return [fault.kind for fault in capture_health.find_faults(rows, refusals, NOW)]


def test_agents_that_work_have_no_fault() -> None:
    assert find(row(), row("claude-code"), row(machine="lap")) == []
    assert find() == []


@pytest.mark.parametrize(
    ("seconds", "faults"),
    [(limits.SPOOL_WAIT_MINUTES_MAX * 60, []), (limits.SPOOL_WAIT_MINUTES_MAX * 60 + 1, [FaultKind.SPOOLED])],
)
def test_a_spool_that_waits_too_long_is_a_fault(seconds: int, faults: list[FaultKind]) -> None:
    assert find(row(spooled_depth=3, spooled_oldest_s=seconds)) == faults


def test_a_spool_waits_on_after_its_agent_was_last_heard_of() -> None:
    assert find(row(spooled_depth=3, spooled_oldest_s=500, last_event_at=NOW - 101 * SECOND)) == [FaultKind.SPOOLED]


def test_the_spool_is_the_machines_and_its_latest_report_counts() -> None:
    stale = row(spooled_depth=3, spooled_oldest_s=9999, last_event_at=NOW - DAY)

    assert find(stale, row("claude-code")) == []
    assert find(stale, row("claude-code", machine="lap")) == [FaultKind.SPOOLED]


def test_clients_that_name_no_machine_share_nothing() -> None:
    stale = row(machine="", spooled_depth=3, spooled_oldest_s=9999)

    assert find(stale, row("claude-code", machine="", last_event_at=NOW + SECOND)) == [FaultKind.SPOOLED]


@pytest.mark.parametrize(("age", "faults"), [(6 * DAY, [FaultKind.LOST]), (limits.LOSS_SHOWN_DAYS * DAY, [])])
def test_a_loss_is_a_fault_for_some_days(age: timedelta, faults: list[FaultKind]) -> None:
    assert find(row(lost_total=2, lost_at=NOW - age)) == faults


@pytest.mark.parametrize(
    ("silence", "events", "faults"),
    [
        (limits.SILENT_DAYS_MIN * DAY, 1000, []),
        (limits.SILENT_DAYS_MIN * DAY + SECOND, 1000, [FaultKind.SILENT]),
        (limits.SILENT_DAYS_MIN * DAY + SECOND, limits.SEEN_OFTEN_EVENTS_MIN - 1, []),
        (limits.SILENT_DAYS_MAX * DAY, 1000, [FaultKind.SILENT]),
        (limits.SILENT_DAYS_MAX * DAY + SECOND, 1000, []),
    ],
)
def test_an_agent_that_fell_silent_while_others_work_is_a_fault(
    silence: timedelta, events: int, faults: list[FaultKind]
) -> None:
    assert find(row(last_event_at=NOW - silence, events_total=events), row("claude-code")) == faults


def test_silence_of_everybody_is_a_holiday() -> None:
    silent = NOW - 4 * DAY

    assert find(row(last_event_at=silent), row("claude-code", last_event_at=silent)) == []
    assert find(row(last_event_at=silent), row("claude-code", owner="bob")) == []


def test_a_machine_that_was_given_up_is_not_silent() -> None:
    assert find(row(machine="old", last_event_at=NOW - 4 * DAY), row(machine="new")) == []


def test_a_refusal_of_the_last_hour_is_a_fault_with_what_to_do() -> None:
    (fault,) = capture_health.find_faults([], [refusal()], NOW)

    assert (fault.kind, fault.agent, fault.machine) == (FaultKind.REFUSED, "codex", "desk")
    assert "token rejected" in fault.text
    assert "MEMWIKI_ACCESS_TOKEN" in fault.advice
    assert find(refusals=(refusal(count=0),)) == []


def test_odd_events_are_a_fault_only_when_they_are_several() -> None:
    enough = limits.REFUSED_CONTENTS_MIN

    assert find(refusals=(refusal("malformed_payload", enough - 1),)) == []
    assert find(refusals=(refusal("malformed_payload", enough),)) == [FaultKind.REFUSED]


def test_a_policy_that_cannot_be_read_is_the_worst_fault() -> None:
    lost = row(lost_total=1, lost_at=NOW)

    assert find(lost, refusals=(refusal("policy_unreadable"),)) == [FaultKind.POLICY_UNREADABLE, FaultKind.LOST]


@pytest.mark.parametrize("count", [limits.UNKNOWN_KINDS_PER_DAY_MAX - 1, limits.UNKNOWN_KINDS_PER_DAY_MAX])
def test_many_unknown_kinds_of_one_day_are_a_fault(count: int) -> None:
    expected = [FaultKind.UNKNOWN_KINDS] if count >= limits.UNKNOWN_KINDS_PER_DAY_MAX else []

    assert find(row(unknown_kinds_on_day=count, unknown_kinds=count)) == expected
    assert find(row(unknown_kinds_on_day=count, counted_on=date(2026, 11, 29))) == []


def test_the_notice_is_of_the_agent_that_starts_if_it_can_be() -> None:
    rows = [row(lost_total=1, lost_at=NOW), row("claude-code", machine="lap", lost_total=7, lost_at=NOW)]
    faults = capture_health.find_faults(rows, [], NOW)

    assert "lost 7 events" in capture_health.choose_notice(faults, "claude-code", "ann")
    assert "lost 1 event," in capture_health.choose_notice(faults, "codex", "ann")
    assert capture_health.choose_notice(faults, "gemini", "ann")


def test_the_notice_is_one_line_and_never_of_another_person_or_of_unknown_kinds() -> None:
    faults = capture_health.find_faults([row(lost_total=1, lost_at=NOW)], [], NOW)
    unknown = capture_health.find_faults([row(unknown_kinds_on_day=999)], [], NOW)

    assert capture_health.choose_notice(faults, "codex", "bob") == ""
    assert capture_health.choose_notice(unknown, "codex", "ann") == ""
    assert "\n" not in capture_health.choose_notice(faults, "codex", "ann")


def test_what_this_machine_knows_itself_is_told_before_the_server_hears_of_it() -> None:
    def find_local(waiting_s: int, depth: int, *unreadable: str) -> list[Fault]:
        return list(capture_health.find_local_faults("desk", waiting_s=waiting_s, depth=depth, unreadable=unreadable))

    assert find_local(9999, 0) == find_local(60, 3) == []
    assert [fault.kind for fault in find_local(9999, 3)] == [FaultKind.SPOOLED]
    (fault,) = find_local(0, 0, "/home/ann/shop/.memwiki.toml: it is no TOML")
    assert "/home/ann/shop/.memwiki.toml" in fault.text


def test_every_refused_advice_is_a_whole_instruction() -> None:
    for code in ("token_rejected", "host_refused", "policy_unreadable", "unknown_agent"):
        (fault,) = capture_health.find_faults([], [refusal(code)], NOW)
        assert len(str(fault).split()) > 12
