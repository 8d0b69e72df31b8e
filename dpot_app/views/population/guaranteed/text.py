from functools import partial

from dpot_app.kit.view import Blocks, Files, Picture
from dpot_app.views.population.disclosed import released
from dpot_app.views.population.guaranteed.figures import guaranteed_figure
from dpot_app.views.population.guaranteed.results import COPIES, Guaranteed, guaranteed
from dpot_app.views.population.map.results import MapResult, draw_map
from dpot_app.views.population.people import draw_people, load_population
from dpot_app.views.population.settings import BARYCENTERS, Config, link
from dpot_app.views.population.units import order, power_unit
from dpot_app.views.population.views import people_view
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.numerals import number, percent

#: Said where the best atoms known cost nothing, as where all people live in one place.
NOTHING_FARTHER = "People are 0 away from the best points known. No distance can be compared with that."


def show(config: Config, result: MapResult, found: Guaranteed) -> Blocks:
    if found.best == 0:
        yield f"{NOTHING_FARTHER} {what_p_changes(found)}"
        return
    alt = "How much farther people are from private points than need be over ε: guaranteed, and measured"
    yield Picture("guaranteed", alt, guaranteed_figure, result, found, config.epsilon)
    yield f"{what_p_changes(found)} {_reading(found)}"


def what_p_changes(found: Guaranteed) -> str:
    """How far people are at this order, and at another one."""
    unit = " km" if found.geographic else ""
    here, other = found.far
    return (
        f"**Without privacy, p = {here.p:g}: people are {number(here.mean)}{unit} from their point on average, the "
        f"farthest tenth {number(here.farthest)}{unit} or more. With p = {other.p:g}: {number(other.mean)}{unit} and "
        f"{number(other.farthest)}{unit}.**"
    )


def _reading(found: Guaranteed) -> str:
    share = found.band[1] - found.band[0]
    band = f"{percent(share)} of them" if share < 1.0 else "smallest to largest"
    power = power_unit(found.geographic, found.p)
    words = (
        f"Distance: {order(found.p)}, the root of order {found.p:g} of the cost ({power}). The picture divides this "
        f"distance by that of the best points known. Lines: mean of {found.draws} draws of noise, band: {band}. ★: the "
        "release above. "
    )
    if found.bound is None:
        return words + "Where people join or leave, no error bound is proved."
    words += (
        "Dotted: the coreset's guarantee. On average over noise, people are no farther from its points than this. "
        "That holds for any people. The guarantee is a sum. One part is the points' distance from the private copy "
        f"(mean over {COPIES} copies). The other part is a bound on the copy's error. "
    )
    if found.vacuous:
        return words + (
            "The bound is too large to say anything here: no point of the region is farther from a person. For the "
            "perturbation no bound is proved."
        )
    ratio = float((found.bound / found.measured["coreset"].mean(axis=1)).min())
    return words + (
        f"At every ε shown it is at least {number(ratio)} times the measured distance. For the perturbation no bound "
        "is proved."
    )


def compute(config: Config, files: Files, progress: Progress) -> tuple[MapResult, Guaranteed]:
    population = load_population(config, files)
    people = draw_people(population, config.n, config.seed)
    return draw_map(config, population), guaranteed(people, config, progress)


def headlines(_result: MapResult, found: Guaranteed) -> dict[str, float]:
    """Headlines at the largest epsilon, where the least is due to noise."""
    last = float(found.epsilons[-1])
    numbers = {
        f"Farther than need be at ε = {last:g}, {name.lower()} (share)": float(
            found.excess(found.measured[key][-1].mean())
        )
        for key, name in BARYCENTERS.items()
        if key in found.measured
    }
    if found.bound is not None:
        numbers[f"Guaranteed at ε = {last:g}, coreset (share)"] = float(found.excess(found.bound[-1]))
    return numbers


VIEW = people_view(
    key="population.guaranteed",
    title="Guaranteed against measured",
    compute=compute,
    show=show,
    # One map comes with it; the draws of the curve are distances to the people, which no guarantee covers.
    disclosure=lambda config, result, found: released(result.releases, config.seed, result.backdrop.key),
    headlines=headlines,
    parameters=partial(link, "map"),
    scrub=("epsilon",),
)
