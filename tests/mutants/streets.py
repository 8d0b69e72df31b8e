"""Bugs in the map of streets, whose cells must lie on the streets that they cover, and in what pages may ask for."""

from tests.mutants.mutant import Mutant

_MAP = "dpot_app/figures/street_map.py"
_TESTS = "tests/views/geolocation/test_figures.py"

MUTANTS = [
    Mutant(
        "streets-without-mercator",
        _MAP,
        "np.degrees(np.arctanh(np.sin(np.radians(lat))))",
        "lat",
        (f"{_TESTS}::test_on_streets_every_cell_has_its_corners_and_its_output",),
        "cells and circles lie on streets that are elsewhere",
    ),
    Mutant(
        "streets-with-columns-from-south-to-north",
        _MAP,
        "values.reshape(grid.n, grid.n)",
        "values.reshape(grid.n, grid.n).T",
        (f"{_TESTS}::test_on_streets_every_cell_has_its_corners_and_its_output",),
        "the map is mirrored: another part of the town looks visited",
    ),
    Mutant(
        "pages-may-load-images-from-tile-servers",
        "dpot_app/shell/access.py",
        "\"'self' data: blob:\",\n        # Tiles",
        '" ".join(("\'self\' data: blob:", *tiles)),\n        # Tiles',
        ("tests/serve/test_access.py::test_the_policy_names_no_other_machine_unless_the_operator_does",),
        "a text on a page that names an image has another machine asked for it",
    ),
]
