"""The control-flow graph under construction, and the frames of its routines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dsl import rules as r
from dsl.diagnostics import InternalError
from dsl.rules.reads import reads
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.compile.expressions import Lowering
from interpreter.compile.hidden_reads import HiddenReads
from interpreter.compile.layout import Layout
from interpreter.compile.sizes import MOST_NODES, Counted
from interpreter.ir.visit import retargeted


@dataclass
class Graph:
    """Nodes under construction. A node is reserved first and filled later, or becomes an alias."""

    nodes: list[ir.Step | None] = field(default_factory=list)
    alias: dict[int, int] = field(default_factory=dict)
    counted: Counted = field(default_factory=lambda: Counted("nodes", MOST_NODES))
    span: Span = NOWHERE
    """The line that is being lowered; an error about too many nodes names it."""

    def reserve(self) -> int:
        """The number of a new empty node."""
        self.counted.add(1, self.span)
        self.nodes.append(None)
        return len(self.nodes) - 1

    def fill(self, entry: int, node: ir.Step) -> None:
        self.nodes[entry] = node

    def add(self, node: ir.Step) -> int:
        self.counted.add(1, self.span)
        self.nodes.append(node)
        return len(self.nodes) - 1

    def compact(self) -> tuple[tuple[ir.Step, ...], dict[int, int]]:
        """The nodes without empty entries, and the new number of each old one (jump threading)."""
        kept = {i: node for i, node in enumerate(self.nodes) if node is not None}
        new = {old: i for i, old in enumerate(kept)}
        ends = {i: self._end(i) for i in range(len(self.nodes))}
        renumbered = {i: new[end] for i, end in ends.items() if end in new}
        return tuple(retargeted(node, renumbered) for node in kept.values()), renumbered

    def _end(self, number: int) -> int:
        """The node that a chain of aliases leads to."""
        seen = set()
        while number in self.alias:
            if number in seen:
                raise InternalError("an empty loop")
            seen.add(number)
            number = self.alias[number]
        return number


class Frames(Lowering):
    """Allocates frame slots and nodes, for one routine at a time."""

    def __init__(self, rules: r.Rules, seats: int, options: dict[str, int], layout: Layout) -> None:
        super().__init__(rules, seats, options, layout)
        self.graph = Graph()
        self.hidden_reads = HiddenReads(rules)
        self._read_through: dict[str, frozenset[str]] = {}
        self.slots = ir.FRAME
        self.frame_size = ir.FRAME
        self.calls: dict[str, set[str]] = {}
        """The call graph: the routines and triggers that each routine may run."""
        self.current = ""
        self.clauses: tuple[str, ...] = ()
        """The clauses of the current routine, which its lines cite if they have none."""
        self.tainted: set[r.Var] = set()
        """The locals that were computed from something hidden."""
        self.chosen: set[r.Var] = set()
        """The locals that the acting seat has chosen itself."""
        self.trigger_reads = [reads(rules, (t.condition, t.zone)) for t in rules.triggers]
        self.forks: list[tuple[str, r.Together]] = []
        """The branches of `together` that have been met: name and statement."""

    def begin_routine(self, name: str, clauses: tuple[str, ...] = ()) -> None:
        """Start a routine with an empty frame."""
        self.current, self.clauses = name, clauses
        self.slots = self.frame_size = ir.FRAME
        self.env = {}
        self.chosen = set()
        self.calls.setdefault(name, set())

    # ---- coverage

    def entered(self, part: object, entry: int, outcome: int = ir.RAN) -> int:
        """The entry behind a node that records coverage of a part; `entry` itself without coverage."""
        point = self.points.get(id(part))
        if point is None:
            return entry
        following = self.graph.reserve()
        span = getattr(part, "span", NOWHERE)
        self.graph.fill(entry, ir.Cover(span=span, point=point, outcome=outcome, next=following))
        return following

    # ---- frames

    def slot(self, words: int = 1) -> int:
        """Allocate words of the frame; the first one."""
        first = self.slots
        self.slots += words
        self.frame_size = max(self.frame_size, self.slots)
        return first

    def keep(self, var: r.Var) -> int:
        """The slot of a variable, allocated if it has none."""
        known = self.env.get(var)
        if isinstance(known, ir.Local):
            return known.slot
        slot = self.slot()
        self.env[var] = ir.Local(slot)
        return slot

    def reads_of(self, use: r.UseValue) -> frozenset[str]:
        """The names that a use of a value reads; cached for each value."""
        if use.value not in self._read_through:
            self._read_through[use.value] = reads(self.rules, replace(use, arguments=()))
        return self._read_through[use.value] | reads(self.rules, use.arguments)

    def called(self, name: str) -> None:
        """Record a call of the current routine in the call graph."""
        self.calls.setdefault(self.current, set()).add(name)

    def after(self, writes: frozenset[str], following: int) -> int:
        """The node after a write: checks of the triggers that read what was written, then `following`."""
        touched = tuple(i for i, read in enumerate(self.trigger_reads) if read & writes)
        for number in reversed(touched):
            self.called(f"when {number}")
            following = self.graph.add(ir.CheckTrigger(span=NOWHERE, trigger=number, next=following))
        if touched:
            following = self.graph.add(ir.Sample(span=NOWHERE, triggers=touched, next=following))
        return following

    def fill_node(self, entry: int, kind: Callable[..., ir.Step], line: r.Line, **parts: object) -> None:
        """Fill an entry with a node of a line: with its span and its clauses."""
        self.graph.fill(entry, kind(span=line.span, clauses=line.clauses or self.clauses, **parts))

    def add_node(self, kind: Callable[..., ir.Step], line: r.Line, **parts: object) -> int:
        """The number of a new node of a line, with its span and its clauses."""
        return self.graph.add(kind(span=line.span, clauses=line.clauses or self.clauses, **parts))

    # ---- loops

    def count_down(self, line: r.Line, slot: int, following: int) -> int:
        """The number of a new node that takes 1 from a local."""
        one_less = ir.Op("-", ir.Local(slot), ir.Const(1))
        return self.add_node(ir.SetLocal, line, slot=slot, value=one_less, next=following)

    def fill_while_positive(self, entry: int, line: r.Line, slot: int, body: int, end: int) -> None:
        """Fill the head of a loop that runs while a local is above 0."""
        more = ir.Op(">", ir.Local(slot), ir.Const(0))
        self.graph.fill(entry, ir.Branch(span=line.span, condition=more, then=body, otherwise=end))


def one_line(span: Span) -> str:
    """The text of a span on one line."""
    return " ".join(span.text.split())
