"""The synthetic view: Gaussians in ten dimensions, digits as distributions, simulated where no data are found."""

from __future__ import annotations

import numpy as np
import pytest

from dpot_app.views import population
from dpot_app.views.population.gaussians.results import synthetic_guarantee
from dpot_core.datasets.digits import Digits, load_digits, simulated_digits
from dpot_core.privacy.guarantees import Guarantee

CONFIG = population.Config(n=600, m=4, groups="regions")


@pytest.mark.nightly
def test_gaussians_private_barycenters_cost_more(monkeypatch):
    monkeypatch.setattr("dpot_app.views.population.gaussians.results.RUNS", 3)
    config = population.SyntheticConfig(n=200, m=4)
    points = [population.synthetic_point(config, "epsilon", value) for value in (8.0, 0.0625)]
    curve = population.synthetic_curve("epsilon", config, points)
    low, high = curve.points
    assert low.value < high.value
    assert high.cost["projected"].mean() < low.cost["projected"].mean()
    assert (high.cost["non-private"] < high.cost["projected"]).all()
    assert curve.tables()["gaussians-against-epsilon"]["simulated"].all()
    assert synthetic_guarantee(config).epsilon == 1.0


def test_digits_are_said_to_be_simulated(monkeypatch):
    monkeypatch.delenv("DPOT_DATA", raising=False)
    assert load_digits().simulated
    found = population.digits(population.SyntheticConfig(pictures=2, digit_atoms=8))
    assert found.simulated and "simulated" in found.title
    assert 0 < found.costs["non-private"] < found.costs["plain"]
    assert found.guarantee == Guarantee(1.0, 0.0, "replace", found.guarantee.public, record="point")


def test_drawn_digits_have_ink_and_clouds():
    drawn = simulated_digits()
    assert np.bincount(drawn.labels.astype(int)).tolist() == [20] * 10
    assert (drawn.ink.sum(axis=(1, 2)) > 20).all()
    clouds = drawn.points(7, 3, 100, np.random.default_rng(0))
    assert [cloud.shape for cloud in clouds] == [(100, 2)] * 3
    assert np.abs(clouds[0]).max() <= 0.5
    with pytest.raises(ValueError, match="pictures must lie in"):
        drawn.points(7, 21, 100, np.random.default_rng(0))
    with pytest.raises(ValueError, match="digit must lie in"):
        drawn.points(10, 1, 100, np.random.default_rng(0))


def test_mnist_is_read_where_it_is(real_data, monkeypatch):
    monkeypatch.setenv("DPOT_DATA", str(real_data("mnist/t10k-images-idx3-ubyte.gz").parents[1]))
    found = load_digits()
    assert isinstance(found, Digits) and not found.simulated
    assert found.ink.shape == (10_000, 28, 28) and np.bincount(found.labels.astype(int))[2] == 1032


def test_damaged_digits_are_said(tmp_path, monkeypatch):
    (tmp_path / "mnist").mkdir()
    for name in ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"):
        (tmp_path / "mnist" / name).write_bytes(b"no digits")
    monkeypatch.setenv("DPOT_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="does not hold MNIST"):
        load_digits()
