"""What the movies page's numbers give away."""

from __future__ import annotations

from dpot_core.disclosures import Disclosure, exact_outputs, nothing_released
from dpot_core.experiments.movies.films import Films
from dpot_core.experiments.movies.promise import guarantee
from dpot_core.experiments.movies.settings import Config

#: Columns that depend on the catalogue and the settings only.
FREE = {
    "user-outputs": ("simulated", "film", "genres"),
    "user-liked-against-epsilon": ("simulated", "epsilon"),
    "hit-rate": ("simulated", "epsilon", "release", "users"),
    "masses-tried": ("simulated", "epsilon", "release", "mass"),
    "ten-releases": ("simulated", "release", "epsilon of each release", "epsilon in all", "score"),
    "two-users": ("simulated", "film"),
    "largest-ratio": ("simulated", "epsilon"),
}


def disclosure(config: Config, films: Films, view: str = "user") -> Disclosure:
    """What a view's numbers say about the users.

    Args:
        config: the settings.
        films: the catalogue, the split, what is learned from the validation users.
        view: "user", "everyone", "sweep" or "adversary".
    """
    if view == "user":
        return exact_outputs(guarantee(config, films), "one released film", FREE)
    return nothing_released("analysis", FREE)
