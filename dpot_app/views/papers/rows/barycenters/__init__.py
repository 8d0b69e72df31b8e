"""Differentially private Wasserstein barycenters: dp_barycenters."""

from dpot_app.views.papers.rows.barycenters import figures, theory

ROWS = (*theory.ROWS, *figures.ROWS)
