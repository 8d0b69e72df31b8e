import numpy as np

from dpot_app.cities.city_map import CityMap
from dpot_app.cities.distance_to_truth import known_within_text
from dpot_app.cities.tiles import Tiles
from dpot_app.figures.city_maps import Panel, cells_text, circle, circle_points, ink, large_map, truth_name
from dpot_app.figures.findings import best_two, labels_of
from dpot_app.figures.map_writing import shadow
from dpot_app.figures.street_map import on_mercator, street_map
from dpot_app.figures.style import Figure, km, km_at_most, simulated
from dpot_app.figures.traces import Trace, line, marks
from dpot_app.views.geolocation.person.results import DROPS, OnePerson, Spread, Truth
from dpot_core.arguments import Array
from dpot_core.datasets.city_grid import CityGrid
from dpot_core.mechanisms import LABELS, MECHANISMS
from dpot_core.privacy.numerals import counted, number

#: Cells up to which the mouse is told how far each is from the most visited one.
_MOST_WORDS = 10_000
#: Where on a circle its name can stand, radians from the north, and on which side of the point; the first that fits.
_NAMED_AT = {0.0: "top center", np.pi: "bottom center", np.pi / 2: "middle left", -np.pi / 2: "middle right"}
#: Height of a line of text, as a share of the map on a phone.
_LINE = 0.08


def truth_map(truth: Truth) -> Figure:
    """Where the person was; probabilities on the scale of `output_map`."""
    city = truth.map
    panel = Panel(truth_name(city, "Truth") + cells_text(city), truth.moved, bar=False)
    title = f"{truth.name}{simulated(city.simulated)}: " + counted(truth.n_check_ins, "check-in", "check-ins")
    return large_map(city, panel, title, truth.highest, text=_away(truth), cut=truth.cut)


def output_map(result: OnePerson, mechanism: str = "wpm", difference: bool = False) -> Figure:
    """One mechanism's release, or that minus the truth, with circles around the person's most visited cell.

    Possible releases are in it too, and the mark from which the browser lets them rain; until then they are not seen.
    """
    label, nu, spread = MECHANISMS[mechanism].label, result.outputs[mechanism], result.spreads[mechanism]
    truth = result.truth
    values = nu - truth.moved if difference else nu
    name = f"{label}{' minus truth' if difference else ''}: 90% of releases within {km_at_most(spread.most)}"
    written = ink(difference)
    over = [*_rain(result, mechanism, written), *circles(truth.home, spread, written)]
    over.append(_half_text(truth, spread, written))
    panel = Panel(f"{name} of {_home(truth)}", values, difference)
    return large_map(truth.map, panel, _title(result), truth.highest, over, _away(truth), truth.cut)


def beside_map(result: OnePerson, mechanism: str) -> Figure:
    """One mechanism's release, of the size of the truth beside it, with its numbers."""
    truth, mean = result.truth, km(result.spreads[mechanism].mean)
    title = f"{MECHANISMS[mechanism].label}: {result.map.loss} = {km(result.kilometres[mechanism])}"
    name = f"mean {mean} from {_home(truth, short=True)}"
    panel = Panel(name, result.outputs[mechanism], bar=False, thin=True)
    title += simulated(result.map.simulated)
    return large_map(truth.map, panel, title, truth.highest, cut=truth.cut)


def _title(result: OnePerson) -> str:
    """How far a single release is off on average, and beside it W_p, by the best mechanism and the one to compare.

    Releases of somewhere between a person's places have a small W_p and may still be far from where the person was.
    """
    means = {name: spread.mean for name, spread in result.spreads.items()}
    best, other = best_two(means)
    first, second = best_two(result.kilometres)
    assert other is not None and second is not None
    near, beside = labels_of((best, other), means, LABELS)
    ours, theirs = labels_of((first, second), result.kilometres, LABELS)
    moved = f"{ours} {number(result.kilometres[first])}, {theirs} {km(result.kilometres[second])}"
    return (
        f"At ε = {result.config.epsilon:g} a release by {near} lands on average {km(means[best])} "
        f"from {_home(result.truth)}, by {beside} {km(means[other])}; {result.map.loss} to the truth: {moved}"
        f"{known_within_text(result.known_within, result.map.loss)}{simulated(result.map.simulated)}"
    )


def _home(truth: Truth, short: bool = False) -> str:
    return "home" if truth.alone else "the most visited cell" if short else "this person's most visited cell"


def on_streets(result: OnePerson, mechanism: str, grid: CityGrid, tiles: Tiles) -> Figure:
    """One mechanism's release on cells, see-through over the tiles of a server: with its circles, and the truth."""
    spread, moved = result.spreads[mechanism], km(result.kilometres[mechanism])
    title = (
        f"On a street map: what {MECHANISMS[mechanism].label} releases at ε = {result.config.epsilon:g}, on average "
        f"{km(spread.mean)} off, {result.map.loss} {moved}. Dots: the truth. Circles: half and 90% of the releases"
    )
    nu = result.outputs[mechanism]
    over = [_truth_on_streets(result.truth, grid), *_circles_on_streets(result.truth.home, spread, grid)]
    return street_map(grid, nu, title, result.truth.highest, tiles, result.truth.cut, over)


def _truth_on_streets(truth: Truth, grid: CityGrid) -> Trace:
    """Dots at the cells where the person was; their areas are as the probabilities."""
    places = np.flatnonzero(truth.mu)
    size = 5.0 + 17.0 * np.sqrt(truth.mu[places] / truth.mu.max())
    x, y = on_mercator(grid, truth.map.points[places]).T
    return marks(x, y, hover="truth: where this person was", color="#E69F00", size=size, opacity=0.9)


def _circles_on_streets(home: Array, spread: Spread, grid: CityGrid) -> list[Trace]:
    radii = (("half of the releases", spread.half, 4.0), ("90% of the releases", spread.most, 2.0))
    traces = []
    for name, radius, width in radii:
        x, y = on_mercator(grid, circle_points(home[0], home[1], radius)).T
        traces.append(line(x, y, colour="#D55E00", hover=name, width=width))
    return traces


def circles(home: Array, spread: Spread, colour: str) -> list[Trace]:
    """How far from where the person is most often half and 90% of the releases land."""
    east, north = map(float, home)
    half = circle(east, north, spread.half, "half of the releases", dash="solid", colour=colour)
    return [*half, *circle(east, north, spread.most, "90% of the releases", dash="dash", colour=colour)]


def _towards_middle(east: float, city: CityMap) -> str:
    """To which side of a place a text goes that must not leave the map."""
    return "right" if east < city.width / 3 else "left" if east > city.width / 1.5 else "center"


def _half_text(truth: Truth, spread: Spread, written: str) -> Trace:
    """The name of the inner circle, where the map has room for it; nowhere if it has none."""
    city = truth.map
    size, place, side = np.array([city.width, city.height]), np.full(2, np.nan), "top center"
    for angle, beside in _NAMED_AT.items():
        at = truth.home + spread.half * np.array([np.sin(angle), np.cos(angle)])
        # On a phone the button that shows releases covers the sixth of the map in the north.
        if (at > 0.06 * size).all() and (at < np.array([0.94, 0.8]) * size).all():
            place, side = at, beside
            break
    if spread.most - spread.half < _LINE * size.min() < spread.half / 2:
        place = (place + truth.home) / 2  # no room between the circles
    if "center" in side:
        side = side.replace("center", _towards_middle(place[0], city))
    text = {"text": [f"half of the releases within {km_at_most(spread.half)}"], "textposition": side}
    font = {"color": written, "size": 13, "shadow": shadow(written)}
    return marks([place[0]], [place[1]], mode="text") | text | {"textfont": font}


def _rain(result: OnePerson, mechanism: str, written: str) -> list[Trace]:
    """The home, and possible releases that fall from it when the browser is asked to."""
    drops, home = result.drops[mechanism], result.truth.home
    font = {"color": written, "size": 13, "shadow": shadow(written)}
    look: Trace = {"symbol": "pentagon", "size": 15, "color": "#E69F00", "line": {"width": 1.5, "color": written}}
    mark = marks(home[:1], home[1:], mode="markers+text", **look)
    side = f"bottom {_towards_middle(home[0], result.map)}"
    mark |= {"text": [_home(result.truth)], "textposition": side, "textfont": font, "meta": "home"}
    look = {"size": 7, "color": "#FFFFFF", "line": {"width": 1.2, "color": "#222222"}}
    rain = marks(drops[:, 0], drops[:, 1], **look) | {"visible": False, "customdata": np.tile(home, (DROPS, 1))}
    words = [f"Show {DROPS} sample releases", "Take the releases away"]
    return [rain | {"meta": {"particles": "rain", "words": words, "still": words}}, mark]


def _away(truth: Truth) -> Array | None:
    """For the mouse: how far each cell is from the most visited one."""
    points = truth.map.points
    if len(points) > _MOST_WORDS:
        return None
    away = np.hypot(*(points - truth.home).T)
    return np.array([f"{number(distance)} km from {_home(truth)}" for distance in away], dtype=object)
