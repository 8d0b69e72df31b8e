"""Mechanisms of a trusted curator who sees everybody's data and releases what was computed from them with noise."""
