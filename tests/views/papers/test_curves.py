"""Figures of recorded numbers: they draw what the table has; titles and verdicts say what these numbers say."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dpot_app.views.papers.figures import recorded_figure
from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.numbers import barycenters
from dpot_app.views.papers.row import Curves, Number
from dpot_core.mechanisms.central.four_gaussians import costs

ENDINGS = ("", ", width 0.1", ", full cells")
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


def test_words_of_figure_2_follow_from_the_recorded_numbers() -> None:
    n, wide, full = (saved("barycenters-fig2a", ending) for ending in ENDINGS)
    least, last = (n, wide, full), [one.pop(1600) for one in (n, wide, full)]
    ends = [end for one in least for end in (min(one.values()), max(one.values()))]
    said = (
        "saves {} to {} and {} to {}% of the cost up to n = 800, {} and {}% at 1,600; {} to {}% and {}% in full cells."
    )
    assert said.format(*ends[:4], *last[:2], *ends[4:], last[2]) in ROWS["barycenters-fig2a"].why
    by = [saved("barycenters-fig2b", ending) for ending in ENDINGS]
    small, large = ([one.pop(epsilon) for one in by] for epsilon in (1 / 16, 8.0))
    said = (
        "saves {} and {}% of the cost at ε = 1/16, up to {} and {}% in between, and costs {} and {}% more at 8. In "
        "full cells it saves {}% at 1/16 and still {}% at 8."
    )
    between = [max(one.values()) for one in by[:2]]
    ends = [*small[:2], *between, -large[0], -large[1], small[2], large[2]]
    assert said.format(*ends) in ROWS["barycenters-fig2b"].why
    for ending in ENDINGS:
        at = saved("barycenters-fig2c", ending)
        assert max(at, key=at.__getitem__) == 1.0 and min(at.values()) > 0, "d' = 1 least"
    curves, numbers = curves_of("barycenters-fig2c"), stored(ROWS["barycenters-fig2c"])
    far = [one for d, one in zip(*curves.along("projected", "", numbers), strict=True) if d >= 3]
    assert max(one.value for one in far) - min(one.value for one in far) < min(one.spread for one in far)


def test_shrunken_cells_are_those_of_appendix_f_and_full_ones_those_of_the_page() -> None:
    (_, width, factor), _, (_, same, full) = barycenters.GAUSSIAN_PANELS
    assert factor == pytest.approx(math.exp(-math.log(2400) / 10)) and width == same == 0.04 and full == 1.0
    found = costs(60, 8, 2.0, 5, seed=1, run=2)
    for name, target in (("non-private", 0), ("projected", 5), ("plain", None)):
        assert barycenters._run(60, 2.0, target, 2, width, 1.0) == found[name]
    assert barycenters._run(60, 2.0, 5, 2, width, factor) not in found.values()
