from dpot_app.kit.lesson import Exercise, Formula, Lesson

LESSON = Lesson(
    (
        Formula(
            "The promise, for any two inputs of one person and any set of outputs.",
            r"\Pr[\mathcal M(x)\in O]\le e^{\varepsilon}\,\Pr[\mathcal M(x')\in O]",
            "Local differential privacy; Wasserstein projection (arXiv:2605.10015), Definition 2.1",
        ),
        Formula(
            "Bayes' rule: an output multiplies odds by its likelihood ratio, which the promise bounds.",
            r"\frac{\Pr[x\mid o]}{\Pr[x'\mid o]}=\frac{\Pr[o\mid x]}{\Pr[o\mid x']}\cdot\frac{\Pr[x]}{\Pr[x']}\ \le\ "
            r"e^{\varepsilon}\cdot\frac{\Pr[x]}{\Pr[x']}",
            "Bayes",
        ),
        Formula(
            "Several releases: epsilons add up, also when later ones depend on earlier ones.",
            r"\varepsilon_{\text{total}}=\varepsilon_1+\varepsilon_2+\dots,\qquad \delta_{\text{total}}=\delta_1+\dots",
            "Dwork and Roth 2014, Theorem 3.16",
        ),
    ),
    (
        Exercise(
            "One person in a thousand has a disease. After any release at $\\varepsilon=1$, how sure can an observer "
            "be that you have it?",
            "Odds $1:999$ become at most $e:999$, a probability of <posterior>. Rare things stay rare.",
            {"posterior": "0.00271"},
        ),
        Exercise(
            "Which $\\varepsilon$ keeps a 50:50 belief at or below 75%?",
            "Odds $1:1$ may become $3:1$, so $e^{\\varepsilon}=3$ and $\\varepsilon=\\log3=$ <epsilon>.",
            {"epsilon": "1.0986"},
        ),
    ),
)
