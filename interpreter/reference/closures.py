"""Linked code: closures over the state `s` and the scratch registers `e`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

NodeFn = Callable[["array[int]"], int]
"""A node: the number of the next node, or a code of `codes`."""

IntFn = Callable[["array[int]", list[int]], int]
"""An expression."""

ListFn = Callable[["array[int]", list[int]], list[tuple[int, int]]]
"""A whole collection: values, each with how many there are."""

StreamFn = Callable[["array[int]", list[int]], Iterable[tuple[int, int]]]
"""The values of a collection one after the other: nothing is worked out for those that nobody asks for."""

DoingValue = tuple[int, list[int], int]
"""Something that can be done: routine, leading arguments, acting piece."""

DoingFn = Callable[["array[int]"], DoingValue | None]
"""What is to be done in a state; nothing for an empty cell."""
