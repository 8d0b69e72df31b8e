"""A picture over the tiles of a server that the reader names: never by default, and no part of links."""

from collections.abc import Callable

import streamlit as st

from dpot_app.cities.city import City
from dpot_app.cities.tiles import EXAMPLE, Tiles, configured_address, read_tiles
from dpot_app.figures.style import Figure
from dpot_app.kit.markdown import as_text
from dpot_app.shell.access import may_ask
from dpot_app.shell.charts import draw
from dpot_app.shell.controls import Controls

_LEARNS = (
    "Your browser asks the tile server for pictures of the area that you look at. That is where the check-ins are. The "
    "server learns this area each time that you move or zoom, and it learns your machine's address. It never learns "
    "the data: your browser draws the cells on top. While this is off or folded away, nothing is asked."
)


def street_map(controls: Controls, city: City, figure: Callable[[Tiles], Figure], alt: str) -> None:
    """Folded away: who is asked for tiles, what that tells them, and the map as soon as the reader wants it.

    Args:
        figure: draws the map over these tiles.
        alt: one sentence for those who cannot see it.
    """
    key = f"{controls.page}_tiles"
    # Told here when it is opened, so that it stays open when pictures above it come anew; closed, nothing is asked.
    box = st.expander("On a street map (asks a tile server)", key=key, on_change="rerun")
    if not box.open:
        return
    with box:
        if city.map.simulated and not city.place.city:
            st.caption(
                "This city is invented: on the streets of a real one it would mislead. Choose data of a real city."
            )
            return
        if city.zones is not None:
            st.caption("Drawn for grid cells only.")
            return
        st.caption(_LEARNS)
        address = st.text_input(
            "Tile address",
            configured_address(),
            placeholder=EXAMPLE,
            key=f"{key}_address",
            help="Stays on this machine: it is no part of links or files.",
            persist_state="session",
        )
        attribution = st.text_input(
            "Who made the map (shown under it)",
            placeholder="© OpenStreetMap contributors",
            key=f"{key}_attribution",
            persist_state="session",
        )
        if not st.toggle("Show", key=f"{key}_show"):
            return
        try:
            tiles = read_tiles(address, attribution)
        except ValueError as problem:
            st.error(as_text(str(problem)))
            return
        if not may_ask(tiles.address):
            st.error("This app lets browsers ask no tile server but the one that its operator names in `DPOT_TILES`.")
            return
        draw(figure(tiles), alt=alt, key=f"{key}_map")
