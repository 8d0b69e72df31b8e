from dpot_app.cities.crowd import MECHANISMS as COMPARED
from dpot_app.cities.how_far import known_within_text
from dpot_app.figures.city_maps import lines_text
from dpot_app.figures.style import km
from dpot_app.kit.particles import SEED
from dpot_app.kit.view import Blocks, Columns, Picture, Tab, thumbnails
from dpot_app.views.geolocation.person.figures import output_map, thumbnail, truth_map
from dpot_app.views.geolocation.person.results import DROPS, OnePerson, one_person
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.views import city_view
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import number

# These words stand in people's links: add, but do not reword.
COMPARE = {name: MECHANISMS[name].label for name in COMPARED}
#: Of the truth and of the large map: 480 and 600 pixels where the screen has 1400.
WIDTHS = (480, 600)


def show(
    config: Config, result: OnePerson, compare: str = "wpm", difference: bool = False, brush: float = 0.0
) -> Blocks:
    """The truth beside what one mechanism releases, large; the others small.

    Args:
        compare: the mechanism whose map is large.
        difference: whether that map shows what the mechanism changes.
        brush: the weight that a brush on the truth gives to a cell; 0 where there is no brush.
    """
    alt = "The distribution of one person on a map"
    paints = ("drawn", result.map.n, brush, result.truth.n_check_ins) if brush else None
    truth = Picture("person-truth", alt, truth_map, result.truth, light=True, paints=paints)
    alt = f"What {COMPARE[compare]} releases of it, with the circles in which half and 90% of the releases land"
    # A home that is the only place is dragged on the map of what is released, too.
    alone = paints if result.truth.alone and not result.map.zones else None
    large = Picture("person-outputs", alt, output_map, result, compare, difference, light=True, paints=alone)
    yield Columns((truth, large), WIDTHS, boxes="maps")
    yield thumbnails(COMPARE, compare, "compare", "person", thumbnail, result)
    if brush:
        yield (
            "Draw on the map of the truth: a stroke gives the brush's weight to the cells that it passes; one that "
            "begins on a drawn cell takes cells away. A home that is the only cell is dragged to another place, on "
            "either map. *As numbers* does the same with the keyboard."
        )
    yield (
        (f"The last of {result.people:,} is shown. " if config.person > result.people else "")
        + f"Circles around {'home' if result.truth.alone else 'the most visited cell'}: half (solid) and 90% (dashed) "
        + f"of the releases land in them; a draw without privacy is on average {km(result.truth.usual)} from there. "
        + f"A click on the large map shows {DROPS} sample releases: a demonstration with the known seed {SEED}, "
        + "drawn exactly from this output and spread inside its "
        + ("zones" if result.map.zones else "cells")
        + ", by the same random numbers at every ε. "
        + "W₁ is how far the person's distribution is moved on average: a release near any of their places is near. "
        + _distances(result)
        + lines_text(result.map)
    )


def _distances(result: OnePerson) -> str:
    wpm = result.kilometres["wpm"]
    if result.known_within > 0:
        return f"W₁ of WPM as set: {number(wpm)} km{known_within_text(result.known_within)}."
    if result.exact_kilometres is None:
        return f"W₁ of WPM as set: {number(wpm)} km."
    exact = number(result.exact_kilometres)
    return f"W₁ of WPM as set: {number(wpm)} km; exact projection: {exact} km. Both satisfy the guarantee."


VIEW = city_view(
    "person",
    "One person",
    lambda city, config, progress: (one_person(city, config, progress),),
    title="One person",
    show=show,
    tabs=(Tab("person", "One person"),),
    picture="person-outputs",
    # On the finest grid .35 s, and .2 s more by a worker; of the few people with hundreds of places up to 2 s.
    brief=lambda config: config.base != "minimax" and config.reg is not None,
    headlines=lambda result: {
        f"W₁ of {MECHANISMS[name].label} (km)": value for name, value in result.kilometres.items()
    },
)
