"""Nodes under construction, and the frames that their routines will run in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dsl import rules as r
from dsl.rules.reads import reads
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.compile.expressions import Lowering
from interpreter.compile.hidden_reads import HiddenReads
from interpreter.compile.layout import Layout
from interpreter.compile.sizes import MOST_NODES, Counted


@dataclass
class Graph:
    """Nodes under construction. An entry is reserved first and filled later."""

    nodes: list[ir.Step | None] = field(default_factory=list)
    alias: dict[int, int] = field(default_factory=dict)
    counted: Counted = field(default_factory=lambda: Counted("nodes", MOST_NODES))
    span: Span = NOWHERE
    """The line that is being lowered: where there are too many nodes."""

    def reserve(self) -> int:
        self.counted.add(1, self.span)
        self.nodes.append(None)
        return len(self.nodes) - 1

    def fill(self, entry: int, node: ir.Step) -> None:
        self.nodes[entry] = node

    def add(self, node: ir.Step) -> int:
        self.counted.add(1, self.span)
        self.nodes.append(node)
        return len(self.nodes) - 1


class Frames(Lowering):
    """Gives out slots and nodes for one routine after the other."""

    def __init__(self, rules: r.Rules, seats: int, options: dict[str, int], layout: Layout) -> None:
        super().__init__(rules, seats, options, layout)
        self.graph = Graph()
        self.hidden_reads = HiddenReads(rules)
        self._read_through: dict[str, frozenset[str]] = {}
        self.slots = ir.FRAME
        self.slots_most = ir.FRAME
        self.calls: dict[str, set[str]] = {}
        self.forks: list[str] = []
        self.current = ""
        self.home: tuple[str, ...] = ()
        self.tainted: set[r.Var] = set()
        self.chosen: set[r.Var] = set()
        """The locals that whoever acts has chosen itself."""
        """Locals that were made from something that not everybody sees."""
        self.trigger_reads: list[frozenset[str]] = []
        self.inner: list[tuple[str, r.Together, dict[r.Var, ir.Expr]]] = []

    # ---- cover

    def entered(self, what: object, entry: int, outcome: int = ir.RAN) -> int:
        """Where to go on: behind a node that notes that a run has come by, or, without cover, here."""
        point = self.points.get(id(what))
        if point is None:
            return entry
        following = self.graph.reserve()
        span = getattr(what, "span", NOWHERE)
        self.graph.fill(entry, ir.Cover(span=span, point=point, outcome=outcome, next=following))
        return following

    # ---- frames

    def slot(self, words: int = 1) -> int:
        first = self.slots
        self.slots += words
        self.slots_most = max(self.slots_most, self.slots)
        return first

    def keep(self, var: r.Var) -> int:
        """A slot for a variable; the one it has, if it has one."""
        known = self.env.get(var)
        if isinstance(known, ir.Local):
            return known.slot
        slot = self.slot()
        self.env[var] = ir.Local(slot)
        return slot

    def reads_of(self, use: r.UseValue) -> frozenset[str]:
        """What a use of a value reads; each value is gone through once."""
        if use.value not in self._read_through:
            self._read_through[use.value] = reads(self.rules, replace(use, arguments=()))
        return self._read_through[use.value] | reads(self.rules, use.arguments)

    def called(self, name: str) -> None:
        self.calls.setdefault(self.current, set()).add(name)

    def after(self, writes: frozenset[str], following: int) -> int:
        """The node after a write: the triggers that read what was written, then `following`."""
        touched = tuple(i for i, read in enumerate(self.trigger_reads) if read & writes)
        for number in reversed(touched):
            self.called(f"when {number}")
            following = self.graph.add(ir.CheckTrigger(span=NOWHERE, trigger=number, next=following))
        if touched:
            following = self.graph.add(ir.Sample(span=NOWHERE, triggers=touched, next=following))
        return following

    def fill_node(self, entry: int, kind: Callable[..., ir.Step], line: r.Line, **parts: object) -> None:
        """A node cites its line's clauses, or, where the line has none, those of its routine."""
        self.graph.fill(entry, kind(span=line.span, clauses=line.clauses or self.home, **parts))

    def add_node(self, kind: Callable[..., ir.Step], line: r.Line, **parts: object) -> int:
        return self.graph.add(kind(span=line.span, clauses=line.clauses or self.home, **parts))


def plain(span: Span) -> str:
    """A piece of rules text on one line."""
    return " ".join(span.text.split())
