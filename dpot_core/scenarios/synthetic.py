"""What can be run where the truth is known: four Gaussians in ten dimensions, digits as distributions in the plane."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from dpot_core.datasets.digits import Digits, load_digits
from dpot_core.experiments import population as experiment
from dpot_core.progress import Progress, part_of
from dpot_core.scenarios.kinds import Files, Kind, Results
from dpot_core.scenarios.population import AXES


def _gaussians(axis: str) -> Kind:
    def run(config: experiment.SyntheticConfig, _: Files, progress: Progress | None) -> Results:
        values, points = experiment.SYNTHETIC_VALUES[axis], []
        for number, value in enumerate(values):
            report = part_of(progress, number, len(values))
            points.append(experiment.synthetic_point(config, axis, value, report))
        curve = experiment.synthetic_curve(axis, config, points)
        return Results(config, (curve,), experiment.disclosure("synthetic"))

    def headlines(curve: experiment.SyntheticCurve) -> dict[str, float]:
        last = curve.points[-1]
        return {
            f"Cost of {experiment.SERIES[name].lower()}, mean at {AXES[axis]} = {last.value:g}": float(costs.mean())
            for name, costs in last.cost.items()
        }

    def snippet(config: experiment.SyntheticConfig) -> str:
        values = experiment.SYNTHETIC_VALUES[axis]
        return experiment.synthetic_snippet(config) + (
            f"points = [population.synthetic_point(config, {axis!r}, value) for value in {values!r}]\n"
            f"print(population.synthetic_curve({axis!r}, config, points).tables())\n"
        )

    return Kind(
        key=f"population.gaussians-{axis}",
        page="US population",
        title=f"Four Gaussians against {AXES[axis]} (simulated)",
        example=experiment.SyntheticConfig(),
        run=run,
        headlines=headlines,
        snippet=snippet,
    )


def _digits(config: experiment.SyntheticConfig, _: Files, progress: Progress | None) -> Results:
    result = experiment.digits(config, progress)
    releases = [("Coreset of the pictures", result.guarantee)]
    return Results(config, (result,), experiment.disclosure("digits", releases, config.seed))


@lru_cache(maxsize=1)
def _digest(pictures: Digits) -> str:
    return hashlib.sha256(pictures.ink.tobytes() + pictures.labels.tobytes()).hexdigest()


KINDS = (
    *map(_gaussians, experiment.SYNTHETIC_VALUES),
    Kind(
        key="population.digits",
        page="US population",
        title="Digits as distributions",
        example=experiment.SyntheticConfig(),
        run=_digits,
        headlines=lambda found: {f"Cost of {experiment.SERIES[key].lower()}": v for key, v in found.costs.items()},
        snippet=experiment.synthetic_snippet,
        # MNIST where it is on the machine, else digits drawn by a program: other pictures, other numbers.
        data_sets=("mnist",),
        digests=lambda config: {} if (pictures := load_digits()).simulated else {"mnist": _digest(pictures)},
    ),
)
