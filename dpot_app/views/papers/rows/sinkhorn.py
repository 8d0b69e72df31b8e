"""Differentially private Sinkhorn: dp_sinkhorn."""

from dpot_app.views.papers.numbers import sinkhorn as ours
from dpot_app.views.papers.row import Number, Row, headlines
from dpot_core.mechanisms.central import sinkhorn_theory as theory

_WAYS = ("Direct Laplace", "Histograms first", "Noisy Sinkhorn, proven")
ROWS = (
    Row(
        key="sinkhorn-algorithm1",
        place="Algorithm 1",
        setting="noisy Sinkhorn on the points",
        verdict="differs",
        claim="The potentials of all points are (ε, δ)-private",
        source="section IV",
        why="Not proven: its sensitivity holds the points fixed, and the own potential of the person who changes "
        "moves by up to |c|, whatever n is. The page also has a variant on a public grid that is proven.",
        view="sinkhorn.theorem",
        compute=lambda: headlines("sinkhorn.theorem"),
    ),
    Row(
        key="sinkhorn-theorem1",
        place="Theorem 1",
        setting="any σ² < 1 and M",
        verdict="differs",
        claim="(1 − ρ)^k (a0 − τM/(2ρ)) + τM/(2ρ): linear convergence to a neighbourhood",
        source="section IV, (6)",
        why="ρ is below 1e-35 at η = 0.3 |c|, so it says nothing there. And noise of variance M raises the "
        "objective by η (e^(M/η²) − 1), more than the τM/2 that Lemma 4 counts.",
        view="sinkhorn.convergence",
        compute=ours.rate,
    ),
    Row(
        key="sinkhorn-theorem2",
        place="Theorem 2",
        setting="K = 5, η = 4 |c|, M = |c|², n = 500, δ = 1e-5",
        claim="ε = K C/M + sqrt(K C log(1/δ)/M) with C = Δ/2",
        source="section IV",
        verdict="differs",
        why="Two slips: the conversion from Rényi has a factor 2, and a Gaussian's Rényi parameter is Δ²/2, not Δ/2.",
        view="sinkhorn.theorem",
        compute=ours.privacy,
    ),
    Row(
        key="sinkhorn-remark2",
        place="Remarks 1 and 2",
        setting="two Gaussians, n = 500, K = 5",
        verdict="agrees",
        claim="M may be replaced by σ² p^K + M in Theorem 2; it does not affect the trade-off",
        source="section IV",
        why="p is not given; ours is the ratio of the first two steps without noise. What is added is below a "
        "millionth of the M that is needed.",
        view="sinkhorn.convergence",
        compute=ours.credit,
    ),
    Row(
        key="sinkhorn-cor1",
        place="Corollary 1",
        setting="ε = 1, δ = 1e-5",
        verdict="differs",
        claim="The error falls like C_η/(ε − ε0)",
        source="section IV, (7) and (17)",
        why="True in form; C_η has exp(48 |c|/η), so that (7) bounds nothing unless η is many times |c|.",
        view="sinkhorn.convergence",
        compute=ours.tradeoff,
    ),
    Row(
        key="sinkhorn-cor1-optimal",
        place="Corollary 1",
        panel="optimal K and M",
        setting="n = 10⁶, δ = 1e-5, a0 = |c|",
        verdict="differs",
        claim="σ = 0, M = O(log(1/(ε − ε0))), K = (ε − ε0) M/(α C)",
        source="section IV, after Corollary 1, and section V-C",
        why="The printed M* has lost a0. With it M falls with ε like log(ε − ε0)/(ε − ε0), and K grows. Where noise "
        "costs more than rounds gain the best is no round at all (K = 0): always at η = |c|, where rounds gain "
        "e^−24 of a0.",
        view="sinkhorn.convergence",
        compute=ours.least_bound,
    ),
    Row(
        key="sinkhorn-remark3",
        place="Remark 3",
        setting="two Gaussians, n = 500, η = 10 |c|, M = 0.01 |c|², K = 5",
        verdict="agrees",
        claim="Adaptive noise does not pay: σ = 0",
        source="section IV",
        why="And from σ = 1/√(2n), here 0.03, noise feeds itself: s² counts the squared length of 2n entries, of which "
        "each gets s². Theorem 1, which allows every σ < 1, takes Z's squared length for s² instead of 2n s².",
        view="sinkhorn.convergence",
        compute=ours.adaptive,
        pace="short",
        seed="0 to 19",
    ),
    Row(
        key="sinkhorn-remark4",
        place="Remark 4",
        verdict="beyond",
        claim="1/ε up to a log, as unconstrained optimisation",
        source="section IV",
        why="A comparison of orders with other papers.",
    ),
    Row(
        key="sinkhorn-theorem3",
        place="Theorem 3",
        setting="two stages, n = 1,000, gap 0.01 |c|, ε = 0.5 each",
        claim="u1 + u2 bound the error of the released cost",
        source="section IV-C, (10) and (11)",
        verdict="differs",
        why="u1 is small only at η that u2 does not bear: there it leaves every number. The exact cost with Laplace "
        "noise of scale |c|/(n ε) needs none of this.",
        view="sinkhorn.cost",
        compute=ours.two_stages,
    ),
    Row(
        key="sinkhorn-cor2",
        place="Corollary 2",
        panel="(12) and (13)",
        setting="gap 0.01 |c|, ε = 1, n = 500 in (13)",
        claim="ε = ε₁ + ε₂ minimises (12), η minimises (13)",
        source="section IV-C",
        verdict="differs",
        why="The minimum lies at the largest η that is allowed, where the plan is nearly a product. At the η that "
        "Theorem 3 allows no split of ε has a bound. Beyond, the best split of a million points promises an error of "
        "tens of thousands of |c|.",
        view="sinkhorn.cost",
        compute=ours.split,
    ),
    Row(
        key="sinkhorn-theorem4",
        place="Theorems 4 and 5",
        setting="η = gap/(1 + log n), 20 assignments of 5 points, all vertices listed",
        verdict="agrees",
        claim="|E M1 − g1| ≤ u + √2 b; (Δ/b, 0)-private",
        source="section V-D",
        why="Laplace noise has mean 0, so that u alone bounds the left side. √2 b is what the noise adds to one draw, "
        "33 times that of direct Laplace noise at Lemma 5's sensitivity.",
        view="sinkhorn.cost",
        compute=ours.entropic_excess,
        pace="short",
        seed="7",
    ),
    Row(
        key="sinkhorn-lemma5",
        place="Lemma 5 and Remark 5",
        setting="n = 500",
        verdict="agrees",
        claim="⟨c, π_η⟩ moves by at most 2|c|/n + min(η log n, |c|, …)",
        source="section V-D",
        why="The formula; the exact cost itself moves by |c|/n only.",
        view="sinkhorn.cost",
        compute=lambda: {
            f"bound at η = {eta:,g} |c|, over |c|": Number(theory.linear_sensitivity(eta, 1.0, 500))
            for eta in (1e-4, 0.3, 10.0, 1000.0)
        },
    ),
    Row(
        key="sinkhorn-theorem6",
        place="Theorem 6",
        setting="two Gaussians, n = 100, η = 10 |c|, M = 1e-4 |c|², K = 5",
        verdict="differs",
        claim="E⟨c, π_k − π_η⟩ ≤ C sqrt(2 a0 (1 − ρ)^k/τ + M/ρ)",
        source="section V-D",
        why="Its constants are not those of its proof: printed are ρ = e^(−24|c|)/sqrt(2n|c|) and C without n |c|. In "
        "either form it exceeds every cost, which noise of this size moves by less than a ten-thousandth.",
        view="sinkhorn.cost",
        compute=ours.noisy_plan,
        seed="0 to 39",
    ),
    Row(
        key="sinkhorn-lemmas",
        place="Lemmas 1 to 4",
        verdict="beyond",
        claim="Bounded potentials, smoothness, descent",
        source="section V",
        why="Steps of proofs. Lemma 1's bounds fail once there is noise; Lemma 4 is met under Theorem 1.",
    ),
    Row(
        key="sinkhorn-cost",
        place="Section IV-C",
        panel="baseline",
        setting="two Gaussians, n = 20,000, ε = 1, 8 × 8 grid",
        claim="Private Sinkhorn makes the private cost fast",
        source="section IV-C",
        verdict="differs",
        why="The exact cost with Laplace noise is nearer by orders at once: its sensitivity is |c|/n. Plan and "
        "potentials are what noisy Sinkhorn is for.",
        view="sinkhorn.cost",
        compute=lambda: headlines("sinkhorn.cost", *(f"Median error of the cost, {way}" for way in _WAYS)),
        pace="short",
        seed="0",
    ),
)
