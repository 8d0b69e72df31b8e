"""What `import dpot_core` loads: libraries that few functions call are loaded by those that do."""

from __future__ import annotations

import subprocess
import sys

from dpot_app.kit.workers.jobs import LOADED_LATE


def test_the_science_is_imported_without_what_few_functions_call() -> None:
    code = "import sys, dpot_core; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = set(said.split())
    assert {"dpot_core", "numpy", "scipy.linalg"} <= loaded
    assert not loaded & {"pandas", "geopandas", "pyarrow", "opendp", *LOADED_LATE}
