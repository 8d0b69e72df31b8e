"""The synthetic experiment of the private coreset: a mixture of four Gaussians, projected before its barycenter or not.

Source: dp_barycenters, Figure 2 and section 6.
"""

from typing import Any

import numpy as np

from dpot_core.arguments import Array
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter, Search, coreset_barycenter
from dpot_core.privacy.streams import stream
from dpot_core.transport.barycenters import free_support

#: Dimension, and how wide one Gaussian is (the paper names its centres and no width).
DIMENSION = 10
WIDTH = 0.04
#: Where Figure 2 looks along each of its axes (ours: the paper prints no values).
VALUES: dict[str, tuple[float, ...]] = {
    "n": (50, 100, 200, 400, 800, 1600),
    "epsilon": (0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
    "projection": (1, 2, 3, 4, 5, 6, 7, 8, 9),
}


def gaussians(n: int, rng: np.random.Generator, width: float = WIDTH) -> Array:
    """n points of an equal mixture of four Gaussians at (±0.25, ±0.25, 0, ..., 0), moved into the public box.

    Args:
        n: how many points.
        rng: draws them.
        width: standard deviation of each Gaussian in every dimension.

    Returns:
        Points, (n, 10), in the box [-0.5, 0.5]^10.
    """
    signs = rng.choice((-0.25, 0.25), (n, 2))
    points = width * rng.standard_normal((n, DIMENSION))
    points[:, :2] += signs
    return np.clip(points, -0.5, 0.5)


def release(
    points: Array,
    m: int,
    epsilon: float,
    projection: int | None,
    *,
    seed: int,
    run: int,
    width: float = WIDTH,
    shrink: float = 1.0,
) -> CoresetBarycenter:
    """The coreset's barycenter of the mixture, whose private copy is projected to d' dimensions first, or not (None).

    A demonstration: what it draws depends on its seed, its run and all settings. ``shrink`` is how much smaller than
    its cell the box is in which the copy's points are drawn: ``(240 d)^(-1/d)`` in all experiments of the paper.
    """
    box = (np.full(DIMENSION, -0.5), np.full(DIMENSION, 0.5))
    own: dict[str, Any] = {"n": len(points), "m": m, "epsilon": epsilon, "projection": projection}
    if width != WIDTH:
        own["width"] = width
    if shrink != 1.0:
        own["shrink"] = shrink
    rng = stream(seed, "gaussians", run=run, **own)
    search = Search(projection=projection, subsample=max(len(points), m), shrink=shrink)
    return coreset_barycenter([points], m, epsilon, region=box, rng=rng, search=search)


def costs(
    n: int, m: int, epsilon: float, projection: int, *, seed: int, run: int, width: float = WIDTH
) -> dict[str, float]:
    """One run: costs (squared units) on its true points, without privacy and of the release projected and not.

    Args:
        n: points of the mixture.
        m: atoms.
        epsilon: privacy parameter in nats, towards the points.
        projection: d', dimensions after the projection.
        seed: of everything that is drawn.
        run: which draw; no two share anything.
        width: standard deviation of each Gaussian in every dimension.

    Returns:
        "non-private", "projected" and "plain".
    """
    points = gaussians(n, np.random.default_rng([seed, run]), width)
    groups = [(points, None)]
    found = {"non-private": free_support(groups, m, np.random.default_rng([seed, run, 1])).cost}
    for name, target in (("projected", projection), ("plain", None)):
        found[name] = release(points, m, epsilon, target, seed=seed, run=run, width=width).cost(groups)
    return found
