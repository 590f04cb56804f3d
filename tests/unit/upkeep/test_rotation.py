"""Which backups of a schedule stay."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.upkeep.rotation import KeptBackups, decide_kept

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_the_last_of_each_day_week_and_month_stays() -> None:
    moments = [NOON - timedelta(hours=6 * number) for number in range(4 * 400)]

    kept = sorted(decide_kept(moments, KeptBackups(daily=7, weekly=4, monthly=12)), reverse=True)

    assert kept[0] == NOON
    assert [moment.date() for moment in kept[:7]] == [(NOON - timedelta(days=day)).date() for day in range(7)]
    assert len({(moment.year, moment.month) for moment in kept}) == 12
    assert len(kept) == 7 + 2 + 11


def test_days_without_a_backup_do_not_count() -> None:
    moments = [NOON - timedelta(days=30 * number) for number in range(5)]

    assert decide_kept(moments, KeptBackups(daily=3, weekly=0, monthly=0)) == set(moments[:3])


@given(
    st.sets(st.datetimes(timezones=st.just(UTC)), min_size=1), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)
)
def test_the_newest_always_stays_and_nothing_is_kept_that_is_not_there(
    moments: set[datetime], daily: int, weekly: int, monthly: int
) -> None:
    kept = decide_kept(moments, KeptBackups(daily, weekly, monthly))

    assert max(moments) in kept
    assert kept <= moments
    assert len(kept) <= 1 + daily + weekly + monthly
