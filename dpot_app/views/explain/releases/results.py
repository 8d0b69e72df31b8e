from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pandas as pd

from dpot_app.views.explain.settings import ReleasesConfig, read_epsilons
from dpot_core.arguments import Array
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.rounding import rounded_up


@dataclass(frozen=True)
class Releases:
    """The sum of local releases."""

    config: ReleasesConfig
    sums: tuple[Fraction, ...]  # after each release, exactly
    most: Array  # largest posterior after each release, (T,)

    def tables(self) -> dict[str, pd.DataFrame]:
        steps = {
            "release": np.arange(1, len(self.sums) + 1),
            "epsilon": list(self.config.epsilons),
            "sum, exact": [str(value) for value in self.sums],
            "sum": [rounded_up(value) for value in self.sums],
            "largest posterior": self.most,
        }
        return {"releases": pd.DataFrame(steps)}


def releases(config: ReleasesConfig) -> Releases:
    """Add up local releases exactly (basic composition), and bound what can be believed after each.

    Raises:
        ValueError: if there is no release, or an epsilon cannot be read.

    Source:
        Dwork and Roth 2014, Theorem 3.16.
    """
    read_epsilons(" ".join(config.epsilons))
    sums = tuple(accumulate(map(Fraction, config.epsilons)))
    most = [Guarantee(rounded_up(total)).posterior(config.prior) for total in sums]
    return Releases(config, sums, np.array(most))
