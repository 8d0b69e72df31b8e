"""What the interval of W_1 is made of: levels, Lipschitz potentials, flows by way of hubs, the line and the circle."""

from itertools import pairwise

import numpy as np
import ot
import pytest

import dpot_core as dpot
from dpot_core.transport import hub_flow, levels
from dpot_core.transport.duality_bounds import lower_end, upper_end
from dpot_core.transport.hub_flow import Flow, collapse, flow_on_pairs, imbalance, lengths
from dpot_core.transport.line_distance import line_distance
from dpot_core.transport.lipschitz import Mixing, distinct, lipschitz_extension, steepest_pairs


def nothing():
    pass


def clouds():
    rng = np.random.default_rng(0)
    clusters = rng.normal(size=(3000, 2)) * 10.0 ** rng.uniform(-30, 0, (3000, 1))
    return {"grid": dpot.grid(64, 48).points, "long": dpot.grid(1024, 3).points, "clusters": clusters}


@pytest.mark.parametrize("name", clouds())
def test_levels_are_nested_and_grow(name):
    points = clouds()[name]
    found = levels.levels(points, np.ones(len(points)))
    assert len(found) >= 2
    assert (found[-1].home == np.arange(len(points))).all()
    for level in found:
        assert (np.unique(level.home) == level.nodes).all()
        assert (level.home[level.nodes] == level.nodes).all()
    for coarse, fine in pairwise(found):
        assert fine.nodes.size > 2 * coarse.nodes.size
        # Points that share a box share it on all coarser levels.
        assert (coarse.home == coarse.home[fine.home]).all()


def test_the_representative_of_a_box_is_near_its_weight():
    points = dpot.grid(64, 64).points
    weights = np.full(len(points), 1e-9)
    heavy = np.arange(0, len(points), 65)  # the diagonal
    weights[heavy] = 1.0
    for level in levels.levels(points, weights)[:-1]:
        assert np.abs(points[level.home[heavy]] - points[heavy]).max() <= 3 / np.sqrt(level.nodes.size)
        on_diagonal = np.isclose(*points[level.home[heavy]].T, atol=1.1 / 63)
        assert on_diagonal.all()


def test_an_extension_is_lipschitz_for_every_pair_and_as_high_as_that_allows():
    rng = np.random.default_rng(1)
    points, heights = rng.random((300, 3)), rng.normal(size=40)
    phi = lipschitz_extension(points, points[:40], heights, nothing)
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    assert (np.abs(phi[:, None] - phi) <= apart + 1e-14).all()
    assert (phi[:40] <= heights).all()
    assert phi == pytest.approx((apart[:, :40] + heights).min(axis=1), abs=1e-15)


def test_the_steepest_pairs_are_those_of_least_slack():
    rng = np.random.default_rng(2)
    x, y, f, g = rng.random((30, 2)), rng.random((50, 2)), rng.random(30), rng.random(50)
    slack = np.linalg.norm(x[:, None] - y, axis=2) - f[:, None] - g
    expected = np.zeros(slack.shape, dtype=bool)
    expected[np.arange(30)[:, None], np.argsort(slack, axis=1)[:, :4]] = True
    expected[np.argsort(slack, axis=0)[:4], np.arange(50)] = True
    rows, columns = steepest_pairs(x, y, (f, g), 4, Mixing(0.0, rng), nothing)
    assert (np.argwhere(expected) == np.column_stack([rows, columns])).all()
    rows, columns = steepest_pairs(x, y, (f, g), 4, Mixing(0.05, rng), nothing)
    fourth = np.sort(slack, axis=1)[:, 3]
    near = slack[rows, columns] <= np.maximum(fourth[rows], np.sort(slack, axis=0)[3, columns]) + 0.05 + 1e-6
    assert near.all()
    assert (distinct(np.array([3, 0, 3, 7, 0])) == [0, 3, 7]).all()


def problem(seed):
    rng = np.random.default_rng(seed)
    points = rng.random((60, 2))
    surplus = rng.normal(size=60)
    return points, surplus - surplus.mean(), rng


@pytest.mark.parametrize("seed", range(10))
def test_a_flow_by_way_of_hubs_moves_what_must_move_and_costs_at_least_the_distance(seed):
    points, surplus, rng = problem(seed)
    task = imbalance(surplus)
    home = rng.choice(60, 5)[rng.integers(0, 5, 60)]
    at_hubs = hub_flow.sums(home, surplus, 60)
    coarse = imbalance(at_hubs)
    table = np.linalg.norm(points[coarse.sources][:, None] - points[coarse.sinks], axis=2)
    part, _ = hub_flow.flow_on_all_pairs(coarse, table)
    between = Flow(coarse.sources[part.source], coarse.sinks[part.target], part.mass)
    pairs = rng.integers(0, task.sources.size, 40), rng.integers(0, task.sinks.size, 40)
    pairs = tuple(np.unique(np.column_stack(pairs), axis=0).T)
    flow, _ = flow_on_pairs(points, task, pairs, home, between)
    assert (flow.mass > 0).all()
    assert flow.outflow(60) == pytest.approx(surplus, abs=1e-12)
    cost = float(flow.mass @ lengths(points, flow.source, flow.target))
    detour = between + collapse(surplus, home)
    assert detour.outflow(60) == pytest.approx(surplus, abs=1e-12)
    table = np.linalg.norm(points[task.sources][:, None] - points[task.sinks], axis=2)
    total = task.supply.sum()
    best = ot.emd2(task.supply / total, task.demand / total, table) * total
    assert best - 1e-12 <= cost <= float(detour.mass @ lengths(points, detour.source, detour.target)) + 1e-12
    every = tuple(np.indices(table.shape).reshape(2, -1))
    flow, sinks = flow_on_pairs(points, task, every, home, between)
    assert float(flow.mass @ lengths(points, flow.source, flow.target)) == pytest.approx(best, rel=1e-12)
    phi = lipschitz_extension(points, points[task.sinks], -sinks, nothing)
    assert float(phi @ surplus) == pytest.approx(best, rel=1e-10)


def test_a_flow_that_leaves_too_little_pays_for_the_farthest_way():
    points, surplus, _ = problem(0)
    complete = collapse(surplus, np.full(60, 7))
    short = Flow(complete.source, complete.target, complete.mass * 0.9)
    paid = lengths(points, short.source, short.target)
    ends = [upper_end(flow, paid, surplus, 2.0) for flow in (complete, short)]
    lost = 0.1 * np.abs(surplus - surplus * (np.arange(60) == 7)).sum()
    assert ends[1] >= 0.9 * ends[0] + 2.0 * lost - 1e-9


def test_a_potential_bounds_from_below_whatever_constant_it_has():
    points, surplus, _ = problem(1)
    phi = lipschitz_extension(points, points[:9], np.zeros(9), nothing)
    exact = float(phi @ surplus)
    for sign, constant in ((1, 0.0), (1, 5.0), (-1, -3.0)):
        end = lower_end(sign * phi + constant, sign * surplus, 2.0)
        assert end <= max(exact, 0.0)
        assert end == pytest.approx(max(exact, 0.0), abs=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_line_and_circle_in_closed_form(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 30))
    places = np.sort(rng.choice([rng.random(k), rng.integers(0, k, k) / k])[rng.permutation(k)])
    mu, nu = rng.dirichlet(np.full(k, 0.3), 2)
    apart = np.abs(places[:, None] - places)
    for around, cost in ((None, apart), (1.5, np.minimum(apart, 1.5 - apart))):
        order = rng.permutation(k)
        found = line_distance(places[order], (mu - nu)[order], around)
        assert found == pytest.approx(ot.emd2(mu, nu, cost), abs=1e-12)
