"""Lessons of the pages about epsilon itself: what it means, and how to find it."""

from __future__ import annotations

from dpot_core.studies._kit.lesson import Exercise, Formula, Lesson

EXPLAIN = Lesson(
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
            "One person in a thousand has a disease. How sure can anybody be that you have it after any release at "
            "$\\varepsilon=1$?",
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

DECIDE = Lesson(
    (
        Formula(
            "The worst-case total variation of KPM on k points, solved for ε.",
            r"R_{\mathrm{TV}}=\frac{k-1}{e^{\varepsilon}+k-1}\le t\iff\varepsilon\ge\log\frac{(k-1)(1-t)}{t}",
            "Minimax-optimal local sampling (NeurIPS 2024), equation (7)",
        ),
        Formula(
            "Why more ε never hurts the worst case of WPM: what a smaller ε allows, a larger one allows too.",
            r"\varepsilon\le\varepsilon'\ \Rightarrow\ Q_{m,\varepsilon}\subseteq Q_{m,\varepsilon'}",
            "Wasserstein projection (arXiv:2605.10015), Definition 2.2",
        ),
    ),
    (
        Exercise(
            "$k=30$ points, total variation at most 0.3 in the worst case: which $\\varepsilon$? And for 0.1?",
            "$\\log(29\\cdot0.7/0.3)=$ <third> and $\\log(29\\cdot0.9/0.1)=$ <tenth>: each factor in accuracy costs "
            "about its logarithm in $\\varepsilon$.",
            {"third": "4.2145", "tenth": "5.5645"},
        ),
        Exercise(
            "On the ordinary sphere with $p=2$: which $\\varepsilon$ brings the worst-case distance to 0.8?",
            "From $2/\\sqrt{e^{\\varepsilon/2}+1}=0.8$: $\\varepsilon=2\\log(4/0.64-1)=$ <epsilon>.",
            {"epsilon": "3.3165"},
        ),
    ),
)
