"""A choice of epsilon by people's own data, for which they pay: by the shares of them who would have enough."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_app.batch.release.places import OnePlaceEach, one_place_each
from dpot_app.batch.scenarios import Scenario, ScenarioError
from dpot_app.cities.city import make_public
from dpot_app.kit.fields import EPSILONS
from dpot_app.kit.view import Files
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.gets.results import have_enough
from dpot_app.views.geolocation.settings import Config
from dpot_core.arguments.progress import Progress
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.central.noisy_choice import choice_error, noisy_choice
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import number, percent

#: The choice is farther from the best than it says with this probability at most.
FAILURE = 0.05


@dataclass(frozen=True)
class EpsilonForAll:
    """The choice of epsilon for the people of a file, before anything is drawn: see `Prepared`.

    A person has enough at an epsilon where nine of ten releases of theirs land near an own place: a matter of their own
    data, and of what is public. Replacing one person changes the number of those who have enough by one at most, and so
    its distance from the number that is wanted, which is the score.

    Attributes:
        scenario: settings of the tab *Near own places*.
        each: the release that epsilon is chosen for.
        promise: of the choice alone, to each person.
    """

    scenario: Scenario
    each: OnePlaceEach
    promise: Guarantee

    thing = ("choice of ε", "choices of ε")
    people: tuple[str, ...] = ()

    @property
    def charged(self) -> tuple[str, ...]:
        """Names of the people in the file."""
        return self.each.people

    @property
    def what(self) -> str:
        """The release, in words."""
        return f"choice of ε for {self.each.what}"

    def drawn(self, named: bool, progress: Progress | None = None) -> pd.DataFrame:
        """The epsilon that was chosen: see `Prepared.drawn`."""
        config: Config = self.scenario.config
        counts, city = [], self.each.city
        for done, epsilon in enumerate(EPSILONS, start=1):
            public = make_public(city, make_base(city, config.base, epsilon), epsilon, config.reg)
            counts.append(int(have_enough(city, public, self.each.mechanism, config.beyond).sum()))
            if progress is not None:
                progress(done, len(EPSILONS))
        people, off = len(self.charged), choice_error(len(EPSILONS), config.spent, FAILURE)
        wanted = math.ceil(config.enough / 100.0 * people)
        chosen = EPSILONS[noisy_choice([-abs(count - wanted) for count in counts], config.spent)]
        found = {"epsilon": chosen, "within km": config.beyond, "share of people (%)": config.enough}
        return pd.DataFrame(
            [found | {f"farther from it than the best ε by at most ({percent(1.0 - FAILURE)}, people)": math.ceil(off)}]
        )


def epsilon_for_all(scenario: Scenario, files: Files, *, dry: bool = False) -> EpsilonForAll:
    """Prepare the choice of the epsilon at which about as many people have enough as the settings want.

    Args:
        scenario: of the tab *Near own places*, with a file of one's own.
        files: contents by role.
        dry: whether people are invented, and the file is not read.

    Raises:
        ScenarioError: as `one_place_each`, and if the mechanism has no output at some epsilon.
        ValueError: if the file does not suit the settings.
    """
    each = one_place_each(scenario, files, dry=dry)
    config: Config = each.scenario.config
    city, everywhere = each.city, np.full(len(each.city.grid), 1.0 / len(each.city.grid))
    for epsilon in EPSILONS:
        public = make_public(city, make_base(city, config.base, epsilon), epsilon, config.reg)
        if not MECHANISMS[each.mechanism].feasible(public, everywhere):
            label = MECHANISMS[each.mechanism].label
            raise ScenarioError(f"{label} has no output for some inputs at ε = {epsilon:g}", ("mechanisms",))
    enough = f"at which nine of ten releases land within {config.beyond:g} km of one of their places"
    public_words = (
        *each.promise.public,
        f"the {len(EPSILONS)} values of ε to choose from, and the number of people",
        f"what is wanted: an ε {enough}, for {number(config.enough)}% of the people",
    )
    promise = Guarantee(
        config.spent,
        neighbours="replace",
        public=public_words,
        note="For the choice alone. A release at the chosen ε adds that ε for each person.",
    )
    return EpsilonForAll(replace(scenario, config=config), each, promise.released())
