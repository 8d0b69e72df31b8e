"""Titles that compare mechanisms, at odd settings: the best comes first, and beside it ours or its strongest rival."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from dpot_app.cities.crowd import ESTIMATES
from dpot_app.figures.best_guess import share
from dpot_app.figures.findings import best_two
from dpot_app.figures.style import km, km_at_most
from dpot_app.films.releases import MECHANISMS as FILM_MECHANISMS
from dpot_app.kit.blocks import pictures
from dpot_app.kit.values import put
from dpot_app.views.mixture.settings import NAMES
from dpot_app.views.sinkhorn.settings import CLAIMED, COSTS
from dpot_app.views.sinkhorn.units import cost_text
from dpot_app.views.table import VIEWS
from dpot_core.mechanisms import LABELS, rivals
from dpot_core.privacy.numerals import at_most, number, percent
from tests.batch.scenarios.settings import settings_of

PROVEN = {name: label for name, label in COSTS.items() if name not in CLAIMED}


@dataclass(frozen=True)
class Claim:
    """What a view's title compares.

    Attributes:
        numbers: of its results, by label on screen.
        ours: label of what is always named.
        written: a number as the title writes it.
        picture: which of the view's pictures has the title.
        largest: whether the largest is the best.
    """

    numbers: Callable[..., Mapping[str, float]]
    ours: str = "WPM"
    written: Callable[..., str] = lambda value, *results: number(value)
    picture: int = 0
    largest: bool = False


def named(values: Mapping[str, float], labels: Mapping[str, str]) -> dict[str, float]:
    return {labels[name]: value for name, value in values.items() if name in labels}


CLAIMS = {
    "ring.outputs": Claim(lambda result, *_: named(result.distances, LABELS)),
    "ring.worst-case": Claim(
        lambda _, now: (
            {"exact WPM": now.in_use} | named({name: now.wasserstein[name] for name in rivals("exact")}, LABELS)
        ),
        "exact WPM",
        lambda value, *_: at_most(value),
    ),
    **dict.fromkeys(
        ("ring.guess", "geolocation.guess"),
        Claim(
            lambda found: named({name: now.right for name, now in found.now.items()}, LABELS),
            written=lambda value, *_: share(value),
        ),
    ),
    "mixture.line": Claim(
        lambda result, *_: {NAMES[name]: entry.divergences["kl"] for name, entry in result.numbers.items()},
        "KPM",
        lambda value, *_: number(value),
    ),
    "mixture.plane": Claim(
        lambda result, *_: {NAMES[name]: entry.divergences["kl"] for name, entry in result.numbers.items()},
        "KPM",
        lambda value, *_: number(value),
    ),
    "movies.user": Claim(
        # The title compares what is shown.
        lambda user, _: named(
            {name: user.hits[name] for name in user.hits if name in ("wpm", *user.config.mechanisms)}, FILM_MECHANISMS
        ),
        written=lambda value, *_: percent(value),
        picture=-1,
        largest=True,
    ),
    "geolocation.person": Claim(
        lambda result: named({name: spread.mean for name, spread in result.spreads.items()}, LABELS),
        written=lambda value, *_: km(value),
        picture=-1,
    ),
    "geolocation.worst-case": Claim(
        lambda _, cells: {"exact WPM": float(cells.worst)} | named(cells.others, LABELS),
        "exact WPM",
        lambda value, *_: km_at_most(value),
    ),
    "geolocation.crowd": Claim(lambda crowd, *_: named(crowd.means(), ESTIMATES), written=lambda value, *_: km(value)),
    "sinkhorn.cost": Claim(
        lambda costs: {label: costs.now.typical(name) for name, label in PROVEN.items()},
        PROVEN["proven"],
        lambda value, costs: cost_text(value, costs.grid),
    ),
}


#: Five values of epsilon take seconds.
LONG = ("sinkhorn.cost", "mixture.plane")


@pytest.mark.nightly
@pytest.mark.parametrize("key", CLAIMS)
def test_a_title_names_the_best_first_and_beside_it_ours_or_its_strongest_rival(key: str) -> None:
    view, claim = VIEWS[key], CLAIMS[key]
    for config in settings_of(key)[: 1 if key in LONG else 3]:
        for epsilon in (0.05, 0.5, 2.0, 6.0, 10.0):
            at = put(config, "epsilon", epsilon)
            try:
                results = view.run(at).parts
            except ValueError:  # a base or a mechanism that these settings do not allow
                continue
            title = list(pictures(view.show(at, *results)))[claim.picture].draw().layout.title.text
            values = claim.numbers(*results)
            if len(values) < 2 or "No likes" in title or "nothing has to be hidden" in title:
                continue
            best, other = best_two(values, claim.ours, largest=claim.largest)
            # Those that read the same as one of the two stand beside it; they are looked at below.
            texts = {label: claim.written(value, *results) for label, value in values.items()}
            read = {texts[label] for label in (best, other) if label is not None}
            tied = [label for label, text in texts.items() if label not in (best, other) and text in read]
            assert all(label in title for label in tied), title
            values = {label: value for label, value in values.items() if label not in tied}
            where = {label: re.search(rf"(?<![\w-]){re.escape(label)}(?! decoded|\w)", title) for label in values}
            shown = sorted((found.start(), label) for label, found in where.items() if found)
            head = title.split(";")[0]
            assert [label for _, label in shown][:2] == [best, other], f"{title}: {values}"
            assert all(claim.written(values[label], *results) in head for label in (best, other)), f"{title}: {values}"


@pytest.mark.parametrize("largest", [False, True])
def test_title_names_the_best_mechanism(largest: bool) -> None:
    for values in ({"wpm": 3.0, "kpm": 2.0, "em": 1.0}, {"wpm": 2.0, "kpm": 2.0}, {"wpm": 1.0, "kpm": 3.0, "em": 2.0}):
        best, other = best_two(values, largest=largest)
        assert values[best] == (max if largest else min)(values.values())
        assert "wpm" in (best, other)
        if best == "wpm":
            rest = [value for name, value in values.items() if name != "wpm"]
            assert other is not None and values[other] == (max if largest else min)(rest)
    assert best_two({"em": 1.0}) == ("em", None)
