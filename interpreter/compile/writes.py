"""Lowering of writes to counters, marks and pointers."""

from __future__ import annotations

from dsl import rules as r
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.compile.frames import Frames


def write(lower: Frames, line: r.Write, entry: int, after: int) -> None:
    words = lower.layout.var(line.name)
    fixed: dict[str, str] = {"mark": "free", "pointer": "error"}
    edge = fixed.get(line.kind) or lower.rules.counters[line.name].at_edge
    after = lower.after(frozenset({line.name}), after)
    after = _hidden_again(lower, [(line.name, line.of, line.at)], after)
    lower.fill_node(
        entry,
        ir.SetWord,
        line,
        name=line.name,
        address=lower.address(line.name, line.of, line.at),
        op=line.op,
        value=lower.expr(line.value),
        ranges=words.ranges,
        edge=edge,
        next=after,
    )


def _hidden_again(lower: Frames, written: list[tuple[str, r.Expr | None, r.Expr | None]], after: int) -> int:
    """What was shown of some hidden values is no longer seen when they are written."""
    masks = [lower.mask(name, of, at) for name, of, at in written if name in lower.layout.told]
    if not masks:
        return after
    return lower.graph.add(ir.Reset(span=NOWHERE, ranges=tuple((m, (0,)) for m in masks), next=after))


def swap(lower: Frames, line: r.Swap, entry: int, after: int) -> None:
    """The value of one, and all indices, are held; then both are written, and triggers checked."""
    after = lower.after(frozenset({line.name, line.other}), after)
    places = [(line.name, line.of, line.at), (line.other, line.other_of, line.other_at)]
    after = _hidden_again(lower, places, after)
    first = lower.slots
    indices: list[r.Expr | None] = []
    for index in (line.of, line.at, line.other_of, line.other_at):
        if index is None or isinstance(index, r.Const | r.Special | r.Read):
            indices.append(index)
            continue
        var = r.Var("", index.type, index.span)
        value, following = lower.raw(index), lower.graph.reserve()
        lower.fill_node(entry, ir.SetLocal, line, slot=lower.keep(var), value=value, next=following)
        indices.append(r.Read(index.type, index.span, var))
        entry = following
    one = lower.address(line.name, indices[0], indices[1])
    other = lower.address(line.other, indices[2], indices[3])
    held, last = lower.slot(), lower.slots
    end = lower.add_node(ir.ClearLocals, line, first=first, last=last, next=after)
    second = _set_word(lower, line, line.other, other, ir.Local(held), end)
    begin = _set_word(lower, line, line.name, one, ir.Load(other), second)
    lower.fill_node(entry, ir.SetLocal, line, slot=held, value=ir.Load(one), next=begin)


def _set_word(lower: Frames, line: r.Swap, name: str, address: ir.Address, value: ir.Expr, after: int) -> int:
    edges: dict[str, str] = {"mark": "free", "pointer": "error"}
    return lower.add_node(
        ir.SetWord,
        line,
        name=name,
        address=address,
        op="=",
        value=value,
        ranges=lower.layout.var(name).ranges,
        edge=edges.get(line.kind) or lower.rules.counters[name].at_edge,
        next=after,
    )


def record(lower: Frames, line: r.Record, entry: int, after: int) -> None:
    after = lower.after(frozenset({line.history}), after)
    number, values = lower.history(line.history), lower.recorded(line.history, line.values)
    lower.fill_node(entry, ir.AddRecord, line, history=number, values=values, next=after)


def clear_history(lower: Frames, line: r.ClearHistory, entry: int, after: int) -> None:
    after = lower.after(frozenset({line.history}), after)
    lower.fill_node(entry, ir.ClearHistory, line, history=lower.history(line.history), next=after)


def transfer(lower: Frames, line: r.Transfer, entry: int, after: int) -> None:
    counter = lower.rules.counters[line.counter]
    bank = lower.layout.var(counter.bank) if counter.bank is not None and line.to is None else None
    to = lower.address(line.counter, line.to, line.at) if line.to is not None else None
    written = {line.counter} | ({counter.bank} if counter.bank is not None else set())
    after = lower.after(frozenset(written), after)
    places: list[tuple[str, r.Expr | None, r.Expr | None]] = [(line.counter, line.of, line.at)]
    places += [(bank.name, None, None)] if bank is not None else []
    places += [(line.counter, line.to, line.at)] if line.to is not None else []
    after = _hidden_again(lower, places, after)
    lower.fill_node(
        entry,
        ir.Transfer,
        line,
        verb=line.verb,
        name=line.counter,
        address=lower.address(line.counter, line.of, line.at),
        amount=lower.expr(line.amount),
        ranges=lower.layout.var(line.counter).ranges,
        edge=counter.at_edge,
        bank=lower.address(bank.name, None, line.at) if bank is not None else None,
        bank_name=bank.name if bank is not None else "",
        paid_anyway=counter.paid_anyway,
        bank_clamps=bank is not None and lower.rules.counters[bank.name].at_edge == "clamp",
        to=to,
        next=after,
    )
