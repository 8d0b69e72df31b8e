import numpy as np

from dpot_app.figures.panels import at_epsilon, axis, ticks
from dpot_app.figures.style import MARKERS, TITLE_HEIGHT, Figure, colour, new_figure, simulated
from dpot_app.figures.traces import band, line, star
from dpot_app.kit.fields import CURVE_EPSILONS
from dpot_app.views.population.distances import excess
from dpot_app.views.population.guaranteed.results import Guaranteed
from dpot_app.views.population.map.results import MapResult
from dpot_app.views.population.settings import BARYCENTERS
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import at_most, enumeration, percent, percent_at_most, power_of_ten

HEIGHT = 215

#: Smaller shares, and smaller deltas, are drawn as this: they are on no logarithmic axis.
LEAST, FLOOR = 1e-5, 1e-15

#: The ends of the axis of epsilon, as logarithms, and no star beyond.
_REACH = [float(np.log10(end)) for end in (CURVE_EPSILONS[0], CURVE_EPSILONS[-1])]

_DASH = {"coreset": "solid", "perturbation": "dash", "kmeans": "longdash"}
_SHARES = (1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0)


def now(result: MapResult, found: Guaranteed) -> dict[str, float]:
    """The share by which the people are farther from the atoms of the release on the map than they need be."""
    typical = {name: draws[0].cost ** (1 / found.p) for name, draws in result.draws.items()}
    best = min(found.best, result.reference.typical)
    return {name: max(float(excess(each, best)), 0.0) for name, each in typical.items()}


def known_at(found: Guaranteed, epsilon: float) -> float | None:
    """The bound at the largest epsilon measured that is no more than a given one, as a share; None for none."""
    places = np.flatnonzero(found.epsilons <= epsilon)
    return None if found.bound is None or not places.size else float(found.excess(found.bound[places[-1]]))


def guaranteed_figure(result: MapResult, found: Guaranteed, epsilon: float) -> Figure:
    """Excess of the typical distance: proven for the coreset, measured with a band of the draws, and here."""
    here = now(result, found)
    said = enumeration([f"{percent(here[name])} ({BARYCENTERS[name].lower()})" for name in here])
    title = f"Private points are {said} farther from people than the best known"
    proven = known_at(found, epsilon)
    if proven is not None:
        title += f"; proven for the coreset: at most {percent_at_most(proven)}"
    data, hover = [], "ε = %{x:.3~g}: %{y:.3~p}"
    top = 1.0
    for name, typical in found.measured.items():
        low, high = (_drawn(np.quantile(found.excess(typical), share, axis=1)) for share in found.band)
        data.append(band(found.epsilons, low, high, colour=colour(name), opacity=0.16, legendgroup=name))
        top = max(top, float(high.max()))
    for name, typical in found.measured.items():
        mean = _drawn(found.excess(typical.mean(axis=1)))
        look = {"colour": colour(name), "dash": _DASH[name], "symbol": MARKERS[name], "size": 7}
        data.append(line(found.epsilons, mean, f"{BARYCENTERS[name]}, measured", hover=hover, legendgroup=name, **look))
    if found.bound is not None:
        proven_shares = found.excess(found.bound)
        label = "Coreset, guaranteed on average"
        data.append(line(found.epsilons, proven_shares, label, hover=hover, colour=colour("coreset"), dash="dot"))
        top = max(top, float(proven_shares.max()))
    for name, share in here.items() if _on_axis(epsilon) else ():
        shown = min(max(share, LEAST), 2 * top)
        data.append(star([epsilon], [shown], hover=hover, color=colour(name), size=12))
    marked = ticks({share: percent(share) for share in _SHARES if share <= 2 * top})
    y = axis("farther by", type="log", range=[np.log10(LEAST), np.log10(2 * top)], **marked)
    return new_figure(
        title + simulated(found.simulated), TITLE_HEIGHT + HEIGHT, data, yaxis=y, **at_epsilon(epsilon, range=_REACH)
    )


def _on_axis(epsilon: float) -> bool:
    return CURVE_EPSILONS[0] <= epsilon <= CURVE_EPSILONS[-1]


def _drawn(shares: Array) -> Array:
    return np.maximum(shares, LEAST)


def profile_figure(result: MapResult, epsilon: float) -> Figure:
    """delta of one release of each mechanism over epsilon: its hockey-stick divergence between neighbours."""
    known, at = result.profiles(), result.profiles([epsilon])
    title = "Slack δ that one release needs: none is proven here"
    if known:
        said = ", ".join(f"{BARYCENTERS[name].lower()} {_delta(values[0])}" for name, values in at.items())
        title = f"Slack δ that one release needs at ε = {epsilon:g}: {said}"
    hover = "ε = %{x:.3~g}: δ = %{y:.3~g}"
    data = []
    for name, values in known.items():
        shown = np.where(values > FLOOR, values, np.nan)
        look = {"colour": colour(name), "dash": _DASH[name], "hover": hover}
        data.append(line(np.array(CURVE_EPSILONS), shown, BARYCENTERS[name], **look))
    for name, values in at.items():
        if values[0] > FLOOR and _on_axis(epsilon):
            data.append(star([epsilon], [values[0]], hover=hover, color=colour(name), size=12))
    powers = {10.0**power: power_of_ten(power) if power else "1" for power in range(-15, 1, 3)}
    y = axis("δ of one release", type="log", range=[np.log10(FLOOR), 0.0], **ticks(powers))
    words = title + simulated(result.backdrop.simulated)
    return new_figure(words, TITLE_HEIGHT + HEIGHT, data, yaxis=y, **at_epsilon(epsilon, range=_REACH))


def _delta(value: float) -> str:
    return "δ = 0" if value == 0.0 else f"δ ≤ {at_most(value, 0.0)}"
