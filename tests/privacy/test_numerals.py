"""How numbers are written: three digits, one way for thousands and per cent, promises on their safe side."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_app.kit.fields import EPSILONS
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_least, at_most, count, number, percent, percent_at_least, percent_at_most


def read(text: str) -> Fraction:
    """What a text says, exactly."""
    return Fraction(text.replace(",", ""))


@given(st.floats(1e-11, 1e15))
def test_bounds_stay_bounds_and_have_three_digits(value: float) -> None:
    crumbs = Fraction(1, 10**9) * Fraction(value)  # what computing leaves
    low, near, high = (read(write(value)) for write in (at_least, number, at_most))
    assert low - crumbs <= Fraction(value) <= high + crumbs
    assert low <= near <= high <= Fraction(value) * Fraction(102, 100)
    for text in (at_least(value), number(value), at_most(value)):
        digits = text.split("e")[0].replace(",", "").replace(".", "").strip("0")
        assert len(digits) <= 3


@given(st.just(0.0) | st.floats(1e-300, 1.0))
def test_shares_round_to_their_side_and_never_to_certainty(share: float) -> None:
    low, high = percent_at_least(share), percent_at_most(share)
    crumbs = Fraction(share) / 10**9
    assert read(low[:-1]) - 100 * crumbs <= 100 * Fraction(share) <= read(high[:-1]) + 100 * crumbs
    assert (high == "100%") == (share == 1.0) and (low == "0%") == (share == 0.0)


def test_one_way_for_thousands_and_per_cent() -> None:
    assert (number(1234.5), at_most(1234.5), at_least(1234.5), count(1234)) == ("1,230", "1,240", "1,230", "1,234")
    assert (percent(0.5), percent(12.345), percent(-0.021, sign=True)) == ("50%", "1,230%", "-2.1%")


@pytest.mark.parametrize(
    ("probability", "shown"),
    [
        (0.5, "50%"),
        (0.501, "50.1%"),
        (0.99331, "99.4%"),
        (0.9999546, "99.996%"),
        (1.0, "100%"),
        (0.88079, "88.1%"),
    ],
)
def test_percentages_round_up_but_never_to_certainty(probability: float, shown: str) -> None:
    assert percent_at_most(probability) == shown


def test_factors_of_any_promise_are_bounds() -> None:
    """× 1.05 for e^0.05 = 1.0513 would be less than what one output can do."""
    for epsilon in (0.0, *EPSILONS, 14.0, 50.0, 700.0):
        exact = math.exp(epsilon)
        shown = float(at_most(exact).replace(",", ""))
        assert exact * (1 - 1e-9) <= shown <= exact * 1.01
    assert at_most(math.inf) == "∞"


def test_percentages_of_any_promise_are_bounds() -> None:
    for epsilon in (0.0, 0.05, 1.0, 5.0, 10.0, 20.0):
        exact = Guarantee(epsilon).posterior()
        shown = float(percent_at_most(exact).removesuffix("%")) / 100
        assert exact - 1e-12 <= shown
        assert shown < 1.0
