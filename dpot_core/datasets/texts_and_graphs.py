"""A text and a graph, both short and public: items with an embedding, and what each person has of them."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import cache

import numpy as np
import shapely

from dpot_core.arguments import Array
from dpot_core.datasets.outlines import us_outline

#: A. Lincoln, 1863: ten sentences, each one user's conversation. In the public domain.
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


@dataclass(frozen=True, eq=False)
class EmbeddedItems:
    """Items, people, and something to ask.

    Attributes:
        vectors: embedding of each item, (k, t); distances are Euclidean.
        people: distribution of each person over the items, (n, k).
        direction: asked is the mean of <direction, vector>, (t,).
        question: that in words.
    """

    vectors: Array
    people: Array
    direction: Array
    question: str


@cache
def spoken_words() -> EmbeddedItems:
    """Gettysburg Address word embeddings (hashed trigrams); one user says one sentence."""
    sentences = [re.findall(r"[a-z]+", part.lower()) for part in ADDRESS.split(".")]
    sentences = [words for words in sentences if words]
    words = sorted({word for sentence in sentences for word in sentence})
    counts = np.array([[sentence.count(word) for word in words] for sentence in sentences], dtype=np.float64)
    vectors = np.array([_hashed(word) for word in words])
    shares = counts / counts.sum(axis=1, keepdims=True)
    return EmbeddedItems(vectors, shares, _hashed("people"), "how near words are to “people”")


@cache
def neighbouring_states() -> EmbeddedItems:
    """The 48 states and DC, embedded by their centres in degrees; a user is a state and has its neighbours."""
    shapes = [shapely.union_all([shapely.Polygon(ring) for ring in rings]) for _, rings in us_outline().areas]
    centres = shapely.get_coordinates(shapely.centroid(shapes))
    near = np.array([shapely.dwithin(shape, shapes, 1e-6) for shape in shapes]) & ~np.eye(len(shapes), dtype=bool)
    near = near[near.any(axis=1)]
    people = near / near.sum(axis=1, keepdims=True)
    return EmbeddedItems(centres, people, np.array([-1.0, 0.0]), "how far west neighbours are")


def _hashed(word: str) -> Array:
    """Counts of trigrams in 16 buckets, of length 1."""
    vector = np.zeros(_BUCKETS)
    padded = f" {word} "
    for start in range(len(padded) - 2):
        vector[zlib.crc32(padded[start : start + 3].encode()) % _BUCKETS] += 1.0
    return np.asarray(vector / np.linalg.norm(vector))
