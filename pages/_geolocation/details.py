"""Where data, distances and numbers come from."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import geolocation as experiment
from dpot_core.figures.style import counted
from pages import _shell as shell
from pages._geolocation.controls import Choice
from pages._geolocation.views import Scene


def details(scene: Scene, choice: Choice) -> None:
    """What is under the pictures, in an expander."""
    city, config = scene.city, scene.config
    data, grid = city.check_ins, city.grid
    with st.expander("Data, distances, settings"):
        kind = "**Simulated data**: " if data.simulated else ""
        st.markdown(
            f"- {kind}{shell.as_text(data.title)}. Released by {counted(data.n_users, 'person', 'people')}; each has "
            f"at least {counted(config.place.least, 'check-in', 'check-ins')}. Source: {shell.as_text(data.source)}. "
            f"{shell.as_text(data.licence)}\n"
            f"- Grid: {grid.n} × {grid.n} cells of {grid.width / grid.n:.2f} × {grid.height / grid.n:.2f} km. "
            f"Distances are kilometres in {shell.as_text(grid.utm_name)} (EPSG {grid.epsg}) between centres of cells.\n"
            f"- λ counts for distances divided by the largest one, {city.diameter:.1f} km; "
            f"{experiment.ITERATIONS} iterations of Algorithm 1. Stopping early costs kilometres, never privacy.\n"
            "- The true crowd is the mean of the people's distributions: everybody counts the same."
        )
        notes = data.notes if city.zones is None else (*data.notes, *city.zones.notes)
        if city.zones is not None:
            notes = (
                f"Zones: {len(city.zones):,} from {choice.zones.name if choice.zones else 'a file'}. Distances go to a "
                "point inside each zone. KPM and k-RR move each cell to the zone with the nearest point first; "
                "maps do the same with the truth, W₁ does not.",
                *notes,
            )
        st.markdown("\n".join(f"- {shell.as_text(note)}" for note in notes))


def uploads_note(choice: Choice) -> None:
    """Say what a link cannot restore."""
    if choice.table is not None or choice.zones is not None:
        st.caption("The link does not carry your files: whoever opens it is asked for their own.")
