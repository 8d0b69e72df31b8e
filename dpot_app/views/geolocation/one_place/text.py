from dataclasses import replace

from dpot_app.kit.view import Blocks, Picture, Tab, Table
from dpot_app.views.geolocation.disclosed import guarantee
from dpot_app.views.geolocation.one_place.figures import curve_figure, when_it_wins
from dpot_app.views.geolocation.one_place.results import BY_DISTANCE, SIDE, OnePlace, label, one_place
from dpot_app.views.geolocation.settings import Config, requirements
from dpot_app.views.geolocation.views import city_view
from dpot_core.mechanisms import LABELS
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_most, enumeration, number, percent_at_most


def show(config: Config, found: OnePlace) -> Blocks:
    alt = "How far each mechanism moves one place on average, against epsilon"
    yield Picture("one-place", alt, curve_figure, found)
    yield when_it_wins(found)
    yield Table(
        (
            *("Mechanism", "By distance", "Average (km)", "Worst place (km)"),
            *("Average, remapped (km)", "Worst place, remapped (km)"),
        ),
        [
            (label(name), "yes" if name in BY_DISTANCE else "no", *(number(value) for value in moved))
            for name, moved in found.now.items()
        ],
    )
    yield " ".join(_read(config, found))


def _read(config: Config, found: OnePlace) -> list[str]:
    others = [label(name) for name in found.now if name not in BY_DISTANCE]
    cells = f"{found.map.n} × {found.map.n}"
    prior = "the crowd of the people set aside" if config.base == "prior" else "uniform: nothing is known"
    said = [
        f"On this tab the map has {cells} cells. A person is in one cell, and one cell is released.",
        "A person with several visits would first draw one of them.",
        f"Every mechanism here keeps ε between any two cells; the farthest are D = {number(found.farthest)} km apart.",
        "Geo-indistinguishability: the optimal kernel and planar Laplace keep ε d / D at distance d, "
        f"{at_most(found.rate)} nats at 1 km.",
        f"{enumeration(others)} may tell even near cells apart by the whole ε." if others else "",
        f"The prior is {prior}. It must be public.",
        "Remapped: each output is replaced by the best guess under the prior, which costs no privacy.",
        f"The linear program's answer is within {percent_at_most(found.optimum.gap)} of the smallest loss; the ratios "
        "of its probabilities are certified in floating point.",
        "Planar Laplace noise ends at the nearest cell. ★ now.",
    ]
    if found.map.p != 1.0:
        said.append(f"Distances are {found.map.loss}: the mean of distance^p, to the power 1/p.")
    if config.zones:
        said.append("Your zones are not used here.")
    if missing := [LABELS[name] for name in config.mechanisms if name not in found.now]:
        said.append(f"Left out, because some place has no output: {enumeration(missing)}.")
    return [sentence for sentence in said if sentence]


def headlines(found: OnePlace) -> dict[str, float]:
    loss = found.map.loss
    return {
        f"{loss} of the optimal kernel, one place (km)": found.now["optimal"].average,
        f"{loss} of planar Laplace, one place (km)": found.now["laplace"].average,
        f"{loss} of planar Laplace, remapped, one place (km)": found.now["laplace"].remapped,
    }


def few_cells(config: Config) -> Config:
    """The settings on so many cells as the linear program takes, which are the outputs."""
    return replace(config, place=replace(config.place, n=min(config.place.n, SIDE)), zones=False)


def promise(config: Config, found: OnePlace) -> Guarantee:
    """The promise of one release by any of the mechanisms; those by distance promise more."""
    each = guarantee(few_cells(config), found.map)
    more = f"By distance: at d km, {at_most(found.rate)} d nats, for the optimal kernel and planar Laplace only."
    return replace(each, note=f"{more} {each.note}")


VIEW = city_view(
    "one-place",
    "one-place",
    lambda city, config, progress: (one_place(city, config, progress),),
    title="Geo-indistinguishability of one place",
    show=show,
    tabs=(Tab("one-place", "Geo-indistinguishability"),),
    scrub=(),
    laid=few_cells,
    requirements=lambda config: requirements(few_cells(config)),
    otherwise=promise,
    headlines=headlines,
    heavy=lambda config: True,
)
