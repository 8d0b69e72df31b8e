"""Mechanisms for densities on the line and in the plane."""
