"""Finite ring: one distribution on k points, what each mechanism makes of it, and what that costs."""

from dpot_app.kit.page import Page, views_in
from dpot_app.views.ring.lesson import LESSON
from dpot_app.views.ring.need import NEEDS
from dpot_app.views.ring.settings import SIDEBAR
from dpot_app.views.ring.worst_case.text import CURVES

PAGE = Page(
    key="ring",
    prefix="ring",
    title="Finite ring",
    question=(
        "One person's data are a distribution on the points of a ring. Each mechanism releases one draw. The bars show "
        "that draw's distribution, and how far it is from the data, in steps along the ring."
    ),
    views=views_in(__name__, "outputs", "worst_case", "guess", "base", "plan", "convergence"),
    aside=(CURVES,),
    terms=(
        "base",
        "band",
        "wpm",
        "kpm",
        "em",
        "mollifier",
        "wasserstein",
        "kl",
        "nats",
        "delta",
        "vulnerability",
        "randomized-response",
        "lambda",
    ),
    hero="ring.outputs",
    order=("worst", "divergences", "numbers"),
    sidebar=SIDEBAR,
    seed="source.seed",
    curves="ring.worst-curves",
    lesson=LESSON,
    needs=NEEDS,
)
