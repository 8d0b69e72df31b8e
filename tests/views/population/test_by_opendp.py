"""The private measure's counts by OpenDP alone: the same questions, the same noise, the same promise."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import pytest

from dpot_app.kit.blocks import Code, Folded
from dpot_app.views import population
from dpot_app.views.population.people import sample_people
from dpot_app.views.population.private_measure.results import Inside
from dpot_app.views.population.private_measure.text import VIEW
from dpot_app.views.population.settings import Config, InsideConfig
from dpot_app.views.population.starts import public_region
from dpot_core.datasets import box_outline, us_outline
from dpot_core.datasets.population import Population
from dpot_core.mechanisms.central.noise import discrete_laplace, expected_size
from dpot_core.mechanisms.central.private_measure import private_measure
from dpot_core.mechanisms.central.promises import Protection
from dpot_core.privacy.guarantees import Guarantee


def crowd(outline: Any, n: int = 4_000) -> Population:
    rng = np.random.default_rng(5)
    west, south, east, north = outline.bounds
    points = outline.clip(np.column_stack([rng.uniform(west, east, n), rng.uniform(south, north, n)]))
    return Population(
        points[:, 0], points[:, 1], np.ones((1, n)), ("all",), "a crowd", True, outline, "this test", "none needed"
    )


def ran(config: Config, people: Any) -> tuple[Inside, dict[str, Any], float]:
    """The result, the names of its program, and the epsilon that OpenDP says."""
    result = population.inside(people, config)
    blocks = [block for block in VIEW.show(InsideConfig(base=config), result) if isinstance(block, Folded)]
    (python,) = (part.text for block in blocks for part in block.blocks if isinstance(part, Code))
    names: dict[str, Any] = {"__name__": "taken"}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(python, "taken", "exec"), names)
    return result, names, float(printed.getvalue().split()[2])


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("outline", [box_outline(-1.0, 2.0, 7.0, 5.0), us_outline()], ids=["box", "us"])
def test_opendp_has_the_same_queries_noise_and_promise(adjacency: str, outline: Any) -> None:
    people = sample_people(crowd(outline), 1_000, 1)
    config = Config(n=1_000, epsilon=0.7, adjacency=adjacency)
    result, names, promised = ran(config, people)
    assert promised == pytest.approx(result.sample_guarantee.epsilon, rel=1e-12)
    scales = [*result.levels["noise scale (people)"]]
    assert names["SCALES"] == (scales if adjacency == "add-remove" else scales[1:])
    # What is asked: the true differences that the core adds its noise to, wherever it looks.
    points, counts = people.groups[0]
    measure = private_measure(
        points,
        result.sample_guarantee.epsilon,
        region=public_region(outline),
        rng=np.random.default_rng(1),
        counts=counts,
        depth=result.depth,
        protection=Protection(adjacency),
    )
    everyone = np.repeat(points, counts.astype(int), axis=0)
    asked = [*names["asked"](everyone)]
    if adjacency == "add-remove":
        assert asked.pop(0).tolist() == [1_000]
    compared = 0
    for level, numbers in zip(measure.levels[1:], asked, strict=True):
        assert level.true is not None and numbers.shape == (2 ** (level.level - 1),)
        true = dict(zip(level.codes.tolist(), level.true.tolist(), strict=True))
        for code in {code >> 1 for code in true if code ^ 1 in true}:
            assert numbers[code] == true[2 * code] - true[2 * code + 1]
            compared += 1
    assert compared > 300


def test_its_noise_is_the_cores() -> None:
    """Of the finest level, whose cells are many: mean size as in closed form, and as the core draws for a release."""
    people = sample_people(crowd(box_outline(0.0, 1.0, 4.0, 3.0)), 2_000, 1)
    result, names, _ = ran(Config(n=2_000, epsilon=1.0), people)
    empty = np.empty((0, 2))
    drawn = np.abs(names["release"](empty)[-1])
    scale = names["SCALES"][-1]
    assert drawn.mean() == pytest.approx(expected_size(scale), rel=0.2) and drawn.size == 2 ** (result.depth - 1)
    promise = Guarantee(1.0, neighbours="replace")
    core = discrete_laplace(np.zeros(drawn.size, dtype=np.int64), scale, np.random.default_rng(), secure=promise)
    assert np.abs(core).mean() == pytest.approx(drawn.mean(), rel=0.3)
