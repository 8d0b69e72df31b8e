"""One worked example of each recipe."""

from __future__ import annotations

from tests.recipes.recipe import Recipe

RING = "dpot_app/views/ring"
#: What holds every setting, view and page to the rules, and finds new ones by itself.
SETTINGS = ("tests/kit/test_setting.py", "tests/batch/scenarios/test_documents.py")
SETTINGS += ("tests/batch/scenarios/test_json_schema.py", "tests/batch/scenarios/test_side_by_side.py")
VIEWS = ("tests/kit/test_view.py", "tests/batch/reports/test_guarantees.py", *SETTINGS)
#: The document that names every view.
PROMISES = {"dpot_app.batch.reports.guarantees": "docs/guarantees.md"}

SLIDER = Recipe(
    name="A slider",
    most=1,
    edits={
        f"{RING}/settings.py": (
            (
                "    epsilon: float = epsilon(2.0)\n",
                "    epsilon: float = epsilon(2.0)\n"
                '    turn: int = whole("Turn the input by (points)", 0, low=0, high=199, soft=(0, 10), widget="slider",'
                ' link="turn")\n',
            ),
            ('        "source.numbers",\n', '        "source.numbers",\n        "turn",\n'),
            (
                "return self.source.distribution(self.ring.k)",
                "return np.roll(self.source.distribution(self.ring.k), self.turn)",
            ),
        ),
    },
    check="""
from dpot_app.views.ring.outputs.results import run
from dpot_app.views.ring.plan.results import plan
from dpot_app.views.ring.settings import Config
straight, turned = run(Config()), run(Config(turn=3))
assert (turned.mu[3:] == straight.mu[:-3]).all()
assert (plan(Config(turn=3).problem).mu == turned.mu).all(), "every view has the same input"
assert "turn: 3" in said("example", "ring.outputs", "--set", "turn=3")
assert json.loads(said("schema", "ring.outputs"))["properties"]["scenarios"]["items"]["properties"]["config"][
    "properties"]["turn"]["maximum"] == 199
old = "\\n".join(line for line in said("example", "ring.outputs").splitlines() if "turn" not in line)
assert scenarios.read(old)[0].config == Config(), "a file from before the slider"
app = opened("ring", ring_turn="3")
assert app.sidebar.slider(key="ring_turn").value == 3 and not app.warning
app.button(key="ring_pin").click().run()
(pin,) = app.session_state["board"].pins
assert pin.scenario.config == Config(turn=3)
rows = {row.name: row for row in scenarios.settings_rows([pin.scenario, Scenario("ring.outputs", "b", Config())])}
assert rows["turn"].label == "Turn the input by (points)" and rows["turn"].differs == (False, True)
assert any(move.name == "turn" for move in scenarios.variations(pin.scenario))
from dpot_app.shell.board.links import link_of
assert "ring_turn" in link_of(pin)
""",
    tests=(*SETTINGS, "tests/views/ring"),
)

#: Page -> prefix of its links, a view, the setting's dotted name there, where it stands in the sidebar (None: on a page
#: that asks for every setting of the open view), the field after which it is declared, and a link that is soon drawn.
PAGES: dict[str, tuple[str, str, str, str | None, str, dict[str, str]]] = {
    "ring": ("ring", "outputs", "spare", '        "ring.k",\n', "    epsilon: float = epsilon(2.0)\n", {}),
    "mixture": (
        *("mix", "line", "spare", '        *("family.radius", "modes"),\n', "    epsilon: float = epsilon(1.0)\n"),
        {},
    ),
    "geolocation": (
        *("geo", "person", "spare", '    *("source", "columns", "place.city", "place.within", "zones"),\n'),
        *("    epsilon: float = epsilon(2.0)\n", {"geo_n": "6"}),
    ),
    "movies": (
        *("movies", "user", "spare", '    *("source", "columns"),\n'),
        *("    epsilon: float = epsilon(2.0)  # of one release\n", {"movies_candidates": "40"}),
    ),
    "population": (
        *(
            "pop",
            "map",
            "spare",
            '    *("source", "country", "columns", "region", "box", "outside", "groups", "weights"),\n',
        ),
        *("    epsilon: float = epsilon(1.0)\n", {"pop_n": "500", "pop_m": "4"}),
    ),
    "metric": (
        *("metric", "protect", "base.spare", '    "changes",\n'),
        *("    epsilon: float = epsilon(1.0, help=EPSILON_HELP)\n", {"metric_n": "6"}),
    ),
    "sinkhorn": (
        *("sinkhorn", "release", "spare", '    "data.cells",\n', "    epsilon: float = epsilon(1.0)\n"),
        {"sinkhorn_n": "200"},
    ),
    "decide": (
        *("decide", "epsilon", "spare", '"need", "target", "source", "columns", '),
        '    need: str = choice("What must be possible", "geolocation", TITLES, link="need")\n',
        {"decide_need": "Worst-case distance on a ring"},
    ),
    "explain": (
        *("explain", "release", "spare", None, "    epsilon: float = epsilon(2.0, low=0.0, high=MOST_EPSILON)\n"),
        {},
    ),
}
_SPARE = '    spare: int = whole("Spare (points)", 0, low=0, high=9, widget="slider", link="spare")\n'


#: What settings import that have no whole number so far.
_IMPORTED = {
    page: ((f"free, group, settings{more}\n", f"free, group, settings{more}, whole\n"),)
    for page, more in (("geolocation", ", steps, typed"), ("movies", ""))
}


def _slider_edits(page: str) -> tuple[tuple[str, str], ...]:
    _, _, _, sidebar, field, _ = PAGES[page]
    edits = [(field, field + _SPARE), *_IMPORTED.get(page, ())]
    if sidebar is not None:
        indent = sidebar[: len(sidebar) - len(sidebar.lstrip())]
        edits.append((sidebar, sidebar + (f'{indent}"spare",\n' if indent else '"spare", ')))
    return tuple(edits)


EVERY_SLIDER = Recipe(
    name="A slider, on every page",
    most=len(PAGES),
    edits={f"dpot_app/views/{page}/settings.py": _slider_edits(page) for page in PAGES},
    check=f"""
import re
from dpot_app.kit.values import get
from dpot_app.shell.board.links import link_of
from dpot_app.shell.pins import Pin
for page, (prefix, view, name, _, _, small) in {PAGES!r}.items():
    key, last = f"{{page}}.{{view}}", name.rpartition(".")[2]
    assert "spare: 3" in said("example", key, "--set", f"{{name}}=3"), key
    old = re.sub(", spare: 0|spare: 0(, )?", "", said("example", key))
    assert "spare" not in old and scenarios.read(old)[0].config == VIEWS[key].example, "a file from before the slider"
    app = opened(page, **small, **{{f"{{prefix}}_spare": "3"}})
    assert app.sidebar.slider(key=f"{{prefix}}_spare").value == 3, page
    assert not [one.value for one in app.warning if "link" in one.value], page
    app.button(key=f"{{prefix}}_pin").click().run()
    assert not app.exception, app.exception
    (pin,) = app.session_state["board"].pins
    assert get(pin.scenario.config, name) == 3, page
    assert link_of(pin)[f"{{prefix}}_spare"] == ["3"], page
    link = link_of(Pin(1, pin.scenario, None))
    assert isinstance(link, str) or link[f"{{prefix}}_spare"] == "3", page
    assert "spare=3" in VIEWS[key].python(pin.scenario.config), page
    assert any(move.name == name for move in scenarios.variations(pin.scenario)), page
""",
    tests=SETTINGS,
)

VIEW = Recipe(
    name="A view",
    most=3,
    made=PROMISES,
    new={
        "tests/views/ring/test_entropy.py": """from dataclasses import replace

from dpot_app.views.ring.entropy.results import entropy
from dpot_app.views.ring.settings import Config


def test_an_output_at_a_tiny_epsilon_has_nearly_all_the_entropy_there_is():
    assert entropy(replace(Config(), epsilon=0.05)).nats["kpm"] > entropy(Config()).nats["kpm"]
""",
        f"{RING}/entropy/results.py": '''"""How much of the input's entropy outputs have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.ring.outputs.results import run
from dpot_app.views.ring.settings import Config


@dataclass(frozen=True)
class Entropy:
    epsilon: float
    nats: dict[str, float]

    def tables(self) -> dict[str, pd.DataFrame]:
        return {"entropy": pd.DataFrame({"mechanism": list(self.nats), "nats": list(self.nats.values())})}


@cached
def entropy(config: Config) -> Entropy:
    result = run(config)
    every = {"input": result.mu, **result.outputs}
    nats = {name: float(-(nu[nu > 0] * np.log(nu[nu > 0])).sum()) for name, nu in every.items()}
    return Entropy(config.epsilon, nats)
''',
        f"{RING}/entropy/figures.py": """from __future__ import annotations

from dpot_app.figures.style import Figure, colour, new_figure
from dpot_app.figures.traces import bars
from dpot_app.views.ring.entropy.results import Entropy


def entropy_figure(result: Entropy) -> Figure:
    data = [bars([name], [nats], name, colour=colour(name)) for name, nats in result.nats.items()]
    return new_figure(f"Outputs have {max(result.nats.values()):.3g} nats at ε = {result.epsilon:g}", 360, data)
""",
        f"{RING}/entropy/text.py": """from __future__ import annotations

from dpot_app.kit.view import Blocks, Picture, Tab
from dpot_app.views.ring.entropy.figures import entropy_figure
from dpot_app.views.ring.entropy.results import Entropy, entropy
from dpot_app.views.ring.settings import Config
from dpot_app.views.ring.views import ring_view


def show(_config: Config, result: Entropy) -> Blocks:
    yield Picture("entropy", "Entropy of the input and of each output as bars", entropy_figure, result)
    yield "Entropy knows no distances."


VIEW = ring_view(
    "entropy",
    title="Entropy",
    compute=lambda config, files, progress: (entropy(config),),
    show=show,
    tabs=(Tab("entropy", "Entropy"),),
    headlines=lambda result: {"Entropy of the input (nats)": result.nats["input"]},
)
""",
    },
    check="""
assert "ring.entropy\\tFinite ring\\tEntropy" in said("list")
Path("one.yaml").write_text(said("example", "ring.entropy"))
said("run", "one.yaml", "--out", "out")
assert "nats" in Path("out/entropy.csv").read_text()
app = opened("ring", ring_view="entropy")
assert "Entropy knows no distances." in words(app) and "nats at" in words(app)
(scenario,) = scenarios.read(Path("one.yaml").read_text())
from dpot_app.batch.scenarios import picture
outcome = scenarios.run(scenario)
assert "nats at" in picture(outcome).layout.title.text
from dpot_app.shell.pins import Pin
from dpot_app.shell.board.links import link_of
assert link_of(Pin(1, scenario, None))["ring_epsilon"] == "2"
""",
    tests=(*VIEWS, "tests/views/ring"),
)

MECHANISM = Recipe(
    name="A mechanism",
    most=2,
    new={
        "dpot_core/mechanisms/blind.py": '''"""The uniform distribution, whatever the input: 0-LDP."""

from __future__ import annotations

import numpy as np

from dpot_core.arguments import Array


def blind(mu: Array) -> Array:
    return np.full(np.shape(mu), 1.0 / np.shape(mu)[-1])
''',
    },
    edits={
        "dpot_core/mechanisms/__init__.py": (
            (
                "from dpot_core.mechanisms.exponential import public_bounds\n",
                "from dpot_core.mechanisms.blind import blind\n"
                "from dpot_core.mechanisms.exponential import public_bounds\n",
            ),
            (
                '    "mollifier": Mechanism(\n',
                '    "blind": Mechanism("Blind", "No look at the input", lambda public: '
                "(Polytope(blind(public.base), public.epsilon), lambda inputs: blind(inputs.moved)), "
                'colour="#112233", marker="star-square", dash="5px,2px", '
                'worst_distance="exact", improves="It does not change."),\n    "mollifier": Mechanism(\n',
            ),
        ),
    },
    check="""
app = opened("ring", ring_mechanisms=["wpm", "blind"])
assert "Blind" in words(app) and not app.warning
assert "blind" in said("example", "ring.outputs", "--set", "mechanisms=[wpm, blind]")
outcome = scenarios.run(Scenario("ring.worst-case", "w", VIEWS["ring.worst-case"].example))
assert "Worst-case W₂ of Blind (steps)" in outcome.headlines
from dpot_app.figures.style import COLOURS, MARKERS
assert COLOURS["blind"] == "#112233" and MARKERS["blind"] == "star-square"
""",
    tests=("tests/mechanisms/test_table.py", "tests/mechanisms/test_knowledge.py", "tests/mechanisms/test_rows.py"),
)

DATA_SET = Recipe(
    name="A data set",
    most=2,
    new={
        "dpot_core/datasets/second_city.py": '''"""A second invented city."""

from __future__ import annotations

from dpot_core.datasets.check_ins import CheckIns
from dpot_core.datasets.simulated import simulated_city


def second_city() -> CheckIns:
    return simulated_city(500, seed=9)
''',
    },
    edits={
        "dpot_core/datasets/__init__.py": (
            (
                "from dpot_core.datasets.simulated import simulated_city\n",
                "from dpot_core.datasets.second_city import second_city\n"
                "from dpot_core.datasets.simulated import simulated_city\n",
            ),
            (
                '    "gowalla-austin": Dataset(\n',
                '    "second": Dataset(title="Second city", description="500 invented people.", load=second_city, '
                'simulated=True, licence="Free to use.", source="A seeded generator."),\n'
                '    "gowalla-austin": Dataset(\n',
            ),
        ),
    },
    check="""
assert "source: second" in said("example", "geolocation.person", "--set", "source=second")
app = opened("geolocation", geo_data="second", geo_n="6")
assert not app.warning, app.warning[0].value
assert app.sidebar.selectbox(key="geo_data").value == "second" and "Released by 500 people" in words(app)
app = opened("metric", metric_data="second")
assert not app.warning
Path("one.yaml").write_text(said("example", "geolocation.person", "--set", "source=second", "--set", "place.n=6"))
said("run", "one.yaml", "--out", "out")
""",
    tests=("tests/datasets/test_datasets.py", "tests/datasets/test_rows.py"),
)

PAGE = Recipe(
    name="A page",
    most=3,
    folder="dpot_app/views/coin",
    new={
        "dpot_app/views/coin/__init__.py": '''"""A coin: randomized response on one bit."""

from dpot_app.kit.page import Page, views_in

PAGE = Page(
    key="coin",
    prefix="coin",
    title="A coin",
    question="How often does randomized response tell the truth about one bit?",
    views=views_in(__name__),
    sidebar=("epsilon",),
)
''',
        "dpot_app/views/coin/settings.py": '''"""What the page is asked for."""

from __future__ import annotations

from dpot_app.kit.fields import epsilon
from dpot_app.kit.setting import settings


@settings
class Config:
    epsilon: float = epsilon(1.0)
''',
        "dpot_app/views/coin/truth/results.py": '''"""How often the truth is told."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from dpot_app.views.coin.settings import Config


@dataclass(frozen=True)
class Truth:
    probability: float

    def tables(self) -> dict[str, pd.DataFrame]:
        return {"truth": pd.DataFrame({"probability": [self.probability]})}


def truth(config: Config) -> Truth:
    return Truth(1.0 / (1.0 + math.exp(-config.epsilon)))
''',
        "dpot_app/views/coin/truth/figures.py": """from __future__ import annotations

from dpot_app.figures.style import Figure, colour, new_figure
from dpot_app.figures.traces import bars
from dpot_app.views.coin.truth.results import Truth


def truth_figure(result: Truth) -> Figure:
    p = result.probability
    return new_figure(f"The truth in {100 * p:.3g} % of the answers", 320, [bars(["truth", "lie"], [p, 1 - p],
        colour=colour("input"))])
""",
        "dpot_app/views/coin/truth/text.py": """from __future__ import annotations

from dpot_core.privacy.disclosures import nothing_released
from dpot_app.kit.links import parameters
from dpot_app.kit.view import Blocks, Picture, Tab, View
from dpot_app.views.coin.settings import Config
from dpot_app.views.coin.truth.figures import truth_figure
from dpot_app.views.coin.truth.results import Truth, truth


def show(_config: Config, result: Truth) -> Blocks:
    yield Picture("truth", "Two bars: how often the truth is told, and a lie", truth_figure, result)


VIEW = View(
    key="coin.truth",
    title="The truth about a bit",
    example=Config(),
    compute=lambda config, files, progress: (truth(config),),
    show=show,
    tabs=(Tab("truth", "Truth"),),
    disclosure=lambda config, *results: nothing_released("public"),
    headlines=lambda result: {"Truth told (probability)": result.probability},
    parameters=parameters,
)
""",
    },
    edits={
        "dpot_app/batch/reports/guarantees.py": (
            (
                '    *("ring.worst-case", "ring.base", "ring.guess"),\n',
                '    *("ring.worst-case", "ring.base", "ring.guess"),\n    "coin.truth",\n',
            ),
        ),
        "app.py": (
            (
                '            shell.listed("ring", ":material/data_usage:"),\n',
                '            shell.listed("ring", ":material/data_usage:"),\n'
                '            shell.listed("coin", ":material/paid:"),\n',
            ),
        ),
    },
    check="""
assert "coin.truth\\tA coin\\tThe truth about a bit" in said("list")
Path("one.yaml").write_text(said("example", "coin.truth", "--set", "epsilon=3"))
said("run", "one.yaml", "--out", "out")
assert "0.95257" in Path("out/truth.csv").read_text()
alone = '''
import streamlit as st
from dpot_app import shell
st.navigation([shell.listed("coin", ":material/paid:"), shell.listed("board", ":material/dashboard:", "Board")]).run()
'''
Path("alone.py").write_text(alone)
app = AppTest.from_file("alone.py", default_timeout=600)
app.query_params.update({"coin_epsilon": "3"})
app.run()
assert not app.exception and not app.warning, app.exception
assert "The truth in 95.3 % of the answers" in words(app)
app = AppTest.from_file("app.py", default_timeout=600).run()
assert not app.exception
""",
    made=PROMISES,
    tests=VIEWS,
)

RECIPES = (SLIDER, EVERY_SLIDER, VIEW, MECHANISM, DATA_SET, PAGE)
