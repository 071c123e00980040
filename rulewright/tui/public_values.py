"""Labelled values of the rules that read nothing hidden, for display on the board."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace

from dsl import rules as r
from dsl.domains import EnumType, FlagType, IntType, PieceType, Type
from dsl.rules.visit import walk
from dsl.source import NOWHERE
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.queries import QueryEvaluator
from interpreter.reference.faults import OutOfBounds

SHOWN = IntType | FlagType | EnumType
"""The types of values that are shown."""


@dataclass
class PublicValues:
    """The labelled values of a game that are the same for every seat, or those that its look names."""

    game: Game
    evaluator: QueryEvaluator = field(init=False)
    listed: list[r.Value] = field(init=False)

    def __post_init__(self) -> None:
        self.evaluator = QueryEvaluator(self.game)
        self.shown = [value.name for value in self.game.rules.look.shown]
        listed = [v for v in self.game.rules.values.values() if self._is_listed(v)]
        self.listed = sorted(listed, key=self._place)

    def _is_listed(self, value: r.Value) -> bool:
        if self.shown and (not value.parameters or _kind(value) == EnumType("seat")):
            return value.name in self.shown
        return bool(self.game.rules.labels.get(value.name)) and self._is_public(value, frozenset())

    def _is_public(self, value: r.Value, above: frozenset[str]) -> bool:
        """Whether a value reads only what everybody sees."""
        zones, values = self.game.rules.zones, self.game.rules.values
        parts = list(walk(value.parts))
        if any(isinstance(part, r.Special) and part.what in ("me", "self", "opponent") for part in parts):
            return False
        if any(isinstance(p, r.ReadStateVar) and p.name in self.game.rules.hidden_words for p in parts):
            return False
        looked = {part.zone for part in parts if isinstance(part, r.InZone)}
        used = {part.value for part in parts if isinstance(part, r.UseValue)} - above - {value.name}
        return all(zones[z].seen_by == "all" for z in looked if z in zones) and all(
            self._is_public(values[name], above | {value.name}) for name in used
        )

    def _place(self, value: r.Value) -> int:
        """Where the look shows a value, if it does."""
        return self.shown.index(value.name) if value.name in self.shown else len(self.shown)

    # ---- by parameter

    def of_all(self) -> list[r.Value]:
        """Numbers and conditions without a parameter."""
        return [v for v in self.listed if not v.parameters and isinstance(v.type, SHOWN)]

    def of_seats(self) -> list[r.Value]:
        seats = [v for v in self.listed if len(v.parameters) == 1 and _kind(v) == EnumType("seat")]
        return [v for v in seats if isinstance(v.type, IntType) or v.name in self.shown]

    def of_values(self) -> dict[str, list[r.Value]]:
        """Values with a parameter of each type other than seats, for types that have more than one."""
        found: dict[str, list[r.Value]] = {}
        for value in self._with_one_parameter():
            kind = _kind(value)
            if isinstance(kind, EnumType) and kind.type != "seat":
                found.setdefault(kind.type, []).append(value)
        return {name: values for name, values in found.items() if len(values) > 1}

    def of_pieces(self, component: str) -> list[r.Value]:
        return self._about(PieceType(component))

    def _about(self, kind: Type) -> list[r.Value]:
        return [v for v in self._with_one_parameter() if _kind(v) == kind]

    def _with_one_parameter(self) -> list[r.Value]:
        return [v for v in self.listed if len(v.parameters) == 1 and isinstance(v.type, IntType)]

    # ---- evaluation

    def ask(self, s: array[int], value: r.Value, about: int | None = None) -> int | str | None:
        """The value in a state, in words if it is one of a type; None if its evaluation fails.

        During a simultaneous choice it is that of the state before, and None for seats, pieces and the game.
        """
        before = self.game.views.before(s)
        if before is not None:
            if about is None or _kind(value) == EnumType("seat") or not isinstance(_kind(value), EnumType):
                return None
            s = before
        arguments = () if about is None else (r.Const(_kind(value), NOWHERE, about),)
        question = r.UseValue(IntType(0, 0), NOWHERE, value.name, arguments)
        try:
            if isinstance(value.type, EnumType):
                return str(self.evaluator.answer(s, replace(question, type=value.type)))
            return int(str(self.evaluator.answer(s, question)))
        except (Fault, OutOfBounds, ZeroDivisionError):
            return None


def _kind(value: r.Value) -> Type:
    return value.parameters[0].type
