"""KPM around a public prior on the ring page: KPM without one, and words about when it is proven to be nearer."""

from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.views.ring.outputs.results import run
from dpot_app.views.ring.outputs.text import VIEW
from dpot_app.views.ring.settings import Base, Config, Ring, link
from dpot_app.views.ring.worst_case.results import near_prior, now, worst_cases
from dpot_app.views.ring.worst_case.text import show_divergences
from dpot_core.privacy.numerals import at_least, at_most

WEIGHTS = (5.0, 4.0, 3.0, 3.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
NEAR = Config(
    ring=Ring(k=12), base=Base(kind="prior", prior=WEIGHTS), epsilon=1.0, mechanisms=("wpm", "kpm", "kpm-prior")
)


def said(config: Config) -> list[str]:
    blocks = show_divergences(config, worst_cases(config.ring), now(config))
    return [text for text in blocks if isinstance(text, str)]


@pytest.mark.parametrize("every", [1, 3])
def test_the_page_draws_what_the_public_name_releases(every: int) -> None:
    config = replace(NEAR, ring=Ring(k=12, every=every))
    result, prior = run(config), config.base.public_prior(config.ring)
    moved = config.public.moved(result.mu)
    np.testing.assert_array_equal(
        result.outputs["kpm-prior"], dpot.kl_projection_near_prior(moved, prior, 1.0, config.base.gamma)
    )
    lower, upper = result.bands["kpm-prior"]
    np.testing.assert_allclose(lower / prior, (lower / prior)[0])
    assert (upper <= lower * np.e).all()


def test_without_a_prior_it_is_kpm_and_the_page_says_so() -> None:
    config = replace(NEAR, base=Base())
    result = run(config)
    np.testing.assert_array_equal(result.outputs["kpm-prior"], result.outputs["kpm"])
    words = "KPM around prior is KPM here"
    assert any(words in text for text in VIEW.show(config, *VIEW.run(config).parts) if isinstance(text, str))
    assert near_prior(config) is None and len(said(config)) == 1
    assert not any(words in text for text in VIEW.show(NEAR, *VIEW.run(NEAR).parts) if isinstance(text, str))


def test_the_words_about_the_neighbourhood_are_computed() -> None:
    ours, kpm = near_prior(NEAR)
    assert ours.at_most == pytest.approx(0.15668, rel=1e-4) and kpm > 3 * ours.at_most
    last = said(NEAR)[-1]
    assert f"γ = 3 of the prior, KPM around prior has a KL of at most {at_most(ours.at_most)}" in last
    assert f"KPM reaches {at_least(kpm)}." in last and "No gain" not in last
    far = replace(NEAR, base=replace(NEAR.base, gamma=1000.0))
    assert "No gain is proven at this γ." in said(far)[-1]
    assert near_prior(replace(NEAR, mechanisms=("kpm",))) is None


def test_kpm_around_prior_is_off_unless_chosen_and_links_carry_gamma_with_a_prior_only() -> None:
    assert "kpm-prior" not in Config().mechanisms
    assert "gamma" not in link(Config()) and link(NEAR)["gamma"] == "3"
