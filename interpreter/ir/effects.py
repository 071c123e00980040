"""Effects of nodes and expressions: a table with one row for each class, and queries on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Flag, auto
from typing import Final, assert_never

from dsl.frozen import dataclass
from interpreter.ir import expressions as e, nodes as n
from interpreter.ir.program import Machine
from interpreter.ir.roles import FieldsWith, Role
from interpreter.ir.visit import Part, Tree, holds, walk


class Store(Flag):
    """The parts of a state."""

    FRAME = auto()
    WORDS = auto()
    """Counters, marks, pointers and the head."""
    PIECES = auto()
    HISTORIES = auto()
    SIGHT = auto()
    """Which seats have been shown which places."""
    RECORD = auto()
    """Internal records: triggers, branches, streams of chance, the end of the game."""


NONE: Final = Store(0)
WRITTEN_SLOTS = FieldsWith(Role.SLOT_WRITE)


@dataclass(frozen=True, slots=True)
class Effect:
    """The effects of a node besides those of its expressions."""

    writes: Store = NONE
    refuses: bool = False
    """A trial can fail here."""
    steers: bool = False
    """The values here can decide how a trial continues, but it does not fail here."""
    ends_trial: bool = False
    """A trial that reaches this node has succeeded."""
    waits: bool = False
    """The run stops until a seat has chosen or an outcome is drawn."""
    returns: bool = False
    """The routine can end here."""
    ends: bool = False
    """The game ends here."""
    calls: bool = False
    """Another routine can run before the next node."""

    @property
    def is_local(self) -> bool:
        """Whether only the frame is written, so that the options of others stay the same."""
        return not self.writes & ~Store.FRAME


EFFECTS: Final[Mapping[type[n.Step], Effect]] = {
    n.SetLocal: Effect(Store.FRAME, steers=True),
    n.ClearLocals: Effect(Store.FRAME),
    n.SetMe: Effect(Store.FRAME),
    n.Snapshot: Effect(Store.FRAME, steers=True),
    n.Iterate: Effect(Store.FRAME),
    n.Bound: Effect(Store.FRAME, steers=True),
    n.SetHead: Effect(Store.WORDS),
    n.SetWord: Effect(Store.WORDS, refuses=True),
    n.SetWords: Effect(Store.WORDS),
    n.Transfer: Effect(Store.WORDS, refuses=True),
    n.Reset: Effect(Store.WORDS | Store.SIGHT),
    n.EnterPhase: Effect(Store.WORDS),
    n.MovePiece: Effect(Store.PIECES | Store.FRAME),
    n.MoveAll: Effect(Store.PIECES),
    n.Exchange: Effect(Store.PIECES),
    n.MoveSome: Effect(Store.PIECES | Store.FRAME),
    n.TurnDie: Effect(Store.PIECES | Store.FRAME),
    n.Lift: Effect(Store.PIECES | Store.FRAME),
    n.Drop: Effect(Store.PIECES | Store.FRAME),
    n.Take: Effect(Store.PIECES | Store.FRAME),
    n.Swap: Effect(Store.PIECES),
    n.Forget: Effect(Store.SIGHT),
    n.LookAway: Effect(Store.SIGHT),
    n.Show: Effect(Store.SIGHT),
    n.Tell: Effect(Store.SIGHT),
    n.AddRecord: Effect(Store.HISTORIES),
    n.ClearHistory: Effect(Store.HISTORIES),
    n.SelectRecords: Effect(Store.HISTORIES | Store.FRAME),
    n.TakeRecord: Effect(Store.FRAME),
    n.Decide: Effect(Store.FRAME, refuses=True, waits=True),
    n.Offer: Effect(refuses=True, waits=True, calls=True),
    n.Chance: Effect(Store.FRAME | Store.RECORD, ends_trial=True, waits=True),
    n.Call: Effect(calls=True),
    n.CallCell: Effect(calls=True),
    n.Fork: Effect(Store.RECORD, calls=True),
    n.CheckTrigger: Effect(calls=True),
    n.Branch: Effect(steers=True),
    n.Precondition: Effect(refuses=True),
    n.Commit: Effect(ends_trial=True),
    n.Return: Effect(ends_trial=True, returns=True),
    n.Sample: Effect(Store.RECORD),
    n.NextTrigger: Effect(Store.FRAME | Store.RECORD, returns=True),
    n.Cover: Effect(),
    n.Win: Effect(Store.RECORD, ends_trial=True, ends=True),
    n.End: Effect(Store.RECORD, ends_trial=True, ends=True),
    n.Finish: Effect(Store.RECORD, ends_trial=True, ends=True),
}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The effects of evaluating an expression besides those of its parts."""

    tries: bool = False
    """It runs a trial."""
    notes: bool = False
    """It records coverage, so it must not be removed or duplicated."""


PURE: Final = Evaluation()
EVALUATIONS: Final[Mapping[type[Part], Evaluation]] = {
    e.Can: Evaluation(tries=True),
    e.Covered: Evaluation(notes=True),
    e.CoveredCell: Evaluation(notes=True),
    **dict.fromkeys(
        (
            *(e.Const, e.Reg, e.Local, e.Head, e.Load, e.Spot, e.Op, e.Not, e.If, e.Let, e.Pick),
            *(e.ClassOf, e.PlaceIndex, e.PieceAt, e.Fold, e.Best, e.Contains, e.Size, e.Times),
            *(e.Values, e.Between, e.Listed, e.Pieces, e.Classed, e.Filtered, e.Prefix, e.Joined, e.Either),
            e.Ranked,
            *(e.Linked, e.Spread, e.Bits, e.Others, e.Mask),
            *(e.DoRoutine, e.DoCell, e.Address, e.Term, e.Indices),
        ),
        PURE,
    ),
}
TRIES: Final = tuple(kind for kind, row in EVALUATIONS.items() if row.tries)
NOTES: Final = tuple(kind for kind, row in EVALUATIONS.items() if row.notes)


Access = tuple[str, tuple[e.Expr, ...]]
"""A counter, mark, pointer or zone, with the indices that are known expressions."""


# ---- nodes


def effect_of(node: n.Step) -> Effect:
    return EFFECTS[type(node)]


def nodes_that(mc: Machine, effect: str) -> frozenset[int]:
    """The numbers of the nodes that have an effect, by the name of its field."""
    return frozenset(i for i, node in enumerate(mc.nodes) if getattr(EFFECTS[type(node)], effect))


def written_slots(mc: Machine, node: n.Step) -> Iterator[range]:
    """The slots of its frame that a node writes."""
    match node:
        case n.NextTrigger(trigger=number, first_slot=first):
            trigger = mc.triggers[number]
            bound = len(trigger.regs) if trigger.condition is not None else len(trigger.indices) + 1
            yield range(first, first + bound)
        case n.ClearLocals(first=first, last=last):
            yield range(first, last)
        case n.Snapshot(slot=slot, capacity=capacity):
            yield range(slot, slot + capacity + 1)
        case n.TakeRecord(history=number, slot=slot):
            yield range(slot, slot + mc.histories[number].words)
        case _:
            found = (getattr(node, name) for name in WRITTEN_SLOTS[type(node)])
            yield from (range(slot, slot + 1) for slot in found if slot is not None)


def writes(mc: Machine, node: n.Step) -> Iterator[Access]:
    """The counters, marks, pointers and zones that a node changes and names."""
    match node:
        case (
            n.SetWord(name=name, address=address)
            | n.SetWords(name=name, address=address)
            | n.Transfer(name=name, address=address)
        ):
            yield name, tuple(t.index for t in address.terms)
        case n.MovePiece(place=place) | n.MoveAll(place=place) | n.Drop(place=place):
            yield from place_access(mc, place)
        case n.Exchange(place=place, other=other):
            yield from place_access(mc, place)
            yield from place_access(mc, other)
        case n.MoveSome(place=place, source=source) | n.Take(place=place, source=source):
            yield from place_access(mc, source)
            yield from place_access(mc, place)
        case n.AddRecord(history=number) | n.ClearHistory(history=number) | n.SelectRecords(history=number):
            yield mc.histories[number].name, ()
        case n.SetHead() | n.Reset() | n.EnterPhase() | n.TurnDie() | n.Lift() | n.Swap():
            return
        case _:
            if not isinstance(node, n.FrameNode | n.SightNode | n.ChoiceNode | n.CallNode | n.ControlNode):
                assert_never(node)


# ---- expressions


def has_trial(tree: Tree) -> bool:
    """Whether evaluating an expression runs a trial."""
    return holds(tree, TRIES)


def has_cover(tree: Tree) -> bool:
    """Whether evaluating an expression records coverage."""
    return holds(tree, NOTES)


def accesses(mc: Machine, tree: Tree) -> Iterator[Access]:
    """The counters, marks, pointers and zones that an expression, or the expressions of a node, read."""
    for part in walk(tree):
        match part:
            case e.Load(address=address):
                words = mc.words_at(address.base)
                if words is not None:
                    yield words.name, tuple(t.index for t in address.terms)
            case e.Times(history=number):
                history = mc.histories[number]
                yield from ((name, ()) for name in (history.name, *history.parts))
            case e.PieceAt(place=place):
                yield from place_access(mc, place)
            case e.Pieces(first=first, of=of, at=at):
                indices = tuple(axis.one for axis in (of, at) if axis.one is not None)
                yield mc.places[first].zone, indices


def place_access(mc: Machine, place: e.Expr) -> Iterator[Access]:
    """The zone of a place that is a constant or an address; nothing for other expressions."""
    match place:
        case e.Const(value=number) if number >= 0:
            yield mc.places[number].zone, ()
        case e.Spot(address=address):
            yield mc.places[address.base].zone, tuple(t.index for t in address.terms)
