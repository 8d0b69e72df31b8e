"""The files that belong to the program and are no modules of `dpot_core`: the embedded data, the app."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable


def embedded(*names: str) -> Traversable:
    """A file or folder of the project, from a checkout or from an installed wheel.

    In a checkout they lie beside ``dpot_core``; a wheel has no place beside its packages that is its own, so they are
    mapped into ``dpot_core/project`` (see pyproject.toml).

    Args:
        names: from the top of the project: ``"data", "deployments.csv"``.

    Returns:
        Where it is; `importlib.resources.as_file` gives a path.

    Raises:
        FileNotFoundError: if there is none.
    """
    core = resources.files("dpot_core")
    installed = core.joinpath("project")
    found = (installed if installed.is_dir() else core.joinpath("..")).joinpath(*names)
    if not (found.is_file() or found.is_dir()):
        raise FileNotFoundError(f"{'/'.join(names)} is not part of this installation of dpot; looked in {found}")
    return found
