"""Fixed noise: two data sets are given noise with which their noisy values agree; then everything released must agree.

All that a private release knows of the data are its noisy values. So a first run is recorded, and a second run on other
data is made to have the same noisy values (its noise is whatever is missing; noise that can take any value could have
been just that). What the two runs release must then be the same to the byte: a difference is something that was read
from the data again, without noise::

    fixed = Fixed()

    def published(data):
        return export(release(data, rng=fixed.generator(1)))

    first = fixed.record(published, data)
    assert fixed.replay(published, neighbour) == first

Taken for noise are the results of `discrete_laplace`, `gaussian` and other functions with an ``rng`` in
`dpot_core/mechanisms/central/noise.py`, wherever they were imported, secure or not; and numbers that a generator made
by `Fixed.generator`, `numpy.random.default_rng` or `streams.stream` draws from a Laplace, normal or geometric
distribution and that are added to something, such as ``counts + scale * rng.laplace(size=k)``. ``float(rng.laplace())``
is a number like any other and is not seen. Make the data before, as above: data that are themselves
``mean + rng.normal()`` would be replayed as well.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from dpot_core.mechanisms.central import noise as central
from dpot_core.privacy import streams

T = TypeVar("T")

#: Draws that mechanisms add to values; other draws (choices, permutations, uniform numbers) come from the seed.
_ADDED = ("laplace", "standard_normal", "normal", "geometric")

#: Operations that leave noise noise; sums with anything else make a noisy value.
_KEEP = (np.multiply, np.divide, np.negative, np.true_divide)
_SUMS = (np.add, np.subtract)

_DEFAULT = np.random.default_rng


class Fixed:
    """A tape of noisy values. `record` first, then `replay` as often as you like."""

    def __init__(self) -> None:
        self.tape: list[np.ndarray] = []
        self.position = 0
        self.replaying = False
        self.unseeded = 0

    def record(self, run: Callable[..., T], *data: Any) -> T:
        """Run and keep all noisy values.

        Raises:
            AssertionError: if no noise was seen: then this tests nothing.
        """
        self.tape, self.replaying, self.unseeded = [], False, 0
        with self._heard():
            result = run(*data)
        assert self.tape, "no noise was drawn: either nothing is protected, or it is drawn where this tool cannot see"
        return result

    def replay(self, run: Callable[..., T], *data: Any) -> T:
        """Run on other data with the noisy values of the recorded run.

        Raises:
            AssertionError: if another number of noisy values, or other shapes of them, are asked for: how many there
                are was read from the data.
        """
        self.position, self.replaying, self.unseeded = 0, True, 0
        with self._heard():
            result = run(*data)
        assert self.position == len(self.tape), f"{self.position} noisy values, recorded were {len(self.tape)}"
        return result

    def generator(self, *seed: int) -> np.random.Generator:
        """A generator whose noise is recorded and replayed."""
        return _Listening(self, np.random.PCG64(list(seed)))

    def noisy(self, values: Any) -> Any:
        """Record a noisy value, or give back the recorded one."""
        array = np.asarray(values)
        if not self.replaying:
            self.tape.append(array.copy())
            return values
        assert self.position < len(self.tape), f"more than the {len(self.tape)} noisy values that were recorded"
        kept = self.tape[self.position]
        self.position += 1
        assert kept.shape == array.shape, f"noisy value {self.position}: shape {array.shape}, recorded {kept.shape}"
        return kept.copy() if array.ndim else kept[()]

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Listen to every source of noise in all modules of the project that are loaded, and to new generators."""
        swaps: list[tuple[Any, str, Any, Any]] = []
        originals: dict[int, Callable[..., Any]] = {}
        for name, function in vars(central).items():
            if (
                inspect.isfunction(function)
                and not name.startswith("_")
                and "rng" in inspect.signature(function).parameters
            ):
                originals[id(function)] = self._wrapped(function)
        originals[id(streams.stream)] = self._made(streams.stream)
        for module in [
            module for name, module in sys.modules.items() if name.split(".")[0] in ("dpot_core", "pages", "tests")
        ]:
            for name, value in list(vars(module).items()):
                if id(value) in originals:
                    swaps.append((module, name, value, originals[id(value)]))
        swaps.append((np.random, "default_rng", np.random.default_rng, self._made(np.random.default_rng)))
        for owner, name, _, new in swaps:
            setattr(owner, name, new)
        try:
            yield
        finally:
            for owner, name, old, _ in swaps:
                setattr(owner, name, old)

    def _wrapped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def noisy(*arguments: Any, **options: Any) -> Any:
            # Inside, the generator must not record a second time.
            bound = inspect.signature(function).bind(*arguments, **options)
            plain = bound.arguments.get("rng")
            if isinstance(plain, _Listening):
                bound.arguments["rng"] = np.random.Generator(plain.bit_generator)
            return self.noisy(function(*bound.args, **bound.kwargs))

        return noisy

    def _made(self, function: Callable[..., np.random.Generator]) -> Callable[..., np.random.Generator]:
        def made(*arguments: Any, **options: Any) -> np.random.Generator:
            if function is _DEFAULT and (not arguments or arguments[0] is None) and not options:
                # The system's entropy: given numbers as well, the same in every run.
                self.unseeded += 1
                return self.generator(self.unseeded)
            rng = function(*arguments, **options)
            return rng if isinstance(rng, _Listening) else _Listening(self, rng.bit_generator)

        return made


class _Listening(np.random.Generator):
    """A generator whose noise is known as such until it is added to something."""

    def __init__(self, fixed: Fixed, bits: np.random.BitGenerator) -> None:
        super().__init__(bits)
        self._fixed = fixed

    def __getattribute__(self, name: str) -> Any:
        method = super().__getattribute__(name)
        if name not in _ADDED:
            return method
        fixed = super().__getattribute__("_fixed")
        return lambda *arguments, **options: _Noise(fixed, np.asarray(method(*arguments, **options)))


class _Noise:
    """Drawn noise: still noise when scaled, a noisy value as soon as anything is added, an array everywhere else."""

    __array_priority__ = 1e6

    def __init__(self, fixed: Fixed, values: np.ndarray) -> None:
        self._fixed, self._values = fixed, values

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [each._values if isinstance(each, _Noise) else each for each in inputs]
        result = getattr(ufunc, method)(*plain, **options)
        if method != "__call__":
            return result
        all_noise = all(isinstance(each, _Noise) for each in inputs)
        if ufunc in _KEEP or (ufunc in _SUMS and all_noise):
            return _Noise(self._fixed, np.asarray(result))
        return self._fixed.noisy(result) if ufunc in _SUMS else result

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self._values, dtype=dtype)

    def __getitem__(self, where: Any) -> _Noise:
        return _Noise(self._fixed, np.asarray(self._values[where]))

    def __getattr__(self, name: str) -> Any:
        # A shape of noise is noise; a sum or a mean of it is a number.
        found = getattr(self._values, name)
        if name not in ("reshape", "ravel", "copy", "astype", "T"):
            return found
        if name == "T":
            return _Noise(self._fixed, found)
        return lambda *arguments, **options: _Noise(self._fixed, found(*arguments, **options))

    def __len__(self) -> int:
        return len(self._values)

    def __float__(self) -> float:
        # Plain from here on: a caller who writes value + float(rng.laplace()) hides the noise from this tool.
        return float(self._values)

    def __add__(self, other: Any) -> Any:
        return np.add(self, other)

    def __radd__(self, other: Any) -> Any:
        return np.add(other, self)

    def __sub__(self, other: Any) -> Any:
        return np.subtract(self, other)

    def __rsub__(self, other: Any) -> Any:
        return np.subtract(other, self)

    def __mul__(self, other: Any) -> Any:
        return np.multiply(self, other)

    def __rmul__(self, other: Any) -> Any:
        return np.multiply(other, self)

    def __truediv__(self, other: Any) -> Any:
        return np.divide(self, other)

    def __neg__(self) -> Any:
        return np.negative(self)
