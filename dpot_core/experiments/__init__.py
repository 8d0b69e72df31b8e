"""Old names of the studies: what ``from dpot_core.experiments import population`` in exported Python meant."""

from importlib import import_module
from types import ModuleType

_NAMES = {"needs": "decide", "meaning": "explain"}


def __getattr__(name: str) -> ModuleType:
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return import_module(f"dpot_core.studies.{_NAMES.get(name, name)}")
    except ModuleNotFoundError:
        raise AttributeError(name) from None
