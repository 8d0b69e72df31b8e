import math

from dpot_app.kit.lesson import BARYCENTERS, Bet, Exercise, Formula, Lesson, Task
from dpot_app.views.population.distances import excess
from dpot_app.views.population.map.results import MapResult
from dpot_app.views.population.settings import BARYCENTERS as NAMES


def _farther(result: MapResult) -> dict[str, float]:
    """By how many percent people are farther from each release than from the best points known, by its name."""
    best, p = result.reference.cost, result.reference.objective.p
    costs = {name: draws[0].cost for name, draws in result.draws.items()}
    typical = best ** (1.0 / p)
    return {NAMES[name]: 100.0 * max(float(excess(cost ** (1.0 / p), typical)), 0.0) for name, cost in costs.items()}


LESSON = Lesson(
    (
        Formula(
            "m places that serve all groups: the barycenter has the smallest average transport cost.",
            r"\min_{\nu=\frac1m\sum_j\delta_{\nu_j}}\ \frac1k\sum_{i=1}^{k}W_2^2(\mu_i,\nu)",
            f"{BARYCENTERS}, section 2",
        ),
        Formula(
            "A private measure adds noise to the counts of nested cells. The levels share ε; replacing a person "
            "changes two cells of a level.",
            r"\sum_{j}\frac{2}{\sigma_j}=\varepsilon,\qquad \sigma_j\propto\frac{1}{\sqrt{D_{j-1}}},\quad "
            r"D_j=2^{j}\,2^{-j/d}",
            f"{BARYCENTERS}, Algorithm 1, after He, Vershynin, Zhu 2023",
        ),
        Formula(
            "A uniform sample of a population hides who is in it: less ε towards the population, δ times q.",
            r"\varepsilon_{\text{population}}=\log\big(1+q\,(e^{\varepsilon}-1)\big),\qquad q=n/N",
            "Balle, Barthe, Gaboardi 2018, Theorem 9",
        ),
        Formula(
            "The paper's noise on the atoms. Its constant is proven for ε < 1 only. The sensitivity it assumes does "
            "not hold for an arg-min. The page says which guarantee is proven.",
            r"\sigma^2=\frac{2\,m\,\log(1.25/\delta)}{(\varepsilon\,k\,k')^2}",
            f"{BARYCENTERS}, Algorithm 2",
        ),
    ),
    (
        Exercise(
            "200,000 people are sampled from 314 million. Which $\\varepsilon$ may be spent on the sample so that the "
            "population keeps $\\varepsilon=1$?",
            "$\\log(1+(e-1)\\,N/n)=$ <sample>. A promise that looks weak for the sample is strong for the population, "
            "as long as the sample stays secret.",
            {"sample": "7.901"},
        ),
        Exercise(
            "In the same way $\\varepsilon=5$ leaves 12.35 for the sample. At $\\varepsilon=12.35$ and "
            "$\\delta=5\\cdot10^{-6}$, compare the classical Gaussian noise "
            "$\\sqrt{2\\log(1.25/\\delta)}/\\varepsilon$ with what is needed (sensitivity 1).",
            "Classical: <classical>; needed (analytic Gaussian mechanism): <needed>. The classical formula is too "
            "*small* here: it is a theorem for $\\varepsilon<1$ only, where it is too large instead.",
            {"classical": "0.404", "needed": "0.432"},
        ),
    ),
    Bet(
        "population.map",
        "Which private points are nearer to the people",
        _farther,
        "%",
        "farther from people than the best known (%)",
    ),
    (
        Task(
            "population.map",
            "Private points of either kind within 0.5% of the best known, with odds of at most × 2 (ε up to 0.69).",
            lambda config, result: config.epsilon <= math.log(2) and min(_farther(result).values()) <= 0.5,
        ),
    ),
)
