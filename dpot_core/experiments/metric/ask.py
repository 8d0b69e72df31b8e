"""Ask a question: a linear query about everybody's locations, private by distance and private for the whole user."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpot_core.checks import Array, check_number
from dpot_core.cities.city import City
from dpot_core.cities.city_map import CityMap
from dpot_core.experiments.metric.settings import MILE, Config, diameter, load_city, promise, rate
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.metric.linear import noisy_mean
from dpot_core.mechanisms.metric.lipschitz import Lipschitz
from dpot_core.mechanisms.metric.noise import MetricNoise, metric_noise, user_level_noise
from dpot_core.mechanisms.metric.queries import LinearQuery, linear_query
from dpot_core.streams import stream
from dpot_core.studies._kit.setting import choice, group, number, settings, whole

#: Questions, with their names on screen. These words stand in people's links: add, but do not reword.
QUERIES = {
    "distance": "Average distance to a place",
    "position": "Mean position",
    "region": "Share of time in a region",
}

# These words stand in people's links too.
NOISE = {"k-norm": "Laplace (K-norm)", "gaussian": "Gaussian"}
RADII = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0)
EDGES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)

#: Who adds the noise, and what is promised.
MODELS = ("local", "central")
PROMISES = ("metric", "user-level")

#: Noisy answers that are drawn, and the seed of the draws: this is a demonstration, not a release.
DRAWS = 300
SEED = 2


def _has_place(config: AskConfig) -> bool:
    return config.query != "position"


def _has_region(config: AskConfig) -> bool:
    return config.query == "region"


def _per_cent(label: str, link: str) -> Any:
    return whole(label, 50, low=0, high=100, step=10.0, widget="slider", link=link, shown=_has_place)


def _kilometres(label: str, default: float, grid: tuple[float, ...], link: str) -> Any:
    known = {"low": 0.0, "high": 20_000.0, "step": 1.5, "factor": True, "widget": "steps", "shown": _has_region}
    return number(label, default, grid=grid, link=link, **known)


@settings
class AskConfig:
    """Settings of the view.

    Attributes:
        base: data and protected changes.
        query: a key of ``QUERIES``.
        east: where the place lies, per cent of the map's width from the west.
        north: where the place lies, per cent of the map's height from the south.
        radius: of the region around the place, km.
        edge: width of the region's soft edge, km; 0 for a hard edge, which is refused.
        kind: of noise: "k-norm" or "gaussian".
    """

    base: Config = group(Config)
    query: str = choice("Question", "distance", QUERIES, link="query")
    east: int = _per_cent("Place: per cent from west to east", "east")
    north: int = _per_cent("Place: per cent from south to north", "north")
    radius: float = _kilometres("Region: km around the place", 3.0, RADII, "radius")
    edge: float = _kilometres("Soft edge: km over which it fades", 2.0, EDGES, "edge")
    kind: str = choice("Noise", "k-norm", NOISE, widget="segments", link="noise")


@dataclass(frozen=True)
class Question:
    """A query on the map.

    Attributes:
        query: f at the centres of the cells, with its constant for the whole map (not only for the cells).
        on_cells: the exact Lipschitz constant between the cells' centres, and the pair that attains it.
        place: of the question, km east and north.
        answers: of each person, from their exact positions, (n, d).
    """

    query: LinearQuery
    on_cells: Lipschitz
    place: tuple[float, float]
    answers: Array


@dataclass(frozen=True)
class Ask:
    """Noisy answers.

    Attributes:
        config: the settings.
        ground: for maps.
        question: what was asked.
        largest: largest distance, km.
        alpha: nats per largest distance.
        truth: mean of the people's answers, (d,).
        noise: by (model, promise): of one release.
        draws: by (model, promise): noisy answers, (DRAWS, d).
        guarantee: for the protected changes, of one release.
    """

    config: AskConfig
    ground: CityMap
    question: Question
    largest: float
    alpha: float
    truth: Array
    noise: dict[tuple[str, str], MetricNoise]
    draws: dict[tuple[str, str], Array]
    guarantee: Guarantee

    @property
    def people(self) -> int:
        """How many take part."""
        return len(self.question.answers)

    @property
    def unit(self) -> str:
        """Of answers and errors: "km", or "" for a share."""
        return self.question.query.unit

    def error(self, model: str, kind: str) -> float:
        """Exact mean error of the answer for everybody."""
        return self.noise[model, kind].mean_error(self.people if model == "local" else 1)

    def one_person(self, kind: str) -> float:
        """Exact mean error of one person's own answer, local."""
        return self.noise["local", kind].mean_error()

    def errors(self, model: str, kind: str) -> Array:
        """Errors of the draws."""
        return np.asarray(np.linalg.norm(self.draws[model, kind] - self.truth, axis=1))

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        simulated = self.ground.simulated
        unit = self.unit or "share"
        rows = []
        for (model, kind), noise in self.noise.items():
            row = {
                "simulated": simulated,
                "model": model,
                "promise": kind,
                "scale of the noise": noise.scale,
                f"expected error ({unit})": self.error(model, kind),
                f"mean error of the draws ({unit})": float(self.errors(model, kind).mean()),
                f"expected error of one person's answer ({unit})": noise.mean_error() if model == "local" else math.nan,
            }
            if self.unit == "km":
                row["expected error (miles)"] = self.error(model, kind) / MILE
            rows.append(row)
        axes = ("east km", "north km") if len(self.truth) == 2 else (f"answer ({unit})",)
        draws = [
            pd.DataFrame(values, columns=axes).assign(simulated=simulated, model=model, promise=kind)
            for (model, kind), values in self.draws.items()
        ]
        values = self.question.query.values
        names = ("f east", "f north") if values.shape[1] == 2 else ("f",)
        truth = pd.DataFrame([self.truth], columns=axes).assign(simulated=simulated, people=self.people)
        return {
            "errors": pd.DataFrame(rows),
            "noisy-answers": pd.concat(draws, ignore_index=True),
            "true-answer": truth,
            "question": self.ground.cells(dict(zip(names, values.T, strict=True))),
        }

    def headlines(self) -> dict[str, float]:
        """The numbers that a person would compare."""
        unit = self.unit or "share"
        return {f"expected error, {model}, {kind} ({unit})": self.error(model, kind) for model, kind in self.noise}


def make_question(config: AskConfig, city: City) -> Question:
    r"""The question on this map.

    The noise must hide moves between any two points of the map, not only between centres of cells, so the constants are
    those of the plane: mean position and distance to a place change by at most 1 km per km (triangle inequality), the
    share of time in a disc with a soft edge of width w by at most 1/w per km (the distance to a disc is 1-Lipschitz).
    The exact constant on the cells cannot be larger, and is checked.

    Args:
        config: the settings.
        city: the city.

    Raises:
        ValueError: if the query is unknown, or the edge of the region is hard: explains.
    """
    f, per_km, spread, name, unit = _function(config, city)
    space = city.grid.space
    on_cells = linear_query(space, f(space.points), name, unit)
    scale = diameter(city) / space.diameter  # the cells' constant per largest distance of the box
    found = replace(on_cells.slope, constant=on_cells.slope.constant * scale)
    slope = Lipschitz(per_km * diameter(city), found.pair, spread)
    if not found.constant <= slope.constant * (1 + 1e-9):
        raise RuntimeError(
            f"the query is steeper on the cells, {found.constant:g}, than in the plane, {slope.constant:g}"
        )
    checkins = city.check_ins
    values = f(city.positions)
    weights = checkins.count / checkins.totals[checkins.user]
    sums = [np.bincount(checkins.user, weights * v, checkins.n_users) for v in values.T]
    answers = np.column_stack(sums).astype(np.float64)
    return Question(replace(on_cells, slope=slope), found, _place(config, city), answers)


def ask(config: AskConfig, city: City) -> Ask:
    """Noisy answers in both models, with both promises at equal epsilon.

    The mean over people of each person's own mean: every person counts the same, however many check-ins they have.

    Args:
        config: the settings.
        city: the city.

    Raises:
        ValueError: if a setting is out of range; a hard region is explained.
    """
    base, largest = config.base, diameter(city)
    question = make_question(config, city)
    alpha, people = rate(base, largest), len(question.answers)
    delta = base.delta if config.kind == "gaussian" else 0.0
    noise: dict[tuple[str, str], MetricNoise] = {}
    draws: dict[tuple[str, str], Array] = {}
    for model in MODELS:
        users = people if model == "central" else 1
        noise[model, "metric"] = metric_noise(question.query, alpha, users, config.kind, delta)
        noise[model, "user-level"] = user_level_noise(question.query, base.epsilon, users, config.kind, delta)
        for kind in PROMISES:
            rng = answer_stream(model, kind, noise[model, kind], people)
            draws[model, kind] = noisy_mean(question.answers, noise[model, kind], model, rng, DRAWS).answers
    note = (
        "For one answer, either local or central; each further answer adds its α. Central: the curator sees the data."
    )
    if config.kind == "gaussian":
        note += " δ is the slack at the largest distance; nearer histories have less."
    return Ask(
        config=config,
        ground=city.map,
        question=question,
        largest=largest,
        alpha=alpha,
        truth=np.asarray(question.answers.mean(axis=0)),
        noise=noise,
        draws=draws,
        guarantee=promise(base, largest, delta, ("the question",), note),
    )


def answer_stream(model: str, promised: str, noise: MetricNoise, people: int) -> np.random.Generator:
    """The randomness of the answers in one model under one promise: independent of all others.

    Args:
        model: a key of ``MODELS``.
        promised: a key of ``PROMISES``.
        noise: of one release.
        people: how many take part.
    """
    return stream(SEED, "metric.ask", model=model, promise=promised, noise=noise, people=people)


def run(config: AskConfig) -> Ask:
    """Load the data and compute the view.

    Args:
        config: the settings.

    Raises:
        ValueError: if a setting is out of range.
    """
    return ask(config, load_city(config.base))


def _place(config: AskConfig, city: City) -> tuple[float, float]:
    return config.east / 100 * city.grid.width, config.north / 100 * city.grid.height


def _function(config: AskConfig, city: City) -> tuple[Callable[[Array], Array], float, float, str, str]:
    """f of points (m, 2), its slope per km, its largest change on the map, its name and unit."""
    name = QUERIES[config.query].lower()
    place = np.array(_place(config, city))
    corners = np.array([[x, y] for x in (0.0, city.grid.width) for y in (0.0, city.grid.height)])
    if config.query == "position":
        return (lambda points: points), 1.0, diameter(city), name, "km"
    if config.query == "distance":
        farthest = float(np.linalg.norm(corners - place, axis=1).max())
        return (lambda points: np.linalg.norm(points - place, axis=1)[:, None]), 1.0, farthest, name, "km"
    if config.edge == 0.0:
        gap = min(city.grid.width, city.grid.height) / city.grid.n
        raise ValueError(
            "a region with a hard edge is not Lipschitz: two points on both sides of its edge differ by 1 however "
            f"close they are. On this map's cells the answer would change by up to 1 per {gap:.2g} km, on a finer map "
            "by more without limit, and so would the noise. Give the edge a width, over which the answer fades"
        )
    radius, edge = config.radius, check_number(config.edge, "edge", 1e-6, 1e6)

    def share(points: Array) -> Array:
        outside = np.maximum(np.linalg.norm(points - place, axis=1) - radius, 0.0)
        return np.asarray(np.maximum(1.0 - outside / edge, 0.0)[:, None])

    return share, 1.0 / edge, 1.0, name, ""
