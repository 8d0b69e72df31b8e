"""The private transport experiment: numbers add up, snippets reproduce them, sentences follow them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import dpot_core as dpot
from dpot_core.experiments import sinkhorn as experiment
from dpot_core.experiments.sinkhorn import Config, CostPoint, Data

SMALL = Config(data=Data(n=500, cells=5))
PAPER = replace(SMALL, guarantee="paper")


@pytest.fixture(scope="module")
def result() -> experiment.Result:
    return experiment.run(SMALL)


def test_plans_have_mass_one_and_costs_in_order(result):
    for plan in (result.ground.exact_plan, result.entropic, *result.plans.values()):
        assert plan.sum() == pytest.approx(1.0) and plan.min() >= 0
    costs = result.plan_costs
    assert costs["exact"] <= costs["entropic"] + 1e-12
    a, b = result.ground.weights
    assert result.ground.exact_cost == pytest.approx(dpot.wasserstein(a, b, result.ground.cost, 1))
    assert np.allclose(result.entropic.sum(axis=1), a) and np.allclose(result.entropic.sum(axis=0), b)
    assert 0 < result.elsewhere["histograms"] < result.elsewhere["sinkhorn"] < 1


def test_the_same_seed_gives_the_same_release_and_another_one_another(result):
    again, other = experiment.run(SMALL), experiment.run(replace(SMALL, draw=1))
    assert np.array_equal(again.plans["sinkhorn"], result.plans["sinkhorn"])
    assert not np.array_equal(other.plans["sinkhorn"], result.plans["sinkhorn"])


def test_the_tables_hold_what_is_drawn(result):
    tables = result.tables()
    assert tables["cells"]["first (not private)"].sum() == pytest.approx(1.0)
    assert {"exact (not private)", "entropic (not private)", "sinkhorn", "histograms"} <= set(tables["plans"].columns)
    budget = tables["budget"]
    for data in ("first", "second"):
        assert budget.loc[budget["data set"] == data, "share of the budget"].sum() == pytest.approx(1.0)
    assert experiment.headlines(result)["mass elsewhere, noisy Sinkhorn"] == result.elsewhere["sinkhorn"]


def test_the_paper_runs_on_points_and_says_that_nothing_is_proven():
    result = experiment.run(PAPER)
    assert not result.guarantee.proven and result.histograms_guarantee.proven
    tables = result.tables()
    assert "sinkhorn (not proven)" in tables["plans"] and "phi sinkhorn (not proven)" in tables["cells"]
    assert (tables["budget"]["promise"] == "claimed, not proven").all()
    assert len(result.released.potentials[0]) == min(500, experiment.PAPER_POINTS)
    assert result.plans["sinkhorn"].sum() == pytest.approx(1.0)
    assert result.released.vacuous and np.isfinite(result.potential_errors["sinkhorn"])


def test_check_ins_are_promised_as_check_ins():
    result = experiment.run(Config(data=Data(source="simulated", n=300, cells=4), people="both"))
    assert (result.guarantee.record, result.guarantee.neighbours) == ("check-in", "replace-in-both")
    assert "whose check-ins are in which set, and which of them were drawn" in result.guarantee.public
    assert result.ground.cost_unit == "km²"
    assert "the rectangle, although drawn around the points" in result.guarantee.public


@pytest.mark.parametrize(
    "config",
    [
        SMALL,
        PAPER,
        Config(data=Data(source="rings", n=300, cells=4, p=1), eta=1.0, share=0.3, floor=0.1, people="both"),
    ],
    ids=["proven", "paper", "everything else"],
)
def test_the_snippet_computes_the_same_release(config: Config, capsys):
    names: dict = {}
    exec(experiment.snippet(config), names)
    result = experiment.run(config)
    assert np.array_equal(names["released"].potentials[0], result.released.potentials[0])
    assert np.allclose(names["histograms"].plan, result.plans["histograms"], rtol=0, atol=1e-12)
    if config.guarantee == "proven":
        assert np.allclose(names["plan"], result.plans["sinkhorn"], rtol=0, atol=1e-12)
    costs = experiment.cost_point(config, result.ground, config.epsilon, ways=("laplace",))
    assert names["direct"].value == costs.estimates["laplace"][0]
    assert "exact cost" in capsys.readouterr().out


def test_every_way_to_the_cost_is_estimated_and_laplace_is_as_good_as_its_scale(result):
    calls = []
    point = experiment.cost_point(SMALL, result.ground, 1.0, lambda done, total: calls.append((done, total)))
    assert set(point.estimates) == set(experiment.COSTS) and calls[-1] == (5 * experiment.DRAWS, 5 * experiment.DRAWS)
    scale = result.ground.largest / 500
    assert 0.2 * scale < point.typical("laplace") < 2 * scale
    assert point.typical("laplace") < point.typical("proven") < point.typical("paper")
    table = experiment.cost_table([point])
    assert len(table) == 5 and (table["error 5%"] <= table["error 95%"]).all()


def test_the_advice_follows_the_numbers(result):
    def costs(ours: float, direct: float) -> CostPoint:
        estimates = {"proven": np.full(3, ours), "laplace": np.full(3, direct)}
        return CostPoint(1.0, estimates, {"proven": 0.0, "laplace": 0.0})

    heads = [experiment.advice(result, costs(*pair))[0][0] for pair in ((1.0, 0.1), (0.1, 1.0), (1.0, 1.0))]
    assert "not worth it" in heads[0] and "ahead" in heads[1] and "about as well" in heads[2]
    head, numbers = experiment.advice(result, costs(1.0, 0.1))[1]
    assert "private histograms first do better" in head and " %" in numbers
    lost = {name: np.roll(result.entropic, 7) for name in ("sinkhorn", "histograms")}
    astray = replace(result, plans=lost, potentials=tuple(-phi for phi in result.potentials))
    assert "neither way says much" in experiment.advice(astray, costs(1.0, 0.1))[1][0]
    swapped = replace(result, plans={"sinkhorn": result.entropic, "histograms": result.plans["sinkhorn"]})
    assert "the plan only it is worth it" in experiment.advice(swapped, costs(1.0, 0.1))[1][0]


def test_gaps_fall_without_noise_and_the_bound_of_theorem_1_is_there(result):
    ratio = {(entry.what, entry.data): entry.sigma for entry in result.released.ledger}
    ratios = (ratio["potentials", "first"], ratio["potentials", "second"])
    found = experiment.convergence(SMALL, result.ground, ratios)
    assert len(found.rounds) == SMALL.steps + 1
    assert (np.diff(found.quiet) <= 1e-12).all() and found.quiet[-1] < 1e-3
    assert found.proven[0] == pytest.approx(found.quiet[0]) and found.proven[-1] > found.quiet[-1]
    assert found.paper[-1] > found.theorem[-1]  # the noise that Theorem 2 asks for breaks Theorem 1
    assert found.noise["paper"] > found.noise["proven"]


def test_the_counterexample_does_not_fade_with_n():
    found = experiment.counterexample(1.0)
    assert found.own.min() > 0.7
    assert found.others[-1] < 0.1 * found.others[0]
    assert experiment.counterexample(0.5).own[-1] < found.own[-1]


def test_constants_as_printed_and_corrected():
    table = experiment.constants_table(SMALL, 300).set_index("constants")
    assert table.loc["printed", "epsilon at the printed noise"] == pytest.approx(SMALL.epsilon)
    assert table.loc["corrected", "epsilon at the printed noise"] > 2 * SMALL.epsilon
    assert table.loc["corrected", "noise for epsilon"] > table.loc["printed", "noise for epsilon"]


def test_the_papers_bounds_say_nothing_here_and_its_eta_is_the_largest(result):
    found = experiment.bounds(SMALL, result.ground)
    assert found.neighbourhood > 1 and found.tradeoff > 1 and found.two_stage[1] > 1
    assert 0 < found.largest_eta < found.gap < 0.01
    assert found.eta == pytest.approx(1000, rel=0.01)
    # The gap comes from swaps of the best assignment, so no swap is nearer.
    cost, n = result.ground.sample_cost, len(result.ground.sample_cost)
    rows, columns = linear_sum_assignment(cost)
    swapped = columns.copy()
    swapped[[0, 1]] = swapped[[1, 0]]
    assert cost[rows, swapped].sum() / n - cost[rows, columns].sum() / n >= found.gap - 1e-12


def test_eta_and_rounds_are_found_without_reading_the_data(result):
    found = experiment.tune(SMALL, result.ground)
    moved = replace(result.ground, first=result.ground.first[::-1].copy())
    assert experiment.tune(SMALL, moved).errors.tolist() == found.errors.tolist()
    assert found.error == found.errors.min()


def test_data_that_cannot_be_used_say_why():
    with pytest.raises(ValueError, match="must be one of gaussians, rings, simulated, gowalla-austin, csv"):
        Data(source="nowhere")
    with pytest.raises(ValueError, match="greater than or equal to 2"):
        Data(n=1)
    with pytest.raises(ValueError, match="'csv' must be given"):
        experiment.make_ground(Data(source="csv"))


def test_identical_sets_cost_nothing_and_everything_still_computes():
    pair = same_points()
    ground = experiment.make_ground(Data(cells=4), pair)
    result = experiment.run(replace(SMALL, data=Data(cells=4)), ground)
    assert ground.exact_cost == pytest.approx(0.0, abs=1e-12)
    costs = experiment.cost_point(SMALL, ground, 1.0, ways=("laplace", "proven"))
    assert experiment.advice(result, costs)[0][0]


def same_points():
    pair = experiment.load_pair(Data(n=200))
    return replace(pair, second=pair.first)
