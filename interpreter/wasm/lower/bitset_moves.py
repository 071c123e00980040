"""Images of sets: where all elements that are moved by the same number have their bits, they move at once.

The ranks of some cards, of four suits with thirteen ranks each, are the cards of each suit moved down by a
multiple of thirteen: four operations instead of a loop over the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.wasm.emit.operands import Operand
from interpreter.wasm.lower import (
    bitset_pieces,
    bitset_select,
    bitsets,
    chosen_sets,
    value_tables,
)
from interpreter.wasm.lower.bitset_select import Image
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Range

MOST_MOVES = 8
"""The most numbers by which elements are moved."""


@dataclass(frozen=True, slots=True)
class Moves:
    """The elements as a set of one word, and by which number of bits which of them are moved up."""

    elements: Callable[[], Bits]
    by: dict[int, int]


def moves_of(fx: FunctionContext, image: Image, r: Range) -> Moves | None:
    """How the bits of a collection are moved to those of its image; nothing if there are too many ways."""
    several = max(image.least, image.below or 0) > 1
    found = _of_pieces(fx, image, several) or _of_values(fx, image)
    if found is None or r.words > 1:
        return None
    elements, targets = found
    by: dict[int, int] = {}
    for i, target in enumerate(targets):
        for value in _indices(image, target, r):
            by[value - i] = by.get(value - i, 0) | 1 << i
    return Moves(elements, by) if 0 < len(by) <= MOST_MOVES else None


Elements = tuple[Callable[[], Bits], Sequence[int]]
"""What finds the set of all elements, and what each of them is mapped to."""


def _of_pieces(fx: FunctionContext, image: Image, several: bool) -> Elements | None:
    """Pieces whose classes are a set, and that are mapped by their class."""
    r = bitset_pieces.worthwhile(fx, image.source, image.reg, image.where)
    if r is None or r.words > 1 or (several and not bitset_pieces.lies_once(fx, image.source)):
        return None
    value = bitset_pieces.of_class(fx, image.value, image.reg, image.source)
    targets = None if value is None else value_tables.table_of(fx, value, image.reg, r)
    if targets is None:
        return None
    chosen = ir.Filtered(image.reg, image.source, image.where)
    return partial(bitset_pieces.class_bits, fx, chosen, r), targets


def _of_values(fx: FunctionContext, image: Image) -> Elements | None:
    """Values that are a set."""
    r = bitset_select.range_of(fx, image.source, image.reg, image.where, True)
    if r is None or r.words > 1 or fx.one_by_one or not bitset_select.set_of(fx, image.source, r):
        return None
    if image.where is not None and not bitset_select.settable(fx, image.where, image.reg, r):
        return None
    targets = value_tables.table_of(fx, image.value, image.reg, r)
    if targets is None:
        return None
    found = partial(chosen_sets.chosen_bits, fx, image.source, image.reg, image.where, r)
    return found, targets


def _indices(image: Image, target: int, r: Range) -> list[int]:
    """The bits of the image that an element has which is mapped to a value."""
    if image.table is None:
        return [target - r.lo] if r.lo <= target < r.lo + r.size else []
    return [i for i, value in enumerate(image.table) if value == target]


def moved_sets(fx: FunctionContext, moves: Moves, most: int, r: Range) -> list[Bits]:
    """The values to which at least one element is mapped, at least two, and so on."""
    b = fx.b
    at_least = [bitsets.new_bits(fx, r) for _ in range(most)]
    for bits in at_least:
        bitsets.set_bits(fx, bits, 0)
    if not at_least:
        return []
    [one], elements = bitsets.new_bits(fx, r), moves.elements()
    for number, sources in moves.by.items():
        b.assign(one, _moved(elements[0] & sources, number))
        for [more], [fewer] in zip(at_least[:0:-1], at_least[-2::-1], strict=True):
            b.assign(more, more | (fewer & one))
        b.assign(at_least[0][0], at_least[0][0] | one)
    bitsets.free_bits(fx, [one, *elements])
    return at_least


def _moved(bits: Operand, number: int) -> Operand:
    if number == 0:
        return bits
    return bits << number if number > 0 else bits >> -number
