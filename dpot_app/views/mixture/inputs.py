"""How the page asks for the modes of an input: by a rule, from the paper, or one's own."""

from functools import partial
from typing import Any

from dpot_app.kit.setting import choice, free, number, settings, typed, when, whole
from dpot_app.views.mixture.densities import random_modes, random_modes_in_disc, ring_modes
from dpot_app.views.mixture.published import published_modes
from dpot_app.views.mixture.settings import Modes

LINE_MODES = {
    "two": "Two modes",
    "one": "One mode",
    "ten": "Ten random",
    "paper": "Fig. 4 of the paper",
    "own": "My own",
}
PLANE_MODES = {"ring": "Ring", "ten": "Ten random", "own": "My own"}

_is = partial(when, "kind")


def _seed(link: str) -> Any:
    return typed("Seed of the random modes", 1, link, low=0, high=9999, shown=_is("ten"))


@settings
class LineInput:
    kind: str = choice("Input mixture", "two", LINE_MODES, link="modes")
    mean: float = number("Mean", 0.5, low=-3.0, high=3.0, every=0.05, widget="slider", link="mean", shown=_is("one"))
    seed: int = _seed("modes_seed")
    paper: int = typed("Number of the mixture", 1, "paper", low=1, high=100, shown=_is("paper"))
    own: tuple[tuple[float, ...], ...] = free("Modes", ((-1.0, 0.2), (0.0, 0.5), (1.0, 0.3)), shown=_is("own"))

    def modes(self, radius: float) -> Modes:
        if self.kind == "two":
            return Modes(means=(-1.0, 1.0), weights=(0.9, 0.1))
        if self.kind == "one":
            return Modes(means=(self.mean,), weights=(1.0,))
        if self.kind == "ten":
            return random_modes(10, self.seed, radius)
        if self.kind == "paper":
            return published_modes()[self.paper - 1]
        return Modes(means=tuple(mean for mean, _ in self.own), weights=tuple(weight for _, weight in self.own))


@settings
class PlaneInput:
    kind: str = choice("Input mixture", "ring", PLANE_MODES, link="plane_modes")
    count: int = whole("Modes on the ring", 3, low=1, high=12, widget="slider", link="ring", shown=_is("ring"))
    seed: int = _seed("plane_seed")
    own: tuple[tuple[float, ...], ...] = free(
        "Modes", ((-0.8, 0.0, 0.5), (0.5, 0.5, 0.3), (0.5, -0.5, 0.2)), shown=_is("own")
    )

    def modes(self, radius: float) -> Modes:
        if self.kind == "ring":
            return ring_modes(self.count, radius)
        if self.kind == "ten":
            return random_modes_in_disc(10, self.seed, radius)
        return Modes(means=tuple((x, y) for x, y, _ in self.own), weights=tuple(weight for *_, weight in self.own))
