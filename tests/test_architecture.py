"""The plan of the house, enforced: floors, what may be imported where, file lengths, public names, tracked files."""

import ast
import functools
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

import dpot_core as dpot
from tests import house
from tests.house import nodes

ROOT = Path(__file__).resolve().parents[1]
CORE, APP = ROOT / "dpot_core", ROOT / "dpot_app"

# Groups of public names beside the first list.
FRONT_DOOR = ("metric", "central", "continuous", "results")

# The names that others import, as far as they exist by now; tables are looked at through their entries.
CONTRACT = {
    *("Space", "ring", "grid", "point_cloud", "cost_matrix"),
    *("dirichlet", "dirac", "two_bumps", "mixture", "empirical", "normalise"),
    *("kl", "total_variation", "squared_hellinger", "chi2", "renyi", "max_divergence"),
    *("Polytope", "wasserstein", "project_exact", "project_entropic", "exact_projection_lp"),
    *("wasserstein_projection", "kl_projection", "relative_mollifier", "exponential", "randomized_response"),
    *("worst_case_wasserstein", "worst_case_divergence", "best_guess"),
    *("uniform_base", "best_uniform_base", "minimax_base", "minimax_base_kl", "prior_base"),
    *("certify", "audit", "release", "Guarantee", "Public"),
    *("DensityFamily", "gaussian_mixture_family", "gaussian_ring_family", "kl_projection_density", "sphere_base"),
    "boosted_density",
    *("noisy_sinkhorn", "private_transport_cost"),
    *("barycenter", "atoms_distance"),
    *("private_measure", "coreset_barycenter", "perturbed_barycenter", "optimal_chunks"),
}
TABLES = {
    "MECHANISMS": {"wpm", "kpm", "em", "krr", "mollifier", "kpm-prior"},
    "DIVERGENCES": {"kl", "tv", "hellinger", "chi2"},
}
MEMBERS = {
    "Space": {"points", "diameter", "metric", "distances", "__len__"},
    "Polytope": {"lower", "upper", "epsilon", "base", "contains", "project_kl", "repair"},
    "Guarantee": {"epsilon", "delta", "neighbours", "public", "odds_factor", "posterior", "compose"},
    "Public": {"cost", "distances", "epsilon", "base", "reg", "snap", "prior", "gamma"},
    "PrivateDensity": {"density", "r", "b", "divergences", "sample", "trivial", "epsilon_used", "acceptance"},
    "BoostedDensity": {"density", "b", "upper", "divergences", "sample", "epsilon_used", "acceptance"},
    "NoisySinkhorn": {"potentials", "plan", "marginals", "guarantee", "ledger", "trace", "vacuous"},
    "PrivateCost": {"value", "noise", "guarantee", "ledger", "potentials", "plan", "trace"},
    "ReferenceBarycenter": {"atoms", "guarantee", "cost", "distance", "converged"},
    "SphereBase": {"scale", "threshold", "value", "density", "sample"},
}

TOP_LEVEL = {
    *("app.py", "pages", "dpot_core", "dpot_app", "tests", "benchmarks", "data", "docs"),
    *("requirements.in", "requirements.txt", "requirements-dev.in", "requirements-dev.txt"),
    *(
        "mkdocs.yml",
        "pyproject.toml",
        "Makefile",
        ".gitignore",
        ".gitattributes",
        ".pre-commit-config.yaml",
        ".ci",
        ".github",
        ".streamlit",
    ),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"),
    # Tools look for these at the top and nowhere else; what else hosts need stands in deploy/.
    *("Dockerfile", ".dockerignore", "compose.yaml", "deploy", "CITATION.cff"),
}


def sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def name_of(path: Path) -> str:
    """Dotted name: dpot_app/shell/__init__.py is dpot_app.shell."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.fixture(scope="module", autouse=True)
def _forget_what_was_parsed() -> Iterator[None]:
    yield
    nodes.cache_clear()


@functools.cache
def imports(path: Path) -> tuple[str, ...]:
    """Dotted name of everything that a file imports, wherever in the file; ``from a import b`` gives ``a.b``."""
    package, names = list(path.relative_to(ROOT).parts[:-1]), []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            names += [f"{module}.{alias.name}" for alias in node.names]
    return tuple(names)


def packages(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(path)}


def files_of_the_project() -> list[Path]:
    """Every file that is tracked, or would be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listing.splitlines() if (path := ROOT / name).is_file()]


def holds_of(things: Sequence[Any]) -> Callable[[Callable[[Any], None]], Callable[[], None]]:
    """A test that holds a rule against each of many files or names, and says which break it.

    One test a rule: two thousand, one a rule and file, took longer to be set up than to run.
    """

    def tested(rule: Callable[[Any], None]) -> Callable[[], None]:
        def test() -> None:
            broken = []
            for thing in things:
                try:
                    rule(thing)
                except AssertionError as error:
                    broken.append(f"{name_of(thing) if isinstance(thing, Path) else thing}: {error}")
            assert things and not broken, "\n".join(broken)

        return test

    return tested


HOUSES = [*sources(CORE), *sources(APP)]
EVERYTHING = [ROOT / "app.py", *sources(ROOT / "pages"), *HOUSES]


def test_imports_keep_the_contracts():
    """Floors, circles, who knows Streamlit and who draws: the contracts of pyproject.toml."""
    # In a process of its own: it closes the output that it writes to, and pytest has one for all tests.
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "pyproject.toml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_app_file_does_not_compute():
    """It is in no package, so that no contract knows it."""
    assert not packages(ROOT / "app.py") & {"numpy", "scipy", "ot", "plotly"}


def test_contracts_leave_no_package_out():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    floors = {one["containers"][0]: one for one in told["contracts"] if one["type"] == "layers"}
    assert floors.keys() == {"dpot_core", "dpot_app", "dpot_app.batch"}
    assert all(one["exhaustive"] for one in floors.values())


def test_the_drawing_of_the_house_is_made_from_the_imports():
    text = house.DOCUMENT.read_text(encoding="utf-8")
    assert text == house.with_drawing(text), "python -m tests.house draws it again"


def test_every_package_of_the_drawing_is_explained():
    drawn = set(re.findall(r"^ +\d+  (\S+)", house.drawing(), re.MULTILINE))
    document = house.DOCUMENT.read_text(encoding="utf-8")
    explained = re.findall(r"^\| `dpot_(?:app|core)/(\S+)` \|", document, re.MULTILINE)
    assert drawn == set(explained) and len(explained) == len(house.imports())


def test_at_most_a_dozen_names_stand_at_the_root_of_the_science():
    assert len({path.relative_to(CORE).parts[0] for path in sources(CORE)} - {"__init__.py"}) <= 12


#: What makes, fills or moves files by itself; `datasets.writing` does it whole, under the right name, through no link.
WRITES = {
    *("write_text", "write_bytes", "mkdir", "makedirs", "mkstemp", "mkdtemp", "NamedTemporaryFile"),
    *("os.replace", "os.rename", "os.renames", "os.link", "os.symlink", "symlink_to", "hardlink_to"),
    *("savetxt", "savez", "savefig", "write_image", "write_html", "to_parquet", "write_table", "json.dump"),
}
#: Into memory; what is damaged, which gets another name.
WRITES_ALL_THE_SAME = {
    "dpot_app.batch.sweeps.table": {"write_table"},
    "dpot_core.datasets.downloads": {"os.replace"},
    "dpot_app.batch.tags": {"mkstemp", "os.link", "mkdir"},  # a key that is there is never replaced
    "dpot_app.batch.release.ledger": {"mkdir"},  # of a database, which SQLite writes
}


@holds_of(EVERYTHING)
def test_only_one_module_writes_files(path: Path):
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            last = name.rpartition(".")[2]
            given = [*node.args, *(word.value for word in node.keywords)]
            modes = {str(one.value) for one in given if isinstance(one, ast.Constant)}
            found |= {name, last} & WRITES
            if last == "open" and any(re.fullmatch("(?=.*[wxa+])[rwxabt+]+", mode) for mode in modes):
                found.add(name)
    allowed = found if name_of(path) == "dpot_core.datasets.writing" else WRITES_ALL_THE_SAME.get(name_of(path), set())
    assert found <= allowed, f"{found - allowed}: use dpot_core.datasets.writing"


@holds_of(EVERYTHING)
def test_a_file_holds_one_idea(path: Path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if path.name == "app.py":
        limit = 60
    elif path.parent == ROOT / "pages":
        limit = 180
    else:
        limit = 320
    assert lines <= limit, f"{lines} lines, more than {limit}"
    assert path.stem not in {"utils", "util", "helpers", "helper", "common", "misc"}, "name the idea"


def _passed_to_the_door(tree: ast.AST) -> set[str]:
    """Functions that a module reads files with, within limits."""
    doors = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("read_once", "within_limits")
    ]
    return {argument.id for call in doors for argument in call.args if isinstance(argument, ast.Name)}


def test_files_that_people_bring_are_read_through_one_door():
    """Within limits of memory and time (`dpot_app/kit/reading.py`): no module calls a reader of bytes by itself."""
    readers = {
        node.name
        for path in (CORE / "datasets").glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("read_") and node.args.args[0].arg == "data"
    }
    assert {"read_checkins_csv", "read_zones_geojson", "read_weights"} <= readers
    found = []
    for path in EVERYTHING:
        if path.is_relative_to(CORE / "datasets"):
            continue
        if not any(name in path.read_text(encoding="utf-8") for name in readers):  # most need not be looked through
            continue
        tree = nodes(path)[0]
        behind = _passed_to_the_door(tree)
        own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        for outer in ast.iter_child_nodes(tree):
            if isinstance(outer, ast.FunctionDef) and outer.name in behind:
                continue
            called = [node.func for node in ast.walk(outer) if isinstance(node, ast.Call)]
            names = {getattr(function, "id", getattr(function, "attr", "")) for function in called}
            found += [f"{path.relative_to(ROOT)}: {name}" for name in names & (readers - own)]
    assert not found


@holds_of(EVERYTHING)
def test_no_function_takes_more_than_eight_arguments(path: Path):
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            given = node.args
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            names = [one.arg for one in every if one is not None and one.arg not in {"self", "cls"}]
            assert len(names) <= 8, f"line {node.lineno}: {len(names)} arguments; make options a frozen dataclass"


def test_imported_packages_are_declared():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    ranges = "\n".join([(ROOT / "requirements.in").read_text(encoding="utf-8"), *chain.from_iterable(extras.values())])
    declared = set(re.findall(r"^[a-z][a-z0-9_-]*", ranges, re.MULTILINE))
    distribution = {"ot": "pot", "dp_accounting": "dp-accounting", "yaml": "pyyaml", "pydantic_core": "pydantic-core"}
    distribution["PIL"] = "pillow"
    own = {"dpot_core", "dpot_app", "pages", "__future__"}
    used = set().union(*(packages(path) for path in EVERYTHING)) - own - sys.stdlib_module_names
    used = {distribution.get(name, name) for name in used}
    assert used <= declared, f"not in requirements.in or an extra: {used - declared}"


GROUPS = {name: getattr(dpot, name) for name in FRONT_DOOR}


def test_the_contract_is_one_list_and_the_rest_in_groups():
    assert len(dpot.__all__) == len(set(dpot.__all__)) < 75
    assert {*CONTRACT, *TABLES, *FRONT_DOOR} <= set(dpot.__all__) <= set(dir(dpot))
    grouped = [name for group in GROUPS.values() for name in group.__all__]
    assert len(grouped) == len(set(grouped)), "a name stands in one group"
    for group in GROUPS.values():
        for name in group.__all__:
            assert getattr(dpot, name) is getattr(group, name), "what people took away names all in one list"
    with pytest.raises(AttributeError, match="no attribute 'wasserstien'"):
        _ = dpot.wasserstien


PUBLIC = {name: getattr(dpot, name) for name in dpot.__all__} | {
    name: getattr(group, name) for group in GROUPS.values() for name in group.__all__
}


@holds_of(sorted(PUBLIC.keys() - TABLES.keys()))
def test_a_public_name_exists_and_is_documented(name: str):
    thing = PUBLIC[name]
    text = inspect.getdoc(thing)
    assert text, f"dpot_core.{name} has no docstring"
    if inspect.isfunction(thing):
        for parameter in inspect.signature(thing).parameters.values():
            assert re.search(rf"\b{parameter.name}\b", text), f"dpot_core.{name} does not explain {parameter.name}"
            assert parameter.annotation is not inspect.Parameter.empty


def methods(thing: object) -> Iterator[tuple[str, Callable[..., object]]]:
    """A public function, or the public methods and properties of a class."""
    if inspect.isfunction(thing):
        yield thing.__name__, thing
    elif inspect.isclass(thing):
        for name, member in vars(thing).items():
            function = getattr(member, "fget", None) or getattr(member, "func", None) or member
            if inspect.isfunction(function) and not name.startswith("_"):
                yield f"{thing.__name__}.{name}", function


@holds_of(sorted(PUBLIC.keys() - TABLES.keys()))
def test_public_names_return_named_types(name: str):
    for label, function in methods(PUBLIC[name]):
        returned = function.__annotations__.get("return", "missing")
        assert not re.search(r"\bAny\b|missing", str(returned)), f"{label} returns {returned}"


@holds_of(sorted(TABLES))
def test_a_public_table_is_complete(name: str):
    table = getattr(dpot, name)
    assert isinstance(table, Mapping)
    assert table.keys() >= TABLES[name]
    assert all(callable(entry) and inspect.getdoc(entry) for entry in table.values())


@holds_of(sorted(MEMBERS))
def test_a_public_class_has_its_members(name: str):
    thing = getattr(dpot, name)
    fields = set(getattr(thing, "__dataclass_fields__", {}))
    # Attributes that __init__ sets are named there.
    assigned = set(re.findall(r"self\.(\w+)\b.*?=", inspect.getsource(thing)))
    missing = {member for member in MEMBERS[name] if not hasattr(thing, member)} - fields - assigned
    assert not missing, f"dpot_core.{name} lacks {missing}"


def test_the_top_level_holds_only_what_the_plan_says():
    found = {path.relative_to(ROOT).parts[0] for path in files_of_the_project()}
    assert found <= TOP_LEVEL, f"not in the plan: {found - TOP_LEVEL}"


def test_the_recipes_name_files_that_exist_and_are_short():
    _, *recipes = re.split(r"^## ", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    titles = [recipe.splitlines()[0] for recipe in recipes]
    assert titles == ["A slider", "A view", "A mechanism", "A data set", "A page"]
    for title, recipe in zip(titles, recipes, strict=True):
        named = re.findall(r"`([\w./-]+(?:/|\.py|\.md))`", recipe)
        assert named and not [name for name in named if not (ROOT / name).exists()], title
        steps = [line for line in recipe.splitlines()[1:] if line]
        assert len(steps) < 10, f"{title}: {len(steps)} lines"


def test_hooks_need_no_network():
    (repo,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert repo["repo"] == "local" and {hook["language"] for hook in repo["hooks"]} == {"system"}


def test_no_file_names_a_machine_or_a_registry():
    machine = re.compile(r"(?<![A-Za-z0-9._*-])/(?:work|farm|root|opt|home|tmp)/")
    registry = re.compile(
        r"\bpypi\.org|pythonhosted\.org|registry\.npmjs|deb\.debian\.org|proxy\.golang", re.IGNORECASE
    )
    named = []
    for path in files_of_the_project():
        if path.suffix in {".png", ".webp", ".gz", ".zip", ".npz"}:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if machine.search(line) or registry.search(line):
                named.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert not named, "\n".join(named)
