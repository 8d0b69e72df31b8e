"""Writing on maps: names of places, and a scale bar."""

from collections.abc import Sequence

import numpy as np

from dpot_app.cities.base_map import NAMES_TURN
from dpot_app.figures.style import plain
from dpot_app.figures.traces import Trace, line, marks

#: Ink on maps whose ground is dark (probabilities, people), and on those whose ground is light (differences).
IN_DARK, IN_LIGHT = "#FFFFFF", "#333333"
#: Of a trace: its texts are not written where they would lie over others.
GIVES_WAY = "gives way"


def place_names(names: Sequence[tuple[str, float, float]], west: float, east: float, ink: str) -> list[Trace]:
    """Names of places (name, x, y), each beside a dot, on a map between two values of x."""
    if not names:
        return []
    words, x, y = zip(*names, strict=True)
    sides = ["middle left" if one > west + NAMES_TURN * (east - west) else "middle right" for one in x]
    font = {"color": ink, "size": 11, "shadow": shadow(ink)}
    dots = marks(np.array(x), np.array(y), mode="markers+text", color=ink, size=4)
    written = {"text": [plain(word) for word in words], "textposition": sides, "textfont": font}
    return [dots | written | {"meta": GIVES_WAY}]


def scale_bar(
    corner: tuple[float, float], width: float, ink: str, *, km: float = 1.0, words: str = ", N ↑"
) -> list[Trace]:
    """A round number of kilometres, at most a third of the map, in its lower left corner.

    Args:
        corner: west and south end of the map.
        width: of the map.
        km: how long a kilometre is, in the same unit.
        words: behind the number.
    """
    third = width / km / 3
    whole = 10.0 ** np.floor(np.log10(third))
    long = float(max(step * whole for step in (1, 2, 5) if step * whole <= third))
    x, y = corner[0] + 0.04 * width, corner[1] + 0.04 * width
    font = {"color": ink, "size": 12, "shadow": shadow(ink)}
    bar = line([x, x + long * km], [y, y], colour=ink, width=3)
    name = {"text": [f"{long:,g} km{words}"], "textposition": "top right", "textfont": font}
    return [bar, marks([x], [y], mode="text") | name]


def shadow(ink: str) -> str:
    """The other ink around letters, which may lie over anything; none for a grey, which is beside the map."""
    other = {IN_DARK: IN_LIGHT, IN_LIGHT: IN_DARK}.get(ink)
    return f"0 0 3px {other}, 0 0 2px {other}" if other else "none"
