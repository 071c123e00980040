"""Lowering of choices of a set: a decision for each value, in the order of their numbers.

Each decision offers only what comes after the values before it, and leaves enough to choose for those behind
it. So every set has exactly one sequence, and no sequence ends in a dead end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from dsl import rules as r
from dsl.domains import NONE, IntType, PieceType, SetType
from dsl.rules.reads import zones_in
from dsl.rules.visit import walk
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.compile.asking import asked_where_possible, choice_is_possible
from interpreter.compile.frames import Frames, lacking
from interpreter.ir.fold import operation

Make = Callable[..., ir.Step]
"""Makes a decision from the parts that differ between those of one set."""
Between = Callable[[int, int], int]
"""What is checked when so many are chosen, before the next node: the entry of that."""


class Blocks(Protocol):
    """Lowers blocks and loops, as `statements.Statements` does."""

    def block(self, lines: r.Block, entry: int, after: int) -> None:
        """Fills an entry with a block."""

    def for_each(
        self, line: r.For, entry: int, after: int, fill: Callable[[r.Block, int, int], None] | None = None
    ) -> None:
        """Fills an entry with a loop, and its body by `fill`."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The nodes behind a choice: if something was chosen, and if nothing was."""

    done: int
    declined: int


def lower_set(
    lower: Frames,
    entry: int,
    ways: Ways,
    several: r.Several,
    binder: r.Binder,
    numbers: tuple[ir.Expr, ir.Expr],
    decide: Make,
    between: Between = lambda chosen, after: after,
    clauses: tuple[str, ...] = (),
) -> None:
    """Fill an entry with the decisions of a set; `decide` makes a node of what differs between them.

    `clauses` are those of the line in which the set is chosen.
    """
    least, most = numbers
    picks = [lower.keep(var) for var in several.whole.picks]
    empty = _fill(lower, picks, ways.done)
    empty[0] = ways.declined if ways.declined != ways.done else empty[0]
    wants = _Offered(lower, several, binder, least, clauses)
    for i, slot in enumerate(picks):
        onward = lower.graph.reserve() if i + 1 < len(picks) else ways.done
        following = between(i + 1, onward) if i + 1 < len(picks) else onward
        if i >= several.certain:
            entry = _unless(lower, entry, operation(">", most, ir.Const(i)), empty[i])
        passing = empty[i] if (several.free and i == 0) or several.least != several.most else None
        if several.least != several.most and not (several.free and i == 0):
            enough = operation("<=", least, ir.Const(i))
            if isinstance(enough, ir.Const):
                passing = empty[i] if enough.value else None
            else:
                must = lower.graph.reserve()
                lower.graph.fill(must, decide(**wants.parts(i), slot=slot, next=following, passing=None))
                entry = _unless(lower, entry, enough, must)
        lower.graph.fill(entry, decide(**wants.parts(i), slot=slot, next=following, passing=passing))
        entry = onward


def _fill(lower: Frames, picks: list[int], done: int) -> list[int]:
    """For each number of values that are chosen, the node that makes the others none and leads on."""
    found = [done]
    for slot in reversed(picks):
        none = ir.SetLocal(span=NOWHERE, slot=slot, value=ir.Const(NONE), next=found[0])
        found.insert(0, lower.graph.add(none))
    return found


def _unless(lower: Frames, entry: int, condition: ir.Expr, otherwise: int) -> int:
    """The entry behind a test that a condition holds."""
    if isinstance(condition, ir.Const):
        if condition.value:
            return entry
        lower.graph.alias[entry] = otherwise
        return lower.graph.reserve()
    then = lower.graph.reserve()
    branch = ir.Branch(span=NOWHERE, condition=condition, then=then, otherwise=otherwise)
    lower.graph.fill(entry, branch)
    return then


class _Offered:
    """What the decisions of one set offer: source, condition, and what a refusal says of it."""

    def __init__(
        self, lower: Frames, several: r.Several, binder: r.Binder, least: ir.Expr, clauses: tuple[str, ...]
    ) -> None:
        self.lower, self.binder, self.least = lower, binder, least
        self.slots = [lower.keep(var) for var in several.whole.picks]
        self.number = several.certain, len(self.slots)
        self.repeats = _may_repeat(lower.rules, binder.collection.item)
        self.source, self.reg, self.where = lower.candidates(binder)
        self.choosing = lower.choosing(binder, self.reg, clauses)
        self.reads = lower.secret_reads(binder)
        with lower.register() as own:
            assert own == self.reg
            self.candidates = self._candidates()

    def _candidates(self) -> ir.Source:
        """All that could be chosen: pieces as often as there are, values once."""
        source, reg, where = self.lower.candidates(self.binder)
        found = source if where is None else ir.Filtered(reg, source, where)
        item = self.binder.collection.item
        if isinstance(item, PieceType) or isinstance(
            self.binder.collection, r.OfType | r.Interval | r.HeldSet
        ):
            return found
        assert not isinstance(item, IntType) or item.hi - item.lo < 4096
        lo, size = self.lower.domain_of(SetType(item))  # type: ignore[arg-type]
        return ir.Bits(tuple(ir.Mask(found, first) for first in range(lo, lo + size, 32)), lo, size)

    def parts(self, i: int) -> dict[str, Any]:
        """The parts of the decision about the value with index `i`."""
        tests = [*self._order(i), *self._enough(i)]
        where = self.where
        for test in tests:
            where = test.condition if where is None else operation("and", where, test.condition)
        return {
            "reg": self.reg,
            "source": self.source,
            "where": where,
            **self.choosing,
            "wants": (*self.choosing["wants"], *tests),
            "of_set": (i + 1, *self.number),
        }

    def _order(self, i: int) -> list[ir.Condition]:
        """What is chosen comes after what was chosen before; of equal pieces there must be another one."""
        if i == 0:
            return []
        value, last = ir.Reg(self.reg), ir.Local(self.slots[i - 1])
        after: ir.Expr = ir.Op(">", value, last)
        if self.repeats:
            with self.lower.register(), self.lower.register() as reg:
                same = ir.Op("==", ir.Reg(reg), last)
                there = ir.Fold("count", reg, self.candidates, same, None)
            used: ir.Expr = ir.Const(1)
            for slot in self.slots[: i - 1]:
                used = ir.Op("+", used, ir.Op("==", ir.Local(slot), last))
            another = ir.Op("and", ir.Op("==", value, last), ir.Op(">", there, used))
            after = ir.Op("or", after, another)
        text = "it comes after what has been chosen before it"
        return [ir.Condition(after, text, (), ())]

    def _enough(self, i: int) -> list[ir.Condition]:
        """Behind what is chosen there is enough for the others, as far as they must be chosen."""
        left = operation("-", self.least, ir.Const(i))
        if isinstance(left, ir.Const):
            if left.value <= 1:
                return []
        else:
            left = ir.Op("max", left, ir.Const(1))
        with self.lower.register(), self.lower.register() as reg:
            behind = ir.Op(">=", ir.Reg(reg), ir.Reg(self.reg))
            number = ir.Fold("count", reg, self.candidates, behind, None)
        enough: ir.Expr = ir.Op(">=", number, left)
        if i == 0:
            enough = ir.Op("and", ir.Op(">=", ir.Size(self.candidates), self.least), enough)
        return [ir.Condition(enough, "enough is left to choose after it", (), self.reads)]


def _may_repeat(rules: r.Rules, item: Any) -> bool:
    """Whether a set can hold equal pieces."""
    if not isinstance(item, PieceType):
        return False
    component = rules.components[item.component]
    return component.die is not None or max(component.copies, default=0) > 1


# ---- parameters and statements


def parameter(
    lower: Frames,
    routine: r.Routine,
    chosen: r.Parameter,
    entry: int,
    after: int,
    checks: Callable[[int], int] = lambda after: after,
) -> None:
    """The decisions about a set that is chosen for an action.

    `checks` makes the entry of what every part of the set must meet, with the picks so far as the set.
    """
    several, binder = chosen.several, chosen.binder
    assert several is not None
    assert binder is not None

    def decide(**parts: Any) -> ir.Step:
        return ir.Decide(
            span=routine.span,
            clauses=routine.clauses,
            name=f"{routine.name}.{chosen.var.name}",
            seat=lower.covered(chosen, ir.Local(ir.ME)),
            type=binder.collection.item,
            bounds=lower.bounds(binder.collection.item),
            trial=True,
            nothing=None,
            lacking=lacking(binder, "too few", routine.name),
            **parts,
        )

    def between(number: int, following: int) -> int:
        before = dict(lower.env)
        lower.env.update(dict.fromkeys(several.whole.picks[number:], ir.Const(NONE)))
        following = checks(following)
        lower.env = before
        return following

    numbers = lower.expr(several.least), lower.expr(several.most)
    lower_set(lower, entry, Ways(after, after), several, binder, numbers, decide, between)


def statement(lower: Frames, blocks: Blocks, line: r.Choose, entry: int, after: int) -> None:
    """A choice of a set, with the block that runs for each of it, or once."""
    several, binder = line.several, line.binder
    assert several is not None
    before, mark = dict(lower.env), lower.slots
    hides = lower.hides(binder)
    seat = lower.expr(line.seat) if line.seat is not None else lower.me
    entry, numbers = _numbers(lower, line, several, entry)
    held = lower.slots

    def decide(**parts: Any) -> ir.Step:
        return ir.Decide(
            span=line.span,
            clauses=line.clauses or lower.clauses,
            name=binder.var.name,
            seat=seat,
            type=binder.collection.item,
            bounds=lower.bounds(binder.collection.item),
            trial=False,
            nothing=None,
            lacking=lacking(binder, "too few"),
            asks=hides and parts["passing"] is not None,
            secret=line.secretly,
            **parts,
        )

    if several.named and line.strength == "must" and not line.block:
        ways = Ways(after, after)
        lower_set(lower, entry, ways, several, binder, numbers, decide, clauses=line.clauses)
        return
    body, otherwise = lower.graph.reserve(), lower.graph.reserve()
    entry = lower.if_there(line, entry, otherwise)
    if hides and line.strength == "may":
        possible = choice_is_possible(lower, binder, line.seat)
        entry = asked_where_possible(lower, entry, otherwise, possible)
    ways = Ways(body, otherwise if line.otherwise or line.strength == "may" else body)
    lower_set(lower, entry, ways, several, binder, numbers, decide, clauses=line.clauses)
    last = lower.slots
    clear = lower.graph.add(ir.ClearLocals(span=NOWHERE, first=mark, last=last, next=after))
    if several.named:
        blocks.block(line.block, body, clear)
    else:
        each = r.For(line.span, (), r.Binder(binder.var, several.whole, None), (), line.block)
        blocks.for_each(each, body, clear)
    lower.slots, lower.env = mark, before
    if held > mark:
        entry, otherwise = otherwise, lower.graph.reserve()
        lower.graph.fill(entry, ir.ClearLocals(span=NOWHERE, first=mark, last=held, next=otherwise))
    blocks.block(line.otherwise, otherwise, after)


def _numbers(
    lower: Frames, line: r.Choose, several: r.Several, entry: int
) -> tuple[int, tuple[ir.Expr, ir.Expr]]:
    """The node behind those that find how many are chosen, and the numbers: read once, before the choice."""
    found: list[ir.Expr] = []
    for number in (several.least, several.most):
        if found and several.least == several.most:
            found.append(found[0])
            continue
        value = lower.expr(number)
        if not isinstance(value, ir.Const):
            slot, following = lower.slot(), lower.graph.reserve()
            lower.fill_node(entry, ir.SetLocal, line, slot=slot, value=value, next=following)
            entry, value = following, ir.Local(slot)
        found.append(value)
    return entry, (found[0], found[1])


def has_picked(source: r.Collection) -> bool:
    """Whether a collection goes over pieces that were chosen together."""
    return any(isinstance(part, r.Picked) for part in walk(source))


def move_each(lower: Frames, blocks: Blocks, line: r.MoveAll, entry: int, after: int) -> None:
    """Chosen pieces are moved one by one, since some of them may lie elsewhere by now."""
    var = r.Var("piece", line.source.item, line.span)
    each = r.For(line.span, line.clauses, r.Binder(var, line.source, None), (), ())
    after = lower.after(zones_in(line.source) | {line.to.zone}, after)

    def moved(_: r.Block, body: int, loop: int) -> None:
        lower.fill_node(
            body,
            ir.MovePiece,
            line,
            piece=lower.single(var),
            follow=None,
            place=lower.place(line.to),
            classes=lower.classes(line.to.item),
            bottom=line.end == "bottom",
            next=loop,
        )

    blocks.for_each(each, entry, after, moved)
