"""Central mechanisms: a trusted curator sees everybody's points and publishes something about all of them."""

from dpot_core.mechanisms.central.barycenter import ReferenceBarycenter, atoms_distance, barycenter
from dpot_core.mechanisms.central.chunks import optimal_chunks
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter, coreset_barycenter
from dpot_core.mechanisms.central.perturbed_barycenter import PerturbedBarycenter, perturbed_barycenter
from dpot_core.mechanisms.central.private_measure import PrivateMeasure, private_measure
from dpot_core.mechanisms.central.sinkhorn import noisy_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_costs import PrivateCost, private_transport_cost
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn

__all__ = [
    "CoresetBarycenter",
    "NoisySinkhorn",
    "PerturbedBarycenter",
    "PrivateCost",
    "PrivateMeasure",
    "ReferenceBarycenter",
    "atoms_distance",
    "barycenter",
    "coreset_barycenter",
    "noisy_sinkhorn",
    "optimal_chunks",
    "perturbed_barycenter",
    "private_measure",
    "private_transport_cost",
]
