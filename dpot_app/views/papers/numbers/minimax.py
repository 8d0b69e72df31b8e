"""Exactly minimax-optimal sampling: minimax_ldp_sampling."""

import math
from collections.abc import Callable

import numpy as np

from dpot_app.kit.page import page_of
from dpot_app.kit.values import filled
from dpot_app.views.papers.row import Number, Numbers, exact, mean_of
from dpot_core.arguments import Array
from dpot_core.datasets.published_mixtures import published_mixtures
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms.continuous.densities import kl_projection_density
from dpot_core.mechanisms.continuous.gaussian import gaussian_mixture_family, gaussian_reference
from dpot_core.mechanisms.continuous.mbde import boosted_density
from dpot_core.mechanisms.finite_reference import packing, reference_base, worst_case_between
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.randomized_response import randomized_response
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import worst_case_divergence

_NAMES = {"kl": "KL", "tv": "TV", "hellinger": "Hellinger²"}
#: P of Figure 2, in the authors' program.
FIGURE_2 = (0.3, 0.25, 0.2, 0.15, 0.1)
_EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0)


def finite(k: int) -> Callable[[], Numbers]:
    """Worst cases by Theorem 3.1 and of the mollifier around the uniform distribution."""

    def compute() -> Numbers:
        numbers: dict[str, Number] = {}
        least = math.inf
        for name, label in _NAMES.items():
            for epsilon in _EPSILONS:
                ours, theirs = (
                    worst_case_divergence(name, k, epsilon, mechanism=mechanism)
                    for mechanism in ("minimax", "mollifier")
                )
                least = min(least, theirs - ours)
                if epsilon == 1.0:
                    numbers |= {f"{label}, KPM, ε = 1": Number(ours), f"{label}, baseline, ε = 1": Number(theirs)}
        return numbers | {"least lead over the baseline, 15 bars": Number(least)}

    return compute


def theorem_3_1() -> Numbers:
    """The formula against the mechanism itself: at points, and at 300 random inputs."""
    k, epsilon, rng = 10, 1.0, np.random.default_rng(1)
    Q = Polytope(minimax_base_kl(k, epsilon), epsilon)
    inputs = np.vstack([np.eye(k), rng.dirichlet(np.full(k, 0.2), 300)])
    outputs = kl_projection(inputs, Q)
    numbers = {}
    for name, label in _NAMES.items():
        found = np.asarray(DIVERGENCES[name](inputs, outputs))
        numbers[f"{label}: largest found"] = Number(float(found.max()))
        numbers[f"{label}: R"] = Number(worst_case_divergence(name, k, epsilon))
    return numbers


def theorem_3_3() -> Numbers:
    """R of the family on the line at epsilon 1, and what 200 random mixtures reach."""
    family, rng = gaussian_mixture_family(), np.random.default_rng(1)
    found = []
    for _ in range(200):
        modes = min(int(rng.poisson(2)) + 1, 10)
        p = family.mixture(rng.uniform(-1, 1, modes).tolist(), rng.dirichlet(np.ones(modes)).tolist())
        found.append(kl_projection_density(p, family, 1.0).divergences()["tv"])
    return exact(R_in_total_variation=family.worst_case("tv", 1.0), largest_of_200_mixtures=max(found))


def universal() -> Numbers:
    """Proposition 3.4: no q in the polytope is nearer to P than KPM's, in three divergences and in 40 hockey sticks."""
    k, epsilon, rng = 6, 1.0, np.random.default_rng(4)
    Q = Polytope(minimax_base_kl(k, epsilon), epsilon)
    inputs = rng.dirichlet(np.full(k, 0.5), 20)
    outputs = kl_projection(inputs, Q)
    least = dict.fromkeys((*_NAMES.values(), "40 hockey-stick divergences"), math.inf)
    for mu, nu in zip(inputs, outputs, strict=True):
        others = np.array([Q.repair(one) for one in rng.dirichlet(np.full(k, 1.0), 200)])
        others = np.vstack([others, 0.9 * nu + 0.1 * others, 0.999 * nu + 0.001 * others])
        same = np.tile(mu, (len(others), 1))
        for name, label in _NAMES.items():
            ahead = DIVERGENCES[name](same, others) - DIVERGENCES[name](mu[None], nu[None])
            least[label] = min(least[label], float(ahead.min()))
        # D_f is a mixture of these for every convex f, so that no f is left out between the grid's points.
        for height in np.geomspace(0.05, 20.0, 40):
            ahead = np.maximum(mu - height * others, 0.0).sum(axis=1) - np.maximum(mu - height * nu, 0.0).sum()
            least["40 hockey-stick divergences"] = min(least["40 hockey-stick divergences"], float(ahead.min()))
    return {f"least lead of KPM in {label}": Number(value) for label, value in least.items()}


def lipschitz() -> Numbers:
    family, rng = gaussian_mixture_family(), np.random.default_rng(2)
    x = np.linspace(-4, 4, 8001)
    shares = []
    for _ in range(40):
        pair = [family.mixture(rng.uniform(-1, 1, 2).tolist(), rng.dirichlet(np.ones(2)).tolist()) for _ in range(2)]
        outs = [kl_projection_density(p, family, 1.0) for p in pair]
        moved = np.trapezoid(np.abs(outs[0].density(x) - outs[1].density(x)), x)
        apart = np.trapezoid(np.abs(pair[0](x) - pair[1](x)), x)
        shares.append(float(moved / apart) / (2 / max(out.r for out in outs)))
    return {"TV(Q, Q')/TV(P, P') over its bound, largest": Number(max(shares)), "mean": mean_of(shares)}


def remark_3_5() -> Numbers:
    """Remark 3.5: sampling and then k-ary randomized response has the same worst case, and is beaten elsewhere."""
    k, epsilon = 10, 1.0
    Q = Polytope(minimax_base_kl(k, epsilon), epsilon)
    inputs = np.vstack([np.eye(k), np.random.default_rng(6).dirichlet(np.full(k, 0.5), 200)])
    krr, kpm = randomized_response(inputs, epsilon), kl_projection(inputs, Q)
    far, near = (np.asarray(DIVERGENCES["kl"](inputs, outputs)) for outputs in (krr, kpm))
    ours = exact(worst_KL_of_KPM=near.max(), least_lead_of_KPM=(far - near).min())
    return {"worst KL of k-RR": Number(float(far.max()))} | ours


def figure_1() -> Numbers:
    """KL of KPM and of the exact mollifier from the ring, by either envelope, and of MBDE, which no envelope enters."""
    shown = page_of("mixture.plane").view("mixture.plane")
    numbers: dict[str, Number] = {}

    def costs(**settings: object) -> dict[str, float]:
        table = shown.run(filled(shown.example, settings)).tables()["plane-numbers"]
        return {str(name): float(kl) for name, kl in zip(table["mechanism"], table["kl"], strict=True)}

    for envelope in ("paper", "authors"):
        found = costs(**{"family.envelope": envelope})
        for name, label in (("kpm", "KPM"), ("mollifier", "the exact mollifier")):
            numbers[f"KL of {label}, h of the {envelope}"] = Number(found[name])
    trained = [costs(mechanisms=("mbde",), training=seed)["mbde"] for seed in range(1, 6)]
    return numbers | {"KL of MBDE": mean_of(trained)}


def figure_4() -> Numbers:
    """Largest divergences over the paper's 100 mixtures at epsilon 1: ours, and the authors' published maxima."""
    shown = page_of("mixture.many").view("mixture.many")
    tables = shown.run(filled(shown.example, {"source": "published"})).tables()
    ours, published = (tables[name].set_index(["epsilon", "mechanism"]) for name in ("fig4-worst", "fig4-published"))
    numbers: dict[str, Number] = {}
    for name, label in _NAMES.items():
        for whose, table in (("", ours), (", published", published)):
            numbers[f"{label} of KPM{whose}"] = Number(float(table[name].to_dict()[1.0, "kpm"]))
        numbers[f"{label} of the exact mollifier"] = Number(float(ours[name].to_dict()[1.0, "mollifier"]))
        numbers[f"{label} of MBDE, published"] = Number(float(published[name].to_dict()[1.0, "mbde"]))
    return numbers


def figure_2() -> Numbers:
    """The authors' P under KPM: total variation to P, and to the uniform distribution."""
    mu = np.array(FIGURE_2)
    numbers = {}
    for epsilon in (0.01, 0.1, 0.5, 1.0, 5.0):
        nu = kl_projection(mu, Polytope(minimax_base_kl(len(mu), epsilon), epsilon))
        for words, other in (("P", mu), ("the uniform distribution", np.full(len(mu), 1 / len(mu)))):
            numbers[f"TV of KPM to {words}, ε = {epsilon:g}"] = Number(float(np.abs(nu - other).sum() / 2))
    return numbers


def references() -> Numbers:
    """Theorem C.4 on a reference that decomposes and on one that does not, epsilon 1, 60 extreme inputs each."""
    rng, numbers = np.random.default_rng(8), dict[str, Number]()
    for reference in ((0.5, 0.25, 0.25), (0.7, 0.2, 0.1)):
        high = 2.0 * np.array(reference)
        # Inputs that take 0 and twice the reference where they can: filled up in every order.
        inputs = [_filled(high, rng.permutation(3).tolist()) for _ in range(60)]
        Q = Polytope(reference_base(reference, 0.0, 2.0, 1.0), 1.0)
        outputs = kl_projection(np.array(inputs), Q)
        words = ", ".join(f"{share:g}" for share in reference)
        numbers[f"share that sets of mass α cover, reference {words}"] = Number(packing(reference, 0.0, 2.0))
        numbers[f"R in total variation, reference {words}"] = Number(worst_case_between("tv", 0.0, 2.0, 1.0))
        numbers[f"largest found, reference {words}"] = Number(
            float(np.asarray(DIVERGENCES["tv"](np.array(inputs), outputs)).max())
        )
    return numbers


def _filled(high: Array, order: list[int]) -> Array:
    p, left = np.zeros(len(high)), 1.0
    for point in order:
        p[point] = min(high[point], left)
        left -= p[point]
    return p


def boosted() -> Numbers:
    """MBDE, ours and the authors', over their 100 mixtures at epsilon 1; around N(0, 1) on [-4, 4]."""
    family, reference = gaussian_mixture_family(), gaussian_reference(1.0, (-4.0, 4.0))
    found: dict[str, list[float]] = {label: [] for label in _NAMES.values()}
    theirs: dict[str, list[float]] = {label: [] for label in _NAMES.values()}
    for seed, row in enumerate(published_mixtures()["rows_epsilon_1"]):
        # Weights sum to 1 up to rounding.
        mixture = family.mixture(row["means"], [weight / sum(row["weights"]) for weight in row["weights"]])
        ours = boosted_density(mixture, reference, 1.0, np.random.default_rng(seed)).divergences()
        for name, label in _NAMES.items():
            found[label].append(ours[name])
            theirs[label].append(row["mbde"]["squared_hellinger" if name == "hellinger" else name])
    numbers: dict[str, Number] = {}
    for label, values in found.items():
        numbers |= {f"{label}, ours": mean_of(values), f"{label}, published": mean_of(theirs[label])}
        numbers |= {
            f"{label}, ours, largest": Number(max(values)),
            f"{label}, published, largest": Number(max(theirs[label])),
        }
        ratios = [one / other for one, other in zip(values, theirs[label], strict=True)]
        numbers[f"{label}, ours over published, least"] = Number(min(ratios))
        numbers[f"{label}, ours over published, largest"] = Number(max(ratios))
    return numbers
