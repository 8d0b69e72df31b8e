"""One release about all people of a file: the barycenter of where they are, or transport between two sets of points.

Each is made twice. On simulated people of the same number first, from which come its promise, and whatever there is to
complain of in the settings; then, once that is charged, on the file.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from dpot_app.batch.release.prepared import mechanism_of, read_own
from dpot_app.batch.scenarios import Scenario, ScenarioError
from dpot_app.kit.view import Files
from dpot_app.views.population.people import load_population, outline_of
from dpot_app.views.population.releases import publish
from dpot_app.views.population.settings import BASELINES, MECHANISMS
from dpot_app.views.population.settings import Config as PeopleConfig
from dpot_app.views.population.starts import public_region
from dpot_app.views.sinkhorn.cost.results import options_of
from dpot_app.views.sinkhorn.point_grid import own_points
from dpot_app.views.sinkhorn.release.results import on_points
from dpot_app.views.sinkhorn.settings import CLAIMED, COSTS, ROUNDS, ROUTES, Data
from dpot_app.views.sinkhorn.settings import Config as PairConfig
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.datasets import PointPair, Population
from dpot_core.mechanisms.central.region_draws import uniform_points
from dpot_core.mechanisms.central.sinkhorn import noisy_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_costs import private_transport_cost
from dpot_core.mechanisms.central.sinkhorn_proven import PairProtection, Rounds
from dpot_core.privacy.guarantees import REFUSED, Guarantee
from dpot_core.spaces import cost_matrix

#: Of simulated people: at how many places they are, how many points each set of a dry run has, the seed.
DRY_PLACES, DRY_POINTS, DRY_SEED = 300, 300, 1
#: A table that may be published, and its promise.
Made = tuple[pd.DataFrame, Guarantee]


@dataclass(frozen=True)
class AllAtOnce:
    """The release of all people of a file together, before anything is drawn: see `Prepared`.

    Attributes:
        scenario: the settings, without seeds.
        what: is released, in words.
        thing: the same in short, in the singular and in the plural.
        promise: of the release, to each of them.
        draw: what is released, from the operating system's entropy and with OpenDP's noise.
        people: none, since the file names no one.
        charged: none, as everyone is.
    """

    scenario: Scenario
    what: str
    thing: tuple[str, str]
    promise: Guarantee
    draw: Callable[[], pd.DataFrame]
    people: tuple[str, ...] = ()
    charged: tuple[str, ...] = ()

    def drawn(self, named: bool, progress: Progress | None = None) -> pd.DataFrame:
        """The release, which names no one: see `Prepared.drawn`."""
        return self.draw()


def _at_once(
    scenario: Scenario,
    what: str,
    thing: tuple[str, str],
    rehearsed: Callable[[], Made],
    real: Callable[[], Made] | None,
) -> AllAtOnce:
    """Rehearse a release on simulated people, and prepare the real one; in a dry run there is none."""
    table, promise = rehearsed()
    draw = (lambda: table) if real is None else (lambda: real()[0])
    return AllAtOnce(scenario, what, thing, promise.released(), draw)


def one_barycenter(scenario: Scenario, files: Files, *, dry: bool = False) -> AllAtOnce:
    """Prepare a release of a barycenter, or of the centres of private k-means, of all people in a file.

    Args:
        scenario: of the page Population, with a file of one's own.
        files: contents by role.
        dry: whether the file is not read.

    Raises:
        ScenarioError: if people outside the region are left out, or the file has fractions of people.
        ValueError: if the file does not suit the settings, or what they promise is not proven.
    """
    config: PeopleConfig = scenario.config
    read_own(config.source, ("source",))
    if config.outside != "clip":
        words = "must be clip: how many people are left out, and so how many there are, would tell where they were"
        raise ScenarioError(words, ("outside",))
    mechanism = mechanism_of(scenario, labels := {**MECHANISMS, **BASELINES})
    config = replace(config, seed=PeopleConfig().seed)
    population, totals = None, [config.n] * max(1, len(config.weights))
    if not dry:
        population = load_population(config, files)
        if any(note.startswith("Fractions of people") for note in population.notes):
            raise ScenarioError("--data: weights must be whole numbers of people; how others are rounded is no secret")
        totals = [int(total) for total in population.totals]
    return _at_once(
        replace(scenario, config=config),
        f"barycenter by {labels[mechanism]}",
        ("barycenter", "barycenters"),
        partial(_atoms, _simulated(config, totals), config, mechanism),
        None if population is None else partial(_atoms, population, config, mechanism),
    )


def _atoms(population: Population, config: PeopleConfig, mechanism: str) -> Made:
    released = publish(population, config, mechanism)
    columns = ("lon", "lat") if population.outline.geographic else ("x", "y")
    return pd.DataFrame(released.atoms, columns=columns), released.guarantee


def _simulated(config: PeopleConfig, totals: list[int]) -> Population:
    """Groups of so many people, evenly over places anywhere in the public region, from a known seed."""
    outline = outline_of(config.box or config.region)
    points = uniform_points(public_region(outline), DRY_PLACES, np.random.default_rng(DRY_SEED))
    return Population(
        lon=points[:, 0],
        lat=points[:, 1],
        weights=np.stack([_evenly(total, DRY_PLACES) for total in totals]),
        group_names=tuple(f"group {number}" for number in range(1, len(totals) + 1)),
        title="simulated people",
        simulated=True,
        outline=outline,
        source="a dry run",
        licence="none needed",
    )


def _evenly(total: int, places: int) -> Array:
    return np.full(places, total // places, dtype=np.float64) + (np.arange(places) < total % places)


def one_transport(scenario: Scenario, files: Files, *, dry: bool = False) -> AllAtOnce:
    """Prepare a release of the transport cost between the two sets of a file, or of plan and potentials.

    Args:
        scenario: of the page Private transport, with a file of one's own.
        files: contents by role.
        dry: whether the file is not read.

    Raises:
        ScenarioError: if the rectangle is not public.
        ValueError: if the file does not suit the settings, or what they promise is not proven.
    """
    config: PairConfig = scenario.config
    data = config.data
    read_own(data.source, ("data", "source"))
    if data.box is None:
        words = (
            "the rectangle must be public: give it, --set data.box='[smallest x, smallest y, largest x, largest y]', "
            "without a look at the file"
        )
        raise ScenarioError(words, ("data", "box"))
    cost_alone = scenario.kind == "sinkhorn.cost"
    mechanism = mechanism_of(scenario, labels := COSTS if cost_alone else ROUTES)
    config = replace(config, draw=PairConfig().draw, data=replace(data, seed=Data().seed))
    make = partial(_cost if cost_alone else _plan, config, mechanism)
    pair, n = None, (DRY_POINTS, DRY_POINTS)
    if not dry:
        pair = own_points(files["points"], data)
        n = len(pair.first), len(pair.second)
    thing = ("transport cost", "transport costs") if cost_alone else ("transport plan", "transport plans")
    return _at_once(
        replace(scenario, config=config),
        f"{'transport cost' if cost_alone else 'transport plan and potentials'} by {labels[mechanism]}",
        thing,
        partial(make, _spread(data.box, n)),
        None if pair is None else partial(make, pair),
    )


def _spread(box: tuple[float, float, float, float], n: tuple[int, int]) -> PointPair:
    """Two sets of so many points anywhere in the public rectangle, from a known seed."""
    rng, size = np.random.default_rng(DRY_SEED), np.array(box[2:]) - np.array(box[:2])
    first, second = (size * rng.random((count, 2)) for count in n)
    extent = (float(size[0]), float(size[1]))
    return PointPair(first, second, ("first", "second"), extent, "", "row of the file", "simulated", True, "a dry run")


def _cost(config: PairConfig, method: str, pair: PointPair) -> Made:
    space, first, second = pair.on_grid(config.data.cells)
    cost = cost_matrix(space, p=config.data.p)
    released = private_transport_cost(
        cost,
        first,
        second,
        epsilon=config.epsilon,
        delta=0.0 if method == "laplace" else config.delta,
        method=method,
        options=replace(options_of(config, float(cost.max())), secure=True),
    )
    return pd.DataFrame({"cost": [released.value]}), on_points(released.guarantee, pair)


def _plan(config: PairConfig, route: str, pair: PointPair) -> Made:
    """Plan and potentials, a row for each pair of cells."""
    if route == "sinkhorn" and config.guarantee in CLAIMED:
        raise ScenarioError(REFUSED, ("guarantee",))
    space, first, second = pair.on_grid(config.data.cells)
    cost = cost_matrix(space, p=config.data.p)
    eta = config.eta * float(cost.max())
    rounds = Rounds(eta, config.steps, config.share, config.floor)
    released = noisy_sinkhorn(
        cost,
        first,
        second,
        epsilon=config.epsilon,
        delta=config.delta,
        rounds=rounds if route == "sinkhorn" else Rounds(eta, ROUNDS, plan_share=1.0),
        protection=PairProtection(config.people, secure=True),
    )
    if released.plan is None:
        raise ScenarioError("must be more than 0: without private histograms there is no plan", ("share",))
    i, j = (index.ravel() for index in np.indices(cost.shape))
    x, y = (space.points + np.array(config.data.box)[:2]).T
    phi, psi = released.potentials
    places = {"from x": x[i], "from y": y[i], "to x": x[j], "to y": y[j]}
    table = pd.DataFrame({**places, "mass": released.plan.ravel(), "phi (from)": phi[i], "psi (to)": psi[j]})
    return table, on_points(released.guarantee, pair)
