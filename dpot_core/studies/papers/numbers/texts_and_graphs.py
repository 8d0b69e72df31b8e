"""d_EM-privacy of texts and of graphs: the two examples of metric_dp_emd beside places, on small public data."""

import re
import zlib

import numpy as np
import shapely

from dpot_core.checks import Array
from dpot_core.datasets.outlines import us_outline
from dpot_core.mechanisms.metric.noise import metric_noise, user_level_noise
from dpot_core.mechanisms.metric.protection import earth_movers_distance, protection_rate, unit_distances
from dpot_core.mechanisms.metric.queries import LinearQuery, embedding_similarity
from dpot_core.spaces import Space
from dpot_core.studies.papers.row import Number, Numbers

#: A. Lincoln, 1863: ten sentences, each somebody's conversation. In the public domain.
ADDRESS = """
Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and
dedicated to the proposition that all men are created equal. Now we are engaged in a great civil war, testing whether
that nation, or any nation so conceived and so dedicated, can long endure. We are met on a great battle-field of that
war. We have come to dedicate a portion of that field, as a final resting place for those who here gave their lives that
that nation might live. It is altogether fitting and proper that we should do this. But, in a larger sense, we can not
dedicate -- we can not consecrate -- we can not hallow -- this ground. The brave men, living and dead, who struggled
here, have consecrated it, far above our poor power to add or detract. The world will little note, nor long remember
what we say here, but it can never forget what they did here. It is for us the living, rather, to be dedicated here to
the unfinished work which they who fought here have thus far so nobly advanced. It is rather for us to be here dedicated
to the great task remaining before us -- that from these honored dead we take increased devotion to that cause for which
they gave the last full measure of devotion -- that we here highly resolve that these dead shall not have died in vain
-- that this nation, under God, shall have a new birth of freedom -- and that government of the people, by the people,
for the people, shall not perish from the earth.
"""
_BUCKETS = 16


def examples() -> Numbers:
    """Theorem 4.1 and the noise of one question on words of sentences, and on neighbours of the 48 states and DC."""
    return {
        f"{name}, {kind}": value
        for kind, (space, query, people) in {"text": _text(), "graph": _graph()}.items()
        for name, value in _asked(space, query, people).items()
    }


def _asked(space: Space, query: LinearQuery, people: Array) -> dict[str, Number]:
    distances = unit_distances(space)
    changes = [
        (float(np.abs(query(mu) - query(nu)).max()), earth_movers_distance(mu, nu, distances))
        for i, mu in enumerate(people)
        for nu in people[:i]
    ]
    # A tenth of somebody's items, moved by the distance of the nearest two that differ.
    near = float(distances[distances > 1e-9].min())
    alpha = protection_rate([(0.1, near), (1.0, 0.1 * near)], 0.2)
    n = len(people)
    return {
        "people": Number(float(n)),
        "items": Number(float(len(space.points))),
        "largest change per distance": Number(max(change / far for change, far in changes if far > 1e-9)),
        "Lipschitz constant": Number(query.slope.constant),
        "α for a tenth of the items within the nearest, ε = 0.2": Number(alpha),
        "error at this α": Number(metric_noise(query, alpha, n).rms_error(1)),
        "error for whole users, ε = 0.2": Number(user_level_noise(query, 0.2, n).rms_error(1)),
    }


def _text() -> tuple[Space, LinearQuery, Array]:
    """Words embedded by hashed trigrams; asked is how near somebody's words are to "people"."""
    sentences = [re.findall(r"[a-z]+", part.lower()) for part in ADDRESS.split(".")]
    sentences = [words for words in sentences if words]
    words = sorted({word for sentence in sentences for word in sentence})
    vectors = np.array([_hashed(word) for word in words])
    space, query = embedding_similarity(vectors, _hashed("people"))
    return space, query, np.array([_shares([words.index(word) for word in own], len(words)) for own in sentences])


def _hashed(word: str) -> Array:
    """Counts of trigrams in 16 buckets, of length 1."""
    vector = np.zeros(_BUCKETS)
    padded = f" {word} "
    for start in range(len(padded) - 2):
        vector[zlib.crc32(padded[start : start + 3].encode()) % _BUCKETS] += 1.0
    return np.asarray(vector / np.linalg.norm(vector))


def _graph() -> tuple[Space, LinearQuery, Array]:
    """States and who borders on whom; public is each state's centre, asked how far west somebody's neighbours are."""
    shapes = [shapely.union_all([shapely.Polygon(ring) for ring in rings]) for _, rings in us_outline().areas]
    centres = shapely.get_coordinates(shapely.centroid(shapes))
    space, query = embedding_similarity(centres, [[-1.0, 0.0]])
    near = np.array([shapely.dwithin(shape, shapes, 1e-6) for shape in shapes]) & ~np.eye(len(shapes), dtype=bool)
    return space, query, near[near.any(axis=1)] / near.sum(axis=1)[near.any(axis=1), None]


def _shares(items: list[int], k: int) -> Array:
    return np.asarray(np.bincount(items, minlength=k) / len(items))
