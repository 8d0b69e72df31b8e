"""The wheel, installed outside the repository: commands, examples, schemas and the app are all in it.

The environment of its own takes the libraries from the one that runs the tests, and nothing else: what is missing in
the wheel is missing there.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from dpot_app.batch.scenarios import VIEWS
from tests.browser import driver, every_page
from tests.test_architecture import ROOT, files_of_the_project

pytestmark = pytest.mark.nightly

PASSWORD = "salmon and dill"

# All that is asked of the commands, in one process: to import the package takes longer than most of them. What a step
# gives or, where it fails, how it does.
INSIDE = """
import contextlib, io, json, shlex, sys, traceback
from pathlib import Path

import jsonschema, yaml

import dpot_core
from dpot_app.command_line import main
from dpot_app.batch.scenarios import VIEWS, Scenario, describe_data, write

def said(*arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(arguments) == 0, arguments
    return out.getvalue()

def readme(lines):
    shown = []
    for line in lines:
        _, *words = shlex.split(line, comments=True)
        if ">" in words:
            *words, _, file = words
            Path(file).write_text(said(*words), encoding="utf-8")
        else:
            shown.append(said(*words))
    return "".join(shown)

def schemas():
    keys = [line.split("\\t")[0] for line in said("list").splitlines()]
    for key in keys:
        schema = json.loads(said("schema", key))
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(yaml.safe_load(said("example", key)))
    return keys

def examples(chosen):
    # Written here: which data a scenario names depends on what is on the machine that it is written on.
    kinds = [VIEWS[key] for key in chosen]
    asked = [Scenario(kind.key, kind.title, kind.example, describe_data(kind, kind.example, {})) for kind in kinds]
    Path("examples.yaml").write_text(write(asked), encoding="utf-8")
    said("run", "examples.yaml", "--out", "out")
    return sorted(path.parent.name for path in Path("out").glob("*/numbers.json"))

asked = json.load(sys.stdin)
steps = {
    "origin": lambda: dpot_core.__file__, "readme": lambda: readme(asked["readme"]), "schemas": schemas,
    "examples": lambda: examples(asked["examples"]),
}
found = {}
for name, step in steps.items():
    try:
        found[name] = step()
    except BaseException:
        found[name] = traceback.format_exc()
print(json.dumps(found))
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
    expected = {name for name in tracked if name.startswith(("dpot_core/", "dpot_app/"))}
    expected |= {f"dpot_core/project/{name}" for name in tracked if name == "app.py" or name.startswith("pages/")}
    made_of = {"data/build_us.py", "data/build_world.py", "data/screenshot.png", "data/live.webp"}
    expected |= {f"dpot_core/project/{name}" for name in tracked - made_of if name.startswith("data/")}
    expected |= {"dpot_core/project/.streamlit/config.toml"}
    with zipfile.ZipFile(wheel) as content:
        found = {name for name in content.namelist() if ".dist-info/" not in name}
    assert found == expected


def documented_lines() -> list[str]:
    """Commands of the documents; without those that need Chromium or a file of one's own."""
    text = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("dpot ")]
    run = {"list", "example", "schema", "check", "run", "sweep", "ledger"}
    assert {line.split()[1] for line in lines} == run | {"sheet", "release"}
    return [line for line in lines if line.split()[1] in run]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where commands are given."""
    return tmp_path_factory.mktemp("outside")


@pytest.fixture(scope="module")
def inside(commands: Path, folder: Path) -> dict[str, Any]:
    asked = json.dumps({"readme": documented_lines(), "examples": list(VIEWS)})
    said = run(commands / "python", "-c", INSIDE, input=asked, **outside_of(commands, folder))
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    assert commands.parent in Path(found["origin"]).parents, "the wheel is not what was imported"
    return found


def test_the_commands_of_the_readme_work_anywhere(inside: dict[str, Any], folder: Path) -> None:
    said = inside["readme"]
    assert [line.split("\t")[0] for line in said.splitlines() if line.count("\t") == 2] == list(VIEWS), said
    assert (folder / "folder" / "numbers.json").is_file() and (folder / "table" / "results.parquet").is_file()


def test_every_example_fits_its_schema(inside: dict[str, Any]) -> None:
    assert inside["schemas"] == list(VIEWS)


def test_every_example_runs(inside: dict[str, Any]) -> None:
    assert inside["examples"] == sorted(f"{number:02d}-{key}" for number, key in enumerate(list(VIEWS), start=1))


@pytest.fixture(scope="module")
def app(commands: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the app that the wheel starts, for a reader who knows the password."""
    how: dict[str, Any] = outside_of(commands, tmp_path_factory.mktemp("app"))
    command = [str(commands / "dpot"), "app", "--port"]
    with driver.serving(command, cwd=how["cwd"], env=how["env"] | {"DPOT_PASSWORD": PASSWORD}) as address:
        yield address


def test_the_app_of_the_wheel_asks_who_comes_in(app: str, commands: Path, tmp_path: Path) -> None:
    command = [str(commands / "dpot"), "app", "--port", "0", "--address", "0.0.0.0"]
    how: dict[str, Any] = outside_of(commands, tmp_path)
    refused = subprocess.run(command, capture_output=True, text=True, timeout=900, **how)
    assert refused.returncode == 2 and "DPOT_PASSWORD" in refused.stderr and "Traceback" not in refused.stderr
    for path, host, status in (("/ring", "localhost", 401), ("/ring", "evil.example", 403)):
        line = http.client.HTTPConnection(app.removeprefix("http://"), timeout=120)
        line.request("GET", path, headers={"Host": host})
        answer = line.getresponse()
        assert answer.status == status and "default-src 'none'" in answer.headers["Content-Security-Policy"]
        line.close()


@pytest.fixture(scope="module")
def walked(app: str, browser: Browser) -> dict[str, list[str]]:
    """What is wrong with any page of the app that the wheel starts, by law."""
    page, watch = driver.new_page(browser)
    driver.hold_still(page.context)
    entered = page.context.request.post(f"{app}/ring", form={"password": PASSWORD}, headers={"Origin": app})
    assert entered.status == 200 and re.search("<title>", entered.text())
    page.goto(app)
    driver.wait_idle(page)
    assert {f"{path.strip('/') or 'home'}.py" for path in driver.page_paths(page)} == {
        path.name for path in (ROOT / "pages").glob("[a-z]*.py")
    }
    found = every_page.walk(page, app)
    found["watch"] = watch.look_at_pages()
    page.context.close()
    return found


@pytest.mark.parametrize("law", [*every_page.ALL, "watch"])
def test_the_app_serves_every_page_as_it_should_be(walked: dict[str, list[str]], law: str) -> None:
    assert not walked[law], "\n".join(walked[law])
