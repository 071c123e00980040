"""Analysis of which rules read hidden pieces and values, so that what they offer could reveal a secret."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from dsl import rules as r
from dsl.cycles import post_order
from dsl.rules.effect_cells import effects
from dsl.rules.names import REFERENCES, Reference
from dsl.rules.visit import walk


class HiddenReads:
    """Whether conditions and choices read pieces or values that some seat does not see.

    If so, what is offered depends on a secret, and not being asked would reveal it. Counting pieces is
    allowed where all seats may count them. What is only moved or shown is not read.
    """

    def __init__(self, rules: r.Rules) -> None:
        self.rules = rules
        self.words: dict[str, r.Sight] = dict(rules.hidden_words)
        """What not everybody sees of counters, marks and pointers, and working memory that may tell of it."""
        self._observers = self._find_observers()
        while more := self._telling() - self.words.keys():
            self.words |= dict.fromkeys(more, "nobody")
            self._observers = self._find_observers()

    def observes_hidden(self, node: Any) -> bool:
        """Whether a tree reads hidden pieces, directly or through values and routines."""
        return any(
            self._is_hidden(part) or not self._observers.isdisjoint(self._uses(part))
            for part in self._read(node)
        )

    def routine_observes_hidden(self, name: str) -> bool:
        return name in self._observers

    def _find_observers(self) -> set[str]:
        """The values and routines that read hidden pieces, directly or through others."""
        users: defaultdict[str, list[str]] = defaultdict(list)
        direct: list[str] = []
        for name, body in self._bodies():
            for part in self._read(body):
                if self._is_hidden(part):
                    direct.append(name)
                for used in self._uses(part):
                    users[used].append(name)
        observers: set[str] = set()
        for name in direct:
            post_order(name, users, observers)
        return observers

    def _telling(self) -> set[str]:
        """The working memory that is written where something hidden is read, or by what is called there."""
        scratch = {x.name for x in self.rules.stores if x.var.is_scratch}
        if not scratch:
            return set()
        bodies = dict(self._bodies()) | {str(i): (x.block,) for i, x in enumerate(self.rules.triggers)}
        waiting = [name for name, body in bodies.items() if self.observes_hidden(body)]
        found, seen = set[str](), set[str]()
        while waiting:
            if (name := waiting.pop()) in seen or name not in bodies:
                continue
            seen.add(name)
            for part in walk(bodies[name]):
                waiting += self._uses(part)
                names = REFERENCES[type(part)].items()
                found |= {getattr(part, field) for field, what in names if what is Reference.WRITES}
        recorded = (x.parts for x in self.rules.histories.values() if x.name in found)
        return found.union(*recorded) & scratch

    def _bodies(self) -> Iterator[tuple[str, Any]]:
        for value in self.rules.values.values():
            yield value.name, value.parts
        for routine in self.rules.routines.values():
            yield routine.name, (routine.parameters, routine.block)

    def _is_hidden(self, part: Any) -> bool:
        """Whether a node reads, or counts, the pieces of a zone that some seat does not see, or count."""
        match part:
            case r.InZone(zone=name):
                zone = self.rules.zones.get(name)
                return zone is not None and zone.seen_by != "all"
            case r.MoveCount(up_to=False, source=r.InZone(zone=name)):
                return self.rules.zones[name].counted_by != "all"
            case r.RollZone(up_to=False, number=number, source=r.InZone(zone=name)) if number is not None:
                return self.rules.zones[name].counted_by != "all"
            case r.MoveAlike(up_to=False, source=r.Filtered(binder=r.Binder(collection=r.InZone(zone=name)))):
                return self.rules.zones[name].seen_by != "all"
            case r.Empty(collection=r.InZone(zone=name)) | r.SizeOf(collection=r.InZone(zone=name)):
                return self.rules.zones[name].counted_by != "all"
            case r.ReadStateVar(name=name):
                return name in self.words
            case r.Transfer(verb=verb, counter=name):
                return name in self.words and (verb == "pay" or self._is_bounded(name))
            case r.Write(kind="counter", name=name):
                return name in self.words and self._is_bounded(name)
        return False

    def _is_bounded(self, counter: str) -> bool:
        """Whether an action is refused that would take a counter out of its range."""
        return self.rules.counters[counter].at_edge == "refuse"

    def _uses(self, part: Any) -> tuple[str, ...]:
        """The values and routines that a node uses."""
        match part:
            case r.UseValue(value=name) | r.DoRoutine(routine=name) | r.CallLine(routine=name):
                return (name,)
            case r.DoCell(cell=cell):
                return effects(self.rules, cell)
        return ()

    def _read(self, node: Any) -> Iterator[Any]:
        """The nodes of a tree that are evaluated for their value; not the zone of a top that all see."""
        for part in walk(node, enter=lambda part: _reads_parts(part) and not self.rules.is_open_top(part)):
            yield part
            if self.rules.is_open_top(part):
                yield from self._read((part.zone.of, part.zone.at))


def _reads_parts(part: Any) -> bool:
    """Whether a node reads what is below it; pieces that are moved, or only counted, are not read."""
    match part:
        case r.MoveAll() | r.MoveCount() | r.MoveAlike() | r.Show() | r.ShowValue() | r.Shuffle():
            return False
        case r.SwapPieces():
            return False
        case r.RollZone() | r.RollPiece() | r.DoCell():
            return False
        case r.Empty(collection=r.InZone()) | r.SizeOf(collection=r.InZone()):
            return False
    return True
