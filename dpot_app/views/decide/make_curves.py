"""Make ``curves.json`` anew: python -m dpot_app.views.decide.make_curves, or `make curves` (a minute)."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpot_app.kit.need import Side
from dpot_app.views.decide.curves import FILE, SHIPPED, Curve, made_of
from dpot_app.views.decide.results import searched
from dpot_app.views.decide.settings import NEEDS, Config
from dpot_core.datasets import digests
from dpot_core.datasets.writing import write


def make() -> dict[str, Any]:
    """Curves for every target of a slider, at the settings that the page begins with."""
    content: dict[str, Any] = {}
    for key in SHIPPED:
        need = NEEDS[key]
        config = Config(need=key, target=need.default)
        data = tuple(sorted(({} if need.sets is None else digests(need.sets, config.source)).items()))
        for name, side in (("worst", need.worst(config)), ("data", need.data(config))):
            if not isinstance(side, Side):
                continue
            curve = Curve(side.evaluate, {})
            for target in need.targets:
                searched(replace(side, evaluate=curve), need, target)
            values = {mechanism: sorted(curve.known(mechanism).items()) for mechanism in side.labels}
            content[f"{key}.{name}"] = {"of": made_of(config, data, side), "values": values}
    return content


if __name__ == "__main__":
    text = json.dumps(make(), ensure_ascii=False, separators=(",", ":"))
    # A line for each mechanism, so that a change shows where it is.
    path = Path(str(FILE))
    write(path.parent, {path.name: (text.replace('":[[', '":\n[[') + "\n").encode()})
    sys.stdout.write(f"wrote {FILE}\n")
