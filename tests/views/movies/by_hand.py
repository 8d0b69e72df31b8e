"""Oracle: what the page computes, written once more from public names, step by step."""

from dpot_app.films import catalogue as films
from dpot_app.films import releases
from dpot_app.films.profiles import READY
from dpot_app.kit.script import file_name, reads
from dpot_app.views.movies.everyone.results import SCALES
from dpot_app.views.movies.settings import OWN, Config

_CODE = """{imports}import numpy as np
import dpot_core as dpot
from scipy.linalg import eigh
from dpot_core import datasets
{more}
epsilon, reg = {config.epsilon!r}, {config.reg!r}  # lambda is relative to the cost at cosine distance 1
{load}

# Who is set aside
rng = np.random.default_rng({split.seed})
order, users = rng.permutation(ratings.n_films), rng.permutation(ratings.n_users)
n_train, n_validation = round({films.TRAIN_FILMS} * ratings.n_films), round({films.VALIDATION_USERS} * ratings.n_users)
inputs, others = np.sort(order[:n_train]), np.sort(order[n_train:])
validation, test = np.sort(users[:n_validation]), np.sort(users[n_validation:])
test = test[ratings.matrix[np.ix_(test, inputs)].any(axis=1)]  # the others have no input

# What is learned from the validation users, and public
known = ratings.matrix[validation]
n_ratings = (known > 0).sum(axis=0)
candidates = others[np.argsort(-n_ratings[others], kind="stable")]
candidates = candidates[n_ratings[candidates] > 0][:{split.candidates}]
rated = {known}
by_user = len(rated) <= rated.shape[1]  # the smaller of two matrices with the same principal components
gram = rated @ rated.T if by_user else rated.T @ rated
top = min({split.dimensions}, *rated.shape)
variances, components = eigh(gram, subset_by_index=(len(gram) - top, len(gram) - 1))
kept = variances > 1e-12 * variances[-1]
films = rated.T @ components[:, kept] if by_user else components[:, kept] * np.sqrt(variances[kept])
length = np.linalg.norm(films, axis=1, keepdims=True)
lost = length <= 1e-9 * length.max()  # films without ratings: a direction of their own
films = np.hstack([np.where(lost, 0, films / np.where(lost, 1, length)), lost])
cosine = dpot.point_cloud(films[inputs], "cosine").distances(films[candidates])
# The chord, sqrt(2 - 2 cos), to the power p, in units of its value at a right angle: the cosine distance at p = 2
distances = cosine if {config.p!r} == 2.0 else (np.sqrt(2 * cosine) / np.sqrt(2)) ** {config.p!r}
placed = ~lost[inputs, 0]

{base}
Q = dpot.Polytope(base(epsilon), epsilon)
to_genres = ratings.genres[inputs] / ratings.genres[inputs].sum(axis=1, keepdims=True)
of_genre = ratings.genres[candidates].T.astype(float)
of_genre[of_genre.sum(axis=1) == 0] = 1
of_genre /= of_genre.sum(axis=1, keepdims=True)
n_genres = len(ratings.genre_names)


def wpm(mu, Q):
    used = mu.any(axis=0)  # the other films take no part
    if reg is None:
        return dpot.project_exact(mu[:, used], distances[used], Q).output
    return dpot.project_entropic(mu[:, used], distances[used], Q, reg, max_iter={releases.ITERATIONS}).output


def genre_kpm(mu, base):
    return dpot.kl_projection(mu @ to_genres, dpot.Polytope(base, epsilon)) @ of_genre


public = dpot.Public(distances, distances, epsilon, base(epsilon), snap=distances.argmin(axis=1))
rest = {{name: dpot.MECHANISMS[name](public) for name in {rest!r}}}

# One user
stars = {stars}
mu = dpot.normalise(stars[inputs])[None]
liked = stars[candidates] >= {films.LIKED}
outputs = {{
    "wpm": wpm(mu, Q)[0],
    "kpm": genre_kpm(mu, dpot.minimax_base_kl(n_genres, epsilon))[0],
    **{{name: release(mu)[0] for name, release in rest.items()}},
}}
hits = {{name: nu @ liked for name, nu in outputs.items()}}

# Everyone: masses of the uniform bases are chosen on the validation users
low, high = np.exp(-epsilon / 2), np.exp(epsilon / 2)
masses = np.clip(np.geomspace(low, high, {scales}), low, high)
validation = validation[ratings.matrix[np.ix_(validation, inputs)].any(axis=1)]
families = {{
    "wpm": lambda mu, mass: wpm(mu, dpot.Polytope(dpot.uniform_base(len(candidates), mass), epsilon)),
    "kpm": lambda mu, mass: genre_kpm(mu, dpot.uniform_base(n_genres, mass)),
}}
learn, everyone = (dpot.normalise(ratings.matrix[np.ix_(who, inputs)]) for who in (validation, test))
likes, test_likes = (ratings.matrix[np.ix_(who, candidates)] >= {films.LIKED} for who in (validation, test))
hit_rates = {{}}
for name, release in families.items():
    mass = max(masses, key=lambda mass: (release(learn, mass) * likes).sum(axis=1).mean())
    hit_rates[name] = (release(everyone, mass) * test_likes).sum(axis=1)
for name, release in rest.items():
    hit_rates[name] = (release(everyone) * test_likes).sum(axis=1)
for name, rate in hit_rates.items():
    print(name, hits[name], rate.mean(), rate.std(ddof=1) / np.sqrt(len(rate)))
"""

_LIKES = f"likes = (known[:, candidates] >= {films.LIKED}).sum(axis=0) + 0.5\nlikes = likes / likes.sum()\n"
_BASES = {
    "rule": "def base(epsilon):\n    return dpot.uniform_base(len(candidates), np.exp(epsilon / 4))\n",
    "prior": f"{_LIKES}\n\ndef base(epsilon):\n    return dpot.prior_base(likes, epsilon) * np.exp(epsilon / 4)\n",
    "own": (
        "weights = {name.casefold(): 0.0 for name in ratings.genre_names}\n"
        "for entry in OWN.split(';'):\n"
        "    name, _, weight = entry.strip().rpartition(' ')\n"
        "    weights[name.casefold()] += float(weight)\n"
        "own = 1.0 + ratings.genres[candidates] @ np.array([*weights.values()])\n\n"
        "def base(epsilon):\n    return dpot.prior_base(own, epsilon) * np.exp(epsilon / 4)\n"
    ),
    "minimax": (
        "def base(epsilon):\n"
        f"    return dpot.minimax_base(distances, epsilon, tol={releases.MINIMAX_TOLERANCE!r}).base\n"
    ),
    "minimax-placed": (
        "def base(epsilon):\n"
        f"    return dpot.minimax_base(distances[placed], epsilon, tol={releases.MINIMAX_TOLERANCE!r}).base\n"
    ),
    "best-uniform": "def base(epsilon):\n    return dpot.best_uniform_base(distances[placed], epsilon)\n",
}


def snippet(config: Config) -> str:
    """Python that computes ``outputs`` and ``hits`` of one user and ``hit_rates`` of all at one epsilon."""
    split = config.split
    return _CODE.format(
        imports="from pathlib import Path\n\n" if config.source == "csv" else "",
        more="from dpot_app.films.profiles import fan\n" if READY.fullmatch(config.user) else "",
        load=_load(config),
        known="known - known.mean(axis=0)" if split.centred else "known",
        base=_BASES[config.base].replace("OWN", repr(config.own)),
        rest=tuple(name for name in releases.MECHANISMS if name not in ("wpm", "kpm")),
        stars=_stars(config),
        scales=SCALES,
        config=config,
        split=split,
        films=films,
        releases=releases,
    )


def _load(config: Config) -> str:
    if config.source == "csv":
        columns = f", mapping={dict(config.columns)!r}" if config.columns else ""
        films = f"{reads('films')} if Path({file_name('films')!r}).is_file() else None"
        return f"ratings = datasets.read_ratings_csv({reads('ratings')}, {films}{columns})"
    return f"ratings = datasets.FILM_DATASETS[{config.source!r}].load()"


def _stars(config: Config) -> str:
    if config.user == OWN:
        return f"np.bincount({[f for f, _ in config.profile]!r}, {[s for _, s in config.profile]!r}, ratings.n_films)"
    user = f"ratings.matrix[ratings.users.index({config.user!r})]"
    if not config.user:
        return "ratings.matrix[test[(ratings.matrix[np.ix_(test, inputs)] > 0).sum(axis=1).argmax()]]"
    if (made := READY.fullmatch(config.user)) is not None:
        # A user of that name, if there is one, goes before the profile.
        made_up = f"fan(ratings, {made[1]!r}, inputs, candidates, n_ratings)"
        return f"{user} if {config.user!r} in ratings.users else {made_up}"
    return user
