import math

from dpot_app.kit.lesson import KPM, POLYTOPE, WPM, Bet, Exercise, Formula, Lesson, Task
from dpot_core.mechanisms import LABELS

LESSON = Lesson(
    (
        POLYTOPE,
        Formula(
            "WPM releases a draw from the allowed distribution that is nearest to the input.",
            r"\mathcal M[\mu]\in\arg\min_{\nu\in Q_{m,\varepsilon}} W_p(\nu,\mu),\qquad "
            r"W_p(\nu,\mu)^p=\min_{\pi\in\Pi(\mu,\nu)}\sum_{i,j} d(x_i,v_j)^p\,\pi_{ij}",
            f"{WPM}, Definition 3.1",
        ),
        Formula(
            "KPM takes the nearest one in every f-divergence. An f-divergence knows no distances.",
            r"\nu(x)=\max\Big(\frac{\mu(x)}{r},\ \frac{1}{e^{\varepsilon}+k-1}\Big),\quad r \text{ such that } "
            r"\sum_x\nu(x)=1",
            f"{KPM}, Theorem 3.1",
        ),
        Formula(
            "The worst input of WPM is one point: the cheapest outputs are filled first (a fractional knapsack).",
            r"\sup_\mu W_p(\mathcal M[\mu],\mu)=\max_i\varphi_i(m)^{1/p},\qquad "
            r"\varphi_i(m)=\min_{\nu\in Q_{m,\varepsilon}}\sum_j d(x_i,v_j)^p\,\nu_j",
            f"{WPM}, Theorem 3.5",
        ),
    ),
    (
        Exercise(
            "A person is always at one point of a ring with $k=30$ points. At $\\varepsilon=2$, with what probability "
            "does KPM release the truth? With what probability does it release a given other point?",
            "All points but one get the lower bound, so the truth gets the rest: "
            "$e^2/(e^2+29)=$ <truth>, and $1/(e^2+29)=$ <other> each. Their ratio is $e^2$: the promise is used up.",
            {"truth": "0.2031", "other": "0.0275"},
        ),
        Exercise(
            "How many steps is a release away on average, for KPM and for WPM with the best uniform base ($p=1$)? "
            "First estimate, then move the slider on the home page to $\\varepsilon=2$.",
            "KPM: the distances of a ring of 30 sum to $2(1+\\dots+14)+15=225$, so $225/(e^2+29)=$ <kpm> steps. WPM: "
            "<wpm> steps. It fills the nearest points up to their upper bound, and no mechanism around this base may "
            "do more.",
            {"kpm": "6.183", "wpm": "4.032"},
        ),
    ),
    Bet(
        "ring.outputs",
        "Which mechanism's output is nearest to this input",
        lambda result, *more: {LABELS[name]: distance for name, distance in result.distances.items()},
        "steps",
        "distance from the input (steps)",
    ),
    (
        Task(
            "ring.outputs",
            "WPM within 1.5 steps of the input, with odds of at most × 5 (ε up to 1.61).",
            lambda config, result, *more: (
                config.epsilon <= math.log(5) and result.distances.get("wpm", math.inf) <= 1.5
            ),
        ),
        Task(
            "ring.outputs",
            "An input for which KPM comes as near as WPM, within a tenth of a step.",
            lambda config, result, *more: (
                {"wpm", "kpm"} <= result.distances.keys() and result.distances["kpm"] <= result.distances["wpm"] + 0.1
            ),
        ),
    ),
)
