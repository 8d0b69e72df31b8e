"""Notes under every view of the people: guarantees of single releases, where the data come from."""

from collections.abc import Mapping
from dataclasses import replace

from dpot_app.cities.base_map import credit
from dpot_app.kit.blocks import Block, Code, Folded, Note, by_command, for_real
from dpot_app.kit.markdown import as_text, cited
from dpot_app.kit.reading import ALSO_READ
from dpot_app.kit.script import program
from dpot_app.views.population.people import People, reference
from dpot_app.views.population.releases import KEPT, release
from dpot_app.views.population.settings import BARYCENTERS, GUARANTEES, MECHANISMS, TABS, Config, of_the_paper
from dpot_core.arguments.progress import Progress
from dpot_core.datasets import Population, us_outline
from dpot_core.privacy.guarantees import Guarantee

FILE = "File: lon, lat (or x, y) and, optionally, weight, group"
WITHOUT = {"weight": "(every row is one person)", "group": "(one group)"}
BRING_A_FILE = (
    "Bring a CSV file on the left, with one row for each point. Its columns are lon and lat (degrees), or x and y. If "
    "you like, add weight (people there, whole numbers) and group. A column GRD_ID of Eurostat's grid does for lon and "
    f"lat. {ALSO_READ} So is a GeoTIFF with the people of each cell (WorldPop, GHSL). The file stays in the memory of "
    "the app. It is not written to disk, and not part of the link."
)
TOO_FEW = "The smallest group has {least:,g} people, fewer than the smallest n of the curve."
PATIENCE = "Each barycenter of so many people or atoms takes some seconds …"
ONE_SAMPLE = (
    "All releases here are computed from one sample of the people. So the people drawn pay for all of them: their ε "
    "add up. The smaller ε towards the population is computed from the sum of all releases. If only one is "
    "published, only its ε is spent."
)
TO_THOSE_DRAWN = (
    "The promise is to the people drawn, and to them only. When a person joins or leaves, a sample of fixed size "
    "exchanges one person for another. That is two changes. The number of people is not public here."
)
_FOR_REAL = (
    "This page shows a demonstration: the seed gives away the people and the noise. A release draws the people anew, "
    "in secret, from the operating system's entropy. Its noise comes from OpenDP. It keeps only its atoms, the "
    "potentials of their areas, its promise and public facts. It keeps neither costs nor distances. Publish one: each "
    "spends its ε and δ again."
)
_NOT_FOR_REAL = (
    "A release from a sample of a fixed size needs the neighbours *Replace one person*: choose them on the left. For "
    "the points of all people call `dpot_core.perturbed_barycenter(..., secure=True)` yourself."
)

_KMEANS = (
    "Private k-means (DPLloyd, Su et al. 2016): rounds from public points. Each round sends every person to the "
    "nearest point. It publishes, with Gaussian noise, how many people each point has and the sum of their positions. "
    "A point with few people stays where it is. The number of rounds follows from public numbers."
)

_RELEASE = """
# Noise from OpenDP, people from the operating system's entropy: another answer each time. Publish one.
released = publish(load_population(config, files), config, "perturbation")  # or "coreset", "kmeans"
print(released.atoms)
print(released.guarantee)
"""


def release_script(config: Config) -> str:
    """Python that makes one release for real: no seed, no cost, no distance to the truth."""
    imports = {
        "dpot_app.views.population.people": "load_population",
        "dpot_app.views.population.releases": "publish",
    }
    roles = {"population": True} if config.source == "csv" else {}
    return program(replace(config, seed=Config().seed), roles, imports, _RELEASE)


def not_proven(name: str, tab: str) -> str:
    """A warning about one release of a tab whose promise is claimed only."""
    shown = "the pictures above show why" if tab == "sensitivity" else f"see the view *{TABS['sensitivity']}*"
    return f"**{name}**: the guarantee is the paper's claim. It is not proven; {shown}."


def alone(tab: str, config: Config, people: People, progress: Progress | None = None) -> dict[str, Guarantee]:
    """The promise of each mechanism of a tab for one release, the unproven first; none where only one is made."""
    if tab == "inside":
        return {}
    config = of_the_paper(config) if tab == "sensitivity" else config
    truth = reference(people, config.m, config.seed, config.reg, progress, config.objective)
    if tab != "sensitivity":
        found = {BARYCENTERS[name]: release(people, truth, config, name).guarantee for name in config.mechanisms}
    else:
        # The paper's perturbation exists for one kind of neighbours only.
        kinds = ("proven", "paper") if config.adjacency == "replace" else (config.guarantee,)
        found = {
            f"Perturbation, {GUARANTEES[kind].lower()}": release(
                people, truth, replace(config, guarantee=kind), "perturbation"
            ).guarantee
            for kind in kinds
        }
    return dict(sorted(found.items(), key=lambda one: one[1].proven))


def folded(
    population: Population, people: People, config: Config, promises: Mapping[str, Guarantee]
) -> tuple[Block, ...]:
    """The folded notes: where everything comes from, and how a release is made that may be published.

    ``promises``: of `alone`; where there is none, a release is not what the tab is about.
    """
    about = Folded("Data, distances, mechanisms", (Note(_about(population, people, config)),))
    if not promises:
        return (about,)
    label = f"Perturbation, {GUARANTEES[config.guarantee].lower()}"
    promise = promises[label] if label in promises else promises[MECHANISMS["perturbation"]]
    blocks: tuple[Block, ...] = (Note(_NOT_FOR_REAL),)
    if config.adjacency == "replace" and config.source == "csv":
        what = "the people anew, in secret, and one barycenter of them"
        blocks = (by_command(what, "people.csv", config.epsilon, delta=promise.delta),)
    elif config.adjacency == "replace":
        blocks = (Note(_FOR_REAL), Code(release_script(config)))
    return about, for_real(promise, *blocks, instead="Choose *Proven* on the left, or publish the coreset.")


def _about(population: Population, people: People, config: Config) -> str:
    sample = people.sample
    sizes = ", ".join(
        f"{size:,} of {total:,} ({as_text(name)})"
        for name, size, total in zip(sample.group_names, people.sizes, people.totals, strict=True)
    )
    unit = "Distances are in the unit of the file."
    if people.outline.geographic:
        unit = (
            "Distances are in degrees of longitude and latitude, as in the paper. A degree east counts like a degree "
            "north, though it is shorter. Kilometres are computed anew on an equal-area map (Albers), where distances "
            "are right within 3%."
        )
    lines = (
        cited(sample, f". People drawn at random: {sizes}."),
        unit,
        "Coreset: a private copy of every group, then a barycenter of the copies. To make a copy, the region is halved "
        "into cells again and again. Noise is added to the difference of the two halves' counts, which are then made "
        f"whole numbers. New points are put into the cells. The barycenter is computed from at most "
        f"{KEPT:,} points of each copy for every atom, spread evenly over the copy's cells.",
        "Perturbation, proven: from a private start, the atoms move in noisy steps. Each atom has a cell, which "
        "follows from where the atoms are at that time. A step publishes, with noise, how many people a cell holds "
        "and the sum of their positions. (Or people are split into chunks at random. Each chunk assigns its people to "
        "atoms, and the step publishes their means.) As in the paper: the barycenter of chunks is found without "
        "noise, and Gaussian noise is added once.",
        *([_KMEANS] if config.compared == "kmeans" else []),
        "Areas of influence: one cell for each atom, with straight borders (power cells). One number for each atom, "
        "its potential, shifts the borders until all cells hold equal shares of the private copy. The numbers follow "
        "from private results, so the promise covers them and no more ε is spent. The paper's perturbation has no "
        "such copy. The people drawn on the map are data and not private.",
        "Noise comes from a seeded generator here: a demonstration.",
        *([credit(True, True, people.outline.name == us_outline().name)] if people.outline.geographic else []),
        *map(as_text, population.notes),
    )
    return "\n".join(f"- {line}" for line in lines)
