"""Linear questions to an embedding: Table 2a as the index has it, baselines by simulation, two small examples."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpot_app.kit.blocks import Table
from dpot_app.views.metric.linear.results import run
from dpot_app.views.metric.linear.text import show
from dpot_app.views.metric.settings import LinearConfig
from dpot_app.views.papers.index import ROWS, stored
from dpot_core.datasets.texts_and_graphs import neighbouring_states, spoken_words
from dpot_core.mechanisms.sphere import sphere_mechanism
from dpot_core.privacy.numerals import number

BASE = LinearConfig()
KEPT = {
    ("local", "duchi"): "local, whole users, Duchi et al.",
    ("local", "privunit"): "local, whole users, PrivUnit",
    ("local", "users"): "local, whole users, K-norm",
    ("local", "gaussian"): "local, by distance, α = 25, Gaussian, δ = 1e-6",
    ("central", "hardt-talwar"): "central, whole users, Hardt and Talwar",
    ("central", "users"): "central, whole users, K-norm (2-norm)",
    ("central", "distance"): "central, by distance, α = 25, K-norm",
}


@pytest.mark.parametrize(("model", "name"), KEPT)
def test_the_view_has_the_index_s_numbers(model: str, name: str) -> None:
    found = run(replace(BASE, model=model, ratio=25.0)).at_ratio(name)
    assert found == pytest.approx(stored(ROWS["metric-table2a"])[KEPT[model, name]].value, rel=1e-9)


@pytest.mark.parametrize("d", [2, 5])
def test_duchi_et_al_s_error_is_that_of_draws_of_the_longest_answer(d: int) -> None:
    epsilon, n, rng = 1.3, 40, np.random.default_rng(d)
    cap = sphere_mechanism(d - 1, epsilon, 2.0, 1.0 / math.cosh(epsilon / 2))
    assert cap.cap_mass == pytest.approx(math.exp(epsilon) / (1 + math.exp(epsilon)))  # half of the sphere
    truth = np.eye(d)[0]
    draws = cap.sample(np.tile(truth, (3000 * n, 1)), rng) / cap.mean_cosine
    means = draws.reshape(3000, n, d).mean(axis=1)
    measured = float(((means - truth) ** 2).sum(axis=1).mean()) + 1.0 / n  # the square of the answer is left out
    found = run(LinearConfig(d=d, users=n, epsilon=epsilon)).at_ratio("duchi")
    assert found**2 == pytest.approx(measured, rel=0.05)


@pytest.mark.parametrize("items", ["text", "graph"])
def test_one_direction_is_randomized_response_locally_and_laplace_noise_centrally(items: str) -> None:
    known = spoken_words() if items == "text" else neighbouring_states()
    np.testing.assert_allclose(known.people.sum(axis=1), 1.0)
    assert (known.people >= 0).all() and known.people.shape[1] == len(known.vectors)
    longest, epsilon, n = float(np.abs(known.vectors @ known.direction).max()), 0.8, 70
    config = LinearConfig(items=items, users=n, epsilon=epsilon)
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    assert run(config).at_ratio("duchi") == pytest.approx(longest / (2 * keep - 1) / math.sqrt(n))
    central = run(replace(config, model="central"))
    # A history moves the mean by 2 longest/n in the 1-norm's image, and Laplace noise has the root mean square sqrt 2.
    assert central.at_ratio("hardt-talwar") == pytest.approx(math.sqrt(2) * 2 * longest / (n * epsilon))


def test_distance_pays_where_its_error_falls_below_the_best_baseline() -> None:
    result = run(BASE)
    assert result.best_for_users == "privunit" or result.best_for_users == "duchi"
    at = run(replace(BASE, ratio=result.crossover))
    assert at.at_ratio("distance") == pytest.approx(at.at_ratio(at.best_for_users))
    assert run(replace(BASE, epsilon=10.0)).tables()["linear-errors"]["error"].isna().any(), "α too large for Gaussian"


def test_each_number_of_the_table_stands_under_its_head() -> None:
    result = run(BASE)
    (table,) = (block for block in show(BASE, result) if isinstance(block, Table))
    for row, (name, release) in zip(table.rows, result.releases.items(), strict=True):
        said = dict(zip(table.heads, row, strict=True))
        assert said["Release"] == release.label and said["Order in the paper"] == (release.order or "–")
        assert said[f"Error at α/ε = {BASE.ratio:g}"] == number(result.at_ratio(name))
        assert ("distance" in said["Promise"]) == release.by_distance
