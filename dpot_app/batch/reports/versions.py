"""Which programs computed the numbers."""

import platform
from importlib.metadata import PackageNotFoundError, version

_PACKAGES = ("numpy", "scipy", "pot", "highspy", "pandas", "dp-accounting", "opendp", "plotly", "streamlit")


def versions() -> dict[str, str]:
    """Name -> version of Python and of the packages that are installed."""
    installed = {"Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            installed[name] = version(name)
        except PackageNotFoundError:
            continue
    return installed


def own_version() -> str:
    """The version of dpot, with its name."""
    try:
        return f"dpot {version('dpot')}"
    except PackageNotFoundError:
        return "dpot, from its sources"
