"""The lessons of teaching mode: every number in an answer is computed again, with other means where there are any."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.views.decide import results as decide_results
from dpot_app.views.decide import settings as decide
from dpot_app.views.ring import settings as rings
from dpot_app.views.ring.outputs.results import run
from dpot_app.views.table import LESSONS
from dpot_core.privacy import accounting
from tests.apps import html_of, open_app, text_of

ROOT2 = math.sqrt(2.0)
#: What the sample of the first exercise about the population may spend for 5 towards the population.
SPENT = accounting.sample_epsilon(5.0, 200_000 / 314e6)


def _ring_distances() -> dict[str, float]:
    config = rings.Config(
        ring=rings.Ring(k=30, p=1), source=rings.Source(kind="dirac"), epsilon=2.0, mechanisms=("wpm", "kpm")
    )
    return dict(run(config).distances)


def _plane() -> dict[str, float]:
    family = dpot.gaussian_ring_family(3, 0.5, 1.0)
    tv = family.worst_case("tv", 0.5)
    return {"r2": 1 / (1 - tv), "tv": tv}


def _sample() -> dict[str, float]:
    value = accounting.sample_epsilon(1.0, 200_000 / 314e6)
    assert accounting.amplified_epsilon(value, 200_000 / 314e6) == pytest.approx(1.0)
    return {"sample": value}


def _truth(k: int, epsilon: float) -> float:
    return float(dpot.randomized_response(np.eye(k)[0], epsilon)[0])


COMPUTED: dict[tuple[str, int], Callable[[], dict[str, float]]] = {
    ("ring", 0): lambda: {
        "truth": float(dpot.kl_projection(dpot.dirac(30, 3), dpot.Polytope(dpot.minimax_base_kl(30, 2.0), 2.0))[3]),
        "other": float(dpot.kl_projection(dpot.dirac(30, 3), dpot.Polytope(dpot.minimax_base_kl(30, 2.0), 2.0))[4]),
    },
    ("ring", 1): _ring_distances,
    ("geolocation", 0): lambda: {"truth": _truth(400, 4.0), "coarse": _truth(25, 4.0)},
    ("geolocation", 1): lambda: {"share": 0.01 * math.log(400 * 400), "km": 0.01 * math.log(400 * 400) * 32.87},
    ("mixture", 0): _plane,
    ("mixture", 1): lambda: {"w": dpot.sphere_base(2, 2.0, 2.0).value},
    ("movies", 0): lambda: {"truth": _truth(250, 2.0), "half": math.log(249)},
    ("movies", 1): lambda: {"hits": 1 - 0.88**10, "total": 10 * 2.0},
    ("population", 0): _sample,
    ("population", 1): lambda: {
        "classical": math.sqrt(2 * math.log(1.25 / 5e-6)) / SPENT,
        "needed": accounting.gaussian_noise(SPENT, 5e-6),
    },
    ("metric", 0): lambda: {"day": 0.2 / (0.08 / 30), "month": 0.2 / 0.008},
    ("metric", 1): lambda: {
        "alpha": 1 / ((1 + ROOT2) * 0.1 + 3 / 100 * math.log(1e6)),
        "misprint": 1 / ((1 + ROOT2) * 0.1 + 3 / 8 * math.log(1e6)),
    },
    ("sinkhorn", 0): lambda: {"noise": ROOT2 / 1000},
    ("sinkhorn", 1): lambda: {
        "printed": 0.1 + math.sqrt(0.1 * math.log(1e6)),
        "right": 0.1 + 2 * math.sqrt(0.1 * math.log(1e6)),
    },
    ("explain", 0): lambda: {"posterior": dpot.Guarantee(1.0).posterior(0.001)},
    ("explain", 1): lambda: {"epsilon": math.log(3)},
    ("decide", 0): lambda: {
        name: _found(decide.Config(need="ring-tv", target=target), "kpm")
        for name, target in (("third", 0.3), ("tenth", 0.1))
    },
    ("decide", 1): lambda: {"epsilon": _found(decide.Config(need="sphere", target=0.8), "wpm")},
}


def _found(config: decide.Config, mechanism: str) -> float:
    found = decide_results.run(config).sides["worst"].searches[mechanism].found
    assert found is not None
    return found


CASES = [(page, number) for page, lesson in LESSONS.items() for number in range(len(lesson.exercises))]


@pytest.mark.parametrize(("page", "number"), CASES)
def test_every_number_in_an_answer_is_right(page: str, number: int) -> None:
    exercise = LESSONS[page].exercises[number]
    values = COMPUTED[page, number]()
    assert values.keys() == exercise.values.keys()
    for name, text in exercise.values.items():
        digits = len(text.partition(".")[2])
        # The last digit may have been rounded either way by what is itself found to 1e-4.
        assert float(text) == pytest.approx(values[name], abs=0.51 * 10**-digits + 1e-4 * (page == "decide")), name
        assert f"<{name}>" in exercise.answer
    assert not re.search(r"<\w+>", exercise.answer_text)


def test_exercise_and_formula_agree_about_the_amplified_and_the_analytic_noise() -> None:
    """The classical constant is too small at the epsilon of the exercise and too large at 0.5."""
    assert f"\\varepsilon={SPENT:.2f}$" in LESSONS["population"].exercises[1].question
    assert accounting.gaussian_noise(SPENT, 5e-6) > math.sqrt(2 * math.log(1.25 / 5e-6)) / SPENT
    assert accounting.gaussian_noise(0.5, 5e-6) < math.sqrt(2 * math.log(1.25 / 5e-6)) / 0.5


@pytest.mark.parametrize("page", list(LESSONS))
def test_a_lesson_is_complete(page: str) -> None:
    lesson = LESSONS[page]
    assert len(lesson.formulas) >= 2 and len(lesson.exercises) == 2
    for formula in lesson.formulas:
        assert formula.words and formula.latex and formula.source
        assert formula.latex.count("{") == formula.latex.count("}")
        assert not re.search(r"\\(arg|min|sup)\w*\\", formula.words)
    for exercise in lesson.exercises:
        assert exercise.question.count("$") % 2 == 0 and exercise.answer.count("$") % 2 == 0


@pytest.mark.nightly
def test_the_switches_stand_on_the_first_page_and_are_read_from_a_link() -> None:
    app = open_app({"teach_on": "true", "teach_large": "true"}, page="")
    assert not app.warning
    assert app.toggle(key="teach_on").value and app.toggle(key="teach_large").value
    assert any("font-size: 20px" in body for body in html_of(app))
    assert "Formulas" not in text_of(app)
