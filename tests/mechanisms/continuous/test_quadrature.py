"""The quadrature: exact where it must be, honest about its error, and equal to SciPy's adaptive one."""

import math

import numpy as np
import pytest
from scipy import integrate

from dpot_core.mechanisms.continuous.envelopes import as_domain, build_envelope
from dpot_core.mechanisms.continuous.quadrature import (
    GAUSS,
    KRONROD,
    NODES,
    integral,
    one_line,
    owners,
    panels_on,
    parallels,
    rays,
    refined,
    split,
)


def test_the_rules_have_their_degrees() -> None:
    for weights, degree in ((KRONROD, 22), (GAUSS, 13)):
        for power in range(degree + 1):
            exact = 0.0 if power % 2 else 2.0 / (power + 1)
            assert weights @ NODES**power == pytest.approx(exact, abs=1e-15), (degree, power)
    assert abs(GAUSS @ NODES**14 - 2 / 15) > 1e-6


@pytest.mark.parametrize(
    ("function", "domain"),
    [
        (lambda x: np.exp(-(x**2) / 2), (-math.inf, math.inf)),
        (lambda x: 1 / (1 + x**2), (-math.inf, math.inf)),
        (lambda x: np.exp(-np.abs(x - 3.3)), (-math.inf, math.inf)),
        (lambda x: np.exp(-x), (0.0, math.inf)),
        (lambda x: np.exp(5 * x), (-math.inf, 1.0)),
        (lambda x: 1 + np.sin(20 * x), (0.0, 3.0)),
        (lambda x: np.where(x > 1 / 3, 2.0, 0.5), (0.0, 1.0)),
        (lambda x: np.exp(-((x - 0.3) ** 2) / 2e-6), (-1.0, 1.0)),
    ],
)
def test_integrals_on_the_line_are_scipys(function, domain) -> None:
    ends = [end for end in domain if math.isfinite(end)]
    with np.errstate(all="ignore"):
        if len(ends) == 2:
            expected = integrate.quad(function, *domain, points=[0.3, 1 / 3], epsabs=1e-13, limit=500)[0]
        else:
            expected = integrate.quad(function, *domain, epsabs=1e-12, limit=500)[0]
    assert build_envelope(function, domain).mass == pytest.approx(expected, rel=1e-9)


def test_integrals_in_the_plane() -> None:
    plane = ((-math.inf, math.inf),) * 2
    gauss = build_envelope(lambda x: np.exp(-((x[:, 0] - 1) ** 2) - (x[:, 1] + 0.5) ** 2 / 2), plane)
    assert gauss.mass == pytest.approx(math.pi * math.sqrt(2), rel=1e-12)
    box = build_envelope(lambda x: np.exp(x[:, 0]) * (1 + x[:, 1] ** 4), ((0, 2), (-1, 1)))
    assert box.mass == pytest.approx((math.e**2 - 1) * 2.4, rel=1e-13)
    lens = lambda y, x: max(1 - x * x - 2 * y * y + x * y, 0.0) + 1  # noqa: E731
    rough = build_envelope(lambda z: np.vectorize(lens)(z[:, 1], z[:, 0]), ((-2, 2), (-2, 2)))
    # The area of an ellipse's paraboloid in closed form: pi / (2 sqrt(det)) for 1 - z' A z.
    assert rough.mass == pytest.approx(16 + math.pi / (2 * math.sqrt(2 - 0.25)), abs=1e-4)


@pytest.mark.parametrize(
    ("function", "domain", "message"),
    [
        (lambda x: 1 / (1 + np.abs(x)), (-math.inf, math.inf), "not integrable"),
        (lambda x: np.ones_like(x), (0.0, math.inf), "not integrable|finite positive"),
        (lambda x: np.zeros_like(x), (0.0, 1.0), "positive integral"),
        (lambda x: x, (-1.0, 1.0), "not negative"),
        (lambda x: np.log(x - 2), (0.0, 1.0), "finite"),
        (lambda x: 1 / np.abs(x - 0.3), (0.0, 1.0), "too rough|finite"),
        (lambda x: np.ones(3), (0.0, 1.0), "one number per point"),
        (lambda x: np.ones(len(x)) / (1 + x[:, 0] ** 2 + x[:, 1] ** 2), ((-math.inf, math.inf),) * 2, "integrable"),
    ],
)
def test_a_function_that_is_no_density_is_refused(function, domain, message) -> None:
    with pytest.raises(ValueError, match=message):
        build_envelope(function, domain)


@pytest.mark.parametrize(
    "domain",
    [(1, 0), (0, 0), (0, math.nan), 3, "ab", ((0, 1), (1, 0)), ((0, math.inf), (0, 1)), ((0, 1),) * 3, (0, 1, 2)],
)
def test_a_wrong_domain_is_refused(domain) -> None:
    with pytest.raises(ValueError, match="domain"):
        as_domain(domain)


def test_panels_are_cut_where_asked() -> None:
    lines = parallels(0.0, 1.0, 1)
    panels = panels_on(lines, np.array([0.0, 1.0, 3.0]))
    cut = split(panels, np.array([2, 2, 0]), np.array([1.5, 0.25, 1.0]))
    assert len(cut.line) == len(panels.line) + 2, "a cut at an edge changes nothing"
    on_two = cut.line == 2
    np.testing.assert_array_equal(cut.low[on_two], [0.0, 0.25, 1.0, 1.5])
    np.testing.assert_array_equal(cut.high[on_two], [0.25, 1.0, 1.5, 3.0])
    total, error = integral(cut, cut.values(lambda z: z[:, 0] ** 2 * z[:, 1]))
    assert total == pytest.approx(9.0 * 0.5, rel=1e-14)
    assert error < 1e-12


def test_the_panel_of_a_place_is_found_at_every_scale() -> None:
    lines = parallels(0.0, 1.0, 1)
    edges = np.concatenate([[-(2.0**60), -1.0, 0.0], np.exp2(np.arange(-50, 60.0))])
    panels = panels_on(lines, edges)
    line, place = np.array([14, 0, 3, 3, 7]), np.array([-5.0, 2.0**-50, 0.75, 1.0, 3.0 * 2.0**57])
    found = owners(panels, line, place)
    np.testing.assert_array_equal(panels.line[found], line)
    assert ((panels.low[found] <= place) & (place < panels.high[found])).all()


def test_the_error_sees_what_the_rule_does_not() -> None:
    """Bounds at kinks, jumps and too few rays are never below the true error."""
    for function, exact in (
        (lambda x: np.abs(x - 0.37), (0.37**2 + 0.63**2) / 2),
        (lambda x: (x > 0.61803) * 1.0, 1 - 0.61803),
        (lambda x: np.exp(-((x - 0.5) ** 2) / 2e-4), math.sqrt(2e-4 * math.pi)),
    ):
        panels = panels_on(one_line(), np.linspace(0, 1, 5))
        total, error = integral(panels, panels.values(function))
        assert abs(total - exact) <= error
        fine, values = refined(panels, function, 1e-12)
        np.testing.assert_array_equal(values, fine.values(function))
        total, error = integral(fine, values)
        assert abs(total - exact) <= max(error, 1e-13) < 1e-10
    narrow = lambda z: np.exp(-((z[:, 0] - 3) ** 2 + z[:, 1] ** 2) / 0.2)  # noqa: E731
    panels = panels_on(rays(16), np.linspace(0, 6, 200))
    total, error = integral(panels, panels.values(narrow))
    assert abs(total - 0.2 * math.pi) <= error
