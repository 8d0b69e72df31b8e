"""The parts of the metric privacy page: its sidebar, its data and its views."""
