from dataclasses import replace

from dpot_app.films.catalogue import Split
from dpot_app.films.releases import ITERATIONS, MECHANISMS
from dpot_app.kit.fields import BASE, entropic_weight, epsilon, order
from dpot_app.kit.fields import MECHANISMS as MECHANISMS_LABEL
from dpot_app.kit.links import CannotShowError, Parameters, parameters
from dpot_app.kit.page import Expander, block
from dpot_app.kit.setting import choice, choices, free, group, settings
from dpot_core.datasets import FILM_DATASETS

#: Base measures of WPM, with their names in words.
BASES = {
    "rule": "uniform, mass e^(ε/4)",
    "best-uniform": "uniform, best mass for films with a place",
    "minimax": "minimax over all profiles",
    "minimax-placed": "minimax for films with a place",
    "prior": "likes of the validation users, mass e^(ε/4)",
    "own": "1 for each film plus your weights of its genres, mass e^(ε/4)",
}

#: Stands for the reader's own profile in `Config.user` and `Config.other`.
OWN = "(my own profile)"

REGS = (0.0, 3e-3, 0.01, 0.03, 0.1)
#: A catalogue that is public and of films that there are.
PUBLIC = next(key for key, data in FILM_DATASETS.items() if not data.simulated)
SOURCES = {key: data.title for key, data in FILM_DATASETS.items()} | {"csv": "My files"}
BASE_LABELS = {
    "rule": "Uniform",
    "best-uniform": "Best uniform",
    "minimax": "Minimax",
    "minimax-placed": "Minimax, films with a place",
    "prior": "Public prior",
    "own": "My own",
}
BELIEFS = {"uniform": "Uniform", "rated": "Like the validation users' ratings"}
BELIEF_HELP = "How likely each film is before the release. Only the tab *Best guess* uses it."
BASE_HELP = (
    "WPM gives each film between e^(-ε/2) and e^(ε/2) times its weight in this measure. Mass: the sum of all weights. "
    "Uniform: equal weights, mass e^(ε/4), which needs no data. (The tab *Everyone* fits the mass to validation users, "
    "as the paper does.) Best uniform: equal weights, at the mass with the smallest worst case. Minimax: the weights "
    "with the smallest worst case. This worst case is over all profiles, or only over those of films with a place in "
    "the embedding. Public prior: how many validation users like each film, mass e^(ε/4). My own: public weights that "
    "you give to genres, mass e^(ε/4). Each worst case stands under the curves."
)
OWN_HELP = (
    "Public weights, from nothing that is private. Each film has weight 1, and more for the genres that you give. "
    "Each entry is a genre and a weight; entries stand between semicolons."
)
REG_HELP = (
    f"λ blurs the transport plan: it is the weight of the entropy in Algorithm 1 ({ITERATIONS} iterations). It counts "
    "in the cost of a move between films at 90° (cosine distance 1), which is 1 at every p. Exact: no entropy; takes "
    "longer."
)
REG_LABEL = "Solver λ (1 = cosine distance 1)"
ORDER_HELP = (
    "W_p with the chord: the straight line between two films as directions on a sphere of radius 1, √(2 − 2 cos). Its "
    "square is twice the paper's cosine distance. So p = 2 is the paper's setting. A large p punishes far moves. WPM, "
    "EM and the minimax bases follow p; Genre KPM and k-RR do not know distances."
)
MECHANISMS_HELP = (
    "Shown for one user, with the curves of the worst case, and by the best guess. The other tabs compare all."
)
GIVE_STARS = (
    "Give stars to films. Films marked input make your profile; stars for candidates only say what you like. Your "
    "ratings stay in this session; the link does not carry them."
)
WITHOUT_FILES = (
    "Bring a CSV file on the left, with one row for each rating. Its columns are user, film and rating (0.5 to 5 "
    "stars). If you like, add a second file with titles and genres. Excel, Parquet and rows as MovieLens and "
    "Netflix write them are read as well. The files stay in the memory of the app. They are not written to disk, and "
    "not part of the link."
)


@settings
class Config:
    """All settings of the page; split, lambda and iterations default to those of wpm_2605.10015, section 5.2."""

    source: str = choice("Data", "simulated", SOURCES, link="data")
    split: Split = group(Split)
    base: str = choice(BASE, "rule", BASE_LABELS, link="base", help=BASE_HELP)
    own: str = free("My base measure: genre weight; …", "", shown=lambda config: config.base == "own", help=OWN_HELP)
    epsilon: float = epsilon(2.0)  # of one release
    p: float = order(2.0, help=ORDER_HELP)
    reg: float | None = entropic_weight(0.01, REGS, REG_HELP, REG_LABEL)
    mechanisms: tuple[str, ...] = choices(
        MECHANISMS_LABEL, ("wpm", "kpm", "em"), MECHANISMS, link="mechanisms", help=MECHANISMS_HELP
    )
    user: str = free("User (empty: who rated most)", "")  # a test user, or `OWN`
    other: str = free("Second user (empty: who rated second most)", "")  # where two are compared
    profile: tuple[tuple[int, float], ...] = free("Own ratings: film, stars", ())
    columns: tuple[tuple[str, str], ...] = free("Columns of the file", ())
    belief: str = choice("Prior of the best guess", "uniform", BELIEFS, link="belief", help=BELIEF_HELP)

    @property
    def personal(self) -> bool:
        return bool(self.profile)

    @property
    def at_any_epsilon(self) -> "Config":
        """For curves over epsilon of all mechanisms, which do not depend on it, nor on those that are shown."""
        return replace(self, epsilon=1.0, mechanisms=())


SIDEBAR = block(
    *("source", "columns"),
    loss="p",
    solver="reg",
    base=("base", "own"),
    mechanisms="mechanisms",
    folded=Expander(
        "Split, embedding, guess", ("split.seed", "split.dimensions", "split.candidates", "split.centred", "belief")
    ),
)


def link(config: Config, tab: str, **users: str) -> Parameters:
    """The parameters of a link; users by their numbers, because users by name are known to their data only."""
    if config.source == "csv" or config.profile or config.user or config.other:
        raise CannotShowError("your own files or a user by name in a link")
    own = {"own": config.own} if config.base == "own" else {}
    carried = {name: value for name, value in parameters(config).items() if name != "belief" or tab == "guess"}
    return carried | own | users | {"view": tab}
