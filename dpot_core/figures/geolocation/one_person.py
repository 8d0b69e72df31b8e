"""One person's distribution, and what each mechanism makes of it."""

from __future__ import annotations

import plotly.graph_objects as go

from dpot_core.experiments.geolocation import OnePerson
from dpot_core.figures.geolocation.maps import Panel, maps
from dpot_core.figures.geolocation.words import km
from dpot_core.mechanisms import MECHANISMS


def output_maps(result: OnePerson) -> go.Figure:
    """Output distribution of each mechanism, on one scale."""
    panels = [
        Panel(f"{MECHANISMS[name].label}: {km(result.kilometres[name])}", nu) for name, nu in result.outputs.items()
    ]
    distances = result.kilometres
    last = max(distances, key=lambda name: distances[name])
    title = (
        f"At ε = {result.config.epsilon:g} WPM moves this person's distribution by {km(distances['wpm'])}, "
        f"{MECHANISMS[last].label} by {km(distances[last])}"
    )
    return maps(result.city, panels, 2, title)


def person_maps(result: OnePerson) -> go.Figure:
    """The truth, and what WPM changes in it."""
    simulated = " (simulated)" if result.city.check_ins.simulated else ""
    panels = [
        Panel(f"Truth{simulated}", result.mu),
        Panel("WPM minus truth", result.outputs["wpm"] - result.mu, difference=True),
    ]
    return maps(result.city, panels, 1, f"{result.name}: {result.n_check_ins:g} check-ins{simulated}")
