from __future__ import annotations

from dpot_core.cities.crowd import MECHANISMS as COMPARED
from dpot_core.mechanisms import MECHANISMS
from dpot_core.studies._kit.view import Blocks, Columns, Picture, Tab
from dpot_core.studies.geolocation.person.figures import output_maps, truth_maps
from dpot_core.studies.geolocation.person.results import OnePerson, one_person
from dpot_core.studies.geolocation.settings import Config
from dpot_core.studies.geolocation.views import city_view

# These words stand in people's links: add, but do not reword.
COMPARE = {name: MECHANISMS[name].label for name in COMPARED}
_ALT = "The distribution of one person and the output distribution of each mechanism on maps"


def show(config: Config, result: OnePerson, compare: str = "wpm") -> Blocks:
    truth = Picture("person-truth", _ALT, truth_maps, result, compare, light=True)
    outputs = Picture("person-outputs", _ALT, output_maps, result, light=True)
    yield Columns((truth, outputs), (1, 1.9))
    yield (
        (f"The last of {result.people:,} is shown. " if config.person > result.people else "")
        + "W₁ is how far the mass travels on average. "
        + f"WPM as set: {result.kilometres['wpm']:.3f} km; exact projection: {result.exact_kilometres:.3f} km. "
        "Both satisfy the guarantee."
    )


VIEW = city_view(
    "person",
    "One person",
    lambda city, config, progress: (one_person(city, config, progress),),
    title="One person",
    show=show,
    tabs=(Tab("person", "One person"),),
    picture="person-outputs",
    headlines=lambda result: {
        f"W₁ of {MECHANISMS[name].label} (km)": value for name, value in result.kilometres.items()
    },
)
