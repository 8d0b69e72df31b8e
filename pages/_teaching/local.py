"""Lessons of the pages on local privacy: mixture, movies."""

from __future__ import annotations

from dpot_core.studies._kit.lesson import KPM, POLYTOPE, WPM, Exercise, Formula, Lesson

MIXTURE = Lesson(
    (
        Formula(
            "What is public: the input's density lies between two multiples of one density h.",
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
            "Its worst case, and no ε-LDP mechanism has a better one.",
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
)

MOVIES = Lesson(
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
            "250 films can be released. With what probability does k-RR release the film that it means to, at "
            "$\\varepsilon=2$? How large must $\\varepsilon$ be for one half?",
            "$e^2/(e^2+249)=$ <truth>. One half needs $e^{\\varepsilon}=249$, $\\varepsilon=$ <half>: k-RR pays for "
            "every film in the catalogue, near or far.",
            {"truth": "0.0288", "half": "5.517"},
        ),
        Exercise(
            "A user likes the released film with probability 0.12 at $\\varepsilon=2$. Ten independent releases: how "
            "likely is at least one hit, and what is promised for all ten together?",
            "$1-0.88^{10}=$ <hits>. But ten releases cost $\\varepsilon=$ <total>, a factor of $e^{20}$ on the odds: "
            "compare with ten releases at $\\varepsilon=0.2$ each on the page.",
            {"hits": "0.7215", "total": "20"},
        ),
    ),
)
