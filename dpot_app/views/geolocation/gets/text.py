from functools import partial

from dpot_app.cities.place import USUAL_SIDE
from dpot_app.kit.markdown import as_text
from dpot_app.kit.view import Blocks, Columns, Folded, Note, Picture, Tab, Table
from dpot_app.views.geolocation.by_command import released
from dpot_app.views.geolocation.disclosed import guarantee
from dpot_app.views.geolocation.gets.figures import shares_figure
from dpot_app.views.geolocation.gets.results import OwnPlaces, own_places
from dpot_app.views.geolocation.settings import Config, requirements
from dpot_app.views.geolocation.views import city_view
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import (
    at_least,
    at_most,
    counted,
    enumeration,
    number,
    percent,
    percent_at_least,
    percent_at_most,
)
from dpot_core.privacy.wording import same_answer


def show(config: Config, found: OwnPlaces) -> Blocks:
    if not found.by:
        yield Note("No mechanism here has an output for every history. Choose another one in the controls.", "info")
        return
    alt = "Share of {}'s releases that land farther from the nearest own place than a distance, for three people"
    yield Columns(
        [
            Picture(f"own-places-{name}", alt.format(MECHANISMS[name].label), shares_figure, found, name)
            for name in found.by
        ],
        swipe=True,
    )
    heads = (
        "Mechanism",
        "Whose places",
        "Half within (km)",
        "Nine of ten within (km)",
        f"Farther than {found.config.beyond:g} km",
    )
    yield Table(heads, rows(found))
    yield Note(f"**Said to a person**: {same_answer(guarantee(config, found.map), 'place')}")
    yield " ".join(_read(config, found))
    yield Folded(CHOOSE, _choice(config))


CHOOSE = "Let the people's data choose ε"


def _choice(config: Config) -> tuple[Note, Note]:
    """How ε is chosen by people's data, so that the choice is covered."""
    words = (
        "No promise covers a look at people's data to choose ε. The command below is covered. It counts, with noise, "
        "how many people have enough at each ε. A person has enough if nine of ten releases land within "
        f"{config.beyond:g} km of one of the person's own places. It names an ε at which the share of these people is "
        f"near {number(config.enough)}% (report noisy max). That costs each person ε = {config.spent:g}. The release "
        "that follows costs the ε that was named. Choose a total for both together."
    )
    return Note(words), released(config, "the ε for the people in a file", config.spent + config.epsilon)


def rows(found: OwnPlaces) -> list[tuple[str, ...]]:
    """A row for each mechanism and person; both ends where the worst possible person is not known."""
    said = []
    for name, people in found.by.items():
        for who, (least, most) in people.worst.items():
            shares = [one.beyond(found.radii, found.config.beyond) for one in (least, most)]
            cells: tuple[str, ...] = (number(least.half), number(least.most), percent(shares[0]))
            if least is not most:
                pairs = ((least.half, most.half), (least.most, most.most))
                cells = (
                    *(f"{at_least(low)} to {at_most(high)}" for low, high in pairs),
                    f"{percent_at_least(shares[0])} to {percent_at_most(shares[1])}",
                )
            said.append((MECHANISMS[name].label, who, *cells))
    return said


def _read(config: Config, found: OwnPlaces) -> list[str]:
    unknown = [MECHANISMS[name].label for name, people in found.by.items() if not people.known]
    said = [
        f"This person: {as_text(found.name)}. Distances run to the nearest cell that the same person ever visited.",
        f"Worst in the file: each column's largest number among its {counted(found.people, 'person', 'people')}.",
        "Worst possible: over all histories, proven. Two numbers are bounds. A single number is exact; the worst "
        "possible person was in one cell only.",
    ]
    if unknown:
        said.append(
            f"{enumeration(unknown)}: the dotted line is the worst of those who were in one cell. No "
            "history goes beyond the shaded area; that is proven."
        )
    if "wpm" in found.by and config.reg is not None:
        said.append("With the exact solver the worst possible person of WPM is known.")
    missing = [MECHANISMS[name].label for name in config.mechanisms if name not in found.by]
    if missing:
        said.append(f"Left out, because some history has no output: {enumeration(missing)}.")
    return said


def headlines(found: OwnPlaces) -> dict[str, float]:
    return {
        f"Nine of ten releases of {MECHANISMS[name].label} within, this person (km)": people.here.most
        for name, people in found.by.items()
    }


VIEW = city_view(
    "gets",
    "gets",
    lambda city, config, progress: (own_places(city, config, progress),),
    title="What one person gets",
    show=show,
    tabs=(Tab("gets", "Near own places"),),
    scrub=("beyond",),
    frames_at=lambda config: None,
    headlines=headlines,
    requirements=partial(requirements, side=USUAL_SIDE),
    heavy=lambda config: True,
)
