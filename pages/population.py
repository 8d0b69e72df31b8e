"""US population: where people live, in a few points, without giving away where any one of them lives."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st

from dpot_core import datasets
from dpot_core.studies.population import PAGE, Config, InsideConfig, SyntheticConfig, details
from dpot_core.studies.population.controls import CURVES, EXAMPLES, GAUSSIANS, SHOWN
from pages import _shell as shell
