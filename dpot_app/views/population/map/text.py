from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from dpot_app.kit.setting import Declared
from dpot_app.kit.view import Blocks, Columns, Picture, Slot, Tab, Table, View
from dpot_app.views.population.disclosed import released
from dpot_app.views.population.distances import excess
from dpot_app.views.population.guaranteed.figures import profile_figure
from dpot_app.views.population.map.figures import reference_map, release_map, small_map
from dpot_app.views.population.map.results import DRAWS, HARDLY, MapResult, draw_map
from dpot_app.views.population.people import load_population
from dpot_app.views.population.settings import BARYCENTERS, BASELINES, MECHANISMS, TABS, Config, link
from dpot_app.views.population.units import at_order, order, power_unit, unit
from dpot_app.views.population.views import people_view
from dpot_core.privacy.numerals import count, counted, decimals, fixed, number, percent

SHOWN = {"one": "One release", "many": f"{DRAWS} possible releases"}

#: What of the pictures is chosen on the page, by its name in `show`: what is asked, and what it begins with.
LOOK: dict[str, tuple[Declared, str | bool]] = {
    "large": (Declared("Large map", "segments", "large", {"none": "Side by side", **MECHANISMS}), "none"),
    "areas": (Declared("Areas of influence", widget="toggle", link="areas"), True),
}


def looks(config: Config) -> dict[str, tuple[Declared, str | bool]]:
    """`LOOK` with the maps that there are."""
    large, none = LOOK["large"]
    options = {**(large.options or {}), **{name: BARYCENTERS[name] for name in config.mechanisms}}
    return {**LOOK, "large": (replace(large, options=options), none)} if config.compared == "kmeans" else LOOK


def show(config: Config, result: MapResult, large: str = "none", areas: bool = True) -> Blocks:
    """The non-private barycenter beside the private ones, of one size; or one of them large, the other one small.

    Args:
        large: the mechanism whose map is large; "none" for all alike.
        areas: whether the atoms' areas of influence are drawn.
    """
    alt = "People on a map, and the atoms of their barycenter without privacy"
    truth = Picture("map-non-private", alt, reference_map, result, areas)
    private = {
        name: Picture(
            f"map-{name}",
            f"The atoms of {_by(name)} on the same map, with lines for their movement",
            release_map,
            result,
            name,
            areas,
        )
        for name in result.draws
    }
    alone = large == "none"
    if alone:
        yield Columns((truth, *private.values()), swipe=True, boxes="maps")
    else:
        yield Columns((truth, private[large]), (1, 1.8), swipe=True)
    alt = "Delta of one release of each mechanism over epsilon"
    profile = Picture("privacy-profile", alt, profile_figure, result, config.epsilon)
    yield Columns((Slot("guaranteed"), profile), (1.4, 1))
    others = tuple(
        Picture(
            f"map-{name}",
            f"{_by(name)[0].upper()}{_by(name)[1:]}, small",
            small_map,
            result,
            name,
            chooses=("large", BARYCENTERS[name]),
        )
        for name in result.draws
        if name != large
    )
    yield f"{hardly(result)} {against_kmeans(result)}".rstrip()
    yield cost_table(result) if alone else Columns((cost_table(result), others), widths=(3, 1))
    yield _caption(result, areas)


def _by(mechanism: str) -> str:
    """A mechanism's result, in words."""
    return f"the barycenter by {MECHANISMS[mechanism]}" if mechanism in MECHANISMS else "private k-means"


def cost_table(result: MapResult) -> Table:
    """Cost and W_p of the barycenters; mean and standard deviation over several draws; beside k-means also its cost.

    A cost stands here in its own unit only: which barycenter costs less can be another one in km, where a degree east
    is shorter in the north.
    """
    degrees, truth = result.backdrop.geographic, result.reference
    of, km = ("km", "_km") if degrees else ("units", "")
    p = truth.objective.p
    distances = {f"{order(p)} to ○": f"distance{km}", "by noise": f"noise{km}", "by search": f"search{km}"}
    costs = {name: [draw.cost for draw in draws] for name, draws in result.draws.items()}
    places = _decimals([[truth.cost], *costs.values()])
    baseline = any(name in result.draws for name in BASELINES)
    last = [] if result.nearest is None or not baseline else [fixed(result.nearest, places)]
    rows = [[BARYCENTERS["non-private"], fixed(truth.cost, places), *("0" for _ in distances), *last]]
    for name, draws in result.draws.items():
        values = [[float(getattr(draw, what)) for draw in draws] for what in distances.values()]
        write = partial(fixed, places=places)
        last = [_text([draw.nearest for draw in draws], write)] if last else []
        rows.append([BARYCENTERS[name], _text(costs[name], write), *map(_text, values), *last])
    power = power_unit(degrees, p)
    heads = ["Barycenter", f"Cost ({power})", *(f"{head} ({of})" for head in distances)]
    return Table([*heads, *([f"to the nearest ({power})"] if last else [])], rows)


def _decimals(costs: Sequence[Sequence[float]]) -> int:
    """Decimals of all costs: four digits of the largest, since noise raises it by less than a percent; one of each s.d.

    >>> _decimals([[10.93], [11.02], [10.98]]), _decimals([[2_345.6], [2_401.0]]), _decimals([[10.9], [10.98, 10.981]])
    (2, 0, 4)
    """
    spreads = [float(np.std(each, ddof=1)) for each in costs if len(each) > 1]
    return max(decimals(max(map(max, costs)), 4), *(decimals(spread, 1) for spread in spreads if spread > 1e-6), 0)


def _text(values: Sequence[float], write: Callable[[float], str] = number) -> str:
    values = [value if value >= 1e-6 else 0.0 for value in values]  # rounding
    if len(values) == 1:
        return write(values[0])
    return f"{write(float(np.mean(values)))} ± {write(float(np.std(values, ddof=1)))}"


def _caption(result: MapResult, areas: bool) -> str:
    draws, facts = max(map(len, result.draws.values())), result.draws["perturbation"][0].facts
    chunks = f"{count(facts['chunks of a group'])} chunks, " if "chunks of a group" in facts else ""
    lucky, tighter = "", ""
    if any(draw.cost < result.reference.cost for name in MECHANISMS for draw in result.draws[name]):
        lucky = (
            "A private barycenter costs less here. The one without privacy is blurred by its entropy, which costs "
            "more than noise does. "
        )
    if gain := facts.get("times the noise if epsilons were added up"):
        tighter = (
            ". Its start and its steps share ε. If their ε were simply added up, "
            f"{number(gain)} times this noise would be needed"
        )
    noise, spread = "", ""
    if (size := facts.get("noise of an atom (units)")) is not None:
        words = f"{number(size)} {unit(result.backdrop.geographic)}"
        noise = f", each with noise of about {words} on each coordinate of an atom"
    if draws > 1:
        spread = (
            f"±: standard deviation over the {draws} releases. Each ε takes as many new ones, so they follow when its "
            "slider is let go. "
        )
    return (
        "○: the best atoms known. Lines from them: where the optimal plan moves them. Every search starts from the "
        "same public atoms and ends in a local minimum, which need not be the best. By noise: how far noise moves the "
        "points. That is the way from the release to the end of a search without noise, which starts there. By search: "
        f"from there to ○. Colours: the people drawn, without protection. {_areas(result) if areas else ''}Cost: mean "
        f"{_power(result)} of the people to their atom, {_over_groups(result)}. Each atom takes the same share of "
        f"every group. {spread}Perturbation here: "
        f"{chunks}{counted(facts['steps'], 'noisy step', 'noisy steps')}{noise}{tighter}. {_kmeans(result)}{lucky}A "
        "demonstration with a seed: costs and distances to the truth are not private and no part of a release."
    )


def _kmeans(result: MapResult) -> str:
    """The place of k-means beside the barycenters, where it is shown."""
    if "kmeans" not in result.draws:
        return ""
    rounds = count(result.draws["kmeans"][0].facts["rounds"])
    shared = "" if len(result.reference.plans) == 1 else "All groups are pooled. "
    return (
        f"k-means here: {rounds} rounds. Each publishes, with noise, how many people are nearest to each point, and "
        "the sum of their positions. It minimises the squared distance to the nearest point, so its points may hold "
        f"unequal shares. In the cost each holds an equal one, as for all others. {shared}By noise: from the release "
        "to the minimum of k-means to which the people lead it. So rounds left out count too. By search: from there "
        "to ○, which is another aim. Every person in an area is nearest to its point. "
    )


def _power(result: MapResult) -> str:
    p = result.reference.objective.p
    return "squared distance" if p == 2 else "distance" if p == 1 else f"distance to the power {p:g}"


def _over_groups(result: MapResult) -> str:
    return "weighted over groups" if result.reference.objective.weights else "mean over groups"


def _areas(result: MapResult) -> str:
    """The meaning of the dashed lines, or why there are none."""
    if result.reference.objective.p != 2:
        return "Areas of influence are drawn at p = 2 only, where their borders are straight. "
    if len(result.reference.plans) > 1:
        return "With several groups an atom has an area of influence for each: none is drawn. "
    if any(len(draws) > 1 for draws in result.draws.values()):
        return "Areas of influence are drawn for one release, not for many (dashed, on the left: without privacy). "
    words = (
        "Dashed: areas of influence, one for each atom, with straight borders (power cells). All areas hold equal "
        "shares. Without privacy they split the people drawn. With privacy they split the private copy of a release, "
        "so they cost no further ε. "
    )
    if not result.has_areas("perturbation"):
        words += "The paper's perturbation publishes atoms only, and has none. "
    return words


def headlines(result: MapResult) -> dict[str, float]:
    numbers = {"cost, non-private (squared units)": result.reference.cost}
    for name, draws in result.draws.items():
        numbers[f"cost, {name} (squared units)"] = draws[0].cost
        numbers[f"W2 to the non-private one, {name} (units)"] = draws[0].distance
    return {at_order(name, result.reference.objective.p): value for name, value in numbers.items()}


def hardly(result: MapResult) -> str:
    """Whether more budget would help, in words."""
    extra = {name: result.shares(name).extra for name in MECHANISMS}
    words = " and ".join(f"{MECHANISMS[name].lower()} {percent(value)}" for name, value in extra.items())
    if not result.hardly:
        return f"Noise raises the cost above that of the same search without noise: {words}."
    return (
        f"**ε hardly matters at this n.** Noise adds less than {percent(HARDLY)} to the cost of the same search "
        f"without noise ({words}). No larger ε gains more than that. The rest of the distance to ○ comes from where "
        "the search ends."
    )


def against_kmeans(result: MapResult) -> str:
    """When k-means wins against the cheaper barycenter, in words, by either cost; nothing where it is not shown."""
    if "kmeans" not in result.draws:
        return ""
    costs = {name: result.mean_costs(name) for name in result.draws}
    said, wins = [], []
    for place in range(2):
        rival = min(MECHANISMS, key=lambda name: costs[name][place])
        more = float(excess(costs["kmeans"][place], costs[rival][place]))
        said.append(f"{percent(abs(more))} {'more' if more >= 0.0 else 'less'} than the {MECHANISMS[rival].lower()}")
        wins.append(more < 0.0)
    when = "by both costs" if all(wins) else "by neither cost" if not any(wins) else "by one cost of two"
    return (
        f"**Private k-means wins {when}.** With equal shares it costs {said[0]}. With every person at the nearest "
        f"point it costs {said[1]}."
    )


def takes_long(config: Config) -> bool:
    """Whether one map takes more than half a second, which it does not as the page begins."""
    begun = Config()
    few = config.n <= begun.n and config.m <= begun.m
    quick = {name: getattr(begun, name) for name in ("n", "m", "epsilon", "delta", "adjacency", "compared", "seed")}
    return not (few and replace(config, **quick) == begun)


VIEW = people_view(
    key="population.map",
    title="Private barycenters on the map",
    compute=lambda config, files, progress: (draw_map(config, load_population(config, files, progress), 1, progress),),
    show=show,
    tabs=(Tab("map", TABS["map"]),),
    disclosure=lambda config, result: released(result.releases, config.seed, result.backdrop.key),
    headlines=headlines,
    parameters=partial(link, "map"),
    scrub=("epsilon",),
    picture="map-coreset",
    heavy=lambda config: True,
    brief=lambda config: not takes_long(config),
)


def _many(mechanism: str) -> View:
    """How releases of a mechanism vary: the page shows and exports all of them, the board keeps the first."""
    return replace(
        VIEW,
        key=f"population.map-many-{mechanism}",
        compute=lambda config, files, progress: (
            draw_map(config, load_population(config, files, progress), DRAWS, progress, mechanism),
        ),
        tabs=(Tab("map", TABS["map"], pinned="population.map"),),
        scrub=(),
    )


MANY = {name: _many(name) for name in (*MECHANISMS, *BASELINES)}
