"""How many people are in a box on the map: in truth, and by every estimate of the crowd."""

import numpy as np

from dpot_app.cities.city_map import CityMap
from dpot_app.cities.crowd import ESTIMATES, Crowd
from dpot_app.figures.traces import Trace, line
from dpot_app.kit.blocks import Table
from dpot_core.privacy.numerals import count, counted, plus_minus

#: West, south, east and north of a box, in shares of the map.
Box = tuple[float, float, float, float]


def read_box(text: str) -> Box:
    """Read a box.

    Raises:
        ValueError: if the text is no box on the map.

    >>> read_box("0.25 0 0.5 1")
    (0.25, 0.0, 0.5, 1.0)
    """
    try:
        west, south, east, north = map(float, text.replace(",", " ").split())
    except ValueError:
        raise ValueError("a box is four numbers: west, south, east, north, in shares of the map from 0 to 1") from None
    if not (0.0 <= west < east <= 1.0 and 0.0 <= south < north <= 1.0):
        raise ValueError("west must lie before east and south before north, in shares of the map from 0 to 1")
    return west, south, east, north


def checked_box(text: str) -> str:
    """The same text, if it can be read; see `read_box`."""
    read_box(text)
    return text


def outline(city: CityMap, box: Box) -> Trace:
    """The box on the map."""
    west, south, east, north = np.multiply(box, [city.width, city.height] * 2).tolist()
    return line([west, east, east, west, west], [south, south, north, north, south], colour="#FFFFFF", width=3)


def people_in(crowd: Crowd, box: Box) -> Table:
    """Count the people whose cell has its centre in the box; of estimates the mean and s.d. over the runs.

    Each person counts with the share of their visits that lies in the box; an estimate is a share of all people.
    """
    shares = crowd.map.points / [crowd.map.width, crowd.map.height]
    inside = ((shares >= box[:2]) & (shares < box[2:])).all(axis=1)
    truth = float(crowd.people * crowd.moved[inside].sum())
    rows = [("True crowd", count(truth), "")]
    for name, runs in crowd.estimates.items():
        found = crowd.people * runs[:, inside].sum(axis=1)
        mean, spread = float(found.mean()), float(found.std(ddof=1))
        rows.append((ESTIMATES[name], plus_minus(mean, spread), plus_minus(mean - truth, spread)))
    return Table((f"{counted(int(inside.sum()), 'cell', 'cells')} in the box", "people", "error"), rows)
