"""Figures of recorded numbers: they draw what the table has; titles and verdicts say what these numbers say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpot_app.views.papers.figures import recorded_figure
from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.row import Curves, Number

WITH = [key for key, row in ROWS.items() if row.curves is not None]


def curves_of(key: str) -> Curves:
    curves = ROWS[key].curves
    assert curves is not None
    return curves


def saved(key: str, ending: str) -> dict[float, int]:
    """By how many percent projecting lowers the mean cost, by value of the axis."""
    curves, numbers = curves_of(key), stored(ROWS[key])
    (at, ours), (_, plain) = (curves.along(name, ending, numbers) for name in curves.compared)
    return {x: round(100 * (1 - a.value / b.value)) for x, a, b in zip(at, ours, plain, strict=True)}


@pytest.mark.parametrize("key", WITH)
def test_figure_and_table_have_the_same_numbers(key: str) -> None:
    numbers = stored(ROWS[key])
    traces = recorded_figure(curves_of(key), numbers).to_dict()["data"]
    drawn = {pair for trace in traces for pair in zip(trace["y"], trace["error_y"]["array"], strict=True)}
    assert drawn == {(one.value, one.spread) for one in numbers.values()}
    assert len({one.runs for one in numbers.values()}) == 1, "the axis names one number of runs"


def test_its_title_counts_in_each_panel() -> None:
    curves = replace(curves_of("barycenters-fig2a"), panels={"": "one", ", wide": "other"})
    numbers = {
        f"{name}, n = {n}{ending}": Number(value, 0.1, 30)
        for ending, last in (("", 4.0), (", wide", 2.0))
        for name, at_first, at_last in (
            ("projected", 2.0, 3.0),
            ("not projected", 3.0, last),
            ("non-private", 1.0, 1.0),
        )
        for n, value in (("50", at_first), ("1,600", at_last))
    }
    assert curves.along("projected", ", wide", numbers)[0] == [50.0, 1600.0]
    title = recorded_figure(curves, numbers).to_dict()["layout"]["title"]["text"]
    assert "at all 2 values of n (one) and 1 of 2 values of n (other) (simulated)" in title


def test_the_coreset_is_cheaper_at_every_number_of_people_and_the_perturbation_never_as_good_as_no_privacy() -> None:
    for key in ("barycenters-fig4", "barycenters-fig8"):
        curves, numbers = curves_of(key), stored(ROWS[key])
        at, coreset = curves.along("coreset", "", numbers)
        _, perturbation = curves.along("perturbation", "", numbers)
        _, public = curves.along("without privacy", "", numbers)
        assert len(at) == 7 and at[0] == 2_000 and at[-1] == 128_000
        for a, b, c in zip(coreset, perturbation, public, strict=True):
            assert a.value + a.spread < b.value - b.spread and c.value + c.spread < b.value - b.spread


def test_what_rows_of_figure_2_say_is_what_is_recorded() -> None:
    n, wide = saved("barycenters-fig2a", ""), saved("barycenters-fig2a", ", width 0.1")
    assert f"{n.pop(1600)} and {wide.pop(1600)}% at 1,600" in ROWS["barycenters-fig2a"].why
    ends = [min(n.values()), max(n.values()), min(wide.values()), max(wide.values())]
    assert "{} to {} and {} to {}% of the cost up to n = 800".format(*ends) in ROWS["barycenters-fig2a"].why
    small, wide = saved("barycenters-fig2b", ""), saved("barycenters-fig2b", ", width 0.1")
    ends = [small.pop(1 / 16), wide.pop(1 / 16), small.pop(8.0), wide.pop(8.0)]
    assert "{} and {}% of the cost at ε = 1/16, {} and {}% at 8".format(*ends) in ROWS["barycenters-fig2b"].why
    ends = [min(small.values()), max(small.values()), min(wide.values()), max(wide.values())]
    assert "In between it saves {} to {} and {} to {}%".format(*ends) in ROWS["barycenters-fig2b"].why
    for ending in ("", ", width 0.1"):
        by = saved("barycenters-fig2c", ending)
        assert max(by, key=by.__getitem__) == 1.0, "d' = 1 least"
