"""Examples whose truth is known, a mixture of Gaussians and pictures of digits: their settings."""

from dpot_app.kit.fields import epsilon
from dpot_app.kit.links import Parameters, only, parameters
from dpot_app.kit.setting import declared, seed, settings, typed, whole
from dpot_app.views.population.settings import SIGNS

EXAMPLES = {"gaussians": "Four Gaussians in R¹⁰", "digits": "Digits"}
SYNTHETIC_AXES = {key: f"Against {sign}" for key, sign in SIGNS.items()}

#: Settings of either example alone.
MIXTURE, DIGITS = ("n", "m", "projection"), ("digit", "pictures", "digit_atoms")

#: What is compared: key -> words.
SERIES = {"non-private": "Non-private", "projected": "Coreset, projected", "plain": "Coreset, not projected"}


@settings
class SyntheticConfig:
    """Settings of both examples; Gaussians as in dp_barycenters, Fig. 2."""

    n: int = typed("Points of the mixture, n", 1000, "synthetic_n", low=2, high=100_000, soft=(50, 5000), step=500)
    m: int = typed("Atoms of the mixture, m", 8, "synthetic_m", low=1, high=64, soft=(1, 32), step=4)
    # Towards the points.
    epsilon: float = epsilon(1.0)
    projection: int = typed("Projected dimensions, d′", 5, "projection", low=1, high=9, step=2)
    digit: int = typed("Digit", 2, "digit", low=0, high=9, step=None)
    # Each is a group.
    pictures: int = typed("Pictures of the digit", 3, "pictures", low=1, high=10)
    points: int = whole("Points of each picture", 2_000, low=2, high=100_000, step=1_000)
    digit_atoms: int = typed("Atoms of the digit", 24, "digit_atoms", low=1, high=64, soft=(2, 32), step=8)
    seed: int = seed("Seed of everything", 1, "seed", soft=(1, 9999))


def link(example: str, config: SyntheticConfig, **more: str) -> Parameters:
    """The parameters of a link to an example; settings of the other one must be the usual ones."""
    carried, known = parameters(config), declared(SyntheticConfig)
    for name in ("points", *(MIXTURE if example == "digits" else DIGITS)):
        only(getattr(config, name), getattr(SyntheticConfig(), name), known[name].label)
        carried.pop(known[name].link, None)
    return carried | {"view": "synthetic", "example": example} | more
