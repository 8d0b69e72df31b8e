"""The meaning of epsilon: odds, distances, several releases, and the epsilons of known deployments."""

from dpot_app.kit.page import Page, views_in
from dpot_app.views.explain.lesson import LESSON

PAGE = Page(
    key="explain",
    prefix="explain",
    title="What ε means",
    question="ε limits how much any output can change what others believe about you, whatever they know already.",
    views=views_in(__name__, "release", "distance", "releases", "rounds"),
    terms=("nats", "delta", "neighbours"),
    lesson=LESSON,
)
