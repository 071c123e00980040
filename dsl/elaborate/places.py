"""Boards: what lies around a place, and in which direction."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import Failed
from dsl.domains import Elem, Int, Type, certain, several
from dsl.elaborate.fitting import Typer
from dsl.elaborate.scope import key_of
from dsl.messages.types import NotInRange, WrongArguments, WrongType
from dsl.wording import given, quoted

LARGEST_TABLE = 2**20
"""The most places that `step` can lead to, counted from every place, in every direction, for every number."""


# ---- collections


def around(typer: Typer, node: s.Call) -> r.Group | None:
    """`neighbours(place)`, `ray(place, direction)`, `spread(from, through)`; other calls are none."""
    match node.name.text:
        case "neighbours":
            return _neighbours(typer, node)
        case "ray":
            return _ray(typer, node)
        case "spread":
            return _spread(typer, node)
    return None


def _neighbours(typer: Typer, node: s.Call) -> r.Group:
    if len(node.arguments) != 1:
        raise _wrong_number(typer, node, "one place")
    value = typer.certain(typer.expr(node.arguments[0]), node.arguments[0])
    board = _board(typer, value.type, node.arguments[0])
    return r.Neighbours(certain(value.type), node.span, board.name, value)


def _ray(typer: Typer, node: s.Call) -> r.Group:
    if len(node.arguments) != 2:
        raise _wrong_number(typer, node, "a place and a direction")
    place, board = _place(typer, node.arguments[0])
    direction, ways = _direction(typer, node.arguments[1], board)
    return r.Ray(Elem(board.name), node.span, board.name, ways, place, direction)


def _spread(typer: Typer, node: s.Call) -> r.Group:
    if len(node.arguments) != 2:
        raise _wrong_number(typer, node, "a start and a collection to go through")
    start = _beginning(typer, node.arguments[0])
    board = _board(typer, start.item, node.arguments[0])
    through = typer.group(node.arguments[1], Elem(board.name))
    if certain(through.item) != certain(start.item):
        wanted, found = f"a collection of {several(start.item)}", f"one of {several(through.item)}"
        raise Failed(WrongType(node.arguments[1].span, wanted, found))
    return r.Spread(Elem(board.name), node.span, board.name, start, through)


def _beginning(typer: Typer, node: s.Expr) -> r.Group:
    """Where it begins. A local is one place here, also if it is called like its board."""
    if isinstance(node, s.Name) and node.text in typer.scope.locals:
        hint = f"write `[{node.text}]`"
        raise Failed(WrongType(node.span, "a collection", str(typer.expr(node).type), hint))
    return typer.group(node)


# ---- single places


def toward(typer: Typer, node: s.Call) -> r.Expr:
    """`step(place, direction)` or `step(place, direction, number)`: a place, or none beyond the edge."""
    if len(node.arguments) not in (2, 3):
        raise _wrong_number(typer, node, "a place, a direction and optionally a number")
    place, board = _place(typer, node.arguments[0])
    direction, ways = _direction(typer, node.arguments[1], board)
    number, most = None, 1
    if len(node.arguments) == 3:
        number, most = _steps(typer, node.arguments[2], board, ways)
    found: Type = Elem(board.name, True, True)
    if key_of(node) in typer.scope.known:
        found = certain(found)
    return r.Toward(found, node.span, board.name, ways, place, direction, number, most)


def _steps(typer: Typer, node: s.Expr, board: r.TypeDecl, ways: str) -> tuple[r.Expr, int]:
    """The number of steps, and how many there can be at most."""
    longest = max(board.sides)
    value = typer.fit(typer.number(node), Int(0, longest), node, f"the longest side has {longest} places")
    found = typer.range_of(value)
    most = min(longest, found.hi)
    room = LARGEST_TABLE // (board.size * typer.world.types[ways].size) - 1
    if most > room and not isinstance(value, r.Const):
        hint = f"bound it with `min({max(room, 1)}, ...)`"
        raise Failed(NotInRange(node.span, str(found), str(Int(0, max(room, 1))), hint))
    return value, most


# ---- arguments


def _board(typer: Typer, kind: Type, node: s.Expr) -> r.TypeDecl:
    """The board that a place is of. Raises `Failed` if it is no place."""
    if isinstance(kind, Elem) and typer.world.types[kind.type].shape != "none":
        return typer.world.types[kind.type]
    hint = "places are declared under `boards`"
    raise Failed(WrongType(node.span, "a place of a board", str(kind), hint))


def _place(typer: Typer, node: s.Expr) -> tuple[r.Expr, r.TypeDecl]:
    """A place of a board with directions; of a part of such a board, too."""
    value = typer.certain(typer.expr(node), node)
    board = _board(typer, value.type, node)
    whole = typer.world.types[typer.root(board.name)]
    if not whole.ways:
        hint = f"add `directions: NAME` to the board `{whole.name}`"
        if not whole.sides:
            hint = "only boards `grid` and `hex` have directions"
        raise Failed(WrongType(node.span, "a place of a board with directions", str(value.type), hint))
    return value, whole


def _direction(typer: Typer, node: s.Expr, board: r.TypeDecl) -> tuple[r.Expr, str]:
    """A direction of a board, and its type."""
    value = typer.expr(node, Elem(_meant(typer, node, board)))
    kind = certain(value.type)
    if not isinstance(kind, Elem) or typer.root(kind.type) not in board.ways:
        hint = f"its directions are {quoted(tuple(board.ways), 'and')}"
        raise Failed(WrongType(node.span, f"a direction of `{board.name}`", str(value.type), hint))
    return typer.certain(value, node), typer.root(kind.type)


def _meant(typer: Typer, node: s.Expr, board: r.TypeDecl) -> str:
    """The first type of directions that has one of this name, or simply the first."""
    text = node.text if isinstance(node, s.Name) else ""
    ways = tuple(board.ways)
    return next((w for w in ways if text in typer.world.types[w].names), ways[0])


def _wrong_number(typer: Typer, node: s.Call, wanted: str) -> Failed:
    name = node.name.text
    return Failed(WrongArguments(node.span, name, wanted, given(len(node.arguments))))
