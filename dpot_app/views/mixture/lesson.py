import math

from dpot_app.kit.lesson import KPM, WPM, Bet, Exercise, Formula, Lesson, Task
from dpot_app.views.mixture.settings import NAMES

LESSON = Lesson(
    (
        Formula(
            "This is public: the input's density lies between two multiples of one density h.",
            r"\mathcal P_{c_1,c_2,h}=\{p:\ c_1\,h\le p\le c_2\,h\},\qquad 0\le c_1<1<c_2",
            f"{KPM}, section 3, with the normalisation (10)",
        ),
        Formula(
            "KPM clips the density between two multiples of h whose ratio is e^ε.",
            r"q=\mathrm{clip}\Big(\frac p r,\ b\,h,\ b\,e^{\varepsilon}h\Big),\qquad "
            r"b=\frac{c_2-c_1}{(e^{\varepsilon}-1)(1-c_1)+c_2-c_1}",
            f"{KPM}, section 3",
        ),
        Formula(
            "KPM's worst case. No other mechanism with this ε for one person (ε-LDP) has a better one.",
            r"R=\frac{1-r_1}{r_2-r_1}f(r_2)+\frac{r_2-1}{r_2-r_1}f(r_1),\qquad r_1=\frac{c_1}{b},\quad "
            r"r_2=\frac{c_2}{b\,e^{\varepsilon}}",
            f"{KPM}, equation (12)",
        ),
        Formula(
            "On the sphere the best mechanism draws from a cap around the input more often than from elsewhere.",
            r"(\beta-\alpha)\,U(t^*)+\alpha H=g(t^*)\,\big(\alpha+(\beta-\alpha)\,S(t^*)\big),\qquad "
            r"\alpha=e^{-\varepsilon/2},\ \beta=e^{\varepsilon/2}",
            f"{WPM}, Proposition H.1",
        ),
    ),
    (
        Exercise(
            "Three modes on the unit circle with $\\sigma^2=0.5$: $c_1=0$ and $c_2=\\int\\tilde h=3.772454$. At "
            "$\\varepsilon=0.5$, what are $r_2$ and the worst-case total variation, $f(x)=|x-1|/2$?",
            "With $c_1=0$: $r_2=(e^{\\varepsilon}-1+c_2)/e^{\\varepsilon}=$ <r2>, and "
            "$R=(r_2-1)/r_2=$ <tv>. The page's Plane view states the same number.",
            {"r2": "2.6816", "tv": "0.6271"},
        ),
        Exercise(
            "On the ordinary sphere $S^2$ with $p=2$ everything can be integrated by hand. Show that the worst-case "
            "distance is $2/\\sqrt{e^{\\varepsilon/2}+1}$. What is it at $\\varepsilon=2$?",
            "There $f$ is constant, $S=x/2$, $U=x^2/2$, $H=2$ with $x=1-t$. The equation becomes "
            "$(\\beta-\\alpha)x^2/2+2\\alpha x-2\\alpha=0$, so $x=2/(e^{\\varepsilon/2}+1)$, and $W=\\sqrt{2x}=$ <w> "
            "at $\\varepsilon=2$.",
            {"w": "1.0372"},
        ),
    ),
    Bet(
        "mixture.line",
        "Which mechanism's density is nearest to this input in KL",
        lambda result, *more: {NAMES[name]: entry.divergences["kl"] for name, entry in result.numbers.items()},
        "nats",
        "KL from the input (nats)",
    ),
    (
        Task(
            "mixture.line",
            "KPM within 0.05 nats of the input, with odds of at most × 2 (ε up to 0.69).",
            lambda config, result, *more: (
                config.epsilon <= math.log(2)
                and "kpm" in result.numbers
                and result.numbers["kpm"].divergences["kl"] <= 0.05
            ),
        ),
    ),
)
