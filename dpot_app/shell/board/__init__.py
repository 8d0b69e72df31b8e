"""The parts of the what-if board: cards, comparison, editor, sensitivity, releases together, files."""
