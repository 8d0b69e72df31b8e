"""Who draws: from the operating system for a release, and from a known stream for a demonstration. Each is listed."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

#: What draws from the operating system's entropy -> for what. Whatever is added is looked at before it is listed: a
#: release draws nothing else, and a demonstration with entropy of its own cannot be repeated.
ENTROPY = {
    "dpot_core/datasets/entropy.py": "subsets that a release keeps secret",
    "dpot_core/privacy/releases.py": "releases of local mechanisms",
    "dpot_core/mechanisms/continuous/releases.py": "releases of densities",
    "dpot_core/mechanisms/central/public_randomness.py": "rounding, positions in cells, starts: a release shows them",
    "dpot_core/mechanisms/central/noise.py": "OpenDP's noise, for a proven promise",
    "dpot_core/mechanisms/central/sinkhorn_exact.py": "nothing: a generator that is handed over and not used",
    "dpot_core/mechanisms/metric/secure_reports.py": "reports of metric privacy",
    "dpot_core/mechanisms/central/noisy_choice.py": "a choice among options",
    "dpot_core/datasets/writing.py": "names of what is not finished",
    "dpot_app/batch/release/prepared.py": "the order of what is released without names",
    "dpot_app/batch/tags.py": "the key of tags of private files",
    "dpot_app/kit/workers/cluster.py": "names of a cluster's messages",
    "dpot_app/shell/password.py": "names of browsers, for counting wrong passwords",
    "dpot_app/shell/tab_storage.py": "the room of a session",
    "dpot_app/shell/page.py": "seeds of demonstrations, which links have: so they can be repeated",
    "dpot_app/shell/serving.py": "addresses that are not to be guessed",
}

#: What draws from a known stream -> why no two releases that are added up share noise: the stream's key names the data,
#: its disclosure has a line for the stream (`Disclosure.source`), or nothing that it draws is released.
STREAMS = {
    "dpot_app/cities/crowd.py": "a line, for all settings one; key: a private file's",
    "dpot_core/mechanisms/central/four_gaussians.py": "key: the points are drawn from its seed and run",
    "dpot_app/kit/particles.py": "a line for sample releases on a map; else of what is released already",
    "dpot_app/views/metric/ask/results.py": "a line for each model and promise; key: a private file's",
    "dpot_app/views/metric/crowd/results.py": "a line for each way, and for the whole users beside; key: a file's",
    "dpot_app/views/movies/user/results.py": "key: the films and the person's input",
    "dpot_app/views/mixture/line/results.py": "key: the input is among the settings",
    "dpot_app/views/mixture/sphere/results.py": "key: there is one input only",
    "dpot_app/views/population/digit_pictures/results.py": "key: the pictures', or settings of drawn ones",
    "dpot_app/views/population/private_measure/results.py": "key: the people's",
    "dpot_app/views/population/releases.py": "key: the people's",
    "dpot_app/views/population/starts.py": "public starts of searches, which no data decide",
    "dpot_app/views/sinkhorn/convergence/results.py": "a public guess on which it is tuned: no data are read",
    "dpot_app/views/sinkhorn/noise.py": "key: settings of the points, or the digest of one's own file",
}

_GENERATORS = ("default_rng", "SeedSequence", "PCG64", "Philox", "MT19937", "SFC64")
_LEGACY = {"rand", "randn", "random", "seed", "normal", "uniform", "choice", "shuffle", "permutation", "laplace"}


#: One of these stands wherever `_from_entropy` finds something.
_NAMES = ("secrets", "random", "uuid", "opendp", "urandom", *_GENERATORS)


def draws_from_entropy(source: str) -> bool:
    """Whether a module's text draws from the operating system, or from a global generator that it seeds."""
    if not any(name in source for name in _NAMES):  # most need not be parsed
        return False
    return any(_from_entropy(node) for node in ast.walk(ast.parse(source)))


def _from_entropy(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return bool({alias.name.split(".")[0] for alias in node.names} & {"secrets", "random", "uuid", "opendp"})
    if isinstance(node, ast.ImportFrom):
        names = {alias.name for alias in node.names}
        module = (node.module or "").split(".")[0]
        return module in {"secrets", "random", "uuid", "opendp"} or (module == "os" and bool(names & {"urandom"}))
    if isinstance(node, ast.Attribute):
        numpys = isinstance(node.value, ast.Attribute) and node.value.attr == "random" and node.attr in _LEGACY
        return node.attr in ("urandom", "getrandom") or (
            numpys and ast.unparse(node.value) in ("np.random", "numpy.random")
        )
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).split(".")[-1]
        unseeded = not node.keywords and all(isinstance(arg, ast.Constant) and arg.value is None for arg in node.args)
        return name in _GENERATORS and unseeded
    return False


def draws_from_a_stream(source: str) -> bool:
    """Whether a module's text calls `stream`."""
    if "stream" not in source:  # most need not be parsed
        return False
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return any(ast.unparse(call.func).split(".")[-1] == "stream" and call.args for call in calls)


def modules() -> Iterator[tuple[str, str]]:
    for path in [ROOT / "app.py", *sorted(ROOT.glob("dpot_*/**/*.py")), *sorted((ROOT / "pages").rglob("*.py"))]:
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "import secrets",
        "from secrets import randbelow",
        "import opendp.prelude as dp",
        "from uuid import uuid4",
        "os.urandom(8)",
        "np.random.default_rng()",
        "default_rng(None)",
        "np.random.Generator(np.random.PCG64())",
        "np.random.rand(3)",
        "random = __import__; from random import SystemRandom",
    ],
)
def test_every_way_to_the_operating_systems_entropy_is_seen(text: str) -> None:
    assert draws_from_entropy(text)


@pytest.mark.parametrize(
    "text", ["np.random.default_rng(3)", "rng.random(3)", "st.secrets['auth']", "rng: np.random.Generator"]
)
def test_known_chance_is_no_entropy(text: str) -> None:
    assert not draws_from_entropy(text)


def test_only_what_is_listed_draws_from_the_operating_system() -> None:
    assert {name for name, text in modules() if draws_from_entropy(text)} == set(ENTROPY)


def test_only_what_is_listed_draws_from_a_stream() -> None:
    """Noise that is used twice cancels: of each stream it is said why no sum holds it twice."""
    assert {name for name, text in modules() if draws_from_a_stream(text)} == set(STREAMS)
