"""The best records of a history of working memory: what a record holds, and its parts as they were."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.compile.frames import Frames


@dataclass(frozen=True, slots=True)
class RecordPart:
    """A counter, mark or pointer, and the first word of a record in which it stands."""

    words: ir.VarLayout
    first: int

    @property
    def is_set(self) -> bool:
        """Whether it is a mark with an index, of which a record has the set."""
        return self.words.size > 1

    @property
    def bits(self) -> tuple[int, ...]:
        """The words of a record that are bits of it."""
        if self.words.kind != "mark":
            return ()
        return tuple(range(self.first, self.first + -(-self.words.size // 32)))


def parts_of(lower: Frames, history: r.History) -> list[RecordPart]:
    """The parts of a record: sets first, then single words, as `ir.HistoryLayout` has them."""
    held = [lower.layout.var(name) for name in history.parts if name not in lower.layout.excluded]
    found: list[RecordPart] = []
    at = 0
    for words in (*(x for x in held if x.size > 1), *(x for x in held if x.size == 1)):
        found.append(RecordPart(words, at))
        at += -(-words.size // 32)
    return found


def reset(lower: Frames, parts: list[RecordPart], following: int) -> int:
    """The number of a node behind which parts are as at the start."""
    ranges = tuple(_start(part.words) for part in parts)
    return lower.graph.add(ir.Reset(span=lower.graph.span, ranges=ranges, next=following))


def restore(lower: Frames, line: r.Recall, parts: list[RecordPart], taken: int, following: int) -> int:
    """The first node of those that make all parts as in the record in the frame, from slot `taken` on."""
    for part in parts:
        slot = taken + part.first
        if part.is_set:
            following = _set_all(lower, line, part, slot, following)
        else:
            address = ir.Address(part.words.base, ())
            following = _write(lower, line, part.words, address, ir.Local(slot), following)
    sets = [part for part in parts if part.is_set]
    return reset(lower, sets, following) if sets else following


def _set_all(lower: Frames, line: r.Recall, part: RecordPart, taken: int, following: int) -> int:
    """A loop that sets a mark at each index whose bit is in the frame."""
    words, mark = part.words, lower.slots
    lo = words.at_lo if words.at is not None else words.of_lo
    held = ir.Bits(tuple(ir.Local(taken + i) for i in range(len(part.bits))), lo, words.size)
    snapshot, position, slot = lower.slot(words.size + 1), lower.slot(), lower.slot()
    with lower.register() as reg:
        loop, begin = lower.graph.reserve(), lower.graph.reserve()
        clear = lower.add_node(ir.ClearLocals, line, first=snapshot, last=slot + 1, next=following)
        node = ir.Snapshot(
            span=line.span,
            clauses=line.clauses or lower.clauses,
            slot=snapshot,
            capacity=words.size,
            reg=reg,
            source=held,
            where=None,
            keys=(),
            rotate=None,
            next=loop,
        )
    term = ir.Term(ir.Local(slot), lo, lo + words.size - 1, 1, True)
    body = _write(lower, line, words, ir.Address(words.base, (term,)), ir.Const(1), loop)
    lower.graph.fill_loop(begin, node, position, slot, body, clear)
    lower.slots = mark
    return begin


def _write(
    lower: Frames, line: r.Recall, words: ir.VarLayout, address: ir.Address, value: ir.Expr, following: int
) -> int:
    return lower.add_node(
        ir.SetWord,
        line,
        **{"name": words.name, "address": address, "op": "=", "value": value, "ranges": words.ranges},
        **{"edge": "free", "next": following},
    )


def _start(words: ir.VarLayout) -> tuple[ir.Address, tuple[int, ...]]:
    values = tuple(words.start_at(at) for at in range(words.base, words.base + words.size))
    return ir.Address(words.base, ()), values


def bits_of(parts: list[RecordPart]) -> Iterator[int]:
    """The words of a record that are bits of its marks."""
    for part in parts:
        yield from part.bits
