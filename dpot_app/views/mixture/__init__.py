"""Mixtures of Gaussians on the line and in the plane, and the sphere: densities through private mechanisms."""

# Exported Python imports from here also what the page itself does not use.
from dpot_app.kit.page import Page, views_in
from dpot_app.views.mixture.lesson import LESSON
from dpot_app.views.mixture.line.text import CURVES
from dpot_app.views.mixture.many.results import many_mixtures
from dpot_app.views.mixture.many.settings import ManyConfig
from dpot_app.views.mixture.need import NEED
from dpot_app.views.mixture.settings import Family

PAGE = Page(
    key="mixture",
    prefix="mix",
    title="Gaussian mixture",
    question=(
        "What if the data are continuous? A person's data are a density on the line or in the plane, or a direction on "
        "a sphere. Only the family of densities is public. What does each mechanism release?"
    ),
    views=views_in(__name__, "line", "plane", "sphere"),
    aside=(CURVES,),
    terms=("base", "band", "wpm", "kpm", "mollifier", "mbde", "wasserstein", "kl", "nats", "delta"),
    seed="seed",
    lesson=LESSON,
    needs=(NEED,),
)
