from dpot_app.kit.links import Parameters, parameters
from dpot_app.kit.setting import choice, group, seed, settings, typed, when
from dpot_app.kit.values import ScenarioError
from dpot_app.views.mixture.settings import Family, order_field, variance_field

SOURCES = {"published": "The paper's 100", "random": "Random"}

_random = when("source", "random")


@settings
class ManyConfig:
    """Many mixtures through every mechanism, at the paper's values of epsilon."""

    source: str = choice("Mixtures", "published", SOURCES, widget="segments", link="source")
    count: int = typed("How many", 100, "many", low=1, high=1000, step=None, shown=_random)
    seed: int = seed("Seed", 1, "many_seed", shown=_random)
    family: Family = group(Family)
    reference: float = variance_field("Variance of the mollifier's Gaussian", "reference")
    p: float = order_field()

    @property
    def used(self) -> "ManyConfig":
        """The same with the authors' family, number and seed where the mixtures are theirs."""
        return self if _random(self) else ManyConfig(reference=self.reference, p=self.p)

    @property
    def of_paper(self) -> bool:
        """Whether the family is the one of the paper, so that its maxima may stand beside ours."""
        return self.family == Family()


def requirements(config: ManyConfig) -> None:
    if config.family.dimension != 1:
        raise ScenarioError(f"must be 1 here; got {config.family.dimension}", ("family", "dimension"))


def link(config: ManyConfig) -> Parameters:
    """The parameters of a link; the mixture that is shown above is a member of every family."""
    shown: Parameters = {"modes": "one", "mean": "0", "view": "line", "details": "many"}
    return parameters(config) | shown
