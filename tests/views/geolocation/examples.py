"""Small cities for tests."""

from __future__ import annotations

import json

from dpot_app.cities.city import City
from dpot_app.cities.crowd import Crowd, crowd_at
from dpot_app.cities.place import Place
from dpot_app.views.geolocation.base import make_base

SMALL = Place(n=7)


def zones_geojson(city: City, names: tuple[str, ...] = ("West", "East", "<b>North</b>")) -> bytes:
    """Three rectangles that cover the city: two halves of the south, and the north."""
    west, south, east, north = city.grid.box
    middle, centre = (south + north) / 2, (west + east) / 2
    boxes = [(west, south, centre, middle), (centre, south, east, middle), (west, middle, east, north)]
    features = [
        {
            "type": "Feature",
            "properties": {"name": name},
            "geometry": {"type": "Polygon", "coordinates": [[[w, s], [e, s], [e, n], [w, n], [w, s]]]},
        }
        for name, (w, s, e, n) in zip(names, boxes, strict=True)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def crowd(city: City, epsilon: float, reg: float | None = 0.01, base: str = "best-uniform") -> Crowd:
    return crowd_at(city, make_base(city, base, epsilon), epsilon, reg)
