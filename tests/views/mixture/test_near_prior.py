"""KPM around the mollifier's Gaussian: by clipping on a grid, its worst case, and what is said of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize

from dpot_app.views.mixture.curves.results import worst_at
from dpot_app.views.mixture.densities import make_input, make_reference
from dpot_app.views.mixture.line.results import run_line
from dpot_app.views.mixture.line.text import VIEW
from dpot_app.views.mixture.outputs import private_density
from dpot_app.views.mixture.settings import Config, Family, Modes, link
from dpot_core.distributions.divergences import kl

CONFIG = Config(
    modes=Modes(means=(-0.5, 0.5), weights=(0.5, 0.5)),
    mechanisms=("kpm", "kpm-prior"),
    gamma=1.6,
    reference=1.3,
    draws=0,
)
X = np.linspace(-4, 4, 8_001)


@pytest.mark.parametrize(("epsilon", "gamma"), [(0.3, 1.6), (0.3, 9.0), (1.5, 1.6)])
def test_the_output_is_clipped_between_two_multiples_of_the_gaussian(epsilon: float, gamma: float) -> None:
    """b = (γ + 1)/(γ + e^ε), where γ is at least e^(ε/2), also for a p that is farther away."""
    config = replace(CONFIG, epsilon=epsilon, gamma=gamma)
    step, factor = X[1] - X[0], max(gamma, math.exp(epsilon / 2))
    h = make_reference(1.3, 1).density(X)
    p = make_input(config)(X)
    b = (factor + 1) / (factor + math.exp(epsilon))
    r = optimize.brentq(lambda r: step * np.clip(p / r, b * h, b * math.exp(epsilon) * h).sum() - 1, 0.1, 10)
    expected = np.clip(p / r, b * h, b * math.exp(epsilon) * h)
    found = private_density("kpm-prior", config)
    np.testing.assert_allclose(found.density(X), expected, atol=2e-4)
    assert found.divergences()["kl"] == pytest.approx(step * (p * np.log(p / expected)).sum(), abs=1e-5)


@pytest.mark.parametrize("gamma", [1.0, 1.6, 40.0])
def test_no_two_inputs_are_told_apart_by_more_than_epsilon(gamma: float) -> None:
    """Also far from the Gaussian: at opposite edges of the family, and on a narrow Gaussian."""
    for epsilon in (0.1, 1.0, 4.0):
        outputs = [
            private_density("kpm-prior", replace(CONFIG, epsilon=epsilon, gamma=gamma, modes=Modes(modes, (1.0,))))
            for modes in ((-1.0,), (1.0,), (0.0,))
        ]
        values = np.array([one.density(X) for one in outputs])
        assert (values.max(axis=0) <= math.exp(epsilon) * values.min(axis=0)).all()
        np.testing.assert_allclose(values.sum(axis=1) * (X[1] - X[0]), 1.0, rtol=1e-3)
    narrow = replace(CONFIG, family=Family(variance=0.05), epsilon=0.1, gamma=gamma)
    one, other = (
        private_density("kpm-prior", replace(narrow, modes=Modes((mean,), (1.0,)))).density(X) for mean in (-1.0, 1.0)
    )
    assert 0.08 < np.abs(np.log(one / other)).max() <= 0.1


def test_its_worst_case_over_the_family_is_that_of_single_modes() -> None:
    worst = worst_at(CONFIG, 0.5)
    assert list(worst["kl"]) == ["kpm", "kpm-prior"] and worst_at(replace(CONFIG, mechanisms=("kpm",)), 0.5).keys()
    x = np.linspace(-4, 4, CONFIG.cells + 1)
    x = (x[1:] + x[:-1]) / 2
    h = np.exp(-(x**2) / 2.6)
    b = 2.6 / (1.6 + math.exp(0.5))
    h, largest = h / h.sum(), 0.0
    for mean in np.linspace(0, 1, 33):
        p = np.exp(-((x - mean) ** 2) / 2)
        p /= p.sum()
        r = optimize.brentq(lambda r, p=p: np.clip(p / r, b * h, b * math.exp(0.5) * h).sum() - 1, 0.1, 10)
        largest = max(largest, kl(p, np.clip(p / r, b * h, b * math.exp(0.5) * h)))
    found = worst["kl"]["kpm-prior"]
    assert found.at_least == found.at_most == pytest.approx(largest, rel=1e-6)
    assert worst["distance"]["kpm-prior"].at_least <= worst["distance"]["kpm-prior"].at_most


def test_for_which_densities_it_is_made_is_said() -> None:
    def said(config: Config) -> str:
        return " ".join(block for block in VIEW.show(config, *VIEW.run(config).parts) if isinstance(block, str))

    within = replace(CONFIG, gamma=4.0, epsilon=0.3)
    ratio = make_input(within)(X) / make_reference(1.3, 1).density(X)
    assert max(ratio.max(), 1 / ratio.min()) < 4.0
    assert "within a factor 4 of its Gaussian: this input is one of them" in said(within)
    assert "this input differs by a factor of" in said(replace(CONFIG, gamma=1.1, epsilon=0.05))
    assert "KPM around prior" not in said(replace(CONFIG, mechanisms=("kpm",)))
    linked = replace(within, reference=2.0)
    assert link(linked)["gamma"] == "4" and "gamma" not in link(replace(linked, mechanisms=("kpm",)))


def test_axes_hold_its_highest_density() -> None:
    for epsilon in (0.05, 1.0, 10.0):
        result = run_line(replace(CONFIG, epsilon=epsilon, reference=0.1))
        assert result.densities["kpm-prior"].max() <= result.top
