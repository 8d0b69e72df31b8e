"""What is promised to each person, and what the promise does not cover."""

from __future__ import annotations

from dpot_core.experiments.geolocation.city import City
from dpot_core.experiments.geolocation.settings import Config, Place
from dpot_core.guarantees import Guarantee


def guarantee(config: Config, city: City) -> Guarantee:
    """The promise of one release: any two histories of one person, as whole distributions over the city."""
    outputs = (
        f"the {len(city.zones)} zones" if city.zones is not None else f"the {config.place.n} x {config.place.n} grid"
    )
    public = [outputs, "the base measure", "epsilon", takes_part(config.place)]
    notes = ["For one released location per person. Each further release adds its epsilon."]
    if region := region_note(config.place):
        notes.append(region)
    if config.base == "prior":
        public.append("the crowd of the people set aside, which makes the base measure")
        notes.append(
            "Not covered: the people set aside. Their crowd is used as it is, which costs their privacy unless it "
            "is public anyway."
        )
    return Guarantee(config.epsilon, neighbours="local", public=tuple(public), note=" ".join(notes))


def takes_part(place: Place, on_map: bool = True) -> str:
    """Who takes part, in words: it depends on the data and is public.

    Args:
        place: the settings of the map and of the people.
        on_map: whether only check-ins near the busiest spot count, where there is such a limit.
    """
    where = f" within {place.within:g} km of the busiest spot" if on_map and place.within > 0 else ""
    return f"who takes part, and how many (people with {place.least} check-ins or more{where})"


def region_note(place: Place) -> str:
    """What the promise does not cover where the map itself is drawn from the data; "" where it is not.

    Args:
        place: the settings of the map.
    """
    if place.within > 0:
        return (
            f"The map's place is taken from the data: {place.within:g} km around their busiest spot. What that tells "
            "is not covered: fix a box beforehand for a real release."
        )
    if place.box is None:
        return (
            "The map's box is drawn around the check-ins themselves. What that tells is not covered: fix it beforehand "
            "for a real release."
        )
    return ""
