from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dpot_app.kit.fields import BASE, entropic_weight, epsilon, order, slack
from dpot_app.kit.fields import MECHANISMS as MECHANISMS_LABEL
from dpot_app.kit.links import CannotShowError, Parameters, only, parameters
from dpot_app.kit.page import Absent, Expander, block
from dpot_app.kit.setting import choice, evenly, free, group, number_text, seed, settings, when, whole
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.view import Tab
from dpot_core.datasets import POPULATIONS, countries
from dpot_core.transport.barycenters import LARGEST_ORDER
from dpot_core.transport.group_shares import average, check_shares

#: The private barycenters that are compared: key -> name on screen.
MECHANISMS = {"coreset": "Coreset", "perturbation": "Perturbation"}

#: What can stand beside them: another objective, see `dpot_core.central.private_kmeans`.
BASELINES = {"kmeans": "Private k-means"}

#: All of them, in the order of tables.
BARYCENTERS = {"non-private": "Non-private", **MECHANISMS, **BASELINES}

#: Which private ones are compared: key -> words.
COMPARED = {"barycenters": "Coreset and perturbation", "kmeans": "Both, and private k-means"}

TABS = {
    "map": "Map",
    "curves": "Curves",
    "inside": "Inside",
    "sensitivity": "Is the sensitivity true?",
    "synthetic": "Synthetic",
}
_NOT_FOR_EXAMPLES = (
    *("source", "country", "columns", "region", "box", "outside", "groups", "weights", "p", "reg", "compared"),
    *("n", "m", "adjacency", "guarantee", "delta", "method", "chunks", "steps"),
)
SYNTHETIC = Tab(
    "synthetic",
    TABS["synthetic"],
    idle=_NOT_FOR_EXAMPLES,
    why="Examples have data of their own. Of the settings here, only ε and the seed count for them.",
)
SOURCES = {**{key: row.title for key, row in POPULATIONS.items()}, "csv": "My file"}

#: How people are told apart: key -> words; and which ways each source has, the usual one first.
GROUPS = {
    "everybody": "Everybody",
    "regions": "Four Census regions",
    "race": "Adults by race",
    "file": "As in the file",
}
GROUPS_OF = {**{key: row.groups for key, row in POPULATIONS.items()}, "csv": ("file", "everybody")}

#: How the perturbation promises its privacy: key -> words. "paper" is not proven.
GUARANTEES = {"proven": "Proven", "paper": "As in the paper (not proven)"}

#: What a noisy step of the proven perturbation asks of the people: key -> words.
METHODS = {"cells": "Sums over cells", "chunks": "Means over chunks"}

#: Which data sets are neighbours: key -> words.
ADJACENCIES = {"replace": "Replace one person", "add-remove": "Add or remove one person"}

#: What barycenters are compared against: key -> its sign.
SIGNS = {"n": "n", "epsilon": "ε", "projection": "d′"}
AXES = {key: f"Against {SIGNS[key]}" for key in ("n", "epsilon")}
REGIONS = {"us": "Contiguous United States", "box": "A box"}
OUTSIDE = {"clip": "Move to the nearest point of it", "reject": "Leave out"}

SIZES = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)
ATOMS = (1, 2, 4, 8, 12, 16, 24, 32, 48)
CHUNKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
DELTAS = (1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
REGS = (0.0, 1e-3, 3e-3, 0.01, 0.03)

#: What a group's weight can be on its slider, in percent of all; together they are `WHOLE`.
WHOLE, LEAST = 100.0, 0.1

Columns = tuple[tuple[str, str], ...]  # pairs (role, column), roles as in `read_population_csv`
Box = tuple[float, float, float, float]  # in the file's coordinates

GUARANTEE_HELP = (
    "Proven: noisy steps. How far one person can move a step (its sensitivity) is bounded for all data. As in the "
    "paper (Gu et al. 2025): noise is added once, to the final atoms. The sensitivity that it assumes does not hold in "
    "general (see the view about it)."
)
DELTA_HELP = (
    "Slack of the perturbation, towards the whole population. Towards the people drawn it is larger: it is divided by "
    "their share of the population. The coreset needs none."
)
METHOD_HELP = (
    "Sums over cells: how many people each atom's cell holds and the sum of their positions, with noise. Means over "
    "chunks: the paper's chunks. Each sends its people to the fixed atoms by a plan of its own."
)
CHUNKS_HELP = (
    "For the paper's perturbation and for means over chunks: each group is split into k' parts at random. More parts "
    "need less noise, but each part knows less. Automatic: parts of four people for each atom."
)
REG_HELP = (
    "Weight of the entropy, which blurs the transport plan. It is for the non-private barycenter only, as in the "
    "paper. Costs are scaled to a largest of 1. Exact: no entropy. The private barycenters are always exact."
)
ONLY_SQUARED = "exact at this p; the paper's entropic search is for p = 2"
NO_BASE = "none in the central model, where one curator sees all and noise hides a person"
COMPARED_HELP = (
    "k-means sends every person to the nearest point, so its points hold unequal shares. It is the usual baseline, at "
    "the same ε and δ, and costs privacy of its own."
)
ORDER_HELP = (
    "The cost of a person is the distance to their atom to the power p. A large p punishes far people. p = 2 is the "
    "paper's setting."
)
WEIGHTS_HELP = "How much each group counts in the cost. The weights are public and change no promise."
REGION_HELP = "Never read off the data: it is published."
OUTSIDE_HELP = (
    "People left out are not in the data set, and no promise is made to them. Where one person is replaced, the number "
    "of the others is public."
)


def _or_zero(word: str) -> Callable[[float], str]:
    """Numbers as they stand on a slider whose 0 has a word of its own."""
    return lambda value: word if value == 0 else number_text(value)


COUNTRIES = countries()

_own = when("source", "csv")


def _without_box(config: "Config") -> bool:
    """Whether a file's region is a country: a box goes before it, also in scenarios older than the setting."""
    return config.source == "csv" and config.box is None


@settings
class Config:
    """All settings of the map and of what is derived from it."""

    source: str = choice("Data", "places", SOURCES, link="data")
    country: str = choice("Country", "JP", COUNTRIES, link="country", shown=when("source", "country"))
    groups: str = choice("Groups", "everybody", GROUPS)
    # All people of a group that has fewer.
    n: int = evenly(
        "People drawn from each group, n", 10_000, SIZES, "n", 10_000, low=2, high=400_000_000, show="{:,.0f}".format
    )
    m: int = evenly("Atoms of the barycenter, m", 12, ATOMS, "m", 4, low=1, high=200)
    chunks: int = whole(
        "Chunks k' of a group (0: automatic)",
        0,
        low=0,
        high=1_000_000,
        step=100,
        grid=CHUNKS,
        show=_or_zero("automatic"),
        link="chunks",
        help=CHUNKS_HELP,
    )
    # This and delta are towards the population.
    epsilon: float = epsilon(1.0)
    delta: float = slack("Slack δ of the perturbation", 1e-9, DELTAS, help=DELTA_HELP)
    adjacency: str = choice("Neighbours", "replace", ADJACENCIES, link="adjacency")
    guarantee: str = choice(
        "Guarantee of the perturbation", "proven", GUARANTEES, link="guarantee", help=GUARANTEE_HELP
    )
    compared: str = choice(MECHANISMS_LABEL, "barycenters", COMPARED, link="mechanisms", help=COMPARED_HELP)
    method: str = choice("A proven step releases", "cells", METHODS, link="method", help=METHOD_HELP)
    steps: int = whole("Noisy steps (proven)", 2, low=1, high=100, soft=(1, 10), widget="slider", link="steps")
    # Of the non-private one. 0, not null: so it stands in people's files.
    reg: float = entropic_weight(
        0.0,
        REGS,
        REG_HELP,
        low=0.0,
        empty=None,
        step=None,
        factor=False,
        show=_or_zero("exact"),
    )
    p: float = order(2.0, high=LARGEST_ORDER, step=None, help=ORDER_HELP)
    # beta, one of each group; none where all count alike. They are divided by their sum.
    weights: tuple[float, ...] = free("Weights of the groups", (), help=WEIGHTS_HELP)
    # Curves count on from the seed, so it has room above what a reader types. It makes this a demonstration.
    seed: int = seed("Seed of the people and of the noise", 1, "seed", high=2**63, soft=(1, 9999))
    columns: Columns = free("Columns of the file", (), shown=_own)
    region: str = choice(
        "Public region", "us", {"us": REGIONS["us"], **COUNTRIES}, link="region", help=REGION_HELP, shown=_without_box
    )
    outside: str = choice("Points outside the region", "clip", OUTSIDE, link="outside", help=OUTSIDE_HELP, shown=_own)
    box: Box | None = free("Public box: west, south, east, north", None, empty="the public region", shown=_own)

    @property
    def objective(self) -> "Objective":
        """The objective of a barycenter."""
        return Objective(self.p, self.weights)

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """The private ones that are compared, keys of `BARYCENTERS`."""
        return (*MECHANISMS, *(BASELINES if self.compared == "kmeans" else ()))


@dataclass(frozen=True)
class Objective:
    """``sum_i beta_i W_p^p(mu_i, nu)``, beta the weights of the groups over their sum, all alike where there are none.

    Source: dp_barycenters, equation 1 and Definition 3.
    """

    p: float = 2.0
    weights: tuple[float, ...] = ()

    @property
    def known(self) -> tuple[float, ...] | None:
        """The weights as the core takes them."""
        return self.weights or None

    def mean(self, costs: Sequence[float]) -> float:
        """The groups' costs together."""
        return float(average(costs, check_shares(self.known, len(costs))))

    @property
    def key(self) -> str:
        """The label that tells it from other ones; "" for the usual one."""
        return "" if self == USUAL else f" {self.p!r} {self.weights!r}"


#: The paper's: p = 2, and groups that count alike.
USUAL = Objective()


@settings
class InsideConfig:
    """Settings of the look inside the private measure of one group; those of the perturbation do not count."""

    base: Config = group(Config)
    group: int = whole("Number of the group, from 0", 0, low=0, high=11, step=None)


SIDEBAR = block(
    *("source", "country", "columns", "region", "box", "outside", "groups", "weights"),
    loss="p",
    solver="reg",
    base=Absent(BASE, NO_BASE),
    mechanisms="compared",
    folded=Expander(
        "People, atoms, noise, seed",
        ("n", "m", "adjacency", "guarantee", "delta", "method", "chunks", "steps", "seed"),
    ),
)


def of_the_paper(config: Config) -> Config:
    """The same at the paper's order and weights: what its perturbation is claimed for."""
    return replace(config, p=Config().p, weights=())


def base_of(config: Config | InsideConfig) -> Config:
    return config.base if isinstance(config, InsideConfig) else config


def requirements(config: Config | InsideConfig) -> None:
    base = base_of(config)
    outer = () if base is config else ("base",)
    if base.groups not in GROUPS_OF[base.source]:
        known = ", ".join(GROUPS_OF[base.source])
        raise ScenarioError(f"must be one of {known} for {base.source}; got {base.groups!r}", (*outer, "groups"))
    if base.source != "csv" and base.box is not None:
        raise ScenarioError("must be null unless the source is csv", (*outer, "box"))
    if base.region != "us" and base.box is not None:
        raise ScenarioError(f"must be null where the region is {COUNTRIES[base.region]}", (*outer, "box"))
    if base.p != 2.0 and base.guarantee == "paper":
        raise ScenarioError(f"must be 2 for the paper's perturbation; got {base.p:g}", (*outer, "p"))
    if base.p != 2.0 and base.method == "chunks":
        words = "must be 2 where a proven step releases means over chunks, as the proof is about means"
        raise ScenarioError(f"{words}; got {base.p:g}", (*outer, "p"))
    if base.p != 2.0 and base.reg > 0.0:
        raise ScenarioError(f"must be 0 (exact) unless p is 2; got {base.reg:g}", (*outer, "reg"))
    if base.weights and min(base.weights) <= 0.0:
        raise ScenarioError(f"must each be more than 0; got {min(base.weights):g}", (*outer, "weights"))


def link(tab: str, config: Config, **more: str) -> Parameters:
    """The parameters of a link to a tab, with ``more`` parameters of its own."""
    if config.source == "csv" or config.columns:
        raise CannotShowError("files of your own in a link")
    only(config.box, None, "a box around the data sets of this page")
    only(config.region, "us", "a region of the data sets of this page")
    only(config.outside, "clip", "points outside the region")
    own = {"view": tab, f"{config.source}_groups": config.groups}
    return parameters(config) | own | weights_link(config) | more


def weights_link(config: Config) -> Parameters:
    """The sliders of the groups' weights, in percent; one of them cannot stand there if it is no tenth of a percent."""
    if not config.weights:
        return {}
    shares = [WHOLE * one / sum(config.weights) for one in config.weights]
    rounded = [round(share, 1) for share in shares]
    if max(abs(one - other) for one, other in zip(shares, rounded, strict=True)) > 1e-9 or min(rounded) < LEAST:
        raise CannotShowError("weights of groups that are not tenths of a percent")
    return {f"weight_{number}": str(one) for number, one in enumerate(rounded, 1)}


def inside_link(config: InsideConfig) -> Parameters:
    """The same for one group, which a page that knows one only does not ask for."""
    if config.base.groups == "everybody":
        only(config.group, 0, "group of everybody")
        return link("inside", config.base)
    return link("inside", config.base, group=str(config.group + 1))
