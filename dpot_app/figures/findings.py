"""Claims of a title: who does best, beside its strongest rival, and where a difference is more than noise."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dpot_core.arguments import Array
from dpot_core.privacy.numerals import enumeration, number

#: Standard errors that a difference has to exceed to be claimed, and what a title says of them.
_ERRORS = 2.0
BY_ERRORS = f"by more than {_ERRORS:g} paired s.e."


def best_two(values: Mapping[str, float], ours: str = "wpm", *, largest: bool = False) -> tuple[str, str | None]:
    """The best of some mechanisms; beside it ``ours``, or where that is the best itself, the next best.

    Args:
        values: key -> what is compared, the smallest being the best.
        ours: the mechanism that is always named where it is compared; of equals, up to rounding, it comes first.
        largest: whether the largest is the best instead.

    Returns:
        Key of the best, and of the other; None where there is no other.

    >>> best_two({"wpm": 0.16, "kpm": 0.11, "krr": 0.12}), best_two({"wpm": 1.0, "kpm": 2.0, "krr": 3.0})
    (('kpm', 'wpm'), ('wpm', 'kpm'))
    """
    unit = (-1.0 if largest else 1.0) * (max(map(abs, values.values())) or 1.0)
    best, *others = sorted(values, key=lambda name: (round(values[name] / unit, 9), name != ours))
    return best, ours if ours in others else others[0] if others else None


def labels_of(
    pair: Sequence[str | None],
    values: Mapping[str, float],
    labels: Mapping[str, str],
    write: Callable[[float], str] = number,
) -> list[str]:
    """The labels of a title's two mechanisms, each with those whose numbers read the same: of a tie none wins alone.

    Where both read the same, the others are named once.

    >>> values = {"wpm": 2.0, "kpm": 1.0, "krr": 1.00001}
    >>> labels_of(best_two(values), values, {"wpm": "WPM", "kpm": "KPM", "krr": "k-RR"})
    ['KPM (like k-RR)', 'WPM']
    >>> labels_of(("kpm", "wpm"), dict.fromkeys(values, 1.0), {"wpm": "WPM", "kpm": "KPM", "krr": "k-RR"})
    ['KPM', 'WPM (like k-RR)']
    """
    names, texts = list(filter(None, pair)), []
    for place, name in enumerate(names):
        alike = [labels[one] for one in values if one not in pair and write(values[one]) == write(values[name])]
        if any(write(values[later]) == write(values[name]) for later in names[place + 1 :]):
            alike = []
        texts.append(labels[name] + (f" (like {enumeration(alike)})" if alike else ""))
    return texts


def reads_alike(pair: Sequence[str], values: Mapping[str, float], write: Callable[[float], str]) -> bool:
    """Whether two numbers are written the same, so that neither may be called better."""
    return len({write(values[name]) for name in pair}) == 1


def clearly_below(runs: Array, others: Array | float, errors: float = _ERRORS) -> bool:
    """Whether the mean of repeated runs is below another one by more than two standard errors of their differences.

    Args:
        runs: (r,), at least two.
        others: of the same runs with another mechanism, (r,), or a number that is known.
        errors: standard errors, if not two.

    >>> clearly_below(np.array([1.0, 2.0, 3.0]), np.array([1.5, 2.4, 3.6]))
    True
    >>> clearly_below(np.array([1.0, 2.0, 3.0]), 2.4), clearly_below(np.ones(3), np.ones(3))
    (False, False)
    """
    gaps = others - runs
    return bool(gaps.mean() > errors * gaps.std(ddof=1) / np.sqrt(gaps.size) + 1e-12 * np.abs(others).max())


def where(at: Sequence[float], holds: Sequence[bool], what: str = "ε") -> str:
    """At which of some ascending values of epsilon, or of ``what``, something holds; "" for none.

    >>> [where((1.0, 2.0, 4.0), holds) for holds in ((True,) * 3, (False, True, True), (True, True, False))]
    ['at every ε shown', 'from ε = 2 on', 'up to ε = 2']
    >>> where((1.0, 2.0, 4.0), (True, False, True)), where((1.0, 2.0, 4.0), (False,) * 3)
    ('at 2 of 3 values of ε', '')
    >>> where((2_000, 5_000, 10_000), (False, True, False), "n")
    'at n = 5,000 only'
    """
    count = sum(holds)
    if count == len(holds):
        return f"at every {what} shown"
    if count and all(holds[-count:]):
        return f"from {what} = {at[-count]:,g} on"
    if count and all(holds[:count]):
        return f"up to {what} = {at[count - 1]:,g}"
    if count == 1:
        return f"at {what} = {at[list(holds).index(True)]:,g} only"
    return f"at {count} of {len(holds)} values of {what}" if count else ""
