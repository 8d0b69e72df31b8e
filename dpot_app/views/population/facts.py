"""Numbers of a release that are public: they follow from the settings and the sizes of the groups."""

import math

from dpot_app.views.population.people import People
from dpot_app.views.population.starts import public_region
from dpot_core.mechanisms.central.barycenter_results import PerturbedBarycenter
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter
from dpot_core.mechanisms.central.perturbed_barycenter import START_SHARE
from dpot_core.mechanisms.central.private_kmeans import PrivateKMeans
from dpot_core.privacy.accounting import gaussian_noise

#: What a mechanism returns.
Result = CoresetBarycenter | PerturbedBarycenter | PrivateKMeans


def public_facts(result: Result) -> dict[str, float]:
    """Numbers of a mechanism that follow from the settings and the sizes of the groups, by name with unit."""
    if isinstance(result, PrivateKMeans):
        return {
            "standard deviation of the noise of a round": result.noise,
            "sensitivity of a round": result.sensitivity,
            "rounds": float(result.rounds),
        }
    if isinstance(result, CoresetBarycenter):
        return {"levels of the partition": float(result.measures[0].cells.depth)}
    facts = {
        "standard deviation of the noise of a step": result.noise,
        "sensitivity of a step": result.sensitivity,
        "steps": float(result.steps),
    }
    if result.chunks:
        facts["chunks of a group"] = float(result.chunks)
    guarantee = result.sample_guarantee
    if guarantee.proven:
        added = gaussian_noise(guarantee.epsilon * (1 - START_SHARE), guarantee.delta, result.sensitivity, result.steps)
        facts["times the noise if epsilons were added up"] = added / result.noise
    return facts


def noise_of_mean(result: PerturbedBarycenter, people: People, m: int) -> float:
    """Standard deviation of a coordinate of an atom that is the mean over groups of noisy means of cells of n/m people.

    The count's noise, R times that of the sum, moves the mean by its own distance from the centre.
    """
    region = public_region(people.outline)
    of_means = m * math.sqrt(sum(1.0 / n**2 for n in people.sizes)) / len(people.sizes)
    counts = float(((result.atoms - region.centre) ** 2).mean()) / region.radius**2
    return result.noise * of_means * math.sqrt(1.0 + counts)
