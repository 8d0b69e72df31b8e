from dpot_core.studies._kit.own_files import reads
from dpot_core.studies._kit.setting import changed
from dpot_core.studies.population.settings import Config

_START = """{imports}from dpot_core import datasets
from dpot_core.studies import population

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
everybody = datasets.read_population_csv({file}, outline{options})"""


def snippet(config: Config) -> str:
    """Python that prints costs and distances of the first draw."""
    return _start(config) + _CODE


def release_snippet(config: Config) -> str:
    """Python that makes one release for real: no seed, no cost, no distance to the truth."""
    return _start(config) + _RELEASE


def _start(config: Config) -> str:
    own = config.source == "csv"
    load = f"everybody = datasets.load_{config.source}({config.groups!r})"
    if own:
        box = "datasets.us_outline()" if config.box is None else f"datasets.box_outline{config.box!r}"
        options = f", dict({config.columns!r})" if config.columns else ""
        options += f", outside={config.outside!r}" if config.outside != "clip" else ""
        load = _CSV.format(file=reads("population"), outline=box, options=options)
        if config.groups == "everybody":
            load += "\neverybody = everybody.everybody()"
    return _START.format(imports="from pathlib import Path\n\n" if own else "", load=load, settings=changed(config))
