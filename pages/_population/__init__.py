"""The parts of the page US population: its sidebar, its data and its views."""
