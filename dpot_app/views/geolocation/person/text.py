import numpy as np

from dpot_app.cities.crowd import MECHANISMS as COMPARED
from dpot_app.cities.distance_to_truth import known_within_text
from dpot_app.figures.city_maps import lines_text
from dpot_app.figures.style import km
from dpot_app.kit.blocks import Code, Note, for_real
from dpot_app.kit.fields import LOSS_HELP, POWER
from dpot_app.kit.particles import SEED
from dpot_app.kit.view import Blocks, Columns, Picture, Slot, Tab
from dpot_app.views.geolocation.by_command import released
from dpot_app.views.geolocation.device import device_script
from dpot_app.views.geolocation.disclosed import guarantee
from dpot_app.views.geolocation.person.figures import beside_map, output_map, truth_map
from dpot_app.views.geolocation.person.results import DROPS, OnePerson, Truth, one_person
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.views import city_view
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import enumeration, number, percent

COMPARE = {name: MECHANISMS[name].label for name in COMPARED}
_ON_DEVICES = (
    "No one has to hold the file. Here each person's own device makes the same release, by the mechanism of the large "
    "map ({name}). It needs `dpot_core` only."
)
#: Of the large map and of what is said of it: 600 and 480 pixels where the screen has 1400.
WIDTHS = (600, 480)
#: Of the worst cases under the small maps, and of what stands beside them.
UNDER = (1.8, 1.0)


def show(
    config: Config, result: OnePerson, compare: str = "wpm", difference: bool = False, brush: float = 0.0
) -> Blocks:
    """The truth beside what each mechanism releases; the worst cases; what one mechanism releases, large.

    Args:
        compare: the mechanism whose map is large.
        difference: whether that map shows what the mechanism changes.
        brush: the weight that a brush on the truth gives to a cell; 0 where there is no brush.
    """
    alt = "The distribution of one person on a map"
    paints = ("drawn", result.map.n, brush, result.truth.n_check_ins) if brush else None
    truth = Picture("person-truth", alt, truth_map, result.truth, paints=paints)
    yield Columns((truth, *(_beside(result, name) for name in seen(result))), swipe=True, boxes="maps")
    words = f"{order_in_words(result)} {_colours(result.truth)}"
    yield Columns((Slot("curves"), words), UNDER, boxes="under")
    alt = f"What {COMPARE[compare]} releases of it, with the circles in which half and 90% of the releases land"
    # A home that is the only place is dragged on the map of what is released, too.
    alone = paints if result.truth.alone and not result.map.zones else None
    large = Picture("person-outputs", alt, output_map, result, compare, difference, paints=alone)
    how = (
        "Draw on the map of the truth. A stroke gives the brush's weight to the cells that it passes. A stroke that "
        "begins on a drawn cell removes cells. If only one cell is drawn, drag it to another place, there or on the "
        "large map. *As numbers* does the same with the keyboard."
    )
    yield Columns((large, (*([how] if brush else []), _read(config, result))), WIDTHS)
    device = device_script(config, compare)
    ways = (Note(_ON_DEVICES.format(name=COMPARE[compare])), Code(device)) if device else ()
    real = released(config, "one place of each person in a file", config.epsilon)
    yield for_real(guarantee(config, result.map), real, *ways)


def seen(result: OnePerson) -> list[str]:
    """The mechanisms of the settings that have an output for this person."""
    return [name for name in result.config.mechanisms if name in result.outputs]


def _beside(result: OnePerson, name: str) -> Picture:
    alt = f"What {MECHANISMS[name].label} releases of it, on a map"
    return Picture(f"person-{name}", alt, beside_map, result, name)


def order_in_words(result: OnePerson) -> str:
    """The effect of the order of the loss, in numbers."""
    if result.moved is None:
        return f"Distances are {result.map.loss}: {LOSS_HELP}"
    here, other = result.moved
    would = "moves" if here.p > other.p else "would move"
    first, second = (here, other) if here.p > other.p else (other, here)
    if result.config.reg is not None and first.tenth > second.tenth * (1.0 + 1e-6):
        return (
            f"With p = {first.p:g} ({POWER}) far moves cost more, but λ blurs more than that gains. λ is a share of "
            f"the largest cost, a distance to the power {first.p:g}. WPM as set {would} the farthest tenth of the mass "
            f"{km(first.tenth)}, and {number(second.tenth)} with p = {second.p:g}. Choose a smaller λ, or Exact."
        )
    changes = [
        f"{km(one)}{often} (the same with p = {second.p:g})"
        if number(one) == number(two)
        else f"{km(one)}{often} (with p = {second.p:g}: {km(two)})"
        for one, two, often in ((first.mean, second.mean, " on average"), (first.tenth, second.tenth, ""))
    ]
    return (
        f"With p = {first.p:g} ({POWER}) far moves cost more. WPM {would} the mass {changes[0]}. It {would} the "
        f"farthest tenth of the mass {changes[1]}."
    )


def _colours(truth: Truth) -> str:
    """The meaning of the colours of the maps beside each other: the bar stands at the large one."""
    above = " and more" if truth.cut else ""
    return f"Colours of all maps: from 0 (dark) to {percent(truth.highest)}{above} (yellow), a cube-root scale."


def _read(config: Config, result: OnePerson) -> str:
    loss = result.map.loss
    p = result.map.p
    far = "on average" if p == 1.0 else f"(the mean of distance^{p:g}, to the power 1/{p:g})"
    left_out = [MECHANISMS[name].label for name in config.mechanisms if name not in result.outputs]
    return (
        (f"The last of {result.people:,} is shown. " if config.person > result.people else "")
        + _near_prior(result)
        + (
            f"{enumeration(left_out)}: no output, because its reference, the base measure, lacks cells. "
            * bool(left_out)
        )
        + f"Circles around {'home' if result.truth.alone else 'the most visited cell'}: half (solid) and 90% (dashed) "
        + f"of the releases land in them. A draw without privacy is on average {km(result.truth.usual)} from there. "
        + f"A click on the large map shows {DROPS} sample releases: a demonstration with the known seed {SEED}. "
        + "They are drawn exactly from this output, then spread inside its "
        + ("zones" if result.map.zones else "cells")
        + ". Every ε has the same random numbers. "
        + f"{loss}: how far the person's distribution is moved {far}. It takes all places of this person into account, "
        + "not only the most visited one. "
        + _distances(result)
        + lines_text(result.map)
    )


def _near_prior(result: OnePerson) -> str:
    """Whether KPM around the crowd set aside is nearer to this person than KPM, in what both aim at."""
    if "kpm-prior" not in result.outputs:
        return ""
    label = MECHANISMS["kpm-prior"].label
    if not result.config.place.held_out:
        return f"{label} is KPM here: no people are set aside for a prior. "
    off = {name: float(np.abs(result.truth.moved - result.outputs[name]).sum()) / 2 for name in ("kpm-prior", "kpm")}
    first, second = sorted(off, key=off.__getitem__)
    return (
        f"{MECHANISMS[first].label} is the nearer one to this person: total variation {number(off[first])}, "
        f"{MECHANISMS[second].label} {number(off[second])}. {label} wins where a person's places are a larger share of "
        "the crowd set aside than of the map. "
    )


def _distances(result: OnePerson) -> str:
    wpm, loss = result.kilometres["wpm"], result.map.loss
    if result.known_within > 0:
        return f"{loss} of WPM as set: {number(wpm)} km{known_within_text(result.known_within, loss)}."
    if result.exact_kilometres is None:
        return f"{loss} of WPM as set: {number(wpm)} km."
    exact = number(result.exact_kilometres)
    return f"{loss} of WPM as set: {number(wpm)} km; exact projection: {exact} km. Both satisfy the guarantee."


VIEW = city_view(
    "person",
    "person",
    lambda city, config, progress: (one_person(city, config, progress),),
    title="One person",
    show=show,
    tabs=(Tab("person", "One person"),),
    picture="person-outputs",
    worst_case="geolocation.worst-case",
    # On the finest grid .35 s, and .2 s more by a worker; of the few people with hundreds of places up to 2 s.
    brief=lambda config: config.base != "minimax" and config.reg is not None,
    headlines=lambda result: {
        f"{result.map.loss} of {MECHANISMS[name].label} (km)": value for name, value in result.kilometres.items()
    },
)
