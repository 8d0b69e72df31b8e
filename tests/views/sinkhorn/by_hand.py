"""Oracle: what the page computes, written once more from public names, step by step."""

from dpot_app.kit.script import reads
from dpot_app.views.sinkhorn.noise import STREAMS, noise_settings
from dpot_app.views.sinkhorn.settings import CLAIMED, PAPER_POINTS, ROUNDS, Config
from dpot_core.datasets import BOXES, SIMULATED_PAIRS

_HEAD = """{imports}import numpy as np
import dpot_core as dpot
from dpot_core import datasets

{load}
space, a, b = pair.on_grid({cells})  # public grid; counts of points
cost = dpot.cost_matrix(space, p={p})
eta = {eta!r} * cost.max()
budget = dict(epsilon={epsilon!r}, delta={delta!r})
"""
_SETTINGS = """
settings = dict(  # every mechanism has noise of its own at these settings
    {settings},
)
"""
_FILE = """settings["file"] = pair.digest
"""
_PROVEN = """
released = dpot.noisy_sinkhorn(
    cost, a, b, eta=eta, steps={steps}, plan_share={share!r}, floor={floor!r}, people={people!r},
    rng=dpot.stream({draw}, {streams[sinkhorn]!r}, **settings), **budget,
)
plan = released.plan
"""
_PAPER = """
m = min({points}, len(pair.first), len(pair.second))
bound = float(np.hypot(*pair.extent)) ** {p}  # the paper's constants have no unit: costs over their bound
between = np.minimum(dpot.cost_matrix(dpot.point_cloud(pair.first[:m]), pair.second[:m], p={p}) / bound, 1)
released = dpot.central.paper_sinkhorn(
    between, eta={eta!r}, steps={steps}, bound=1.0, constants={constants!r},
    rng=dpot.stream({draw}, {streams[paper]!r}, **settings), **budget,
)
plan = released.plan  # between points; its mass is not 1; its promise is claimed by the paper, not proven
"""
_TAIL = """
histograms = dpot.noisy_sinkhorn(
    cost, a, b, eta=eta, steps={rounds}, plan_share=1.0, people={people!r},
    rng=dpot.stream({draw}, {streams[histograms]!r}, **settings), **budget,
)
direct = dpot.private_transport_cost(
    cost, a, b, epsilon={epsilon!r}, people={people!r}, rng=dpot.stream({draw}, {streams[cost-laplace]!r}, **settings)
)
exact = dpot.wasserstein(a / a.sum(), b / b.sum(), cost, p=1)
phi, psi = released.potentials
print("exact cost, not private", exact)
print("direct Laplace", direct.value, "histograms first", (cost * histograms.plan).sum())
print(released.guarantee)
for entry in released.ledger:
    print(entry)
"""


def snippet(config: Config) -> str:
    """Python that computes ``released``, ``plan``, ``histograms`` and ``direct`` at the page's settings."""
    arguments = [f"{name}={value!r}" for name, value in noise_settings(config).items()]
    half = len(arguments) // 2
    settings = ",\n    ".join(", ".join(part) for part in (arguments[:half], arguments[half:]))
    middle = _SETTINGS.format(settings=settings) + (_FILE if config.data.source == "csv" else "")
    body = _PAPER if config.guarantee in CLAIMED else _PROVEN
    return _filled(_HEAD, config) + middle + _filled(body + _TAIL, config)


def _filled(text: str, config: Config) -> str:
    data = config.data
    if data.source in SIMULATED_PAIRS:
        load = f"pair = datasets.simulated_pair({data.source!r}, {data.n}, seed={data.seed})"
    elif data.source == "csv":
        mapping = f", {dict(data.columns)!r}" if data.columns else ""
        mapping += f", box={data.box!r}" if data.box is not None else ""
        load = f"pair = datasets.read_pair_csv({reads('points')}{mapping})"
    else:
        box = f", box={BOXES[data.source]!r}" if data.source in BOXES else ""
        load = f"city = datasets.DATASETS[{data.source!r}].load()\n"
        load += f"pair = datasets.check_in_pair(city, {data.n}, seed={data.seed}{box})"
    return text.format(
        imports="from pathlib import Path\n\n" if data.source == "csv" else "",
        load=load,
        points=PAPER_POINTS,
        rounds=ROUNDS,
        streams=STREAMS,
        **vars(data),
        **vars(config),
    )
