"""Lessons of the pages on metric privacy and on data of many people: metric, sinkhorn."""

from __future__ import annotations

from dpot_core.studies._kit.lesson import METRIC, SINKHORN, Exercise, Formula, Lesson

METRIC_LESSON = Lesson(
    (
        Formula(
            "Privacy per distance: histories that are near must be hard to tell apart, far ones need not be. α has "
            "the unit 1/distance.",
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
            "Protect a day of a month ($\\tau=1/30$) moved within 1000 miles ($q=0.08$), and the whole month "
            "($\\tau=1$) within 100 miles ($q=0.008$), both with $\\varepsilon=0.2$. Which $\\alpha$?",
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

SINKHORN_LESSON = Lesson(
    (
        Formula(
            "Entropic optimal transport between two crowds, by alternating potentials.",
            r"\varphi(x)=-\eta\log\sum_j\nu_j\,e^{(\psi_j-c(x,y_j))/\eta},\qquad "
            r"\psi(y)=-\eta\log\sum_i\mu_i\,e^{(\varphi_i-c(x_i,y))/\eta}",
            f"{SINKHORN}, section 2",
        ),
        Formula(
            "K noisy steps, with the factor 2 that converting Rényi divergence to (ε, δ) needs and the printed "
            "theorem lost.",
            r"\varepsilon=\frac{KC}{M}+2\sqrt{\frac{KC\log(1/\delta)}{M}}",
            f"{SINKHORN}, Theorem 2, corrected",
        ),
        Formula(
            "The baseline that no one may leave out: the exact transport cost with Laplace noise, ε-private at once. "
            "Keep the plan when one point is replaced: one row of mass 1/n moves.",
            r"\mathrm{OT}(\mu_n,\nu_n)+\mathrm{Lap}\Big(\frac{|c|}{n\,\varepsilon}\Big)",
            "sensitivity |c|/n; Dwork and Roth 2014, Theorem 3.6",
        ),
    ),
    (
        Exercise(
            "1000 people in each crowd, costs between 0 and 1, $\\varepsilon=1$: what is the standard deviation of the "
            "noise on the exact transport cost?",
            "$\\sqrt2\\,|c|/(n\\varepsilon)=$ <noise>: for the cost alone nothing elaborate is needed. Noisy Sinkhorn "
            "is for potentials and plans.",
            {"noise": "0.00141"},
        ),
        Exercise(
            "$KC/M=0.1$ and $\\delta=10^{-6}$: which $\\varepsilon$ does the theorem print, and which is right?",
            "Printed: $0.1+\\sqrt{0.1\\cdot13.816}=$ <printed>. Right: $0.1+2\\sqrt{0.1\\cdot13.816}=$ <right>, nearly "
            "twice as much.",
            {"printed": "1.275", "right": "2.451"},
        ),
    ),
)
