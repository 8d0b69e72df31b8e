"""How beliefs and odds are written: bounds stay bounds."""

import math

from dpot_core.privacy.numerals import at_least, at_most, number, percent_at_least, percent_at_most

#: An axis of beliefs.
PER_CENT = {"tickformat": ".0%", "range": [0, 1.02]}


def share(probability: float, up: bool = True) -> str:
    """A probability in per cent, rounded up or down; never 0 or 100 by rounding.

    >>> share(0.45085), share(0.0148, up=False), share(0.9999546), share(0.00004, up=False), share(0.5)
    ('45.1%', '1.48%', '99.996%', '0.004%', '50%')
    """
    return percent_at_most(probability) if up else percent_at_least(probability)


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
    >>> odds(0.0, up=False), odds(math.inf, up=True)
    ('1 : ∞', '∞ : 1')
    """
    if value > 1.0:
        return f"{_three(value, up)} : 1"
    other = 1.0 / value if value else math.inf  # beyond 308 digits
    return f"1 : {_three(other, None if up is None else not up)}"


def _three(value: float, up: bool | None) -> str:
    return number(value) if up is None else at_most(value) if up else at_least(value)
