"""Planted bugs that the suite must catch: ``python -m tests.mutants`` plants them one at a time in a copy of the tree.

Each area has its file (`finite.py`, `central.py`, ...) with a list ``MUTANTS``; a new file in this folder that has one
is found by itself.
"""
