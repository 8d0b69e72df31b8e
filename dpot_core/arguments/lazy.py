"""Properties that are worked out once; `functools.cached_property` without the lock that it has before Python 3.12."""

import functools
import sys
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property  # noqa: TID251
else:

    class cached_property(functools.cached_property[T]):  # noqa: N801, TID251 (the name that it stands for)
        """Property that is worked out once; equivalent to `functools.cached_property` of Python 3.12.

        Before, all instances of a class share one lock: fifty readers of the ring waited for the distances of a city
        (python/cpython#87634). Two threads may both work it out; they find the same.
        """

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            assert self.attrname is not None  # set with the class
            known = instance.__dict__
            if self.attrname not in known:
                known[self.attrname] = self.func(instance)
            return known[self.attrname]


__all__ = ["cached_property"]
