"""The recipes of CONTRIBUTING.md, followed in a copy of the tree: what has to be touched is counted, not claimed."""
