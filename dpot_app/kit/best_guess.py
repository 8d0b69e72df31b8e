"""How often the best guess of a person's place is right, given one release: results that several pages compute."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpot_core.arguments import Array
from dpot_core.mechanisms import LABELS
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.vulnerability import best_guess
from dpot_core.worst_case import worst_case_wasserstein


class Attacked(NamedTuple):
    """A mechanism whose input is one place, drawn from the prior."""

    right: float  # chance that the best guess of the place is right
    distance: float  # W_p between place and output, at the place where it is largest


def attacked(cost: ArrayLike, rows: Array, p: float, prior: Array) -> Attacked:
    """Both figures of a mechanism.

    Args:
        cost: distances to the power p, (k, k_v).
        rows: its output at each place, (k, k_v).
        prior: where the person is, as far as is known before the release, (k,).
    """
    return Attacked(best_guess(rows, prior), float(worst_case_wasserstein(cost, rows, p)))


@dataclass(frozen=True)
class Guesses:
    """The best guess of a place from one release, for the mechanisms of the settings."""

    place: str  # what the input is: "point", "cell"
    loss: str  # name of the distance: "W₂"
    unit: str  # of distances, in the plural
    prior: Array  # where the person is, as far as is known before the release, (k,)
    epsilon: Array  # values of the curves, (T,)
    curves: dict[str, list[Attacked]]  # by mechanism, at `epsilon`
    at: float  # the present epsilon
    now: dict[str, Attacked]  # there
    labels: Mapping[str, str] = field(default_factory=lambda: LABELS, kw_only=True)  # names of mechanisms on screen
    simulated: bool = field(default=False, kw_only=True)  # whether what may be guessed is invented
    said: str = field(default="The person's place is one {place}", kw_only=True)  # what the input is, in words

    @property
    def without(self) -> float:
        """The chance of the best guess without a release."""
        return float(self.prior.max())

    @property
    def allowed(self) -> Array:
        """The most that epsilon allows, whatever the mechanism, at `epsilon`, (T,)."""
        return np.array([Guarantee(epsilon).posterior(self.without) for epsilon in self.epsilon.tolist()])

    def tables(self) -> dict[str, pd.DataFrame]:
        curves: dict[str, Array] = {"epsilon": self.epsilon, "allowed": self.allowed}
        now: dict[str, float] = {"epsilon": self.at, "without release": self.without}
        for name, curve in self.curves.items():
            for place, column in enumerate(Attacked._fields):
                curves[f"{name} {column}"] = np.array([point[place] for point in curve])
                now[f"{name} {column}"] = self.now[name][place]
        prior = pd.DataFrame({self.place: np.arange(len(self.prior)), "prior": self.prior})
        return {"best-guess": pd.DataFrame(curves), "best-guess-now": pd.DataFrame([now]), "best-guess-prior": prior}
