from dpot_app.kit.lesson import METRIC, Exercise, Formula, Lesson

LESSON = Lesson(
    (
        Formula(
            "Privacy by distance: near histories must be hard to tell apart, far ones need not be. α has the unit "
            "1/distance.",
            r"\Pr[\mathcal M(K)\in O]\le e^{\alpha\,d_{\mathrm{EM}}(K,K')}\,\Pr[\mathcal M(K')\in O]+\delta",
            f"{METRIC}, section 3",
        ),
        Formula(
            "Choosing α: each protected change moves a fraction τ of the data by q and shall cost at most ε.",
            r"\alpha=\min_{\text{changes}}\ \frac{\varepsilon}{\tau\,q}",
            f"{METRIC}, section 3",
        ),
        Formula(
            "The mean of an l-Lipschitz query moves by at most l per unit of distance; noise follows.",
            r"q_f(K)=\mathbb E_{x\sim K}f(x),\qquad \|q_f(K)-q_f(K')\|\le l\;d_{\mathrm{EM}}(K,K')",
            f"{METRIC}, Theorem 4.1 and Algorithm 1",
        ),
        Formula(
            "From a bounded to an unbounded number of items, by s samples. (Lemma 5.2 prints 3/8 for 3/s.)",
            r"\alpha=\frac{\varepsilon}{(1+\sqrt2)\,r+\frac3s\ln\frac1\delta}",
            f"{METRIC}, Theorem 5.3",
        ),
    ),
    (
        Exercise(
            "Protect two changes with $\\varepsilon=0.2$ each. A day of a month ($\\tau=1/30$) moves within 1,000 "
            "miles ($q=0.08$). Or the whole month ($\\tau=1$) moves within 100 miles ($q=0.008$). Which $\\alpha$ does "
            "it take?",
            "$0.2/(0.08/30)=$ <day> and $0.2/0.008=$ <month>. The smaller one protects both: $\\alpha=25$.",
            {"day": "75", "month": "25"},
        ),
        Exercise(
            "$\\varepsilon=1$, $r=0.1$, $s=100$ samples, $\\delta=10^{-6}$: which $\\alpha$ does the bounded mechanism "
            "get? What would the misprint 3/8 have said?",
            "$1/(2.4142\\cdot0.1+0.03\\cdot13.816)=$ <alpha>. With 3/8 in place of 3/s: <misprint>, eight times less "
            "to work with, for no reason.",
            {"alpha": "1.525", "misprint": "0.184"},
        ),
    ),
)
