"""How high outputs reach over the whole slider of epsilon, so that axes and colour scales hold still on it."""

from dataclasses import replace

import numpy as np

from dpot_app.kit.fields import EPSILONS
from dpot_app.views.mixture.cells import cells_of
from dpot_app.views.mixture.densities import make_input, make_reference
from dpot_app.views.mixture.outputs import private_density
from dpot_app.views.mixture.settings import Config
from dpot_core.arguments import Array

# Halvings of an interval of logarithms: more than a float resolves.
_HALVINGS = 80
# Outputs are linear between public nodes: they may miss a narrow peak, or pass it, by a few parts in 10^5.
_BETWEEN_NODES = 1e-4


def highest_output(config: Config, points: Array) -> float:
    """The highest density at some points of the input and of any output; ``config.epsilon`` is not used.

    Outputs of KPM, of the mixture mechanism and of WPM are nowhere denser than the input somewhere is (a law of the
    tests): they spread it out. The mollifier and KPM around prior may gather it under a narrow Gaussian.

    Args:
        points: (n,) or (n, 2).
    """
    p = make_input(config)(points)
    tops = [float(p.max())]
    if "wpm" in config.mechanisms:
        cells = cells_of(config, config.cells)
        tops.append(float(cells.mu.max()) / cells.area)
        if config.base != "band":
            # A lower bound is at most the base measure scaled to a distribution.
            tops.append(float(cells.h.max() if config.base == "best-h" else 1.0 / len(cells.h)) / cells.area)
    if "mollifier" in config.mechanisms:
        output = private_density("mollifier", config)
        reference = make_reference(config.reference, config.family.dimension)
        low, high = np.exp(-np.array(EPSILONS) / 2), np.exp(np.array(EPSILONS) / 2)
        gains = _gains(output.ratios, output.grid.masses, low, high)
        g = reference.density(points)
        tops += [float(np.clip(x * p, a * g, b * g).max()) for x, a, b in zip(gains, low, high, strict=True)]
    if "kpm-prior" in config.mechanisms:
        every = (private_density("kpm-prior", replace(config, epsilon=epsilon)) for epsilon in EPSILONS)
        tops += [float(np.max(output.density(points))) for output in every]
    return (1 + _BETWEEN_NODES) * max(tops)


def _gains(ratios: Array, masses: Array, low: Array, high: Array) -> Array:
    """x with sum(clip(x ratios, low, high) masses) = 1 for many pairs of bounds at once, by one sorting."""
    order = np.argsort(ratios, axis=None)
    r, m = ratios.ravel()[order], masses.ravel()[order]
    below, weighted = (np.concatenate([[0.0], np.cumsum(values)]) for values in (m, m * r))
    least, most = np.log(low / r[-1]), np.log(high / r[r > 0][0])
    for _ in range(_HALVINGS):
        x = np.exp((least + most) / 2)
        first, last = np.searchsorted(r, low / x), np.searchsorted(r, high / x)
        total = low * below[first] + x * (weighted[last] - weighted[first]) + high * (below[-1] - below[last])
        least, most = np.where(total < 1.0, np.log(x), least), np.where(total < 1.0, most, np.log(x))
    return np.asarray(np.exp((least + most) / 2))
