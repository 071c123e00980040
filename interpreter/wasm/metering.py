"""Modules that count what they execute, and how much of it belongs to which place of the rules.

The functions of such a module are those of any other, with a counter at the beginning of each basic block. So
what is counted is what a module without counters executes, and not another program. The unit is the operation
(`interpreter.wasm.emit.instructions.cost`).

A function that many places call, such as the one that moves a piece, has no place of its own: what it has
cost is divided among the places that have called it, by the number of their calls.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from dsl.source import Span
from interpreter.wasm.emit import encoding as w
from interpreter.wasm.emit.encoding import I32, memory_access
from interpreter.wasm.emit.instructions import CALL, ENDS_BLOCK, Instruction, cost, instructions
from interpreter.wasm.emit.marked_body import NOWHERE_YET, CountedBlock, Here, MarkedBody, Meter
from interpreter.wasm.emit.module_builder import GLOBAL, PAGE, ModuleBuilder

ROUNDS = 200
"""The most functions that call each other in a chain and have no place of their own."""


# ---- writing


def add_counters(builder: ModuleBuilder) -> Meter:
    """Puts counters into the functions of a module that are all written; they lie behind its states."""
    found: list[tuple[int, MarkedBody, list[CountedBlock]]] = []
    for name, (number, _) in builder.functions.items():
        body = builder.bodies[name]
        assert isinstance(body, MarkedBody)
        found.append((number, body, [block for block in _blocks(body) if block.matters]))
    split = any(name == "run" or name.startswith("try ") for name in builder.bodies)
    base = (builder.end + 63) // 64 * 64
    meter = Meter([(number, block) for number, _, blocks in found for block in blocks], base, split)
    first = 0
    for _, body, blocks in found:
        _put_counters(body, blocks, meter, first)
        first += len(blocks)
    builder.end = base + meter.size + PAGE
    assert builder.marks is not None
    builder.marks.meter = meter
    return meter


def _blocks(body: MarkedBody) -> Iterator[CountedBlock]:
    """The basic blocks of a function."""
    offsets = [offset for offset, _ in body.marks]
    here = [NOWHERE_YET, *(here for _, here in body.marks)]
    entries, trials = _by_offset(body)
    block, before = CountedBlock(0), None
    for instruction in instructions(body.code):
        start = instruction.start
        place = here[bisect_right(offsets, start)]
        block.entries += entries.pop(start, ())
        block.trials += trials.pop(start, ())
        _add(block, instruction, before, place)
        before = instruction
        if instruction.code in ENDS_BLOCK:
            yield block
            block = CountedBlock(instruction.end)
    yield block


def _by_offset(
    body: MarkedBody,
) -> tuple[dict[int, list[tuple[Hashable, Here]]], dict[int, list[tuple[int, Here]]]]:
    entries: dict[int, list[tuple[Hashable, Here]]] = defaultdict(list)
    trials: dict[int, list[tuple[int, Here]]] = defaultdict(list)
    for entry in body.entries:
        entries[entry.offset].append((entry.unit, entry.here))
    for trial in body.trials:
        trials[trial.offset].append((trial.words, trial.here))
    return entries, trials


def _add(block: CountedBlock, instruction: Instruction, before: Instruction | None, here: Here) -> None:
    if price := cost(instruction, before):
        block.costs[here] += price
    if instruction.code == CALL:
        block.calls.append((instruction.operand, here))


def _put_counters(body: MarkedBody, blocks: list[CountedBlock], meter: Meter, first: int) -> None:
    local = w.unsigned(len(body.parameters) + len(body.types))
    found, at = bytearray(), 0
    for i, block in enumerate(blocks, start=first):
        found += body.code[at : block.start] + _counter(meter, i, local)
        at = block.start
    body.counted = bytes(found + body.code[at:]), [I32] if meter.split else []


def _counter(meter: Meter, number: int, local: bytes) -> bytes:
    """Adds 1 to a counter."""
    offset = meter.base + 8 * number
    more = memory_access("i64.load", offset) + b"\x42\x01\x7c" + memory_access("i64.store", offset)
    if not meter.split:
        return b"\x41\x00\x41\x00" + more
    trial = b"\x23" + w.unsigned(GLOBAL["trial"]) + b"\x41\x00\x47"
    address = trial + b"\x41" + w.signed(meter.stride) + b"\x6c"
    return address + b"\x22" + local + b"\x20" + local + more


# ---- reading


@dataclass
class Work:
    """What a place has cost.

    `copies`: how often a trial has copied the state there, `words` in all; `undone`: how often one has run on
    the state itself and undone its changes.
    """

    carried_out: float = 0.0
    tried: float = 0.0
    copies: int = 0
    words: int = 0
    undone: int = 0


@dataclass(frozen=True)
class Measured:
    """What a module has executed: by place, and how often each unit of a place was tried and carried out.

    `elsewhere` is what belongs to no place: matches are begun, seeded and counted.
    """

    work: dict[Span, Work]
    times: dict[tuple[Span, Hashable], tuple[int, int]]
    elsewhere: float


def measured(meter: Meter, counters: array[int]) -> Measured:
    """What the counters of a module say."""
    work: dict[Span, Work] = defaultdict(Work)
    times: dict[tuple[Span, Hashable], tuple[int, int]] = {}
    own: dict[int, float] = defaultdict(float)
    calls: list[CallSites] = []
    number = len(meter.blocks)
    for i, (function, block) in enumerate(meter.blocks):
        done, tried = counters[i], counters[number + i] if meter.split else 0
        for here, price in block.costs.items():
            _book(work, own, function, here, price * done, price * tried)
        calls += [CallSites(function, callee, here, done, tried) for callee, here in block.calls]
        for words, here in block.trials:
            if here.span is not None and words:
                work[here.span].copies += done + tried
                work[here.span].words += words * (done + tried)
            elif here.span is not None:
                work[here.span].undone += done + tried
        for unit, here in block.entries:
            assert here.span is not None
            carried, only = times.get((here.span, unit), (0, 0))
            more = (0, done + tried) if here.offering else (done, tried)
            times[here.span, unit] = (carried + more[0], only + more[1])
    elsewhere = _divide(work, own, calls)
    return Measured(dict(work), times, elsewhere)


def _book(
    work: dict[Span, Work], own: dict[int, float], function: int, here: Here, done: float, tried: float
) -> None:
    """Books a cost on a place, or on its function where it has none."""
    if here.span is None:
        own[function] += done + tried
        return
    at = work[here.span]
    at.carried_out += 0 if here.offering else done
    at.tried += done + tried if here.offering else tried


@dataclass(frozen=True)
class CallSites:
    """How often a function is called from a place of another, in trials and otherwise."""

    caller: int
    callee: int
    here: Here
    done: int
    tried: int


def _divide(work: dict[Span, Work], own: dict[int, float], calls: list[CallSites]) -> float:
    """Divides what functions without a place have cost among those that call them; what is left over."""
    total: dict[int, int] = defaultdict(int)
    for x in calls:
        total[x.callee] += x.done + x.tried
    waiting, left = dict(own), 0.0
    for _ in range(ROUNDS):
        waiting, before = defaultdict(float), waiting
        for x in calls:
            cost = before.get(x.callee)
            if cost and x.done + x.tried:
                one = cost / total[x.callee]
                _book(work, waiting, x.caller, x.here, one * x.done, one * x.tried)
        left += sum(cost for function, cost in before.items() if not total[function])
        if not any(waiting.values()):
            return left
    return left + sum(waiting.values())
