"""The map of the page from its settings alone, and the Python that computes it from public names."""

from __future__ import annotations

from dpot_core.datasets.population import Population
from dpot_core.experiments.population.people import draw_people, load_population, reference
from dpot_core.experiments.population.releases import MapResult, map_result, release
from dpot_core.experiments.population.settings import MECHANISMS, Config

_START = """{imports}from dpot_core import datasets
from dpot_core.experiments import population

{load}
config = population.Config({settings})
"""

_CODE = """people = population.draw_people(everybody, config.n, config.seed)  # a sample, with a seed: a demonstration
truth = population.reference(people, config.m, config.seed, config.reg)  # without privacy
print("non-private", truth.cost)
for mechanism in population.MECHANISMS:
    drawn = population.release(people, truth, config, mechanism)
    print(mechanism, drawn.cost, drawn.distance, drawn.guarantee)
"""

_RELEASE = """# Noise from OpenDP, people from the operating system's entropy: another answer each time. Publish one.
released = population.publish(everybody, config, "perturbation")  # or "coreset"
print(released.atoms)
print(released.guarantee)
"""

_CSV = """outline = {outline}
everybody = datasets.read_population_csv(Path("population.csv").read_bytes(), outline{options})"""


def run(config: Config, population: Population | None = None) -> MapResult:
    """Everything that the map shows, with one draw of each mechanism.

    Args:
        config: the settings.
        population: of one's own file; None for the data set that the settings name.

    Raises:
        DatasetMissing: if the data have to be downloaded first.
        ValueError: if the settings do not fit together.
    """
    people = draw_people(load_population(config) if population is None else population, config.n, config.seed)
    truth = reference(people, config.m, config.seed, config.reg)
    draws = {name: (release(people, truth, config, name),) for name in MECHANISMS}
    return map_result(people, truth, config, draws)


def snippet(config: Config) -> str:
    """Python that prints costs and distances of the first draw."""
    return _start(config) + _CODE


def release_snippet(config: Config) -> str:
    """Python that makes one release for real: no seed, no cost, no distance to the truth."""
    return _start(config) + _RELEASE


def _start(config: Config) -> str:
    """Imports, data and settings."""
    standard = Config()
    changed = {name: value for name, value in vars(config).items() if value != getattr(standard, name)}
    own = config.source == "csv"
    if own:
        box = "datasets.us_outline()" if config.box is None else f"datasets.box_outline{config.box!r}"
        options = f", dict({config.columns!r})" if config.columns else ""
        options += f", outside={config.outside!r}" if config.outside != "clip" else ""
        load = _CSV.format(outline=box, options=options)
        if config.groups == "everybody":
            load += "\neverybody = everybody.everybody()"
    else:
        load = f"everybody = datasets.load_{config.source}({config.groups!r})"
    return _START.format(
        imports="from pathlib import Path\n\n" if own else "",
        load=load,
        settings=", ".join(f"{name}={value!r}" for name, value in changed.items()),
    )
