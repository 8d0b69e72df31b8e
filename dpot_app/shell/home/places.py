"""The pages that the home page leads to, by question and by who asks, and the steps of the guided tour: tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpot_app.kit.links import Parameters
from dpot_app.kit.page import page_of
from dpot_app.views.ring.settings import Ring
from dpot_app.views.ring.source import Source


@dataclass(frozen=True)
class Card:
    page: str
    icon: str  # a name of Material's
    question: str
    words: str  # what one finds there


@dataclass(frozen=True)
class Door:
    who: str
    icon: str
    words: str  # what for
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Step:
    """A caption of the tour, which changes the picture that stays beside it."""

    title: str
    words: str  # {near}, {far}, {factor}: what stands for the present epsilon
    epsilon: float
    shown: tuple[str, ...] = ("wpm", "kpm")  # mechanisms that have their bars
    other: bool = False  # whether the releases of another truth are marked
    # label -> page and what prepares it, for readers who want to know more
    leads: Mapping[str, tuple[str, Parameters]] = field(default_factory=dict)


DOORS = (
    Door(
        "I teach or learn",
        "school",
        "See why geometry matters, and what a promise means.",
        (
            Card("ring", "data_usage", "Where does geometry help?", "30 points on a ring, five mechanisms, one input."),
            Card("explain", "help", "What does ε mean?", "Odds, 100 people, several releases, known deployments."),
            Card(
                "mixture",
                "show_chart",
                "What if the data are continuous?",
                "Private draws on the line, in the plane, on the sphere.",
            ),
        ),
    ),
    Door(
        "I have to decide",
        "balance",
        "Choose ε with the people whom it concerns, and answer for it.",
        (
            Card("decide", "target", "Which ε do I need?", "State what must be possible; get the smallest ε."),
            Card(
                "geolocation",
                "map",
                "What does a released location tell?",
                "Check-ins in a city; errors in kilometres.",
            ),
            Card("movies", "movie", "Which film may I recommend?", "One film from private ratings; is it liked?"),
            Card(
                "board",
                "dashboard",
                "Which scenario shall we choose?",
                "Pinned scenarios side by side; change them, compare, report.",
            ),
        ),
    ),
    Door(
        "I do research",
        "science",
        "Compare mechanisms on data of many people, with proofs and numbers to take away.",
        (
            Card(
                "population",
                "warehouse",
                "Where would the warehouses go?",
                "A few points that sum up where people live; one curator sees the data.",
            ),
            Card(
                "metric",
                "straighten",
                "What if large changes need less protection?",
                "Privacy per unit of distance between histories.",
            ),
            Card(
                "sinkhorn",
                "compare_arrows",
                "How far apart are two private crowds?",
                "Optimal transport between data of many people.",
            ),
            Card(
                "papers",
                "menu_book",
                "Does it agree with the papers?",
                "Every figure and theorem: their number, ours, why they differ.",
            ),
        ),
    ),
)

#: The ring of the picture: the same input and the same distance, W_1, in all captions and on the pages they lead to.
RING = Ring(k=30, p=1)

#: The distance of the last caption, in steps.
TARGET = 3.0


def _at(view: str, **settings: Any) -> tuple[str, Parameters]:
    """A page, and what opens it on a view at the settings that it begins with but for a few."""
    page = page_of(view)
    return page.key, page.link(view, replace(page.view(view).example, **settings))


TOUR = (
    Step(
        "One place, to be told",
        "A person is at ◆, one of 30 places on a ring. Publishing the place gives it away. A private release publishes "
        "a place that is drawn at random instead. The bars will show how likely each place is, for two ways to draw.",
        2.0,
        shown=(),
    ),
    Step(
        "Anywhere",
        "“Anywhere” (KPM) publishes the truth most often. All other places are equally likely, near or far. On average "
        "it lands {far} from ◆. That distance is W₁, and this tour uses it throughout.",
        2.0,
        shown=("kpm",),
    ),
    Step(
        "Near the truth",
        "“Near the truth” (WPM) makes the same promise, so it cannot stay at ◆ either. But it moves mass no farther "
        "than it must. It lands {near} from ◆ on average, “anywhere” {far}.",
        2.0,
        leads={
            "Five mechanisms on this ring": _at(
                "ring.outputs", ring=RING, source=Source(kind="dirac"), mechanisms=("wpm", "kpm"), epsilon=2.0
            )
        },
    ),
    Step(
        "What both promise",
        "Circles show the bars if the truth were at ◇. At every place, bar and circle differ in likelihood by at most "
        "× {factor}, which is e^ε (lengths are square roots). So a release shifts the odds of ◆ against ◇ by no more, "
        "whatever else an observer knows.",
        2.0,
        other=True,
        leads={"What ε = 2 means for 100 people": _at("explain.release", epsilon=2.0)},
    ),
    Step(
        "More ε: nearer, and less private",
        "Now ε = {epsilon}: {near} and {far} from the truth, but odds may shift by × {factor}. Move ε and watch both "
        "numbers. On this ring the two ways are alike from about ε = 6 on. Geometry helps where privacy is strong.",
        5.0,
        leads={
            "The same in a city, in kilometres": _at("geolocation.person"),
            "The same with films": _at("movies.user"),
        },
    ),
    Step(
        "Turn it round",
        "State a distance that is good enough, and read off ε. For at most 3 steps, “near the truth” needs ε = "
        "{need_near} and “anywhere” needs ε = {need_far}. The slider is at ε = {epsilon}, which gives {near} and "
        "{far}.",
        3.0,
        leads={
            "Find my ε, for this and other needs": (
                "decide",
                {"decide_need": "Worst-case distance on a ring", "decide_ring_target": "3", "decide_p": "1"},
            )
        },
    ),
)
