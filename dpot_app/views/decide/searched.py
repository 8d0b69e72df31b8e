"""A side of a need, searched: what every mechanism needs, and what half or twice as much would change."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from dpot_app.kit.need import Side
from dpot_app.views.decide.searches import Search, first_tries
from dpot_app.views.decide.settings import HIGHEST, LOWEST, START
from dpot_core.privacy.guarantees import Guarantee


@dataclass(frozen=True)
class Multiple:
    """A mechanism at a multiple of the epsilon that was found."""

    mechanism: str
    times: float
    epsilon: float
    value: float  # in the unit of the need
    promise: Guarantee


@dataclass(frozen=True)
class Searches:
    side: Side
    searches: Mapping[str, Search]

    @property
    def common(self) -> Mapping[str, tuple[tuple[float, float], ...]]:
        """(epsilon, value) of what is tried whatever the target is, by mechanism."""
        first = {*first_tries(LOWEST, HIGHEST, START), *self.side.grid}
        return {
            name: tuple(point for point in search.points if point[0] in first) for name, search in self.searches.items()
        }

    @property
    def best(self) -> tuple[str, float] | None:
        """The mechanism with the smallest epsilon, and it; None if none is known to reach the target for good.

        A target that is met, missed and met again counts from where it is met for good: a reader who takes a
        little more epsilon than is said must not lose what was asked for.
        """
        reached = [
            (*search.good, name)
            for name, search in self.searches.items()
            if search.good is not None and name not in self.side.bounds
        ]
        if not reached:
            return None
        # Of several at one epsilon, the one with the better utility.
        sign = -1.0 if next(iter(self.searches.values())).at_least else 1.0
        epsilon, _, name = min(reached, key=lambda point: (point[0], sign * point[1]))
        return name, epsilon

    @property
    def tied(self) -> tuple[str, ...]:
        """All mechanisms that reach the target for good at the epsilon that is said, the best first."""
        if self.best is None:
            return ()
        others = {
            name: search.good[0]
            for name, search in self.searches.items()
            if search.good is not None and name not in self.side.bounds and name != self.best[0]
        }
        return (self.best[0], *(name for name, epsilon in others.items() if in_words(epsilon) == self.said))

    @property
    def said(self) -> float | None:
        """The smallest epsilon of all in the digits that are said everywhere: see `in_words`."""
        return None if self.best is None else in_words(self.best[1])

    @property
    def multiples(self) -> tuple[Multiple, ...]:
        """The best mechanism at half of what is said, at that, and at twice that, in the digits that are said.

        An epsilon beyond those searched is left out; nothing if no mechanism reaches the target for good.
        """
        if self.best is None or self.said is None:
            return ()
        name = self.best[0]
        asked = {times: in_words(times * self.said) for times in (0.5, 1.0, 2.0)}
        return tuple(
            Multiple(name, times, epsilon, self.side.evaluate(name, epsilon), self.promise(epsilon))
            for times, epsilon in asked.items()
            if LOWEST <= epsilon <= HIGHEST
        )

    def promise(self, epsilon: float) -> Guarantee:
        """The promise of the best mechanism at an epsilon.

        Raises:
            ValueError: if no mechanism reaches the target for good.
        """
        if self.best is None:
            raise ValueError("no mechanism reaches the target, so there is nothing to promise")
        if self.side.guarantee is not None:
            return self.side.guarantee(self.best[0], epsilon)
        public = ("the method and its settings", "ε")
        return Guarantee(epsilon, neighbours="local", public=public, note="For one release by each person.")

    def around(self, name: str) -> tuple[tuple[float, float], tuple[float, float] | None] | None:
        """The bracket of a mechanism: its smallest epsilon with the value there, and the next smaller one that misses.

        Where utility improves with epsilon, these are the two neighbours in the digits that are said. None if the
        target is not reached for good.
        """
        search = self.searches[name]
        if search.good is None:
            return None
        if search.method == "grid" or search.missed is None:
            return search.good, search.missed
        said, below = in_words(search.good[0]), in_words(search.missed[0], up=False)
        return (said, self.side.evaluate(name, said)), (below, self.side.evaluate(name, below))


def in_words(epsilon: float, up: bool = True) -> float:
    """An epsilon in the three significant digits that are said: up, it still reaches what the longer one reaches.

    >>> in_words(7.41889977), in_words(7.41889977, up=False), in_words(4.0), in_words(0.1), in_words(10.04)
    (7.42, 7.41, 4.0, 0.1, 10.1)
    """
    exact = Decimal(repr(float(epsilon)))
    unit = Decimal(1).scaleb(exact.adjusted() - 2)
    return float(exact.quantize(unit, ROUND_CEILING if up else ROUND_FLOOR)) if exact else 0.0
