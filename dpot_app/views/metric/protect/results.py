from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.views.metric.protected import guarantee, pairs, rate, words
from dpot_app.views.metric.settings import SHARES, ProtectConfig
from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.mechanisms.metric.noise import MetricNoise
from dpot_core.mechanisms.metric.protection import earth_mover_guarantee, protection_rate
from dpot_core.mechanisms.metric.shuffling import (
    ShuffledPromise,
    best_item_rate,
    closed_form_rate,
    item_rate,
    shuffled_promise,
)
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_most, count, number

#: The paper's example, which calls 1/30 of a month's visits a day: 12,500 miles make 1,000 miles q = 0.08.
PAPER_MILES = 12_500.0
PAPER_CHANGES = ((1 / 30, 0.08), (1.0, 0.008))
PAPER_WORDS = ("1/30 of the visits moved by at most 1,000 miles", "everything moved by at most 100 miles")
PAPER_EPSILON, PAPER_DELTA = 0.2, 1e-12
PAPER_USERS, PAPER_ITEMS = 100_000, 1_000

_STEPS = 81


@dataclass(frozen=True)
class Protect:
    config: ProtectConfig
    largest: float  # distance, in ``unit``
    unit: str  # "km" or "miles"
    alpha: float  # nats per largest distance
    epsilon: float  # what each protected change may cost
    changes: tuple[tuple[float, float], ...]  # protected (tau, q)
    words: tuple[str, ...]  # the same
    simulated: bool  # whether the people are invented (they only give the largest distance here)

    @cached_property
    def costs(self) -> Array:
        """epsilon that each protected change really costs."""
        return np.array([self.alpha * tau * q for tau, q in self.changes])

    @property
    def binding(self) -> int:
        """Index of the change that decides alpha."""
        return int(np.argmax(self.costs))

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of any mechanism that is run at this alpha."""
        note = "For any mechanism that runs at this α; this view releases nothing."
        if self.config.example == "own":
            return guarantee(self.config.base, self.largest, note=note)
        unit = f"{count(PAPER_MILES)} miles"
        return earth_mover_guarantee(self.alpha, self.changes, 0.0, self.words, ("n and m",), note, unit)

    @cached_property
    def taus(self) -> Array:
        """Fractions of a history, ascending, logarithmic."""
        return np.geomspace(min(SHARES), 1.0, _STEPS)

    @cached_property
    def distances(self) -> Array:
        """Distances in ``unit``, ascending, logarithmic, up to the largest."""
        return np.geomspace(self.largest * 1e-3, self.largest, _STEPS)

    @cached_property
    def surface(self) -> Array:
        """epsilon of a change of tau (rows) by a distance (columns): alpha tau q."""
        return np.asarray(self.alpha * self.taus[:, None] * self.distances[None, :] / self.largest)

    def tables(self) -> dict[str, pd.DataFrame]:
        tau, q = np.array(self.changes).T
        changes = {"change": self.words, "tau": tau, "q": q, f"distance {self.unit}": q * self.largest}
        own = {"allowed epsilon": self.epsilon, "alpha alone": self.epsilon / (tau * q), "epsilon at alpha": self.costs}
        rows, columns = np.meshgrid(self.taus, self.distances, indexing="ij")
        surface = {"tau": rows.ravel(), f"distance {self.unit}": columns.ravel(), "epsilon": self.surface.ravel()}
        tables = {"protected-changes": pd.DataFrame({**changes, **own}), "cost-of-changes": pd.DataFrame(surface)}
        if self.config.example == "paper":
            tables["paper-numbers"] = paper_numbers()
        return tables


def protect(config: ProtectConfig, largest: float, simulated: bool) -> Protect:
    """Cost of every change; the paper's example does not use the city's ``largest`` distance (km)."""
    if config.example == "paper":
        alpha = protection_rate(PAPER_CHANGES, PAPER_EPSILON)
        return Protect(config, PAPER_MILES, "miles", alpha, PAPER_EPSILON, PAPER_CHANGES, PAPER_WORDS, False)
    base = config.base
    own = pairs(base, largest)
    return Protect(config, largest, "km", rate(base, largest), base.epsilon, own, words(base), simulated)


def paper_numbers() -> pd.DataFrame:
    """The numbers of the paper's example beside what its formulas give.

    Source:
        metric_dp_emd, sections 3, 4.1 and 4.2; reading notes, part C.
    """
    alpha = protection_rate(PAPER_CHANGES, PAPER_EPSILON)
    noise = MetricNoise("k-norm", 1.0 / alpha)
    mean = noise.mean_error(PAPER_USERS)

    def solved(users: int, slack: str) -> ShuffledPromise:
        return item_rate(alpha, PAPER_DELTA, PAPER_ITEMS, users, slack=slack)

    inside, coarse, alone = solved(PAPER_USERS, "inside"), solved(PAPER_USERS, "coarse"), solved(1, "inside")
    honest = shuffled_promise(coarse.item_rate, coarse.delta_inside, PAPER_ITEMS, PAPER_USERS).delta
    printed = f"(7) itself gives {number(closed_form_rate(alpha, PAPER_DELTA, PAPER_ITEMS, PAPER_USERS))}."
    local = best_item_rate(alpha, PAPER_DELTA, PAPER_ITEMS)
    theorem, shuffled = solved(PAPER_USERS, "theorem").item_rate, solved(1, "theorem").item_rate
    exact = f"That is {number(mean * PAPER_MILES)} miles. The paper has 0.04/√n; the exact mean is 2/√π times that"
    then, wanted = (
        "The promise then has δ′ =",
        f"By the theorem δ′ is then {at_most(honest, 0.0)}, smaller than was wanted",
    )
    central_item, local_item = "α₀ of one item, central,", "α₀ of one item, local,"
    rows = [
        ("α from the two protected changes", "25", alpha, "With q = 0.08 for 1,000 miles"),
        ("error of one person's answer, local", "0.04", noise.mean_error(), "Mean of Laplace noise, 1/α"),
        ("error of the average over n = 100,000, local", "1.26e-4 (1.6 miles)", mean, exact),
        (
            f"{central_item} δ of the theorem = 1e-12",
            "about 3.0",
            inside.item_rate,
            f"{then} {at_most(inside.delta, 0.0)}",
        ),
        (
            f"{central_item} δ′ = δ exp(α) = 1e-12, the slack of (7)",
            "about 3.0",
            coarse.item_rate,
            f"{printed} {wanted}",
        ),
        (f"{central_item} δ′ = 1e-12 by Theorem 4.4", "about 3.0", theorem, "What a release may use"),
        (f"{local_item} δ of the theorem = 1e-12", "", alone.item_rate, f"{then} {at_most(alone.delta, 0.0)}"),
        (f"{local_item} δ′ = 1e-12", "", local.item_rate, f"By {local.by}: shuffling gives only {at_most(shuffled)}"),
    ]
    return pd.DataFrame(rows, columns=["number", "in the paper", "recomputed", "why"])
