"""A file that a shop may have: one place each of three hundred invented customers about the middle of Munich."""

from __future__ import annotations

import numpy as np

PEOPLE = 300
#: Around the town, in degrees: what the owner of the file knows without a look at it.
MUNICH = (11.3, 48.0, 11.9, 48.3)


def munich() -> list[tuple[float, float]]:
    """Latitudes and longitudes."""
    rng = np.random.default_rng(5)
    return [(48.14 + 0.05 * north, 11.57 + 0.08 * east) for north, east in np.clip(rng.normal(size=(PEOPLE, 2)), -2, 2)]


def customers(at: list[tuple[float, float]]) -> bytes:
    """The file."""
    rows = [f"c{number:03d},{lat:.5f},{lon:.5f}" for number, (lat, lon) in enumerate(at)]
    return "\n".join(["customer,latitude,longitude", *rows]).encode()
