"""Privacy in proportion to distance: what is protected, questions about a city, its crowd, and when it pays."""

from dpot_app.kit.page import Page, views_in
from dpot_app.views.metric.lesson import LESSON
from dpot_app.views.metric.settings import SIDEBAR

PAGE = Page(
    key="metric",
    prefix="metric",
    title="Metric privacy",
    question=(
        "Small changes to a person's data are hidden best, large ones least. You say which changes must be hidden. How "
        "much accuracy does that cost?"
    ),
    views=views_in(__name__, "protect", "ask", "crowd", "crowd_curve", "pays", "linear"),
    terms=("wasserstein", "nats", "delta", "neighbours", "error", "randomized-response", "laplace"),
    sidebar=SIDEBAR,
    lesson=LESSON,
)
