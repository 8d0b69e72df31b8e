"""A setting, declared once: its name for people, what it may be, how a page asks for it, how a link writes it.

A class of settings is made by `settings` (a frozen pydantic dataclass) and its fields by `number`, `whole`, `choice`,
`choices`, `free` and `group`. From that one declaration come the widget in the sidebar and the parameter of a
link (`dpot_app/shell/controls.py`), the checks of a scenario file, its JSON Schema, the board's editor with its labels,
and the steps of the sensitivity. Each of them takes the label, the default, and further attributes of `Declared`.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeVar, cast, dataclass_transform

import pydantic
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic_core import PydanticCustomError

C = TypeVar("C")

#: How a page asks for a setting; "" where the page has a piece of its own.
Widget = Literal["", "slider", "field", "steps", "list", "segments", "pills", "toggle"]


def number_text(value: float) -> str:
    """A number as it stands on a slider and in a link: ``5``, ``0.05``."""
    return f"{value:g}"


@dataclass(frozen=True)
class Declared:
    label: str  # its name for people, with the unit
    widget: Widget = ""  # how a page asks for it
    link: str = ""  # its name in links, after the page's prefix; "" where links do not carry it
    # its name in links and files -> its label on screen; None for what is no choice
    options: Mapping[str, str] | None = None
    many: bool = False  # whether any number of the options may be chosen
    low: float | None = None  # smallest number that is allowed
    high: float | None = None  # largest number that is allowed
    # smallest and largest number of the page's control, where they are not those that are allowed
    soft: tuple[float, float] | None = None
    # values of a slider over given numbers, or of a list of them
    grid: Sequence[float] | None = None
    every: float | None = None  # step of a slider over numbers
    # by how much it is varied to see what it does: a factor if ``factor``, else a difference. None: never
    step: float | None = None
    factor: bool = False  # see ``step``
    empty: str | None = None  # what null means; None where null is not allowed
    help: str | None = None  # said beside the control
    ends: tuple[str, str] | None = None  # what its slider's left and right end mean
    exact: bool = False  # whether any number that is allowed can be typed in, beside those of the grid
    remark: Callable[[float], str] = lambda value: ""  # said under the control at a value; "" for nothing
    shown: Callable[[Any], bool] = lambda group: True  # whether a page asks for it, given the settings of its group
    show: Callable[[float], str] = number_text  # a number of the grid as the control has it
    # names that links may carry though no option has them here -> the option that is meant
    gone: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, schema: dict[str, Any]) -> None:
        """Add to the JSON Schema of the field what pydantic does not know: the options, and what null means."""
        said = [self.help] if self.help else []
        if self.options is not None:
            (schema["items"] if self.many else schema)["enum"] = list(self.options)
            said += [f"{value}: {label}" for value, label in self.options.items()]
        if self.empty is not None:
            said.append(f"null: {self.empty}")
        if said:
            schema["description"] = "\n".join(said)

    def stopping_at(self, value: float) -> "Declared":
        """The same with a stop of its slider at a value that was typed in."""
        return dataclasses.replace(self, grid=sorted({*(self.grid or ()), value}))

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest number of the page's control."""
        if self.soft is not None:
            return self.soft
        if self.low is None or self.high is None:
            raise TypeError(f"the setting {self.label!r} has no range")
        return self.low, self.high

    @property
    def stops(self) -> Sequence[float]:
        """The numbers at which the thumb of its slider can stand, from left to right; none where it has no slider."""
        if self.grid is not None or self.widget != "slider":
            return self.grid or ()
        low, high = self.range
        if self.every is None:
            return range(int(low), int(high) + 1)
        # Without what floats add to multiples of a twentieth.
        return [round(low + place * self.every, 10) for place in range(round((high - low) / self.every) + 1)]


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(dataclasses.field,))
def settings(cls: type[C]) -> type[C]:
    """Make a class of settings: frozen, by name only, every field checked for its type and range when it is made."""
    config = pydantic.ConfigDict(extra="forbid", allow_inf_nan=False)
    return cast(type[C], pydantic_dataclass(frozen=True, kw_only=True, config=config)(cls))


def _field(default: Any, known: Declared) -> Any:
    field = pydantic.Field(default, title=known.label, ge=known.low, le=known.high, json_schema_extra=known)
    if known.options is not None:
        field.metadata.append(pydantic.AfterValidator(partial(_among, known)))
    return field


def _among(known: Declared, value: Any) -> Any:
    """Complain about an option that there is not."""
    for entry in value if known.many else (value,):
        if entry not in (known.options or {}):
            said = {"options": ", ".join(known.options or {}), "entry": repr(entry)[:60]}
            raise PydanticCustomError("option", "must be one of {options}; got {entry}", said)
    return value


def number(label: str, default: float | None, **known: Any) -> Any:
    return _field(default, Declared(label, **_slider(known)))


def steps(label: str, default: float, grid: Sequence[float], link: str, step: float, **known: Any) -> Any:
    """A number on a slider over given numbers.

    Args:
        step: factor by which it is varied to see what it does, or a difference where ``factor`` is False.
    """
    usual = {"grid": grid, "link": link, "widget": "steps", "step": step, "factor": True}
    return number(label, default, **{**usual, **known})


def whole(label: str, default: int, **known: Any) -> Any:
    """A whole number, varied by one unless ``step`` says otherwise."""
    return _field(default, Declared(label, **{"step": 1.0, **_slider(known)}))


def _slider(known: dict[str, Any]) -> dict[str, Any]:
    """A page asks for what links carry by a slider, over given numbers if there are some, unless it is said how."""
    return {"widget": "steps" if "grid" in known else "slider", **known} if "link" in known else known


def seed(label: str, default: int, link: str, **known: Any) -> Any:
    """A seed: no decision, so the board does not say what another one would do to the answer."""
    usual = {"low": 0, "high": 2**32, "soft": (0, 9999), "widget": "field", "link": link, "step": None}
    return whole(label, default, **{**usual, **known})


def typed(label: str, default: int, link: str, **known: Any) -> Any:
    """A whole number that is typed in."""
    return whole(label, default, widget="field", link=link, **known)


def evenly(label: str, default: float, grid: Sequence[float], link: str, step: float, **known: Any) -> Any:
    """As `steps`, varied by a difference."""
    return steps(label, default, grid, link, step, factor=False, **known)


def choice(label: str, default: str, options: Mapping[str, str], **known: Any) -> Any:
    return _field(default, Declared(label, options=options, **{"widget": "list", **known}))


def choices(label: str, default: tuple[str, ...], options: Mapping[str, str], **known: Any) -> Any:
    """Any number of several, in their order."""
    return _field(default, Declared(label, options=options, many=True, **{"widget": "pills", **known}))


def free(label: str, default: Any, **known: Any) -> Any:
    """A field that is checked for its type only: text, a flag, a list; a page asks for it by a piece of its own."""
    return _field(default, Declared(label, **known))


def group(of: Callable[[], Any]) -> Any:
    return pydantic.Field(default_factory=of)


def when(name: str, *values: Any) -> Callable[[Any], bool]:
    """For ``shown``: whether a setting of the same group has one of these values."""
    return lambda group: getattr(group, name) in values


# Looked at for every widget of every rerun.
_DECLARED: dict[type[Any], Mapping[str, Declared]] = {}


def declared(cls: type[Any]) -> Mapping[str, Declared]:
    """Every setting of a class by its dotted name, in the order of the fields."""
    if cls not in _DECLARED:
        _DECLARED[cls] = dict(_declared(cls, ()))
    return _DECLARED[cls]


def _declared(cls: type[Any], outer: tuple[str, ...]) -> Iterator[tuple[str, Declared]]:
    for name, info in cls.__pydantic_fields__.items():
        if isinstance(info.json_schema_extra, Declared):
            yield ".".join((*outer, name)), info.json_schema_extra
        elif isinstance(info.annotation, type) and dataclasses.is_dataclass(info.annotation):
            yield from _declared(info.annotation, (*outer, name))


def complaint(problem: pydantic.ValidationError) -> tuple[tuple[str | int, ...], str]:
    """The first thing that is wrong with settings: where, and the requirement with the value."""
    first = problem.errors(include_url=False)[0]
    value, known = first["input"], first.get("ctx", {})
    if first["type"] == "option":
        return first["loc"], first["msg"]
    words = {
        "greater_than_equal": "at least {ge:g}",
        "less_than_equal": "at most {le:g}",
        "finite_number": "a finite number",
    }.get(first["type"])
    shown = f"{value:g}" if isinstance(value, int | float) and abs(value) < 1e300 else repr(value)[:60]
    said = first["msg"] if words is None else f"must be {words.format(**known)}"
    return first["loc"], f"{said}; got {shown}"
