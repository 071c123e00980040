"""Loops that only write the same pointer, mark or counter: `for x in taken` with `clear stone at x`.

Such a loop is one node, `SetWords`, where a set is kept of the places that have each value: then all that is
written is a set too, and only words that change are gone through.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from dsl.domains import NONE, is_optional
from interpreter.ir.cfg import predecessors
from interpreter.ir.effects import has_trial
from interpreter.ir.expressions import (
    Bits,
    Const,
    Either,
    Expr,
    Filtered,
    Linked,
    Load,
    Local,
    Op,
    Prefix,
    Reg,
    Source,
    Spread,
    Term,
    Times,
    Values,
)
from interpreter.ir.fold import both
from interpreter.ir.nodes import Branch, Iterate, SetWord, SetWords, Snapshot
from interpreter.ir.program import Machine
from interpreter.ir.state import ME
from interpreter.ir.visit import of_registers, reads_slot, substitute, walk

FIRST = 1 << 21
"""The first register of what such loops ask of their values."""


def loops_as_writes(mc: Machine, kept: Container[str]) -> Machine:
    """The same machine with loops that only write as one node; `kept`: the words of which sets are kept."""
    before = predecessors(mc)
    found = {
        number: written
        for number, node in enumerate(mc.nodes)
        if isinstance(node, Snapshot) and (written := _written(mc, before, number, node, kept)) is not None
    }
    return replace(mc, nodes=tuple(found.get(i, node) for i, node in enumerate(mc.nodes))) if found else mc


def _written(
    mc: Machine, before: list[list[int]], number: int, node: Snapshot, kept: Container[str]
) -> SetWords | None:
    """What a loop writes, if it does nothing else, and only the index of the word depends on its value."""
    head = mc.nodes[node.next]
    if node.keys or node.rotate is not None or not isinstance(head, Iterate) or head.snapshot != node.slot:
        return None
    first, where, reg = head.next, node.where, node.reg
    body = mc.nodes[first]
    if isinstance(body, Branch) and body.otherwise == node.next and before[body.then] == [first]:
        if not _asks_of_its_own(mc, body, head.slot):
            return None
        reg = FIRST + number
        where = None if where is None else substitute(where, node.reg, Reg(reg))
        first, where = body.then, both(where, of_registers(body.condition, {head.slot: reg}))
        body = mc.nodes[first]
    if not isinstance(body, SetWord) or body.name not in kept or body.op != "=" or body.edge == "refuse":
        return None
    if (
        body.next != node.next
        or before[head.next] != [node.next]
        or set(before[node.next]) != {number, head.next, first}
    ):
        return None
    terms = body.address.terms
    if not always_fits(mc, body):
        return None
    moving = [term for term in terms if term.index == Local(head.slot)]
    others = [term for term in terms if term.index != Local(head.slot)]
    if len(moving) != 1 or not all(is_within(mc, term.index, term.lo, term.hi) for term in others):
        return None
    if node.capacity <= moving[0].hi - moving[0].lo or not _lies_within(node.source, moving[0]):
        return None
    index = replace(moving[0], index=Reg(reg), proved=True)
    return SetWords(
        span=body.span,
        clauses=body.clauses,
        name=body.name,
        address=replace(body.address, terms=tuple(index if x is moving[0] else x for x in terms)),
        reg=reg,
        source=node.source,
        where=where,
        value=body.value,
        next=head.done,
    )


def _asks_of_its_own(mc: Machine, node: Branch, slot: int) -> bool:
    """Whether a condition in a loop over distinct values asks the same wherever in the loop it is asked.

    What the loop writes, it reads at most at its own value.
    """
    written = mc.nodes[node.then]
    if not isinstance(written, SetWord) or has_trial(node.condition):
        return False
    for part in walk(node.condition):
        if isinstance(part, Times):
            return False
        if isinstance(part, Load):
            words = mc.words_at(part.address.base)
            if words is not None and words.name == written.name:
                moving = [term for term in part.address.terms if reads_slot(term.index, slot)]
                if [term.index for term in moving] != [Local(slot)]:
                    return False
    return True


def always_fits(mc: Machine, node: SetWord) -> bool:
    """Whether what is written is always one of the values that the word can have."""
    pointer = mc.stores[node.name].kind == "pointer"
    if pointer and node.value == Const(NONE):
        return True
    return all(
        is_within(mc, node.value, lo, hi) or _is_word_within(mc, node, lo, hi) for lo, hi in node.ranges
    )


def _is_word_within(mc: Machine, node: SetWord, lo: int, hi: int) -> bool:
    """Whether what is written is another word of the state, which can only have a value of an interval."""
    if not isinstance(node.value, Load) or node.value.address.terms:
        return False
    words = mc.words_at(node.value.address.base)
    if words is None or words.name == node.name or is_optional(words.type):
        return False
    least, most = words.bounds(node.value.address.base)
    return lo <= least and most <= hi


def is_within(mc: Machine, e: Expr, lo: int, hi: int) -> bool:
    """Whether an expression is a known number, or a seat, of an interval."""
    match e:
        case Const(value=value):
            return lo <= value <= hi
        case Local(slot=slot):
            return slot == ME and lo <= 0 and mc.seats - 1 <= hi
        case Op(op="-", left=Const(value=value), right=Local(slot=slot)):
            return slot == ME and lo <= value - (mc.seats - 1) and value <= hi
    return False


def _lies_within(source: Source, term: Term) -> bool:
    """Whether each value of a collection, which has none twice, is an index."""
    match source:
        case Values(values=values):
            return _are_indices(values, term)
        case Linked(links=links):
            return all(_are_indices(row, term) for row in links)
        case Filtered(source=inner) | Prefix(source=inner):
            return _lies_within(inner, term)
        case Either(then=then, otherwise=otherwise):
            return _lies_within(then, term) and _lies_within(otherwise, term)
        case Spread(links=links, lo=lo):
            return term.lo <= lo and lo + len(links) - 1 <= term.hi
        case Bits(lo=lo, size=size):
            return term.lo <= lo and lo + size - 1 <= term.hi
    return False


def _are_indices(values: tuple[int, ...], term: Term) -> bool:
    return all(term.lo <= value <= term.hi for value in values) and len(set(values)) == len(values)
