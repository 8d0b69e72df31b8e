"""Differentially private Wasserstein barycenters: dp_barycenters."""

from dpot_app.views.papers.rows.barycenters import data, figures, theory

ROWS = (*theory.ROWS, *figures.ROWS, *data.ROWS)
