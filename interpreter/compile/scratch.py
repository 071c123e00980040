"""Working memory is as at the start wherever a run stops: resets before the stops it may come to changed.

What may have been changed at each node is found by a fixed point over all routines, with a bit for each name.
Before a decision, a random outcome, `together` and the end of one of its branches stands a `Reset` then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dsl.source import NOWHERE
from interpreter import ir
from interpreter.ir.cfg import FLOW, done, owners, runs
from interpreter.ir.effects import effect_of, writes
from interpreter.ir.visit import targets, walk


def with_resets(mc: ir.Machine) -> ir.Machine:
    """The same machine, in which no stop is reached with working memory that is not as at the start."""
    if not mc.scratch:
        return mc
    histories = {x.name: number for number, x in enumerate(mc.histories) if x.scratch}
    changes, nodes = _Changes(mc), list(mc.nodes)
    first_choices = {_behind_tests(mc, entry) for x in mc.routines if _is_offered(x) for entry in x.entries}
    for number, changed in enumerate(changes.found):
        if changed and changes.is_stop(number) and number not in first_choices:
            # what leads to the stop comes to the reset, which has its number
            nodes.append(nodes[number])
            for name in sorted(changes.named(changed) & histories.keys()):
                erased = ir.ClearHistory(span=NOWHERE, history=histories[name], next=len(nodes) - 1)
                nodes.append(erased)
            ranges = tuple(_range(mc.scratch[name]) for name in mc.scratch if name in changes.named(changed))
            nodes[number] = ir.Reset(span=NOWHERE, ranges=ranges, next=len(nodes) - 1)
    return replace(mc, nodes=tuple(nodes))


def _range(words: ir.VarLayout) -> tuple[ir.Address, tuple[int, ...]]:
    values = tuple(words.start_at(at) for at in range(words.base, words.base + words.size))
    return ir.Address(words.base, ()), values


def _is_offered(routine: ir.RoutineCode) -> bool:
    """Whether a decision may offer a routine, with the values of its first choice."""
    return routine.kind in ("action", "effect")


def _asks_first(mc: ir.Machine, routine: int, given: int) -> bool:
    code = mc.routines[routine]
    return _is_offered(code) and isinstance(mc.nodes[_behind_tests(mc, code.entry(given))], ir.Decide)


def _behind_tests(mc: ir.Machine, number: int) -> int:
    """The first node from a node on that tests nothing."""
    while isinstance(node := mc.nodes[number], ir.Precondition | ir.Cover):
        number = node.next
    return number


class _Changes:
    """For each node what of the working memory may have been changed when it is reached, as bits."""

    def __init__(self, mc: ir.Machine) -> None:
        self.mc = mc
        names = (*mc.scratch, *(history.name for history in mc.histories if history.scratch))
        self.bits = {name: 1 << i for i, name in enumerate(names)}
        self.found = [0] * len(mc.nodes)
        self.left = [0] * len(mc.routines)
        """What may have been changed when a routine is over."""
        self.owners = owners(mc)
        before: list[int] = []
        while before != [*self.found, *self.left]:
            before = [*self.found, *self.left]
            for number, node in enumerate(mc.nodes):
                self._node(number, node)

    def named(self, changed: int) -> frozenset[str]:
        """The names of some bits."""
        return frozenset(name for name, bit in self.bits.items() if changed & bit)

    def is_stop(self, number: int) -> bool:
        """Whether working memory is given up before a node."""
        node = self.mc.nodes[number]
        match node:
            case ir.CallCell():
                return any(_asks_first(self.mc, routine, given) for routine, given in runs(self.mc, node))
            case ir.Return():
                owner = self.owners[number]
                return owner != FLOW and self.mc.routines[owner].kind == "branch"
        return effect_of(node).waits or isinstance(node, ir.Fork)

    def _node(self, number: int, node: ir.Step) -> None:
        changed = 0 if self.is_stop(number) else self.found[number]
        for name, _ in writes(self.mc, node):
            changed |= self.bits.get(name, 0)
        inside = list(runs(self.mc, node))
        for routine, given in (*inside, *self._tried(node)):
            self._reach(self.mc.routines[routine].entry(given), changed)
        left = 0
        for routine, _ in inside:
            left |= self.left[routine]
        behind = left if isinstance(node, ir.Call) else changed | left
        for target in targets(node):
            self._reach(target, behind)
        if effect_of(node).returns:
            self.left[self.owners[number]] |= changed

    def _tried(self, node: ir.Step) -> Iterator[tuple[int, int]]:
        """The routines that are tried where an expression asks whether they could be carried out."""
        for part in walk(node):
            if isinstance(part, ir.Can):
                yield from done(self.mc, part.what)

    def _reach(self, number: int, changed: int) -> None:
        self.found[number] |= changed
