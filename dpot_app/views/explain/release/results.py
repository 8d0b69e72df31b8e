import math
from dataclasses import dataclass

import pandas as pd

from dpot_app.views.explain.settings import Config


@dataclass(frozen=True)
class Result:
    """The worst case of one release; every bound is attained by randomized response on two answers."""

    config: Config
    most: float  # most that can be believed after any output, a probability
    least: float  # least
    factor: float  # e^epsilon, largest likelihood ratio of an output
    truthful: float  # probability that randomized response on two answers says the true one

    @property
    def deniable(self) -> float:
        """Probability that a person of whom the statement is false gives the output that speaks for it."""
        return 1.0 / (1.0 + self.factor)

    @property
    def others(self) -> int:
        """People of whom the statement is false and who say so all the same, of 100: to the nearest one.

        A person who says so can point to these; from about epsilon 5 on none is left.
        """
        return round(100 * self.deniable)

    @property
    def prior_odds(self) -> float:
        """Probability for over probability against."""
        return self.config.prior / (1.0 - self.config.prior)

    def tables(self) -> dict[str, pd.DataFrame]:
        row = {
            "epsilon": self.config.epsilon,
            "e^epsilon": self.factor,
            "prior": self.config.prior,
            "prior odds": self.prior_odds,
            "largest posterior": self.most,
            "largest posterior odds": self.prior_odds * self.factor,
            "smallest posterior": self.least,
            "smallest posterior odds": self.prior_odds / self.factor,
            "says so if true": self.truthful,
            "says so if false": self.deniable,
        }
        return {"one-release": pd.DataFrame([row])}


def run(config: Config) -> Result:
    """Turn a privacy parameter and a prior into bounds on what can be believed.

    ``least = prior e^-epsilon/(prior e^-epsilon + 1 - prior)``, ``most = prior e^epsilon/(prior e^epsilon + 1 -
    prior)``.

    Source:
        Bayes' rule; Warner 1965 (randomized response).
    """
    guarantee = config.guarantee
    return Result(
        config=config,
        most=guarantee.posterior(config.prior),
        least=1.0 - guarantee.posterior(1.0 - config.prior),
        factor=guarantee.odds_factor,
        truthful=1.0 / (1.0 + math.exp(-config.epsilon)),
    )
