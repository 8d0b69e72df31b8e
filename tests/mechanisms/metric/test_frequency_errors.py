"""Releases of a frequency estimate: the errors that their mechanisms make, composed by hand; items dealt to users."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.mechanisms.metric import frequency_errors
from dpot_core.mechanisms.metric.frequency_errors import FREQUENCY_RELEASES, FrequencyTask, draw_items

RUNS = 20
SPACE = dpot.metric.ClusteredSpace(4, 4, 0.1)
TASK = FrequencyTask(SPACE, 2000, 100, 1.0, 10.0, 1e-6)
COUNTS = np.random.default_rng(0).multinomial(200_000, np.random.default_rng(1).dirichlet(np.ones(16)))


def errors_of(name: str, model: str) -> np.ndarray:
    release = FREQUENCY_RELEASES[model][name]
    return release.errors(TASK, release.rate(TASK), COUNTS, RUNS, np.random.default_rng(2))


def of_reports(mechanism, one: bool = False) -> np.ndarray:
    """Reports on all items, or on one of each user, decoded and projected."""
    rng = np.random.default_rng(2)
    reported = np.tile(COUNTS, (RUNS, 1))
    if one:
        reported = rng.multivariate_hypergeometric(COUNTS, TASK.users, size=RUNS, method="marginals")
    reports = mechanism.release_counts(reported, rng)
    raw = mechanism.decode(reports / reports.sum(axis=1, keepdims=True))
    return SPACE.earth_movers(SPACE.project(raw), COUNTS / COUNTS.sum())


def test_where_no_party_is_trusted_users_report_as_the_names_say() -> None:
    metric, k = dpot.metric, len(SPACE)
    shuffled = metric.best_item_rate(TASK.alpha, TASK.delta, TASK.items).item_rate
    all_items = metric.item_epsilon(TASK.epsilon, TASK.items, TASK.delta)
    by_hand = {
        "shuffled": of_reports(metric.Gkrr(SPACE, shuffled)),
        "composed": of_reports(metric.Gkrr(SPACE, TASK.alpha / TASK.items)),
        "one": of_reports(metric.Gkrr(SPACE, metric.one_item_budget(TASK.alpha, SPACE.r)), one=True),
        "hadamard-one": of_reports(metric.HadamardResponse(k, TASK.epsilon), one=True),
        "hadamard-all": of_reports(metric.HadamardResponse(k, all_items)),
        "krr-one": of_reports(metric.Gkrr(metric.ClusteredSpace(4, 4, 1.0), TASK.epsilon), one=True),
    }
    assert by_hand.keys() == FREQUENCY_RELEASES["local"].keys()
    for name, runs in by_hand.items():
        np.testing.assert_allclose(errors_of(name, "local"), runs, rtol=1e-9, err_msg=name)


def test_one_trusted_party_shuffles_or_adds_noise() -> None:
    metric, truth = dpot.metric, COUNTS / COUNTS.sum()

    def with_noise(scale: float) -> np.ndarray:
        noise = np.random.default_rng(2).laplace(0.0, scale, (RUNS, len(SPACE)))
        return SPACE.earth_movers(SPACE.project(truth + noise), truth)

    pooled = metric.best_item_rate(TASK.alpha, TASK.delta, TASK.items, TASK.users).item_rate
    by_hand = {
        "pooled": of_reports(metric.Gkrr(SPACE, pooled)),
        "metric-laplace": with_noise(metric.metric_laplace_scale(TASK.users, TASK.alpha, SPACE)),
        "laplace": with_noise(metric.laplace_scale(TASK.users, TASK.epsilon)),
    }
    assert by_hand.keys() == FREQUENCY_RELEASES["central"].keys()
    for name, runs in by_hand.items():
        np.testing.assert_allclose(errors_of(name, "central"), runs, rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("model", FREQUENCY_RELEASES)
def test_errors_by_distance_come_first_and_their_bounds_fall_with_alpha(model: str) -> None:
    releases = FREQUENCY_RELEASES[model]
    kinds = [release.by_distance for release in releases.values()]
    assert kinds == sorted(kinds, reverse=True)
    more = FrequencyTask(SPACE, TASK.users, TASK.items, TASK.epsilon, 2 * TASK.alpha, TASK.delta)
    for release in releases.values():
        first, second = (release.bound(task, release.rate(task)) for task in (TASK, more))
        assert second < first if release.by_distance else second == first


def test_a_rate_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="alpha must lie in"):
        FrequencyTask(SPACE, 10, 1, 1.0, 1e7, 1e-6)


def test_items_are_dealt_without_replacement_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    many = draw_items(np.array([7 * 10**9, 3 * 10**9, 0]), 1_000_000, RUNS, rng)
    assert many.shape == (RUNS, 3) and (many.sum(axis=1) == 1_000_000).all()
    assert (many[:, 2] == 0).all() and abs(many[:, 0].mean() - 700_000) < 5 * math.sqrt(210_000 / RUNS)
    # A sixth of all items, so that the variance tells it from a draw with replacement: 20.0 instead of 24.
    monkeypatch.setattr(frequency_errors, "MOST_ITEMS", 1)
    few = draw_items(np.array([360, 240]), 100, 20_000, rng)
    assert few[:, 0].mean() == pytest.approx(60.0, abs=0.2)
    assert few[:, 0].var() == pytest.approx(100 * 0.6 * 0.4 * 500 / 599, rel=0.05)
