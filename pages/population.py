"""Population: where people live, in a few points, without giving away where any one of them lives."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.kit.setting import Declared
from dpot_app.kit.view import Results
from dpot_app.shell.population.people import people_pieces
from dpot_app.shell.population.reading import data
from dpot_app.views.population import PAGE, Config, InsideConfig, SyntheticConfig, details
from dpot_app.views.population.curves.results import VALUES
from dpot_app.views.population.map.text import MANY, SHOWN, looks
from dpot_app.views.population.people import People, takes_long
from dpot_app.views.population.private_measure.text import show as show_level
from dpot_app.views.population.sensitivity.results import REPLACED, circle
from dpot_app.views.population.sensitivity.text import show_circle, show_replaced
from dpot_app.views.population.settings import AXES, TABS
from dpot_app.views.population.synthetic import DIGITS, EXAMPLES, MIXTURE, SYNTHETIC_AXES
from dpot_core.privacy.guarantees import Guarantee

LEVEL = Declared("Level: how often the region has been halved", "slider", "level", low=0, high=12)
ALONE = "What one release of it alone would promise:"
CLAIMED = "What the paper claims for one release of it alone; it is not proven:"
#: What a room asks for.
PRESETS = {**shell.usual(), "Four regions": {"places_groups": "regions"}}
UNNAMED: Mapping[str, Any] = {"label_visibility": "collapsed"}
in_a_row = partial(st.container, horizontal=True, vertical_alignment="bottom")


def promised(tab: str, people: People, results: Results) -> Mapping[str, Any]:
    """Promises of single releases of a tab, by their names on the screen."""
    promises = details.alone(tab, results.config, people)
    return {f"words_pop_promised_{name}": alone_strip(name, one) for name, one in promises.items()}


def alone_strip(name: str, guarantee: Guarantee) -> str:
    return shell.guarantee_strip(guarantee, (name, ALONE if guarantee.proven else CLAIMED))


def release_map(boxes: list[Any], controls: shell.Controls, config: Config, people: People) -> shell.Shown | None:
    """The maps; into the boxes goes the place beside the privacy profile, for what takes longer."""
    with in_a_row():
        many = controls.ask(Declared("Show", "segments", "show", SHOWN), "one") == "many"
        look = {name: controls.ask(*one) for name, one in looks(config).items()}
        view = MANY.get(str(look["large"]), MANY["coreset"]) if many else PAGE.view("population.map")
        tab = replace(view.tabs[0], show=partial(view.show, **look))
    slots = {
        "maps": lambda *_: st.container(key="swipe_pop_maps").columns(
            1 + len(config.mechanisms), vertical_alignment="bottom"
        ),
        "guaranteed": lambda *_: boxes.append(st.container()),
    }
    return shell.shown(controls, view, config, tab, slots, partial(promised, "map", people))


def curves(controls: shell.Controls, config: Config, people: People) -> shell.Shown | None:
    """One curve at a time, because each takes a while."""
    axis: str = controls.ask(Declared("Axis", "segments", "axis", AXES), "n", **UNNAMED)
    least = min(people.totals)
    if axis == "n" and least < min(VALUES["n"]):
        st.info(details.TOO_FEW.format(least=least))
        return None
    view = PAGE.view(f"population.curve-{axis}")
    return shell.shown(controls, view, config, view.tabs[0], more=partial(promised, "curves", people))


def inside(controls: shell.Controls, config: Config, people: People) -> shell.Shown | None:
    """A level of the private measure of a group."""
    with in_a_row():
        level = controls.ask(LEVEL, 5, width=420)
        group = 1
        if len(people.sizes) > 1:
            group = controls.ask(Declared("Group, by number", "field", "group", low=1, high=12), 1, width=150)
    own = InsideConfig(base=config, group=min(group, len(people.sizes)) - 1)
    tab = replace(PAGE.tabs["inside"][1], show=partial(show_level, level=level))
    return shell.shown(controls, PAGE.view("population.inside"), own, tab)


def sensitivity(controls: shell.Controls, config: Config, people: People) -> shell.Shown | None:
    """The circle, which stands while people are replaced one by one; then one of them; only promises need epsilon."""
    view, first = PAGE.view("population.sensitivity"), tuple(show_circle(circle()))
    part = shell.follow(controls, view, config, "pop_none", lambda *_: (), partial(promised, "sensitivity", people))
    known = Results(config, (circle(),), view.disclosure(config))  # which depends on no person who is replaced
    shell.show(first, "pop_circle", part=part, menus=shell.menus(controls, view, known, first))
    results = shell.computed(controls, view, config)
    if results is None:
        return None
    replaced: Any = results.parts[1]
    person = controls.ask(Declared("Person who is replaced", "field", "person", low=1, high=REPLACED), 1, width=180)
    rest = tuple(show_replaced(replaced, min(person, len(replaced.replacements))))
    shell.show(rest, "pop_replaced", part=part, menus=shell.menus(controls, view, results, rest))
    return shell.Shown(view, results, (*first, *rest), part=replace(part, offline={}))


def synthetic(controls: shell.Controls, config: Config) -> shell.Shown | None:
    digits = controls.ask(Declared("Example", "segments", "example", EXAMPLES), "gaussians", **UNNAMED) == "digits"
    key, names = "population.digits", DIGITS
    with in_a_row():
        if not digits:
            axis = controls.ask(Declared("Axis", "segments", "synthetic_axis", SYNTHETIC_AXES), "epsilon")
            key, names = f"population.gaussians-{axis}", MIXTURE
        own = {name: shell.ask(controls, SyntheticConfig, name, width=180) for name in names}
    view = PAGE.view(key)
    one = shell.shown(controls, view, SyntheticConfig(epsilon=config.epsilon, seed=config.seed, **own), view.tabs[0])
    if one is not None:
        shell.strip(one)
    return one


def of_people(boxes: list[Any], controls: shell.Controls, tab: str, config: Config) -> shell.Shown | None:
    """A tab about people, and what stands under it; boxes: see `release_map`."""
    loaded = data(controls, config)
    if loaded is None:
        return None
    population, people = loaded
    tabs: Mapping[str, Callable[..., shell.Shown | None]] = {
        "map": partial(release_map, boxes),
        "curves": curves,
        "inside": inside,
        "sensitivity": sensitivity,
    }
    # A word where no count can be given.
    with st.spinner(details.PATIENCE) if takes_long(people, config.m) else nullcontext():
        one = tabs[tab](controls, config, people)
        if one is None:
            return None
        alone = shell.watched(controls, "alone", config, lambda progress: details.alone(tab, config, people, progress))
    if alone is None:
        return None
    together = one.results.disclosure
    shell.strip(one)
    for name, guarantee in alone.items():
        if not guarantee.proven:
            st.warning(details.not_proven(name, tab))
    if len(together.parts) > 1 and together.guarantee is not None and together.guarantee.sampled is not None:
        st.caption(details.ONE_SAMPLE)
    for name, guarantee in alone.items():
        shell.words(alone_strip(name, guarantee), key=f"pop_promised_{name}", part=one.part)
    if alone and config.adjacency == "add-remove" and not people.everybody:
        st.caption(details.TO_THOSE_DRAWN)
    shell.show(details.folded(population, people, config, alone), "pop_below")
    return one


def page(controls: shell.Controls, config: Config) -> bool:
    shell.presets(controls, PRESETS)
    opened, places = controls.tabs("view", TABS)
    boxes: list[Any] = []
    with places[opened]:
        one = synthetic(controls, config) if opened == "synthetic" else of_people(boxes, controls, opened, config)
        under = st.container()
    if one is None:
        return False
    for box in boxes:
        # Last, with a count: draws of noise at several epsilons, once for all of the slider.
        with box:
            shell.shown(controls, PAGE.view("population.guaranteed"), config)
    with under:
        shell.below(controls, [one])
    return True


shell.framed(PAGE, Config(), people_pieces(), page)
