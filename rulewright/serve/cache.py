"""A cache of what was used last."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


@dataclass
class RecentlyUsed(Generic[Value]):
    """A cache of at most so many values; the one that was not asked for longest is dropped."""

    most: int
    values: OrderedDict[Any, Value] = field(default_factory=OrderedDict)

    def get(self, key: object) -> Value | None:
        """The value of a key, or None."""
        if key in self.values:
            self.values.move_to_end(key)
        return self.values.get(key)

    def put(self, key: object, value: Value) -> None:
        """Keep a value."""
        self.values[key] = value
        self.values.move_to_end(key)
        if len(self.values) > self.most:
            self.values.popitem(last=False)
