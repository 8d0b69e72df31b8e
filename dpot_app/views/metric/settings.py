from dataclasses import replace
from typing import Any

from dpot_app.cities.place import USUAL_SIDE, CsvRoles, Place, columns, one_map, source
from dpot_app.kit.fields import epsilon
from dpot_app.kit.links import CannotShowError, Parameters, only, parameters
from dpot_app.kit.page import Expander
from dpot_app.kit.setting import choice, declared, free, group, number_text, settings, steps, when, whole
from dpot_app.kit.values import ScenarioError
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.frequency_errors import FrequencyTask
from dpot_core.mechanisms.metric.protection import earth_mover_guarantee
from dpot_core.privacy.guarantees import Guarantee

#: The tabs, by key.
TABS = {
    "protect": "What do I protect?",
    "ask": "Ask a question",
    "crowd": "Release the crowd",
    "pays": "When does it pay?",
    "linear": "Ask about embeddings",
}

#: Fractions of a history, in words. A history weighs visits and knows no days: a day with 10 of 30 visits is a third
#: of it.
SHARES: dict[float, str] = {
    0.001: "1 visit in 1,000",
    1 / 365: "1 visit in 365",
    0.01: "1 visit in 100",
    1 / 30: "1 visit in 30",
    1 / 7: "1 visit in 7",
    0.25: "a quarter",
    0.5: "half",
    1.0: "everything",
}

#: What links called some of them once.

#: How many kinds of changes can be protected, and what the page begins with.
COUNTS = {"1": "One", "2": "Two", "3": "Three"}
CHANGES = ((1 / 30, 5.0), (1.0, 0.5), (0.001, 50.0))

#: Distances, km.
KILOMETRES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)

QUERIES = {
    "distance": "Average distance to a place",
    "position": "Mean position",
    "region": "Share of time in a region",
}
NOISE = {"k-norm": "Laplace (K-norm)", "gaussian": "Gaussian"}
EXAMPLES = {"own": "My changes", "paper": "The paper's example"}
WHO = {"central": "One shuffler for everybody", "local": "Everybody alone"}
TRUST = {"local": "No one", "central": "One party"}
ITEMS_OF = {"orthonormal": "Orthonormal items", "text": "Words of a speech", "graph": "Neighbouring states"}

DELTAS = (1e-12, 1e-9, 1e-6, 1e-4, 1e-3)
RADII = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0)
EDGES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
VISITS = (1.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0)
USERS = (1000.0, 10_000.0, 100_000.0, 1_000_000.0)
ITEMS = (1.0, 10.0, 100.0, 1000.0, 10_000.0)
DIMENSIONS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
CLUSTERS = (2.0, 4.0, 8.0, 16.0, 32.0)
INSIDE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
RATIOS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
EPSILON_HELP = (
    "How much each change below may cost: it makes no output more than e^ε times as likely. Costs grow in proportion "
    "to fraction times distance."
)
VISITS_HELP = (
    "Each person draws this many of their own check-ins at random, with replacement, and reports a noisy cell for "
    "each. The number is public; how many check-ins a person has is not."
)

#: On this page visits that lie farther away are moved, not left out.
WITHIN = replace(
    declared(Place)["within"],
    label="Map: km around the busiest spot",
    help=(
        "A visit farther away counts at the nearest point of the map's edge. If it were left out, one visit across the "
        "edge would change the weight of all others. The spot is taken from the data; the promise does not cover it."
    ),
)


def _slack() -> Any:
    help = "Used by Gaussian noise and by shuffling; everything else has δ = 0."
    return steps("Slack δ", 1e-6, DELTAS, "delta", 10.0, low=1e-15, high=0.1, help=help)


@settings
class Config:
    """Settings that all views about a city share."""

    source: str = source()
    place: Place = group(Place)
    columns: CsvRoles = columns()
    changes: tuple[tuple[float, float], ...] = free("Protected changes: share of one person's data, km", CHANGES[:2])
    epsilon: float = epsilon(1.0, help=EPSILON_HELP)
    delta: float = _slack()

    @property
    def laid(self) -> Place:
        """The place with the map that it has."""
        return self.place.of(self.source)


@settings
class ProtectConfig:
    """Own changes, or the example of metric_dp_emd, section 3."""

    base: Config = group(Config)
    example: str = choice("Changes", "own", EXAMPLES, widget="segments", link="example")


_has_place, _has_region = when("query", "distance", "region"), when("query", "region")


def _per_cent(label: str, link: str) -> Any:
    return whole(label, 50, low=0, high=100, step=10.0, widget="slider", link=link, shown=_has_place)


def _kilometres(label: str, default: float, grid: tuple[float, ...], link: str) -> Any:
    return steps(label, default, grid, link, 1.5, low=0.0, high=20_000.0, shown=_has_region)


@settings
class AskConfig:
    """A question, where it is about, and the noise; an edge of 0 km is hard and refused."""

    base: Config = group(Config)
    query: str = choice("Question", "distance", QUERIES, link="query")
    east: int = _per_cent("Place: per cent from west to east", "east")
    north: int = _per_cent("Place: per cent from south to north", "north")
    radius: float = _kilometres("Region: km around the place", 3.0, RADII, "radius")
    edge: float = _kilometres("Soft edge: km over which it fades", 2.0, EDGES, "edge")
    kind: str = choice("Noise", "k-norm", NOISE, widget="segments", link="noise")


@settings
class CrowdConfig:
    """Reports of everybody; the page begins with 300 visits."""

    base: Config = group(Config)
    visits: int = steps(
        "Random visits that each person reports", 100, VISITS, "visits", 2.0, low=1, high=10**6, help=VISITS_HELP
    )
    who: str = choice("Who mixes the reports?", "central", WHO, widget="segments", link="shuffler")


def _many(label: str, default: int, high: int, grid: tuple[float, ...], link: str, factor: bool = True) -> Any:
    return steps(label, default, grid, link, 2.0, factor=factor, low=1, high=high, show="{:,.0f}".format)


@settings
class PaysConfig:
    """Simulated items of all users in a clustered space, where 1 is the distance between clusters."""

    model: str = choice("Who sees clean data?", "local", TRUST, widget="segments", link="trust")
    users: int = _many("Users n", 100_000, 10**8, USERS, "users")
    items: int = _many("Items of each user m", 1000, 10**6, ITEMS, "items")
    clusters: int = _many("Clusters s", 8, 64, CLUSTERS, "clusters", factor=False)
    size: int = _many("Points in each cluster t", 8, 64, CLUSTERS, "size", factor=False)
    r: float = steps("Distance inside a cluster r (1 = across)", 0.1, INSIDE, "inside", 2.0, low=1e-6, high=1.0)
    epsilon: float = epsilon(1.0)
    ratio: float = steps("α/ε of the curve over k", 10.0, RATIOS, "ratio", 2.0, low=1e-3, high=1e5)
    delta: float = _slack()

    @property
    def space(self) -> ClusteredSpace:
        return ClusteredSpace(self.clusters, self.size, self.r)

    @property
    def alpha(self) -> float:
        """Rate at the chosen ratio, nats per distance between clusters."""
        return self.epsilon * self.ratio

    @property
    def task(self) -> FrequencyTask:
        """The estimation task at the chosen ratio."""
        return FrequencyTask(self.space, self.users, self.items, self.epsilon, self.alpha, self.delta)

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of a release by distance at the chosen ratio, for a history that moves inside its clusters."""
        public = (f"the number of users, {self.users:,}", f"the number of items of each, {self.items:,}", "the points")
        note = "Of each release by distance; those without δ (composition, one random item, Laplace noise) have δ = 0."
        note += " The user-level releases beside them promise something else: ε for any change at all."
        words = ("everything moves inside its cluster",)
        unit = "the distance between clusters"
        return earth_mover_guarantee(self.alpha, [(1.0, self.r)], self.delta, words, public, note, unit)


@settings
class LinearConfig:
    """Directions in an embedding, asked of the mean of all users; noise depends on the public items alone."""

    items: str = choice("Items", "orthonormal", ITEMS_OF, link="items_of")
    model: str = choice("Who sees clean answers?", "local", TRUST, widget="segments", link="linear_trust")
    d: int = steps(
        "Directions d", 16, DIMENSIONS, "directions", 2.0, low=2, high=64, shown=when("items", "orthonormal")
    )
    users: int = _many("Users n", 10_000, 10**8, USERS, "linear_users")
    epsilon: float = epsilon(1.0)
    ratio: float = steps("α/ε of the table", 10.0, RATIOS, "linear_ratio", 2.0, low=1e-3, high=1e5)
    delta: float = _slack()

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of a release by distance at the chosen ratio, for the farthest move that costs epsilon."""
        public = (f"the number of users, {self.users:,}", "the items with their embedding", "the directions")
        note = "Of each release by distance; δ is Gaussian noise's alone. The user-level releases beside them promise "
        note += "something else: ε for any change at all."
        words = ("everything moves by ε/α of the largest distance",)
        changes, unit = [(1.0, min(1.0 / self.ratio, 1.0))], "the largest distance between items"
        return earth_mover_guarantee(self.epsilon * self.ratio, changes, self.delta, words, public, note, unit)


#: Of the sidebar, what does not count for items, which are simulated.
NOT_FOR_ITEMS = ("changes", "source", "columns", "place.city", "place.within", "place.least", "place.n")
WHY_NOT = "Of these settings, only ε and δ count here. This view has its own data."

#: What the sidebar asks for, in order; each view asks for its own settings in its tab.
SIDEBAR = (
    "epsilon",
    "changes",
    "source",
    "columns",
    "place.city",
    "place.within",
    Expander("People, grid, δ", ("place.least", "place.n", "delta")),
)


def requirements(config: Any) -> None:
    one_map(config.base.place, config.base.source, "base")
    if config.base.place.held_out:
        raise ScenarioError("must be false: this page has no use for a public prior", ("base", "place", "held_out"))
    if config.base.place.n > USUAL_SIDE:
        raise ScenarioError(f"must be at most {USUAL_SIDE} on this page", ("base", "place", "n"))


def link(config: Any) -> Parameters:
    """The parameters of a link for a view about a city."""
    carried = parameters(config)
    # Asked for a file of one's own only.
    del carried["within"]
    if isinstance(config, AskConfig) and not _has_place(config):
        only((config.east, config.north), (50, 50), "a place of the mean position")
    if isinstance(config, AskConfig) and not _has_region(config):
        only((config.radius, config.edge), (3.0, 2.0), "a region that the question has not")
    base = config.base
    if base.source == "csv" or base.columns:
        raise CannotShowError("files of your own in a link")
    if base.laid != Place(n=base.place.n, least=base.place.least, city=base.place.city).of(base.source):
        raise CannotShowError(f"the grid {base.place}")
    carried |= {"city": base.place.city} if base.place.city else {}
    if str(len(base.changes)) not in COUNTS:
        raise CannotShowError(f"kinds of changes that are protected = {len(base.changes)}")
    carried["count"] = str(len(base.changes))
    for place, (share, km) in enumerate(base.changes, 1):
        if share not in SHARES:
            raise CannotShowError(f"share of the data = {share:g}")
        if km not in KILOMETRES:
            raise CannotShowError(f"km of a change = {km:g}")
        carried |= {f"share{place}": number_text(share), f"km{place}": number_text(km)}
    return carried
