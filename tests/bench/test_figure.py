"""Figures: percentiles, bars and the JSON document."""

import pytest

from app.bench import figure
from app.bench.figure import Figure, Report
from app.bench.machine import Machine

MACHINE = Machine("cpu", 2, 1024, "Linux 6", "3.11.7", "3.40.1", "3.53.4", "ext4", 0.1, 0.0)


@pytest.mark.parametrize(
    ("count", "share", "expected"),
    [(100, 0.5, 50), (100, 0.95, 95), (100, 0.99, 99), (1, 0.99, 1), (3, 0.5, 2), (40, 0.95, 38), (0, 0.5, 0)],
)
def test_a_percentile_is_the_value_that_so_many_do_not_exceed(count: int, share: float, expected: int) -> None:
    values = [float(number) for number in range(count, 0, -1)]

    assert figure.find_percentile(values, share) == expected


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (Figure("rate", 6000, "events/s", bar=figure.at_least(6000)), True),
        (Figure("rate", 5999, "events/s", bar=figure.at_least(6000)), False),
        (Figure("time", 50, "ms", bar=figure.at_most(50)), True),
        (Figure("time", 50.1, "ms", bar=figure.at_most(50)), False),
        (Figure("time", 50.1, "ms"), None),
        (Figure("time", 1, "ms", bar=figure.at_most(50), faults=1), False),
        (Figure("time", 1, "ms", faults=1), False),
    ],
    ids=["at the floor", "under it", "at the top", "over it", "no bar", "a fault under a bar", "a fault without a bar"],
)
def test_a_figure_is_held_to_its_bar_and_to_faultless_answers(made: Figure, expected: object) -> None:
    assert made.is_ok is expected


def test_percentiles_carry_bar_ceiling_and_faults_at_one_place() -> None:
    made = figure.build_percentiles("time", [1.0, 2.0, 3.0], p95=figure.at_most(2), ceiling=0.5, faults=4)

    assert [each.name for each in made] == ["time_p50", "time_p95", "time_p99"]
    assert [each.bar for each in made] == [None, figure.at_most(2), None]
    assert [each.ceiling for each in made] == [None, 0.5, None]
    assert [each.faults for each in made] == [0, 4, 0]


def test_a_report_has_the_shape_that_programs_read() -> None:
    slow = Figure("time", 3.14159, "ms", bar=figure.at_most(2), ceiling=1.0, detail="how", faults=0)
    report = Report("search", (slow, Figure("plain", 1.0, "s")), MACHINE, 1.26)

    shaped = figure.shape_report(report)

    assert shaped["family"] == "search"
    assert shaped["machine"] == MACHINE
    assert shaped["figures"] == [
        {"name": "time", "value": 3.142, "unit": "ms", "bar": 2, "better": "lower", "ok": False, "ceiling": 1.0,
         "faults": 0, "detail": "how"},
        {"name": "plain", "value": 1.0, "unit": "s", "bar": None, "better": None, "ok": None, "ceiling": None,
         "faults": 0, "detail": ""},
    ]  # fmt: skip
    assert report.missed == (slow,)
