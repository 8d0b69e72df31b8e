import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_app.cities.city import City
from dpot_app.cities.city_map import CityMap
from dpot_app.kit.cache import cached
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.metric.protected import at_epsilon, diameter, guarantee, rate
from dpot_app.views.metric.settings import QUERIES, AskConfig
from dpot_app.views.metric.units import MILE
from dpot_core.arguments import Array, check_number
from dpot_core.mechanisms.metric.linear import noisy_mean
from dpot_core.mechanisms.metric.lipschitz import Lipschitz
from dpot_core.mechanisms.metric.noise import MetricNoise, metric_noise, user_level_noise
from dpot_core.mechanisms.metric.queries import LinearQuery, linear_query
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import number
from dpot_core.privacy.streams import stream

#: Who adds the noise, and what is promised.
MODELS = ("local", "central")
PROMISES = ("metric", "user-level")

#: Noisy answers that are drawn, and the seed of the draws: this is a demonstration, not a release.
DRAWS = 300
SEED = 2

#: Epsilon that the axis of the answers is made for: noise at the least would hide all that larger ones do.
USUAL = 1.0

# Files may have so little.
_LEAST = 0.01

#: Noise of one release, by (model, promise).
Noises = dict[tuple[str, str], MetricNoise]


@dataclass(frozen=True)
class Question:
    query: LinearQuery  # f at the centres of the cells, with its constant for the whole map (not only for the cells)
    on_cells: Lipschitz  # the exact constant between the cells' centres, and the pair that attains it
    place: tuple[float, float]  # km east and north
    answers: Array  # of each person, from their exact positions, (n, d)


@dataclass(frozen=True)
class Ask:
    config: AskConfig
    map: CityMap
    question: Question
    largest: float  # distance, km
    alpha: float  # nats per largest distance
    truth: Array  # mean of the people's answers, (d,)
    noise: Noises  # of one release
    draws: dict[tuple[str, str], Array]  # noisy answers, (DRAWS, d), by (model, promise)
    guarantee: Guarantee  # for the protected changes, of one release
    # the same as ``noise`` at `USUAL`, and at both ends of the slider of epsilon: how far axes have to reach
    usual: Noises
    ends: tuple[Noises, Noises]

    @property
    def people(self) -> int:
        return len(self.question.answers)

    @property
    def unit(self) -> str:
        """Unit of answers and errors: "km", or "" for a share."""
        return self.question.query.unit

    def error(self, model: str, promise: str) -> float:
        """Exact mean error of the answer for everybody."""
        return self.error_of(self.noise, model, promise)

    def error_of(self, noise: Noises, model: str, promise: str) -> float:
        """The same with other noise."""
        return noise[model, promise].mean_error(self.people if model == "local" else 1)

    def one_person(self, promise: str) -> float:
        """Exact mean error of one person's own answer, local."""
        return self.noise["local", promise].mean_error()

    def errors(self, model: str, promise: str) -> Array:
        return np.asarray(np.linalg.norm(self.draws[model, promise] - self.truth, axis=1))

    def tables(self) -> dict[str, pd.DataFrame]:
        simulated, unit = self.map.simulated, self.unit or "share"
        rows = []
        for (model, promise), noise in self.noise.items():
            row = {
                "simulated": simulated,
                "model": model,
                "promise": promise,
                "scale of the noise": noise.scale,
                f"expected error ({unit})": self.error(model, promise),
                f"mean error of the draws ({unit})": float(self.errors(model, promise).mean()),
                f"expected error of one person's answer ({unit})": noise.mean_error() if model == "local" else math.nan,
            }
            if self.unit == "km":
                row["expected error (miles)"] = self.error(model, promise) / MILE
            rows.append(row)
        axes = ("east km", "north km") if len(self.truth) == 2 else (f"answer ({unit})",)
        draws = [
            pd.DataFrame(values, columns=axes).assign(simulated=simulated, model=model, promise=promise)
            for (model, promise), values in self.draws.items()
        ]
        values = self.question.query.values
        names = ("f east", "f north") if values.shape[1] == 2 else ("f",)
        return {
            "errors": pd.DataFrame(rows),
            "noisy-answers": pd.concat(draws, ignore_index=True),
            "true-answer": pd.DataFrame([self.truth], columns=axes).assign(simulated=simulated, people=self.people),
            "question": self.map.cells(dict(zip(names, values.T, strict=True))),
        }


def make_question(config: AskConfig, city: City) -> Question:
    r"""The question on this map.

    The noise must hide moves between any two points of the map, not only between centres of cells, so the constants are
    those of the plane: mean position and distance to a place change by at most 1 km per km (triangle inequality), the
    share of time in a disc with a soft edge of width w by at most 1/w per km (the distance to a disc is 1-Lipschitz).
    The exact constant on the cells cannot be larger, and is checked.

    Raises:
        ValueError: if the edge of the region is hard: explains.
    """
    f, per_km, spread, unit = _function(config, city)
    space = city.grid.space
    query = linear_query(space, f(space.points), QUERIES[config.query].lower(), unit)
    scale = diameter(city) / space.diameter  # the cells' constant per largest distance of the box
    on_cells = replace(query.slope, constant=query.slope.constant * scale)
    slope = Lipschitz(per_km * diameter(city), on_cells.pair, spread)
    if not on_cells.constant <= slope.constant * (1 + 1e-9):
        raise RuntimeError(
            f"the query is steeper on the cells, {on_cells.constant:g}, than in the plane, {slope.constant:g}"
        )
    checkins = city.check_ins
    values = f(city.positions)
    weights = checkins.count / checkins.totals[checkins.user]
    sums = [np.bincount(checkins.user, weights * v, checkins.n_users) for v in values.T]
    answers = np.column_stack(sums).astype(np.float64)
    return Question(replace(query, slope=slope), on_cells, _place(config, city), answers)


def ask(config: AskConfig, city: City) -> Ask:
    """Noisy answers in both models, with both promises at equal epsilon.

    The mean over people of each person's own mean: every person counts the same, however many check-ins they have.
    """
    base, largest = config.base, diameter(city)
    question = _question(at_epsilon(config, USUAL), city)
    people = len(question.answers)
    noise = _noise(config, question.query, largest, people)
    draws: dict[tuple[str, str], Array] = {}
    for (model, promise), each in noise.items():
        # Independent in each model under each promise, and of any other private file's.
        settings = {"model": model, "promise": promise, "noise": each, "people": people}
        rng = stream(SEED, "metric.ask", **settings, **city.noise_key)
        draws[model, promise] = noisy_mean(question.answers, each, model, rng, DRAWS).answers
    note = (
        "For one answer, either local or central; each further answer adds its α. Central: the curator sees the data."
    )
    if config.kind == "gaussian":
        note += " δ is the slack at the largest distance; nearer histories have less."
    truth = np.asarray(question.answers.mean(axis=0))
    promised = guarantee(base, largest, _delta(config), ("the question",), note)
    alpha, (usual, *ends) = rate(base, largest), _reach(at_epsilon(config, USUAL), city)
    return Ask(config, city.map, question, largest, alpha, truth, noise, draws, promised, usual, (ends[0], ends[1]))


# It does not depend on epsilon: it is asked for with one that is always the same.
_question = cached(make_question)


@cached
def _reach(config: AskConfig, city: City) -> tuple[Noises, Noises, Noises]:
    """Noise at the epsilon of the settings, and at both ends of the slider: at the nearest at which there is noise."""
    question, known = _question(config, city), dict[float, Noises]()
    for epsilon in (_LEAST, *EPSILONS):
        try:
            known[epsilon] = _noise(at_epsilon(config, epsilon), question.query, diameter(city), len(question.answers))
        except ValueError:
            break  # alpha, which grows with epsilon, is too large for Gaussian noise from here on
    usual, low, high = (known[min(known, key=lambda each: abs(each - at))] for at in (USUAL, EPSILONS[0], EPSILONS[-1]))
    return usual, low, high


def _noise(config: AskConfig, query: LinearQuery, largest: float, people: int) -> Noises:
    """Noise of one release by (model, promise); ``largest`` distance in km."""
    epsilon, alpha, delta = config.base.epsilon, rate(config.base, largest), _delta(config)
    noise = {}
    for model in MODELS:
        users = people if model == "central" else 1
        noise[model, "metric"] = metric_noise(query, alpha, users, config.kind, delta)
        noise[model, "user-level"] = user_level_noise(query, epsilon, users, config.kind, delta)
    return noise


def _delta(config: AskConfig) -> float:
    return config.base.delta if config.kind == "gaussian" else 0.0


def _place(config: AskConfig, city: City) -> tuple[float, float]:
    return config.east / 100 * city.grid.width, config.north / 100 * city.grid.height


def _function(config: AskConfig, city: City) -> tuple[Callable[[Array], Array], float, float, str]:
    """f of points (m, 2), its slope per km, its largest change on the map, its unit."""
    place = np.array(_place(config, city))
    corners = np.array([[x, y] for x in (0.0, city.grid.width) for y in (0.0, city.grid.height)])
    if config.query == "position":
        return (lambda points: points), 1.0, diameter(city), "km"
    if config.query == "distance":
        farthest = float(np.linalg.norm(corners - place, axis=1).max())
        return (lambda points: np.linalg.norm(points - place, axis=1)[:, None]), 1.0, farthest, "km"
    if config.edge == 0.0:
        gap = min(city.grid.width, city.grid.height) / city.grid.n
        raise ValueError(
            "a region with a hard edge is not Lipschitz: points on both sides of its edge differ by 1, however close. "
            f"On this map's cells the answer would change by up to 1 per {number(gap)} km. On a finer map it would "
            "change by more without limit, and the noise would grow with it. Give the edge a width, over which the "
            "answer fades"
        )
    radius, edge = config.radius, check_number(config.edge, "edge", 1e-6, 1e6)

    def share(points: Array) -> Array:
        outside = np.maximum(np.linalg.norm(points - place, axis=1) - radius, 0.0)
        return np.asarray(np.maximum(1.0 - outside / edge, 0.0)[:, None])

    return share, 1.0 / edge, 1.0, ""
