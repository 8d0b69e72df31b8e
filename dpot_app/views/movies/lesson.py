import math

from dpot_app.films.releases import MECHANISMS
from dpot_app.kit.lesson import POLYTOPE, WPM, Bet, Exercise, Formula, Lesson, Task

LESSON = Lesson(
    (
        POLYTOPE,
        Formula(
            "Hit Rate@1 is computed, not sampled: the probability that the released film is one that the user likes.",
            r"\mathrm{HR@1}=\frac1n\sum_{u}\ \sum_j\nu^{(u)}_j\,\mathbf 1[\text{user } u \text{ rates } j \text{ with "
            r"4 or more}]",
            f"{WPM}, section 5.2",
        ),
        Formula(
            "The exponential mechanism prefers films near to the input; S is how much one input can change that.",
            r"\Pr[j]\propto\exp\Big(\frac{\varepsilon\,u_j}{2S}\Big),\quad u_j=-\mathbb E_{i\sim\mu}\,d(i,j),\quad "
            r"S=\max_j\big(\max_i d_{ij}-\min_i d_{ij}\big)",
            f"{WPM}, section 5 (baselines)",
        ),
        Formula(
            "Several films from one user: hits accumulate, and so does ε (basic composition).",
            r"\mathrm{HR@10}=1-(1-h)^{10},\qquad \varepsilon_{\text{total}}=10\,\varepsilon",
            "Dwork and Roth 2014, Theorem 3.16",
        ),
    ),
    (
        Exercise(
            "250 films can be released. With what probability does k-RR release the intended film at $\\varepsilon=2$? "
            "How large must $\\varepsilon$ be for one half?",
            "$e^2/(e^2+249)=$ <truth>. One half needs $e^{\\varepsilon}=249$, $\\varepsilon=$ <half>: k-RR pays for "
            "every film in the catalogue, near or far.",
            {"truth": "0.0288", "half": "5.517"},
        ),
        Exercise(
            "A user likes the released film with probability 0.12 at $\\varepsilon=2$. Ten independent releases: how "
            "likely is at least one hit, and what is promised for all ten together?",
            "$1-0.88^{10}=$ <hits>. But ten releases cost $\\varepsilon=$ <total>, a factor of $e^{20}$ on the odds. "
            "On the page, compare with ten releases at $\\varepsilon=0.2$ each.",
            {"hits": "0.7215", "total": "20"},
        ),
    ),
    Bet(
        "movies.user",
        "After which mechanism is the film that is released most often one that the person likes",
        lambda user, *more: {MECHANISMS[name]: 100.0 * hits for name, hits in user.hits.items()},
        "%",
        "released films that the person likes (%)",
        largest=True,
    ),
    (
        Task(
            "movies.user",
            "WPM releases a liked film at least 30% of the time, at odds up to × 7 (ε up to 1.94).",
            lambda config, user, *more: config.epsilon <= math.log(7) and user.hits.get("wpm", 0.0) >= 0.3,
        ),
    ),
)
