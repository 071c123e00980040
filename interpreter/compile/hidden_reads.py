"""Which rules look at what not everybody sees: then what they offer, or whom they ask, tells it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl import rules as r
from dsl.rules.visit import walk


class HiddenReads:
    """Whether conditions or choices look at pieces that not everybody sees.

    If so, what is offered there depends on a secret, and not being asked would tell it. How many pieces
    lie somewhere is no secret where all may count them. What is moved or shown is no condition.
    Each value and routine is looked at once.
    """

    def __init__(self, rules: r.Rules) -> None:
        self.rules = rules
        self._cells = tuple(dict.fromkeys(name for name, _ in rules.cells))
        self._telling = self._all()

    def observes_hidden(self, node: Any) -> bool:
        """Whether a tree does, by itself or through values and routines."""
        return any(self._looks(part) or self._telling & set(self._uses(part)) for part in _asking(node))

    def routine_observes_hidden(self, name: str) -> bool:
        return name in self._telling

    def _all(self) -> frozenset[str]:
        """The values and routines that do: those that look, then whoever uses one of these."""
        users: dict[str, list[str]] = {}
        waiting: list[str] = []
        for name, body in self._bodies():
            for part in _asking(body):
                if self._looks(part):
                    waiting.append(name)
                for used in self._uses(part):
                    users.setdefault(used, []).append(name)
        found: set[str] = set()
        while waiting:
            if (name := waiting.pop()) not in found:
                found.add(name)
                waiting += users.get(name, ())
        return frozenset(found)

    def _bodies(self) -> Iterator[tuple[str, Any]]:
        for value in self.rules.values.values():
            yield value.name, (value.cases, value.modifiers)
        for routine in self.rules.routines.values():
            yield routine.name, (routine.parameters, routine.block)

    def _looks(self, part: Any) -> bool:
        match part:
            case r.InZone(zone=name):
                zone = self.rules.zones.get(name)
                return zone is not None and zone.seen_by != "all"
            case r.Empty(collection=r.InZone(zone=name)) | r.SizeOf(collection=r.InZone(zone=name)):
                return self.rules.zones[name].counted_by != "all"
        return False

    def _uses(self, part: Any) -> tuple[str, ...]:
        match part:
            case r.UseValue(value=name) | r.DoRoutine(routine=name) | r.CallLine(routine=name):
                return (name,)
            case r.DoCell():
                return self._cells
        return ()


def _asking(node: Any) -> Iterator[Any]:
    """The parts of a tree that ask for something; a zone whose pieces are only counted is not looked into."""
    return walk(node, enter=_asks)


def _asks(part: Any) -> bool:
    match part:
        case r.MoveAll() | r.MoveCount() | r.MoveAlike() | r.Show() | r.Shuffle():
            return False
        case r.RollZone() | r.RollPiece() | r.DoCell():
            return False
        case r.Empty(collection=r.InZone()) | r.SizeOf(collection=r.InZone()):
            return False
    return True
