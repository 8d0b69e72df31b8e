"""Figures of the geolocation page."""

from dpot_core.figures.geolocation.one_person import output_maps, person_maps

__all__ = ["output_maps", "person_maps"]
