"""The pages that the home page leads to, by question, and the steps of the guided tour: two tables."""

from dataclasses import dataclass, replace
from typing import Any

from dpot_core.studies._kit.links import Parameters
from dpot_core.studies._kit.page import page_of
from dpot_core.studies.ring.settings import Source


@dataclass(frozen=True)
class Card:
    page: str
    icon: str  # a name of Material's
    question: str
    words: str  # what one finds there


@dataclass(frozen=True)
class Step:
    page: str
    title: str
    words: str  # what to look at
    link: Parameters  # what prepares the page


CARDS = (
    Card("ring", "data_usage", "Where does geometry help?", "30 points on a ring, five mechanisms, one input."),
    Card("geolocation", "map", "What does a released location tell?", "Check-ins in a city; errors in kilometres."),
    Card(
        "mixture",
        "show_chart",
        "What if data are a density?",
        "Private draws on the line, in the plane, on the sphere.",
    ),
    Card("movies", "movie", "Which film may I recommend?", "One film from private ratings; is it liked?"),
    Card(
        "population",
        "warehouse",
        "Where would the warehouses go?",
        "Barycenters of a population under central privacy.",
    ),
    Card(
        "metric",
        "straighten",
        "What if near things need less protection?",
        "Privacy per unit of distance between histories.",
    ),
    Card(
        "sinkhorn",
        "compare_arrows",
        "How far apart are two private crowds?",
        "Optimal transport between data of many people.",
    ),
    Card("explain", "help", "What does ε mean?", "Odds, 100 people, several releases, known deployments."),
    Card("decide", "target", "Which ε do I need?", "State what must be possible; get the smallest ε."),
    Card(
        "board",
        "dashboard",
        "Which scenario shall we choose?",
        "Pinned scenarios side by side; change them, compare, report.",
    ),
)


def _at(view: str, **settings: Any) -> Parameters:
    """What opens a page on a view, at the settings that it begins with but for a few."""
    page = page_of(view)
    return page.link(view, replace(page.view(view).example, **settings))


TOUR = (
    Step(
        "ring",
        "One point, two mechanisms",
        "The input is one point of a ring. Both outputs lie within the same shaded bounds of privacy; WPM puts its "
        "mass near the truth, KPM anywhere. Move ε.",
        {
            **_at("ring.outputs", source=Source("dirac", point=15), mechanisms=("wpm", "kpm")),
            "ring_view": "Worst case",
        },
    ),
    Step(
        "explain",
        "What ε promises",
        "Before and after, in 100 people: the most that any one output can change what somebody believes about you. "
        "Move ε and the prior.",
        _at("explain.release", epsilon=2.0),
    ),
    Step(
        "geolocation",
        "One person in a city",
        "Left: where the person has been (simulated). Right: from which distribution one location would be drawn. "
        "The promise is the same in all four maps, the kilometres are not.",
        _at("geolocation.person"),
    ),
    Step(
        "geolocation",
        "Nobody farther than this",
        "The worst case over everybody's history, whatever it is. The curve shows what more ε buys.",
        _at("geolocation.worst-case"),
    ),
    Step(
        "movies",
        "A recommendation that keeps a secret",
        "One film is released from a user's ratings (simulated). How often is it liked, and does it beat showing "
        "everybody the same film?",
        _at("movies.user"),
    ),
    Step(
        "decide",
        "Find your ε",
        "Turn it round: say what must be possible, and read off the smallest ε for each mechanism, or that none "
        "reaches it.",
        {"decide_need": "Worst-case distance on a ring", "decide_ring_target": "4"},
    ),
)
