"""The parts of the page that finds the smallest epsilon: its sidebar, its tables, and where it leads."""
