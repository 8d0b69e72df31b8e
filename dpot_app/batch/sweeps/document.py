"""A sweep as YAML: a view, its fixed settings, and lists and ranges of those that vary."""

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, get_args

from dpot_app.batch.scenarios import VIEWS, ScenarioError
from dpot_app.batch.scenarios.documents import data_in, dump, only, read_file
from dpot_app.kit.setting import Declared
from dpot_app.kit.values import (
    Path,
    describe,
    filled,
    from_plain,
    get,
    hint_at,
    leaves,
    put_plain,
    read_as,
    to_plain,
)
from dpot_app.kit.view import View

#: Of the fields of the file.
SCHEMA = 1
MOST_POINTS = 100_000
SCALES = ("linear", "log")
_LOG_DIGITS = 12
#: Values of each setting in an example.
_FEW = 3

#: What a file looks like, for people.
EXAMPLE = """\
sweep: 1
view: ring.outputs                # a key of `dpot list`
settings: {ring: {k: 12}}         # as under config in a scenario file; what is missing is as in `dpot example`
over:                             # every combination is computed; the last setting varies fastest
  mechanisms: [[wpm], [wpm, em]]  # a list of values
  epsilon: {from: 0.5, to: 8, steps: 5, scale: log}  # a range: its number of values, both ends among them
  source.seed: {from: 1, to: 20, steps: 20}          # without a scale it is linear
"""


@dataclass(frozen=True)
class Sweep:
    """A sweep: a view at all combinations of values."""

    view: View
    config: Any  # fixed settings
    over: Mapping[str, Sequence[Any]]  # dotted name -> values, as settings hold them
    data: Mapping[str, str]  # role -> tag of people's own files

    @property
    def points(self) -> int:
        return math.prod(map(len, self.over.values()))

    def configs(self) -> Iterator[Any]:
        """Settings of every point, the last of the varied ones fastest."""
        for values in itertools.product(*self.over.values()):
            yield filled(self.config, dict(zip(self.over, values, strict=True)))


def read(text: str | bytes) -> Sweep:
    """A sweep from YAML.

    Raises:
        ScenarioError: names the field and its line, and says what is wrong with it.
    """
    return read_file(text, _sweep)


def example(view: View, config: Any = None, fixed: Collection[str] = ()) -> str:
    """A sweep file of a view, over its epsilon and its seed if it has them, else over its first number.

    Args:
        view: what is computed.
        config: its settings; those of its example without them.
        fixed: dotted names of settings that do not vary.

    Raises:
        ScenarioError: if no number is left that could vary.
    """
    config = view.example if config is None else config
    declared = {name: known for name, known in view.declared.items() if name not in fixed}
    numbers = [name for name, known in declared.items() if known.low is not None and known.high is not None]
    if not numbers:
        raise ScenarioError(f"a sweep of {view.key} varies a number, and none is left besides {', '.join(fixed)}")
    usual = [next((name for name in numbers if name.split(".")[-1] == last), "") for last in ("epsilon", "seed")]
    chosen = [name for name in usual if name] or numbers[:1]
    over = {name: _some(declared[name], get(config, name)) for name in chosen}
    settings = to_plain(config)
    for name in over:
        *outer, last = name.split(".")
        del reduce(dict.__getitem__, outer, settings)[last]
    return dump({"sweep": SCHEMA, "view": view.key, "settings": settings, "over": over})


def _some(known: Declared, begin: Any) -> Any:
    if known.stops and known.grid is not None:
        # Stops are of the slider, whose numbers may all be decimals.
        return [
            to_plain(int(value) if type(begin) is int else value)
            for value in known.stops[:: max(1, len(known.stops) // _FEW)]
        ]
    return {"from": 1, "to": _FEW, "steps": _FEW} if type(begin) is int and (known.low or 0) <= 1 else [to_plain(begin)]


def _sweep(content: Any) -> Sweep:
    if not isinstance(content, dict):
        raise ScenarioError("the file must hold a mapping with sweep, view, settings and over")
    if "scenarios" in content:
        raise ScenarioError("these are scenarios, which dpot run computes", ("scenarios",))
    schema = content.get("sweep")
    if type(schema) is not int or schema != SCHEMA:
        newer = type(schema) is int and schema > SCHEMA
        words = "newer than this program, which reads" if newer else "not the whole number"
        raise ScenarioError(f"must be {SCHEMA}; got {schema!r:.60}" + f": {words} {SCHEMA}" * newer, ("sweep",))
    only(content, ("sweep", "view", "settings", "over", "data"), ())
    key = content.get("view")
    if not isinstance(key, str) or key not in VIEWS:
        raise ScenarioError(f"unknown view {key!r:.60}; the views are {', '.join(VIEWS)}", ("view",))
    view = VIEWS[key]
    settings = content.get("settings", {})
    config = from_plain(view.example, settings, ("settings",))
    over = content.get("over", {})
    if not isinstance(over, dict) or not over:
        raise ScenarioError("must be a mapping of settings to lists or ranges of values, at least one", ("over",))
    counts = {name: _count(config, name, asked, ("over", name)) for name, asked in over.items()}
    for name in over:
        if _stands_in(settings, name):
            raise ScenarioError("varies, and stands under settings as well: leave it out there", ("over", name))
    if (points := math.prod(counts.values())) > MOST_POINTS:
        shown = " × ".join(f"{count:,}" for count in counts.values())
        most = f"at most {MOST_POINTS:,} are computed in one sweep"
        raise ScenarioError(f"these are {points:,} combinations ({shown}); {most}", ("over",))
    values = {name: _values(config, name, asked, ("over", name)) for name, asked in over.items()}
    return Sweep(view, config, values, data_in(content, view, ()))


def _stands_in(settings: Any, name: str) -> bool:
    for part in name.split("."):
        if not isinstance(settings, dict) or part not in settings:
            return False
        settings = settings[part]
    return True


def _count(config: Any, name: str, asked: Any, path: Path) -> int:
    """How many values a list or a range has; what is wrong with either is said."""
    names = [there for there, _ in leaves(config)]
    if name not in names:
        raise ScenarioError(f"unknown setting; the settings here are {', '.join(names)}", path)
    if isinstance(asked, list) and asked:
        return len(asked)
    if not isinstance(asked, dict):
        raise ScenarioError("must be a list of values, or a range {from, to, steps, scale}", path)
    if not _kinds(config, name) & {int, float}:
        wanted = describe(hint_at(config, name))
        raise ScenarioError(f"each value must be {wanted}: list the values instead of a range", path)
    only(asked, ("from", "to", "steps", "scale"), path)
    for field in ("from", "to", "steps"):
        if field not in asked:
            raise ScenarioError("missing field", (*path, field))
    steps: int = read_as(int, asked["steps"], (*path, "steps"))
    if steps < 2:
        raise ScenarioError(f"a range has at least 2 values; got {steps}", (*path, "steps"))
    if asked.get("scale", "linear") not in SCALES:
        raise ScenarioError(f"must be {' or '.join(SCALES)}; got {asked['scale']!r:.60}", (*path, "scale"))
    low, high = (read_as(float, asked[end], (*path, end)) for end in ("from", "to"))
    if not low < high:
        raise ScenarioError(f"must be more than from, {low:g}; got {high:g}", (*path, "to"))
    if asked.get("scale") == "log" and low <= 0:
        raise ScenarioError(f"must be more than 0 on a log scale; got {low:g}", (*path, "from"))
    return steps


def _kinds(config: Any, name: str) -> set[Any]:
    hint = hint_at(config, name)
    return {hint, *get_args(hint)}


def _values(config: Any, name: str, asked: Any, path: Path) -> tuple[Any, ...]:
    whole = float not in _kinds(config, name)
    values: list[Any] = []
    for place, plain in enumerate(asked if isinstance(asked, list) else _range(asked, whole, path)):
        where = (*path, place) if isinstance(asked, list) else path
        value = get(put_plain(config, name, plain, where), name)
        values.append(value)
    if len(set(values)) < len(values):
        twice = next(value for place, value in enumerate(values) if value in values[:place])
        raise ScenarioError(f"the value {to_plain(twice)!r:.60} stands twice", path)
    return tuple(values)


def _range(asked: dict[str, Any], whole: bool, path: Path) -> Iterator[float | int]:
    """Decimals as people write them: 0.1 to 0.5 in five steps has 0.3 in it, on every machine."""
    steps = asked["steps"]
    for place in range(steps):
        if place in (0, steps - 1):
            value = asked["to" if place else "from"]
        elif asked.get("scale") == "log":
            value = float(asked["from"]) * (float(asked["to"]) / float(asked["from"])) ** (place / (steps - 1))
            value = float(f"{value:.{_LOG_DIGITS}g}")
        else:
            low, high = (Fraction(str(asked[end])) for end in ("from", "to"))
            value = float(low + (high - low) * place / (steps - 1))
        if whole and value != int(value):
            raise ScenarioError(f"the range holds {value:g}, and this setting takes whole numbers", path)
        yield int(value) if whole else value
