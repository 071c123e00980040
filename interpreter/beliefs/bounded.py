"""A dictionary of what was worked out, with a bound on how much it keeps."""

from __future__ import annotations

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
MOST_KEPT = 4_096


class Bounded(dict[Key, Value]):
    """A dictionary that forgets all before it would keep more than `MOST_KEPT` entries."""

    def __setitem__(self, key: Key, value: Value) -> None:
        if len(self) >= MOST_KEPT and key not in self:
            self.clear()
        super().__setitem__(key, value)
