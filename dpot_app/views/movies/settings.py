from dataclasses import replace

from dpot_app.films.catalogue import Split
from dpot_app.films.releases import ITERATIONS
from dpot_app.kit.fields import entropic_weight, epsilon
from dpot_app.kit.links import CannotShowError, Parameters, parameters
from dpot_app.kit.page import Expander
from dpot_app.kit.setting import choice, free, group, settings
from dpot_core.datasets import FILM_DATASETS

#: Base measures of WPM, with their names in words.
BASES = {
    "rule": "uniform, mass e^(ε/4)",
    "minimax": "minimax",
    "prior": "likes of the validation users, mass e^(ε/4)",
}

#: Stands for the reader's own profile in `Config.user` and `Config.other`.
OWN = "(my own profile)"

REGS = (0.0, 3e-3, 0.01, 0.03, 0.1)
SOURCES = {key: data.title for key, data in FILM_DATASETS.items()} | {"csv": "My CSV files"}
BASE_LABELS = {"rule": "Uniform", "minimax": "Minimax", "prior": "Public prior"}
BASE_HELP = (
    "WPM puts between e^(-ε/2) and e^(ε/2) times this measure on each film. Uniform: mass e^(ε/4), which needs no data "
    "(Everyone chooses the mass on validation users, as the paper does). Minimax: the smallest worst case. Public "
    "prior: how many validation users like each film, mass e^(ε/4)."
)
REG_HELP = (
    f"Weight of the entropy in Algorithm 1 ({ITERATIONS} iterations), in units of the cosine distance, which lies in "
    "[0, 2]: λ means nothing without that scale. Exact takes longer."
)
GIVE_STARS = (
    "Give stars to films: those marked input make your profile; stars for candidates only say what you like. "
    "Your ratings stay in this session; the link does not carry them."
)
WITHOUT_FILES = (
    "Bring a CSV file on the left: one row for each rating with the columns user, film and rating (0.5 to 5 stars) "
    "and, if you like, a second file with titles and genres. The files stay in the memory of the app; they are not "
    "written to disk, and not part of the link."
)


@settings
class Config:
    """All settings of the page; split, lambda and iterations default to those of wpm_2605.10015, section 5.2."""

    source: str = choice("Data", "simulated", SOURCES, link="data")
    split: Split = group(Split)
    base: str = choice("Base measure of WPM", "rule", BASE_LABELS, link="base", help=BASE_HELP)
    epsilon: float = epsilon(2.0)  # of one release
    reg: float | None = entropic_weight(0.01, REGS, REG_HELP)
    user: str = free("User (empty: who rated most)", "")  # a test user, or `OWN`
    other: str = free("Second user (empty: who rated second most)", "")  # for whoever compares two
    profile: tuple[tuple[int, float], ...] = free("Own ratings: film, stars", ())
    columns: tuple[tuple[str, str], ...] = free("Columns of the file", ())

    @property
    def personal(self) -> bool:
        return bool(self.profile)

    @property
    def at_any_epsilon(self) -> "Config":
        """For curves over epsilon, which do not depend on it."""
        return replace(self, epsilon=1.0)


SIDEBAR = (
    "source",
    "columns",
    "epsilon",
    "base",
    Expander(
        "Split, embedding, solver", ("split.seed", "split.dimensions", "split.candidates", "split.centred", "reg")
    ),
)


def link(config: Config, tab: str, **users: str) -> Parameters:
    """What a link carries; users by their numbers, because those by name are known to their data only."""
    if config.source == "csv" or config.profile or config.user or config.other:
        raise CannotShowError("your own files or a user by name in a link")
    return parameters(config) | users | {"view": tab}
