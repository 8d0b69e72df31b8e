from dataclasses import replace
from typing import Any

import numpy as np

from dpot_app.kit.need import NO_FILES, Need, Own, Side
from dpot_app.kit.view import Files
from dpot_app.views.population.details import BRING_A_FILE, FILE, WITHOUT
from dpot_app.views.population.distances import excess
from dpot_app.views.population.people import Reference, draw_people, load_population, reference
from dpot_app.views.population.releases import Release, release
from dpot_app.views.population.settings import COUNTRIES, MECHANISMS, REGIONS, SOURCES, Config
from dpot_core import datasets
from dpot_core.datasets import Population
from dpot_core.datasets.population_csv import POPULATION_ROLES
from dpot_core.privacy.numerals import percent_at_most

#: Draws of people and of noise behind each value, and the values of epsilon that are tried.
RUNS = 3
GRID = (0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)

#: What the page would be asked for, beside epsilon.
PEOPLE = Config(n=2_000)


def _draw(config: Config, population: Population, mechanism: str, run: int = 0) -> tuple[Release, Reference]:
    config = replace(config, seed=config.seed + run)
    people = draw_people(population, config.n, config.seed)
    truth = reference(people, config.m, config.seed)
    return release(people, truth, config, mechanism), truth


def _excess(config: Config, population: Population, mechanism: str) -> float:
    draws = [_draw(config, population, mechanism, run) for run in range(RUNS)]
    # Where a private search ends in a better place than the one without privacy, it is measured against that place.
    return float(np.mean([excess(one.cost, min(truth.cost, one.settled_cost)) for one, truth in draws]))


def _settings(config: Any) -> Config:
    if config.source != "csv":
        return PEOPLE
    region = config.region or PEOPLE.region
    return replace(PEOPLE, source="csv", groups="file", columns=config.columns, box=config.box, region=region)


def _data(config: Any, files: Files = NO_FILES) -> Side:
    settings = _settings(config)
    population = load_population(settings, files)
    drawn = min(settings.n, *(int(total) for total in population.totals))

    def at(epsilon: float) -> Config:
        return replace(settings, epsilon=epsilon)

    return Side(
        what=f"how much more {PEOPLE.m} private places cost than without privacy, {drawn:,} people, mean of "
        f"{RUNS} draws",
        labels=MECHANISMS,
        evaluate=lambda mechanism, epsilon: _excess(at(epsilon), population, mechanism),
        note="Draws of people and noise with fixed seeds. Cost: mean squared distance of the people to their place. "
        "The extra cost is measured against the best places known. It includes the effects of noise and of the search.",
        grid=GRID,
        guarantee=lambda mechanism, epsilon: _draw(at(epsilon), population, mechanism)[0].guarantee,
    )


_OWN = Own(
    role="population",
    source=SOURCES["csv"],
    label=FILE,
    missing=BRING_A_FILE,
    sniff=datasets.sniff_population,
    roles=POPULATION_ROLES,
    without=WITHOUT,
    instead="US places",
    regions={**REGIONS, **COUNTRIES},
    rectangle="box",
    region="region",
)

NEED = Need(
    key="population",
    title="Places for a population",
    question="private places cost at most {} more than the ones without privacy",
    unit="extra cost of the barycenter",
    write=percent_at_most,
    targets=(0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0),
    default=0.05,
    heavy=True,
    worst=lambda config, files=NO_FILES: (
        "There is no closed form for the worst case of a barycenter's cost: only the data at hand are searched."
    ),
    data=_data,
    shows=lambda config, side: ("population.map", _settings(config)),
    own=_OWN,
    says=f"The page draws {PEOPLE.n:,} people from the data; a group with fewer people is taken whole. Each value is a "
    f"mean over {RUNS} draws of people and noise, with {PEOPLE.m} atoms.",
)
