"""Check-ins in a city: one person and the crowd through every mechanism, and worst cases in kilometres."""

from dpot_core.experiments.geolocation.city import City, make_base, make_city, make_setting
from dpot_core.experiments.geolocation.one_person import OnePerson, one_person
from dpot_core.experiments.geolocation.settings import BOXES, MECHANISMS, Config, Place

__all__ = [
    "BOXES",
    "MECHANISMS",
    "City",
    "Config",
    "OnePerson",
    "Place",
    "make_base",
    "make_city",
    "make_setting",
    "one_person",
]
