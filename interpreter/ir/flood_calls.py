"""Procedures that call themselves over a board: they mark their place, and those around it in turn.

A place that is marked is no target any more. So at most two more calls nest than there are targets, and where
that is within the bound, a call is a flood.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import cast

from interpreter.ir.expressions import (
    Const,
    Expr,
    Filtered,
    Linked,
    Local,
    Op,
    Reg,
    Size,
    Spread,
)
from interpreter.ir.flood_rules import (
    FIRST,
    MOST,
    FloodRule,
    Links,
    NoFlood,
    at_place,
    fits,
    is_negation,
    is_other,
    is_settled,
    set_words,
    values_of,
)
from interpreter.ir.fold import all_conjuncts, both, conjuncts
from interpreter.ir.known_columns import NotByTables
from interpreter.ir.nodes import (
    Branch,
    Call,
    ClearLocals,
    Commit,
    Iterate,
    Return,
    SetWord,
    Snapshot,
    Step,
)
from interpreter.ir.program import Machine
from interpreter.ir.set_writes import always_fits, is_within
from interpreter.ir.state import FRAME, ME
from interpreter.ir.visit import Part, mapped, of_registers, substitute, walk


@dataclass(frozen=True)
class RecursiveFlood:
    """A procedure that writes at its place and calls itself around it: what it asks at first, and its rule.

    `asked` and the rule are in terms of its own parameters. The place is the one at `slot`.
    """

    asked: tuple[Expr, ...]
    write: SetWord
    slot: int
    rule: FloodRule
    parameters: int
    depth: int


def recursion_of(mc: Machine, routine: int, kept: Container[str]) -> RecursiveFlood | None:
    code = mc.routines[routine]
    if code.kind != "procedure" or not code.nests or not code.parameters:
        return None
    try:
        return _Procedure(mc, routine, kept).flood()
    except (NoFlood, NotByTables):
        return None


class _Procedure:
    """Reads a procedure: guards, a word that is written, and a loop that calls it again."""

    def __init__(self, mc: Machine, routine: int, kept: Container[str]) -> None:
        self.mc, self.routine, self.kept = mc, routine, kept
        self.code = mc.routines[routine]

    def flood(self) -> RecursiveFlood:
        mc, number = self.mc, self.code.entry(len(self.code.parameters))
        asked: list[Expr] = []
        while isinstance(node := mc.nodes[number], Commit | Branch):
            if isinstance(node, Branch):
                if not self._returns(node.otherwise):
                    raise NoFlood
                asked += all_conjuncts(node.condition)
                number = node.then
            else:
                number = node.next
        if not isinstance(node, SetWord) or node.op != "=" or node.edge == "refuse":
            raise NoFlood
        return self._flood_of(tuple(asked), node)

    def _returns(self, number: int) -> bool:
        while isinstance(node := self.mc.nodes[number], ClearLocals | Commit):
            number = node.next
        return isinstance(node, Return)

    def _flood_of(self, asked: tuple[Expr, ...], write: SetWord) -> RecursiveFlood:
        mc = self.mc
        moving = [
            i
            for i, t in enumerate(write.address.terms)
            if isinstance(t.index, Local) and t.index.slot >= FRAME
        ]
        if len(moving) != 1 or write.name not in self.kept or not always_fits(mc, write):
            raise NoFlood
        term = write.address.terms[moving[0]]
        assert isinstance(term.index, Local)
        slot = term.index.slot
        if not all(is_within(mc, t.index, t.lo, t.hi) for t in write.address.terms if t is not term):
            raise NoFlood
        links, again = self._calls(mc.nodes[write.next], slot)
        if not fits(links, term.lo, term.lo, term.hi - term.lo + 1):
            raise NoFlood
        place = FIRST + MOST * write.next
        rule = FloodRule(write, moving[0], place, (), (), links)
        before = [of_registers(x, {slot: place}) for x in asked]
        parts = [*(substitute(x, again[0], Reg(place)) for x in again[1]), *before]
        found = list(dict.fromkeys(at_place(part, Reg(place), place) for part in parts))
        ends = [x for x in found if is_negation(x, rule.written(mc)) or is_other(mc, rule, x)]
        settled = (is_settled(mc, x, write.name, {place: rule.every.values}) for x in found if x not in ends)
        number = len(self.code.parameters)
        slots = {x.slot for x in walk((*found, *asked)) if isinstance(x, Local)}
        if not ends or not all(settled) or not slots <= {ME, *range(FRAME, FRAME + number)}:
            raise NoFlood
        rule = replace(rule, targets=tuple(found))
        return RecursiveFlood(asked, write, slot, rule, number, self.code.nests)

    def _calls(self, node: Step, slot: int) -> tuple[Links, tuple[int, list[Expr]]]:
        """The links of the places for which it is called again, and what is asked of them in a register."""
        mc = self.mc
        if not isinstance(node, Snapshot) or node.keys or node.rotate is not None:
            raise NoFlood
        head = mc.nodes[node.next]
        if not isinstance(head, Iterate) or head.snapshot != node.slot or not self._returns(head.done):
            raise NoFlood
        source, asked = node.source, list[Expr]()
        while isinstance(source, Filtered):
            if source.where is not None:
                asked += all_conjuncts(substitute(source.where, source.reg, Reg(node.reg)))
            source = source.source
        if not isinstance(source, Linked) or source.index != Local(slot):
            raise NoFlood
        if node.where is not None:
            asked += all_conjuncts(node.where)
        number = head.next
        while isinstance(step := mc.nodes[number], Branch):
            if step.otherwise != node.next:
                raise NoFlood
            asked += all_conjuncts(of_registers(step.condition, {head.slot: node.reg}))
            number = step.then
        if not isinstance(step, Call) or step.routine != self.routine or step.next != node.next:
            raise NoFlood
        passed = [Local(FRAME + i) for i in range(len(self.code.parameters))]
        passed[slot - FRAME] = Local(head.slot)
        if list(step.arguments) != passed:
            raise NoFlood
        return source.links, (node.reg, asked)


def put_call(mc: Machine, nodes: list[Step], number: int, node: Call, flood: RecursiveFlood) -> None:
    """Puts what a procedure comes to in place of a call, where calls cannot nest too deep."""
    settled = all(isinstance(x, Local) or values_of(mc, x, {}) is not None for x in node.arguments)
    if len(node.arguments) != flood.parameters or not settled:
        return
    given = {FRAME + i: x for i, x in enumerate(node.arguments)}
    asked = [_with_slots(x, given) for x in flood.asked]
    rule = replace(flood.rule, targets=tuple(_with_slots(x, given) for x in flood.rule.targets))
    terms, place = list(flood.write.address.terms), given[flood.slot]
    terms[rule.moving] = replace(terms[rule.moving], index=place)
    write = replace(flood.write, address=replace(flood.write.address, terms=tuple(terms)))
    through = Filtered(rule.place, rule.every, reduce(both, rule.targets))
    spread = Spread(rule.links, rule.lo, Linked(rule.links, place, rule.lo), through)
    test = partial(Branch, span=node.span, clauses=node.clauses)
    steps: list[Step] = [set_words(replace(rule, write=write), spread, node.next)]
    at = len(nodes)
    steps.append(replace(write, next=at))
    if asked:
        condition = reduce(both, asked[1:], asked[0])
        steps.append(test(condition=condition, then=at + len(steps) - 1, otherwise=node.next))
    if len(rule.links) > flood.depth:
        few = Op("<", Size(through), Const(flood.depth))
        steps += [node, test(condition=few, then=at + len(steps) - 1, otherwise=at + len(steps))]
    nodes += steps[:-1]
    nodes[number] = steps[-1]


def put_loop(mc: Machine, nodes: list[Step], number: int, flood: RecursiveFlood) -> bool:
    """Puts what calls for all values of a collection come to in front of the loop of calls, if that is all.

    A flood that begins where another has been adds what it would have come to: one begins at all of them.
    """
    node = mc.node(number, Snapshot)
    head = mc.node(node.next, Iterate)
    call = mc.node(head.next, Call)
    rule, place = flood.rule, Reg(flood.rule.place)
    given: dict[int, Expr] = {FRAME + i: x for i, x in enumerate(call.arguments)}
    settled = all(isinstance(x, Local) or values_of(mc, x, {}) is not None for x in call.arguments)
    others = [x for slot, x in given.items() if slot != flood.slot]
    if given.get(flood.slot) != Local(head.slot) or Local(head.slot) in others or not settled:
        return False
    if len(call.arguments) != flood.parameters or node.source != rule.every:
        return False
    given[flood.slot] = place
    targets = [_with_slots(x, given) for x in rule.targets]
    where = [] if node.where is None else conjuncts(substitute(node.where, node.reg, place))
    begun = [at_place(x, place, rule.place) for x in (*where, *(_with_slots(x, given) for x in flood.asked))]
    if not set(targets) <= set(begun) or not all(x in targets or _asks(mc, x, flood) for x in begun):
        return False
    through = Filtered(rule.place, rule.every, reduce(both, targets[1:], targets[0]))
    start = Filtered(rule.place, rule.every, reduce(both, begun[1:], begun[0]))
    terms = [replace(t, index=_with_slots(t.index, given)) for t in flood.write.address.terms]
    write = replace(flood.write, address=replace(flood.write.address, terms=tuple(terms)))
    spread = Spread(rule.links, rule.lo, start, through)
    written = set_words(replace(rule, write=write), spread, head.done)
    if len(rule.links) <= flood.depth:
        nodes[number] = written
        return True
    few = Op("<", Size(through), Const(flood.depth))
    at = len(nodes)
    nodes += [written, node]
    nodes[number] = Branch(span=node.span, clauses=node.clauses, condition=few, then=at, otherwise=at + 1)
    return True


def _asks(mc: Machine, e: Expr, flood: RecursiveFlood) -> bool:
    """Whether something is asked of each value, whatever has been written before."""
    return is_settled(mc, e, flood.write.name, {flood.rule.place: flood.rule.every.values})


def _with_slots(e: Expr, given: Mapping[int, Expr]) -> Expr:
    """An expression that reads what is given instead of the words of a frame."""

    def change(part: Part) -> Part:
        if isinstance(part, Local) and part.slot in given:
            return given[part.slot]
        return mapped(part, change)

    return cast(Expr, change(e))
