"""Python that releases one person's place on their own device: it needs `dpot_core` and no one else's data."""

from dpot_app.cities.city import ITERATIONS
from dpot_app.cities.place import USUAL_SIDE
from dpot_app.views.geolocation.base import MINIMAX_TOLERANCE
from dpot_app.views.geolocation.settings import Config
from dpot_core.mechanisms import MECHANISMS

_BASES = {
    "best-uniform": "dpot.best_uniform_base(cost, EPSILON)",
    "minimax": f"dpot.minimax_base(cost, EPSILON, tol={MINIMAX_TOLERANCE:g}).base",
}
_TEXT = '''"""One place of one person, released by {label} on their own device."""

import numpy as np

import dpot_core as dpot
from dpot_core.datasets.city_grid import city_grid

EPSILON = {epsilon!r}  # nats: any two histories are at most e^epsilon times as likely to give a place
BOX = {box}  # west, south, east, north in degrees: public, the same on every device

grid = city_grid(BOX, {n})
distances = grid.space.distances()  # km
cost = (distances / distances.max()) ** {p!r}
public = dpot.Public(cost, distances, EPSILON, {base}, {reg!r}, {iterations})
mechanism = dpot.MECHANISMS[{mechanism!r}]
polytope, kernel = mechanism.polytope(public), mechanism(public)


def output(visits: list[tuple[float, float]]) -> np.ndarray:
    """Distribution from which a place is drawn, for visits as (lat, lon); one off the map counts at its edge."""
    where = grid.nearest_km(*np.transpose(visits))
    cells = [((grid.space.points - one) ** 2).sum(axis=1).argmin() for one in where]
    return kernel(np.bincount(cells, minlength=len(grid)) / len(cells))


def release(visits: list[tuple[float, float]]) -> tuple[float, float]:
    """One place (lat, lon), drawn from the operating system's entropy. Each further release adds its epsilon."""
    lon, lat = grid.centres_lonlat[dpot.release(output(visits), polytope)]
    return round(float(lat), 6), round(float(lon), 6)
'''


def device_script(config: Config, mechanism: str) -> str:
    """A module with a function ``release``; "" where these settings need what a device does not have.

    Args:
        config: the settings of the page. Without a public box the module names the four numbers that are missing.
        mechanism: a key of `MECHANISMS`.
    """
    if config.zones or config.place.n > USUAL_SIDE or config.base not in _BASES:
        return ""
    return _TEXT.format(
        label=MECHANISMS[mechanism].label,
        epsilon=config.epsilon,
        box=config.laid.box or "(west, south, east, north)",
        n=config.place.n,
        p=config.p,
        base=_BASES[config.base],
        reg=config.reg,
        iterations=ITERATIONS,
        mechanism=mechanism,
    )
