"""Public facts of a city, and the gap in a guarantee where the map is drawn from the data."""

from __future__ import annotations

from dpot_app.cities.place import Place

#: Columns by table.
Columns = dict[str, tuple[str, ...]]

# Where the cells are: public where the map is.
_POSITIONS = ("lon", "lat", "east km", "north km")


def public_map(place: Place) -> bool:
    """Whether the map is fixed without a look at the data."""
    return place.box is not None and place.within == 0.0


def on_map(free: Columns, place: Place, simulated: bool, lengths: Columns | None = None) -> Columns:
    """The free columns of a map; positions and lengths are among them unless it is drawn from real people's check-ins.

    ``lengths``: columns that depend on how large the map is.
    """
    if not (simulated or public_map(place)):
        return free
    more = {name: (*columns, *_POSITIONS) if "cell" in columns else columns for name, columns in free.items()}
    for name, columns in (lengths or {}).items():
        more[name] = (*more.get(name, ()), *columns)
    return more


def takes_part(place: Place, on_map: bool = True) -> str:
    """The people who take part, in words: it depends on the data and is public.

    Without ``on_map`` check-ins count wherever they are, not only near the busiest spot.
    """
    where = f" within {place.within:g} km of the busiest spot" if on_map and place.within > 0 else ""
    return f"who takes part, and how many (people with {place.least} check-ins or more{where})"


def region_note(place: Place, simulated: bool) -> str:
    """The gap in the guarantee where the map itself is drawn from the data; "" where it is not.

    Of invented people there is nothing to cover: then it says what would not be covered of real ones.
    """
    if simulated and (place.within > 0 or place.box is None):
        return (
            "A map that is drawn around real people tells something about them, and no promise covers that: fix a box "
            "beforehand."
        )
    if place.within > 0:
        return (
            f"The map's place is taken from the data: {place.within:g} km around their busiest spot. No promise covers "
            "what that tells: fix a box beforehand for a real release."
        )
    if place.box is None:
        return (
            "The map's box is drawn around the check-ins themselves. No promise covers what that tells: fix it "
            "beforehand for a real release."
        )
    return ""
