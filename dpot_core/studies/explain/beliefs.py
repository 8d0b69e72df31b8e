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


def odds(value: float) -> str:
    """Odds with the smaller side 1.

    >>> odds(1 / 9), odds(9.0), odds(0.8210062)
    ('1 : 9', '9 : 1', '1 : 1.22')
    """
    return f"{value:.3g} : 1" if value > 1.0 else f"1 : {1.0 / value:.3g}"
