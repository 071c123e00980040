"""Marks that spread until nothing changes, and procedures that call themselves over a board, as one `Spread`.

    repeat until nothing changes, at most 50 times      linked = spread(those(x where linked at x and own(x)),
        for x in cell where own(x) and not linked at x                  those(own))
            if any(y in neighbours(x) where own(y) and linked at y)
                set linked at x

Each round of the loop is a rule with a target and a source that links relate: `own(x)` and `own(y)` here.
What only gains marks by one rule comes to the least set that is closed under the rule, in whatever order its
rounds go. Too many rounds are a fault, so the loop stays for where that might be: each round but the last
marks a target, so there is at most one more than there are targets left.

A procedure that marks its place and calls itself for those around it is the same rule. A place that is marked
is no target any more, so at most two more calls nest than there are targets.

Sources: least fixpoints of monotone rules by any fair order (Kleene; Cousot and Cousot, 1977, chaotic
iteration); semi-naive evaluation of recursive rules (Bancilhon and Ramakrishnan, 1986).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import cast

from interpreter.ir.cfg import owners, runs
from interpreter.ir.expressions import (
    Const,
    Expr,
    Filtered,
    Fold,
    Let,
    Load,
    Local,
    Mask,
    Op,
    Reg,
    Size,
    Source,
    Values,
)
from interpreter.ir.flood_calls import put_call, put_loop, recursion_of
from interpreter.ir.flood_rules import (
    FIRST,
    MOST,
    FloodRule,
    Links,
    NoFlood,
    Pairs,
    at_place,
)
from interpreter.ir.fold import all_conjuncts
from interpreter.ir.known_columns import NotByTables
from interpreter.ir.live_slots import is_read_behind
from interpreter.ir.nodes import (
    Bound,
    Branch,
    Call,
    ClearLocals,
    Iterate,
    Return,
    SetLocal,
    SetWord,
    Snapshot,
    Step,
)
from interpreter.ir.program import Machine
from interpreter.ir.set_writes import always_fits, is_within
from interpreter.ir.visit import (
    free_registers,
    mapped,
    of_registers,
    reads_slot,
    substitute,
)


def floods_as_writes(mc: Machine, kept: Container[str]) -> Machine:
    """The same machine with what only spreads as one node; `kept`: the words of which sets are kept."""
    nodes = list(mc.nodes)
    for number, node in enumerate(mc.nodes):
        if isinstance(node, SetLocal) and node.value == Const(0):
            _put_loop(mc, nodes, number, node, kept)
    floods = {i: flood for i in range(len(mc.routines)) if (flood := recursion_of(mc, i, kept)) is not None}
    if floods:
        calls = {
            number: floods[node.routine]
            for number, (node, owner) in enumerate(zip(mc.nodes, owners(mc), strict=True))
            if isinstance(node, Call) and node.routine in floods and owner != node.routine
        }
        for number, call in _loops_of_calls(mc):
            if call in calls and put_loop(mc, nodes, number, calls[call]):
                del calls[call]
        for number, flood in calls.items():
            put_call(mc, nodes, number, mc.node(number, Call), flood)
    if nodes == list(mc.nodes):
        return mc
    return _without_uncalled(replace(mc, nodes=tuple(nodes)), floods)


def _loops_of_calls(mc: Machine) -> Iterator[tuple[int, int]]:
    """The loops that only call a procedure for each value, and the calls."""
    for number, node in enumerate(mc.nodes):
        if isinstance(node, Snapshot) and not node.keys and node.rotate is None:
            head = mc.nodes[node.next]
            if isinstance(head, Iterate) and head.snapshot == node.slot:
                call = mc.nodes[head.next]
                if isinstance(call, Call) and call.next == node.next:
                    yield number, head.next


def _without_uncalled(mc: Machine, routines: Iterable[int]) -> Machine:
    """The same machine in which those of some routines that nothing else calls any more do nothing."""
    owner = owners(mc)
    called = {
        routine
        for number, node in enumerate(mc.nodes)
        for routine, _ in runs(mc, node)
        if routine != owner[number]
    }
    left = set(routines) - called
    if not left:
        return mc
    nodes = (
        Return(span=x.span, clauses=x.clauses) if i in left else x
        for i, x in zip(owner, mc.nodes, strict=True)
    )
    return replace(mc, nodes=tuple(nodes))


# ---- loops


def _put_loop(mc: Machine, nodes: list[Step], number: int, node: SetLocal, kept: Container[str]) -> None:
    """Puts the writing in front of a loop, in place of it where the bound of its rounds cannot be reached."""
    try:
        rule, most, following = _loop(mc, number, node, kept)
    except (NoFlood, NotByTables):
        return
    if len(rule.links) <= most:
        nodes[number] = rule.writing(mc, following)
        return
    few = Op("<", Size(rule.left(mc)), Const(most))
    nodes[number] = Branch(
        span=node.span, clauses=node.clauses, condition=few, then=len(nodes), otherwise=len(nodes) + 1
    )
    nodes += [rule.writing(mc, following), node]


def _loop(mc: Machine, number: int, node: SetLocal, kept: Container[str]) -> tuple[FloodRule, int, int]:
    """The rule of a loop that repeats until nothing changes, the most rounds, and what follows it."""
    bound = mc.nodes[node.next]
    if not isinstance(bound, Bound) or bound.slot != node.slot or not isinstance(bound.most, Const):
        raise NoFlood
    before: list[SetLocal] = []
    following = bound.next
    while isinstance(step := mc.nodes[following], SetLocal):
        before.append(step)
        following = step.next
    rule, behind = _Reading(mc, number, kept).round(following)
    end, compared = behind, dict[int, Expr]()
    while isinstance(step := mc.nodes[end], Branch) and len(compared) < len(before):
        match step.condition:
            case Op(op="!=", left=Local(slot=slot), right=value) if step.then == node.next:
                compared[slot] = value
                end = step.otherwise
            case _:
                break
    if compared != {x.slot: x.value for x in before} or not _sees_changes(mc, rule, compared.values()):
        raise NoFlood
    if not all(_is_forgotten(mc, end, x) for x in (node.slot, *compared)):
        raise NoFlood
    return rule, bound.most.value, end


def _is_forgotten(mc: Machine, number: int, slot: int) -> bool:
    """Whether a word of the frame is not read from a node on."""
    node = mc.nodes[number]
    if isinstance(node, ClearLocals) and node.first <= slot < node.last:
        return True
    return not reads_slot(node, slot) and not is_read_behind(mc, number, slot)


def _sees_changes(mc: Machine, rule: FloodRule, compared: object) -> bool:
    """Whether numbers change whenever a word of a variable does."""
    words = mc.stores[rule.write.name]
    low, high = words.ranges[0]
    needed = 1 if words.kind == "mark" else high - low + 1
    seen: dict[int, set[int]] = {}
    for e in compared:  # type: ignore[attr-defined]
        match e:
            case Load(address=address) if not address.terms:
                seen.setdefault(address.base, set()).update(range(needed))
            case Mask(
                source=Filtered(
                    reg=reg,
                    source=Values(values=values),
                    where=Op(op="==", left=Load(address=address), right=Const(value=value)),
                ),
                lo=first,
            ) if len(address.terms) == 1 and address.terms[0].index == Reg(reg):
                [term] = address.terms
                for x in values:
                    if first <= x < first + 32:
                        seen.setdefault(address.base + (x - term.lo) * term.stride, set()).add(value)
            case _:
                return False
    return all(len(seen.get(words.base + i, ())) >= needed for i in range(words.size))


class _Reading:
    """Reads the rule of a round: what it binds, what it asks, and what it writes in the innermost loop."""

    def __init__(self, mc: Machine, number: int, kept: Container[str]) -> None:
        self.mc, self.kept = mc, kept
        self.registers = count(FIRST + MOST * number)
        self.place = next(self.registers)
        next(self.registers)
        self.bound: dict[int, int] = {}
        self.steps: list[Expr | tuple[int, Source]] = []

    def round(self, number: int) -> tuple[FloodRule, int]:
        """The rule of a loop that begins at a node, and what follows it."""
        write, behind = self._loop(number)
        if self.mc.stores[write.name].kind == "counter" or write.name not in self.kept:
            raise NoFlood
        return self.rule(write), behind

    def _loop(self, number: int) -> tuple[SetWord, int]:
        node = self.mc.nodes[number]
        if not isinstance(node, Snapshot) or node.keys or node.rotate is not None:
            raise NoFlood
        head = self.mc.nodes[node.next]
        if not isinstance(head, Iterate) or head.snapshot != node.slot:
            raise NoFlood
        reg = self._bind(node.source)
        if node.where is not None:
            self._ask(substitute(node.where, node.reg, Reg(reg)))
        self.bound[head.slot] = reg
        write = self._body(head.next, node.next)
        behind = head.done
        while isinstance(step := self.mc.nodes[behind], ClearLocals):
            behind = step.next
        return write, behind

    def _body(self, number: int, head: int) -> SetWord:
        while isinstance(node := self.mc.nodes[number], Branch):
            if self._way_back(node.otherwise) != head:
                raise NoFlood
            self._ask(node.condition)
            number = node.then
        if isinstance(node, Snapshot):
            write, behind = self._loop(number)
        elif isinstance(node, SetWord) and node.op == "=" and node.edge != "refuse":
            write, behind = node, node.next
        else:
            raise NoFlood
        if self._way_back(behind) != head:
            raise NoFlood
        return write

    def _way_back(self, number: int) -> int:
        while isinstance(node := self.mc.nodes[number], ClearLocals):
            number = node.next
        return number

    def _bind(self, source: Source) -> int:
        """A register for a value of a collection; what filters it is asked."""
        reg = next(self.registers)
        if reg >= self.place + MOST:
            raise NoFlood
        filters: list[Expr] = []
        while isinstance(source, Filtered):
            if source.where is not None:
                filters.append(substitute(source.where, source.reg, Reg(reg)))
            source = source.source
        self.steps.append((reg, mapped(source, lambda x: of_registers(cast(Expr, x), self.bound))))
        for where in reversed(filters):
            self._ask(where)
        return reg

    def _ask(self, condition: Expr) -> None:
        for part in all_conjuncts(of_registers(condition, self.bound)):
            match part:
                case Fold(kind="any", reg=inner, source=source, where=where):
                    reg = self._bind(source)
                    if where is not None:
                        self._ask(substitute(where, inner, Reg(reg)))
                case Let(reg=inner, value=value, body=body):
                    self._ask(substitute(body, inner, value))
                case _:
                    self.steps.append(part)

    # ---- the rule

    def rule(self, write: SetWord) -> FloodRule:
        """The rule of what is written, with a target and one source.

        What follows from tables is worked out for all that is bound: it says what is linked.
        """
        mc, terms = self.mc, write.address.terms
        indices = [of_registers(term.index, self.bound) for term in terms]
        moving = [i for i, index in enumerate(indices) if free_registers(index)]
        if len(moving) != 1 or not always_fits(mc, write):
            raise NoFlood
        term, target = terms[moving[0]], indices[moving[0]]
        if not all(is_within(mc, t.index, t.lo, t.hi) for t in terms if t is not term):
            raise NoFlood
        empty: Links = ((),) * (term.hi - term.lo + 1)
        rule = FloodRule(write, moving[0], self.place, (), (), empty)
        source = self._source(rule, target)
        pairs = Pairs(mc, rule, target, source)
        for step in self.steps:
            if isinstance(step, tuple):
                pairs.bind(*step)
            else:
                pairs.ask(step)
        return pairs.rule()

    def _source(self, rule: FloodRule, target: Expr) -> Expr:
        """The place at which it is asked whether something is written already."""
        for step in self.steps:
            if isinstance(step, tuple):
                continue
            load = step.left if isinstance(step, Op) else step
            if isinstance(load, Load) and len(load.address.terms) > rule.moving:
                index = load.address.terms[rule.moving].index
                if index != target and at_place(step, index, self.place) == rule.written(self.mc):
                    return index
        raise NoFlood
