"""Where the truth is known: a mixture of Gaussians in ten dimensions, and pictures of digits as distributions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.datasets.digits import load_digits
from dpot_core.experiments.population.mechanism import in_order
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter, Search, coreset_barycenter
from dpot_core.progress import Progress
from dpot_core.streams import stream
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import settings, whole
from dpot_core.transport.barycenters import barycenter_cost, free_support

#: Dimension, and how wide one Gaussian is (the paper names its centres and no width).
DIMENSION = 10
WIDTH = 0.04

#: Runs behind each point, and the values along each axis (Fig. 2 of the paper; it has 30 runs).
RUNS = 10
VALUES: dict[str, tuple[float, ...]] = {
    "n": (50, 100, 200, 400, 800, 1600),
    "epsilon": (0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
    "projection": (1, 2, 3, 4, 5, 6, 7, 8, 9),
}

#: Points of each picture, and of each private copy, from which the digits' barycenters are computed.
KEPT = 500

#: What is compared: key -> words.
SERIES = {"non-private": "Non-private", "projected": "Coreset, projected", "plain": "Coreset, not projected"}


@settings
class SyntheticConfig:
    """Settings of both examples; Gaussians as in dp_barycenters, Fig. 2.

    Attributes:
        n: points of the mixture.
        m: atoms.
        epsilon: privacy parameter in nats, towards the points.
        projection: dimensions after the projection.
        digit: which digit is drawn.
        pictures: pictures of it, one group each.
        points: points of each picture.
        digit_atoms: atoms of the digits' barycenter.
        seed: of everything.
    """

    n: int = whole(
        "Points of the mixture, n",
        1000,
        low=2,
        high=100_000,
        soft=(50, 5000),
        step=500,
        widget="field",
        link="synthetic_n",
    )
    m: int = whole(
        "Atoms of the mixture, m", 8, low=1, high=64, soft=(1, 32), step=4, widget="field", link="synthetic_m"
    )
    epsilon: float = epsilon(1.0)
    projection: int = whole("Projected dimensions, d′", 5, low=1, high=9, step=2, widget="field", link="projection")
    digit: int = whole("Digit", 2, low=0, high=9, step=None, widget="field", link="digit")
    pictures: int = whole("Pictures of the digit", 3, low=1, high=10, widget="field", link="pictures")
    points: int = whole("Points of each picture", 2_000, low=2, high=100_000, step=1_000)
    digit_atoms: int = whole(
        "Atoms of the digit", 24, low=1, high=64, soft=(2, 32), step=8, widget="field", link="digit_atoms"
    )
    seed: int = whole("Seed of everything", 1, low=0, high=2**32, soft=(1, 9999), widget="field", link="seed")


@dataclass(frozen=True)
class SyntheticPoint:
    """`RUNS` runs at one value of one axis: cost of each of `SERIES`, (RUNS,)."""

    value: float
    cost: dict[str, Array]


@dataclass(frozen=True)
class SyntheticCurve:
    """Cost against n, epsilon or the projection's dimension; ascending."""

    axis: str
    config: SyntheticConfig
    points: tuple[SyntheticPoint, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn, run by run."""
        rows = [
            {"simulated": True, self.axis: point.value, "barycenter": name, "run": run, "cost": cost}
            for point in self.points
            for name, costs in point.cost.items()
            for run, cost in enumerate(costs)
        ]
        return {f"gaussians-against-{self.axis}": pd.DataFrame(rows)}


@dataclass(frozen=True)
class DigitResult:
    """Pictures of one digit, a private copy of the first, and barycenters of all.

    Attributes:
        config: the settings.
        title: of the pictures.
        simulated: whether a program drew them.
        cloud: points of the first picture, (n, 2); sensitive.
        copy: its private copy, (n, 2).
        atoms: barycenter of all pictures without privacy, (m, 2).
        private_atoms: the coreset's barycenter, (m, 2).
        costs: cost of both, by key of `SERIES` ("non-private", "plain").
        guarantee: towards the points of the pictures.
    """

    config: SyntheticConfig
    title: str
    simulated: bool
    cloud: Array
    copy: Array
    atoms: Array
    private_atoms: Array
    costs: dict[str, float]
    guarantee: Guarantee

    def tables(self) -> dict[str, pd.DataFrame]:
        """Atoms and costs; the points of the pictures are not among them."""
        released, truth = (pd.DataFrame(atoms, columns=["x", "y"]) for atoms in (self.private_atoms, self.atoms))
        costs = pd.DataFrame({"barycenter": ["non-private", "coreset"], "cost": list(self.costs.values())})
        mark = {"simulated": self.simulated}
        return {
            "digit-atoms": released.assign(**mark),
            "digit-atoms-not-private": truth.assign(**mark),
            "digit-costs": costs.assign(**mark),
        }


def gaussians(n: int, rng: np.random.Generator) -> Array:
    """n points of an equal mixture of four Gaussians at (±0.25, ±0.25, 0, ..., 0), moved into the public box.

    Args:
        n: number of points.
        rng: source of randomness.

    Returns:
        Points, (n, DIMENSION), in [-0.5, 0.5] in every coordinate.
    """
    signs = rng.choice((-0.25, 0.25), (n, 2))
    points = WIDTH * rng.standard_normal((n, DIMENSION))
    points[:, :2] += signs
    return np.clip(points, -0.5, 0.5)


def synthetic_release(config: SyntheticConfig, points: Array, projected: bool, run: int) -> CoresetBarycenter:
    """The coreset's barycenter of the mixture.

    Args:
        config: the settings.
        points: the mixture, (n, DIMENSION).
        projected: whether the private copy is projected first.
        run: number of the run.
    """
    box = (np.full(DIMENSION, -0.5), np.full(DIMENSION, 0.5))
    target = config.projection if projected else None
    return coreset_barycenter(
        [points],
        config.m,
        config.epsilon,
        region=box,
        rng=stream(
            config.seed, "gaussians", run=run, n=config.n, m=config.m, epsilon=config.epsilon, projection=target
        ),
        search=Search(projection=target, subsample=max(config.n, config.m)),
    )


def synthetic_point(
    config: SyntheticConfig, axis: str, value: float, progress: Progress | None = None
) -> SyntheticPoint:
    """All runs at one value; cost is that of the true points of the run.

    Args:
        config: the settings; the axis' value is replaced.
        axis: a key of `VALUES`.
        value: its value.
        progress: called with (runs done, runs in all).
    """
    changed: dict[str, Any] = {axis: value if axis == "epsilon" else int(value)}
    at = replace(config, **changed)
    costs: dict[str, list[float]] = {name: [] for name in SERIES}
    for run in range(RUNS):
        if progress is not None:
            progress(run, RUNS)
        points = gaussians(at.n, np.random.default_rng([at.seed, run]))
        groups = [(points, None)]
        costs["non-private"].append(free_support(groups, at.m, np.random.default_rng([at.seed, run, 1])).cost)
        for name, projected in (("projected", True), ("plain", False)):
            costs[name].append(synthetic_release(at, points, projected, run).cost(groups))
    return SyntheticPoint(float(value), {name: np.array(values) for name, values in costs.items()})


def synthetic_curve(axis: str, config: SyntheticConfig, points: Iterable[SyntheticPoint]) -> SyntheticCurve:
    """Put points in order."""
    return SyntheticCurve(axis, config, tuple(sorted(points, key=lambda point: point.value)))


def digits(config: SyntheticConfig, progress: Progress | None = None) -> DigitResult:
    """Pictures of one digit: each is a group, each of its points a record that is protected.

    Args:
        config: the settings.
        progress: called with (steps done, steps in all).
    """
    pictures = load_digits()
    clouds = pictures.points(config.digit, config.pictures, config.points, np.random.default_rng([config.seed, 4]))
    groups = [(cloud[:KEPT], None) for cloud in clouds]
    if progress is not None:
        progress(0, 2)
    truth = free_support(groups, config.digit_atoms, np.random.default_rng([config.seed, 5]), starts=1)
    if progress is not None:
        progress(1, 2)
    private = coreset_barycenter(
        clouds,
        config.digit_atoms,
        config.epsilon,
        region=((-0.5, -0.5), (0.5, 0.5)),
        rng=stream(
            config.seed,
            "digits",
            digit=config.digit,
            pictures=config.pictures,
            points=config.points,
            m=config.digit_atoms,
            epsilon=config.epsilon,
        ),
        search=Search(subsample=KEPT, starts=1),
    )
    return DigitResult(
        config=config,
        title=pictures.title,
        simulated=pictures.simulated,
        cloud=clouds[0],
        copy=private.measures[0].points,
        atoms=truth.atoms,
        private_atoms=in_order(private.atoms),
        costs={"non-private": truth.cost, "plain": barycenter_cost(groups, private.atoms)},
        guarantee=replace(private.guarantee, record="point"),
    )


def synthetic_guarantee(config: SyntheticConfig) -> Guarantee:
    """The promise of one of the Gaussians' releases."""
    points = gaussians(config.n, np.random.default_rng([config.seed, 0]))
    return replace(synthetic_release(config, points, True, 0).guarantee, record="point")


def synthetic_snippet(config: SyntheticConfig) -> str:
    """Python that prints the costs of one run at the settings, and of the digits."""
    standard = SyntheticConfig()
    changed = {name: value for name, value in vars(config).items() if value != getattr(standard, name)}
    settings = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return (
        "from dpot_core.experiments import population\n\n"
        f"config = population.SyntheticConfig({settings})\n"
        'point = population.synthetic_point(config, "epsilon", config.epsilon)\n'
        "print({name: costs.mean() for name, costs in point.cost.items()})\n"
        "print(population.digits(config).costs)\n"
    )
