"""The parts of the movies page: its sidebar, its data, its views."""
