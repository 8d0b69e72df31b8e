"""Private transport: a plan, potentials or a cost between two sensitive data sets, and what each way costs."""

from dpot_app.kit.page import Page, views_in
from dpot_app.views.sinkhorn.lesson import LESSON
from dpot_app.views.sinkhorn.need import NEED
from dpot_app.views.sinkhorn.settings import FIRST, SIDEBAR

PAGE = Page(
    key="sinkhorn",
    prefix="sinkhorn",
    title="Private transport",
    question=(
        "Two data sets are sensitive. What can you publish about the cheapest way to move one onto the other, and what "
        "does privacy cost?"
    ),
    views=views_in(__name__, "release", "cost", "convergence", "theorem"),
    terms=("potential", "nats", "delta", "neighbours", "wasserstein"),
    sidebar=SIDEBAR,
    first=FIRST,
    lesson=LESSON,
    needs=(NEED,),
)
