"""The parts of the geolocation page: its sidebar, its data, its slow work and its views."""
