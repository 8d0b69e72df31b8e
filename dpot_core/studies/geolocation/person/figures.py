from __future__ import annotations

from dpot_core.figures.city_maps import Panel, maps, truth_name
from dpot_core.figures.style import Figure, counted, km, simulated
from dpot_core.mechanisms import MECHANISMS
from dpot_core.studies.geolocation.person.results import OnePerson


def truth_maps(result: OnePerson, compare: str = "wpm") -> Figure:
    """The truth above what the mechanism ``compare`` changes in it; probabilities on the scale of `output_maps`."""
    city, label = result.map, MECHANISMS[compare].label
    panels = [
        Panel(truth_name(city, "Truth"), result.moved),
        Panel(f"{label} minus truth", result.outputs[compare] - result.moved, difference=True),
    ]
    title = f"{result.name}{simulated(city.simulated)}: " + counted(result.n_check_ins, "check-in", "check-ins")
    return maps(city, panels, 1, title, result.highest, bar=False)


def output_maps(result: OnePerson) -> Figure:
    """Output distribution of each mechanism, on one scale with the truth."""
    panels = [
        Panel(f"{MECHANISMS[name].label}: {km(result.kilometres[name])}", nu) for name, nu in result.outputs.items()
    ]
    distances = result.kilometres
    last = max((name for name in distances if name != "wpm"), key=lambda name: distances[name])
    title = (
        f"At ε = {result.config.epsilon:g} WPM moves this person's distribution by {km(distances['wpm'])}, "
        f"{MECHANISMS[last].label} by {km(distances[last])}{simulated(result.map.simulated)}"
    )
    return maps(result.map, panels, 2, title, result.highest)
