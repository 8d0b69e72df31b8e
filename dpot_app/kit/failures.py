"""The one place where a computation that fails becomes a sentence that says what to change."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpot_app.kit.setting import declared
from dpot_app.kit.values import get

#: Settings that are named.
_MOST = 3


class ComputationFailed(RuntimeError):
    """A solver failed at settings that are allowed; the message says at which, and what to change."""


@contextmanager
def computing(config: Any = None, usual: Any = None) -> Iterator[None]:
    """Whatever a solver raises inside becomes one kind of error.

    Complaints about settings and data (`ValueError`), and what abandons the work, pass as they are.

    Args:
        config: the settings.
        usual: settings of their class at which it can be computed.

    Raises:
        ComputationFailed: instead of `RuntimeError`, `ArithmeticError` and `MemoryError`.
    """
    try:
        yield
    except ComputationFailed:
        raise
    except MemoryError as problem:
        raise ComputationFailed(
            f"the computation needs more memory than there is. {_advice(config, usual)}"
        ) from problem
    except (RuntimeError, ArithmeticError) as problem:
        reason = str(problem).rstrip(".") or type(problem).__name__
        raise ComputationFailed(f"the computation failed ({reason}). {_advice(config, usual)}") from problem


def _advice(config: Any, usual: Any) -> str:
    if config is None or type(config) is not type(usual):
        return "Change a setting a little, or begin with the usual ones"
    moved = [known.label for name, known in declared(type(config)).items() if get(config, name) != get(usual, name)]
    if not moved:
        return "Change a setting a little: ε, say"
    more = " or another setting" if len(moved) > _MOST else ""
    return f"Change {', '.join(moved[:_MOST])}{more}: at the usual values it can be computed"


def in_labels(complaint: str, config: Any) -> str:
    """A complaint of the science, with choices called as the page's controls call them.

    Args:
        complaint: names arguments and their values as code does: ``adjacency must be 'replace'``.
        config: the settings; anything else has no labels.
    """
    known = declared(type(config)) if hasattr(type(config), "__pydantic_fields__") else {}
    choices = [(name.rpartition(".")[2], of.label, of.options) for name, of in known.items() if of.options]
    for name, label, options in choices:
        values = "|".join(map(re.escape, options))
        complaint = re.sub(rf"\b{name}(?= (?:must be )?'(?:{values})')", label, complaint)
    for _, _, options in choices:
        for value, label in options.items():
            complaint = complaint.replace(f"'{value}'", f"'{label}'")
    return complaint
