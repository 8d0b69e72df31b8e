"""Base measures of the LDP polytope: which masses m_j the outputs are held around. All of them are public."""

from dpot_core.base_measures.minimax import MinimaxBase, minimax_base
from dpot_core.base_measures.minimax_grids import minimax_base_on_grid
from dpot_core.base_measures.scaled import best_uniform_base, prior_base, uniform_base

__all__ = ["MinimaxBase", "best_uniform_base", "minimax_base", "minimax_base_on_grid", "prior_base", "uniform_base"]
