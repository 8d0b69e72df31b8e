"""Sampling near a public prior (Ghoukasian, Lee, Asoodeh 2025), against the bars of the authors' own figures.

Their repository, github.com/hradghoukasian/private_sampling at 51748b9, has the figures as drawings: a bar's height,
measured by the ticks of its axis, is its number to six digits.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from dpot_app.views.papers.row import Number, Numbers
from dpot_core.arguments import Array
from dpot_core.mechanisms.continuous.densities import kl_projection_density, mixture_density
from dpot_core.mechanisms.continuous.families import DensityFamily, prior_family
from dpot_core.mechanisms.near_prior import gaussian_epsilon_near_prior, worst_case_near_prior
from dpot_core.worst_case import worst_case_divergence

_NAMES = {"kl": "KL", "tv": "TV", "hellinger": "Hellinger²"}
#: Values of epsilon, or of mu, of all figures.
BUDGETS = (0.1, 0.5, 1.0, 2.0)

#: Figures 3, 5 and 6, by k: near the prior, at each epsilon, a row for each of `_NAMES`.
FINITE = {
    10: (
        (0.7725926, 0.5537679, 0.3271712, 0.0549916),
        (0.5835193, 0.5081249, 0.3953903, 0.1512144),
        (0.1879871, 0.1404506, 0.0859875, 0.0145299),
    ),
    20: (
        (1.6782418, 1.3706344, 1.0163447, 0.4518084),
        (0.7906331, 0.7451719, 0.6680307, 0.4491469),
        (0.3878294, 0.3359918, 0.2659502, 0.1286621),
    ),
    100: (
        (3.6402487, 3.2590385, 2.7899358, 1.8963996),
        (0.957943, 0.9474479, 0.9274406, 0.8489629),
        (0.7131236, 0.6822908, 0.6353911, 0.5098174),
    ),
}
#: Figures 7, 8 and 9, the same at each mu.
GAUSSIAN = {
    10: (
        (0.7507152, 0.4804312, 0.2450393, 0.0221752),
        (0.5770564, 0.4764192, 0.3407162, 0.092288),
        (0.1834568, 0.1234031, 0.064991, 0.0057775),
    ),
    20: (
        (1.6213893, 1.1519039, 0.715345, 0.2115783),
        (0.7833959, 0.7014071, 0.5710006, 0.2880541),
        (0.3788302, 0.2941396, 0.196813, 0.0608829),
    ),
    100: (
        (3.5084085, 2.6902609, 1.8698137, 0.8071616),
        (0.9547651, 0.9218064, 0.845348, 0.5787646),
        (0.703116, 0.6239463, 0.5051825, 0.2635032),
    ),
}
#: Figures 4 (KPM, at each epsilon) and 10 (the linear sampler, at each mu): the largest of 100 Laplace mixtures.
LAPLACE = {
    "around the prior": (
        (0.3191326, 0.1808069, 0.0737032, 0.0),
        (0.3698306, 0.2845396, 0.1795118, 0.0),
        (0.079088, 0.0463016, 0.0191584, 0.0),
    ),
    "for a family three times as wide": (
        (0.3373632, 0.249618, 0.1617869, 0.0282919),
        (0.3796821, 0.3338533, 0.2725087, 0.1078488),
        (0.0832839, 0.0630426, 0.0416554, 0.0073519),
    ),
}
LAPLACE_GAUSSIAN = (
    (0.3175861, 0.1807358, 0.0766502, 0.000177),
    (0.3687809, 0.2830669, 0.1837663, 0.0081688),
    (0.0786438, 0.0459478, 0.0197042, 0.0000444),
)
#: Figure 11, two dimensions: total variation at each epsilon, near the prior and for the wider family.
PLANE = ((0.3505343, 0.2216025, 0.1853649, 0.0935739), (0.3483576, 0.2497671, 0.2805353, 0.1528989))

_ENDS = (-np.inf, np.inf)


def finite() -> Numbers:
    """Worst cases around the uniform prior with gamma = k/2 - 1, and how far from their 36 bars."""
    numbers: dict[str, Number] = {}
    off = 0.0
    for k, bars in FINITE.items():
        for (name, label), heights in zip(_NAMES.items(), bars, strict=True):
            found = [worst_case_near_prior(name, np.ones(k), epsilon, k / 2 - 1).at_most for epsilon in BUDGETS]
            off = max(off, *(abs(one - bar) for one, bar in zip(found, heights, strict=True)))
            if name == "kl":
                numbers[f"{label}, k = {k}, ε = 1"] = Number(found[2])
                numbers[f"{label} of KPM over all inputs, k = {k}, ε = 1"] = Number(worst_case_divergence(name, k, 1.0))
    return numbers | {"farthest from one of 36 bars": Number(off)}


def gaussian() -> Numbers:
    """The same where outputs are mu-Gaussian-private: KPM at the largest epsilon that keeps mu."""
    numbers: dict[str, Number] = {}
    off = 0.0
    for k, bars in GAUSSIAN.items():
        kept = [gaussian_epsilon_near_prior(mu, np.ones(k), k / 2 - 1) for mu in BUDGETS]
        for (name, label), heights in zip(_NAMES.items(), bars, strict=True):
            found = [worst_case_near_prior(name, np.ones(k), epsilon, k / 2 - 1).at_most for epsilon in kept]
            off = max(off, *(abs(one - bar) for one, bar in zip(found, heights, strict=True)))
            if name == "kl":
                numbers |= {f"ε of it, k = {k}, μ = 1": Number(kept[2]), f"{label}, k = {k}, μ = 1": Number(found[2])}
    return numbers | {"farthest from one of 36 bars": Number(off)}


def laplace(x: Array, centre: float = 0.0) -> Array:
    """The density of scale 1 around a centre."""
    return np.asarray(np.exp(-np.abs(x - centre)) / 2)


def mixtures(seed: int) -> Iterator[Callable[[Array], Array]]:
    """The 100 mixtures of Laplace densities that their program draws from a seed."""
    rng = np.random.default_rng(seed)
    for _ in range(100):
        modes = min(int(rng.poisson(2)) + 1, 10)
        centres, weights = rng.uniform(-1, 1, (modes, 1)).ravel(), rng.dirichlet(np.ones(modes))

        yield partial(_mixture, centres, weights)


def _mixture(centres: Array, weights: Array, x: Array) -> Array:
    return np.asarray(sum(w * laplace(x, c) for w, c in zip(weights, centres, strict=True)))


def families() -> dict[str, DensityFamily]:
    """Theirs: c2 = 3, the next whole number above e, with c1 = 1/3; and c1 = 1/(3 e), c2 = 3 e."""
    edges = np.arange(-40.0, 41.0)
    near = prior_family(laplace, 3.0, _ENDS, edges=edges)
    wide = DensityFamily(1 / (3 * math.e), 3 * math.e, laplace, _ENDS, edges=edges)
    return dict(zip(LAPLACE, (near, wide), strict=True))


def on_the_line() -> Numbers:
    """Figure 4: the largest divergence of 100 mixtures, a seed for each epsilon."""
    numbers: dict[str, Number] = {}
    off = 0.0
    for words, family in families().items():
        for place, epsilon in enumerate(BUDGETS):
            lost = [
                kl_projection_density(p, family, epsilon, tolerance=1e-6).divergences() for p in mixtures(place + 1)
            ]
            for (name, label), heights in zip(_NAMES.items(), LAPLACE[words], strict=True):
                largest = max(one[name] for one in lost)
                off = max(off, abs(largest - heights[place]))
                if name == "kl":
                    numbers[f"{label} {words}, ε = {epsilon:g}"] = Number(largest)
    return numbers | {"farthest from one of 24 bars": Number(off)}


def gaussian_on_the_line() -> Numbers:
    """Figure 10: their linear sampler at each mu, and KPM in the same band, which is nearer to every input."""
    numbers: dict[str, Number] = {}
    off = 0.0
    family = next(iter(families().values()))
    for place, mu in enumerate(BUDGETS):
        # A fourth of the prior's mass is the share that gamma = 3 has: the band is that of four equal points.
        epsilon = gaussian_epsilon_near_prior(mu, np.ones(4), 3.0)
        both = [
            [make(p, family, epsilon, 1e-6).divergences() for make in (mixture_density, kl_projection_density)]
            for p in mixtures(place + 1)
        ]
        for (name, label), heights in zip(_NAMES.items(), LAPLACE_GAUSSIAN, strict=True):
            linear, ours = (max(one[side][name] for one in both) for side in (0, 1))
            off = max(off, abs(linear - heights[place]))
            if name == "kl":
                numbers[f"{label}, linear, μ = {mu:g}"] = Number(linear)
                numbers[f"{label}, KPM in the same band, μ = {mu:g}"] = Number(ours)
    return numbers | {"farthest from one of 12 bars": Number(off)}


def in_the_plane() -> Numbers:
    """Figure 11: the largest total variation of 100 mixtures by a sum over a grid, beside theirs by random points."""
    numbers: dict[str, Number] = {}
    cells = 400
    axis = np.linspace(-10, 10, cells, endpoint=False) + 10 / cells
    prior = _product(axis, (0.0, 0.0))
    mass, share = float(prior.sum()) * (20 / cells) ** 2, 1 / float(prior.sum())
    for words, (low, high), bars in zip(
        LAPLACE, ((1 / 3, 3.0), (mass / (3 * math.e), mass * 3 * math.e)), PLANE, strict=True
    ):
        for place, epsilon in enumerate(BUDGETS):
            mixed = np.expm1(epsilon) / ((1 - low) * np.exp(epsilon) + high - 1)
            # Outputs are (1 - mixed) of the way to the prior.
            largest = max(
                (1 - mixed) * float(np.abs(p / p.sum() - share * prior).sum()) / 2
                for p in _mixtures_in_plane(place + 1, axis)
            )
            numbers[f"TV {words}, ε = {epsilon:g}"] = Number(largest)
            numbers[f"their bar, {words}, ε = {epsilon:g}"] = Number(bars[place])
    return numbers


def _mixtures_in_plane(seed: int, axis: Array) -> Iterator[Array]:
    """The 100 mixtures of scale 1 that their program draws from a seed, on a grid."""
    rng = np.random.default_rng(seed)
    for _ in range(100):
        modes = min(int(rng.poisson(2)) + 1, 10)
        signs, far = rng.choice([-1, 1], (modes, 2)), rng.exponential(1.0, (modes, 2))
        centres = signs * far / far.sum(axis=1, keepdims=True) * rng.uniform(0, 1, (modes, 1))
        weights = rng.dirichlet(np.ones(modes))
        yield np.asarray(sum(w * _product(axis, c) for w, c in zip(weights, centres.tolist(), strict=True)))


def _product(axis: Array, centre: Sequence[float]) -> Array:
    """A product of two Laplace densities of scale 1, on a grid."""
    one, other = (laplace(axis, middle) for middle in centre)
    return np.asarray(np.outer(one, other))
