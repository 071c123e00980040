"""The reference executor: runs a machine from stop to stop.

Its parts, each of which uses only those before it:

`context`, `stack`, `loop`   what linked code shares, the call stack, the loop over nodes
`trials`                     runs on copies of the state
`expressions`                expressions and, with `sources` and `folds`, collections as closures
`triggers`, `decisions`, `chance`, `branches`
                             triggers, options, random outcomes, `together`
`nodes`                      nodes as closures, with `variable_nodes`, `piece_nodes` and `control_nodes`
"""

from __future__ import annotations

from array import array
from weakref import finalize

from dsl.diagnostics import InternalError
from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Event
from interpreter.executor_protocol import PASS, Option, Waiting
from interpreter.ir.costs import cost_of_step
from interpreter.messages import BrokenInvariant, Fault, NotConserved, TooLong
from interpreter.reference import pieces
from interpreter.reference.branches import Branches
from interpreter.reference.chance import outcomes
from interpreter.reference.closures import DoingFn, DoingValue
from interpreter.reference.codes import CHANCE, OVER, STOP
from interpreter.reference.context import RunContext
from interpreter.reference.control_nodes import ControlNodes
from interpreter.reference.decisions import Decisions
from interpreter.reference.expressions import ExprLinker
from interpreter.reference.faults import MOST_STEPS, RUNTIME_ERRORS, as_fault
from interpreter.reference.loop import Loop
from interpreter.reference.nodes import NodeLinker
from interpreter.reference.piece_nodes import PieceNodes
from interpreter.reference.stack import CallStack
from interpreter.reference.trials import TrialRunner
from interpreter.reference.triggers import TriggerQueue
from interpreter.reference.variable_nodes import VariableNodes


class ReferenceExecutor:
    """Runs one machine; it implements `Executor`. It keeps nothing of a match: that is all in the state."""

    def __init__(self, machine: ir.Machine) -> None:
        self.machine = machine
        self.context = context = RunContext(machine)
        self.stack = stack = CallStack(machine)
        self.loop = Loop(context)
        self.trials = TrialRunner(context, self.loop, stack)
        self.linker = linker = ExprLinker(context, self.trials)
        self.triggers = TriggerQueue(context, linker, stack)
        self.decisions = Decisions(context, linker, self.trials, stack)
        self.branches = Branches(context, self.loop, self.decisions)
        self._link()
        self.scores = [(s, linker.number(s.value)) for s in machine.scores]
        self._always = [(i, linker.number(i.condition)) for i in machine.invariants if not i.is_static]

    def _link(self) -> None:
        """Link all nodes. The loop gets them last, as nodes run other nodes in trials."""
        context, linker, stack = self.context, self.linker, self.stack
        nodes = NodeLinker(
            linker,
            stack,
            VariableNodes(context, linker),
            PieceNodes(context, linker, self.triggers),
            ControlNodes(context, linker, stack),
            self.triggers,
            self.decisions,
            self.branches,
        )
        self.loop.nodes = [
            context.charged(nodes.link(i, node), cost_of_step(node))
            for i, node in enumerate(self.machine.nodes)
        ]
        self.decisions.link()
        finalize(self, _unlink, self.loop, self.decisions, linker).atexit = False

    # ---- what other modules use of the parts

    @property
    def sink(self) -> list[Event] | None:
        """The list to which events are appended, if there is one."""
        return self.context.sink

    @sink.setter
    def sink(self, sink: list[Event] | None) -> None:
        self.context.sink = sink

    @property
    def registers(self) -> list[int]:
        """The registers of linked expressions."""
        return self.context.registers

    @property
    def doings(self) -> dict[int, list[DoingFn]]:
        """The targets of each offer."""
        return self.decisions.doings

    @property
    def component_of(self) -> list[str]:
        """The component whose pieces lie on each place."""
        return self.context.component_of

    def switch(self, s: array[int], seat: int) -> None:
        """Make the branch of a seat the running one."""
        self.branches.switch(s, seat)

    def prime_triggers(self, s: array[int]) -> None:
        """Note which trigger conditions hold already, so that these do not fire. Raises `Fault`."""
        self.triggers.prime_triggers(s)

    # ---- coverage

    def covered(self) -> bytes:
        """The outcomes of each coverage point since coverage was cleared, as bits."""
        return bytes(self.context.cover)

    def clear_cover(self) -> None:
        cover = self.context.cover
        cover[:] = bytes(len(cover))

    # ---- from stop to stop

    def initial_state(self) -> array[int]:
        """The state before the first node."""
        mc = self.machine
        s = array("i", bytes(4 * mc.size))
        s[ir.ROTATION] = -1
        for word, value in mc.start_words:
            s[word] = value
        for place, class_, number in mc.start_pieces:
            pieces.put(s, mc.places[place], class_, number)
        s[ir.FP] = mc.stack
        s[mc.stack + ir.RETURN] = OVER
        s[mc.stack + ir.SELF] = NONE
        self.prime_triggers(s)
        return s

    def advance(self, s: array[int], pc: int) -> int:
        """Run from a node to the next stop."""
        return self.branches.advance(s, pc)

    def carry_out(self, s: array[int], number: int) -> None:
        """Carry out one node of another kind than a stop, and no further. Raises `Fault`."""
        self.context.begin()
        try:
            self.loop.nodes[number](s)
        except RUNTIME_ERRORS as error:
            raise as_fault(error, self.machine.nodes[number].span) from None

    def recorded_at_once(self, s: array[int], pc: int) -> frozenset[int]:
        """The histories that are recorded from a node on, before anybody is asked.

        Of random outcomes the first one is taken; a run that faults ends there.
        """
        s, found = s[:], set[int]()
        self.context.begin()
        try:
            for _ in range(MOST_STEPS):
                node = self.machine.nodes[pc]
                if isinstance(node, ir.Decide | ir.Offer | ir.Fork):
                    break
                if isinstance(node, ir.AddRecord):
                    found.add(node.history)
                pc = self.loop.nodes[pc](s)
                if pc == CHANCE:
                    chance = self.machine.node(s[ir.PC], ir.Chance)
                    s[s[ir.FP] + chance.slot] = outcomes(self.linker, s, chance)[0][0]
                    s[ir.PC], pc = 0, chance.next
                if pc < 0:
                    break
        except (Fault, *RUNTIME_ERRORS):
            pass
        return frozenset(found)

    def passes_to(self, s: array[int], entry: ir.PhaseEntry, seat: int) -> int:
        """The seat to which the turn of a phase passes in a state if another one had the last turn.

        It is -1 if the turn passes to nobody.
        """
        nodes = self.machine.nodes
        enter = next(n for n in nodes if isinstance(n, ir.EnterPhase) and n.phase == entry.phase)
        s, pc = s[:], enter.next
        s[ir.ROTATION] = s[ir.ACTIVE] = s[s[ir.FP] + ir.ME] = seat
        self.context.begin()
        try:
            for _ in range(MOST_STEPS):
                if pc < 0 or pc == entry.node:
                    break
                pc = self.loop.nodes[pc](s)
        except (Fault, *RUNTIME_ERRORS):
            return -1
        return s[ir.ACTIVE] if pc == entry.node else -1

    def waiting(self, s: array[int]) -> tuple[Waiting, ...]:
        """The decisions that wait: one, or in `together` one for each branch that has not ended."""
        if s[ir.STATUS]:
            return ()
        if not s[ir.FORKED]:
            return (self.decisions.waiting(s, s[ir.PC], 0),)
        return self.branches.decisions_waiting(s)

    def choose(self, s: array[int], waiting: Waiting, option: Option) -> int:
        """Carry out a choice and run to the next stop."""
        node = self.decisions.nodes[waiting.node]
        s[ir.DECISIONS] += 1
        if s[ir.DECISIONS] > self.machine.longest:
            raise Fault(TooLong(node.span, self.machine.longest))
        if s[ir.FORKED]:
            self.branches.resume(s, waiting.branch)
        s[ir.PC] = 0
        if option == PASS:
            assert node.passing is not None
            return self.advance(s, node.passing)
        if isinstance(node, ir.Decide):
            s[s[ir.FP] + node.slot] = option[1]
            return self.advance(s, node.next)
        return self._take_offer(s, waiting.node, node, option)

    def _take_offer(self, s: array[int], number: int, node: ir.Offer, option: Option) -> int:
        """Enter the routine that was chosen, and set its first parameter if the option has a value."""
        routine, values, actor = self._taken(s, number, option[0])
        who = self.decisions.seats[number](s, self.context.registers)
        entry = self.stack.enter(s, number, routine, values, who, actor, node.next)
        if option[1] == NONE:
            return self.advance(s, entry)
        parameter = self._first_parameter(s, entry)
        s[s[ir.FP] + parameter.slot] = option[1]
        return self.advance(s, parameter.next)

    def _taken(self, s: array[int], number: int, which: int) -> DoingValue:
        """The target that was chosen."""
        self.context.taking = True
        try:
            found = self.decisions.doings[number][which](s)
        finally:
            self.context.taking = False
        assert found is not None
        return found

    def _first_parameter(self, s: array[int], entry: int) -> ir.Decide:
        """Run a routine that was just entered to its first parameter."""
        self.context.capture = s[ir.FP]
        try:
            code = self.loop.run(s, entry)
        finally:
            self.context.capture = None
        if code != STOP:
            raise InternalError("an offered routine did not come to its first parameter")
        return self.machine.node(self.context.caught, ir.Decide)

    def outcomes(self, s: array[int]) -> list[tuple[int, int]]:
        """The outcomes of the current chance node, with their weights."""
        return outcomes(self.linker, s, self.machine.node(s[ir.PC], ir.Chance))

    def resolve_chance(self, s: array[int], outcome: int) -> int:
        """Set the outcome of the current chance node and run to the next stop."""
        node = self.machine.node(s[ir.PC], ir.Chance)
        s[s[ir.FP] + node.slot] = outcome
        s[ir.PC] = 0
        return self.advance(s, node.next)

    # ---- scores and checks

    def score(self, s: array[int], seat: int) -> list[tuple[ir.ScoreCode, int]]:
        """The score lines and tie-breaks of one seat that count now, with their values."""
        found = []
        for code, value in (self.scores[i] for i in self.machine.counts(s)):
            self.context.begin()
            self.context.registers[0] = seat
            try:
                found.append((code, value(s, self.context.registers)))
            except RUNTIME_ERRORS as error:
                raise as_fault(error, code.span) from None
        return found

    def check_promises(self, s: array[int]) -> None:
        """Raises `Fault` if an invariant does not hold or fails to evaluate. To be called at stops only."""
        for code, test in self._always:
            self.context.begin()
            try:
                holds = test(s, self.context.registers)
            except RUNTIME_ERRORS as error:
                raise as_fault(error, code.span) from None
            if not holds:
                raise Fault(BrokenInvariant(code.span, " ".join(code.span.text.split())))

    def check(self, s: array[int]) -> None:
        """Raises `Fault` if an invariant is broken or a piece is lost. To be called at stops only."""
        self.check_promises(s)
        found = dict.fromkeys(self.machine.totals, 0)
        component_of = self.context.component_of
        for component, place in zip(component_of, self.machine.places, strict=True):
            found[component] += pieces.count(s, place)
        for component, total in self.machine.totals.items():
            if found[component] != total and component in component_of:
                raise Fault(NotConserved(self.machine.nodes[0].span, component, found[component], total))


def _unlink(*parts: Loop | Decisions | ExprLinker) -> None:
    """End the cycles of an executor that nobody has any more, as linked code runs the loop that runs it: an
    executor is large, and whoever makes many should not wait for a search for garbage."""
    for part in parts:
        vars(part).clear()
