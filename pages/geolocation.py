"""Geolocation: where people are in a city, what each mechanism releases, and how many kilometres that costs."""

from __future__ import annotations

import streamlit as st

from dpot_core.datasets import DATASETS
from dpot_core.experiments import geolocation as experiment
from dpot_core.figures import geolocation as figures
from pages import _shell as shell
from pages._geolocation_controls import choose

controls = shell.Controls("geo")
notice = st.container()
with st.sidebar:
    config = choose(controls)


@st.cache_resource(max_entries=3, show_spinner=False)
def city_of(source: str, place: experiment.Place) -> experiment.City:
    return experiment.make_city(DATASETS[source].load(), place)


city = city_of(config.source, config.place)
result = experiment.one_person(city, config, experiment.make_base(city, config.base, config.epsilon))
left, right = st.columns([1, 2])
with left:
    shell.draw(figures.person_maps(result), alt="True distribution", key="geo_truth")
with right:
    shell.draw(figures.output_maps(result), alt="Outputs", key="geo_outputs")
with notice:
    controls.notices()
