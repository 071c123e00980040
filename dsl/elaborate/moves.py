"""Lines that move, draw, roll, shuffle and show pieces."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import IntType, PieceType, Type, certain
from dsl.elaborate import collections
from dsl.elaborate.same_class import all_same_class
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.statements import UnequalPieces, WrongStatement
from dsl.messages.types import WrongType

ORDERED = ("pile", "stack", "row")
BY_CHANCE = ("shuffled", "bag")


class Moves(StatementTyper):
    """The part of typing statements that deals with pieces. `Statements` completes it."""

    # ---- moving

    def move_piece(self, line: s.MovePiece, marks: Marks) -> r.Statement:
        piece = self.typer.certain(self.typer.expr(line.what), line.what)
        if not isinstance(piece.type, PieceType):
            hint = "use `move all from Z to Z` for everything, `move n from Z to Z` for a number"
            raise DiagnosticError(WrongType(line.what.span, "a piece", str(piece.type), hint))
        origin = self.scope.origin(piece)
        if origin is not None:
            self.may_move(origin, line.what, captured=self._is_captured(piece))
        to, end = self._to(line.to, piece.type)
        if isinstance(piece, r.Read):
            self.scope.origins[piece.var] = to
            self.scope.forget_about(piece.var.name)
        self._moved(piece.type)
        return r.MovePiece(line.span, marks, piece, to, end)

    def _is_captured(self, piece: r.Expr) -> bool:
        """Whether every branch of `together` has a copy of a local that was made outside."""
        return isinstance(piece, r.Read) and piece.var.name in self.scope.fixed

    def move_all(self, line: s.MoveAll, marks: Marks) -> r.Statement:
        source = self.typer.collection(line.source)
        if not isinstance(source.item, PieceType):
            raise DiagnosticError(
                WrongType(line.source.span, "a collection of pieces", f"one of {source.item}")
            )
        self.may_move(source, line.source)
        to, end = self._to(line.to, source.item)
        self._no_rolling(source, to, line)
        self._moved(source.item)
        return r.MoveAll(line.span, marks, source, to, end)

    def move_count(self, line: s.MoveCount, marks: Marks) -> r.Statement:
        if isinstance(line.source, s.Quantifier):
            return self._move_alike(line, marks)
        number = self.typer.number(line.number)
        zone = collections.one_place(self.typer, line.source)
        self.may_move(zone, line.source)
        to, end = self._to(line.to, zone.item)
        self._no_rolling(zone, to, line)
        decl = self.symbols.zones[zone.zone]
        if (
            decl.order == "open"
            and len(self.symbols.components[decl.component].classes) > 1
            and not decl.blank
        ):
            raise DiagnosticError(UnequalPieces(line.source.span, zone.zone))
        if decl.order in BY_CHANCE:
            self.stops("draw", line)
        self._moved(zone.item)
        return r.MoveCount(line.span, marks, number, zone, to, end, None)

    def _move_alike(self, line: s.MoveCount, marks: Marks) -> r.Statement:
        """So many of those pieces of one place that are of one class."""
        number = self.typer.number(line.number)
        source = self.typer.collection(line.source)
        assert isinstance(line.source, s.Quantifier)
        if not isinstance(source, r.Filtered) or not isinstance(source.binder.collection, r.InZone):
            raise DiagnosticError(
                WrongType(line.source.span, "pieces of a place", f"a collection of {source.item}")
            )
        zone = collections.one_place(self.typer, line.source.binder.collection or line.source)
        if not all_same_class(source.binder):
            raise DiagnosticError(UnequalPieces(line.source.span, zone.zone))
        self.may_move(zone, line.source)
        to, end = self._to(line.to, source.item)
        self._no_rolling(zone, to, line)
        self._moved(source.item)
        return r.MoveAlike(line.span, marks, number, source, to, end)

    def draw(self, line: s.Draw, marks: Marks) -> r.Statement:
        zone = collections.one_place(self.typer, line.source)
        self.may_move(zone, line.source)
        to, end = self._to(line.to, zone.item)
        decl = self.symbols.zones[zone.zone]
        if decl.order == "open":
            hint = "use `choose` to take one from an open zone"
            raise DiagnosticError(
                WrongStatement(line.source.span, f"`{zone.zone}` is not a pile, bag or shuffled zone", hint)
            )
        if decl.order in BY_CHANCE:
            self.stops("draw", line)
        self._moved(zone.item)
        var = self.scope.bind(line.name, certain(zone.item))
        self.scope.origins[var] = to
        one = r.Const(IntType(1, 1), line.span, 1)
        return r.MoveCount(line.span, marks, one, zone, to, end, var)

    def _to(self, place: s.Place, piece: Type) -> tuple[r.InZone, r.End | None]:
        """Where pieces of a kind are moved to, and at which end."""
        zone = collections.one_place(self.typer, place.zone)
        if not self.typer.related(zone.item, piece):
            raise DiagnosticError(WrongType(place.span, f"a zone of {piece}", f"one of {zone.item}"))
        decl = self.symbols.zones[zone.zone]
        if place.end is not None and decl.order not in ORDERED:
            hint = "declare `order: pile`, or omit the end"
            raise DiagnosticError(WrongStatement(place.span, f"`{zone.zone}` has no {place.end}", hint))
        self.may_move(zone, place)
        return zone, place.end

    def _no_rolling(self, source: r.Collection, to: r.InZone, line: s.Line) -> None:
        """Dice that show nothing must be rolled before they can show something."""
        if not isinstance(source, r.InZone) or not self.symbols.zones[source.zone].blank:
            return
        if not self.symbols.zones[to.zone].blank:
            hint = f"`roll all from {source.zone} to {to.zone}`"
            raise DiagnosticError(
                WrongStatement(line.span, "unrolled dice cannot be moved without a roll", hint)
            )

    def _moved(self, kind: Type) -> None:
        """What was known of the places of a component may be so no longer."""
        if isinstance(kind, PieceType):
            zones = [z.name for z in self.symbols.zones.values() if z.component == kind.component]
            self.scope.forget((*zones, *self.scope.signatures.names()))

    # ---- chance and sight

    def roll(self, line: s.Roll, marks: Marks) -> r.Statement:
        """One die, or all dice of a zone where they lie."""
        self.stops("roll", line)
        collection = self.typer.maybe_collection(line.what)
        if isinstance(collection, r.InZone):
            zone = collections.one_place(self.typer, line.what)
            self._dice(zone, line.what)
            self.may_move(zone, line.what)
            return r.RollZone(line.span, marks, None, zone, zone)
        die = self.typer.certain(self.typer.expr(line.what), line.what)
        if not isinstance(die.type, PieceType) or self.symbols.components[die.type.component].die is None:
            raise DiagnosticError(WrongType(line.what.span, "a die or a zone of dice", str(die.type)))
        return r.RollPiece(line.span, marks, die)

    def roll_over(self, line: s.RollOver, marks: Marks) -> r.Statement:
        """Dice are taken from one zone and rolled into another."""
        self.stops("roll", line)
        source = collections.one_place(self.typer, line.source)
        self._dice(source, line.source)
        self.may_move(source, line.source)
        to, _ = self._to(line.to, source.item)
        number = self.typer.number(line.number) if line.number is not None else None
        self._moved(source.item)
        return r.RollZone(line.span, marks, number, source, to)

    def _dice(self, zone: r.InZone, node: s.Node) -> None:
        component = self.symbols.zones[zone.zone].component
        if self.symbols.components[component].die is None:
            raise DiagnosticError(WrongType(node.span, "a zone of dice", f"one of `{component}`"))

    def shuffle(self, line: s.Shuffle, marks: Marks) -> r.Statement:
        zone = collections.one_place(self.typer, line.zone)
        if self.symbols.zones[zone.zone].order == "open":
            hint = "declare `order: shuffled` or `order: pile`"
            raise DiagnosticError(
                WrongStatement(line.zone.span, f"`{zone.zone}` has no order to shuffle", hint)
            )
        return r.Shuffle(line.span, marks, zone)

    def show(self, line: s.Show, marks: Marks) -> r.Statement:
        return r.Show(line.span, marks, collections.zone_of(self.typer, line.zone), self.seat(line.to))
