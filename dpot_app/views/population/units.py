"""Units of distances and costs."""

from dpot_core.privacy.numerals import number


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


def squared_unit(geographic: bool) -> str:
    return "squared degrees" if geographic else "squared units"


def unit(geographic: bool) -> str:
    return "degrees" if geographic else "units"
