"""Find my epsilon: say what must be possible, and get the smallest epsilon of every mechanism."""

# Exported Python imports from here also what the page itself does not use.
from dpot_app.kit.page import Page
from dpot_app.views.decide.lesson import LESSON
from dpot_app.views.decide.results import run
from dpot_app.views.decide.settings import SIDEBAR, Config
from dpot_app.views.decide.text import VIEW

PAGE = Page(
    key="decide",
    prefix="decide",
    title="Find my ε",
    question=(
        "Say in the controls what must be possible. This page finds the smallest ε that makes it possible, for every "
        "mechanism."
    ),
    views=(VIEW,),
    terms=("base", "wpm", "kpm", "em", "wasserstein", "nats", "randomized-response", "lambda"),
    hero=VIEW.key,
    sidebar=SIDEBAR,
    lesson=LESSON,
)
