"""The wheel, installed outside the repository: commands, examples, schemas and the app are all in it.

The environment of its own takes the libraries from the one that runs the tests, and nothing else: what is missing in
the wheel is missing there. Examples that take more than a few seconds are run by ``make wheel-check``.
"""

from __future__ import annotations

import http.client
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from dpot_core.scenarios import VIEWS
from tests.browser import driver, every_page
from tests.test_architecture import ROOT, files_of_the_project
from tests.test_readme import blocks

SLOW = {"movies.sweep", "geolocation.crowd-curve", "metric.crowd-curve", "sinkhorn.cost", "decide.epsilon"}
SLOW |= {key for key in VIEWS if key.startswith(("population.curve", "population.gaussians"))}
CHOSEN = [key for key in VIEWS if os.environ.get("DPOT_WHOLE_WHEEL") or key not in SLOW]

SCHEMAS = """
import contextlib, io, json, sys
import jsonschema, yaml
import dpot_core
from dpot_core.__main__ import main

def said(*arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(arguments) == 0
    return out.getvalue()

for line in said("list").splitlines():
    key = line.split("\\t")[0]
    schema = json.loads(said("schema", key))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(yaml.safe_load(said("example", key)))
    print(key)
print(dpot_core.__file__)
"""


EXAMPLES = """
import sys
from dpot_core.scenarios import VIEWS, Scenario, describe_data, write

kinds = [VIEWS[key] for key in sys.argv[1:]]
print(write([Scenario(kind.key, kind.title, kind.example, describe_data(kind, kind.example, {})) for kind in kinds]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the files that are tracked, or would be: leftovers of earlier builds do not count."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for path in files_of_the_project():
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", out, source)
    (built,) = out.glob("dpot-*.whl")
    return built


@pytest.fixture(scope="module")
def commands(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that holds the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name == "posix")
    inside = sysconfig.get_paths("venv", {"base": str(folder), "platbase": str(folder)})
    libraries = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    Path(inside["purelib"], "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")
    scripts = Path(inside["scripts"])
    pip("--python", scripts / "python", "install", "--no-deps", "--no-index", wheel)
    return scripts


@pytest.fixture
def outside(commands: Path, tmp_path: Path) -> dict[str, object]:
    return outside_of(commands, tmp_path)


def outside_of(commands: Path, folder: Path) -> dict[str, object]:
    """How a command is started there: in an empty folder, with nothing of the repository on any path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STREAMLIT", "DPOT"))}
    return {
        "cwd": folder,
        "env": kept | {"PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)},
    }


def pip(*arguments: object) -> None:
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def run(*command: object, **how: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, encoding="utf-8", **how)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout


def test_the_wheel_holds_the_package_the_app_and_the_data_and_nothing_else(wheel: Path) -> None:
    tracked = {path.relative_to(ROOT).as_posix() for path in files_of_the_project()}
    expected = {name for name in tracked if name.startswith("dpot_core/")}
    expected |= {f"dpot_core/project/{name}" for name in tracked if name == "app.py" or name.startswith("pages/")}
    made_of = {"data/build_us.py", "data/screenshot.png", "data/live.webp"}
    expected |= {f"dpot_core/project/{name}" for name in tracked - made_of if name.startswith("data/")}
    expected |= {"dpot_core/project/.streamlit/config.toml"}
    with zipfile.ZipFile(wheel) as content:
        found = {name for name in content.namelist() if ".dist-info/" not in name}
    assert found == expected


def test_the_commands_of_the_readme_work_anywhere(outside: dict[str, object], tmp_path: Path) -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("dpot ")]
    assert {line.split()[1] for line in lines} == {"app", "list", "example", "schema", "check", "run", "sweep"}
    lines.remove(next(line for line in lines if line.startswith("dpot app")))
    said = run("sh", "-e", "-c", "\n".join(lines), **outside)
    assert [line.split("\t")[0] for line in said.splitlines() if line.count("\t") == 2] == list(VIEWS)
    assert (tmp_path / "folder" / "numbers.json").is_file()


def test_every_example_fits_its_schema(commands: Path, outside: dict[str, object]) -> None:
    *keys, origin = run(commands / "python", "-c", SCHEMAS, **outside).splitlines()
    assert keys == list(VIEWS)
    assert commands.parent in Path(origin).parents, "the wheel is not what was imported"


def test_every_example_runs(commands: Path, outside: dict[str, object], tmp_path: Path) -> None:
    # Written there: which data a scenario names depends on what is on the machine that it is written on.
    content = run(commands / "python", "-c", EXAMPLES, *CHOSEN, **outside)
    (tmp_path / "examples.yaml").write_text(content, encoding="utf-8")
    run(commands / "dpot", "run", "examples.yaml", "--out", "out", **outside)
    found = {path.parent.name for path in (tmp_path / "out").glob("*/numbers.json")}
    assert found == {f"{number:02d}-{key}" for number, key in enumerate(CHOSEN, start=1)}


def test_the_app_of_the_wheel_asks_who_comes_in(commands: Path, outside: dict[str, Any]) -> None:
    command, how = [str(commands / "dpot"), "app", "--port"], outside
    refused = subprocess.run([*command, "0", "--address", "0.0.0.0"], capture_output=True, text=True, timeout=60, **how)
    assert refused.returncode == 2 and "DPOT_PASSWORD" in refused.stderr and "Traceback" not in refused.stderr
    with driver.serving(command, cwd=how["cwd"], env=how["env"] | {"DPOT_PASSWORD": "salmon and dill"}) as address:
        for path, host, status in (("/ring", "localhost", 401), ("/ring", "evil.example", 403)):
            line = http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)
            line.request("GET", path, headers={"Host": host})
            answer = line.getresponse()
            assert answer.status == status and "default-src 'none'" in answer.headers["Content-Security-Policy"]
            line.close()


@pytest.fixture(scope="module")
def walked(commands: Path, tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> dict[str, list[str]]:
    """What is wrong with any page of the app that the wheel starts, by law."""
    command = [str(commands / "dpot"), "app", "--port"]
    with driver.serving(command, **outside_of(commands, tmp_path_factory.mktemp("app"))) as address:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(f"{address}/ring", timeout=10) as reply:
            assert reply.status == 200 and re.search(rb"<title>", reply.read())
        page, watch = driver.new_page(browser)
        driver.hold_still(page.context)
        page.goto(address)
        driver.wait_idle(page)
        assert {f"{path.strip('/') or 'home'}.py" for path in driver.page_paths(page)} == {
            path.name for path in (ROOT / "pages").glob("[a-z]*.py")
        }
        found = every_page.walk(page, address)
        found["watch"] = watch.look_at_pages()
        page.context.close()
    return found


@pytest.mark.parametrize("law", [*every_page.ALL, "watch"])
def test_the_app_serves_every_page_as_it_should_be(walked: dict[str, list[str]], law: str) -> None:
    assert not walked[law], "\n".join(walked[law])
