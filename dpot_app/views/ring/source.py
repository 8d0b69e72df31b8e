from functools import partial

import numpy as np

from dpot_app.kit.setting import choice, free, number, seed, settings, steps, typed, when
from dpot_core.arguments import Array
from dpot_core.distributions import dirac, dirichlet, normalise, two_bumps

CONCENTRATIONS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0)
INPUTS = {
    "dirichlet": "Random",
    "dirac": "One point",
    "two-places": "Two places",
    "two-bumps": "Two bumps",
    "numbers": "My numbers",
}
MODULO = "Counted modulo k."

_is = partial(when, "kind")


@settings
class Source:
    kind: str = choice("Input distribution", "dirichlet", INPUTS, link="input")
    concentration: float = steps(
        "Dirichlet concentration",
        0.1,
        CONCENTRATIONS,
        "concentration",
        2.0,
        low=1e-3,
        high=1e4,
        help="Small: a few large masses. Large: nearly uniform.",
        shown=_is("dirichlet"),
    )
    seed: int = seed("Seed of the random draw", 1, "seed", shown=_is("dirichlet"))
    point: int = typed(
        "Point", 0, "point", low=0, high=10**9, soft=(0, 199), help=MODULO, shown=_is("dirac", "two-places")
    )
    other: int = typed(
        "The other point", 7, "other", low=0, high=10**9, soft=(0, 199), help=MODULO, shown=_is("two-places")
    )
    share: float = number(
        "Share at the first point", 0.5, low=0.0, high=1.0, every=0.05, step=0.1, link="share", shown=_is("two-places")
    )
    numbers: tuple[float, ...] = free("Weights of the points", (), shown=_is("numbers"))

    @property
    def personal(self) -> bool:
        return self.kind == "numbers"

    def distribution(self, k: int) -> Array:
        """The input distribution, (k,).

        Raises:
            ValueError: if given numbers do not fit the ring.
        """
        if self.kind == "dirichlet":
            return dirichlet(k, self.concentration, np.random.default_rng(self.seed))
        if self.kind == "dirac":
            return dirac(k, self.point % k)
        if self.kind == "two-places":
            return self.share * dirac(k, self.point % k) + (1.0 - self.share) * dirac(k, self.other % k)
        if self.kind == "two-bumps":
            return two_bumps(k)
        return normalise(fitting(self.numbers, k, "input"))


def fitting(values: tuple[float, ...], k: int, name: str) -> Array:
    """The numbers as an array, (k,); a `ValueError` with their name where there are not k of them."""
    if len(values) != k:
        raise ValueError(f"{name} has {len(values)} numbers, but the ring has {k} points")
    return np.asarray(values, dtype=np.float64)
