import math

from dpot_app.kit.lesson import POLYTOPE, WPM, Bet, Exercise, Formula, Lesson, Task
from dpot_core.mechanisms import LABELS

LESSON = Lesson(
    (
        POLYTOPE,
        Formula(
            "How far the release is from the truth: the shortest average way that the mass has to travel, in km.",
            r"W_1(\nu,\mu)=\min_{\pi\in\Pi(\mu,\nu)}\ \sum_{i,j}\|x_i-v_j\|\,\pi_{ij}",
            f"{WPM}, section 3.1",
        ),
        Formula(
            "Algorithm 1 solves the entropic problem. Each iteration ends with the KL projection on the polytope, so "
            "every release is private, converged or not.",
            r"u=\frac{\mu}{Kv},\quad s=K^{\top}u,\quad q=\mathrm{Proj}^{\mathrm{KL}}_{Q}(s),\quad v=\frac{q}{s},\qquad "
            r"K=e^{-C/\lambda}",
            f"{WPM}, Algorithm 1",
        ),
        Formula(
            "The cost of the entropy at most, after convergence. (The main text prints 2λ log k; the appendix proves "
            "this.)",
            r"0\le W_p(\nu_\lambda,\mu)-W_p(\nu^*,\mu)\le(\lambda\log(k\,k_v))^{1/p}",
            f"{WPM}, Proposition 4.1",
        ),
        Formula(
            "Geo-indistinguishability: an observer tells near places apart less well than far ones. The optimal kernel "
            "solves a linear program for a public prior π. α is ε over the largest distance.",
            r"\min_{K}\ \sum_{x,z}\pi_x\,K_{xz}\,d(x,z)\quad\text{with}\quad"
            r"K_{xz}\le e^{\alpha\,d(x,x')}K_{x'z},\quad\sum_z K_{xz}=1",
            "Bordenabe, Chatzikokolakis, Palamidessi 2014, section 3.2",
        ),
    ),
    (
        Exercise(
            "A city has $20\\times 20$ cells. With what probability does k-RR release the true cell at "
            "$\\varepsilon=4$? Why does the same $\\varepsilon$ help more on a coarse grid?",
            "$e^4/(e^4+399)=$ <truth>. The other 399 cells share the rest, most of them far away. On $5\\times 5$ "
            "cells it would be $e^4/(e^4+24)=$ <coarse>, but then a cell is large: resolution is lost instead.",
            {"truth": "0.1204", "coarse": "0.6946"},
        ),
        Exercise(
            "Take $\\lambda=0.01$ for distances divided by the diameter, $p=1$ and $20\\times20$ cells as inputs and "
            "outputs. How many km can the entropy cost at most, if the diameter is 32.87 km?",
            "$\\lambda\\log(k\\,k_v)=0.01\\log(160000)=$ <share> of the diameter, which is <km> km. The page shows the "
            "gap for the person in view: usually far smaller, because the bound holds for every input.",
            {"share": "0.1198", "km": "3.939"},
        ),
    ),
    Bet(
        "geolocation.person",
        "Which mechanism lands nearest to this person's places",
        lambda person, *more: {LABELS[name]: distance for name, distance in person.kilometres.items()},
        "km",
        "distance from the person's places (km)",
    ),
    (
        Task(
            "geolocation.person",
            "WPM within 3 km of the person, with odds of at most × 10 (ε up to 2.3).",
            lambda config, person, *more: (
                config.epsilon <= math.log(10) and person.kilometres.get("wpm", math.inf) <= 3.0
            ),
        ),
    ),
)
