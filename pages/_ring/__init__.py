"""The parts of the ring page: its sidebar and its details."""
