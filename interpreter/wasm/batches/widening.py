"""Numbers that a search tries a few at first, and more of as it comes to a node more often.

Sources: Chaslot, Winands, van den Herik, Uiterwijk, Bouzy, "Progressive Strategies for Monte-Carlo Tree
Search" (NMNC 4(3), 2008): progressive unpruning. Couëtoux, Hoock, Sokolovska, Teytaud, Bonnard, "Continuous
Upper Confidence Trees" (LION 5, 2011): progressive widening, by a power of the visits.

An action that chooses one of many numbers is closed until it is opened, and a closed one is not taken. Each
time that a search comes to a node it may open one of the numbers of each thing to do: the least, the
greatest, then the middle of the longest stretch of closed ones: while fewer are open than the settings say
(`open_numbers`), and as long as the cube of how many are open is at most the visits.
"""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.batches.options import has_numbers, index_of_decision
from interpreter.wasm.batches.rows import BatchRows
from interpreter.wasm.batches.tree import ACTION, CEILING, FIRST_EDGE, NEXT, OPEN, VISITS, TreeBlock
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.option_codec import Numbering
from interpreter.wasm.option_layout import OptionLayout


def number_spans(mc: ir.Machine, layout: OptionLayout, numbering: Numbering) -> list[tuple[int, int]]:
    """The actions of a decision that choose one of many numbers: for each thing to do, the first and the one
    behind the last."""
    spans = zip(layout.parts, numbering.starts, numbering.values, strict=True)
    return [(start, start + values) for part, start, values in spans if has_numbers(mc, part)]


class Spans:
    """The spans of the numbers of all decisions, as tables of the module."""

    def __init__(self, rows: BatchRows) -> None:
        builder = rows.builder
        self.rows = rows
        spans = [number_spans(builder.machine, builder.layouts[one.node], one) for one in rows.decisions]
        self.any = any(spans)
        firsts = [sum(map(len, spans[:i])) for i in range(len(spans) + 1)]
        self._table = builder.table(x for each in spans for span in each for x in span) if self.any else 0
        self._firsts = builder.table(self._table + 8 * first for first in firsts) if self.any else 0

    def assign_ends(self, b: Body, i: Operand, at: Variable, end: Variable) -> None:
        """Where the spans of the decision of a match begin, and where they end."""
        with b.temporaries(I32) as (k,):
            b.assign(k, index_of_decision(self.rows, self.rows.row("nodes", i).load()))
            b.assign(at, k.entry_of(self._firsts))
            b.assign(end, (k + 1).entry_of(self._firsts))


def write_widening(rows: BatchRows, tree: TreeBlock, spans: Spans) -> None:
    """widen(node, i, bar): opens numbers of what a match offers at a node; how many.

    Only those count as open that may lead to more than the bar (`proofs.worth_taking`).
    """
    _write_widen_span(rows, tree)
    b = rows.builder.body("tree widen", (I32, I32, I32), (I32,))
    node, i, bar = b.arguments()
    at, end, opened = b.variables(I32, I32, I32)
    spans.assign_ends(b, i, at, end)
    with b.until(at.eq(end)):
        b.assign(opened, opened + rows.builder.call("tree widen span", node, i, bar, at))
        b.assign(at, at + 8)
    b.push(opened)


def _write_widen_span(rows: BatchRows, tree: TreeBlock) -> None:
    """widen_span(node, i, bar, span): opens a number of one thing to do, if it is time; how many, 0 or 1."""
    b = rows.builder.body("tree widen span", (I32,) * 4, (I32,))
    node, i, bar, span = b.arguments()
    at, rank, opened, run, longest, last, first, number = b.variables(*(I32,) * 8)
    mask = rows.row("masks", i)

    def each() -> Operand:
        """Whether the edge at hand is one of the numbers that are offered."""
        action = at.load(ACTION)
        return action.ge_s(span.load()) & (mask + action).load8()

    b.assign(at, node.load(FIRST_EDGE))
    with b.until(at.eqz() | at.load(ACTION).ge_s(span.load(4))):
        with b.if_(each()):
            with b.if_(at.load8(OPEN)):
                b.assign(opened, opened + at.load8(CEILING).gt_s(bar))
                b.assign(run, 0)
                b.otherwise()
                b.assign(run, run + 1)
                b.assign(first, first | rank.eqz())
                with b.if_(run.gt_s(longest)):
                    b.assign(longest, run)
                    b.assign(last, rank)
            b.assign(rank, rank + 1)
        b.assign(at, at.load(NEXT))
    b.ret_if(0, longest.eqz())
    enough = opened.ge_s(tree.word("open_numbers"))
    b.ret_if(0, enough & (opened * opened * opened).gt_s(node.load(VISITS)))
    b.assign(number, last - (longest >> 1))
    b.assign(number, select(rank - 1, number, run))
    b.assign(number, select(const(0), number, first))
    b.assign(at, node.load(FIRST_EDGE))
    with b.forever():
        with b.if_(each()):
            with b.if_(number.eqz()):
                b.write(at, 1, OPEN, "i32.store8")
                b.ret(1)
            b.assign(number, number - 1)
        b.assign(at, at.load(NEXT))
    b.unreachable()
