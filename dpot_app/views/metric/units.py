"""How the page writes distances, errors and privacy parameters."""

from dpot_core.privacy.numerals import number

#: Kilometres in a mile.
MILE = 1.609344

#: Metres in a foot.
FOOT = 0.3048


def amount(value: float, unit: str) -> str:
    """An error or an answer with its unit.

    >>> amount(4.3712, "km"), amount(0.0254, "km"), amount(0.000987, "km"), amount(0.01261, "")
    ('4.37 km', '25.4 m', '0.987 m', '1.26 percentage points')
    """
    if unit == "km":
        return f"{number(value)} km" if value >= 0.9995 else f"{number(value * 1000)} m"
    return f"{number(value * 100)} percentage points"


def with_miles(value: float, unit: str) -> str:
    """The same, with miles beside kilometres and feet beside metres.

    >>> with_miles(4.3712, "km"), with_miles(0.001, "km"), with_miles(0.01261, "")
    ('4.37 km (2.72 miles)', '1 m (3.28 feet)', '1.26 percentage points')
    """
    if unit != "km":
        return amount(value, unit)
    far = value >= 0.9995
    written = number(value / MILE if far else value * 1000 / FOOT)
    return f"{amount(value, unit)} ({written} {('mile' if written == '1' else 'miles') if far else 'feet'})"
