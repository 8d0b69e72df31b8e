"""What the page is asked for: whose data, and which changes of a history are protected."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from dpot_core.cities.city import City
from dpot_core.cities.loading import load_city as load
from dpot_core.cities.place import CsvRoles, Place, columns, source
from dpot_core.cities.public import region_note, takes_part
from dpot_core.datasets import DATASETS
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.metric.protection import earth_mover_guarantee, protection_rate
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import free, group, number, settings

#: Fractions of a history, in words. A history weighs visits and knows no days: a day with 10 of 30 visits is a third
#: of it. These words stand in people's links: add, but do not reword without an entry below.
SHARES: dict[float, str] = {
    0.001: "1 visit in 1,000",
    1 / 365: "1 visit in 365",
    0.01: "1 visit in 100",
    1 / 30: "1 visit in 30",
    1 / 7: "1 visit in 7",
    0.25: "a quarter",
    0.5: "half",
    1.0: "everything",
}

#: What links called some of them once.
FORMERLY = {"1 day in a year": "1 visit in 365", "1 day in 30": "1 visit in 30", "1 day a week": "1 visit in 7"}

#: Distances, km.
KILOMETRES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)

#: Kilometres in a mile.
MILE = 1.609344

DELTAS = (1e-12, 1e-9, 1e-6, 1e-4, 1e-3)
EPSILON_HELP = (
    "How much each change below may cost: it makes no output more than e^ε times as likely. Larger changes cost more, "
    "smaller ones less, in proportion to fraction times distance."
)


def slack(default: float) -> Any:
    """The field of delta.

    Args:
        default: its value where nothing is said.
    """
    return number(
        "Slack δ",
        default,
        low=1e-15,
        high=0.1,
        step=10.0,
        factor=True,
        grid=DELTAS,
        widget="steps",
        link="delta",
        help="Used by Gaussian noise and by shuffling; everything else has δ = 0.",
    )


@settings
class Config:
    """What all views of the page share.

    Attributes:
        source: a key of `dpot_core.datasets.DATASETS`, or "csv".
        place: grid and people; defaults to those of the geolocation page.
        columns: for "csv": (role, column) of the file.
        changes: protected changes: (fraction of one person's data, distance in km).
        epsilon: privacy parameter of each of them, nats.
        delta: additive slack where a mechanism needs one.
    """

    source: str = source()
    place: Place = group(Place)
    columns: CsvRoles = columns()
    changes: tuple[tuple[float, float], ...] = free(
        "Protected changes: share of one person's data, km", ((1 / 30, 5.0), (1.0, 0.5))
    )
    epsilon: float = epsilon(1.0, help=EPSILON_HELP)
    delta: float = slack(1e-6)


def load_city(config: Config) -> City:
    """The city of a source that needs no file.

    Raises:
        ValueError: for "csv", whose rows are not part of the settings.
    """
    if config.source not in DATASETS:
        raise ValueError(f"source must be one of {', '.join(DATASETS)} to be loaded; got {config.source!r}")
    return load(config.source, config.place, {}, clamp=True)


def diameter(city: City) -> float:
    """The largest distance in the city: the diagonal of its box, km. Public, as the box is."""
    return math.hypot(city.grid.width, city.grid.height)


def pairs(config: Config, largest: float) -> tuple[tuple[float, float], ...]:
    """The protected changes as (tau, q): distances over the largest one, at most 1.

    Args:
        config: the settings.
        largest: distance in the city, km.
    """
    return tuple((tau, min(km / largest, 1.0)) for tau, km in config.changes)


def rate(config: Config, largest: float) -> float:
    """alpha, nats per largest distance.

    Args:
        config: the settings.
        largest: distance in the city, km.
    """
    return protection_rate(pairs(config, largest), config.epsilon)


def words(config: Config) -> tuple[str, ...]:
    """The protected changes in words: "1 visit in 30 within 5 km"."""
    return tuple(f"{SHARES.get(tau, f'{tau:.3g} of the data')} within {km:g} km" for tau, km in config.changes)


def promise(
    config: Config, largest: float, delta: float = 0.0, public: tuple[str, ...] = (), note: str = ""
) -> Guarantee:
    """The guarantee for the protected changes.

    Args:
        config: the settings.
        largest: distance in the city, km.
        delta: additive slack of the mechanism.
        public: what else is public.
        note: what else must be known.
    """
    known = ("the map's box", takes_part(config.place, on_map=False), "ε, α and the protected changes", *public)
    # A box that is given decides alone; the busiest spot is not looked for.
    place = config.place if config.place.box is None else replace(config.place, within=0.0)
    notes = [note, region_note(place)]
    if config.place.box is not None or config.place.within > 0:
        notes.append("A visit off the map counts as one at the nearest point of its edge.")
    if config.source in DATASETS:
        notes.append(DATASETS[config.source].note)
    return earth_mover_guarantee(
        rate(config, largest),
        pairs(config, largest),
        delta,
        words(config),
        known,
        " ".join(part for part in notes if part),
        unit=f"the map's diagonal, {largest:.6g} km",
    )
