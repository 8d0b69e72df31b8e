"""The protected changes in a city: the rate that they allow, and the guarantee."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from dpot_app.cities.city import City
from dpot_app.cities.loading import load_city
from dpot_app.cities.public import region_note, takes_part
from dpot_app.kit.values import filled
from dpot_app.views.metric.settings import SHARES, Config
from dpot_core.datasets import DATASETS
from dpot_core.mechanisms.metric.protection import earth_mover_guarantee, protection_rate
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_least

C = TypeVar("C")


def load(config: Config, files: Mapping[str, bytes]) -> City:
    """The city of the settings; visits off the map are moved to its edge, not left out."""
    return load_city(config.source, config.place, files, config.columns, clamp=True)


def diameter(city: City) -> float:
    """The largest distance in the city: the diagonal of its box, km. Public, as the box is."""
    return math.hypot(city.grid.width, city.grid.height)


def pairs(config: Config, largest: float) -> tuple[tuple[float, float], ...]:
    """The protected changes as (tau, q): distances over the largest one (km), at most 1."""
    return tuple((tau, min(km / largest, 1.0)) for tau, km in config.changes)


def rate(config: Config, largest: float) -> float:
    """alpha, nats per largest distance (km)."""
    return protection_rate(pairs(config, largest), config.epsilon)


def at_epsilon(config: C, epsilon: float) -> C:
    """Settings of a view with another epsilon for the protected changes; alpha is in proportion."""
    return filled(config, {"base.epsilon": epsilon})


def words(config: Config) -> tuple[str, ...]:
    """The protected changes in words: "1 visit in 30 moved by at most 5 km"."""
    return tuple(
        f"{SHARES.get(tau, f'{at_least(tau)} of the data')} moved by at most {at_least(km)} km"
        for tau, km in config.changes
    )


def guarantee(
    config: Config, largest: float, delta: float = 0.0, public: tuple[str, ...] = (), note: str = ""
) -> Guarantee:
    """The guarantee for the protected changes; ``largest`` distance in km, what else is public and must be known."""
    known = ("the map's box", takes_part(config.laid, on_map=False), "ε, α and the protected changes", *public)
    # A box that is given decides alone; the busiest spot is not looked for.
    place = config.laid if config.laid.box is None else replace(config.laid, within=0.0)
    data = DATASETS.get(config.source)
    notes = [note, region_note(place, simulated=data is not None and data.simulated)]
    if place.box is not None or place.within > 0:
        notes.append("A visit off the map counts as one at the nearest point of its edge.")
    if data is not None:
        notes.append(data.note)
    return earth_mover_guarantee(
        rate(config, largest),
        pairs(config, largest),
        delta,
        words(config),
        known,
        " ".join(part for part in notes if part),
        unit=f"the map's diagonal, {largest:.6g} km",
    )
