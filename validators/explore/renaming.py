"""The effect of a symmetry on states, moves and winners.

`symmetry_reduction` explores one of several positions that are equal up to a symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from dsl.domains import NONE, EnumType, PieceType, Type
from dsl.rules import Rules, TypeDecl
from interpreter import ir
from interpreter.game import Game
from validators.explore.automorphisms import Renaming, Symmetry
from validators.explore.stepping import Move

PLAIN = ""
"""The kind of a word that no symmetry changes."""
LARGEST_PRODUCT = 250
"""A product with more values is not renamed: a word of a state is coded as one byte."""
SLOT, MASK = "slot ", "seats"


@dataclass
class RenamedState:
    """The images of values under one symmetry, derived from the types that it renames."""

    game: Game
    symmetry: Symmetry

    @property
    def rules(self) -> Rules:
        return self.game.rules

    @cached_property
    def types(self) -> dict[str, Renaming]:
        """The types that are renamed, with the directions of boards."""
        renamed = dict(self.symmetry.renamed)
        for name, to in self.symmetry.renamed:
            decl = self.rules.types[name]
            for way, following in decl.directions.items():
                turned = _turned(to, following, decl.lo, self.rules.types[way].size)
                if turned is not None:
                    renamed[way] = turned
        for decl in self.rules.types.values():
            if any(kind in renamed for _, kind in decl.parts) and decl.size <= LARGEST_PRODUCT:
                renamed[decl.name] = self._product(decl, renamed)
        return renamed

    def _product(self, decl: TypeDecl, renamed: dict[str, Renaming]) -> Renaming:
        """The image of each value of a product: the value that has the images of its parts."""
        columns = [(decl.columns[column].values, kind) for column, kind in decl.parts]
        rows = list(zip(*(values for values, _ in columns), strict=True))
        where = {row: i for i, row in enumerate(rows)}
        return tuple(
            where[tuple(self._part(kind, v, renamed) for (_, kind), v in zip(columns, row, strict=True))]
            for row in rows
        )

    def _part(self, kind: str, value: int, renamed: dict[str, Renaming]) -> int:
        low, to = self.rules.types[kind].lo, renamed.get(kind)
        return value if to is None or value - low >= len(to) else low + to[value - low]

    def classes(self, component: str) -> Renaming | None:
        """The renaming of the classes of a component, if they are seats or the values of a type."""
        decl = self.rules.components[component]
        if decl.per_seat and decl.die is None and not decl.columns:
            return self.types.get("seat")
        for name, to in self.types.items():
            column = decl.columns.get(name)
            if column is not None and len(column.values) == len(to):
                low = self.rules.types[name].lo
                if column.values == tuple(range(low, low + len(to))):
                    return to
        return None

    def index(self, axis: str | None, value: int | None) -> int | None:
        """The image of an index of a place, counter, mark or pointer."""
        if axis is None or value is None:
            return value
        if axis in self.types:
            low = self.rules.types[axis].lo
            return low + self.types[axis][value - low]
        to = self.classes(axis) if axis in self.rules.components else None
        return to[value] if to is not None else value

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The image of each place."""
        where = {(p.zone, p.of, p.at): i for i, p in enumerate(self.game.machine.places)}
        images = []
        for i, place in enumerate(self.game.machine.places):
            zone = self.rules.zones.get(place.zone)
            of = self.index(zone.var.of, place.of) if zone is not None else None
            at = self.index(zone.var.at, place.at) if zone is not None else None
            images.append(where.get((place.zone, of, at), i))
        return tuple(images)

    def value(self, kind: Type | None, value: int) -> int:
        """The image of a value of a type."""
        match kind:
            case EnumType(name) if name in self.types and value != NONE:
                low = self.rules.types[name].lo
                return low + self.types[name][value - low]
            case PieceType(component) if value != NONE:
                classes = self.game.machine.component_classes[component]
                to = self.classes(component)
                place, class_ = divmod(value, classes)
                return self.places[place] * classes + (to[class_] if to is not None else class_)
        return value

    def seats(self, mask: int) -> int:
        """The image of a set of seats, as bits."""
        to = self.types.get("seat")
        if to is None:
            return mask
        return sum(1 << to[seat] for seat in range(self.game.machine.seats) if mask >> seat & 1)

    def move(self, move: Move) -> Move:
        if move.value == NONE or move.part < 0:
            return move
        kind = value_type(self.game, move)
        return move if kind is None else move._replace(value=self.value(kind, move.value))

    def coded(self, kind: str) -> bytes:
        """A table of images for words of a kind. 255, which stands for none, stays."""
        change: Callable[[int], int] = int
        size = 0
        if kind == MASK:
            change, size = self.seats, 1 << self.game.machine.seats
        elif kind.startswith(SLOT):
            to = self.classes(kind.removeprefix(SLOT))
            if to is not None:
                lot = to
                change, size = (lambda v: lot[v - 1] + 1 if v else 0), len(to) + 1
        elif kind in self.types:
            low, of = self.rules.types[kind].lo, self.types[kind]
            table = bytearray(range(256))
            for i, j in enumerate(of):
                table[low + i] = low + j
            return bytes(table)
        return bytes([*(change(v) for v in range(size)), *range(size, 256)])

    # ---- words

    def moved(self) -> Iterator[tuple[int, int]]:
        """Pairs of the old and new word of a value, without words that stay."""
        pairs = chain(self._variables(), self._places(), self._triggers())
        return (pair for pair in pairs if pair[0] != pair[1])

    def _variables(self) -> Iterator[tuple[int, int]]:
        for words in self.game.machine.variables.values():
            for word in range(words.base, words.base + words.size):
                of, at = words.indices(word)
                yield word, words.address(self.index(words.of, of), self.index(words.at, at))

    def _places(self) -> Iterator[tuple[int, int]]:
        mc = self.game.machine
        for i, place in enumerate(mc.places):
            target = mc.places[self.places[i]]
            to = self.classes(mc.place_components[place.zone])
            for k in range(place.words):
                inside = to[k] if to is not None and place.kind == ir.COUNTS else k
                yield place.base + k, target.base + inside

    def _triggers(self) -> Iterator[tuple[int, int]]:
        """The recorded conditions of triggers, binding by binding."""
        for trigger, code in zip(self.rules.triggers, self.game.machine.triggers, strict=True):
            if code.condition is None:
                continue
            where = {binding: i for i, binding in enumerate(code.bindings)}
            for i, binding in enumerate(code.bindings):
                if len(binding) == len(trigger.free):
                    to = tuple(self.value(v.type, x) for v, x in zip(trigger.free, binding, strict=True))
                    yield code.held + i, code.held + where.get(to, i)


def value_type(game: Game, move: Move) -> Type | None:
    """The type of the value of an option."""
    node = game.machine.nodes[move.node]
    if isinstance(node, ir.Decide | ir.Chance):
        return node.type
    assert isinstance(node, ir.Offer)
    what = node.what[move.part]
    if not isinstance(what, ir.DoRoutine):
        return None
    parameter = game.names.parameter((what.routine, (0,) * len(what.arguments)))
    return parameter.type if parameter is not None else None


def _turned(to: Renaming, following: tuple[tuple[int, ...], ...], low: int, ways: int) -> Renaming | None:
    """The image of each direction: the one that leads to the images of the next places; none if unclear."""
    images: list[int] = []
    for way in range(ways):
        fits = [other for other in range(ways) if _agree(to, following, low, way, other)]
        if len(fits) != 1:
            return None
        images.append(fits[0])
    return tuple(images)


def _agree(to: Renaming, following: tuple[tuple[int, ...], ...], low: int, way: int, other: int) -> bool:
    for place, new in enumerate(to):
        here, there = following[place][way], following[new][other]
        if (here == NONE) != (there == NONE) or (here != NONE and to[here - low] != there - low):
            return False
    return True
