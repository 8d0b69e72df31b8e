"""Optimal transport solvers that know nothing of privacy."""
