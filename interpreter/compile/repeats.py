"""What a block may change: `repeat until nothing changes` keeps it before each run, and compares it after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl import rules as r
from dsl.diagnostics import DiagnosticError
from dsl.domains import NONE, PieceType
from dsl.messages.statements import CannotSettle
from dsl.rules.effect_cells import effects
from dsl.rules.visit import walk
from interpreter import ir
from interpreter.compile.frames import Frames

MOST_COMPARED = 400
"""The most numbers that are compared after each round."""


def changing(lower: Frames, line: r.RepeatUntil) -> list[ir.Expr]:
    """The numbers that a block may change: words of the state, pieces of places, locals from outside."""
    names, zones = _written(lower.rules, line.block)
    found: list[ir.Expr] = []
    numbers = 0
    for name, words in (lower.layout.words | lower.layout.scratch).items():
        if name in names:
            numbers += words.size
            found += _sets(lower, words) or [
                ir.Load(ir.Address(words.base + i, ())) for i in range(words.size)
            ]
    for name in sorted(zones):
        zone = lower.rules.zones.get(name)
        if zone is not None and zone.size != 1:
            why = f"it moves pieces of `{name}`, where more than one can lie"
            raise DiagnosticError(CannotSettle(line.span, why))
        first, count = lower.layout.zone_places[name]
        classes = len(lower.layout.classes(zone.component if zone is not None else name))
        numbers += count
        found += [ir.PieceAt(ir.Const(first + i), classes) for i in range(count)]
    for var in _assigned(line.block):
        held = lower.env.get(var)
        if held is not None:
            numbers += len(held.words) if isinstance(held, ir.Bits) else 1
            found += held.words if isinstance(held, ir.Bits) else (held,)
    if numbers > MOST_COMPARED:
        why = f"it may change {numbers} numbers, more than {MOST_COMPARED}"
        raise DiagnosticError(CannotSettle(line.span, why))
    return found


def _sets(lower: Frames, words: ir.VarLayout) -> list[ir.Expr]:
    """A mark or pointer as sets of the indices with each value but the last, where those are fewer words."""
    if words.kind == "counter" or len(set(words.ranges)) != 1:
        return []
    low, high = words.ranges[0]
    values = [0] if words.kind == "mark" else [NONE, *range(low, high)]
    lo, size = (words.at_lo, words.at_size) if words.at is not None else (words.of_lo, words.of_size)
    rows = range(words.base, words.base + words.size, size)
    if 2 * len(values) * len(rows) * -(-size // 32) > words.size:
        return []
    found: list[ir.Expr] = []
    indices = ir.Values(tuple(range(lo, lo + size)))
    for base in rows:
        with lower.register() as reg:
            term = ir.Term(ir.Reg(reg), lo, lo + size - 1, 1, True)
            load = ir.Load(ir.Address(base, (term,)))
            for value in values:
                there = ir.Filtered(reg, indices, ir.Op("==", load, ir.Const(value)))
                found += [ir.Mask(there, first) for first in range(lo, lo + size, 32)]
    return found


def _assigned(block: r.Block) -> Iterator[r.Var]:
    """The locals that a block writes, each once."""
    seen: dict[r.Var, None] = {}
    for part in walk(block):
        match part:
            case r.SetVar(var=var) | r.TurnDie(var=var) | r.MovePiece(piece=r.Read(var=var)):
                seen[var] = None
            case r.Choose(binder=binder):
                seen[binder.var] = None
    yield from seen


def _written(rules: r.Rules, block: r.Block) -> tuple[set[str], set[str]]:
    """The counters, marks and pointers, and the zones, that a block may change, also by what it runs."""
    names: set[str] = set()
    components: set[str] = set()
    for part in _reachable(rules, block):
        match part:
            case r.Write(name=name):
                names.add(name)
            case r.Recall(history=name):
                names |= {*rules.histories[name].parts}
            case r.Transfer(counter=name):
                bank = rules.counters[name].bank
                names |= {name} if bank is None else {name, bank}
            case r.Offer():
                declared = (*rules.counters.values(), *rules.marks.values(), *rules.pointers.values())
                names |= {x.name for x in declared if x.var.lasts == "action"}
            case r.TurnDie(var=var):
                components |= _component(var.type)
            case r.MovePiece(piece=piece) | r.RollPiece(piece=piece):
                components |= _component(piece.type)
            case r.MoveAll() | r.MoveCount() | r.MoveAlike() | r.RollZone():
                components |= _component(part.source.item)
            case r.Shuffle(zone=zone):
                components |= _component(zone.item)
    zones = {z.name for z in rules.zones.values() if z.component in components}
    alone = {c for c in components if not any(z.component == c for z in rules.zones.values())}
    return names, zones | alone


def _component(kind: Any) -> set[str]:
    return {kind.component} if isinstance(kind, PieceType) else set()


def _reachable(rules: r.Rules, block: r.Block) -> Iterator[Any]:
    """The parts of a block, of the routines that it may run, and of all triggers."""
    seen: set[str] = set()
    waiting: list[Any] = [block, *(trigger.block for trigger in rules.triggers)]
    while waiting:
        for part in walk(waiting.pop()):
            yield part
            called: tuple[str, ...] = ()
            match part:
                case r.CallLine(routine=name) | r.DoRoutine(routine=name):
                    called = (name,)
                case r.DoCell(cell=cell):
                    called = effects(rules, cell)
            for name in called:
                if name not in seen:
                    seen.add(name)
                    waiting.append(rules.routines[name].block)
