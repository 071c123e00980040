"""The control-flow graph under construction, and the frames of its routines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from dsl import rules as r
from dsl.diagnostics import InternalError
from dsl.domains import LARGEST, NONE, IntType, SetType, Type, is_optional
from dsl.rules.reads import reads
from dsl.rules.reasons import Reason, is_widened, reasons_of_choice, widest
from dsl.rules.sides import Side
from dsl.rules.visit import walk, walk_values
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.compile.expressions import Lowering
from interpreter.compile.layout import Layout
from interpreter.compile.rule_reads import RuleReads
from interpreter.compile.sizes import MOST_NODES, Counted
from interpreter.compile.tested_reads import Reads, RoutineRun, Tested, TestedReads, Trace
from interpreter.ir.fold import operation
from interpreter.ir.visit import retargeted

SEATS = ("me", "active", "opponent")
REFUSING = (ir.Precondition, ir.SetWord, ir.Transfer, ir.Decide, ir.Offer)
"""The nodes that can refuse an action."""
PLAYERS = frozenset({"seat", "team"})
"""Types of which fewer values than are declared may have places in the position."""


@dataclass
class Graph:
    """Nodes under construction. A node is reserved first and filled later, or becomes an alias."""

    nodes: list[ir.Step | None] = field(default_factory=list)
    alias: dict[int, int] = field(default_factory=dict)
    counted: Counted = field(default_factory=lambda: Counted("nodes", MOST_NODES))
    span: Span = NOWHERE
    """The line that is being lowered; an error about too many nodes names it."""
    behind: Tested = field(default_factory=lambda: Tested(""))
    """What was read before this line, and by it unless it is a need or a choice."""
    tested: TestedReads = field(default_factory=TestedReads)

    def reserve(self) -> int:
        """The number of a new empty node."""
        self.counted.add(1, self.span)
        self.nodes.append(None)
        return len(self.nodes) - 1

    def fill(self, entry: int, node: ir.Step) -> None:
        self.nodes[entry] = node
        if isinstance(node, REFUSING):
            self.tested.nodes[entry] = self.behind

    def fill_loop(
        self, entry: int, snapshot: ir.Snapshot, position: int, slot: int, body: int, done: int
    ) -> None:
        """Fill the entry of a loop over a snapshot, and its head, to which the end of the body leads back."""
        self.fill(entry, snapshot)
        head = ir.Iterate(
            span=snapshot.span, snapshot=snapshot.slot, position=position, slot=slot, next=body, done=done
        )
        self.fill(snapshot.next, head)

    def add(self, node: ir.Step) -> int:
        self.counted.add(1, self.span)
        self.nodes.append(None)
        self.fill(len(self.nodes) - 1, node)
        return len(self.nodes) - 1

    def resolve(self) -> None:
        """Tell every node that can refuse what was read before it."""
        for number, behind in self.tested.resolved().items():
            node = self.nodes[number]
            assert node is not None
            self.nodes[number] = replace(node, behind=behind)

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

    def __init__(self, reads: RuleReads, seats: int, options: dict[str, int], layout: Layout) -> None:
        rules = reads.rules
        super().__init__(rules, seats, options, layout)
        self.graph = Graph()
        self.hidden_reads, self._secrets = reads.hidden, reads.secrets
        self.slots = ir.FRAME
        self.outer = self.tested = Tested("")
        """What the routine has read so far that not everybody may see: before the innermost block in which
        others act, and since then."""
        self.untried = False
        """Whether no trial of an action comes to the lines here, since somebody chooses before them."""
        self.frame_size = ir.FRAME
        self.calls: dict[str, set[str]] = {}
        """The call graph: the routines and triggers that each routine may run."""
        self.current = ""
        self.clauses: tuple[str, ...] = ()
        """The clauses of the current routine, which its lines cite if they have none."""
        self.tainted: set[r.Var] = set()
        """The locals that were computed from something hidden."""
        self.trigger_reads = [trigger_reads(rules, trigger) for trigger in rules.triggers]
        self.forks: list[tuple[str, r.Together, tuple[str, ...]]] = []
        """The branches of `together` that have been met: name, statement, and the clauses that it cites."""

    def begin_routine(self, name: str, clauses: tuple[str, ...] = ()) -> None:
        """Start a routine with an empty frame."""
        self.end_routine()
        self.current, self.clauses = name, clauses
        self.slots = self.frame_size = ir.FRAME
        self.env = {}
        self.outer = self.tested = self.graph.behind = Tested(name)
        self.calls.setdefault(name, set())

    def end_routine(self) -> None:
        """Note what the routine has read when it is over."""
        self.graph.tested.ends[self.current] = self.so_far

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

    def spare(self, item: Type) -> int | None:
        """A slot for the choice of a value that may be one of very many numbers."""
        many = isinstance(item, IntType) and item.hi - item.lo >= LARGEST
        return self.slot() if many else None

    def keep(self, var: r.Var) -> int:
        """The slot of a variable, allocated if it has none."""
        known = self.env.get(var)
        first = known.words[0] if isinstance(known, ir.Bits) else known
        if isinstance(first, ir.Local):
            return first.slot
        words = self.words_in(var.type)
        slot = self.slot(words)
        self.env[var] = ir.Local(slot)
        if isinstance(var.type, SetType):
            found = tuple(ir.Local(slot + i) for i in range(words))
            self.env[var] = ir.Bits(found, *self.domain_of(var.type))
        return slot

    def called(self, name: str) -> None:
        """Record a call of the current routine in the call graph."""
        self.calls.setdefault(self.current, set()).add(name)

    def runs(self, *names: str, own: bool = True) -> None:
        """Record that one of some routines runs here; `own`: for the same acting seat.

        It begins with what was tested before.
        """
        if self.untried:
            return
        before = self.so_far if own else self.so_far.by_another()
        for name in names:
            self.graph.tested.calls.append((name, before))
            self.tested = self.tested.and_run(RoutineRun(name, own))

    @property
    def so_far(self) -> Tested:
        """What the routine has read up to here that not everybody may see."""
        return self.outer.and_all(self.tested)

    def notes(self, trace: Trace) -> None:
        """Add to what the routine has read, unless the action has been tried already."""
        if not self.untried:
            self.tested = self.tested.and_trace(trace)

    def tests(self, tree: Any) -> None:
        """Record that something was read by which it is decided what runs from here on."""
        if not self.untried:
            self.notes(Trace(reads=self._secrets.told_by(tree), looks=self._secrets.looked_at(tree)))
            for name in self._secrets.tried_in(tree):
                self.tested = self.tested.and_run(RoutineRun(name, own=True, tried=True))

    def looking_at(self, tree: Any) -> Tested:
        """What was read up to here, and that a line which can refuse looks at something now."""
        return self.so_far.and_trace(Trace(looks=self._secrets.looked_at(tree)))

    def brings(self, source: Any, to: str) -> None:
        """Record that what is read comes to a zone or store."""
        brought = tuple((name, own, to) for name, own in self._secrets.told_by(source))
        flows = frozenset((name, to) for name in self._secrets.looked_at(source))
        self.notes(Trace(brought=brought, flows=flows))

    def must_choose(self, binder: r.Binder) -> None:
        """Record that an action can be carried out only if there is something to choose."""
        self.notes(Trace(presence=self._secrets.of_presence(binder)))

    def after(self, writes: frozenset[str], following: int) -> int:
        """The node after a write: checks of the triggers that read what was written, then `following`."""
        touched = tuple(i for i, read in enumerate(self.trigger_reads) if read & writes)
        for number in reversed(touched):
            self.called(f"when {number}")
            self.runs(f"when {number}", own=False)
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

    # ---- decisions

    def conditions_of(self, reasons: tuple[Reason, ...]) -> tuple[ir.Condition, ...]:
        """The parts of a condition, each with what a refusal says if it does not hold."""
        return tuple(
            ir.Condition(
                self.expr(reason.holds),
                reason.text,
                tuple((_shown(side), self.expr(side.value), side.shown.type) for side in reason.sides),
                self.secret_reads(reason.holds),
                reason.clauses,
                reason.within,
                self.conditions_of(reason.parts),
            )
            for reason in reasons
        )

    def choosing(self, binder: r.Binder, reg: int, clauses: tuple[str, ...] = ()) -> dict[str, Any]:
        """What a refusal says of the values of a choice, each of them in a register."""
        wider = None
        if is_widened(self.rules, binder.collection):
            collection = widest(binder.collection)
            source = self.collection(collection)
            types = self.rules.types
            if (
                isinstance(collection, r.OfType)
                and (name := collection.decl) in types
                and name not in PLAYERS
            ):
                source = ir.Values(types[name].members)
            wider = ir.Widened(source)
        with self.register() as own, self.bound(binder.var, ir.Reg(reg)):
            assert own >= reg
            wants = self.conditions_of(
                reasons_of_choice(self.rules, binder, self.seats, clauses, self.clauses)
            )
        reads = self.secret_reads(binder.collection)
        return {"wants": wants, "wider": wider, "reads": reads, "asked": binder.var.span}

    def hides(self, binder: r.Binder) -> bool:
        """Whether what can be chosen depends on something that not everybody sees."""
        return self.hidden_reads.observes_hidden(binder) or self.reads_tainted(
            (binder.collection, binder.where)
        )

    def if_there(self, line: r.Choose | r.Offer, entry: int, otherwise: int) -> int:
        """The entry of a decision; if its seat may be none, it is skipped where there is none."""
        if line.seat is None or not is_optional(line.seat.type):
            return entry
        asked = self.graph.reserve()
        there = operation("!=", self.raw(line.seat), ir.Const(NONE))
        self.fill_node(entry, ir.Branch, line, condition=there, then=asked, otherwise=otherwise)
        return asked

    # ---- loops

    def count_down(self, line: r.Line, slot: int, following: int) -> int:
        """The number of a new node that takes 1 from a local."""
        one_less = ir.Op("-", ir.Local(slot), ir.Const(1))
        return self.add_node(ir.SetLocal, line, slot=slot, value=one_less, next=following)

    def fill_while_positive(self, entry: int, line: r.Line, slot: int, body: int, end: int) -> None:
        """Fill the head of a loop that runs while a local is above 0."""
        more = ir.Op(">", ir.Local(slot), ir.Const(0))
        self.graph.fill(entry, ir.Branch(span=line.span, condition=more, then=body, otherwise=end))

    # ---- what is hidden

    def secret_reads(self, node: Any) -> Reads:
        """The zones and hidden variables that a condition reads, and whether only the acting seat's."""
        return self._secrets.of(node)

    def reads_tainted(self, node: Any) -> bool:
        """Whether a tree reads a local that was computed from something hidden."""
        return any(isinstance(part, r.Read | r.HeldSet) and part.var in self.tainted for part in walk(node))


def trigger_reads(rules: r.Rules, trigger: r.Trigger) -> frozenset[str]:
    """What a trigger looks at; `active` if it depends on whose turn it is, also as `me`."""
    looked_at = (trigger.condition, trigger.zone)
    acting = any(isinstance(p, r.Special) and p.what in SEATS for p in walk_values(rules.values, looked_at))
    return reads(rules, looked_at) | ({"active"} if acting else frozenset())


def lacking(binder: r.Binder, quantity: str = "nothing", needs: str = "") -> str:
    """What a choice lacks that nothing can be chosen for: its collection and its condition, as written.

    `needs` is the routine whose needs exclude values too.
    """
    source, few = one_line(binder.collection.span), quantity != "nothing"
    wants = [f"`{one_line(binder.where.span)}`"] if binder.where is not None else []
    wants += [f"what `{needs}` needs"] if needs else []
    if not wants:
        return f"there {'are' if few else 'is'} {quantity} in `{source}`"
    return f"{quantity} in `{source}` {'fit' if few else 'fits'} {' and '.join(wants)}"


def _shown(side: Side) -> str:
    """A side as the rules write it; a condition in quotes."""
    text = one_line(side.shown.span)
    return f"“{text}”" if side.asks else text


def one_line(span: Span) -> str:
    """The text of a span on one line."""
    return " ".join(span.text.split())
