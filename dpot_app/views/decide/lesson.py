from dpot_app.kit.lesson import Exercise, Formula, Lesson

LESSON = Lesson(
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
