"""Figures of the private transport page: what they show is what was computed."""

from dataclasses import replace

import numpy as np
import pytest

from dpot_app.views.sinkhorn.convergence.figures import convergence_figure
from dpot_app.views.sinkhorn.convergence.results import convergence
from dpot_app.views.sinkhorn.cost.figures import cost_figure
from dpot_app.views.sinkhorn.cost.results import Costs, cost_point
from dpot_app.views.sinkhorn.point_grid import point_grid
from dpot_app.views.sinkhorn.release.figures import (
    plan_figure,
    potential_map,
    potential_noise,
    shares_figure,
    walk_figure,
)
from dpot_app.views.sinkhorn.release.results import PARTICLES, Result, run
from dpot_app.views.sinkhorn.release.text import show
from dpot_app.views.sinkhorn.settings import Config, Data
from dpot_app.views.sinkhorn.theorem.figures import counterexample_figure
from dpot_app.views.sinkhorn.theorem.results import counterexample
from dpot_app.views.sinkhorn.units import cost_text, power_of_ten

SMALL = Config(data=Data(n=500, cells=5))


@pytest.fixture(scope="module")
def result() -> Result:
    return run(SMALL, point_grid(SMALL.data))


@pytest.mark.parametrize("name", ["exact", "entropic", "sinkhorn", "histograms"])
def test_arrows_go_from_cells_to_means(result, name):
    figure = plan_figure(result, name)
    assert "(simulated)" in figure.layout.title.text
    heat, *arrows = figure.data
    plan = result.grid.exact_plan if name == "exact" else result.plans.get(name, result.entropic)
    assert np.allclose(np.array(heat.z).ravel(), plan.sum(axis=0))
    points = result.grid.space.points
    mass = plan.sum(axis=1)
    # Of several widths; each cell has its place in all of them, so that its arrow glides when the plan changes.
    starts, ends = (np.array([np.column_stack([t.x[at::3], t.y[at::3]]) for t in arrows]) for at in (0, 1))
    drawn = np.isfinite(ends).all(axis=2)
    np.testing.assert_array_equal(drawn.sum(axis=0), mass > 0.002)
    for width, cell in np.argwhere(drawn):
        np.testing.assert_allclose(starts[width, cell], points[cell])
        np.testing.assert_allclose(ends[width, cell], plan[cell] @ points / mass[cell])


@pytest.mark.parametrize("name", ["exact", "entropic", "sinkhorn", "histograms"])
def test_particles_walk_along_the_plan(result, name):
    figure = walk_figure(result, name)
    ways, second, walking, *names = figure.data
    starts, ends = result.particles(name)
    np.testing.assert_array_equal(np.column_stack([walking.x, walking.y]), starts)
    np.testing.assert_array_equal(walking.customdata, ends)
    np.testing.assert_array_equal(np.column_stack([second.x, second.y]), ends)
    np.testing.assert_array_equal(np.column_stack([ways.x[1::3], ways.y[1::3]]), ends)
    assert [trace.text[0] for trace in names] == list(result.grid.pair.names)
    assert len({walking.marker.color, second.marker.color}) == len({walking.marker.symbol, second.marker.symbol}) == 2
    plan, side = result.plan(name), result.grid.data.cells
    row, column = (
        (cells[:, 1] * side + cells[:, 0]).astype(int)
        for cells in (np.clip(np.floor(at / result.grid.pair.extent * side), 0, side - 1) for at in (starts, ends))
    )
    assert (plan[row, column] > 0).all(), "nothing goes where the plan has no mass"
    # What the particles cost is what the plan costs, up to 4.5 standard errors of as many draws.
    cost = result.grid.cost
    spread = np.sqrt((plan * cost**2).sum() - (plan * cost).sum() ** 2)
    drawn = float(cost[row, column].mean())
    assert abs(drawn - result.plan_costs[name]) < 4.5 * spread / np.sqrt(PARTICLES)
    assert figure.layout.title.text.startswith(("Exact", "Entropic", "Plan by Noisy Sinkhorn", "Plan by Histograms"))
    assert ("not private" in figure.layout.title.text) == (name in ("exact", "entropic"))


def test_panels_of_particles_are_aligned(result):
    exact, private = (walk_figure(result, name).layout for name in ("exact", "sinkhorn"))
    for axis in ("xaxis", "yaxis"):
        assert exact[axis].range == private[axis].range
    assert exact.height == private.height and exact.meta == private.meta


@pytest.mark.parametrize("source", ["gaussians", "simulated"])
@pytest.mark.parametrize(("epsilon", "eta"), [(0.05, 0.3), (1.0, 0.3), (10.0, 0.02)])
def test_the_cost_of_regularisation_stands_beside_the_cost_of_privacy(source, epsilon, eta):
    data = Data(source=source, n=2_000, cells=5)
    result = run(Config(data=data, epsilon=epsilon, eta=eta), point_grid(data))
    figure, costs = shares_figure(result), result.plan_costs
    end = figure.layout.xaxis.range[1]
    for row, name in enumerate(("sinkhorn", "histograms")):
        exact, added, private = (trace for trace in figure.data if trace.y[0] == row)
        assert (exact.x[0], exact.x[-1], added.x[0]) == pytest.approx((0.0, costs["exact"], costs["exact"]))
        assert (added.x[-1], private.x[0]) == pytest.approx((costs["entropic"],) * 2)
        assert private.x[-1] == pytest.approx(min(costs[name], end)) and added.x[-1] >= added.x[0] - 1e-9
        shares = result.shares(name)
        assert costs["exact"] + sum(shares) == pytest.approx(costs[name])
        assert [float(trace.customdata[0].split()[0]) for trace in (added, private)] == pytest.approx(shares, rel=6e-3)
    title, (by_eta, by_noise) = figure.layout.title.text, result.shares("sinkhorn")
    sign = "+" if by_noise >= 0 else "−"
    assert (
        f"+{cost_text(by_eta, result.grid)} by regularisation, {sign}{cost_text(abs(by_noise), result.grid)}" in title
    )
    words = "".join(block for block in show(result.config, result) if isinstance(block, str))
    assert ("regularisation, not to privacy" in words) == (by_eta > abs(by_noise))


@pytest.mark.parametrize("epsilon", [0.05, 10.0])
def test_potentials_beyond_the_scale_are_drawn_at_its_edge(epsilon):
    config = replace(SMALL, epsilon=epsilon)
    result = run(config, point_grid(SMALL.data))
    figure = potential_noise(result)
    low, high = figure.layout.yaxis.range
    for trace in figure.data:
        values = np.array(trace.y, dtype=float)
        assert (values[np.isfinite(values)] > low).all() and (values[np.isfinite(values)] < high).all()
    named = {trace.name: trace for trace in figure.data if trace.name}
    present = result.grid.weights[0] > 0
    np.testing.assert_array_equal(named["Noisy Sinkhorn"].customdata, result.grid_potentials["sinkhorn"][present])


def test_potentials_are_those_of_the_release(result):
    maps = {name: potential_map(result, name) for name in ("true", "sinkhorn", "histograms")}
    for name, figure in maps.items():
        assert np.allclose(np.array(figure.data[0].z).ravel(), result.grid_potentials[name])
        assert figure.data[0].zmax == maps["true"].data[0].zmax  # one scale for all
    assert "not released" in maps["true"].layout.title.text
    many = replace(SMALL, data=Data(n=100_000, cells=4), epsilon=10.0)
    quiet = run(many, point_grid(many.data))
    bars, released = potential_noise(quiet).data[:2]
    noise = quiet.released.trace.phi_noise[-1]
    np.testing.assert_allclose(bars.y[0::3], np.array(released.y) - noise)
    np.testing.assert_allclose(bars.y[1::3], np.array(released.y) + noise)


@pytest.mark.nightly
def test_the_cost_chart_always_shows_direct_laplace(result):
    points = tuple(cost_point(replace(SMALL, epsilon=epsilon), result.grid) for epsilon in (0.5, 1.0))
    costs = Costs(result.grid, points, 1.0)
    for errors in (True, False):
        figure = cost_figure(costs, errors)
        names = [trace.name for trace in figure.data if trace.name]
        assert names[0] == "Direct Laplace" and len(names) == 5
        assert sum("not proven" in name for name in names) == 2
        low, high = figure.layout.yaxis.range
        for trace in figure.data:
            values = np.array(trace.y, dtype=float)
            values = np.log10(values) if errors else values
            assert (values >= low - 1e-9).all() and (values <= high + 1e-9).all()
    errors = {name: costs.now.typical(name) for name in ("laplace", "proven")}
    assert errors["laplace"] < errors["proven"], "or the title names noisy Sinkhorn first"
    text = "with Direct Laplace, by {} with Noisy Sinkhorn, proven".format(cost_text(errors["proven"], result.grid))
    assert figure.layout.title.text.startswith("At ε = 1 the cost (") and text in figure.layout.title.text
    assert "90%" in figure.layout.yaxis.title.text


@pytest.mark.nightly
def test_convergence_keeps_what_leaves_the_chart_in_words(result):
    found = convergence(SMALL, result.grid)
    figure = convergence_figure(found)
    assert "10" in figure.data[2].customdata[-1] and max(figure.data[2].y) <= 1e6
    ends = figure.layout.yaxis.ticktext
    assert (ends[0], ends[-1]) == ("≤ 10⁻⁸", "≥ 10⁶")
    assert "Algorithm 1" in figure.layout.title.text and "(simulated)" in figure.layout.title.text
    mild = replace(found, paper=np.full_like(found.paper, 0.5), neighbourhood=2.0)
    assert "Algorithm 1 of the paper, not proven, 0.5 |c|" in convergence_figure(mild).layout.title.text
    assert len(convergence_figure(mild).layout.shapes) == 1


def test_the_counterexample_is_named_in_the_title():
    figure = counterexample_figure(counterexample(1.0))
    assert "more points do not help" in figure.layout.title.text


def test_numbers_in_words():
    assert power_of_ten(1.5e128) == "10¹²⁸" and power_of_ten(np.inf) == "more than 10³⁰⁰"
