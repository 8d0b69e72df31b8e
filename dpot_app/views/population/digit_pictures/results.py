import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.population.releases import in_order
from dpot_app.views.population.synthetic import SyntheticConfig
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.datasets.digits import Digits, load_digits
from dpot_core.mechanisms.central.coreset_barycenter import Search, coreset_barycenter
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.streams import stream
from dpot_core.transport.barycenters import Barycenter, barycenter_cost, free_support

#: Points of each picture, and of each private copy, from which the digits' barycenters are computed.
KEPT = 500


@dataclass(frozen=True)
class DigitResult:
    """Pictures of one digit, a private copy of the first, and barycenters of all."""

    config: SyntheticConfig
    title: str  # of the pictures
    simulated: bool  # drawn by a program
    cloud: Array  # points of the first picture, (n, 2); sensitive
    copy: Array  # private, of the cloud, (n, 2)
    atoms: Array  # barycenter of all pictures without privacy, (m, 2)
    private_atoms: Array  # the coreset's barycenter, (m, 2)
    costs: dict[str, float]  # cost of both, by key of `SERIES` ("non-private", "plain")
    guarantee: Guarantee  # towards the points of the pictures

    def tables(self) -> dict[str, pd.DataFrame]:
        """Atoms and costs; the points of the pictures are not among them."""
        released, truth = (pd.DataFrame(atoms, columns=["x", "y"]) for atoms in (self.private_atoms, self.atoms))
        costs = pd.DataFrame({"barycenter": ["non-private", "coreset"], "cost": list(self.costs.values())})
        tables = {"digit-atoms": released, "digit-atoms-not-private": truth, "digit-costs": costs}
        return {name: table.assign(simulated=self.simulated) for name, table in tables.items()}


def digits(config: SyntheticConfig, progress: Progress | None = None) -> DigitResult:
    """Pictures of one digit: each is a group, each of its points a record that is protected."""
    pictures = load_digits()
    if progress is not None:
        progress(0, 2)
    clouds, truth = _not_private(replace(config, epsilon=SyntheticConfig().epsilon), _digest(pictures))
    groups = _groups(clouds)
    if progress is not None:
        progress(1, 2)
    own: dict[str, Any] = {name: getattr(config, name) for name in ("digit", "pictures", "points", "epsilon")}
    if not pictures.simulated:
        own["ink"] = _digest(pictures)  # other pictures, other noise
    private = coreset_barycenter(
        clouds,
        config.digit_atoms,
        config.epsilon,
        region=((-0.5, -0.5), (0.5, 0.5)),
        rng=stream(config.seed, "digits", m=config.digit_atoms, **own),
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


@cached
def _not_private(config: SyntheticConfig, _digest: str) -> tuple[list[Array], Barycenter]:
    """Points of the pictures (with that digest), and the barycenter without privacy: the same at every epsilon."""
    clouds = load_digits().points(config.digit, config.pictures, config.points, np.random.default_rng([config.seed, 4]))
    rng = np.random.default_rng([config.seed, 5])
    return clouds, free_support(_groups(clouds), config.digit_atoms, rng, starts=1)


def _groups(clouds: list[Array]) -> list[tuple[Array, None]]:
    return [(cloud[:KEPT], None) for cloud in clouds]


def digests(_config: SyntheticConfig) -> dict[str, str]:
    """MNIST where it is on the machine, else digits drawn by a program: other pictures, other numbers."""
    pictures = load_digits()
    return {} if pictures.simulated else {"mnist": _digest(pictures)}


@lru_cache(maxsize=1)
def _digest(pictures: Digits) -> str:
    return hashlib.sha256(pictures.ink.tobytes() + pictures.labels.tobytes()).hexdigest()
