from dpot_app.figures.findings import where
from dpot_app.figures.panels import at_epsilon, axis
from dpot_app.figures.style import Figure, colour, km, new_figure, simulated
from dpot_app.figures.traces import Trace, line, star
from dpot_app.views.geolocation.one_place.results import BY_DISTANCE, OnePlace, label
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import enumeration, percent

#: By how much of planar Laplace's distance the optimal kernel has to be nearer for it to be said.
_CLEARLY = 0.01


def curve_figure(found: OnePlace) -> Figure:
    """How far a place is moved on average against epsilon: the best use of each mechanism under the prior."""
    hover, epsilon = "ε = %{x:.3~g}: %{y:.3~g} km", found.config.epsilon
    brown = {"colour": colour("metric"), "hover": hover}
    laplace = found.curves["laplace"]
    data = [
        line(found.epsilons, _remapped(found, "optimal"), label("optimal"), **brown, width=2.5),
        line(found.epsilons, _remapped(found, "laplace"), f"{label('laplace')}, remapped", **brown, dash="dash"),
        line(found.epsilons, [moved.average for moved in laplace], label("laplace"), **brown, dash="dot"),
    ]
    for name in found.curves:
        if name not in BY_DISTANCE:
            look: Trace = {"colour": colour(name), "dash": MECHANISMS[name].dash, "hover": hover}
            data.append(
                line(found.epsilons, _remapped(found, name), f"{label(name)}, remapped (promises less)", **look)
            )
    for name, now in found.now.items():
        shade = colour("metric" if name in BY_DISTANCE else name)
        data.append(star([epsilon], [now.remapped], hover=hover, color=shade, size=12))
    highest = max(moved.average for moved in (*laplace, found.now["laplace"]))
    unit = "average distance" if found.map.p == 1.0 else found.map.loss
    return new_figure(
        title(found) + simulated(found.map.simulated),
        400,
        data,
        yaxis=axis(f"{unit} (km)", range=[0.0, 1.06 * highest]),
        **at_epsilon(epsilon),
    )


def _remapped(found: OnePlace, name: str) -> list[float]:
    return [moved.remapped for moved in found.curves[name]]


def title(found: OnePlace) -> str:
    """How far the optimal kernel moves a place, beside planar Laplace, and WPM, which promises less."""
    far = "on average" if found.map.p == 1.0 else f"({found.map.loss})"
    now = found.now
    said = f"the optimal kernel moves a place {km(now['optimal'].remapped)} {far}"
    remapped, plain = km(now["laplace"].remapped), km(now["laplace"].average)
    said += f", planar Laplace {plain}" + (" remapped or not" if plain == remapped else f", {remapped} remapped")
    said += f"; WPM, which promises less, {km(now['wpm'].remapped)} remapped" if "wpm" in now else ""
    return f"At ε = {found.config.epsilon:g} {said}"


def when_it_wins(found: OnePlace) -> str:
    """Where the optimal kernel is clearly nearer than planar Laplace, and where others are nearer still, in words."""
    best, other = _remapped(found, "optimal"), _remapped(found, "laplace")
    at = tuple(found.epsilons.tolist())
    gains = _gains(best, other)
    wins = where(at, [gain >= _CLEARLY for gain in gains])
    most = max(range(len(gains)), key=gains.__getitem__)
    said = f"nowhere nearer than planar Laplace by {percent(_CLEARLY)} or more, once its outputs are remapped."
    if wins:
        said = f"nearer than remapped planar Laplace by {percent(_CLEARLY)} or more {wins}: "
        said += f"by {percent(gains[most])} at ε = {at[most]:g}."
    lines = [f"The optimal kernel is {said}"]
    nearer = {
        name: where(at, [gain >= _CLEARLY for gain in _gains(_remapped(found, name), best)])
        for name in found.curves
        if name not in BY_DISTANCE
    }
    clearly = f"nearer by {percent(_CLEARLY)} or more"
    lines += [f"{label(name)} is {clearly} {text}, for a weaker promise." for name, text in nearer.items() if text]
    best_now, laplace = found.now["optimal"], found.now["laplace"]
    if laplace.remapped_worst <= (1.0 - _CLEARLY) * best_now.worst:
        lines.insert(
            1,
            f"It is the best on average only: at its worst place it moves a person {km(best_now.worst)}, planar "
            f"Laplace remapped {km(laplace.remapped_worst)}.",
        )
    if never := [label(name) for name, text in nearer.items() if not text]:
        lines.append(f"{enumeration(never)}: {clearly} at no ε shown, although the promise is weaker.")
    return " ".join(lines)


def _gains(one: list[float], two: list[float]) -> list[float]:
    """By what share of two's distance one is nearer; what both give up alike differs by rounding."""
    return [1.0 - first / second for first, second in zip(one, two, strict=True)]
