"""What pages say of many releases: the numbers of the core, the smaller promise only, and nothing of nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.kit.many_releases import DELTA, RELEASES, many, many_text
from dpot_app.kit.view import View
from dpot_app.views.geolocation.worst_case.text import IN_USE
from dpot_app.views.mixture.densities import make_family
from dpot_app.views.mixture.line.text import WORST
from dpot_app.views.mixture.outputs import in_parts
from dpot_app.views.mixture.settings import Family
from dpot_app.views.table import VIEWS
from dpot_core.privacy.gaussian_promises import certify_gaussian
from dpot_core.privacy.numerals import at_most

HALF = dpot.Polytope(dpot.minimax_base_kl(10, 0.5), 0.5)
STRONG = dpot.Polytope(dpot.minimax_base_kl(2, 8.0), 8.0)


def test_of_many_releases_the_smaller_promise_is_said() -> None:
    found = {"KPM": many(HALF), "two points": many(STRONG)}
    promise = dpot.gaussian_guarantee([HALF] * RELEASES, DELTA)
    assert found["KPM"] == (certify_gaussian(HALF), promise.epsilon, True) and promise.epsilon < 20
    assert found["two points"].epsilon == pytest.approx(RELEASES * 8.0) and not found["two points"].gaussian
    text = many_text({"KPM": found["KPM"]}, 0.5)
    assert f"KPM μ = {at_most(certify_gaussian(HALF))}" in text
    assert "100 releases add up to ε = 50. With a slack of δ = 1e-06 a smaller ε holds for the 100 releases: " in text
    assert f"for the 100 releases: KPM ε = {at_most(promise.epsilon)}." in text
    assert many_text({"two points": found["two points"]}, 8.0).endswith(
        "With a slack of δ = 1e-06 no smaller ε follows."
    )
    assert many_text({}, 1.0) == ""


@pytest.mark.parametrize(
    "view",
    [VIEWS["ring.worst-case"], IN_USE, VIEWS["movies.worst"], VIEWS["mixture.line"], VIEWS["mixture.plane"]],
    ids=lambda view: view.key,
)
def test_every_page_says_it_of_the_mechanisms_that_are_shown(view: View) -> None:
    found = view.run(replace(view.example, epsilon=0.2))
    shows = [view.show, *((WORST.show,) if view.key == "mixture.line" else ())]
    texts = [text for show in shows if show for text in show(found.config, *found.parts) if isinstance(text, str)]
    (said,) = (text for text in texts if text.startswith("Gaussian local privacy"))
    assert said.count("μ = ") == len(found.config.mechanisms)
    assert "100 releases add up to ε = 20. With a slack of δ = 1e-06" in said


def test_a_density_has_the_mu_of_its_bounds_on_many_cells() -> None:
    """KPM's band on the line, cut into cells: the certificate of these is that of the two sums."""
    family = make_family(Family())
    level = family.level(1.0)
    h = family.envelope.density(np.linspace(-4, 4, 4_001))
    cells = dpot.Polytope(level * h / h.sum(), 1.0)
    assert certify_gaussian(in_parts(level, 1.0)) == pytest.approx(certify_gaussian(cells), rel=1e-9)
