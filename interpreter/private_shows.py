"""After which choices a seat may come to see something without the others learning that it happened."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.ir.cfg import owners, runs
from interpreter.ir.effects import place_access
from interpreter.ir.visit import targets


class PrivateShows:
    """Where a machine shows something to a seat alone, or moves pieces so that only some see or count them.

    It is found by the nodes, whatever happens in play, so what follows from it tells nobody whether it has
    happened. `zones` are those of which pieces are shown so.
    """

    def __init__(self, machine: ir.Machine) -> None:
        self.machine = machine
        moved_to = _moved_to_privately(machine)
        self._shows = frozenset(
            n
            for n, node in enumerate(machine.nodes)
            if _is_private(node) or _moves_to(machine, node, moved_to)
        )
        self.zones = frozenset(
            machine.places[node.places.first].zone
            for node in machine.nodes
            if isinstance(node, ir.Show) and not node.openly
        )

    def may_follow(self, waiting: Waiting, option: Option) -> bool:
        """Whether something may be shown so after an option of a decision, before anybody chooses again."""
        if not self._shows:
            return False
        done = waiting.what[option[0]] if waiting.what and option[0] >= 0 else None
        return waiting.node in self.behind or (done is not None and done[0] in self.routines)

    @cached_property
    def routines(self) -> frozenset[int]:
        """The routines that may show something so before somebody chooses."""
        routines = enumerate(self.machine.routines)
        return frozenset(n for n, code in routines if not self._leading.isdisjoint(code.entries))

    @cached_property
    def behind(self) -> frozenset[int]:
        """The decisions after which it may happen, whatever is chosen."""
        asks = (n for n, node in enumerate(self.machine.nodes) if _asks(node))
        return frozenset(n for n in asks if self._goes_on(n, self._above))

    @cached_property
    def _above(self) -> frozenset[int]:
        """The routines behind which it may happen, where they were called."""
        found: set[int] = set()
        calls = [(n, {r for r, _ in runs(self.machine, x)}) for n, x in enumerate(self.machine.nodes)]
        while more := {
            routine
            for number, called in calls
            if not called <= found and self._goes_on(number, found)
            for routine in called - found
        }:
            found |= more
        return frozenset(found)

    def _goes_on(self, number: int, above: Collection[int]) -> bool:
        """Whether it may happen behind a node, in its routine or in some that have called it."""
        after = set(targets(self.machine.nodes[number]))
        returns = self._owners[number] in above and not after.isdisjoint(self._returning)
        return returns or not after.isdisjoint(self._leading)

    @cached_property
    def _leading(self) -> frozenset[int]:
        """The nodes from which it may happen in the same routine or in one that it calls, before a choice."""
        found = set(self._shows)
        while True:
            found = self._before(found)
            calling = {n for n in range(len(self.machine.nodes)) if not found.isdisjoint(self._called(n))}
            if calling <= found:
                return frozenset(found)
            found |= calling

    @cached_property
    def _returning(self) -> frozenset[int]:
        """The nodes from which their routine may return without a choice."""
        ends = (ir.Return, ir.NextTrigger)
        return frozenset(self._before({n for n, x in enumerate(self.machine.nodes) if isinstance(x, ends)}))

    @cached_property
    def _owners(self) -> list[int]:
        return owners(self.machine)

    def _called(self, number: int) -> Iterator[int]:
        """The nodes at which the routines begin that a node runs by itself."""
        node = self.machine.nodes[number]
        if not _asks(node):
            yield from (self.machine.routines[r].entry(given) for r, given in runs(self.machine, node))

    def _before(self, wanted: set[int]) -> set[int]:
        """The nodes from which one of some is reached in the same frame without a choice."""
        found = set(wanted)
        todo = list(found)
        while todo:
            more = self._leads_to[todo.pop()] - found
            found |= more
            todo += more
        return found

    @cached_property
    def _leads_to(self) -> list[set[int]]:
        """For each node those that it may follow in the same frame without a choice."""
        found: list[set[int]] = [set() for _ in self.machine.nodes]
        for number, node in enumerate(self.machine.nodes):
            stops = _must_run(node) and not any(r in self._passed for r, _ in runs(self.machine, node))
            for target in () if stops else _asked(node) if _asks(node) else targets(node):
                found[target].add(number)
        return found

    @cached_property
    def _passed(self) -> frozenset[int]:
        """The routines that may return without a choice."""
        found: set[int] = set()
        routines = self.machine.routines
        while more := {
            n for n, x in enumerate(routines) if n not in found and self._passes(x.entries, found)
        }:
            found |= more
        return frozenset(found)

    def _passes(self, entries: tuple[int, ...], passed: set[int]) -> bool:
        """Whether a run from some nodes may return without a choice, if some routines do."""
        seen, todo = set(entries), list(entries)
        while todo:
            node = self.machine.nodes[todo.pop()]
            if isinstance(node, ir.Return | ir.NextTrigger):
                return True
            if not _must_run(node) or any(routine in passed for routine, _ in runs(self.machine, node)):
                more = set(_asked(node) if _asks(node) else targets(node)) - seen
                seen |= more
                todo += more
        return False


def _is_private(node: ir.Step) -> bool:
    return isinstance(node, ir.Show | ir.Tell) and not node.openly


def _moved_to_privately(machine: ir.Machine) -> frozenset[str]:
    """The zones to which a piece may come that a seat newly sees or counts, while another learns nothing."""
    everybody = sum(map(ir.viewer_bit, range(machine.seats)))
    kinds: dict[str, set[tuple[str, int, int, int]]] = {}
    for place, sight in enumerate(machine.sights):
        zone = machine.places[place].zone
        known = sight.seen | sight.counted
        may_see = everybody if place in machine.shown else sight.seen
        kinds.setdefault(machine.place_components[zone], set()).add((zone, sight.seen, known, may_see))
    return frozenset(
        to
        for found in kinds.values()
        for _, source_seen, source_known, _ in found
        for to, _, to_known, to_may_see in found
        if everybody & ~(source_known | to_known)
        and everybody & ((to_may_see & ~source_seen) | ((to_known | to_may_see) & ~source_known))
    )


def _moves_to(machine: ir.Machine, node: ir.Step, zones: Collection[str]) -> bool:
    """Whether a node may move pieces to one of some zones."""
    match node:
        case ir.Exchange(place=place, other=other):
            return any(_is_in(machine, end, zones) for end in (place, other))
        case ir.MovePiece(place=place) | ir.MoveAll(place=place) | ir.MoveSome(place=place):
            return _is_in(machine, place, zones)
        case ir.Take(place=place) | ir.Drop(place=place):
            return _is_in(machine, place, zones)
    return False


def _is_in(machine: ir.Machine, place: ir.Expr, zones: Collection[str]) -> bool:
    return any(zone in zones for zone, _ in place_access(machine, place))


def _asks(node: ir.Step) -> bool:
    return isinstance(node, ir.Decide | ir.Offer)


def _must_run(node: ir.Step) -> bool:
    return isinstance(node, ir.Call | ir.CallCell | ir.Fork)


def _asked(node: ir.Step) -> set[int]:
    """What follows a decision that need not wait: there is nothing to choose."""
    nothing = node.nothing if isinstance(node, ir.Decide) else None
    passing = node.passing if isinstance(node, ir.Decide | ir.Offer) and not node.asks else None
    return {target for target in (nothing, passing) if target is not None}
