"""The parts of the page about what epsilon means: one module for each view."""
