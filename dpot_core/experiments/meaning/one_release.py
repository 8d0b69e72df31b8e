"""One release: what the worst output does to beliefs, to odds, and to what can be denied."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpot_core.guarantees import Guarantee
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import number, settings

#: People in a picture.
PEOPLE = 100

#: Largest epsilon that is explained: places far apart have large ones.
MOST_EPSILON = 1e6


def prior(default: float) -> Any:
    """The field of what somebody believed before; the page asks for it in per cent.

    Args:
        default: its value where nothing is said, a probability.
    """
    return number(
        "What somebody believed before (probability)",
        default,
        low=1e-9,
        high=1 - 1e-9,
        step=1.25,
        factor=True,
        help="How sure somebody was of something about you, before seeing the release: of 100 people like you, how "
        "many?",
    )


@settings
class Config:
    """Settings of one release.

    Attributes:
        epsilon: privacy parameter in nats.
        prior: probability that somebody gave to a statement about a person before, in (0, 1).
    """

    epsilon: float = epsilon(2.0, low=0.0, high=MOST_EPSILON)
    prior: float = prior(0.1)

    @property
    def guarantee(self) -> Guarantee:
        """The promise that is explained."""
        return Guarantee(
            self.epsilon,
            neighbours="local",
            public=("the method and its settings",),
            note="For one release. What somebody knows from elsewhere is the prior; no promise covers it.",
        )


@dataclass(frozen=True)
class Result:
    """The worst case of one release; every bound is attained by randomized response on two answers.

    Attributes:
        config: the settings.
        most: most that can be believed after any output, a probability.
        least: least that can be believed after any output.
        factor: e^epsilon, largest likelihood ratio of an output.
        truthful: probability that randomized response on two answers says the true one, e^epsilon/(1 + e^epsilon).
    """

    config: Config
    most: float
    least: float
    factor: float
    truthful: float

    @property
    def deniable(self) -> float:
        """Probability that somebody of whom the statement is false gives the output that speaks for it."""
        return 1.0 / (1.0 + self.factor)

    @property
    def prior_odds(self) -> float:
        """Odds before: probability for over probability against."""
        return self.config.prior / (1.0 - self.config.prior)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
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

    Args:
        config: the settings.

    Source:
        Bayes' rule; Warner 1965 (randomized response).
    """
    promise = config.guarantee
    return Result(
        config=config,
        most=promise.posterior(config.prior),
        least=1.0 - promise.posterior(1.0 - config.prior),
        factor=promise.odds_factor,
        truthful=1.0 / (1.0 + math.exp(-config.epsilon)),
    )
