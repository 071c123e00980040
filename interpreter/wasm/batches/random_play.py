"""Random choices that a batch makes inside the module, and matches that play on by them to their end."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT, STOP
from interpreter.wasm.batches.options import first_waiting, has_numbers, index_of_decision
from interpreter.wasm.batches.rows import FRESH, RUNNING, BatchRows
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import Operand, Variable, const
from interpreter.wasm.lower import drawing
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.option_codec import Numbering
from interpreter.wasm.option_layout import OptionPart


def write_random_play(rows: BatchRows) -> None:
    """What a search and `Batch.play_on` need: other chance to come, and the rest of a match at random."""
    _write_pick(rows)
    _write_finish_at_random(rows)
    _write_rekey(rows)
    _write_play_on(rows)


def first_actions(rows: BatchRows, numbering: Numbering) -> list[int]:
    """For each 64-bit word of a decision's options the action that its lowest bit means."""
    parts = rows.builder.layouts[numbering.node].parts
    return [
        start + 64 * k for part, start in zip(parts, numbering.starts, strict=True) for k in range(part.words)
    ]


def _write_pick(rows: BatchRows) -> None:
    """pick(node): one of the actions whose options are in the buffer, each with equal chance.

    A thing to do with one of many numbers counts as one choice; which number is drawn then.
    """
    builder = rows.builder
    numbers = _parts_with_numbers(rows)
    if any(numbers):
        _write_pick_with_numbers(rows, numbers)
    b = builder.body("pick action", (I32,), (I32,))
    (node,) = b.arguments()
    fx = function_context(builder, b)
    k, total, at, end, n = b.variables(*(I32,) * 5)
    b.assign(k, index_of_decision(rows, node))
    passing = k.entry_of(builder.table(-1 if d.passing is None else d.passing for d in rows.decisions))
    b.assign(end, k.entry_of(builder.table(8 * len(first_actions(rows, d)) for d in rows.decisions)))
    with b.until(at.ge_u(end)):
        b.assign(total, total + (at + builder.mask_address).load64().popcnt().wrapped())
        b.assign(at, at + 8)
    if any(numbers):
        with b.if_(k.entry_of(builder.table(bool(parts) for parts in numbers))):
            b.ret(builder.call("pick with numbers", k, total, passing))
    drawing.pick_number(fx, total + passing.ge_s(0), n)
    with b.if_(n.ge_u(total)):
        b.ret(passing)
    b.assign(at, 0)
    b.push(_nth_action(rows, b, k, at, n))


def _nth_action(rows: BatchRows, b: Body, k: Operand, at: Variable, n: Variable) -> Operand:
    """The action of the n-th option in the buffer, counted from the word at so many bytes; both change."""
    builder = rows.builder
    firsts = [first_actions(rows, numbering) for numbering in rows.decisions]
    starts = builder.table(sum(map(len, firsts[:i])) for i in range(len(firsts)))
    tables = builder.table(action for x in firsts for action in x)
    here, word = b.local(), b.local(I64)
    with b.forever() as out:
        b.assign(word, (at + builder.mask_address).load64())
        b.br_if(out, here.tee(word.popcnt().wrapped()).gt_s(n))
        b.assign(n, n - here)
        b.assign(at, at + 8)
    with b.until(n.eqz()):
        b.assign(word, word & (word - 1))
        b.assign(n, n - 1)
    return (k.entry_of(starts) + (at >> 3)).entry_of(tables) + word.ctz().wrapped()


def _parts_with_numbers(rows: BatchRows) -> list[list[OptionPart]]:
    """For each decision the things to do with one of many numbers."""
    builder = rows.builder
    layouts = [builder.layouts[numbering.node] for numbering in rows.decisions]
    return [[part for part in one.parts if has_numbers(builder.machine, part)] for one in layouts]


def _write_pick_with_numbers(rows: BatchRows, numbers: list[list[OptionPart]]) -> None:
    """pick_with_numbers(k, total, passing): an action of the k-th decision, whose options are so many."""
    builder = rows.builder
    b = builder.body("pick with numbers", (I32,) * 3, (I32,))
    k, others, passing = b.arguments()
    fx = function_context(builder, b)
    part, first, last, things, at, n = b.variables(*(I32,) * 6)
    spans = builder.table(
        8 * word for parts in numbers for one in parts for word in (one.first, one.first + one.words)
    )
    firsts = builder.table(spans + 8 * sum(map(len, numbers[:i])) for i in range(len(numbers) + 1))
    count = builder.call("count_bits", part.load() + builder.mask_address, part.load(4) - part.load())
    b.assign(first, k.entry_of(firsts))
    b.assign(last, (k + 1).entry_of(firsts))
    b.assign(part, first)
    with b.until(part.eq(last)):
        b.assign(n, count)
        b.assign(things, things + n.ne(0))
        b.assign(others, others - n)
        b.assign(part, part + 8)
    drawing.pick_number(fx, things + others + passing.ge_s(0), n)
    with b.if_(n.ge_u(things + others)):
        b.ret(passing)
    b.assign(part, first)
    with b.if_(n.lt_u(things)):
        with b.forever() as out:
            with b.if_(at.tee(count)):
                b.br_if(out, n.eqz())
                b.assign(n, n - 1)
            b.assign(part, part + 8)
        drawing.pick_number(fx, at, n)
        b.assign(at, part.load())
        b.otherwise()
        b.assign(n, n - things)
        b.assign(at, 0)
        with b.forever() as out:
            with b.until(part.eq(last) | at.ne(part.load())):
                b.assign(at, part.load(4))
                b.assign(part, part + 8)
            b.assign(things, (at + builder.mask_address).load64().popcnt().wrapped())
            b.br_if(out, things.gt_s(n))
            b.assign(n, n - things)
            b.assign(at, at + 8)
    b.push(_nth_action(rows, b, k, at, n))


def _write_finish_at_random(rows: BatchRows) -> None:
    """random_rest(s, i, code): random choices from a stop on whose options are in the buffer; its last code.

    Nothing but the results of the match is written to its rows.
    """
    builder = rows.builder
    b = builder.body("random rest", (I32,) * 3, (I32,))
    s, i, code = b.arguments()
    node, branch = b.variables(I32, I32)
    with b.until(code.ne(STOP)):
        _next_decision(rows, b, s, node, branch)
        b.write(rows.row("nodes", i), node)
        b.write(rows.row("branches", i), branch)
        b.assign(code, builder.call("apply", s, i, builder.call("pick action", node)))
    b.push(builder.call("settle", s, i, code, FRESH))


def _next_decision(rows: BatchRows, b: Body, s: Variable, node: Variable, branch: Variable) -> None:
    """The decision that waits, and its branch. In `together` its options are not in the buffer yet."""
    builder = rows.builder
    b.assign(branch, 0)
    b.assign(node, s.load(4 * ir.PC))
    if builder.machine.branches:
        with b.if_(s.load(4 * ir.FORKED)):
            first_waiting(rows, b, branch, node)
            menu = builder.call("menu", s, branch, builder.mask_address)
            with b.if_(menu.lt_s(0)):
                b.ret(builder.call("settle", s, b.arguments()[1], FAULT, FRESH))


def _write_rekey(rows: BatchRows) -> None:
    """rekey(i, low, high): the chance to come follows from another seed; counters stay as they are."""
    b = rows.builder.body("rekey", (I32,) * 3, (I32,), export=True)
    i, low, high = b.arguments()
    b.write(rows.row("seeds", i), low)
    b.write(rows.row("seeds", i), high, 4)
    b.push(rows.builder.call("seed", rows.state(i), low, high, results=()))
    b.push(0)


def _write_play_on(rows: BatchRows) -> None:
    """play_on(i): a match that waits comes to its end by random choices of the batch; its code."""
    builder = rows.builder
    b = builder.body("play_on", (I32,), (I32,), export=True)
    (i,) = b.arguments()
    s, rng, kept = b.local(), global_("rng"), builder.map["batch"] + 8
    with b.if_(rows.row("codes", i).load().ne(RUNNING)):
        b.ret(rows.row("codes", i).load())
    b.assign(rng, const(0).load64(kept))
    b.assign(s, rows.state(i))
    b.push(builder.call("random match", s, i))
    b.write(const(0), rng, kept, "i64.store")
    _write_rest(rows)


def _write_rest(rows: BatchRows) -> None:
    """rest(s, i): random choices from the decision that waits in a row to the end of its match; its code."""
    builder = rows.builder
    b = builder.body("random match", (I32, I32), (I32,))
    s, i = b.arguments()
    menu: Operand = builder.call("menu", s, rows.row("branches", i).load(), builder.mask_address)
    with b.if_(menu.lt_s(0)):
        b.ret(builder.call("settle", s, i, FAULT, FRESH))
    b.push(builder.call("random rest", s, i, STOP))
