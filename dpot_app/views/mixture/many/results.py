from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.mixture.many.settings import ManyConfig
from dpot_app.views.mixture.outputs import on_cells, private_density
from dpot_app.views.mixture.published import published_modes, published_rows, published_worst
from dpot_app.views.mixture.settings import MECHANISMS, Config, Modes
from dpot_app.views.mixture.worst_case import WorstCases, worst_cases
from dpot_core.arguments.progress import Progress, counted
from dpot_core.distributions.divergences import DIVERGENCES

#: The paper's values of epsilon, its number of mixtures, and its rule: this many modes on average, at most so many.
FIG4_EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0)
_MEAN_MODES, _MOST_MODES = 2, 10
# WPM among many mixtures: enough cells for three digits, a few milliseconds each.
_CELLS = 200


@dataclass(frozen=True)
class Many:
    """Divergences of many mixtures through every mechanism."""

    config: ManyConfig
    values: pd.DataFrame  # mixture, epsilon, mechanism and one column for each divergence
    bound: WorstCases  # R of their family
    disagreement: float | None  # for the published mixtures largest difference of our KPM and the authors', else None

    @property
    def worst(self) -> pd.DataFrame:
        """The largest of each divergence by epsilon and mechanism."""
        return self.values.groupby(["epsilon", "mechanism"], sort=False)[list(DIVERGENCES)].max().reset_index()

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {"epsilon": epsilon, "mechanism": mechanism, **divergences}
            for epsilon, published in published_worst().items()
            for mechanism, divergences in published.items()
        ]
        return {
            "fig4-worst": self.worst,
            "fig4-mixtures": self.values,
            "fig4-published": pd.DataFrame(rows),
            "fig4-bound": self.bound.tables()["worst-case"],
        }


def draw_mixtures(count: int, seed: int, radius: float) -> list[Modes]:
    """Mixtures by the paper's rule: min(Poisson(2) + 1, 10) modes, uniform means, uniform weights."""
    rng = np.random.default_rng(seed)
    mixtures = []
    for _ in range(count):
        modes = min(int(rng.poisson(_MEAN_MODES)) + 1, _MOST_MODES)
        means, weights = rng.uniform(-radius, radius, modes), rng.dirichlet(np.ones(modes))
        mixtures.append(Modes(means=tuple(means.tolist()), weights=tuple(weights.tolist())))
    return mixtures


def many_mixtures(config: ManyConfig, progress: Progress | None = None) -> Many:
    """Every mechanism on many mixtures, at the paper's values of epsilon."""
    return _many(config.used, progress)


@cached
def _many(config: ManyConfig, progress: Progress | None) -> Many:
    published = config.source == "published"
    inputs = published_modes() if published else draw_mixtures(config.count, config.seed, config.family.radius)
    rows = []
    for number, modes in enumerate(counted(inputs, progress), start=1):
        for epsilon in FIG4_EPSILONS:
            one = Config(modes=modes, family=config.family, epsilon=epsilon, reference=config.reference, p=config.p)
            for name in MECHANISMS:
                output = on_cells(one, _CELLS) if name == "wpm" else private_density(name, one)
                rows.append({"mixture": number, "epsilon": epsilon, "mechanism": name, **output.divergences()})
    values = pd.DataFrame(rows)
    return Many(config, values, worst_cases(config.family), _disagreement(values) if published else None)


def _disagreement(values: pd.DataFrame) -> float:
    ours = values[(values["epsilon"] == 1.0) & (values["mechanism"] == "kpm")]
    return max(
        abs(float(ours[name].iloc[number]) - theirs)
        for number, published in enumerate(published_rows())
        for name, theirs in published["kpm"].items()
    )
