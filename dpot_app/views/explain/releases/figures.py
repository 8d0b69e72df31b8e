import numpy as np

from dpot_app.figures.panels import axis
from dpot_app.figures.style import COLOURS, Figure, new_figure
from dpot_app.figures.traces import line
from dpot_app.views.explain.beliefs import PER_CENT, of_people
from dpot_app.views.explain.releases.results import Releases
from dpot_core.privacy.numerals import at_most, counted


def releases_figure(result: Releases) -> Figure:
    config, grey, count, total = result.config, COLOURS["input"], len(result.sums), result.sums[-1]
    exact = f"{int(total):,}" if total.denominator == 1 else f"{total} (≤ {at_most(float(total))})"
    steps = line(
        np.arange(count + 1),
        [config.prior, *result.most],
        colour=grey,
        width=2.5,
        line={"shape": "hv"},
        hover="after %{x}: %{y:.3~p}",
        symbol="square",
    )
    return new_figure(
        f"After {counted(count, 'release', 'releases')} with ε = {exact} in all, a belief of "
        f"{of_people(config.prior)} rises to at most {of_people(float(result.most[-1]))}",
        380,
        [steps],
        xaxis=axis("releases about one person", dtick=1 + count // 12, tick0=0),
        yaxis=axis("largest belief", **PER_CENT),
        showlegend=False,
    )
