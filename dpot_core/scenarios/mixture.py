"""What can be run on densities: on the line, in the plane, on the sphere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpot_core.experiments import mixture as experiment
from dpot_core.progress import Progress
from dpot_core.scenarios.kinds import Files, HasTables, Kind, Results
from dpot_core.studies._kit.values import ScenarioError

#: What the page begins with on the line and in the plane.
LINE = experiment.Config(experiment.Modes((-1.0, 1.0), (0.9, 0.1)), mechanisms=("kpm", "mollifier", "wpm"))
PLANE = experiment.Config(
    experiment.ring_modes(3), experiment.Family(0.5, 1.0, 2), 0.5, ("kpm", "mollifier", "wpm"), cells=20
)
_MOST_PLANE_CELLS, _MOST_MODES = 28, 1000


def _line(config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    trained = None
    if "mbde" in config.mechanisms:
        trained = experiment.train_mbde(config, progress) if progress else experiment.train_mbde(config)
    return line_results(experiment.run_line(config, trained), experiment.worst_cases(config.family))


def line_results(result: experiment.Result, curves: experiment.WorstCases) -> tuple[HasTables, ...]:
    """What `mixture.line` gives.

    Args:
        result: of the input.
        curves: worst cases of the family against epsilon.
    """
    epsilon = result.config.epsilon
    return result, curves, experiment.WorstNow(epsilon, experiment.worst_now(result.config.family, epsilon))


def _line_numbers(found: experiment.Result, _curves: Any, now: experiment.WorstNow) -> dict[str, float]:
    return _divergences(found.numbers, found.config) | {"Worst-case total variation of KPM": now.divergences["tv"]}


def _plane_numbers(found: experiment.Plane) -> dict[str, float]:
    return _divergences(found.numbers, found.config) | {"Worst-case total variation of KPM": found.worst["tv"]}


def _divergences(numbers: Mapping[str, experiment.Numbers], config: experiment.Config) -> dict[str, float]:
    shown = [name for name in ("kpm", *config.mechanisms) if name in numbers]
    return {f"Total variation of {experiment.NAMES[name]}": numbers[name].divergences["tv"] for name in shown}


def _density(dimension: int) -> Callable[[experiment.Config], None]:
    def fits(config: experiment.Config) -> None:
        family, modes = config.family, config.modes
        if family.dimension != dimension:
            raise ScenarioError(f"must be {dimension} here; got {family.dimension}", ("family", "dimension"))
        if any(isinstance(mean, tuple) != (dimension == 2) for mean in modes.means):
            raise ScenarioError("must be numbers on the line, pairs in the plane", ("modes", "means"))
        if not 0 < len(modes.means) <= _MOST_MODES:
            raise ScenarioError(f"must hold 1 to {_MOST_MODES} modes; got {len(modes.means)}", ("modes", "means"))
        if len(modes.weights) != len(modes.means):
            raise ScenarioError(
                f"must hold one weight for each of {len(modes.means)} means; got {len(modes.weights)}",
                ("modes", "weights"),
            )
        if dimension == 2 and config.cells > _MOST_PLANE_CELLS:
            raise ScenarioError(f"must be at most {_MOST_PLANE_CELLS} in the plane; got {config.cells}", ("cells",))
        if dimension == 2 and "mbde" in config.mechanisms:
            raise ScenarioError("cannot hold mbde in the plane", ("mechanisms",))

    return fits


def _kind(
    view: str,
    title: str,
    example: experiment.Config,
    parts: Callable[[experiment.Config, Progress | None], tuple[HasTables, ...]],
    headlines: Callable[..., Mapping[str, float]],
) -> Kind:
    def run(config: experiment.Config, _files: Files, progress: Progress | None) -> Results:
        return Results(config, parts(config, progress), experiment.disclosure(config))

    return Kind(
        key=f"mixture.{view}",
        page="Gaussian mixture",
        title=title,
        example=example,
        run=run,
        headlines=headlines,
        snippet=experiment.snippet,
        requirements=_density(example.family.dimension),
    )


def _sphere(config: experiment.SphereConfig, _files: Files, _progress: Progress | None) -> Results:
    return Results(config, (experiment.run_sphere(config),), experiment.disclosure(config))


def _orders(config: experiment.SphereConfig) -> None:
    orders = config.orders
    if not orders or min(orders) < 1 or max(orders) > 64 or len(set(orders)) < len(orders):
        raise ScenarioError(f"must hold different numbers from 1 to 64; got {orders}", ("orders",))


KINDS = (
    _kind("line", "A density on the line", LINE, _line, _line_numbers),
    _kind("plane", "A density in the plane", PLANE, lambda c, _: (experiment.run_plane(c),), _plane_numbers),
    Kind(
        key="mixture.sphere",
        page="Gaussian mixture",
        title="A direction on a sphere",
        example=experiment.SphereConfig(),
        run=_sphere,
        headlines=lambda found: {f"Worst case for p = {p:g} (radius 1)": cap.value for p, cap in found.best.items()},
        snippet=experiment.sphere_snippet,
        requirements=_orders,
    ),
)
