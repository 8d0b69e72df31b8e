"""Values of settings as they stand in a link; what a page has no place for is named."""

from __future__ import annotations

from dpot_core.studies._kit.links import CannotShowError, Parameters


def named(prefix: str, found: Parameters) -> Parameters:
    """Parameters of one page from those of its controls."""
    return {f"{prefix}_{name}": value for name, value in found.items()}


def whole(value: int, low: int, high: int, what: str) -> str:
    """A whole number from low to high."""
    if not low <= value <= high:
        raise CannotShowError(f"{what} = {value}")
    return str(value)


def only(value: object, shown: object, what: str) -> None:
    """Complain about a setting without a control that is not what the page has."""
    if value != shown:
        raise CannotShowError(f"{what} = {value:g}" if isinstance(value, float) else f"{what} = {value}")
