from dpot_core.studies.explain.settings import Config, DistanceConfig, ReleasesConfig, RoundsConfig

_ONE = """import dpot_core as dpot

promise = dpot.Guarantee({epsilon})
prior = {config.prior!r}
factor = promise.odds_factor  # e^epsilon: no output is more than this many times as likely for one input as another
most = promise.posterior(prior)  # most that can be believed after any output
least = 1 - promise.posterior(1 - prior)  # least
print(factor, most, least)
"""

_RELEASES = """from fractions import Fraction

import dpot_core as dpot

total = sum(map(Fraction, {epsilons!r}))  # exact: local promises add up
most = dpot.Guarantee(float(total)).posterior({config.prior!r})
print(total, float(total), most)
"""

_ROUNDS = """from dpot_core.accounting import gaussian_epsilon, gaussian_noise

epsilon, delta, rounds = {config.epsilon!r}, {config.delta!r}, {config.rounds!r}
noise = gaussian_noise(epsilon, delta)  # of each release, in units of its sensitivity
exact = [gaussian_epsilon(noise, k * delta, steps=k) for k in range(1, rounds + 1)]
print("added up:", rounds * epsilon, "exact:", exact[-1], "both at delta", rounds * delta)
"""


def snippet(config: Config | DistanceConfig | ReleasesConfig | RoundsConfig) -> str:
    """Python that computes ``factor``, ``most`` and ``least``, the exact ``total``, or the ``exact`` epsilons."""
    if isinstance(config, Config):
        return _ONE.format(epsilon=repr(config.epsilon), config=config)
    if isinstance(config, DistanceConfig):
        return _ONE.format(epsilon=f"{config.alpha!r} * {config.distance!r}", config=config)
    if isinstance(config, ReleasesConfig):
        return _RELEASES.format(epsilons=list(config.epsilons), config=config)
    return _ROUNDS.format(config=config)
