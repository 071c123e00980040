"""Names and short texts of things, as people read them. `web/table/names.js` says the same in the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dsl import rules as r
from dsl.domains import EnumType, PieceType, Type
from interpreter import ir
from interpreter.game import Game
from rulewright.i18n.messages import Messages, messages_of
from rulewright.story.labels import labels_of
from rulewright.story.rules import StoryRules, story_rules

NOTHING_THERE = "–"


@dataclass(frozen=True)
class TableNames:
    """Names in the language of a game's labels. `seats` are the names of the players, if they have any."""

    game: Game
    messages: Messages
    seats: Sequence[str] | None = None

    @classmethod
    def of(cls, game: Game, seats: Sequence[str] | None = None) -> TableNames:
        """Names with the messages of the table, in the language of the game's labels."""
        return cls(game, messages_of(game.rules.language, "table"), seats)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        return labels_of(self.game.rules, self.game.machine)

    def label(self, word: str) -> str:
        """What people read for a word of the rules. Empty: bookkeeping that is not shown."""
        return self.labels.get(word, word.replace("_", " "))

    def end(self, outcome: str | None, clauses: Sequence[str]) -> str:
        """Why a match has ended: the name of this end, or what the rulebook calls the clause; else empty.

        Clauses are told in the language of the labels alone.
        """
        if outcome is not None:
            return self.label(outcome)
        rules = self.game.rules
        clause = rules.clauses.get(clauses[0]) if clauses and rules.clauses_in == rules.language else None
        return (clause.heading or clause.says) if clause is not None else ""

    @cached_property
    def rules(self) -> StoryRules:
        return story_rules(self.game.rules, self.game.machine)

    def seat(self, seat: int) -> str:
        return self.seats[seat] if self.seats is not None else self.label(self.game.names.seat(seat))

    def of_seat(self, kind: str, thing: str, seat: int, me: int | None = None) -> str:
        """What belongs to a seat, or the mark that it has: `coins of B`, `B: passed`. `me` needs no name."""
        if seat == me:
            return thing
        if kind == "mark":
            return self.messages("table-story-chose", seat=self.seat(seat), words=thing)
        return self.messages("table-of", thing=thing, seat=self.seat(seat))

    def value(self, kind: Type, value: int) -> str:
        """The label of a value; of a piece that of its class."""
        match kind:
            case EnumType(name):
                return self.index(name, value)
            case PieceType(component):
                return self.piece(component, value % self.game.machine.component_classes[component])
            case _:
                return self.messages.number(value)

    def index(self, of: str | None, value: int | None) -> str:
        """The label of an index: of a value of a type, or of a class of pieces."""
        if of is None or value is None:
            return NOTHING_THERE
        if of == "seat":
            return self.seat(value)
        if of in self.game.rules.components:
            return self.piece(of, value)
        decl = self.game.rules.types[of]
        name = decl.names[value - decl.lo] if 0 <= value - decl.lo < len(decl.names) else str(value)
        return self._number(of, str(value)) or self.label(name)

    def _number(self, of: str, number: str) -> str | None:
        """What a number of a type or column is called, if it has a name."""
        return self.labels.get(f"{of}.{number}")

    def piece(self, component: str, class_: int) -> str:
        """The label of a class of pieces; an unseen piece has the name of its component."""
        if class_ < 0:
            return self.messages("table-unseen", piece=self.label(component))
        decl = self.game.rules.components[component]
        name, number = decl.classes[class_], self.game.machine.component_classes[component]
        if decl.die is not None or (number == 1 and name != component):
            return f"{self.label(component)} {self.label(name)}"
        return self.label(name)

    def thing(
        self,
        var: r.StateVar | ir.VarLayout,
        of: int | None,
        at: int | None,
        me: int | None = None,
        held: int | None = None,
        gone: bool = False,
    ) -> str:
        """A place, or a word of a variable, with its indices: `coins of B`, `B: no longer passed`.

        `held` is what a pointer points to, `me` the seat that needs no name.
        """
        kind = var.kind if isinstance(var, ir.VarLayout) else "zone"
        owner = of if var.of == "seat" else None
        parts = [self.label(var.name)]
        parts += [self.index(var.of, of)] if var.of is not None and owner is None else []
        parts += [self.index(var.at, at)] if var.at is not None else []
        name = " ".join(part for part in parts if part)
        if held is not None and isinstance(var, ir.VarLayout):
            of_seat = isinstance(var.type, EnumType) and var.type.type == "seat"
            value = self.value(var.type, held)
            name = self.of_seat("zone", name, held, me) if of_seat else f"{name} {value}"
        if gone:
            name = self.messages("table-story-unmarked", thing=name)
        return self.of_seat(kind, name, owner, me) if owner is not None else name

    def place(self, number: int, me: int | None = None) -> str:
        """The label of a place: its zone, its position, its owner; on a board its position alone."""
        place = self.game.machine.places[number]
        var = self.game.rules.zones[place.zone].var
        if place.zone not in self.rules.by_position or place.at is None:
            return self.thing(var, place.of, place.at, me)
        at = self.index(var.at, place.at)
        return self.of_seat("zone", at, place.of, me) if var.of == "seat" and place.of is not None else at

    def words(self, node: ir.Decide | ir.Offer | None, text: str) -> list[str]:
        """The words of a choice, as people read them."""
        return [self.label(word) for word in self.game.names.keys_of(node, text.split())]

    def spoken(self, node: ir.Decide | ir.Offer | None, text: str) -> str:
        """A choice, as people read it: `take money with 5`."""
        return " ".join(word for word in self.words(node, text) if word)
