"""Operations on places: put, take and read pieces."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from operator import itemgetter

from interpreter import ir
from interpreter.reference.closures import ListFn


class Full(Exception):
    """A place has no room."""

    def __init__(self, place: ir.Place) -> None:
        super().__init__(place.zone)
        self.place = place


class Missing(Exception):
    """A piece is not where it should be."""

    def __init__(self, place: ir.Place) -> None:
        super().__init__(place.zone)
        self.place = place


def put(s: array[int], place: ir.Place, class_: int, number: int = 1, bottom: bool = False) -> None:
    """Put pieces of a class on a place. Raises `Full` if there is no room."""
    base = place.base
    match place.kind:
        case ir.SLOT:
            if s[base] or number > 1:
                raise Full(place)
            s[base] = class_ + 1
        case ir.COUNTS:
            if place.limited and sum(s[base : base + place.classes]) + number > place.capacity:
                raise Full(place)
            s[base + class_] += number
        case ir.ORDERED:
            size = s[base]
            if size + number > place.capacity:
                raise Full(place)
            start = base + 1
            if bottom:
                s[start + number : start + number + size] = s[start : start + size]
                s[start : start + number] = array("i", [class_ + 1] * number)
            else:
                s[start + size : start + size + number] = array("i", [class_ + 1] * number)
            s[base] = size + number
        case _:
            s[base] += number


def take(s: array[int], place: ir.Place, class_: int) -> None:
    """Take one piece of a class, from an ordered place the topmost. Raises `Missing` if there is none."""
    base = place.base
    match place.kind:
        case ir.SLOT:
            if s[base] != class_ + 1:
                raise Missing(place)
            s[base] = 0
        case ir.COUNTS:
            if s[base + class_] < 1:
                raise Missing(place)
            s[base + class_] -= 1
        case ir.ORDERED:
            size = s[base]
            for i in range(base + size, base, -1):
                if s[i] == class_ + 1:
                    s[i : base + size] = s[i + 1 : base + size + 1]
                    s[base + size] = 0
                    s[base] = size - 1
                    return
            raise Missing(place)
        case _:
            if s[base] < 1:
                raise Missing(place)
            s[base] -= 1


def clear(s: array[int], place: ir.Place) -> None:
    """Remove all pieces from a place."""
    s[place.base : place.base + place.words] = array("i", bytes(4 * place.words))


def top(s: array[int], place: ir.Place) -> int | None:
    """The class of the top piece, or of the only one; none if the place is empty or not ordered."""
    base = place.base
    match place.kind:
        case ir.ORDERED:
            return s[base + s[base]] - 1 if s[base] else None
        case ir.SLOT:
            return s[base] - 1 if s[base] else None
        case ir.COUNTS:
            return None
        case _:
            return 0 if s[base] else None


def lowest(s: array[int], place: ir.Place) -> int | None:
    """The class of the piece at the bottom of an ordered place; none if it is empty."""
    return s[place.base + 1] - 1 if s[place.base] else None


def take_lowest(s: array[int], place: ir.Place) -> None:
    """Take the piece at the bottom of an ordered place, which is not empty."""
    first, size = place.base + 1, s[place.base]
    s[first : first + size - 1] = s[first + 1 : first + size]
    s[place.base + size] = 0
    s[place.base] = size - 1


def count(s: array[int], place: ir.Place) -> int:
    """The number of pieces on a place."""
    base = place.base
    match place.kind:
        case ir.SLOT:
            return int(s[base] != 0)
        case ir.COUNTS:
            return sum(s[base : base + place.classes])
        case _:
            return s[base]


def counter(place: ir.Place) -> Callable[[array[int]], int]:
    """The closure of the number of pieces on a place."""
    base = place.base
    match place.kind:
        case ir.SLOT:
            return lambda s: int(s[base] != 0)
        case ir.COUNTS:
            end = base + place.classes
            return lambda s: sum(s[base:end])
        case _:
            return itemgetter(base)


def place_reader(place: ir.Place, number: int) -> ListFn:
    """The closure of the pieces on a place; those of an ordered one from bottom to top."""
    base, first = place.base, number * place.classes
    match place.kind:
        case ir.SLOT:
            return lambda s, e: [(first + c - 1, 1)] if (c := s[base]) else []
        case ir.COUNTS:
            end = base + place.classes
            return lambda s, e: (
                [(i, n) for i, n in enumerate(s[base:end], first) if n] if any(s[base:end]) else []
            )
        case ir.ORDERED:
            return lambda s, e: [(first + c - 1, 1) for c in s[base + 1 : base + 1 + s[base]]]
        case _:
            return lambda s, e: [(first, n)] if (n := s[base]) else []
