"""Whom a title names: who does best, and beside it the mechanism that the app is about, or its strongest rival."""

from collections.abc import Mapping, Sequence


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
    sign = -1.0 if largest else 1.0
    best, *others = sorted(values, key=lambda name: (sign * float(f"{values[name]:.9g}"), name != ours))
    return best, ours if ours in others else others[0] if others else None


def where(at: Sequence[float], holds: Sequence[bool]) -> str:
    """At which of some ascending values of epsilon something holds; "" for none.

    >>> [where((1.0, 2.0, 4.0), holds) for holds in ((True,) * 3, (False, True, True), (True, True, False))]
    ['at every ε shown', 'from ε = 2 on', 'up to ε = 2']
    >>> where((1.0, 2.0, 4.0), (True, False, True)), where((1.0, 2.0, 4.0), (False,) * 3)
    ('at 2 of 3 values of ε', '')
    """
    count = sum(holds)
    if count == len(holds):
        return "at every ε shown"
    if count and all(holds[-count:]):
        return f"from ε = {at[-count]:g} on"
    if count and all(holds[:count]):
        return f"up to ε = {at[count - 1]:g}"
    return f"at {count} of {len(holds)} values of ε" if count else ""
