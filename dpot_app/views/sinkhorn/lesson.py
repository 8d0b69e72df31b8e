from dpot_app.kit.lesson import SINKHORN, Exercise, Formula, Lesson

LESSON = Lesson(
    (
        Formula(
            "Entropic optimal transport between two crowds, by alternating potentials.",
            r"\varphi(x)=-\eta\log\sum_j\nu_j\,e^{(\psi_j-c(x,y_j))/\eta},\qquad "
            r"\psi(y)=-\eta\log\sum_i\mu_i\,e^{(\varphi_i-c(x_i,y))/\eta}",
            f"{SINKHORN}, section 2",
        ),
        Formula(
            "K noisy steps. Converting Rényi divergence to (ε, δ) needs a factor 2, which the printed theorem lost.",
            r"\varepsilon=\frac{KC}{M}+2\sqrt{\frac{KC\log(1/\delta)}{M}}",
            f"{SINKHORN}, Theorem 2, corrected",
        ),
        Formula(
            "Every comparison needs this baseline: the exact transport cost with Laplace noise, which is ε-private at "
            "once. Keep the plan when one point is replaced: then one row of mass 1/n moves.",
            r"\mathrm{OT}(\mu_n,\nu_n)+\mathrm{Lap}\Big(\frac{|c|}{n\,\varepsilon}\Big)",
            "sensitivity |c|/n; Dwork and Roth 2014, Theorem 3.6",
        ),
    ),
    (
        Exercise(
            "There are 1,000 people in each crowd, costs lie between 0 and 1, and $\\varepsilon=1$. What is the "
            "standard deviation of the noise on the exact transport cost?",
            "$\\sqrt2\\,|c|/(n\\varepsilon)=$ <noise>. For the cost alone nothing elaborate is needed. Noisy Sinkhorn "
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
