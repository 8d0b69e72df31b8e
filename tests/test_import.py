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


def test_the_app_is_started_without_the_modules_of_the_other_commands() -> None:
    code = "import sys; from dpot_app.__main__ import main\ntry: main(['app', '--help'])\nfinally: print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert "--address" in said and "dpot_app.serve.app_command" in said
    assert "dpot_app.batch" not in said and "dpot_app.views" not in said and "streamlit" not in said
    other = [sys.executable, "-m", "dpot_app", "--help"]
    assert " app " in subprocess.run(other, capture_output=True, text=True, check=True).stdout
