"""The best guess of a point on the ring: by hand, against what epsilon allows, whatever the person's own input is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.kit.blocks import pictures
from dpot_app.views.ring.guess.results import guesses
from dpot_app.views.ring.guess.text import VIEW
from dpot_app.views.ring.settings import Base, Config, Ring, Source
from dpot_app.views.ring.worst_case.results import curves
from tests.batch.scenarios.outcomes import with_short_curves

ALL = tuple(dpot.MECHANISMS)
SMALL = Config(ring=Ring(k=8, p=1), mechanisms=ALL, epsilon=1.5)


@pytest.fixture(scope="module", autouse=True)
def short() -> Iterator[None]:
    with with_short_curves():
        yield


@pytest.mark.parametrize("belief", ["uniform", "two-bumps", "base"])
@pytest.mark.parametrize("base", [Base(), Base(kind="prior", prior=(1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0))])
def test_chances_are_those_of_guessing_output_by_output(belief: str, base: Base) -> None:
    config = replace(SMALL, belief=belief, base=base)
    found = guesses(config)
    assert found.prior.sum() == pytest.approx(1.0) and set(found.now) == set(ALL)
    for name, now in found.now.items():
        kernel = dpot.MECHANISMS[name](config.public)
        outputs = [kernel(dpot.dirac(8, point)) for point in range(8)]
        right = 0.0
        for output in range(8):
            likely = [found.prior[point] * outputs[point][output] for point in range(8)]
            right += likely[int(np.argmax(likely))]
        assert now.right == pytest.approx(right, rel=1e-9)
        assert max(found.prior) - 1e-12 <= right <= dpot.Guarantee(1.5).posterior(found.without) * (1 + 1e-9)


def test_under_a_uniform_prior_kpm_and_randomized_response_are_guessed_as_often_as_epsilon_allows() -> None:
    found = guesses(SMALL)
    for name in ("kpm", "krr"):
        np.testing.assert_allclose([point.right for point in found.curves[name]], found.allowed, rtol=1e-9)
    for curve in found.curves.values():
        assert all(point.right <= most * (1 + 1e-9) for point, most in zip(curve, found.allowed, strict=True))


def test_distances_are_those_of_the_page_s_worst_points() -> None:
    for reg in (None, 0.03):
        config = replace(SMALL, reg=reg)
        found, worst = guesses(config), curves(config).distance
        for name, now in found.now.items():
            assert now.distance == pytest.approx(worst.now[name].at_least, rel=1e-9)
            np.testing.assert_allclose([one.distance for one in found.curves[name]], worst.at_least[name], rtol=1e-9)


def test_the_person_s_input_and_what_else_is_compared_change_nothing_and_nothing_is_released() -> None:
    own = replace(SMALL, source=Source(kind="numbers", numbers=(5.0, *[0.0] * 7)), mechanisms=("em",))
    assert guesses(own).now["em"] == guesses(SMALL).now["em"]
    assert VIEW.run(own).disclosure.status == "public"


def test_a_base_on_few_outputs_is_a_prior_on_their_points() -> None:
    config = replace(SMALL, ring=Ring(k=8, every=4), belief="base")
    np.testing.assert_allclose(config.prior, [0.5, 0, 0, 0, 0.5, 0, 0, 0])
    found = guesses(config)
    assert found.without == pytest.approx(0.5) and found.now["wpm"].right > 0.5


def test_a_mechanism_without_an_output_for_some_point_is_left_out_in_words() -> None:
    config = replace(SMALL, base=Base(kind="prior", prior=(0.0, *[1.0] * 7)))
    results = VIEW.run(config)
    assert set(results.parts[0].now) == {*ALL} - {"mollifier"}
    *_, said = VIEW.show(config, *results.parts)
    assert isinstance(said, str) and said.endswith("Left out, because some point has no output: Mollifier.")


def test_without_a_mechanism_the_guess_without_a_release_is_said() -> None:
    config = replace(SMALL, mechanisms=())
    first, _ = pictures(VIEW.show(config, *VIEW.run(config).parts))
    assert "12.5% of the time; choose a mechanism" in first.draw().layout.title.text
