"""Numbers to words: how places, values and choices are written, and how written choices are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, NoneType, PieceType, Type
from interpreter import ir

What = tuple[tuple[int, tuple[int, ...]] | None, ...]


@dataclass(frozen=True, slots=True)
class Axes:
    """Which parts of a place's address the words of a choice must say."""

    zone: bool
    of: bool
    at: bool


class Formatter:
    """The words of one machine. If it is not `labelled`, everything is called as the rules call it."""

    def __init__(self, rules: r.Rules, machine: ir.Machine, labelled: bool = True) -> None:
        self.rules = rules
        self.machine = machine
        self.labelled = labelled
        self._parameters = {i: self._first_parameter(i) for i in range(len(machine.routines))}

    def seat(self, number: int) -> str:
        return self.rules.types["seat"].names[number]

    def label(self, word: str) -> str:
        """What people read for a word of the rules."""
        if not self.labelled:
            return word
        return self.rules.labels.get(word, word.replace("_", " "))

    # ---- values

    def value(self, kind: Type, value: int) -> str:
        """A value in the words of the rules; a piece by its class."""
        if value == NONE:
            return "none"
        match kind:
            case IntType():
                return str(value)
            case FlagType():
                return "true" if value else "false"
            case EnumType(name):
                decl = self.rules.types[name]
                return decl.label(value) if decl.lo <= value <= decl.hi else str(value)
            case PieceType(component):
                classes = self.machine.component_classes[component]
                return self.rules.components[component].classes[value % classes]
            case EffectType():
                routine, _ = self.machine.cells[value]
                return self.machine.routines[routine].name
            case NoneType():
                return "none"
        assert_never(kind)

    def class_name(self, component: str, class_: int) -> str:
        return self.rules.components[component].classes[class_]

    def index(self, declared: str | None, value: int | None) -> str:
        if declared is None or value is None:
            return ""
        if declared in self.rules.types:
            return self.rules.types[declared].label(value)
        return self.rules.components[declared].classes[value]

    def place(self, number: int) -> str:
        """`slot of A at 3`"""
        place = self.machine.places[number]
        zone = self.rules.zones.get(place.zone)
        return self.address(place.zone, zone.var if zone is not None else None, place.of, place.at)

    def address(self, name: str, var: r.StateVar | None, of: int | None, at: int | None) -> str:
        parts = [name]
        if var is not None and var.of is not None and of is not None:
            parts.append(f"of {self.index(var.of, of)}")
        if var is not None and var.at is not None and at is not None:
            parts.append(f"at {self.index(var.at, at)}")
        return " ".join(parts)

    def word(self, words: ir.VarLayout, offset: int) -> str:
        """The address of one word of a counter, mark or pointer."""
        of, at = words.indices(words.base + offset)
        parts = [words.name]
        if words.of is not None and of is not None:
            parts.append(f"of {self.index(words.of, of)}")
        if words.at is not None and at is not None:
            parts.append(f"at {self.index(words.at, at)}")
        return " ".join(parts)

    # ---- choices

    def choice(self, node: ir.Decide | ir.Offer, option: tuple[int, int], what: What = ()) -> tuple[str, ...]:
        """The words of an option: what is done, then the value.

        `what` gives the routine and arguments of each thing that may be done. Arguments are said where
        the same routine is offered twice.
        """
        if option[0] < 0:
            return ("pass",)
        if isinstance(node, ir.Decide):
            return self.candidate(node, option[1])
        doing = what[option[0]]
        assert doing is not None
        routine, given = doing
        said = self._given(routine, given) if self.says_given(routine, what) else ()
        words = (self.machine.routines[routine].name, *said)
        parameter = self.parameter(doing)
        if option[1] == NONE or parameter is None:
            return words
        return (*words, *self.candidate(parameter, option[1]))

    def says_given(self, routine: int, what: What) -> bool:
        """Whether the arguments of what is offered are said: only so it is known which of two is meant."""
        return sum(w is not None and w[0] == routine for w in what) > 1

    def named(
        self, node: ir.Decide | ir.Offer, option: tuple[int, int], what: What = ()
    ) -> Iterator[tuple[Type, int]]:
        """Everything that the words of an option name, with its type."""
        kind = self.value_type(node, option, what)
        if kind is not None:
            yield kind, option[1]
        doing = what[option[0]] if isinstance(node, ir.Offer) and option[0] >= 0 else None
        if doing is not None and self.says_given(doing[0], what):
            for parameter, value in zip(self._parameters[doing[0]], doing[1], strict=False):
                if parameter is not None:
                    yield parameter.type, value

    def _given(self, routine: int, given: tuple[int, ...]) -> list[str]:
        found = []
        for parameter, value in zip(self._parameters[routine], given, strict=False):
            found.append(str(value) if parameter is None else self.value(parameter.type, value))
        return found

    def candidate(self, node: ir.Decide, value: int) -> tuple[str, ...]:
        if not isinstance(node.type, PieceType) or value == NONE:
            return (self.value(node.type, value),)
        component = self.rules.components[node.type.component]
        classes = self.machine.component_classes[node.type.component]
        place = self.machine.places[value // classes]
        axes = self.axes(node.source)
        zone = self.rules.zones.get(place.zone)
        words = [self.value(node.type, value)] if len(component.classes) > 1 else []
        if axes.zone:
            words.append(place.zone)
        if axes.of and zone is not None:
            words.append(self.index(zone.var.of, place.of))
        if axes.at and zone is not None:
            words.append(self.index(zone.var.at, place.at))
        return tuple(w for w in words if w) or (component.name,)

    def value_type(self, node: ir.Decide | ir.Offer, option: tuple[int, int], what: What) -> Type | None:
        """The type of an option's value, if it has one."""
        if option[0] < 0 or option[1] == NONE:
            return None
        if isinstance(node, ir.Decide):
            return node.type
        found = self.parameter(what[option[0]])
        return found.type if found is not None else None

    def parameter(self, doing: tuple[int, tuple[int, ...]] | None) -> ir.Decide | None:
        """The first thing that somebody who does this has to choose."""
        if doing is None:
            return None
        routine, given = doing
        return self._parameters[routine][min(len(given), len(self._parameters[routine]) - 1)]

    def axes(self, source: ir.Source) -> Axes:
        match source:
            case ir.Pieces(of=of, at=at):
                return Axes(False, of.one is None and of.size > 1, at.one is None and at.size > 1)
            case ir.Joined(parts=parts):
                return self._shared_axes(parts)
            case ir.Filtered(source=inner) | ir.Classed(source=inner) | ir.Prefix(source=inner):
                return self.axes(inner)
            case ir.Either(then=then, otherwise=otherwise):
                return self._shared_axes((then, otherwise))
        return Axes(False, False, False)

    def _shared_axes(self, parts: tuple[ir.Source, ...]) -> Axes:
        """Pieces of several addresses: everything that can tell them apart is said."""
        sizes = [(p.of.size, p.at.size) for p in parts if isinstance(p, ir.Pieces)]
        found = [self.axes(p) for p in parts]
        of = any(a.of for a in found) or any(size > 1 for size, _ in sizes)
        return Axes(True, of, any(a.at for a in found) or any(size > 1 for _, size in sizes))

    def _first_parameter(self, routine: int) -> tuple[ir.Decide | None, ...]:
        code = self.machine.routines[routine]
        found = []
        for entry in code.entries:
            node = self.machine.nodes[entry]
            while isinstance(node, ir.Precondition):
                node = self.machine.nodes[node.next]
            found.append(node if isinstance(node, ir.Decide) and node.trial else None)
        return tuple(found)


def fitting(written: str, offered: list[tuple[str, ...]]) -> list[int]:
    """The numbers of the choices that the written words can mean: the exact one, or all that contain them."""
    words = tuple(written.replace(",", " ").split())
    exact = [i for i, option in enumerate(offered) if option == words]
    if exact:
        return exact
    return [i for i, option in enumerate(offered) if _within(words, option)]


def _within(words: tuple[str, ...], option: tuple[str, ...]) -> bool:
    rest = iter(option)
    return bool(words) and all(any(word == o for o in rest) for word in words)


# ---- what somebody does not see

UNSEEN = "?"
"""Stands for a piece that somebody does not see."""


def open_words(words: tuple[str, ...], node: ir.Decide | ir.Offer) -> tuple[str, ...]:
    """The words of a choice without what it names."""
    return (*words[: isinstance(node, ir.Offer)], UNSEEN)
