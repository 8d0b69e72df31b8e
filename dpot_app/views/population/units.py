"""Units of distances and costs."""

from dpot_core.privacy.numerals import number, subscript


def far(distance: float, km: float | None, geographic: bool) -> str:
    """A distance in the unit of the coordinates and, where there is one, in km.

    >>> far(0.314, 27.4, True), far(2.5, None, False)
    ('0.314° (27.4 km)', '2.5')
    """
    if not geographic or km is None:
        return number(distance)
    return f"{number(distance)}° ({number(km)} km)"


def moved(distance: float, km: bool) -> str:
    """A distance as titles write it.

    >>> moved(17.4, True), moved(0.31, True), moved(2.5, False), moved(7e-13, True)
    ('17.4 km', '0.31 km', '2.5', '0 km')
    """
    distance = distance if distance >= 1e-6 else 0.0  # rounding
    return f"{number(distance)}{' km' if km else ''}"


def order(p: float) -> str:
    """The name of the distance of order p.

    >>> order(2.0), order(1.5)
    ('W₂', 'W₁.₅')
    """
    return f"W{subscript(p)}"


def power_unit(geographic: bool, p: float) -> str:
    """The unit of a cost of order p.

    >>> power_unit(True, 2.0), power_unit(True, 1.0), power_unit(False, 1.5)
    ('squared degrees', 'degrees', 'units to the power 1.5')
    """
    name = unit(geographic)
    return f"squared {name}" if p == 2 else name if p == 1 else f"{name} to the power {p:g}"


def at_order(name: str, p: float) -> str:
    """The name of a number or a column, which is written for p = 2, at another order.

    >>> at_order("cost, coreset (squared units)", 3.0), at_order("W2 to non-private km", 1.0)
    ('cost, coreset (units to the power 3)', 'W1 to non-private km')
    """
    if p == 2:
        return name
    name = name.replace("squared units", power_unit(False, p)).replace("root mean squared distance", "typical distance")
    return name.replace("W2", f"W{p:g}").replace("W₂", order(p))


def unit(geographic: bool) -> str:
    return "degrees" if geographic else "units"
