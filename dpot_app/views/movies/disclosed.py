from dpot_app.films.catalogue import Films
from dpot_app.films.releases import MECHANISMS
from dpot_app.views.movies.settings import Config
from dpot_core.privacy.disclosures import Disclosure, demonstration, nothing_released
from dpot_core.privacy.guarantees import Guarantee

#: Columns that depend on the catalogue and the settings only.
FREE = {
    "user-outputs": ("simulated", "film", "genres"),
    "user-moved": ("simulated", "release"),
    "user-orders": ("simulated", "p"),
    "worst-profiles": ("*",),
    "worst-profiles-now": ("*",),
    "worst-profiles-bases": ("*",),
    "user-liked-against-epsilon": ("simulated", "epsilon"),
    "hit-rate": ("simulated", "epsilon", "release", "users"),
    "paired-differences": ("simulated", "epsilon", "difference"),
    "masses-tried": ("simulated", "epsilon", "release", "mass"),
    "ten-releases": ("simulated", "release", "epsilon of each release", "epsilon in all", "score"),
    "two-users": ("simulated", "film"),
    "largest-ratio": ("simulated", "epsilon"),
    "headlines": tuple(f"Worst case of {label}, at most (cosine distance)" for label in MECHANISMS.values()),
}

#: For views in which nothing is released.
ANALYSIS = nothing_released("analysis", FREE)


def guarantee(config: Config, films: Films) -> Guarantee:
    """The promise of one release: any two rating histories of one person, as wholes."""
    learned = f"learned from {films.validation.size:,} other users"
    own = ["your own base measure; if it comes from private data, it costs privacy that is not counted here"]
    return Guarantee(
        config.epsilon,
        neighbours="local",
        public=(
            "the catalogue and the split",
            f"the embedding of the films and the {films.candidates.size} candidates, {learned}",
            f"the base measures; the tab Everyone fits their mass to the same {films.validation.size:,} users",
            *(own if config.base == "own" else ()),
            "ε",
            "who takes part",
        ),
        note=(
            "A person's ratings are protected as a whole, for one released film; ten releases cost 10 ε. Not covered: "
            "the validation users. Everything learned from them is treated as public. It costs their privacy unless it "
            "is public anyway."
        ),
    )


def one_film(config: Config, films: Films) -> Disclosure:
    """The disclosure of one user's numbers: distributions, and a film that is drawn from them as a demonstration."""
    words = (
        "The distributions are computed from the input without protection. The settings hold this input, or the "
        "user's name. The film that the page draws has a known seed. The promise covers a draw with secret randomness, "
        "not the distributions."
    )
    promise = guarantee(config, films)
    ways = [(label, promise) for label in MECHANISMS.values()]
    return demonstration([("one released film", promise)], words, free=FREE, ways=ways)
