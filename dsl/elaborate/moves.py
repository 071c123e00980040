"""Statements that move, draw, roll, shuffle and show pieces."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import FLAG, SEAT, EnumType, IntType, PieceType, Type, certain
from dsl.elaborate import changes, collections
from dsl.elaborate.presence import key_of
from dsl.elaborate.same_class import all_same_class
from dsl.elaborate.scope import address_parts
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.statements import NothingHidden, UnequalPieces, WrongStatement
from dsl.messages.types import WrongType

ORDERED = ("pile", "stack", "row")
RANDOM = ("shuffled", "bag")


# ---- moving


def move_piece(typer: StatementTyper, line: s.MovePiece, marks: Marks) -> r.Statement:
    piece = typer.exprs.certain(typer.exprs.expr(line.what), line.what)
    if not isinstance(piece.type, PieceType):
        hint = "use `move all from Z to Z` for everything, `move n from Z to Z` for a number"
        raise DiagnosticError(WrongType(line.what.span, "a piece", str(piece.type), hint))
    origin = typer.scope.origin(piece)
    if origin is not None:
        typer.may_move(origin, line.what, captured=_is_captured(typer, piece))
    to, end = _destination(typer, line.to, piece.type)
    if isinstance(piece, r.Read):
        typer.scope.origins[piece.var] = to
        typer.scope.forget_about(piece.var.name)
    forget_places(typer, piece.type)
    if typer.symbols.zones[to.zone].size == 1:
        typer.scope.add_present([key_of(line.to.zone)])
    return r.MovePiece(line.span, marks, piece, to, end)


def _is_captured(typer: StatementTyper, piece: r.Expr) -> bool:
    """Whether a piece is a local from outside `together`, of which each branch has a copy."""
    return isinstance(piece, r.Read) and piece.var.name in typer.captured


def move_all(typer: StatementTyper, line: s.MoveAll, marks: Marks) -> r.Statement:
    source = typer.exprs.collection(line.source)
    if not isinstance(source.item, PieceType):
        raise DiagnosticError(WrongType(line.source.span, "a collection of pieces", f"one of {source.item}"))
    typer.may_move(source, line.source)
    to, end = _destination(typer, line.to, source.item)
    _check_rolled(typer, source, to, line)
    forget_places(typer, source.item)
    return r.MoveAll(line.span, marks, source, to, end)


def move_count(typer: StatementTyper, line: s.MoveCount, marks: Marks) -> r.Statement:
    if isinstance(line.source.zone, s.Quantifier):
        return _move_same_class(typer, line, marks)
    number = typer.exprs.number(line.number)
    zone, bottom = _origin(typer, line.source)
    typer.may_move(zone, line.source)
    to, end = _destination(typer, line.to, zone.item)
    _check_rolled(typer, zone, to, line)
    decl = typer.symbols.zones[zone.zone]
    component = typer.symbols.components[decl.component]
    if decl.order == "open" and len(component.classes) > 1 and not decl.blank:
        own = _own(decl, component, zone)
        if own is None:
            raise _unequal(line, zone, decl.size == 1)
        forget_places(typer, zone.item)
        return r.MoveAlike(line.span, marks, number, own, to, end, line.up_to)
    if decl.order in RANDOM:
        typer.commit("draw", line)
    forget_places(typer, zone.item)
    return r.MoveCount(line.span, marks, number, zone, to, end, None, line.up_to, bottom)


def _unequal(line: s.MoveCount, zone: r.InZone, is_single: bool = False) -> DiagnosticError:
    """Which pieces move is not determined: how a seat chooses them. A single one is moved by its place."""
    assert isinstance(zone.item, PieceType)
    piece, number = zone.item.component, line.number.span.text
    some = piece if number == "1" else f"{'up to ' if line.up_to else ''}{number} {piece}"
    source, to = (" ".join(span.text.split()) for span in (line.source.span, line.to.span))
    if is_single:
        hint = f"it has room for one piece: `move all from {source} to {to}`"
        return DiagnosticError(UnequalPieces(line.source.span, zone.zone, hint))
    how = "then" if number == "1" else "and in its block"
    hint = f"let the seat choose: `choose {some} from {source}`, {how} `move {piece} to {to}`; or `move all`"
    return DiagnosticError(UnequalPieces(line.source.span, zone.zone, hint))


def _own(decl: r.Zone, component: r.Component, zone: r.InZone) -> r.Filtered | None:
    """The pieces of a place that are its own: of its seat, or of its kind; none if there are no such."""
    var = r.Var("piece", zone.item, zone.span)
    piece = r.Read(zone.item, zone.span, var)
    column = component.columns.get(decl.var.at or "")
    if decl.var.of == "seat" and component.is_by_seat and isinstance(zone.of, r.Expr):
        own = r.Cmp(FLAG, zone.span, "is", r.ClassOf(SEAT, zone.span, piece), zone.of)
    elif column is not None and _differs(column) and isinstance(zone.at, r.Expr):
        kind = r.ColumnOf(column.type, zone.span, piece, column, None)
        own = r.Cmp(FLAG, zone.span, "is", kind, zone.at)
    else:
        return None
    return r.Filtered(zone.item, zone.span, r.Binder(var, zone, own))


def _differs(column: r.Column) -> bool:
    """Whether a column names a type and has another value for each class."""
    is_kind = column.type == EnumType(column.name) and column.keyed_by is None
    return is_kind and len(set(column.values)) == len(column.values)


def _move_same_class(typer: StatementTyper, line: s.MoveCount, marks: Marks) -> r.Statement:
    """`move n from those(...) to ...`: pieces of one class, from one place."""
    number = typer.exprs.number(line.number)
    those = line.source.zone
    assert isinstance(those, s.Quantifier)
    source = typer.exprs.collection(those)
    if not isinstance(source, r.Filtered) or not isinstance(source.binder.collection, r.InZone):
        raise DiagnosticError(
            WrongType(line.source.span, "pieces of a place", f"a collection of {source.item}")
        )
    if line.source.end is not None:
        hint = "equal pieces have no order: omit the end"
        raise DiagnosticError(WrongStatement(line.source.span, "`those(...)` has no end", hint))
    zone = collections.one_place(typer.exprs, those.binder.collection or those)
    if not all_same_class(source.binder):
        raise _unequal(line, zone)
    typer.may_move(zone, line.source)
    to, end = _destination(typer, line.to, source.item)
    _check_rolled(typer, zone, to, line)
    forget_places(typer, source.item)
    return r.MoveAlike(line.span, marks, number, source, to, end, line.up_to)


def draw(typer: StatementTyper, line: s.Draw, marks: Marks) -> r.Statement:
    zone, bottom = _origin(typer, line.source)
    typer.may_move(zone, line.source)
    to, end = _destination(typer, line.to, zone.item)
    decl = typer.symbols.zones[zone.zone]
    if decl.order == "open":
        hint = "use `choose` to take one from an open zone"
        raise DiagnosticError(
            WrongStatement(line.source.span, f"`{zone.zone}` is not a pile, bag or shuffled zone", hint)
        )
    if decl.order in RANDOM:
        typer.commit("draw", line)
    forget_places(typer, zone.item)
    var = typer.scope.bind(line.name, certain(zone.item))
    typer.scope.origins[var] = to
    one = r.Const(IntType(1, 1), line.span, 1)
    return r.MoveCount(line.span, marks, one, zone, to, end, var, True, bottom)


def _origin(typer: StatementTyper, origin: s.Origin) -> tuple[r.InZone, bool]:
    """The place from which pieces are taken, and whether from its bottom."""
    zone = collections.one_place(typer.exprs, origin.zone)
    if origin.end is not None:
        _check_end(typer, zone, origin)
    return zone, origin.end == "bottom"


def _destination(typer: StatementTyper, place: s.Place, piece: Type) -> tuple[r.InZone, r.End | None]:
    """The place to which pieces of a type are moved, and the end of it."""
    zone = collections.one_place(typer.exprs, place.zone)
    if not typer.exprs.related(zone.item, piece):
        raise DiagnosticError(WrongType(place.span, f"a zone of {piece}", f"one of {zone.item}"))
    if place.end is not None:
        _check_end(typer, zone, place)
    typer.may_move(zone, place)
    return zone, place.end


def _check_end(typer: StatementTyper, zone: r.InZone, node: s.Place | s.Origin) -> None:
    """Raises `DiagnosticError` if a zone has no top and bottom."""
    if typer.symbols.zones[zone.zone].order not in ORDERED:
        hint = "declare `order: pile`, or omit the end"
        raise DiagnosticError(WrongStatement(node.span, f"`{zone.zone}` has no {node.end}", hint))


def _check_rolled(typer: StatementTyper, source: r.Collection, to: r.InZone, line: s.Line) -> None:
    """Raises `DiagnosticError` if dice without a face are moved to a zone where dice show a face."""
    if not isinstance(source, r.InZone) or not typer.symbols.zones[source.zone].blank:
        return
    if not typer.symbols.zones[to.zone].blank:
        hint = f"`roll all from {source.zone} to {to.zone}`"
        raise DiagnosticError(WrongStatement(line.span, "unrolled dice cannot be moved without a roll", hint))


def forget_places(typer: StatementTyper, kind: Type) -> None:
    """Drop the facts about the zones of a component, whose pieces have moved."""
    if isinstance(kind, PieceType):
        zones = [z.name for z in typer.symbols.zones.values() if z.component == kind.component]
        typer.scope.forget((*zones, *typer.scope.signatures.names()))


# ---- chance and sight


def roll(typer: StatementTyper, line: s.Roll, marks: Marks) -> r.Statement:
    """`roll x`: one die, or all dice of a zone, which stay there."""
    typer.commit("roll", line)
    collection = typer.exprs.maybe_collection(line.what)
    if isinstance(collection, r.InZone):
        zone = collections.one_place(typer.exprs, line.what)
        _check_dice(typer, zone, line.what)
        typer.may_move(zone, line.what)
        return r.RollZone(line.span, marks, None, zone, zone)
    die = typer.exprs.certain(typer.exprs.expr(line.what), line.what)
    if not isinstance(die.type, PieceType) or typer.symbols.components[die.type.component].die is None:
        raise DiagnosticError(WrongType(line.what.span, "a die or a zone of dice", str(die.type)))
    return r.RollPiece(line.span, marks, die)


def roll_over(typer: StatementTyper, line: s.RollOver, marks: Marks) -> r.Statement:
    """`roll n from Z to Z`: dice of one zone are rolled into another."""
    typer.commit("roll", line)
    source = collections.one_place(typer.exprs, line.source)
    _check_dice(typer, source, line.source)
    typer.may_move(source, line.source)
    to, _ = _destination(typer, line.to, source.item)
    number = typer.exprs.number(line.number) if line.number is not None else None
    forget_places(typer, source.item)
    return r.RollZone(line.span, marks, number, source, to, line.up_to)


def _check_dice(typer: StatementTyper, zone: r.InZone, node: s.Node) -> None:
    component = typer.symbols.zones[zone.zone].component
    if typer.symbols.components[component].die is None:
        raise DiagnosticError(WrongType(node.span, "a zone of dice", f"one of `{component}`"))


def shuffle(typer: StatementTyper, line: s.Shuffle, marks: Marks) -> r.Statement:
    """A pile, stack or row is shuffled by chance; a zone without an order only forgets who has seen what."""
    zone = collections.one_place(typer.exprs, line.zone)
    order = typer.symbols.zones[zone.zone].order
    if order == "open":
        hint = "declare `order: shuffled` or `order: pile`"
        raise DiagnosticError(WrongStatement(line.zone.span, f"`{zone.zone}` has no order to shuffle", hint))
    if order in ORDERED:
        typer.commit("shuffle", line)
    typer.may_move(zone, line.zone)
    return r.Shuffle(line.span, marks, zone)


def show(typer: StatementTyper, line: s.Show, marks: Marks) -> r.Statement:
    """Pieces are shown to a seat; a hidden value to a seat or to everybody."""
    symbols = typer.symbols
    head, _, _ = address_parts(line.zone)
    name = head.text if isinstance(head, s.Name) else ""
    if name in symbols.counters or name in symbols.marks or name in symbols.pointers:
        return _show_value(typer, line, marks)
    zone = collections.zone_of(typer.exprs, line.zone)
    return r.Show(line.span, marks, zone, typer.maybe_seat(line.to), line.openly)


def _show_value(typer: StatementTyper, line: s.Show, marks: Marks) -> r.Statement:
    place = changes.place_of(typer, line.zone)
    symbols = typer.symbols
    declared = {**symbols.counters, **symbols.marks, **symbols.pointers}[place.name]
    what = f"the {place.kind} `{place.name}`"
    if declared.var.is_scratch:
        hint = "it lasts a moment and is never told: show one that lasts"
        raise DiagnosticError(NothingHidden(line.zone.span, what, hint))
    if declared.seen_by == "all":
        raise DiagnosticError(NothingHidden(line.zone.span, what))
    to = typer.seat(line.to) if line.to is not None else None
    return r.ShowValue(line.span, marks, place, to, line.openly)
