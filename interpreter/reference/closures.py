"""Types of linked code: closures over the state `s` and the registers `e`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

NodeFn = Callable[["array[int]"], int]
"""A node. Returns the number of the next node, or one of `codes`."""

IntFn = Callable[["array[int]", list[int]], int]
"""An expression."""

ListFn = Callable[["array[int]", list[int]], list[tuple[int, int]]]
"""A collection as a list of (value, number of equal ones)."""

StreamFn = Callable[["array[int]", list[int]], Iterable[tuple[int, int]]]
"""A collection as a lazy sequence of (value, number of equal ones)."""

DoingValue = tuple[int, list[int], int]
"""A target: routine, leading arguments, acting piece."""

DoingFn = Callable[["array[int]"], DoingValue | None]
"""A target in a state; none for an empty cell."""
