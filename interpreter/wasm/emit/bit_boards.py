"""Bit boards: what is on places, kept as sets beside the state.

Pointers, marks and counters of places have one set for each value: a row of 64-bit words with a bit for
each index. So have zones whose places have room for one piece: a set for each class. Places that count their
pieces have a set of the classes that lie there. The sets stand behind the words of the state and are changed
with them, so a condition like `stone at cell is me` over all cells is one load.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from dsl.domains import NONE, IntType
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.visit import walk

FEWEST, MOST = 5, 1024
"""Indices that a bit board is kept for."""
MOST_VALUES = 9
MOST_CLASS_VALUES = 14
"""Values of a pointer, and classes of pieces with nothing, of which there is a set each."""
MOST_COUNTER_BYTES = 4096
"""Of the sets of a counter. Only those are kept that are never added to: their values are names for kinds,
groups or owners, which rules look for, and no quantities, which they compare."""
FEWEST_CLASSES, MOST_CLASSES = 3, 1024
"""Classes of pieces that a place keeps a set of."""


@dataclass(frozen=True, slots=True)
class Board:
    """The sets of one pointer, mark or counter, or of the places of a zone.

    `first` is the byte behind the state's address at which they stand, `low` the least value that is not
    `nothing`; `place` is the number of a zone's first place.
    """

    words: ir.VarLayout
    lo: int
    size: int
    rows: int
    values: int
    low: int
    first: int
    nothing: int = NONE
    place: int | None = None

    @property
    def wide(self) -> int:
        """64-bit words of a set."""
        return (self.size + 63) // 64

    @property
    def row_bytes(self) -> int:
        return 8 * self.wide * self.values

    @property
    def bytes(self) -> int:
        return self.rows * self.row_bytes

    def index(self, value: int) -> int:
        """The number of the set of a value: none first, then the values in order; a mark has one set."""
        if self.words.kind == "mark":
            return 0
        return 0 if value == self.nothing else value - self.low + 1

    def has(self, value: int) -> bool:
        """Whether there is a set of a value, for all but marks."""
        return value == self.nothing or self.low <= value <= self.low + self.values - 2


def first_byte(mc: ir.Machine) -> int:
    """The byte behind the state's address at which the sets begin."""
    return (4 * mc.size + 15) // 16 * 16


def boards(mc: ir.Machine) -> dict[str, Board]:
    """The bit boards of a machine, by the name of the pointer, mark or counter."""
    found: dict[str, Board] = {}
    first, quantities = first_byte(mc), _added_to(mc)
    for words in mc.stores.values():
        if words.name in quantities or (words.of is None and words.at is None):
            continue
        by_at = words.at is not None
        size, lo = (words.at_size, words.at_lo) if by_at else (words.of_size, words.of_lo)
        low, high = min(a for a, _ in words.ranges), max(b for _, b in words.ranges)
        values = 1 if words.kind == "mark" else high - low + 2
        board = Board(words, lo, size, words.of_size if by_at else 1, values, low, first)
        few = board.bytes <= MOST_COUNTER_BYTES if words.kind == "counter" else values <= MOST_VALUES
        if FEWEST <= size <= MOST and few:
            found[words.name] = board
            first += board.bytes
    for name, (zone_first, last) in _zones_of_slots(mc).items():
        words = _words_of_zone(mc, name, zone_first, last)
        size, lo = (words.at_size, words.at_lo) if words.at else (words.of_size, words.of_lo)
        values = words.ranges[0][1] + 1
        if FEWEST <= size <= MOST and values <= MOST_CLASS_VALUES:
            rows = words.of_size if words.at else 1
            found[words.name] = Board(words, lo, size, rows, values, 1, first, 0, zone_first)
            first += found[words.name].bytes
    return found


def _added_to(mc: ir.Machine) -> set[str]:
    """The counters that are changed by a number somewhere."""
    found = {node.name for node in mc.nodes if isinstance(node, ir.SetWord) and node.op != "="}
    transfers = [node for node in mc.nodes if isinstance(node, ir.Transfer)]
    return found.union(*({node.name, node.bank_name} for node in transfers))


def written_as_sets(mc: ir.Machine) -> frozenset[str]:
    """The pointers and marks that are written as sets, and that nothing else reads than expressions.

    Histories, branches of `together` and what is recorded of coverage read words; so does the account of a
    match, where it is worked out once more.
    """
    if mc.branches or mc.cover:
        return frozenset()
    kept = boards(mc)
    names = {node.name for node in mc.nodes if isinstance(node, ir.SetWords)} & kept.keys()
    names = {name for name in names if kept[name].words.kind != "counter"}
    read = [(run.address, run.count) for history in mc.histories for run in history.runs]
    read += [(x.address.base, 1) for score in mc.scores for x in walk(score.value) if isinstance(x, ir.Load)]

    def is_read(words: ir.VarLayout) -> bool:
        return any(at < words.base + words.size and words.base < at + count for at, count in read)

    return frozenset(name for name in names if not is_read(kept[name].words))


def _zones_of_slots(mc: ir.Machine) -> dict[str, tuple[int, int]]:
    """The first and last place of each zone whose places are a word each, side by side."""
    found: dict[str, tuple[int, int]] = {}
    for number, place in enumerate(mc.places):
        if place.kind == ir.SLOT and mc.place_components[place.zone] != place.zone:
            found[place.zone] = found.get(place.zone, (number, number))[0], number
    return {
        name: (first, last)
        for name, (first, last) in found.items()
        if all(y.base == x.base + 1 for x, y in pairwise(mc.places[first : last + 1]))
    }


def _words_of_zone(mc: ir.Machine, zone: str, first: int, last: int) -> ir.VarLayout:
    """The words of a zone's places like those of a pointer: 0 for nothing, else 1 more than the class."""
    one, other = mc.places[first], mc.places[last]
    of, at = (1 if x is None or y is None else y - x + 1 for x, y in ((one.of, other.of), (one.at, other.at)))
    return ir.VarLayout(
        kind="counter",
        name=f"zone {zone}",
        base=one.base,
        of=None if one.of is None else zone,
        at=None if one.at is None else zone,
        of_lo=one.of or 0,
        of_size=of,
        at_lo=one.at or 0,
        at_size=at,
        type=IntType(0, one.classes),
        ranges=((0, one.classes),),
        start=(0,),
        readers=(0,),
    )


def board_of_place(found: dict[str, Board], number: int) -> Board | None:
    """The bit board of a place, if one is kept of its zone."""
    for board in found.values():
        if board.place is not None and board.place <= number < board.place + board.rows * board.size:
            return board
    return None


def board_of_words(found: dict[str, Board], address: int, count: int) -> Board | None:
    """The bit board that has a row for some adjacent words of the state."""
    for board in found.values():
        row, rest = divmod(address - board.words.base, board.size)
        if count == board.size and not rest and 0 <= row < board.rows:
            return board
    return None


def piece_sets(mc: ir.Machine, first: int) -> dict[int, int]:
    """For the places that keep a set of the classes of their pieces, the byte at which it stands."""
    found: dict[int, int] = {}
    for number, place in enumerate(mc.places):
        if place.kind == ir.COUNTS and FEWEST_CLASSES <= place.classes <= MOST_CLASSES:
            found[number] = first
            first += set_bytes(place.classes)
    return found


def set_bytes(classes: int) -> int:
    """The bytes of a set of classes."""
    return 8 * ((classes + 63) // 64)


def single_components(mc: ir.Machine) -> frozenset[str]:
    """The components of which there is at most one piece of each class, wherever it is."""
    found: dict[str, set[int]] = {name: set() for name in mc.component_classes}
    alike = {node.component for node in mc.nodes if isinstance(node, ir.Drop)}
    turned = {node.classes for node in mc.nodes if isinstance(node, ir.TurnDie)}
    alike |= {name for name, classes in mc.component_classes.items() if classes in turned}
    for place, class_, number in [*mc.start_pieces, *_pieces_in_words(mc)]:
        component = mc.place_components[mc.places[place].zone]
        if number > 1 or class_ in found.setdefault(component, set()):
            alike.add(component)
        found[component].add(class_)
    return frozenset(found) - alike


def _pieces_in_words(mc: ir.Machine) -> Iterator[tuple[int, int, int]]:
    """The pieces that the first words of a state put on places: each place, with a class and a number."""
    words = dict(mc.start_words)
    for number, place in enumerate(mc.places):
        for i in range(place.words):
            word = words.get(place.base + i, 0)
            match place.kind:
                case ir.COUNTS if word:
                    yield number, i, word
                case ir.SLOT if word:
                    yield number, word - 1, 1
                case ir.ORDERED if word and i:
                    yield number, word - 1, 1
                case ir.BLANK if word:
                    yield number, 0, word


def piece_bytes(mc: ir.Machine, sets: dict[int, int], state: Sequence[int]) -> bytes:
    """The sets of the classes that lie on places, as they stand behind the others."""
    data = bytearray()
    for number in sets:
        place = mc.places[number]
        bits = 0
        for i, pieces in enumerate(state[place.base : place.base + place.classes]):
            if pieces > 0:
                bits |= 1 << i
        data += bits.to_bytes(set_bytes(place.classes), "little")
    return bytes(data)


def board_bytes(found: dict[str, Board], state: Sequence[int]) -> bytes:
    """The sets for the words of a state, as they stand behind it."""
    return b"".join(
        bytes_of(board, state[board.words.base : board.words.base + board.rows * board.size])
        for board in found.values()
    )


def bytes_of(board: Board, values: Sequence[int]) -> bytes:
    """The sets of a board for the values of all its words."""
    sets = [0] * (board.rows * board.values)
    for i, value in enumerate(values):
        if board.words.kind != "mark" or value:
            sets[i // board.size * board.values + board.index(value)] |= 1 << i % board.size
    return b"".join(bits.to_bytes(8 * board.wide, "little") for bits in sets)
