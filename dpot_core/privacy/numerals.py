"""How numbers are written on the screen: the one place that rounds them and sets thousands and per cent.

Three significant digits, thousands by a comma, per cent without a space: ``12,300``, ``0.0318``, ``45.1%``. What is
promised is rounded to its safe side: a bound up (`at_most`), what is at least so down (`at_least`). Exact and in full
stand whole numbers of people, points and the like (`count`, or ``:,``), settings that a reader chose (``:g``), and a
share near 1, which is never rounded to certainty (`percent_at_most`). What is compared in a column, or beside its
error, has as many decimals as the others (`fixed`). Files that people take away have all digits.
"""

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_UP, _NEAREST, _DOWN = ROUND_CEILING, ROUND_HALF_EVEN, ROUND_FLOOR


def rounded_up(bound: float) -> float:
    """A bound with three significant digits, rounded up so that it stays one; what is zero up to rounding is 0.

    >>> rounded_up(4.4817), rounded_up(7.0), rounded_up(0.1 + 0.2), rounded_up(1e-17)
    (4.49, 7.0, 0.3, 0.0)
    """
    return float(_rounded(bound, _UP)) if abs(bound) >= 1e-12 else 0.0


def number(value: float) -> str:
    """A number to the nearest; what is zero up to rounding is 0.

    >>> number(2.30902), number(12345.6), number(2.4e-7), number(-0.05), number(1e-17), number(float("inf"))
    ('2.31', '12,300', '2.4e-07', '-0.05', '0', '∞')
    """
    return _written(value if abs(value) >= 1e-12 else 0.0, _NEAREST)


def at_most(bound: float, crumbs: float = 1e-12, digits: int = 3) -> str:
    """A bound, rounded up; what is zero up to rounding is 0.

    Args:
        bound: the number.
        crumbs: below this it is zero up to rounding; 0 for a delta, which is small on purpose.
        digits: significant ones; more in files than on the screen.

    >>> at_most(0.2573), at_most(7.0), at_most(12345.6), at_most(22026.4), at_most(1e-17), at_most(1.234e-17, 0.0)
    ('0.258', '7', '12,400', '22,100', '0', '1.24e-17')
    >>> at_most(10.3800004, digits=6), at_most(1.0000001e-6, 0.0, digits=6)
    ('10.3801', '1.00001e-06')
    """
    return _written(bound if bound >= crumbs else 0.0, _UP, digits)


def at_least(bound: float) -> str:
    """A promised upper end, or a lower bound, as text: rounded down.

    >>> at_least(12.3456789), at_least(0.5), at_least(1 / 3)
    ('12.3', '0.5', '0.333')
    """
    return _written(bound, _DOWN)


def plus_minus(mean: float, error: float) -> str:
    """A mean and its error, with as many decimals: two digits of the error, at most three of the mean; no 0 for some.

    >>> plus_minus(5.5301, 0.1752), plus_minus(12.34, 0.0421), plus_minus(-0.21, 0.12), plus_minus(2.0, 0.0)
    ('5.53 ± 0.18', '12.34 ± 0.04', '−0.21 ± 0.12', '2.00 ± 0.00')
    """
    places = decimals(mean, 3)
    if error >= 1e-12:
        places = max(min(places, decimals(error, 2)), decimals(error, 1))
    return f"{fixed(mean, places)} ± {fixed(error, places)}"


def count(value: float) -> str:
    """A whole number of things, in full.

    >>> count(943), count(27753.0)
    ('943', '27,753')
    """
    return f"{value:,.0f}"


def counted(value: float, one: str, many: str) -> str:
    """A number with its noun.

    >>> counted(1, "person", "people"), counted(1500, "check-in", "check-ins"), counted(0.5, "step", "steps")
    ('1 person', '1,500 check-ins', '0.5 steps')
    """
    return f"{count(value) if value == int(value) else number(value)} {one if value == 1 else many}"


def in_full(value: float) -> str:
    """A setting, with all of its digits but those of rounding.

    >>> in_full(400_000_000), in_full(0.1 + 0.2), in_full(1e-09)
    ('400,000,000', '0.3', '1e-09')
    """
    return f"{value:,.12g}"


def power_of_ten(power: int) -> str:
    """A power of ten, with superscripts.

    >>> power_of_ten(-12), power_of_ten(128)
    ('10⁻¹²', '10¹²⁸')
    """
    return f"10{str(power).translate(_SUPERSCRIPTS)}"


def subscript(number: float | str) -> str:
    """A number as an index.

    >>> f"W{subscript(12)}, W{subscript(2.0)}, W{subscript(1.5)}"
    'W₁₂, W₂, W₁.₅'
    """
    return (number if isinstance(number, str) else f"{number:g}").translate(_SUBSCRIPTS)


def enumeration(words: Sequence[str]) -> str:
    """Words with commas, and "and" before the last; "and" alone where a word has a comma of its own.

    >>> enumeration([]), enumeration(["WPM"]), enumeration(["KPM", "WPM, uniform"]), enumeration(["WPM", "KPM", "EM"])
    ('', 'WPM', 'KPM and WPM, uniform', 'WPM, KPM and EM')
    >>> enumeration(["WPM, minimax base", "WPM, uniform base", "k-RR"])
    'WPM, minimax base and WPM, uniform base and k-RR'
    """
    if any("," in word for word in words):
        return " and ".join(words)
    return " and ".join([*[", ".join(words[:-1])] * (len(words) > 1), *words[-1:]])


def percent(share: float, sign: bool = False) -> str:
    """A share to the nearest.

    >>> percent(0.2), percent(0.06104), percent(0.000123), percent(1.777, sign=True), percent(-0.02, sign=True)
    ('20%', '6.1%', '0.0123%', '+178%', '-2%')
    """
    return f"{'+' if sign and share > 0 else ''}{number(100.0 * share)}%"


def percent_at_most(share: float) -> str:
    """A share that is a bound, rounded up; near 1 it has as many digits as it takes not to be 100%.

    >>> percent_at_most(0.5), percent_at_most(0.99331), percent_at_most(0.9999546), percent_at_most(1.0)
    ('50%', '99.4%', '99.996%', '100%')
    """
    return _share(share, _UP)


def percent_at_least(share: float) -> str:
    """A share that is at least so large, rounded down.

    >>> percent_at_least(0.0148), percent_at_least(0.00004), percent_at_least(0.45085)
    ('1.48%', '0.004%', '45%')
    """
    return _share(share, _DOWN)


def percent_with_error(share: float, error: float) -> str:
    """A share and its error by `plus_minus`.

    >>> percent_with_error(0.0683, 0.00547), percent_with_error(0.14, 0.01)
    ('6.83% ± 0.55%', '14.0% ± 1.0%')
    """
    return plus_minus(100.0 * share, 100.0 * error).replace(" ±", "% ±") + "%"


def decimals(size: float, digits: int) -> int:
    """How many decimals show so many digits of a number; 0 of a large one.

    >>> decimals(10.93, 4), decimals(0.55, 2), decimals(1234.0, 3)
    (2, 2, 0)
    """
    return max(0, digits - 1 - math.floor(math.log10(max(abs(size), 1e-9))))


def fixed(value: float, places: int) -> str:
    """A number that is read beside others, with as many decimals as they have.

    >>> fixed(11.0, 2), fixed(-0.214, 1)
    ('11.00', '−0.2')
    """
    return f"{value:,.{places}f}".replace("-", "−")


def _share(share: float, way: str) -> str:
    rest = 1.0 - share
    if rest <= 0.0 or share <= 0.9:
        return f"{_written(100.0 * share, way)}%"
    # As many digits behind the point as the distance to 100% has zeros there, and one more.
    digit = Decimal(1).scaleb(-max(1, -math.floor(math.log10(100.0 * rest) + 1e-9)))
    exact = _exact(100.0 * share, 15) if rest > 1e-9 else 100 * Decimal(share)
    return f"{_plain(min(exact.quantize(digit, way), 100 - digit))}%"


def _exact(value: float, digits: int = 10) -> Decimal:
    """A number without the crumbs that computing leaves: 0.30000000000000004 is 0.3."""
    return Decimal(f"{value:.{digits}g}")


def _rounded(value: float, way: str, digits: int = 3) -> Decimal:
    exact = _exact(value)
    return exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), way) if exact else Decimal(0)


def _written(value: float, way: str, digits: int = 3) -> str:
    if not math.isfinite(value):
        return "∞" if value == math.inf else f"{value}"
    rounded = _rounded(value, way, digits)
    if rounded and not Decimal("1e-4") <= abs(rounded) < Decimal("1e12"):
        return f"{float(rounded):.{digits}g}"
    return _plain(rounded)


def _plain(value: Decimal) -> str:
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
