"""The machine: its nodes, and the layout of its state."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import Literal, TypeVar

from dsl.domains import Type
from dsl.frozen import dataclass
from dsl.operators import RoutineKind
from dsl.source import Span
from interpreter.ir.coverage import CoveragePoint
from interpreter.ir.expressions import Expr
from interpreter.ir.history_layout import HistoryLayout
from interpreter.ir.nodes import Decide, Node, Offer, Step
from interpreter.ir.state import BRANCH, BRANCH_STATUS, PHASE, WAITING, WINNERS, place_words

T = TypeVar("T")
N = TypeVar("N", bound=Node)


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a zone: its indices, its address, and how it stores pieces."""

    zone: str
    of: int | None
    at: int | None
    kind: int
    base: int
    capacity: int
    classes: int
    limited: bool

    @property
    def words(self) -> int:
        """The number of its words."""
        return place_words(self.kind, self.classes, self.capacity)


@dataclass(frozen=True, slots=True)
class PlaceViewers:
    """Who sees and who counts the pieces of a place by its declaration, as `viewer_bit`s; whose place it is.

    `top`: everybody sees the topmost piece.
    """

    seen: int
    counted: int
    owner: int | None = None
    top: bool = False


@dataclass(frozen=True, slots=True)
class VarLayout:
    """The layout of a counter, mark or pointer: its address, indices, type and ranges.

    `ranges` and `start` have one entry for all words, or one for each value of the innermost index.
    `readers`: who sees its words by declaration, as `viewer_bit`s, one entry for all, or one for each owner.
    """

    kind: Literal["counter", "mark", "pointer"]
    name: str
    base: int
    of: str | None
    at: str | None
    of_lo: int
    of_size: int
    at_lo: int
    at_size: int
    type: Type
    ranges: tuple[tuple[int, int], ...]
    start: tuple[int, ...]
    readers: tuple[int, ...]

    @property
    def size(self) -> int:
        return self.of_size * self.at_size

    def owner(self, address: int) -> int | None:
        """The seat that the word at an address belongs to, if it belongs to one."""
        return self.of_lo + (address - self.base) // self.at_size if self.of == "seat" else None

    def readers_of(self, address: int) -> int:
        """Who sees the word at an address by declaration, as `viewer_bit`s."""
        owned = len(self.readers) > 1
        return self.readers[(address - self.base) // self.at_size if owned else 0]

    def address(self, of: int | None, at: int | None) -> int:
        """The address of the word with these indices."""
        row = of - self.of_lo if of is not None else 0
        return self.base + row * self.at_size + (at - self.at_lo if at is not None else 0)

    def indices(self, address: int) -> tuple[int | None, int | None]:
        """The indices of the word at an address."""
        i, j = divmod(address - self.base, self.at_size)
        of = self.of_lo + i if self.of is not None else None
        return of, self.at_lo + j if self.at is not None else None

    def bounds(self, address: int) -> tuple[int, int]:
        """The range of the word at an address."""
        return self._own(self.ranges, address)

    def start_at(self, address: int) -> int:
        """The start value of the word at an address."""
        return self._own(self.start, address)

    def _own(self, values: tuple[T, ...], address: int) -> T:
        """The entry of `ranges` or `start` for the word at an address."""
        if len(values) == 1:
            return values[0]
        i, j = divmod(address - self.base, self.at_size)
        return values[j if self.at is not None else i]


@dataclass(frozen=True, slots=True)
class RoutineCode:
    """A routine: its entries by the number of given arguments, and the size of its frame.

    `nests`: how often it may call itself before it returns, if it does.
    """

    name: str
    kind: RoutineKind | Literal["branch", "trigger"]
    entries: tuple[int, ...]
    parameters: tuple[str, ...]
    size: int
    span: Span
    clauses: tuple[str, ...]
    nests: int = 0

    def entry(self, given: int) -> int:
        """The node at which it begins with a number of given arguments."""
        return self.entries[min(given, len(self.entries) - 1)]


@dataclass(frozen=True, slots=True)
class TriggerCode:
    """A trigger: its condition, or the places that it watches, and the address of its record.

    With a condition, there is one word for each binding from `held` on: whether it held. Otherwise `held` is
    the length of a queue of moves, followed by (piece, place) each. `busy` is 1 while the trigger runs.
    `seat` is the index of the free variable that becomes the acting seat; -1: it does not change.
    """

    routine: int
    condition: Expr | None
    regs: tuple[int, ...]
    bindings: tuple[tuple[int, ...], ...]
    held: int
    busy: int
    enters: bool = False
    watched: tuple[int, ...] = ()
    indices: tuple[Literal["of", "at"], ...] = ()
    classes: int = 0
    capacity: int = 0
    seat: int = -1


@dataclass(frozen=True, slots=True)
class PhaseEntry:
    """A phase or step at which a scenario can start.

    In a loop over seats, `order` and `resume` are the slots of its snapshot and its position, and `snapshot`
    is the node that takes it.
    """

    node: int
    phase: int
    order: int | None
    resume: int
    snapshot: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreCode:
    kind: Literal["score", "tiebreak"]
    name: str
    value: Expr
    span: Span
    clauses: tuple[str, ...]
    best: Literal["highest", "lowest"] = "highest"


@dataclass(frozen=True, slots=True)
class InvariantCode:
    """An invariant or goal. A static one cannot change in play and is not checked there."""

    condition: Expr
    span: Span
    clauses: tuple[str, ...]
    is_static: bool = False


@dataclass(frozen=True, slots=True)
class Machine:
    """A compiled game for one number of seats and one setting of its options. Sizes are in words."""

    name: str
    seats: int
    options: dict[str, int]
    digest: str
    longest: int
    nodes: tuple[Step, ...]
    routines: tuple[RoutineCode, ...]
    cells: tuple[tuple[int, tuple[int, ...]], ...]
    triggers: tuple[TriggerCode, ...]
    scores: tuple[ScoreCode, ...]
    invariants: tuple[InvariantCode, ...]
    best: Literal["highest", "lowest", "none"]
    phases: tuple[str, ...]
    entries: dict[str, PhaseEntry]
    start: int
    flow_size: int
    size: int
    registers: int
    streams: tuple[str, ...]
    stream_base: int
    variables: dict[str, VarLayout]
    """What belongs to the position, in the order of views; working memory is in `scratch`."""
    places: tuple[Place, ...]
    zone_places: dict[str, tuple[int, int]]
    shown: dict[int, int]
    stack: int
    stack_size: int
    branches: int
    branch_stack: int
    branch_size: int
    saved: int
    saved_from: int
    saved_to: int
    start_pieces: tuple[tuple[int, int, int], ...]
    start_words: tuple[tuple[int, int], ...]
    place_components: dict[str, str]
    component_classes: dict[str, int]
    totals: dict[str, int] = field(default_factory=dict)
    ended: int = 0
    """The word of how the match has ended: 1 if the rules have named who wins, plus twice the number of the
    name of this end, counted from 1. Address 0: no rule names either."""
    endings: tuple[str, ...] = ()
    """The names of ends."""
    counted: tuple[tuple[int, ...], ...] = ()
    """For each phase the score lines and tie-breaks that count if the match ends in it; empty: all do."""
    turned: int = 0
    """The word of the seats that have had a turn in this round, as bits; 0: there is none."""
    goals: tuple[InvariantCode, ...] = ()
    """What must hold at some stop of every match; only exploration checks it."""
    sights: tuple[PlaceViewers, ...] = ()
    """Who sees and who counts the pieces of each place by declaration."""
    told: dict[str, int] = field(default_factory=dict)
    """For hidden variables that rules show: the first of the words that say who has been shown each value."""
    cover: tuple[CoveragePoint, ...] = ()
    """The coverage points, the same for every configuration; none without coverage."""
    histories: tuple[HistoryLayout, ...] = ()
    records: int = 0
    """The first word of the histories, after all others; with none, `size`. It is 0 except in trials."""
    excluded: frozenset[str] = frozenset()
    """The declared variables, zones and components that play no part in this configuration."""
    seat_names: tuple[str, ...] = ()
    scratch: dict[str, VarLayout] = field(default_factory=dict)
    """Working memory: counters, marks and pointers that have their start values wherever a run stops. They
    are no part of the position: nobody sees them, and no event tells of them."""

    @property
    def stores(self) -> dict[str, VarLayout]:
        """All counters, marks and pointers, with those of the working memory."""
        return {**self.variables, **self.scratch} if self.scratch else self.variables

    def with_nodes(self, nodes: Iterable[Step]) -> Machine:
        """The same machine with other nodes; itself if each is as it was."""
        changed = tuple(nodes)
        same = all(a is b for a, b in zip(changed, self.nodes, strict=True))
        return self if same else replace(self, nodes=changed)

    def node(self, number: int, kind: type[N]) -> N:
        """The node with a number, which must be of a kind."""
        node = self.nodes[number]
        assert isinstance(node, kind)
        return node

    def decision(self, number: int) -> Decide | Offer:
        """The decision with a number."""
        node = self.nodes[number]
        assert isinstance(node, Decide | Offer)
        return node

    def words_at(self, address: int) -> VarLayout | None:
        """The counter, mark or pointer at an address; none if there is none."""
        for words in self.stores.values():
            if words.base <= address < words.base + max(1, words.size):
                return words
        return None

    def told_at(self, words: VarLayout, address: int) -> int | None:
        """The address of the word that says who was shown a value; none if that value is never shown.

        A bit for each seat; negative: everybody.
        """
        first = self.told.get(words.name)
        return first + address - words.base if first is not None else None

    def told_words(self) -> range:
        """The words that say who was shown hidden values."""
        sizes = sum(self.variables[name].size for name in self.told)
        first = min(self.told.values(), default=0)
        return range(first, first + sizes)

    def is_decided(self, s: array[int] | memoryview) -> bool:
        """Whether the rules have named who wins a match, be it nobody."""
        return bool(s[WINNERS] or (self.ended and s[self.ended] & 1))

    def ending(self, s: array[int] | memoryview) -> str | None:
        """The name of how a match has ended, if it has one."""
        number = s[self.ended] >> 1 if self.ended else 0
        return self.endings[number - 1] if number else None

    @property
    def lowest_ties(self) -> frozenset[str]:
        """The tie-breaks of which the lowest decides."""
        return frozenset(line.name for line in self.scores if line.best == "lowest")

    def counts(self, s: array[int] | memoryview) -> tuple[int, ...]:
        """The score lines and tie-breaks that count in a position, by their numbers."""
        return self.counted[s[PHASE]] if self.counted else tuple(range(len(self.scores)))

    def branch(self, seat: int) -> int:
        """The address of the record of a seat's branch."""
        return self.branches + BRANCH * seat

    def waiting_branches(self, s: array[int] | memoryview) -> Iterator[tuple[int, int]]:
        """The seats whose branches wait for a decision, in order, with the numbers of the nodes."""
        for seat in range(self.seats):
            at = self.branch(seat)
            if s[at + BRANCH_STATUS] == WAITING:
                yield seat, s[at]
