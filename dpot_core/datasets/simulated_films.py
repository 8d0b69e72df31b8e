"""A simulated catalogue of films and its viewers: all invented, with the shape of real ratings."""

from __future__ import annotations

import numpy as np

from dpot_core.arguments import check_count
from dpot_core.datasets.ratings import Ratings

_GENRES = (
    *("Action", "Adventure", "Animation", "Comedy", "Crime", "Drama"),
    *("Fantasy", "Horror", "Mystery", "Romance", "Science fiction", "War"),
)
_FIRST = (
    *("Amber", "Borrowed", "Broken", "Copper", "Crooked", "Distant", "Drowned", "Eleventh", "Empty", "Forgotten"),
    *("Gentle", "Glass", "Golden", "Hidden", "Hollow", "Idle", "Iron", "Last", "Lesser", "Lonely"),
    *("Midnight", "Northern", "Painted", "Paper", "Quiet", "Restless", "Salt", "Second", "Silver", "Winter"),
)
_SECOND = (
    *("Accord", "Almanac", "Astronomer", "Bicycle", "Bridge", "Cartographer", "Clockmaker", "Comet", "Corridor"),
    *("Courier", "Delta", "Echo", "Engine", "Ferry", "Garden", "Harbour", "Inheritance", "Island", "Keeper"),
    *("Lantern", "Ledger", "Lighthouse", "Meridian", "Miller", "Orchard", "Passenger", "Peninsula", "Postman"),
    *("Quarry", "Reservoir", "River", "Signal", "Staircase", "Station", "Summer", "Telescope", "Theatre", "Tide"),
    *("Violin", "Wager"),
)
_TASTES = 8
_MAX_FILMS = len(_FIRST) * len(_SECOND)


def simulated_films(n_users: int = 400, n_films: int = 600, seed: int = 1) -> Ratings:
    """Ratings by invented users of invented films.

    Every genre, film and user is a point in a space of tastes; users watch what is popular and near their taste, and
    give more stars to what is nearer. The number of ratings of a film and of a user is heavy-tailed (a user has at
    least 20, as in MovieLens).

    Args:
        n_users: number of users, 10 to 3,000.
        n_films: number of films, 50 to 1,200.
        seed: of the generator; the same seed gives the same catalogue.

    Raises:
        ValueError: if an argument is out of range.
    """
    n = check_count(n_users, "n_users", 10, 3000)
    m = check_count(n_films, "n_films", 50, _MAX_FILMS)
    rng = np.random.default_rng(check_count(seed, "seed", 0, 2**63))
    styles = rng.normal(size=(len(_GENRES), _TASTES))
    genres = np.zeros((m, len(_GENRES)), dtype=bool)
    for _ in range(3):
        more = rng.random(m) < (0.55 if genres.any() else 1.0)
        genres[np.flatnonzero(more), rng.integers(0, len(_GENRES), int(more.sum()))] = True
    films = (genres / genres.sum(axis=1, keepdims=True)) @ styles + 0.45 * rng.normal(size=(m, _TASTES))
    films /= np.linalg.norm(films, axis=1, keepdims=True)
    tastes = rng.dirichlet(np.full(len(_GENRES), 0.25), n) @ styles + 0.3 * rng.normal(size=(n, _TASTES))
    tastes /= np.linalg.norm(tastes, axis=1, keepdims=True)
    nearness = tastes @ films.T
    fame = rng.normal(0, 1.1, m)
    quality = 0.35 * fame + 0.3 * rng.normal(size=m)

    # The best of log-weight + Gumbel noise are draws without replacement in proportion to the weights.
    keys = fame + 2.4 * nearness + rng.gumbel(size=(n, m))
    order = np.argsort(-keys, axis=1)
    watched = np.minimum(20 + np.floor(rng.lognormal(3.3, 0.9, n)), m // 2).astype(np.intp)
    user = np.repeat(np.arange(n), watched)
    film = np.concatenate([order[i, : watched[i]] for i in range(n)])
    strict = rng.normal(0, 0.4, n)
    liking = 3.1 + 1.3 * nearness[user, film] + 0.5 * quality[film] + strict[user] + rng.normal(0, 0.6, user.size)
    titles = rng.permutation(_MAX_FILMS)[:m]
    return Ratings(
        user=user,
        film=film,
        stars=np.clip(np.round(liking), 1, 5),
        users=tuple(f"user {i + 1}" for i in range(n)),
        films=tuple(f"The {_FIRST[t // len(_SECOND)]} {_SECOND[t % len(_SECOND)]}" for t in titles),
        genres=genres,
        genre_names=_GENRES,
        title="Simulated catalogue (no real people, no real films)",
        simulated=True,
        source=f"dpot_core.datasets.simulated_films(n_users={n}, n_films={m}, seed={seed})",
        licence="Invented data, no restrictions.",
        notes=("Users, films and ratings are invented.",),
    )
