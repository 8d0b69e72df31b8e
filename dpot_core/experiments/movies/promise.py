"""What is promised to each user, and what the promise does not cover."""

from __future__ import annotations

from dpot_core.experiments.movies.films import Films
from dpot_core.experiments.movies.settings import Config
from dpot_core.guarantees import Guarantee


def guarantee(config: Config, films: Films) -> Guarantee:
    """The promise of one release: any two rating histories of one person, as wholes."""
    learned = f"learned from {films.validation.size:,} other users"
    return Guarantee(
        config.epsilon,
        neighbours="local",
        public=(
            "the catalogue and the split",
            f"the embedding of the films and the {films.candidates.size} candidates, {learned}",
            f"the base measures; on Everyone their mass is chosen with the same {films.validation.size:,} users",
            "epsilon",
            "who takes part",
        ),
        note=(
            "Protected are a person's ratings as a whole, for one released film; ten releases cost 10 ε. Not covered: "
            "the validation users. What is learned from them is treated as public and costs their privacy unless it "
            "is public anyway."
        ),
    )
