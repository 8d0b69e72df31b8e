"""Independent generators for everything that a demonstration draws, by its seed, its name and its settings."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

import numpy as np


def stream(seed: int, name: str, **settings: Any) -> np.random.Generator:
    """A generator that shares nothing with that of any other name or setting.

    Noise that is used twice cancels: from two releases with one noise at two scales the data can be solved for. So
    whatever is released, exported under a guarantee or added up draws from a stream of its own. The seed is known, and
    hence this is for demonstrations only; a release draws from the operating system.

    Args:
        seed: of the demonstration, at least 0.
        name: what draws, such as the mechanism.
        settings: everything that the distribution of the output depends on: numbers, text, None, or tuples and
            dataclasses of them. 1 and 1.0 are the same setting.

    Returns:
        A generator, the same on every machine.

    Raises:
        TypeError: if a setting is none of these.

    >>> one, other = stream(7, "histogram", epsilon=1.0), stream(7, "histogram", epsilon=2.0)
    >>> bool(one.random() == other.random())
    False
    """
    text = json.dumps([name, settings], sort_keys=True, default=_plain, allow_nan=False)
    text = json.dumps(_floats(json.loads(text)), sort_keys=True)
    digest = hashlib.sha256(text.encode()).digest()
    return np.random.default_rng([seed, *np.frombuffer(digest, dtype="<u4").tolist()])


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"settings must be numbers, text, None, tuples or dataclasses of them; got {type(value).__name__}")


def _floats(value: Any) -> Any:
    """Whole numbers as floats, so that 1 and 1.0 are one setting; True stays True."""
    if isinstance(value, dict):
        return {key: _floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_floats(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
