"""What is promised to each person, and what the promise does not cover."""

from __future__ import annotations

from dpot_core.cities.city import City
from dpot_core.cities.public import region_note, takes_part
from dpot_core.experiments.geolocation.settings import Config
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
