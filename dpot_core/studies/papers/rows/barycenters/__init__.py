"""Differentially private Wasserstein barycenters: dp_barycenters."""

from dpot_core.studies.papers.rows.barycenters import figures, theory

ROWS = (*theory.ROWS, *figures.ROWS)
