"""Real releases of items: exact weights, every report reachable, the noise of counts, nothing that can be seeded."""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from scipy.stats import chi2

from dpot_core.mechanisms.central.noise import expected_size
from dpot_core.mechanisms.metric import secure_reports as module
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.frequency import k_rr
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.metric.secure_reports import report_weights, secure_laplace_counts, secure_reports

MECHANISMS = [
    *(Gkrr(ClusteredSpace(2, 3, r), a) for r in (0.1, 0.5, 1.0) for a in (1e-9, 0.3, 5.0, 40.0, 700.0)),
    k_rr(4, 1.3),
    Gkrr(ClusteredSpace(4, 1, 0.5), 2.0),
    *(HadamardResponse(5, e) for e in (1e-9, 0.7, 40.0, 700.0)),
]


def size(mechanism) -> int:
    return len(mechanism.space) if isinstance(mechanism, Gkrr) else mechanism.k


def exact_matrix(mechanism, monkeypatch: pytest.MonkeyPatch) -> list[list[Fraction]]:
    """The distribution of each item's report: every draw of `randbelow` weighed, without a random number."""
    weights = report_weights(mechanism)
    rows = []
    for item in range(size(mechanism)):
        row = [Fraction(0)] * mechanism.symbols
        if isinstance(mechanism, Gkrr):
            # The draw moves through intervals, each of which is one report.
            t, k = mechanism.space.size, len(mechanism.space)
            lengths = [weights[0], *[weights[1]] * (t - 1), *[weights[2]] * (k - t)]
            total = sum(lengths)
            for start, length in zip(itertools.accumulate([0, *lengths[:-1]]), lengths, strict=True):
                seen = set()
                for draw in (start, start + length - 1):
                    monkeypatch.setattr(module.secrets, "randbelow", partial(check, total, draw))
                    seen.add(module._gkrr_report(mechanism, weights, item))
                assert len(seen) == 1
                row[seen.pop()] += Fraction(length, total)
        else:
            total = sum(weights)
            for chosen, first in ((weights[0] - 1, weights[0]), (weights[0], weights[1])):
                for report in range(mechanism.symbols):
                    draws = iter([chosen, report])
                    monkeypatch.setattr(module.secrets, "randbelow", lambda most, draws=draws: next(draws))
                    row[module._hadamard_report(mechanism, weights, item)] += Fraction(first, total * mechanism.symbols)
        assert sum(row) == 1
        rows.append(row)
    return rows


def check(total: int, draw: int, most: int) -> int:
    assert most == total
    return draw


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_the_loss_of_every_report_is_within_the_promise_exactly(mechanism, monkeypatch: pytest.MonkeyPatch):
    rows = exact_matrix(mechanism, monkeypatch)
    with localcontext() as context:
        context.prec = 400
        for x, other in itertools.permutations(range(len(rows)), 2):
            if isinstance(mechanism, Gkrr):
                near = x // mechanism.space.size == other // mechanism.space.size
                rate = Fraction(mechanism.alpha_0) * (Fraction(mechanism.space.r) if near else 1)
            else:
                rate = Fraction(mechanism.epsilon)
            most = (Decimal(rate.numerator) / Decimal(rate.denominator)).exp()
            for p, q in zip(rows[x], rows[other], strict=True):
                ratio = p / q
                assert Decimal(ratio.numerator) / Decimal(ratio.denominator) <= most


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_the_probabilities_are_those_of_the_matrix(mechanism, monkeypatch: pytest.MonkeyPatch):
    rows = np.array([[float(p) for p in row] for row in exact_matrix(mechanism, monkeypatch)])
    np.testing.assert_allclose(rows, mechanism.matrix(), rtol=1e-13)


def test_reports_are_drawn_from_the_system_and_come_in_random_order():
    mechanism = Gkrr(ClusteredSpace(2, 2, 0.5), 700.0)
    reports = secure_reports(mechanism, np.tile([0, 1, 2, 3], (400, 1)))
    np.testing.assert_array_equal(np.sort(reports, axis=1), np.tile([0, 1, 2, 3], (400, 1)))
    assert np.bincount(reports[:, 0], minlength=4).min() > 50
    assert secure_reports(HadamardResponse(4, 1.0), [0, 3]).shape == (2,)
    many = secure_reports(k_rr(3, 1.0), np.zeros(3000, dtype=int))
    expected = 3000 * k_rr(3, 1.0).matrix()[0]
    # Pearson's chi-square: missed by chance once in 10^9 runs. Twice the epsilon would make it about 500.
    assert ((np.bincount(many, minlength=3) - expected) ** 2 / expected).sum() < chi2.isf(1e-9, 2)
    with pytest.raises(ValueError, match="items must lie in"):
        secure_reports(mechanism, [4])


def test_the_noise_of_counts_has_the_scale_of_the_proof(monkeypatch: pytest.MonkeyPatch):
    scales = []
    monkeypatch.setattr(
        module,
        "discrete_laplace",
        lambda counts, scale, rng, secure: (scales.append((scale, secure.proven)), counts)[1],
    )
    counts = np.array([3, 5, 0, 2])
    secure_laplace_counts(counts, 5, epsilon=0.5)
    secure_laplace_counts(counts, 5, alpha=4.0, space=ClusteredSpace(2, 2, 0.25))
    secure_laplace_counts(counts, 5, alpha=4.0, space=ClusteredSpace(4, 1, 0.25))
    assert scales == [(20.0, True), (10.0, True), (2.5, True)]
    for given in ({}, {"epsilon": 1.0, "alpha": 1.0}, {"alpha": 1.0}):
        with pytest.raises(ValueError, match="one of the two promises"):
            secure_laplace_counts(counts, 5, **given)
    with pytest.raises(ValueError, match="must be those of users with 3 items each"):
        secure_laplace_counts(counts, 3, epsilon=1.0)


@pytest.mark.parametrize("r", [0.25, 1.0])
def test_counts_move_by_no_more_than_the_proof_says(r: float):
    """Every pair of histories of three items: the 1-norm against the earth mover's distance."""
    space, m = ClusteredSpace(2, 2, r), 3
    histories = [np.bincount(items, minlength=4) for items in itertools.combinations_with_replacement(range(4), m)]
    reached = 0.0
    for one, other in itertools.combinations(histories, 2):
        change, d = np.abs(one - other).sum(), space.earth_movers(one / m, other / m)
        assert change <= min(2 * m, 2 * m * d / r) * (1 + 1e-9)
        reached = max(reached, change / (2 * m * d / r))
    assert reached == pytest.approx(1.0)


def test_noisy_counts_are_whole_and_centred():
    """Little noise, of scale 1: then a mean that is off by half a count shows, too (16 standard errors)."""
    counts = np.full(2000, 50)
    noisy = secure_laplace_counts(counts, 100, epsilon=200.0)
    assert noisy.dtype == np.int64
    # Six standard errors each: this cannot be seeded. Half the noise would have a mean size of 0.28 instead of 0.85.
    size, square = expected_size(1.0), 1 / (math.cosh(1.0) - 1)
    assert abs((noisy - counts).mean()) < 6 * math.sqrt(square / 2000)
    assert np.abs(noisy - counts).mean() == pytest.approx(size, abs=6 * math.sqrt((square - size**2) / 2000))
