"""Films: one released under local privacy, from what a user has rated, out of films that the user has not."""

from dpot_app.kit.page import Page, views_in
from dpot_app.views.movies.lesson import LESSON
from dpot_app.views.movies.need import NEED
from dpot_app.views.movies.settings import SIDEBAR

PAGE = Page(
    key="movies",
    prefix="movies",
    title="Movies",
    question=(
        "A user's private data are ratings of films, taken as a distribution. One other film is released as a "
        "recommendation. Does the user like it, and what does it reveal about the ratings?"
    ),
    views=views_in(__name__, "user", "everyone", "adversary", "guess", "worst_case"),
    terms=(
        "base",
        "wpm",
        "kpm",
        "em",
        "wasserstein",
        "nats",
        "delta",
        "randomized-response",
        "lambda",
        "error",
        "vulnerability",
    ),
    sidebar=SIDEBAR,
    seed="split.seed",
    curves="movies.worst",
    lesson=LESSON,
    needs=(NEED,),
)
