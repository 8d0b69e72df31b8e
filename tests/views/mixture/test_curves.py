"""Worst cases beside the picture: random members lie inside, and the base measures are what they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpot_app.kit.fields import DISTANCE, LOSSES
from dpot_app.views.mixture import PAGE
from dpot_app.views.mixture.cells import base_on, cells_of
from dpot_app.views.mixture.curves.figures import between, curves_figure
from dpot_app.views.mixture.curves.results import curves, worst_at, worst_of_bases
from dpot_app.views.mixture.densities import make_family
from dpot_app.views.mixture.line.results import moved_by, run_line
from dpot_app.views.mixture.line.text import CURVES, show, show_curves
from dpot_app.views.mixture.many.results import draw_mixtures
from dpot_app.views.mixture.outputs import on_cells
from dpot_app.views.mixture.plane.results import run_plane
from dpot_app.views.mixture.settings import BASES, NAMES, PLANE_BASES, TRAINED, Config, Family, Modes
from dpot_app.views.mixture.worst_case import worst_now
from dpot_core.worst_case import Bracket

TWO = Modes(means=(-1.0, 1.0), weights=(0.9, 0.1))
ALL = tuple(name for name in NAMES if name not in TRAINED)
# Enough cells that their error is below what is allowed for here.
LINE = Config(modes=TWO, mechanisms=ALL, cells=100, draws=0)
CELLS_ERROR = 2e-3


@pytest.mark.parametrize("base", [pytest.param(one, marks=[pytest.mark.nightly] * (one != "band")) for one in BASES])
@pytest.mark.parametrize(
    ("p", "epsilon"),
    [(2, 1.0), *(pytest.param(*one, marks=pytest.mark.nightly) for one in ((1, 0.3), (3, 2.0), (4, 3.0)))],
)
def test_random_members_cost_less_than_the_worst_case(base: str, p: int, epsilon: float) -> None:
    """One hundred members for each of sixteen settings, by the page's own numbers."""
    config = replace(LINE, base=base, p=p, epsilon=epsilon)
    worst = worst_at(config, epsilon)
    inputs = [*draw_mixtures(98, 5, 1.0), Modes(means=(1.0,), weights=(1.0,)), TWO]
    for modes in inputs:
        for name, one in run_line(replace(config, modes=modes)).numbers.items():
            assert one.loss is not None and one.loss <= worst[DISTANCE][name].at_most * (1 + CELLS_ERROR) + 1e-9
            for loss in ("kl", "tv", "hellinger"):
                assert one.divergences[loss] <= worst[loss][name].at_most * (1 + CELLS_ERROR) + 1e-6, (name, loss)


def test_the_member_at_the_edge_attains_what_is_exact() -> None:
    edge = run_line(replace(LINE, modes=Modes(means=(1.0,), weights=(1.0,))))
    worst = worst_at(LINE, 1.0)
    for name in ("kpm", "mollifier", "blend"):
        for loss in ("kl", "tv", "hellinger"):
            found = worst[loss][name]
            assert found.at_least == found.at_most == pytest.approx(edge.numbers[name].divergences[loss], rel=2e-3)
    assert worst[DISTANCE]["wpm"].at_least == pytest.approx(edge.numbers["wpm"].loss)
    assert worst[DISTANCE]["blend"].at_least == pytest.approx(edge.numbers["blend"].loss, rel=2e-3)


def test_kpm_costs_the_family_no_more_than_r_and_nothing_does_much_better() -> None:
    for epsilon in (0.1, 1.0, 3.0):
        bound, worst = worst_now(Family(), epsilon).divergences, worst_at(LINE, epsilon)
        for loss in ("kl", "tv", "hellinger"):
            assert worst[loss]["kpm"].at_most <= bound[loss] * (1 + 1e-9)


def test_the_default_base_is_that_of_kpm_and_gives_the_numbers_of_before() -> None:
    cells = cells_of(LINE, 100)
    np.testing.assert_array_equal(base_on(LINE, cells), make_family(LINE.family).level(1.0) * cells.h)
    assert Config(modes=TWO).base == "band"
    assert run_line(replace(LINE, cells=400)).numbers["wpm"].divergences["kl"] == pytest.approx(0.0395743607, abs=1e-9)


@pytest.mark.parametrize("base", BASES)
def test_every_base_is_private_and_the_best_scale_is_better(base: str) -> None:
    for epsilon in (0.05, 1.0, 10.0):
        config = replace(LINE, base=base, epsilon=epsilon)
        one, other = (on_cells(replace(config, modes=modes), 100) for modes in (TWO, draw_mixtures(1, 2, 1.0)[0]))
        assert one.polytope.contains(one.nu) and one.polytope.contains(other.nu)
        np.testing.assert_array_equal(one.polytope.upper, other.polytope.upper)
        assert np.abs(np.log(one.nu / other.nu)).max() <= epsilon * (1 + 1e-12)
    worst = worst_of_bases(LINE)
    assert worst["best-h"].at_most <= worst["band"].at_most * (1 + 1e-2)
    assert worst["best-uniform"].at_most <= worst["uniform"].at_most * (1 + 1e-2)
    run = run_line(replace(LINE, base=base))
    lower, upper = run.bands["wpm"]
    assert (run.densities["wpm"] >= lower).all() and (run.densities["wpm"] <= upper).all()


@pytest.mark.nightly
def test_p_epsilon_and_base_change_picture_and_curve() -> None:
    before = run_line(LINE), curves(LINE)
    for change in ({"p": 1}, {"epsilon": 2.0}, {"base": "uniform"}):
        config = replace(LINE, **change)
        after = run_line(config), curves(config)
        # Of this input p moves nothing at the base of KPM: the number over the panel is another one.
        drawn = [np.append(one[0].densities["wpm"], one[0].numbers["wpm"].loss) for one in (before, after)]
        assert not np.array_equal(*drawn), change
        assert before[1].now[DISTANCE]["wpm"] != after[1].now[DISTANCE]["wpm"], change


def test_the_picture_has_a_curve_a_star_and_a_circle_for_each_mechanism() -> None:
    worst, here = curves(LINE), run_line(LINE)
    for loss in LOSSES:
        figure = curves_figure(worst, here, loss)
        lines = {trace.name: trace for trace in figure.data if trace.name}
        stars = [trace for trace in figure.data if trace.marker.symbol == "star"]
        circles = [trace for trace in figure.data if trace.marker.symbol == "circle-open"]
        assert len(circles) == len(ALL) and len(stars) == len(lines)
        for name in ALL:
            np.testing.assert_array_equal(lines[NAMES[name]].y, [one[loss][name].at_least for one in worst.along])
            assert worst.now[loss][name].at_least in {trace.y[0] for trace in stars}
        assert ("R: KPM, any density under c₂h" in lines) == (loss != DISTANCE)
        assert between(worst.now[loss]["wpm"]) in figure.layout.title.text
        assert figure.layout.yaxis.range[1] >= max(float(np.max(line.y)) for line in lines.values())
    assert between(Bracket(0.25, 0.25)) == "0.25" and between(Bracket(0.2571, 0.3)) == "0.257 to 0.3"
    table = worst.tables()["worst-curves"]
    assert len(table) == len(worst.epsilons) and "distance wpm at most" in table


def test_captions_of_the_curves_and_of_p() -> None:
    text = next(block for block in show_curves(LINE, curves(LINE), run_line(LINE)) if isinstance(block, str))
    assert (
        "WPM, KPM, Mollifier and KPM around prior: some member of the family is as bad as the line shows" in text
        and "The others: the worst of 33 single modes" in text
    )
    config = Config(modes=TWO, mechanisms=("wpm",), epsilon=1.0, base="best-uniform", p=2, draws=0)
    words = " ".join(
        block for block in show(config, run_line(config), None, worst_now(Family(), 1.0)) if isinstance(block, str)
    )
    one, two = moved_by(config, 1), moved_by(config, 2)
    assert one.mean <= two.mean and two.tenth <= one.tenth
    assert f"With p = 2 WPM moves the mass by {two.mean:.3g} on average" in words
    assert one.mean == pytest.approx(run_line(replace(config, p=1)).numbers["wpm"].wasserstein)


def test_the_curves_stand_beside_the_picture_only() -> None:
    assert PAGE.view("mixture.worst-curves") is CURVES and CURVES not in PAGE.views


@pytest.mark.nightly
def test_in_the_plane_the_base_is_the_band_of_kpm_or_uniform() -> None:
    plane = PAGE.view("mixture.plane")
    config = replace(plane.example, cells=12)
    outputs = [run_plane(replace(config, base=base)).densities["wpm"] for base in PLANE_BASES]
    assert not np.array_equal(*outputs)
    with pytest.raises(ValueError, match="in the plane"):
        plane.check(replace(config, base="best-h"))
