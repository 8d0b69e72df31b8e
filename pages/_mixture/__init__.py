"""The parts of the mixture page: modes of one's own, and its three views."""
