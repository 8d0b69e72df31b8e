"""Films: one released under local privacy, from what a user has rated, out of films that the user has not."""

from dpot_core.experiments.movies.adversary import LargestRatio, TwoUsers, largest_ratio, two_users
from dpot_core.experiments.movies.disclosed import disclosure
from dpot_core.experiments.movies.everyone import (
    CURVES,
    REFERENCES,
    Everyone,
    Lists,
    Point,
    everyone,
    everyone_at,
    lists,
)
from dpot_core.experiments.movies.films import Films, make_films
from dpot_core.experiments.movies.one_user import LikedCurve, OneUser, liked_curve, one_user
from dpot_core.experiments.movies.promise import guarantee
from dpot_core.experiments.movies.releases import make_base, make_releases, rule_mass
from dpot_core.experiments.movies.reproduce import snippet
from dpot_core.experiments.movies.settings import (
    BASES,
    EPSILONS,
    ITERATIONS,
    LIKED,
    MECHANISMS,
    OWN,
    SCALES,
    Config,
    Split,
)

__all__ = [
    "BASES",
    "CURVES",
    "EPSILONS",
    "ITERATIONS",
    "LIKED",
    "MECHANISMS",
    "OWN",
    "REFERENCES",
    "SCALES",
    "Config",
    "Everyone",
    "Films",
    "LargestRatio",
    "LikedCurve",
    "Lists",
    "OneUser",
    "Point",
    "Split",
    "TwoUsers",
    "disclosure",
    "everyone",
    "everyone_at",
    "guarantee",
    "largest_ratio",
    "liked_curve",
    "lists",
    "make_base",
    "make_films",
    "make_releases",
    "one_user",
    "rule_mass",
    "snippet",
    "two_users",
]
