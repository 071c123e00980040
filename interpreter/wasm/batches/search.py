"""Tree search inside the module: one iteration goes down a tree, plays to the end at random, and goes up.

Sources: Kocsis, Szepesvári, "Bandit Based Monte-Carlo Planning" (ECML 2006): UCT. Cowling, Powley,
Whitehouse, "Information Set Monte Carlo Tree Search" (IEEE TCIAIG 4(2), 2012): nodes are what the deciding
seat knows, each iteration looks at another world, and an action counts how often it could have been taken.
Khandelwal, Liebman, Niekum, Stone, "On the Analysis of Complex Backup Strategies in Monte Carlo Tree Search"
(ICML 2016): MaxMCTS(lambda), by which what goes up is in part the mean of the best choice. Auer,
Cesa-Bianchi, Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem" (Machine Learning 47, 2002):
UCB1-TUNED. Childs, Brodeur, Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search" (CIG 2008):
nodes of positions (UCT1). What is proven of positions is in `proofs.py`, when numbers are tried in
`widening.py`.

`tests/reference_tree.py` does the same in Python, number for number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.ir.position_words import deciding_words
from interpreter.wasm.abi import STOP, WORK_AT
from interpreter.wasm.batches.proofs import (
    Below,
    change_values,
    draws_so_far,
    has_proofs,
    is_known,
    pass_on,
    side_of,
    unproven,
    worth_taking,
    write_proofs,
)
from interpreter.wasm.batches.recall import recall
from interpreter.wasm.batches.results import write_values
from interpreter.wasm.batches.rows import FAULTED, FINISHED, FRESH, RUNNING, BatchRows
from interpreter.wasm.batches.tree import (
    ACTION,
    CEILING,
    CERTAIN,
    CHAIN,
    EDGE,
    FIRST_EDGE,
    FLOOR,
    KEY,
    KNOWN,
    LAST,
    NEXT,
    NODE,
    NODE_SEAT,
    OFFERED,
    OPEN,
    POSITION,
    STEP,
    SUM,
    TAKEN,
    VISITS,
    TreeBlock,
    block_bytes,
    fold,
    fold_words,
)
from interpreter.wasm.batches.widening import Spans, write_widening
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import F64, I32, I64
from interpreter.wasm.emit.operands import Operand, Variable, const, float_const, select, word_now
from interpreter.wasm.lower import drawing
from interpreter.wasm.lower.functions import function_context


def write_search(rows: BatchRows) -> None:
    """grow_tree(n): so many iterations over the worlds in the first rows, played in the row behind them."""
    rows.builder.map["tree"] = rows.builder.reserve(block_bytes())
    tree = TreeBlock(rows)
    write_values(rows, tree)
    write_proofs(rows, tree)
    _write_key(rows, tree)
    _write_enter(rows, tree)
    _write_edge(rows, tree)
    spans = Spans(rows)
    if spans.any:
        write_widening(rows, tree, spans)
    _write_offer(rows, spans)
    _write_select(rows, tree, spans)
    _write_descend(rows, tree)
    _write_bootstrap(rows, tree)
    _write_back_up(rows, tree)
    _write_iterations(rows, tree)


# ---- nodes


def _known(tree: TreeBlock, seat: Operand) -> Operand:
    """The address of the hash of what a seat remembers."""
    return tree.word("known") + (seat << 3)


def _write_key(rows: BatchRows, tree: TreeBlock) -> None:
    """key(i): the hash of what the deciding seat of a match knows, with the decision that it makes.

    Where nothing is hidden that is the position.
    """
    b = rows.builder.body("tree key", (I32,), (I64,))
    (i,) = b.arguments()
    h = b.local(I64)
    if recall(rows.builder.machine, rows.seen) == "position":
        fold_words(b, h, rows.state(i), deciding_words(rows.builder.machine))
        b.push(h)
        return
    b.assign(h, _known(tree, rows.row("seats", i).load()).load64())
    fold(b, h, rows.row("nodes", i).load().widened())
    assert rows.seen is not None
    fold_words(b, h, rows.seen_row("observations", i), tuple(range(rows.seen.size)))
    b.push(h)


def _write_enter(rows: BatchRows, tree: TreeBlock) -> None:
    """enter(key, seat): the node of a key; a new one if there is none yet, 0 if there is no room for it."""
    b = rows.builder.body("tree enter", (I64, I32), (I32,))
    key, seat = b.arguments()
    bucket, at, used = b.variables(I32, I32, I32)
    b.assign(bucket, tree.word("buckets") + ((key.wrapped() & tree.word("bucket_mask")) << 2))
    b.assign(at, bucket.load())
    with b.until(at.eqz()):
        b.ret_if(at, at.load64(KEY).eq(key))
        b.assign(at, at.load(CHAIN))
    b.assign(used, tree.word("used_nodes"))
    b.ret_if(0, used.ge_u(tree.word("most_nodes")))
    b.assign(at, tree.word("nodes") + used * NODE)
    tree.put(b, "used_nodes", used + 1)
    b.write(at, key, KEY, "i64.store")
    b.write(at, bucket.load(), CHAIN)
    for offset in (FIRST_EDGE, VISITS, LAST):
        b.write(at, 0, offset)
    b.write(at, seat, NODE_SEAT)
    b.write(at, 0, POSITION, "i64.store")
    unproven(b, at)
    b.write(bucket, at)
    b.push(at)


# ---- edges


def _write_edge(rows: BatchRows, tree: TreeBlock) -> None:
    """edge(link, action, open): the edge of an action that could be taken once more; a link is where it may
    stand. A new one is open or not.

    The edges of a node are in the order of their actions. 0 if there is no room for another.
    """
    b = rows.builder.body("tree edge", (I32,) * 3, (I32,))
    link, action, is_open = b.arguments()
    at, fresh = b.variables(I32, I32)
    b.assign(at, link.load())
    with b.forever() as out:
        b.br_if(out, at.eqz())
        b.br_if(out, at.load(ACTION).ge_s(action))
        b.assign(link, at + NEXT)
        b.assign(at, link.load())
    with b.if_(at.eqz() | at.load(ACTION).ne(action)):
        b.assign(fresh, tree.word("used_edges"))
        b.ret_if(0, (fresh + EDGE).gt_u(tree.word("last_edge")))
        tree.put(b, "used_edges", fresh + EDGE)
        b.write(fresh, action, ACTION)
        b.write(fresh, at, NEXT)
        for offset in (TAKEN, OFFERED, SUM, SUM + 4):
            b.write(fresh, 0, offset)
        unproven(b, fresh)
        b.write(fresh, is_open, OPEN, "i32.store8")
        b.write(link, fresh)
        b.assign(at, fresh)
    b.write(at, at.load(OFFERED) + 1, OFFERED)
    b.push(at)


def _write_offer(rows: BatchRows, spans: Spans) -> None:
    """offer(node, i): the edges of all actions that a match offers are counted; how many are open and were
    never taken.

    -1 if there is no room for them.
    """
    b = rows.builder.body("tree offer", (I32, I32), (I32,))
    node, i = b.arguments()
    link, at, fresh, span, end = b.variables(*(I32,) * 5)
    b.assign(link, node + FIRST_EDGE)
    if spans.any:
        spans.assign_ends(b, i, span, end)
    with _each_action(rows, b, i) as action:
        is_open: Operand = const(1)
        if spans.any:
            with b.until(span.eq(end) | action.lt_s(span.load(4))):
                b.assign(span, span + 8)
            is_open = span.eq(end) | action.lt_s(span.load())
        b.assign(at, rows.builder.call("tree edge", link, action, is_open))
        b.ret_if(-1, at.eqz())
        b.assign(fresh, fresh + (at.load8(OPEN) & at.load(TAKEN).eqz()))
        b.assign(link, at + NEXT)
    b.push(fresh)


@contextmanager
def _each_action(rows: BatchRows, b: Body, i: Variable) -> Iterator[Variable]:
    """A loop over the actions that a match offers, in order."""
    row, at, end, action = b.variables(*(I32,) * 4)
    word = b.local(I64)
    b.assign(row, rows.row("masks", i))
    b.assign(at, row)
    b.assign(end, row + rows.sizes["masks"])
    with b.until(at.ge_u(end)):
        b.assign(word, at.load64())
        with b.until(word.eqz()):
            b.assign(action, (word.ctz().wrapped() >> 3) + at - row)
            b.assign(word, word & (word - 1))
            yield action
        b.assign(at, at + 8)


def _write_select(rows: BatchRows, tree: TreeBlock, spans: Spans) -> None:
    """select(node, i, known): the edge that is taken, by `_upper_bound` over what a match offers; 0 if there
    is no room.

    One that is open and was never taken comes first, which of them is drawn. If what is proven of the node is
    about this position, `known`, an edge that cannot lead to more than the seat can have anyway is not taken.
    """
    builder = rows.builder
    b = builder.body("tree select", (I32, I32, I32), (I32,))
    node, i, known = b.arguments()
    fx = function_context(builder, b)
    fresh, k, at, best, bar, solved = b.variables(*(I32,) * 6)
    score, highest, width = b.variables(F64, F64, F64)
    b.assign(fresh, builder.call("tree offer", node, i))
    b.ret_if(0, fresh.lt_s(0))
    b.assign(bar, select(node.load8(FLOOR), -1, known))
    b.assign(solved, known & node.load8(FLOOR).eq(node.load8(CEILING)))
    if spans.any:
        with b.if_(solved.eqz()):
            b.assign(fresh, fresh + builder.call("tree widen", node, i, bar))
    b.assign(fresh, select(0, fresh, solved))
    drawing.pick_number(fx, fresh, k)
    b.assign(width, tree.word("greatest") - tree.word("least"))
    b.assign(width, select(float_const(1.0), width, width.compare("gt", float_const(0.0)).eqz()))
    b.assign(at, node.load(FIRST_EDGE))
    with _each_action(rows, b, i) as action:
        with b.until(at.load(ACTION).eq(action)):
            b.assign(at, at.load(NEXT))
        with b.if_(fresh):
            with b.if_(at.load8(OPEN) & at.load(TAKEN).eqz()):
                b.ret_if(at, k.eqz())
                b.assign(k, k - 1)
            b.otherwise()
            with b.if_(at.load8(OPEN) & worth_taking(at, bar, solved)):
                b.assign(score, _upper_bound(tree, b, at, width))
                with b.if_(best.eqz() | score.compare("gt", highest)):
                    b.assign(highest, score)
                    b.assign(best, at)
    b.push(best)


def _upper_bound(tree: TreeBlock, b: Body, at: Variable, width: Variable) -> Operand:
    """UCB1-TUNED of an edge: its mean, plus what it may be off by.

    Its variance is that of results which are won or lost and have this mean, plus a part for not knowing it.
    """
    one = float_const(1.0)
    with b.temporaries(F64, F64, F64) as (mean, rate, inside):
        taken = at.load(TAKEN).floating()
        b.assign(mean, at.load_float(SUM) / taken)
        b.assign(rate, (tree.word("logs") + (at.load(OFFERED) << 3)).load_float() / taken)
        b.assign(inside, (mean - tree.word("least")) / width)
        variance = float_const(4.0) * inside * (one - inside) + tree.word("variance_bonus") * rate.sqrt()
        b.assign(inside, variance.greatest(float_const(0.0)).least(one))
        return mean + width * tree.word("exploration") * (rate * inside).sqrt()


# ---- an iteration


def _write_descend(rows: BatchRows, tree: TreeBlock) -> None:
    """descend(s, i): goes down the tree and plays to the end; the code of the match. Leaves a path.

    Where it would come to a node again, it plays on at random: no iteration counts twice. The path is a list
    of nodes and edges; its length goes to `deepest` of the block.
    """
    builder = rows.builder
    b = builder.body("descend", (I32, I32), (I32,))
    s, i = b.arguments()
    node, edge, step, code, seat, known, drawn = b.variables(*(I32,) * 7)
    key = b.local(I64)
    b.assign(step, tree.word("path"))
    tree.put(b, "ended", 0)
    with b.forever() as out:
        b.assign(seat, rows.row("seats", i).load())
        b.assign(key, builder.call("tree key", i, results=(I64,)))
        b.br_if(out, (step - tree.word("path")).ge_u(tree.word("most_depth") * STEP))
        b.br_if(out, node.tee(builder.call("tree enter", key, seat)).eqz())
        with b.if_(step.eq(tree.word("path"))):
            tree.put(b, "root", node)
        b.br_if(out, node.load(LAST).eq(tree.word("iteration") + 1))
        b.write(node, tree.word("iteration") + 1, LAST)
        b.assign(known, is_known(rows, node, s))
        b.br_if(out, edge.tee(builder.call("tree select", node, i, known)).eqz())
        b.write(step, node)
        b.write(step, edge, 4)
        b.write(step, known, KNOWN)
        _remember(rows, tree, b, key, seat, edge)
        b.assign(drawn, draws_so_far(rows, s))
        b.assign(code, builder.call("apply", s, i, edge.load(ACTION)))
        b.write(step, draws_so_far(rows, s).eq(drawn), CERTAIN)
        b.assign(step, step + STEP)
        with b.if_(edge.load(TAKEN).eqz()):
            _leave(tree, b, step, code.ne(STOP))
            b.ret(builder.call("random rest", s, i, code))
        b.assign(code, builder.call("settle", s, i, code, FRESH))
        with b.if_(code.ne(RUNNING)):
            _leave(tree, b, step, 1)
            b.ret(code)
    _leave(tree, b, step, 0)
    b.push(builder.call("random match", s, i))


def _leave(tree: TreeBlock, b: Body, step: Variable, ended: Operand | int) -> None:
    """The path ends here, perhaps with an end of the rules."""
    tree.put(b, "deepest", step)
    tree.put(b, "ended", ended)


def _remember(
    rows: BatchRows, tree: TreeBlock, b: Body, key: Variable, seat: Variable, edge: Variable
) -> None:
    """The deciding seat remembers what it has chosen; where the position tells all, it need not."""
    if recall(rows.builder.machine, rows.seen) == "history":
        fold(b, key, edge.load(ACTION).widened())
        b.write(_known(tree, seat), key, 0, "i64.store")


def _write_bootstrap(rows: BatchRows, tree: TreeBlock) -> None:
    """bootstrap(node): what goes up from a node comes nearer to the mean of its best choice."""
    b = rows.builder.body("tree bootstrap", (I32,), ())
    (node,) = b.arguments()
    at, seat = b.variables(I32, I32)
    mean, best, change = b.variables(F64, F64, F64)
    b.assign(at, node.load(FIRST_EDGE))
    b.assign(seat, node.load(NODE_SEAT))
    b.assign(best, float_const(-math.inf))
    with b.until(at.eqz()):
        with b.if_(at.load(TAKEN)):
            b.assign(mean, at.load_float(SUM) / at.load(TAKEN).floating())
            b.assign(best, best.greatest(mean))
        b.assign(at, at.load(NEXT))
    value = (tree.word("values") + (seat << 3)).load_float()
    b.assign(change, tree.word("bootstrap") * (best - value))
    change_values(rows, tree, b, side_of(tree, seat), change)


def _write_back_up(rows: BatchRows, tree: TreeBlock) -> None:
    """back_up(): what the seats got is added to the edges of the path, from its end to the root.

    What is proven goes up with it.
    """
    b = rows.builder.body("back_up", (), ())
    step, node, edge, seat, got = b.variables(*(I32,) * 5)
    b.assign(step, tree.word("deepest"))
    b.assign(got, tree.word("got"))
    below = Below.at_the_end(tree, b)
    with b.until(step.le_u(tree.word("path"))):
        b.assign(step, step - STEP)
        b.assign(node, step.load())
        b.assign(edge, step.load(4))
        b.assign(seat, node.load(NODE_SEAT))
        if has_proofs(rows):
            pass_on(rows, tree, b, step, edge, seat, below, got)
            below.take(b, node, seat, step.load(KNOWN))
        b.write(node, node.load(VISITS) + 1, VISITS)
        b.write(edge, edge.load(TAKEN) + 1, TAKEN)
        value = (tree.word("values") + (seat << 3)).load_float()
        b.write(edge, edge.load_float(SUM) + value, SUM, "f64.store")
        with b.if_(tree.word("bootstrap").compare("gt", float_const(0.0))):
            b.push(rows.builder.call("tree bootstrap", node, results=()))
    root = tree.word("root")
    tree.put(b, "decided", root.ne(0) & root.load8(FLOOR).eq(root.load8(CEILING)))


def _write_iterations(rows: BatchRows, tree: TreeBlock) -> None:
    """grow_tree(n): so many iterations, each in another world and with other chance to come.

    A match that ends in a fault leaves no trace but a count. Returns how many were begun; fewer only if
    the run was stopped from outside, or when the result of the root is proven.
    """
    builder = rows.builder
    b = builder.body("grow_tree", (I32,), (I32,), export=True)
    (number,) = b.arguments()
    done, row, s, at, code = b.variables(*(I32,) * 5)
    seed = b.local(I64)
    with b.until(done.ge_u(number) | tree.word("decided")) as out:
        b.assign(at, tree.word("iteration"))
        b.assign(row, tree.word("worlds"))
        b.drop(builder.call("clone", at.rem_u(row), row))
        b.assign(seed, tree.word("seed") + at.widened())
        b.drop(builder.call("rekey", row, seed.wrapped(), (seed >> 32).wrapped()))
        _forget(rows, tree, b)
        b.assign(s, rows.state(row))
        b.assign(code, builder.call("descend", s, row))
        tree.put(b, "iteration", at + 1)
        b.assign(done, done + 1)
        with b.if_(code.eq(FINISHED)):
            b.push(builder.call("tree values", row, results=()))
            b.push(builder.call("back_up", results=()))
        with b.if_(code.eq(FAULTED)):
            tree.put(b, "faulted", tree.word("faulted") + 1)
            _stop_if_out_of_work(b, out)
    b.push(done)


def _stop_if_out_of_work(b: Body, out: Label) -> None:
    """A run that somebody has stopped has no work left at any decision."""
    b.br_if(out, word_now(WORK_AT).eqz())


def _forget(rows: BatchRows, tree: TreeBlock, b: Body) -> None:
    """At the root nobody has chosen anything, but for the decisions of a move that come before it."""
    for seat in range(rows.builder.machine.seats):
        b.write(tree.word("known"), tree.word("begun").load64(8 * seat), 8 * seat, "i64.store")
