"""Axes and colour scales of the mixture page hold still: what they reach over is the whole slider of epsilon."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpot_app.kit.fields import EPSILONS
from dpot_app.views.mixture.cells import cells_of
from dpot_app.views.mixture.densities import make_input, random_modes, random_modes_in_disc
from dpot_app.views.mixture.line.figures import worst_case_figure
from dpot_app.views.mixture.line.results import largest_divergences, run_line
from dpot_app.views.mixture.outputs import on_cells, private_density
from dpot_app.views.mixture.plane.results import largest_change, run_plane
from dpot_app.views.mixture.settings import NAMES, RADII, TRAINED, VARIANCES, Config, Family, Modes
from dpot_app.views.mixture.worst_case import worst_cases, worst_now
from tests.views.test_frames import outside, scales

ALL = tuple(name for name in NAMES if name not in TRAINED)
SOME = (EPSILONS[0], 0.3, 1.0, 2.5, EPSILONS[-1])


@st.composite
def on_the_line(draw: st.DrawFn) -> Config:
    radius, variance = draw(st.sampled_from(RADII)), draw(st.sampled_from(VARIANCES))
    modes = random_modes(draw(st.integers(1, 10)), draw(st.integers(0, 999)), radius)
    order, reference = draw(st.integers(1, 4)), draw(st.sampled_from(VARIANCES))
    return Config(
        modes=modes,
        family=Family(variance=variance, radius=radius),
        mechanisms=ALL,
        reference=reference,
        cells=60,
        p=order,
        draws=200,
    )


@given(on_the_line(), st.sampled_from(EPSILONS))
@settings(max_examples=30)
def test_kpm_the_mixture_and_wpm_are_nowhere_denser_than_the_input_somewhere(config: Config, epsilon: float) -> None:
    config, x = replace(config, epsilon=epsilon), np.linspace(-4.0, 4.0, 801)
    top = float(make_input(config)(x).max())
    for name in ("kpm", "blend"):
        assert np.asarray(private_density(name, config).density(x)).max() <= top * (1 + 1e-4)
    assert on_cells(config, 60).nu.max() <= cells_of(config, 60).mu.max() * (1 + 1e-9)


@pytest.mark.nightly
@given(on_the_line())
@example(
    Config(
        modes=Modes(means=(1.8240068385159014,), weights=(1.0,)),
        family=Family(variance=0.05, radius=2.0),
        mechanisms=ALL,
        cells=60,
        draws=200,
    )
)
@settings(max_examples=10)
def test_the_lines_axes_are_the_same_at_every_epsilon_and_hold_all(config: Config) -> None:
    results = [run_line(replace(config, epsilon=epsilon)) for epsilon in SOME]
    assert len({result.top for result in results}) == 1
    for result in results:
        highest = max(float(values.max()) for values in (result.p, *result.densities.values(), result.histogram[1]))
        assert highest <= result.top


@pytest.mark.nightly
def test_worst_cases_hold_still() -> None:
    config = Config(modes=Modes(means=(-1.0, 1.0), weights=(0.9, 0.1)), mechanisms=ALL, reference=0.2, cells=60)
    first, *others = [
        worst_case_figure(
            run_line(there), worst_cases(there.family), worst_now(there.family, epsilon), largest_divergences(there)
        ).to_dict()
        for epsilon in SOME
        for there in (replace(config, epsilon=epsilon),)
    ]
    for other in others:
        assert dict(scales(other)) == dict(scales(first))
        assert not list(outside(other))


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_planes_colours_hold_still(seed: int) -> None:
    modes = random_modes_in_disc(4, seed)
    config = Config(
        modes=modes, family=Family(variance=0.5, radius=1.0, dimension=2), mechanisms=ALL, reference=0.2, cells=12
    )
    results = [run_plane(replace(config, epsilon=epsilon)) for epsilon in SOME]
    assert len({result.top for result in results}) == 1
    for name in ALL:
        assert len({largest_change(result.config, name) for result in results}) == 1
    for result in results:
        assert max(float(values.max()) for values in (result.p, *result.densities.values())) <= result.top
