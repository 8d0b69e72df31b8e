"""How the page writes distances, errors and privacy parameters."""

#: Kilometres in a mile.
MILE = 1.609344


def amount(value: float, unit: str) -> str:
    """An error or an answer with its unit.

    >>> amount(4.3712, "km"), amount(0.0254, "km"), amount(0.000987, "km"), amount(0.01261, "")
    ('4.37 km', '25.4 m', '0.987 m', '1.26 percentage points')
    """
    if unit == "km":
        return f"{value:.3g} km" if value >= 0.9995 else f"{value * 1000:.3g} m"
    return f"{value * 100:.3g} percentage points"


def with_miles(value: float, unit: str) -> str:
    """The same, with miles beside kilometres.

    >>> with_miles(4.3712, "km"), with_miles(0.01261, "")
    ('4.37 km (2.72 miles)', '1.26 percentage points')
    """
    return f"{amount(value, unit)} ({value / MILE:.3g} miles)" if unit == "km" else amount(value, unit)


def short(value: float) -> str:
    """A distance without its unit, or a privacy parameter, as it stands in a sentence.

    >>> short(34.599), short(12_500.0), short(0.2), short(1.1533), short(6920.3)
    ('34.6', '12,500', '0.2', '1.15', '6,920')
    """
    return f"{value:,.0f}" if 1000 <= value < 1e9 else f"{value:.3g}"
