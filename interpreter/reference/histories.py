"""Histories: records of the present position, appended and compared word by word."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.packing import best_selection
from interpreter.messages import Fault, HistoryFull
from interpreter.reference.closures import IntFn, NodeFn
from interpreter.reference.context import RunContext

RecordFn = Callable[["array[int]", list[int]], list[int]]
"""The record of the present position."""


def times(context: RunContext, history: ir.HistoryLayout, values: list[IntFn]) -> IntFn:
    """The closure that counts the records which are equal to the present position."""
    base, first, size, present = history.base, history.first, history.words, _recorder(history, values)
    cost = history.most >> 4

    def run(s: array[int], e: list[int]) -> int:
        context.spend(cost)
        wanted = array("i", present(s, e))
        records = range(first, first + s[base] * size, size) if size else range(s[base])
        return sum(1 for at in records if s[at : at + size] == wanted)

    return run


def link(context: RunContext, node: ir.HistoryNode, number: Callable[[ir.Expr], IntFn]) -> NodeFn:
    """The closure of a node that writes a history."""
    history = context.machine.histories[node.history]
    match node:
        case ir.AddRecord(values=values):
            return _record(context, node, history, _recorder(history, [number(x) for x in values]))
        case ir.ClearHistory():
            return _clear(node, history)
        case ir.SelectRecords():
            return _select(context, node, history)
    assert_never(node)


def _record(context: RunContext, node: ir.AddRecord, history: ir.HistoryLayout, present: RecordFn) -> NodeFn:
    base, first, size, following = history.base, history.first, history.words, node.next
    e = context.registers

    def run(s: array[int]) -> int:
        found, held = present(s, e), s[base]
        if held >= history.most:
            raise Fault(HistoryFull(node.span, history.name, history.most))
        at = first + held * size
        s[at : at + size] = array("i", found)
        s[base + 1 + held] = ir.record_hash(found)
        s[base] = held + 1
        return following

    return run


def _clear(node: ir.ClearHistory, history: ir.HistoryLayout) -> NodeFn:
    base, first, size, following = history.base, history.first, history.words, node.next

    def run(s: array[int]) -> int:
        held = s[base]
        s[base : base + 1 + held] = array("i", bytes(4 * (1 + held)))
        s[first : first + held * size] = array("i", bytes(4 * held * size))
        return following

    return run


def _select(context: RunContext, node: ir.SelectRecords, history: ir.HistoryLayout) -> NodeFn:
    base, first, size, following = history.base, history.first, history.words, node.next

    def run(s: array[int]) -> int:
        records = []
        for at in range(first, first + s[base] * size, size):
            bits = sum((s[at + word] & 0xFFFFFFFF) << 32 * i for i, word in enumerate(node.bits))
            records.append((s[at + node.worth], bits))
        found = best_selection(records, context.spend)
        s[base + 1 : base + 1 + len(found)] = array("i", reversed(found))
        s[s[ir.FP] + node.slot] = len(found)
        return following

    return run


def take(history: ir.HistoryLayout, node: ir.TakeRecord) -> NodeFn:
    """The closure of a node that brings a selected record into the frame."""
    base, first, size, following = history.base, history.first, history.words, node.next

    def run(s: array[int]) -> int:
        fp = s[ir.FP]
        at = first + s[base + 1 + s[fp + node.number]] * size
        s[fp + node.slot : fp + node.slot + size] = s[at : at + size]
        return following

    return run


def _recorder(history: ir.HistoryLayout, values: list[IntFn]) -> RecordFn:
    """The function that packs the words of a history's runs, and works out its values."""
    runs = history.runs

    def record(s: array[int], e: list[int]) -> list[int]:
        found = [word for run in runs for word in packed(run, s)]
        return found + [value(s, e) for value in values]

    return record


def packed(run: ir.Run, s: array[int]) -> list[int]:
    """The words of a run in a record."""
    if run.sets:
        return [word for value in run.sets for word in _set(run, s, value)]
    bits, none, most = run.bits, 1 << run.digits, run.address + run.count
    found = []
    for first in range(run.address, most, run.per_word):
        word = 0
        for i, value in enumerate(s[first : min(first + run.per_word, most)]):
            word |= (none if run.optional and value == NONE else value - run.lo) << i * bits
        found.append(_signed(word))
    return found


def _set(run: ir.Run, s: array[int], value: int) -> list[int]:
    """Which words of a run have a value, as bits."""
    words = s[run.address : run.address + run.count]
    bits = sum(1 << i for i, found in enumerate(words) if found == value)
    return [_signed(bits >> first & 0xFFFFFFFF) for first in range(0, run.count, 32)]


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word
