"""Formatting of places, values and choices in the words of the rules, and matching of typed choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, NoneType, PieceType, SetType, Type
from interpreter import ir
from interpreter.ir.cfg import behind_needs

What = tuple[tuple[int, tuple[int, ...]] | None, ...]
"""The targets of an offer, as in `Waiting.what`."""


@dataclass(frozen=True, slots=True)
class Axes:
    """Which parts of a place's address distinguish the pieces of a choice."""

    zone: bool
    of: bool
    at: bool


class Formatter:
    """Formats the numbers of one machine. If it is not `labelled`, labels are the words of the rules.

    `keyed`: numbers that have labels are their keys, `permit.1`, instead of words of the rules.
    """

    def __init__(
        self, rules: r.Rules, machine: ir.Machine, labelled: bool = True, keyed: bool = False
    ) -> None:
        self.rules = rules
        self.machine = machine
        self.labelled = labelled
        self.keyed = keyed
        self._parameters = [self._first_parameters(code) for code in machine.routines]

    @cached_property
    def keys(self) -> Formatter:
        """What labels are found by: words that people read only by `label`."""
        return Formatter(self.rules, self.machine, self.labelled, keyed=True)

    def seat(self, number: int) -> str:
        return self.rules.types["seat"].names[number]

    def label(self, word: str) -> str:
        """The text that people read for a word of the rules."""
        if not self.labelled:
            return word
        return self.rules.labels.get(word, word.replace("_", " "))

    def score(self, line: str) -> str:
        """The text that people read for a line of the account."""
        return self.label(r.key_of_line(line, self.rules.labels)) if self.labelled else line

    # ---- values

    def value(self, kind: Type, value: int) -> str:
        """A value in the words of the rules; a piece by its class."""
        if value == NONE:
            return "none"
        match kind:
            case IntType(of=of):
                return self._number(of, value)
            case SetType():
                return str(value)
            case FlagType():
                return "true" if value else "false"
            case EnumType(name):
                return self._of_type(self.rules.types[name], value)
            case PieceType(component):
                classes = self.machine.component_classes[component]
                return self.rules.components[component].classes[value % classes]
            case EffectType():
                routine, _ = self.machine.cells[value]
                return self.machine.routines[routine].name
            case NoneType():
                return "none"
        assert_never(kind)

    def _of_type(self, decl: r.TypeDecl, value: int) -> str:
        if not decl.lo <= value <= decl.hi:
            return str(value)
        return self._number(decl.name, value) if decl.numeric else decl.label(value)

    def _number(self, of: str, value: int) -> str:
        """A number of a type or column: as the rules write it, or the key of its label."""
        key = r.key_of_number(of, value)
        return key if self.keyed and self.labelled and key in self.rules.labels else str(value)

    def class_name(self, component: str, class_: int) -> str:
        return self.rules.components[component].classes[class_]

    def index(self, declared: str | None, value: int | None) -> str:
        """An index of a declared type; empty if there is none."""
        if declared is None or value is None:
            return ""
        if declared in self.rules.types:
            return self._of_type(self.rules.types[declared], value)
        return self.rules.components[declared].classes[value]

    def _index_words(self, declared: str | None, value: int | None) -> tuple[str, ...]:
        """The words of an index in a choice: one for each of several indices."""
        shown = self.index(declared, value)
        several = declared is not None and declared.startswith("(")
        return tuple(shown.strip("()").split(", ")) if several else (shown,)

    def place(self, number: int) -> str:
        """The address of a place, such as `slot of A at 3`."""
        place = self.machine.places[number]
        zone = self.rules.zones.get(place.zone)
        if zone is None:
            return place.zone
        return self._address(place.zone, (zone.var.of, zone.var.at), (place.of, place.at))

    def word(self, words: ir.VarLayout, offset: int) -> str:
        """The address of one word of a counter, mark or pointer."""
        return self._address(words.name, (words.of, words.at), words.indices(words.base + offset))

    def _address(
        self, name: str, declared: tuple[str | None, str | None], indices: tuple[int | None, int | None]
    ) -> str:
        parts = [name]
        for preposition, type_, index in zip(("of", "at"), declared, indices, strict=True):
            if type_ is not None and index is not None:
                parts.append(f"{preposition} {self.index(type_, index)}")
        return " ".join(parts)

    # ---- choices

    def choice(self, node: ir.Decide | ir.Offer, option: tuple[int, int], what: What = ()) -> tuple[str, ...]:
        """The words of an option: the action, its arguments if it is offered twice, and the value.

        `what` are the targets of an offer.
        """
        if option[0] < 0:
            return ("pass",)
        if isinstance(node, ir.Decide):
            return self.candidate(node, option[1])
        doing = what[option[0]]
        assert doing is not None
        routine, _ = doing
        words = [self.machine.routines[routine].name]
        if self._needs_arguments(routine, what):
            words += [str(v) if kind is None else self.value(kind, v) for kind, v in self.arguments(doing)]
        parameter = self.parameter(doing)
        if option[1] == NONE or parameter is None:
            return tuple(words)
        return (*words, *self.candidate(parameter, option[1]))

    def _needs_arguments(self, routine: int, what: What) -> bool:
        """Whether a routine is offered more than once, so that its arguments distinguish the choices."""
        return sum(w is not None and w[0] == routine for w in what) > 1

    def named(
        self, node: ir.Decide | ir.Offer, option: tuple[int, int], what: What = ()
    ) -> Iterator[tuple[Type, int]]:
        """The values that the words of an option name, with their types."""
        kind = self.value_type(node, option, what)
        if kind is not None:
            yield kind, option[1]
        doing = what[option[0]] if isinstance(node, ir.Offer) and option[0] >= 0 else None
        if doing is not None and self._needs_arguments(doing[0], what):
            for given, value in self.arguments(doing):
                if given is not None:
                    yield given, value

    def arguments(self, doing: tuple[int, tuple[int, ...]]) -> Iterator[tuple[Type | None, int]]:
        """The given arguments of a target with their types; none for one that no seat could choose."""
        routine, given = doing
        for parameter, value in zip(self._parameters[routine], given, strict=False):
            yield (parameter.type if parameter is not None else None), value

    def candidate(self, node: ir.Decide, value: int) -> tuple[str, ...]:
        """The words of a value of a decision; a piece by its class and what distinguishes its place."""
        if node.parts:
            return (f"{value + 1}/{node.parts}",)
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
            words.extend(self._index_words(zone.var.at, place.at))
        return tuple(w for w in words if w) or (component.name,)

    def keys_of(self, node: ir.Decide | ir.Offer | None, words: Sequence[str]) -> tuple[str, ...]:
        """The words of an option, with the key of the label of a number of a type with which they end."""
        return (*words[:-1], *self._key_of_last(node, words))

    def _key_of_last(self, node: ir.Decide | ir.Offer | None, words: Sequence[str]) -> Sequence[str]:
        if isinstance(node, ir.Offer):
            routines = (i for i, code in enumerate(self.machine.routines) if code.name == words[0])
            node = next((self._parameters[i][0] for i in routines if self._parameters[i]), None)
        if node is None or not words or not isinstance(node.type, EnumType):
            return words[-1:]
        decl = self.rules.types[node.type.type]
        if not decl.numeric or words[-1] not in decl.names:
            return words[-1:]
        return (self.keys.value(node.type, decl.lo + decl.names.index(words[-1])),)

    def value_type(self, node: ir.Decide | ir.Offer, option: tuple[int, int], what: What) -> Type | None:
        """The type of an option's value; none if it has no value."""
        if option[0] < 0 or option[1] == NONE:
            return None
        if isinstance(node, ir.Decide):
            return node.type
        found = self.parameter(what[option[0]])
        return found.type if found is not None else None

    def parameter(self, doing: tuple[int, tuple[int, ...]] | None) -> ir.Decide | None:
        """The first parameter of a target that the acting seat has to choose."""
        if doing is None:
            return None
        routine, given = doing
        return self._parameters[routine][min(len(given), len(self._parameters[routine]) - 1)]

    def parameters(self, routine: int) -> tuple[ir.Decide | None, ...]:
        """The first parameter of a routine to be chosen, by the number of given arguments."""
        return self._parameters[routine]

    def axes(self, source: ir.Source) -> Axes:
        """What distinguishes the pieces of a collection."""
        match source:
            case ir.Pieces(of=of, at=at):
                return Axes(False, of.one is None and of.size > 1, at.one is None and at.size > 1)
            case ir.Joined(parts=parts):
                return self._shared_axes(parts)
            case (
                ir.Filtered(source=inner)
                | ir.Classed(source=inner)
                | ir.Prefix(source=inner)
                | ir.Ranked(source=inner)
            ):
                return self.axes(inner)
            case ir.Either(then=then, otherwise=otherwise):
                return self._shared_axes((then, otherwise))
        return Axes(False, False, False)

    def _shared_axes(self, parts: tuple[ir.Source, ...]) -> Axes:
        """The axes of pieces of several addresses: all that can distinguish them."""
        sizes = [(p.of.size, p.at.size) for p in parts if isinstance(p, ir.Pieces)]
        found = [self.axes(p) for p in parts]
        of = any(a.of for a in found) or any(size > 1 for size, _ in sizes)
        return Axes(True, of, any(a.at for a in found) or any(size > 1 for _, size in sizes))

    def _first_parameters(self, code: ir.RoutineCode) -> tuple[ir.Decide | None, ...]:
        """The first parameter to be chosen, by the number of given arguments."""
        found = [self.machine.nodes[behind_needs(self.machine, entry)] for entry in code.entries]
        return tuple(node if isinstance(node, ir.Decide) and node.trial else None for node in found)


def fitting(written: str, offered: list[tuple[str, ...]]) -> list[int]:
    """The indices of the choices that a text can mean: the equal one, or all with its words in order."""
    words = tuple(written.replace(",", " ").split())
    exact = [i for i, option in enumerate(offered) if option == words]
    return exact or [i for i, option in enumerate(offered) if words and is_within(words, option)]


def is_within(words: Sequence[str], option: Sequence[str]) -> bool:
    """Whether some words are a subsequence of an option's."""
    rest = iter(option)
    return all(any(word == o for o in rest) for word in words)


def outcome_name(node: ir.Chance, outcome: int) -> str:
    """The name of an outcome of a chance node, such as a face or a card."""
    return node.names[outcome - node.low] if node.names else str(outcome)


# ---- hidden pieces

UNSEEN = "?"
"""The word for a piece that a seat does not see."""


def open_words(words: tuple[str, ...], node: ir.Decide | ir.Offer) -> tuple[str, ...]:
    """The words of a choice with `UNSEEN` in place of the value."""
    return (*words[: isinstance(node, ir.Offer)], UNSEEN)
