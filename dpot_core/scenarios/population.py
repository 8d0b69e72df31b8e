"""What can be run on where people live: private barycenters of a population, and of examples whose truth is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dpot_core import datasets
from dpot_core.datasets import Population
from dpot_core.experiments import population as experiment
from dpot_core.progress import Progress, part_of
from dpot_core.scenarios.kinds import Files, Kind, Results
from dpot_core.studies._kit.values import ScenarioError

#: Axes of curves, as they stand on the screen.
AXES = {"n": "n", "epsilon": "ε", "projection": "d′"}

Parts = Callable[[experiment.Config, Population, Progress | None], Results]


def _settings(config: Any) -> experiment.Config:
    found: experiment.Config = config.base if isinstance(config, experiment.InsideConfig) else config
    return found


def _fits(config: Any) -> None:
    base = _settings(config)
    under = ("base",) if base is not config else ()
    if base.groups not in experiment.GROUPS_OF[base.source]:
        known = ", ".join(experiment.GROUPS_OF[base.source])
        raise ScenarioError(f"must be one of {known} for {base.source}; got {base.groups!r}", (*under, "groups"))
    if base.source != "csv" and base.box is not None:
        raise ScenarioError("must be null unless the source is csv", (*under, "box"))


def _digests(config: Any) -> dict[str, str]:
    base = _settings(config)
    return datasets.digests(datasets.POPULATIONS, base.source, base.groups)


def make_population(config: experiment.Config, files: Mapping[str, bytes]) -> Population:
    """The population of the settings.

    Args:
        config: the settings.
        files: contents by role: "population" (CSV) where the settings ask for it.
    """
    if config.source != "csv":
        return experiment.load_population(config)
    outline = datasets.us_outline() if config.box is None else datasets.box_outline(*config.box)
    everybody = datasets.read_population_csv(files["population"], outline, dict(config.columns) or None, config.outside)
    return everybody.everybody() if config.groups == "everybody" else everybody


def _drawn(config: experiment.Config, population: Population) -> tuple[experiment.People, experiment.Reference]:
    people = experiment.draw_people(population, config.n, config.seed)
    return people, experiment.reference(people, config.m, config.seed, config.reg)


def _map(config: experiment.Config, population: Population, _: Progress | None) -> Results:
    result = experiment.run(config, population)
    return Results(config, (result,), experiment.disclosure("map", result.promises, config.seed))


def _curve(axis: str, config: experiment.Config, population: Population, progress: Progress | None) -> Results:
    values = experiment.CURVE_N if axis == "n" else experiment.CURVE_EPSILON
    shown = [value for value in values if axis == "epsilon" or value <= min(population.totals)]
    if not shown:
        raise ValueError(f"the smallest group must have at least {values[0]:,} people; got {min(population.totals):,g}")
    points = []
    for number, value in enumerate(shown):
        report = part_of(progress, number, len(shown))
        points.append(experiment.curve_point(population, config, axis, value, report))
    return Results(config, (experiment.curve(axis, config, points),), experiment.disclosure(f"curve-{axis}"))


def _sensitivity(config: experiment.Config, population: Population, progress: Progress | None) -> Results:
    people, truth = _drawn(config, population)
    found = experiment.replace_people(people, truth, config, progress)
    return Results(config, (experiment.circle(), found), experiment.disclosure("sensitivity"))


def _inside(config: experiment.InsideConfig, files: Files, _: Progress | None) -> Results:
    population = make_population(config.base, files)
    if config.group >= population.n_groups:
        raise ScenarioError(f"must be less than the {population.n_groups} groups; got {config.group}", ("group",))
    people = experiment.draw_people(population, config.base.n, config.base.seed)
    result = experiment.inside(people, config.base, config.group)
    return Results(
        config, (result,), experiment.disclosure("inside", [("Private measure", result.guarantee)], config.base.seed)
    )


def _curve_numbers(curve: experiment.Curve) -> dict[str, float]:
    last = curve.points[-1]
    found = {
        f"Cost of {name.lower()}, mean at the largest {AXES[curve.axis]} (squared units)": float(last.cost[key].mean())
        for key, name in experiment.BARYCENTERS.items()
    }
    return found | {
        f"W₂ of {experiment.MECHANISMS[key].lower()}, mean there (units)": float(runs.mean())
        for key, runs in last.distance.items()
    }


def _inside_numbers(found: experiment.Inside) -> dict[str, float]:
    leaves = found.levels.iloc[-1]
    numbers = {
        "Mean error of the finest cells with noise (people)": float(leaves["mean error with noise (people)"]),
        "Mean error of the finest cells made consistent (people)": float(leaves["mean error consistent (people)"]),
    }
    if found.error_bound is not None:
        numbers["Proven bound on the expected W₁ (units)"] = found.error_bound
    return numbers


def _moves(_circle: experiment.Circle, found: experiment.Sensitivity) -> dict[str, float]:
    return {
        "Largest move of all atoms (units)": max(one.moved for one in found.replacements),
        "Bound assumed in the paper (units)": found.assumed,
        "Largest move of the proven step's sums (units × people)": max(one.sums_moved for one in found.replacements),
        "Bound proven for the sums (units × people)": found.proven,
    }


def _python(more: str) -> Callable[[experiment.Config], str]:
    return lambda config: experiment.snippet(config) + more


def _curve_python(axis: str) -> str:
    values = tuple(experiment.CURVE_N if axis == "n" else experiment.CURVE_EPSILON)
    return (
        f"values = [value for value in {values!r} if {axis!r} != 'n' or value <= min(everybody.totals)]\n"
        f"points = [population.curve_point(everybody, config, {axis!r}, value) for value in values]\n"
        f"print(population.curve({axis!r}, config, points).tables())\n"
    )


def _inside_python(config: experiment.InsideConfig) -> str:
    return (
        experiment.snippet(config.base)
        + f"inside = population.inside(people, config, {config.group})\nprint(inside.levels)\n"
    )


_SENSITIVITY_PYTHON = (
    "moves = population.replace_people(people, truth, config)\nprint(population.circle().tables(), moves.tables())\n"
)


def _kind(
    view: str,
    title: str,
    parts: Parts,
    headlines: Callable[..., Mapping[str, float]],
    more: str = "",
) -> Kind:
    def run(config: experiment.Config, files: Files, progress: Progress | None) -> Results:
        return parts(config, make_population(config, files), progress)

    return Kind(
        key=f"population.{view}",
        page="US population",
        title=title,
        example=experiment.Config(),
        run=run,
        headlines=headlines,
        snippet=_python(more),
        files=lambda config: {"population": True} if config.source == "csv" else {},
        data_sets=datasets.downloaded(datasets.POPULATIONS),
        digests=_digests,
        requirements=_fits,
    )


KINDS = (
    _kind("map", "Private barycenters on the map", _map, experiment.headlines),
    _kind("curve-n", "Cost against n", partial(_curve, "n"), _curve_numbers, _curve_python("n")),
    _kind("curve-epsilon", "Cost against ε", partial(_curve, "epsilon"), _curve_numbers, _curve_python("epsilon")),
    _kind("sensitivity", "What one person moves (no noise)", _sensitivity, _moves, _SENSITIVITY_PYTHON),
    Kind(
        key="population.inside",
        page="US population",
        title="Private measure, level by level",
        example=experiment.InsideConfig(),
        run=_inside,
        headlines=_inside_numbers,
        snippet=_inside_python,
        files=lambda config: {"population": True} if config.base.source == "csv" else {},
        data_sets=datasets.downloaded(datasets.POPULATIONS),
        digests=_digests,
        requirements=_fits,
    ),
)
