"""Geolocation: where people are in a city, what each mechanism releases, and how many kilometres that costs."""

from dpot_app.kit.page import Page, views_in
from dpot_app.views.geolocation.lesson import LESSON
from dpot_app.views.geolocation.need import NEED
from dpot_app.views.geolocation.settings import FIRST, SIDEBAR, TITLE
from dpot_app.views.geolocation.worst_case.text import ALONG, IN_USE

PAGE = Page(
    key="geolocation",
    prefix="geo",
    title=TITLE,
    question=(
        "Each person's check-ins are a distribution over a city. One location per person is released. "
        "How many kilometres away is it from the truth?"
    ),
    views=views_in(__name__, "person", "crowd", "worst_case", "gets", "guess", "one_place"),
    aside=(ALONG, IN_USE),
    terms=(
        "base",
        "wpm",
        "kpm",
        "em",
        "oracle",
        "wasserstein",
        "nats",
        "delta",
        "geo-indistinguishability",
        "vulnerability",
        "randomized-response",
        "lambda",
        "error",
        "laplace",
        "kernel",
    ),
    sidebar=SIDEBAR,
    first=FIRST,
    lesson=LESSON,
    needs=(NEED,),
)
