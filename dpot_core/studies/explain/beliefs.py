"""How beliefs and odds are written: bounds stay bounds."""

import math

#: An axis of beliefs.
PER_CENT = {"tickformat": ".0%", "range": [0, 1.02]}


def share(probability: float, up: bool = True) -> str:
    """A probability in per cent with a digit behind the point, rounded up or down; never 0 or 100 by rounding.

    >>> share(0.45085), share(0.0148, up=False), share(0.9999546), share(0.00004, up=False), share(0.5)
    ('45.1%', '1.4%', '99.996%', '0.004%', '50%')
    """
    scaled = probability * 100
    for digits in range(1, 12):
        unit = 10.0**digits
        value = scaled * unit
        nearest = round(value)
        whole = nearest if abs(value - nearest) < 1e-9 * max(1.0, value) else math.ceil(value) if up else int(value)
        if (whole > 0 or probability == 0.0) and (whole < 100 * unit or probability == 1.0):
            return f"{whole / unit:.{digits}f}".removesuffix(".0") + "%"
    return f"{scaled:.12g}%"


def of_people(probability: float, up: bool = True) -> str:
    """The same, of 100 people.

    >>> of_people(0.1), of_people(0.45085)
    ('10 of 100', '45.1 of 100')
    """
    return f"{share(probability, up).removesuffix('%')} of 100"


def odds(value: float, up: bool | None = None) -> str:
    """Odds with the smaller side 1, in three digits: as a bound rounded up or down, else to the nearest.

    >>> odds(1 / 9), odds(9.0), odds(0.8210062), odds(2447.4, up=True), odds(1 / 198238.2, up=False)
    ('1 : 9', '9 : 1', '1 : 1.22', '2,450 : 1', '1 : 199,000')
    """
    if value > 1.0:
        return f"{_three(value, up)} : 1"
    return f"1 : {_three(1.0 / value, None if up is None else not up)}"


def _three(number: float, up: bool | None) -> str:
    unit = 10.0 ** (math.floor(math.log10(number)) - 2)
    # What is whole up to rounding stays as it is.
    scaled = round(number / unit, 6)
    whole = round(scaled) if up is None else math.ceil(scaled) if up else math.floor(scaled)
    return f"{round(whole * unit):,}" if number >= 100 else f"{whole * unit:.4g}"
