"""Functions of boards: `neighbours`, `ray`, `spread` and `step`."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import EnumType, IntType, SetType, Type, certain, several
from dsl.elaborate.presence import key_of
from dsl.elaborate.typer import Typer
from dsl.messages.boards import NoOpposite, NothingAround, OwnNeighbours
from dsl.messages.types import NotInRange, WrongArguments, WrongType
from dsl.wording import given, quoted

LARGEST_TABLE = 2**20
"""The largest table of `step`: one entry for each place, direction and number of steps."""


# ---- collections


def around(typer: Typer, node: s.Call) -> r.Collection | None:
    """`neighbours(place)`, `ray(place, direction)`, `spread(from, through)`; none for other calls."""
    match node.name.text:
        case "neighbours":
            return _neighbours(typer, node)
        case "ray":
            return _ray(typer, node)
        case "spread":
            return _spread(typer, node)
        case "corners" | "edges" | "ends" | "places" as what if len(node.arguments) == 1:
            taken = typer.scope.signatures.collection(what, node.span) is not None
            return None if taken or _is_declared(typer, node) else _incident(typer, node, what)
    return None


def _is_declared(typer: Typer, node: s.Call) -> bool:
    """Whether a name that is a function only for boards is declared otherwise."""
    name = node.name.text
    return name in typer.symbols.tables or typer.scope.signatures.value(name, node.span) is not None


def _incident(typer: Typer, node: s.Call, what: r.Touching) -> r.Collection:
    value = typer.certain(typer.expr(node.arguments[0]), node.arguments[0])
    board = typer.symbols.types[typer.root(_board(typer, value.type, node.arguments[0]).name)]
    if what not in board.incident:
        raise DiagnosticError(NothingAround(node.span, board.name, what, _declared_around(board)))
    return r.Incident(EnumType(board.incident[what].target), node.span, board.name, what, value)


def _declared_around(board: r.TypeDecl) -> str:
    if board.incident:
        return f"what is known of it: {quoted(tuple(board.incident), 'and')}"
    return "declare them with the board: `corners: NAME`, `edges: NAME`"


def _neighbours(typer: Typer, node: s.Call) -> r.Collection:
    if len(node.arguments) != 1:
        raise _wrong_number(node, "one place")
    value = typer.certain(typer.expr(node.arguments[0]), node.arguments[0])
    board = _near(typer, value.type, node.arguments[0])
    return r.Neighbours(EnumType(board.name), node.span, board.name, value)


def _ray(typer: Typer, node: s.Call) -> r.Collection:
    if len(node.arguments) != 2:
        raise _wrong_number(node, "a place and a direction")
    place, board = _place(typer, node.arguments[0])
    direction, directions = _direction(typer, node.arguments[1], board)
    return r.Ray(EnumType(board.name), node.span, board.name, directions, place, direction)


def _spread(typer: Typer, node: s.Call) -> r.Collection:
    if len(node.arguments) != 2:
        raise _wrong_number(node, "a start and a collection to go through")
    start = _start(typer, node.arguments[0])
    board = _near(typer, start.item, node.arguments[0])
    through = typer.collection(node.arguments[1], EnumType(board.name))
    over = _board(typer, through.item, node.arguments[1])
    touched = typer.symbols.types[typer.root(over.name)].incident.values()
    if any(incidence.target == board.name for incidence in touched):
        return r.Spread(EnumType(board.name), node.span, board.name, start, through, over.name)
    if over.name != board.name:
        wanted, found = f"a collection of {several(start.item)}", f"one of {several(through.item)}"
        raise DiagnosticError(WrongType(node.arguments[1].span, wanted, found))
    return r.Spread(EnumType(board.name), node.span, board.name, start, through)


def _start(typer: Typer, node: s.Expr) -> r.Collection:
    """The places where `spread` starts. A local is one place here, even if it has the name of its board."""
    local = typer.scope.locals.get(node.text) if isinstance(node, s.Name) else None
    if isinstance(node, s.Name) and local is not None and not isinstance(local.type, SetType):
        hint = f"write `[{node.text}]`"
        raise DiagnosticError(WrongType(node.span, "a collection", str(typer.expr(node).type), hint))
    return typer.collection(node)


# ---- single places


def toward(typer: Typer, node: s.Call) -> r.Expr:
    """`step(place, direction)` or `step(place, direction, number)`: a place, or none beyond the edge."""
    if len(node.arguments) not in (2, 3):
        raise _wrong_number(node, "a place, a direction and optionally a number")
    place, board = _place(typer, node.arguments[0])
    direction, directions = _direction(typer, node.arguments[1], board)
    number, most = None, 1
    if len(node.arguments) == 3:
        number, most = _steps(typer, node.arguments[2], board, directions)
    found: Type = EnumType(board.name, True, True)
    if key_of(node) in typer.scope.known:
        found = certain(found)
    return r.DirectedStep(found, node.span, board.name, directions, place, direction, number, most)


def _steps(typer: Typer, node: s.Expr, board: r.TypeDecl, directions: str) -> tuple[r.Expr, int]:
    """The number of steps, and how many there can be at most."""
    longest = max(board.sides)
    value = typer.fit(typer.number(node), IntType(0, longest), node, f"the longest side has {longest} places")
    found = typer.range_of(value)
    most = min(longest, found.hi)
    room = LARGEST_TABLE // (board.size * typer.symbols.types[directions].size) - 1
    if most > room and not isinstance(value, r.Const):
        hint = f"bound it with `min({max(room, 1)}, ...)`"
        raise DiagnosticError(NotInRange(node.span, str(found), str(IntType(0, max(room, 1))), hint))
    return value, most


def opposite(typer: Typer, node: s.Call) -> r.Expr:
    """`opposite(direction)`: the direction that leads back; a column of the type of directions."""
    if len(node.arguments) != 1:
        raise _wrong_number(node, "one direction")
    value = typer.certain(typer.expr(node.arguments[0]), node.arguments[0])
    kind = certain(value.type)
    if not isinstance(kind, EnumType) or not _is_of_directions(typer, kind.type):
        hint = "directions are declared with a board: `directions: NAME`"
        found = str(value.type)
        raise DiagnosticError(WrongType(node.arguments[0].span, "a direction of a board", found, hint))
    decl = typer.symbols.types[typer.root(kind.type)]
    if not decl.opposites:
        raise DiagnosticError(NoOpposite(node.span, decl.name))
    back = r.Column("opposite", EnumType(decl.name), decl.opposites)
    return r.ColumnOf(back.type, node.span, value, back, None)


def _is_of_directions(typer: Typer, name: str) -> bool:
    return any(typer.root(name) in decl.directions for decl in typer.symbols.types.values())


# ---- arguments


def _board(typer: Typer, kind: Type, node: s.Expr) -> r.TypeDecl:
    """The board of a place; for a part without neighbours of its own, the whole board.

    Raises `DiagnosticError` if the type is not one of places.
    """
    if isinstance(kind, EnumType):
        decl = typer.symbols.types[kind.type]
        decl = typer.symbols.types[typer.root(decl.name)] if decl.shape == "none" else decl
        if decl.shape != "none":
            return decl
    hint = "places are declared under `boards`"
    raise DiagnosticError(WrongType(node.span, "a place of a board", str(kind), hint))


def _near(typer: Typer, kind: Type, node: s.Expr) -> r.TypeDecl:
    """The board of a place whose neighbours are asked for.

    Raises `DiagnosticError` if it is a part of a board with other neighbours than the board.
    """
    board = _board(typer, kind, node)
    whole = typer.symbols.types[typer.root(board.name)]
    if any(whole.links) and _within(board, board) != _within(whole, board):
        raise DiagnosticError(OwnNeighbours(node.span, board.name, whole.name, board.span))
    return board


def _within(board: r.TypeDecl, part: r.TypeDecl) -> list[set[int]]:
    """The neighbours of each place of a part among its places."""
    return [{*board.links[v - board.lo]} & {*part.members} for v in part.members]


def _place(typer: Typer, node: s.Expr) -> tuple[r.Expr, r.TypeDecl]:
    """A place, and its board, which has directions; for a part of a board, the whole board."""
    value = typer.certain(typer.expr(node), node)
    board = _board(typer, value.type, node)
    whole = typer.symbols.types[typer.root(board.name)]
    if not whole.directions:
        hint = f"add `directions: NAME` to the board `{whole.name}`"
        if not whole.sides:
            hint = "only boards `grid` and `hex` have directions"
        raise DiagnosticError(
            WrongType(node.span, "a place of a board with directions", str(value.type), hint)
        )
    return value, whole


def _direction(typer: Typer, node: s.Expr, board: r.TypeDecl) -> tuple[r.Expr, str]:
    """A direction of a board, and its type."""
    value = typer.expr(node, EnumType(_type_of_direction(typer, node, board)))
    kind = certain(value.type)
    if not isinstance(kind, EnumType) or typer.root(kind.type) not in board.directions:
        hint = f"its directions are {quoted(tuple(board.directions), 'and')}"
        raise DiagnosticError(WrongType(node.span, f"a direction of `{board.name}`", str(value.type), hint))
    return typer.certain(value, node), typer.root(kind.type)


def _type_of_direction(typer: Typer, node: s.Expr, board: r.TypeDecl) -> str:
    """The first type of directions that has a value of this name, or the first one."""
    text = node.text if isinstance(node, s.Name) else ""
    directions = tuple(board.directions)
    return next((w for w in directions if text in typer.symbols.types[w].names), directions[0])


def _wrong_number(node: s.Call, wanted: str) -> DiagnosticError:
    name = node.name.text
    return DiagnosticError(WrongArguments(node.span, name, wanted, given(len(node.arguments))))
