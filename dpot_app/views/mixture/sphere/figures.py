import math
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from plotly.colors import sample_colorscale

from dpot_app.figures.panels import EPSILON_PANELS, guide, panels
from dpot_app.figures.style import GUIDE, TITLE_HEIGHT, Figure, colour, new_figure
from dpot_app.figures.traces import Trace, line, marks
from dpot_app.views.mixture.sphere.results import Sphere
from dpot_core.privacy.numerals import at_most, number, percent_at_least

# Probabilities per degree that are drawn, as a share of the most at any epsilon: one in so many.
_FEWEST = 10_000
# Circles of latitude on the cap, and as many on the rest of the ball.
_CIRCLES = 24
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")

# The ball; mechanisms' colours would name mechanisms that are not there.
_REST, _CAP, _RIM = "#DDDDDD", "#A0A0A0", "#606060"


def caps_figure(sphere: Sphere) -> Figure:
    """Left: density with respect to the uniform distribution. Right: density of the angle itself."""
    first, privunit = sphere.first, float(np.degrees(sphere.privunit.angle))
    (low, high), (_, most) = sphere.reach["density"], sphere.reach["per degree"]
    # Over the slider of epsilon densities grow a thousandfold: on a logarithmic scale all of them can be read.
    least = most / _FEWEST
    if sphere.config.d == 1:
        # On the circle all angles are as many: nothing falls below what the lowest density has.
        least = min(least, low / 180.0)
    profile = sphere.profile.assign(**{"per degree": sphere.profile["per degree"].where(lambda rate: rate >= least)})
    data = _curves(sphere, profile, "angle", ("density", "per degree"), "angle %{x:.3~g}°")
    x = {"title_text": "angle to the input (°)", "tickvals": [0, 45, 90, 135, 180], "range": [0, 180]}
    layout = _two_panels(
        "Density (uniform: 1)", "Probability per degree", privunit, x, type="log", dtick=1, tickformat="~g"
    )
    for name, ends in (("yaxis", (low, high)), ("yaxis2", (least, most))):
        layout[name]["range"] = [math.log10(0.8 * ends[0]), math.log10(1.25 * ends[1])]
    return new_figure(
        f"At ε = {sphere.config.epsilon:g} the best release for p = {first.p:g} stays within "
        f"{number(np.degrees(first.angle))}° in {percent_at_least(first.cap_mass)} of cases; worst-case distance "
        f"{at_most(first.value)} (radius 1)",
        430,
        data,
        **layout,
    )


def against_epsilon_figure(sphere: Sphere) -> Figure:
    """a* and the worst case against epsilon, for every order."""
    low, high = min(sphere.best), max(sphere.best)
    title = f"The mass of the best base measure is {number(sphere.best[low].scale)} for p = {low:g}"
    if high > low:
        title += f" and falls to {number(sphere.best[high].scale)} for p = {high:g}"
    data = _curves(sphere, sphere.curves, "epsilon", ("scale", "worst case"), "ε = %{x:.3~g}")
    x = {**EPSILON_PANELS["x"], "tickangle": 0}
    return new_figure(
        title, 400, data, **_two_panels("Mass a*", "Worst-case distance (radius 1)", sphere.config.epsilon, x)
    )


def _two_panels(left: str, right: str, marked: float, x: dict[str, Any], **y: Any) -> dict[str, Any]:
    """Layout entries of two panels side by side, with a value of x that is marked in both."""
    shapes = [guide(panel, x=marked) for panel in (0, 1)]
    layout = panels([left, right], 2, x=x, y={"nticks": 6, **y}, share_y=False, gap=(0.1, 0.0))
    return {"shapes": shapes, "margin": {"t": TITLE_HEIGHT + 28}, **layout}


def picture_figure(sphere: Sphere) -> Figure:
    """The circle or the sphere with the cap of the first order and draws; only for d = 1 and d = 2."""
    title = f"{sphere.config.draws:,} releases for one input, p = {sphere.first.p:g}"
    if sphere.config.d == 1:
        axis = {"visible": False, "range": [-1.2, 1.2]}
        return new_figure(title, 430, _circle(sphere), xaxis=axis, yaxis={**axis, "scaleanchor": "x"})
    # The largest sphere on which something stands.
    ends = {"visible": False, "range": [-1.05, 1.05]}
    scene: dict[str, Any] = dict.fromkeys(("xaxis", "yaxis", "zaxis"), ends)
    scene |= {"aspectmode": "cube", "camera": {"eye": {"x": 1.15, "y": 1.15, "z": 0.95}}}
    margin = {"l": 0, "r": 0, "t": TITLE_HEIGHT, "b": 0}
    return new_figure(title, 430, _ball(sphere), scene=scene, margin=margin)


def _curves(sphere: Sphere, table: pd.DataFrame, x: str, columns: tuple[str, str], where: str) -> list[Trace]:
    """A curve for each order, in two panels."""
    orders = sphere.config.orders
    shades = _shades(len(orders))
    curves = []
    for panel, column in enumerate(columns):
        look = {"hover": where + ": %{y:.3~g}", "panel": panel, "showlegend": panel == 0, "width": 2.5}
        for p, shade, dash in zip(orders, shades, cycle(_DASHES), strict=False):
            rows = table[table["p"] == p]
            curves.append(
                line(rows[x].to_numpy(), rows[column].to_numpy(), f"p = {p:g}", colour=shade, dash=dash, **look)
            )
    return curves


def _shades(count: int) -> list[str]:
    """Colours of the orders, ``rgb(r, g, b)``; the picture's releases have that of the first."""
    return list(sample_colorscale("Viridis", list(np.linspace(0.15, 0.75, count))))


def _circle(sphere: Sphere) -> list[Trace]:
    angle = sphere.first.angle
    whole, cap = np.linspace(0, 2 * np.pi, 361), np.linspace(-angle, angle, 181)
    # Each a little farther out than the one before, so that places on top of each other can be told apart.
    points = sphere.outputs * np.linspace(1.02, 1.14, len(sphere.outputs))[:, None]
    return [
        line(np.cos(whole), np.sin(whole), "circle", colour=GUIDE),
        line(np.cos(cap), np.sin(cap), "cap", colour=GUIDE, width=6),
        marks(points[:, 0], points[:, 1], "releases (spread outwards)", color=_shades(1)[0], size=5, opacity=0.5),
        marks(sphere.x[:1], sphere.x[1:], "input", color=colour("input"), symbol="square", size=12),
    ]


def _ball(sphere: Sphere) -> list[Trace]:
    angle = sphere.first.angle
    # Half of the circles lie on the cap, so that its edge glides when it changes. The edge stands twice, a hair apart,
    # so that colours do not run into each other.
    polar = np.concatenate([np.linspace(0.0, angle, _CIRCLES), np.linspace(angle + 1e-4, np.pi, _CIRCLES)])
    theta, phi = np.meshgrid(polar, np.linspace(0, 2 * np.pi, 73), indexing="ij")
    ball: Trace = {
        "type": "surface",
        "x": np.sin(theta) * np.cos(phi),
        "y": np.sin(theta) * np.sin(phi),
        "z": np.cos(theta),
        "surfacecolor": np.repeat([1.0, 0.0], _CIRCLES)[:, None] + np.zeros_like(phi),
        "cmin": 0,
        "cmax": 1,
        "colorscale": [[0, _REST], [1, _CAP]],
        "showscale": False,
        "hoverinfo": "skip",
        "lighting": {"ambient": 0.75, "diffuse": 0.4, "specular": 0.05},
    }
    # The ball has the same greys on a dark ground: a hexadecimal shade is not lightened there.
    shade = "#" + "".join(f"{int(part):02X}" for part in _shades(1)[0][4:-1].split(","))
    releases = _in_space(1.03 * sphere.outputs, "releases", color=shade, size=3)
    # A surface has no entry in the legend: the cap's edge has.
    edge = np.linspace(0, 2 * np.pi, 73)
    rim = [np.sin(angle) * np.cos(edge), np.sin(angle) * np.sin(edge), np.full(edge.size, np.cos(angle))]
    return [
        ball,
        releases,
        _in_space(1.01 * np.stack(rim, axis=1), "edge of the cap", color=_RIM, size=2),
        _in_space(1.05 * sphere.x[None], "input", color=colour("input"), symbol="square", size=6),
    ]


def _in_space(points: Any, name: str, **look: Any) -> Trace:
    x, y, z = points.T
    place = {"x": x, "y": y, "z": z, "name": name, "hoverinfo": "skip"}
    return {"type": "scatter3d", "mode": "markers", "marker": look, **place}
