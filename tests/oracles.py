"""Slow, obvious answers that the numerical core is held against.

Nothing here imports the core: a mistake there cannot hide here as well. Numbers that decide about
privacy are exact: floats are rationals, and e^epsilon is bracketed by two rationals.
"""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy import sparse
from scipy.optimize import linprog, minimize_scalar

# ---------------------------------------------------------------- exact ratios


@lru_cache(maxsize=4096)
def exp_bounds(exponent: float) -> tuple[Fraction, Fraction]:
    """Two rationals around e^exponent, 1e-60 apart relatively; the float exponent is taken as exact."""
    with localcontext() as context:
        context.prec = 90
        value = Fraction(Decimal(exponent).exp())
    slack = value / 10**60
    return value - slack, value + slack


def at_most_exp(numerator, denominator, epsilon: float) -> bool:
    """numerator <= e^epsilon * denominator, decided exactly (0 <= 0 holds, x <= 0 does not).

    e^epsilon is transcendental for a rational epsilon != 0, so a ratio inside the bracket would need 60 equal
    digits; that is an error of the caller and not something to decide by a coin.
    """
    low, high = exp_bounds(float(epsilon))
    numerator, denominator = Fraction(numerator), Fraction(denominator)
    if numerator <= low * denominator:
        return True
    if numerator > high * denominator:
        return False
    raise AssertionError("ratio equals e^epsilon to 60 digits")


def ratio_violations(outputs, epsilon: float) -> list[tuple[int, float, float]]:
    """Columns of outputs (n, k_v) whose largest entry exceeds e^epsilon times the smallest one."""
    return [
        (j, float(column.max()), float(column.min()))
        for j, column in enumerate(np.atleast_2d(outputs).T)
        if not at_most_exp(float(column.max()), float(column.min()), epsilon)
    ]


def largest_ratio(matrix) -> tuple[Fraction | float, int]:
    """Brute force over all pairs of rows and all outputs: (largest ratio, output), 0/0 skipped, x/0 infinite."""
    best: Fraction | float = Fraction(1)
    where = 0
    rows = [[Fraction(float(x)) for x in row] for row in np.atleast_2d(matrix)]
    for j in range(len(rows[0])):
        for a, b in itertools.permutations(range(len(rows)), 2):
            top, bottom = rows[a][j], rows[b][j]
            if top == 0:
                continue
            if bottom == 0:
                return math.inf, j
            if top / bottom > best:
                best, where = top / bottom, j
    return best, where


def sum_error_in_ulps(nu) -> float:
    """Distance of the exact sum of floats from 1, in units of the spacing of floats at 1."""
    total = sum((Fraction(float(x)) for x in nu), Fraction(0))
    return float(abs(total - 1) / Fraction(np.finfo(float).eps))


# ---------------------------------------------------------------- transport


def _solve(cost, scale: float = 1.0, **constraints):
    """HiGHS with its tightest tolerances. They are absolute: costs are scaled to a largest one of 1 first.

    With masses of 1e-11 its presolve may call a program infeasible whose sums differ by rounding: then without.
    """
    for presolve in (True, False):
        answer = linprog(
            np.asarray(cost) / scale,
            bounds=(0, None),
            method="highs",
            options={
                "presolve": presolve,
                "primal_feasibility_tolerance": 1e-10,
                "dual_feasibility_tolerance": 1e-10,
            },
            **constraints,
        )
        if answer.status == 0:
            break
    assert answer.status == 0, answer.message
    return float(answer.fun) * scale, answer.x


def transport_lp(mu, nu, cost) -> float:
    """Optimal transport cost between two fixed marginals (HiGHS)."""
    k, k_v = cost.shape
    rows = sparse.kron(sparse.eye(k), np.ones((1, k_v)))
    columns = sparse.kron(np.ones((1, k)), sparse.eye(k_v))
    value, _ = _solve(
        np.ravel(cost),
        float(np.max(cost)) or 1.0,
        A_eq=sparse.vstack([rows, columns]).tocsr(),
        b_eq=np.concatenate([mu, nu]),
    )
    return value


def projection_lp(mu, cost, lower, upper) -> tuple[float, np.ndarray]:
    """min <C, pi> with row sums mu and column sums in [lower, upper]: (value, column sums)."""
    k, k_v = cost.shape
    rows = sparse.kron(sparse.eye(k), np.ones((1, k_v)))
    columns = sparse.kron(np.ones((1, k)), sparse.eye(k_v))
    value, plan = _solve(
        np.ravel(cost),
        float(np.max(cost)) or 1.0,
        A_ub=sparse.vstack([columns, -columns]).tocsr(),
        b_ub=np.concatenate([upper, -np.asarray(lower)]),
        A_eq=rows.tocsr(),
        b_eq=mu,
    )
    return value, plan.reshape(k, k_v).sum(axis=0)


def dirac_value(costs, base, epsilon: float) -> float:
    """phi_i(m): the cheapest output of the polytope for a point input, by filling the cheapest places first."""
    alpha, beta = math.exp(-epsilon / 2), math.exp(epsilon / 2)
    left = 1.0 - alpha * math.fsum(base)
    value = alpha * math.fsum(c * m for c, m in zip(costs, base, strict=True))
    for c, m in sorted(zip(costs, base, strict=True)):
        taken = min(max(left, 0.0), (beta - alpha) * m)
        value += taken * c
        left -= taken
    return value


def worst_dirac(cost, base, epsilon: float) -> float:
    """max_i phi_i(m), in units of the cost."""
    return max(dirac_value(row, base, epsilon) for row in np.asarray(cost).tolist())


def best_uniform_value(cost, epsilon: float) -> tuple[float, float]:
    """Least max_i phi_i over the uniform base measures, and its mass. Convex in the mass: bounded search."""
    k_v = cost.shape[1]
    found = minimize_scalar(
        lambda mass: worst_dirac(cost, [mass / k_v] * k_v, epsilon),
        bounds=(math.exp(-epsilon / 2), math.exp(epsilon / 2)),
        method="bounded",
        options={"xatol": 1e-11},
    )
    return float(found.fun), float(found.x)


def minimax_lp(cost, epsilon: float) -> tuple[float, np.ndarray]:
    """min over the base m of max_i phi_i(m), as one LP in (q_1..q_k, m, t): (value, base)."""
    k, k_v = cost.shape
    n = k * k_v
    alpha, beta = math.exp(-epsilon / 2), math.exp(epsilon / 2)
    each = sparse.eye(n)
    spread = sparse.kron(np.ones((k, 1)), sparse.eye(k_v))
    largest = float(np.max(cost)) or 1.0
    costs = sparse.block_diag([row[None, :] for row in np.asarray(cost) / largest])
    sums = sparse.kron(sparse.eye(k), np.ones((1, k_v)))
    unequal = sparse.bmat(
        [[each, -beta * spread, None], [-each, alpha * spread, None], [costs, None, -np.ones((k, 1))]]
    )
    equal = sparse.hstack([sums, sparse.csr_matrix((k, k_v + 1))])
    value, x = _solve(
        np.concatenate([np.zeros(n + k_v), [1.0]]),
        A_ub=unequal.tocsr(),
        b_ub=np.zeros(unequal.shape[0]),
        A_eq=equal.tocsr(),
        b_eq=np.ones(k),
    )
    return value * largest, x[n : n + k_v]


# ---------------------------------------------------------------- entropic


def kl_projection(s, lower, upper) -> np.ndarray:
    """clip(e^theta s, lower, upper) with sum 1, by 110 halvings of theta. Places with s = 0 stay at lower."""
    log_s = np.full(len(s), -np.inf)
    np.log(s, out=log_s, where=np.asarray(s) > 0)
    low, high = -2000.0, 2000.0
    for _ in range(110):
        theta = (low + high) / 2
        with np.errstate(over="ignore"):
            q = np.clip(np.exp(np.minimum(theta + log_s, 700.0)), lower, upper)
        low, high = (theta, high) if math.fsum(q) < 1 else (low, theta)
    return q


def entropic_projection(mu, cost, lower, upper, reg: float, iterations: int) -> np.ndarray:
    """Algorithm 1 with logarithms throughout and bisection, on supp(mu) x supp(upper)."""
    rows, columns = np.flatnonzero(mu), np.flatnonzero(upper)
    log_k = -cost[np.ix_(rows, columns)] / reg
    log_mu = np.log(mu[rows])
    log_v = np.zeros(len(columns))
    for _ in range(iterations):
        log_u = log_mu - np.logaddexp.reduce(log_k + log_v, axis=1)
        log_s = np.logaddexp.reduce(log_k + log_u[:, None], axis=0)
        peak = log_s.max()
        q = kl_projection(np.exp(log_s - peak), lower[columns], upper[columns])
        log_v = np.log(q) - log_s
    nu = np.zeros(cost.shape[1])
    nu[columns] = q
    return nu


def hilbert_distance(x, y) -> float:
    """log(max(x/y) / min(x/y)) of two positive vectors."""
    gaps = np.log(x) - np.log(y)
    return float(gaps.max() - gaps.min())


def birkhoff_contraction(kernel) -> float:
    """tau(K) = tanh(Delta / 4), Delta over all quadruples, by four loops' worth of broadcasting."""
    log_k = np.log(kernel)
    cross = log_k[:, None, :, None] + log_k[None, :, None, :] - log_k[:, None, None, :] - log_k[None, :, :, None]
    return math.tanh(float(cross.max()) / 4)


# ---------------------------------------------------------------- densities and baselines


def f_divergence(p, q, name: str) -> float:
    """One pair, one loop, conventions of the project (0 log 0 = 0, p > 0 over q = 0 is infinite)."""
    total = 0.0
    for a, b in zip(p, q, strict=True):
        if name == "tv":
            total += abs(a - b) / 2
        elif name == "hellinger":
            total += (math.sqrt(a) - math.sqrt(b)) ** 2 / 2
        elif a == 0 and b == 0:
            continue
        elif b == 0:
            return math.inf
        elif name == "kl":
            total += a * math.log(a / b) if a > 0 else 0.0
        elif name == "chi2":
            total += (a - b) ** 2 / b
        else:
            raise KeyError(name)
    return total


def minimax_kl_output(p, epsilon: float) -> tuple[np.ndarray, float]:
    """max(P / r, 1 / (e^eps + k - 1)) with sum 1, by bisection on r: (output, r)."""
    p = np.asarray(p, dtype=float)
    floor = 1 / (math.exp(epsilon) + len(p) - 1)
    low, high = 1.0, 1 + (len(p) - 1) * math.exp(-epsilon)
    for _ in range(200):
        r = (low + high) / 2
        low, high = (r, high) if math.fsum(np.maximum(p / r, floor)) > 1 else (low, r)
    return np.maximum(p / r, floor), r


def mirror_descent(cost, epsilon: float, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Appendix G, step by step: (averaged base, f at every iterate)."""
    k, k_v = cost.shape
    alpha, beta = math.exp(-epsilon / 2), math.exp(epsilon / 2)
    step = math.sqrt(2 * (1 + math.log(k))) / (beta * cost.max() * math.sqrt(steps))
    m = np.full(k_v, 1 / (alpha * k_v))
    total, trace = np.zeros(k_v), []
    order = np.argsort(cost, axis=1, kind="stable")
    for _ in range(steps):
        total += m
        values, thresholds = [], []
        for i in range(k):
            filled = alpha * m.sum()
            tau = cost[i, order[i, -1]]
            for j in order[i]:
                filled += (beta - alpha) * m[j]
                if filled >= 1:
                    tau = cost[i, j]
                    break
            gain = alpha * np.maximum(cost[i] - tau, 0) - beta * np.maximum(tau - cost[i], 0)
            values.append(tau + gain @ m)
            thresholds.append(tau)
        worst = int(np.argmax(values))
        trace.append(values[worst])
        gain = alpha * np.maximum(cost[worst] - thresholds[worst], 0)
        gain -= beta * np.maximum(thresholds[worst] - cost[worst], 0)
        m = m * np.exp(-step * gain)
        m *= min(max(m.sum(), alpha), beta) / m.sum()
    return total / steps, np.array(trace)
