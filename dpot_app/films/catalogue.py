"""Films made ready: who is set aside, what is learned from them, what can be released, and how far everything is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eigh

from dpot_app.films.own_weights import weights_of
from dpot_app.kit.cache import Cache
from dpot_app.kit.setting import free, seed, settings, whole
from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets.ratings import Codes, Flags, Ratings
from dpot_core.spaces import point_cloud

#: Films are megabytes, results keep theirs: few are enough.
CACHE = Cache(4)

#: A user likes a film to which they give this many stars or more.
LIKED = 4.0

#: Order of the loss at which the cost is the paper's cosine distance; see `Films.cost`.
PAPERS_ORDER = 2.0

#: Shares of the films that make inputs and of the users who are set aside for everything that is learned.
TRAIN_FILMS = 0.8
VALIDATION_USERS = 0.8


@settings
class Split:
    """The split of users and films, and how films are embedded; the defaults are the paper's."""

    seed: int = seed("Seed of the split", 0, "split", soft=(0, 99), widget="slider")
    dimensions: int = whole("Principal components", 64, low=2, high=1000, soft=(2, 128), step=8.0, link="dimensions")
    centred: bool = free("Centre the ratings of each film first", False, widget="toggle", link="centred")
    #: At most so many: the test films that most validation users rated.
    candidates: int = whole(
        "Films that can be released", 250, low=2, high=500, soft=(10, 500), step=25.0, link="candidates"
    )


@dataclass(frozen=True, eq=False)
class Films:
    """A catalogue with its split. Everything but the test users' ratings is public."""

    ratings: Ratings  # of everybody
    split: Split
    inputs: Codes  # the train films, whose ratings make a user's input, (k,)
    candidates: Codes  # the test films that may be released, most rated first, (k_v,)
    validation: Codes  # the users from whom embedding, candidates and base measures are learned
    test: Codes  # the users who release, those with the most rated train films first
    left_out: int  # test users without a rating of a train film: they have no input
    embedding: Array  # unit vectors of all films, (n_films, d)
    distances: Array  # cosine distances from the train films to the candidates, (k, k_v), in [0, 2]
    likes: Array  # how many validation users like each candidate, (k_v,)
    positions: Array  # all films on the plane of the two main directions of the unit vectors, (n_films, 2)
    in_plane: float  # share of the unit vectors' variance that this plane shows
    order: float = PAPERS_ORDER  # p of the loss
    own: tuple[float, ...] = ()  # weight of each genre that the reader gives and knows to be public

    @cached_property
    def key(self) -> str:
        """The sources of these films; equal keys, equal films."""
        order = "" if self.order == PAPERS_ORDER else f" p = {self.order:g}"
        return f"{self.ratings.digest} {self.split}{order}{f' own = {self.own}' if self.own else ''}"

    def of_order(self, p: float) -> Films:
        """The same films with another order of the loss."""
        return self if p == self.order else replace(self, order=p)

    def with_own(self, weights: str) -> Films:
        """The same films with the reader's own public weights of genres (`genre_weights`).

        Raises:
            ValueError: if these cannot be read, or name a genre that no film has.
        """
        return replace(self, own=weights_of(weights, self.ratings.genre_names))

    @cached_property
    def cost(self) -> Array:
        """The cost of moving a train film to a candidate, c_ij = (1 - cos)^(p/2), (k, k_v), in [0, 2^(p/2)].

        This is chord^p / 2^(p/2): the chord, sqrt(2 - 2 cos), is the Euclidean distance of unit vectors and a metric,
        and its square is twice the cosine distance. So p = 2 is the paper's cost, unchanged, and a film at right angles
        costs 1 at every p, which is the unit of lambda.

        Source: wpm_2605.10015, section 5.2, for p = 2; other p: ours.
        """
        return self.distances if self.order == PAPERS_ORDER else np.asarray(self.distances ** (self.order / 2.0))

    def in_cosine(self, cost: float) -> float:
        """A mean cost as a cosine distance: (mean of c)^(2/p), which is W_p^2 / 2 for the chord; the mean at p = 2."""
        return float(cost) if self.order == PAPERS_ORDER else float(max(cost, 0.0) ** (2.0 / self.order))

    @cached_property
    def placed(self) -> Flags:
        """Which train films have a place in the embedding; the others lie at right angles to all candidates, (k,)."""
        return np.asarray(self.embedding[self.inputs, -1] == 0.0)

    @property
    def simulated(self) -> bool:
        """Whether users and films are invented."""
        return self.ratings.simulated

    @cached_property
    def snap(self) -> Codes:
        """The nearest candidate of each train film, (k,)."""
        return np.asarray(self.distances.argmin(axis=1), dtype=np.intp)

    @cached_property
    def genre_inputs(self) -> Array:
        """How each train film spreads over the genres, (k, n_genres): equally over its own."""
        flags = self.ratings.genres[self.inputs]
        return np.asarray(flags / flags.sum(axis=1, keepdims=True))

    @cached_property
    def genre_outputs(self) -> Array:
        """A candidate of each genre, drawn uniformly, (n_genres, k_v); any candidate for a genre that has none."""
        flags = self.ratings.genres[self.candidates].T.astype(np.float64)
        flags[flags.sum(axis=1) == 0] = 1.0
        return np.asarray(flags / flags.sum(axis=1, keepdims=True))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The test users, those with the most rated train films first."""
        return tuple(self.ratings.users[i] for i in self.test)

    @cached_property
    def learning(self) -> Codes:
        """The validation users who have an input, those with the fewest rated train films first.

        Base measures are chosen with them. In this order neighbours need few train films, which saves half the work.
        """
        rated = (self.ratings.matrix[np.ix_(self.validation, self.inputs)] > 0).sum(axis=1)
        order = np.argsort(rated, kind="stable")
        return self.validation[order[rated[order] > 0]]

    def inputs_of(self, users: Codes) -> Array:
        """Input distributions, proportional to the users' ratings of train films, (n, k)."""
        stars = self.ratings.matrix[np.ix_(users, self.inputs)]
        return np.asarray(stars / stars.sum(axis=1, keepdims=True))

    def liked_by(self, users: Codes) -> Flags:
        """Which candidates the users like, (n, k_v)."""
        return np.asarray(self.ratings.matrix[np.ix_(users, self.candidates)] >= LIKED)


@CACHE.keep
def make_films(ratings: Ratings, split: Split) -> Films:
    """Split films and users, embed the films, choose the candidates.

    The embedding is the film side of the top principal components of the validation users' ratings (0 where there is
    none); films that none of them rated get a direction of their own, at cosine distance 1 from all others.

    Raises:
        ValueError: says what there is too little of.

    Source: wpm_2605.10015, section 5.2 and appendix N.
    """
    rng = np.random.default_rng(split.seed)
    films, users = rng.permutation(ratings.n_films), rng.permutation(ratings.n_users)
    n_train, n_validation = round(TRAIN_FILMS * films.size), round(VALIDATION_USERS * users.size)
    inputs, others = np.sort(films[:n_train]), np.sort(films[n_train:])
    validation, test = np.sort(users[:n_validation]), np.sort(users[n_validation:])
    known = ratings.matrix[validation]
    n_ratings = (known > 0).sum(axis=0)
    ranked = others[np.argsort(-n_ratings[others], kind="stable")]
    candidates = ranked[n_ratings[ranked] > 0][: split.candidates]
    if candidates.size < 2:
        raise ValueError(
            f"only {candidates.size} of the {others.size} films that could be released were rated by the "
            f"{validation.size} validation users; two are needed"
        )
    n_inputs = (ratings.matrix[np.ix_(test, inputs)] > 0).sum(axis=1)
    releasing = test[np.argsort(-n_inputs, kind="stable")][: int((n_inputs > 0).sum())]
    if releasing.size < 2 or validation.size < 2:
        raise ValueError(
            f"there are {validation.size} validation users and {releasing.size} test users with a rated train film; "
            "two of each are needed"
        )
    embedding = _embedding(known, split)
    space = point_cloud(embedding[inputs], metric="cosine")
    positions, in_plane = _plane(embedding, n_ratings > 0)
    return Films(
        ratings=ratings,
        split=split,
        inputs=inputs,
        candidates=candidates,
        validation=validation,
        test=releasing,
        left_out=int(test.size - releasing.size),
        embedding=embedding,
        distances=space.distances(embedding[candidates]),
        likes=np.asarray((known[:, candidates] >= LIKED).sum(axis=0), dtype=np.float64),
        positions=positions,
        in_plane=in_plane,
    )


def _embedding(known: Array, split: Split) -> Array:
    """Unit vectors of the films from the ratings of the validation users, (n_films, d + 1)."""
    rated = known - known.mean(axis=0) if split.centred else known
    n, m = rated.shape
    top = min(split.dimensions, n, m)
    # The smaller Gram matrix has the same top components as the singular value decomposition, in less time.
    gram = rated @ rated.T if n <= m else rated.T @ rated
    values, vectors = eigh(gram, subset_by_index=(len(gram) - top, len(gram) - 1))
    large = values > 1e-12 * max(float(values[-1]), 1e-300)
    vectors = vectors[:, large]
    films = rated.T @ vectors if n <= m else vectors * np.sqrt(values[large])
    length = np.linalg.norm(films, axis=1, keepdims=True)
    lost = length[:, 0] <= 1e-9 * max(float(length.max(initial=0.0)), 1e-300)
    units = np.where(lost[:, None], 0.0, films / np.where(lost[:, None], 1.0, length))
    return np.column_stack([units, lost.astype(np.float64)])


def _plane(embedding: Array, rated: Flags) -> tuple[Array, float]:
    centred = embedding[rated] - embedding[rated].mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    axes = vectors[:, -1:-3:-1]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    share = float(values[-2:].sum() / values.sum()) if values.sum() > 0 else 1.0
    positions = (embedding - embedding[rated].mean(axis=0)) @ axes
    if positions.shape[1] < 2:
        positions = np.column_stack([positions, np.zeros(len(positions))])
    return np.asarray(positions), share
