"""How much memory a value holds, about, and quickly: results are weighed each time that one is computed."""

import sys
from dataclasses import is_dataclass
from math import inf
from types import MappingProxyType
from typing import Any

import pandas as pd

_FLOAT = sys.getsizeof(1.0)


def weight(value: Any, most: float = inf) -> int:
    """Bytes of a value with all that it holds (dictionaries, lists, tuples, dataclasses, arrays), but once beyond most.

    An array that is a view has its numbers elsewhere: they live as long. A list from number to number holds numbers.
    """
    parts, total = [value], 0
    while parts and total < most:
        part = parts.pop()
        if isinstance(part, pd.DataFrame):
            total += part.size * _FLOAT  # its own count takes ten times as long as all the rest
            continue
        total += getattr(part, "nbytes", 0) or sys.getsizeof(part)
        if isinstance(part, (dict, MappingProxyType)):  # quicker than to ask for a Mapping, or for a union
            parts += [*part.keys(), *part.values()]
        elif isinstance(part, (list, tuple)):
            if part and isinstance(part[0], float) and isinstance(part[-1], float):
                total += len(part) * _FLOAT
            else:
                parts += part
        elif is_dataclass(part) and not isinstance(part, type):
            parts += vars(part).values()
    return int(min(total, most))
