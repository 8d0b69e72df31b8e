"""Central mechanisms: a trusted curator sees everybody's points and publishes something about all of them."""

from dpot_core.mechanisms.central.ball_region import BallRegion
from dpot_core.mechanisms.central.barycenter import ReferenceBarycenter, atoms_distance, barycenter
from dpot_core.mechanisms.central.barycenter_results import PerturbedBarycenter
from dpot_core.mechanisms.central.chunks import optimal_chunks
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter, Search, coreset_barycenter
from dpot_core.mechanisms.central.noisy_choice import choice_error, noisy_choice
from dpot_core.mechanisms.central.paper_barycenter import Perturbation, paper_barycenter
from dpot_core.mechanisms.central.perturbed_barycenter import Iteration, perturbed_barycenter
from dpot_core.mechanisms.central.private_kmeans import Lloyd, PrivateKMeans, private_kmeans
from dpot_core.mechanisms.central.private_measure import PrivateMeasure, private_measure
from dpot_core.mechanisms.central.promises import Protection
from dpot_core.mechanisms.central.sinkhorn import noisy_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_costs import CostOptions, PrivateCost, private_transport_cost
from dpot_core.mechanisms.central.sinkhorn_paper import Claim, paper_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_proven import PairProtection, Rounds
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn
from dpot_core.mechanisms.central.sinkhorn_tuning import Trials, Tuned, tune_sinkhorn

__all__ = [
    "BallRegion",
    "Claim",
    "CoresetBarycenter",
    "CostOptions",
    "Iteration",
    "Lloyd",
    "NoisySinkhorn",
    "PairProtection",
    "Perturbation",
    "PerturbedBarycenter",
    "PrivateCost",
    "PrivateKMeans",
    "PrivateMeasure",
    "Protection",
    "ReferenceBarycenter",
    "Rounds",
    "Search",
    "Trials",
    "Tuned",
    "atoms_distance",
    "barycenter",
    "choice_error",
    "coreset_barycenter",
    "noisy_choice",
    "noisy_sinkhorn",
    "optimal_chunks",
    "paper_barycenter",
    "paper_sinkhorn",
    "perturbed_barycenter",
    "private_kmeans",
    "private_measure",
    "private_transport_cost",
    "tune_sinkhorn",
]
