"""d_EM-privacy of texts and of graphs: the two examples of metric_dp_emd beside places, on small public data."""

import numpy as np

from dpot_app.views.papers.row import Number, Numbers
from dpot_core.datasets.texts_and_graphs import EmbeddedItems, neighbouring_states, spoken_words
from dpot_core.mechanisms.metric.noise import metric_noise, user_level_noise
from dpot_core.mechanisms.metric.protection import earth_movers_distance, protection_rate, unit_distances
from dpot_core.mechanisms.metric.queries import embedding_similarity


def examples() -> Numbers:
    """Theorem 4.1 and the noise of one question on words of sentences, and on neighbours of the 48 states and DC."""
    return {
        f"{name}, {kind}": value
        for kind, items in {"text": spoken_words(), "graph": neighbouring_states()}.items()
        for name, value in _asked(items).items()
    }


def _asked(items: EmbeddedItems) -> dict[str, Number]:
    space, query = embedding_similarity(items.vectors, items.direction)
    distances, people = unit_distances(space), items.people
    changes = [
        (float(np.abs(query(mu) - query(nu)).max()), earth_movers_distance(mu, nu, distances))
        for i, mu in enumerate(people)
        for nu in people[:i]
    ]
    # A tenth of a person's items, moved by the distance of the nearest two that differ.
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
