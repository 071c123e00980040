"""Boards: what lies around a place, and in which direction."""

from __future__ import annotations

from dsl import rules as r
from dsl import syntax as s
from dsl.diagnostics import Failed
from dsl.domains import Elem, Int, Type, certain, several
from dsl.elaborate.fitting import Fitting
from dsl.elaborate.scope import key_of
from dsl.messages.types import NotInRange, WrongArguments, WrongType
from dsl.wording import given, quoted

LARGEST_TABLE = 2**20
"""The most places that `step` can lead to, counted from every place, in every direction, for every number."""


class Places(Fitting):
    """The part of the typing that deals with boards. `Expressions` completes it."""

    # ---- completed by Groups

    def group(self, node: s.Expr, expected: Type | None = None) -> r.Group:
        raise NotImplementedError

    # ---- collections

    def around(self, node: s.Call) -> r.Group | None:
        """`neighbours(place)`, `ray(place, direction)`, `spread(from, through)`; other calls are none."""
        match node.name.text:
            case "neighbours":
                return self._neighbours(node)
            case "ray":
                return self._ray(node)
            case "spread":
                return self._spread(node)
        return None

    def _neighbours(self, node: s.Call) -> r.Group:
        if len(node.arguments) != 1:
            raise self._wrong_number(node, "one place")
        value = self.certain(self.expr(node.arguments[0]), node.arguments[0])
        board = self._board(value.type, node.arguments[0])
        return r.Neighbours(certain(value.type), node.span, board.name, value)

    def _ray(self, node: s.Call) -> r.Group:
        if len(node.arguments) != 2:
            raise self._wrong_number(node, "a place and a direction")
        place, board = self._place(node.arguments[0])
        direction, ways = self._direction(node.arguments[1], board)
        return r.Ray(Elem(board.name), node.span, board.name, ways, place, direction)

    def _spread(self, node: s.Call) -> r.Group:
        if len(node.arguments) != 2:
            raise self._wrong_number(node, "a start and a collection to go through")
        start = self._beginning(node.arguments[0])
        board = self._board(start.item, node.arguments[0])
        through = self.group(node.arguments[1], Elem(board.name))
        if certain(through.item) != certain(start.item):
            wanted, found = f"a collection of {several(start.item)}", f"one of {several(through.item)}"
            raise Failed(WrongType(node.arguments[1].span, wanted, found))
        return r.Spread(Elem(board.name), node.span, board.name, start, through)

    def _beginning(self, node: s.Expr) -> r.Group:
        """Where it begins. A local is one place here, also if it is called like its board."""
        if isinstance(node, s.Name) and node.text in self.scope.locals:
            hint = f"write `[{node.text}]`"
            raise Failed(WrongType(node.span, "a collection", str(self.expr(node).type), hint))
        return self.group(node)

    # ---- single places

    def toward(self, node: s.Call) -> r.Expr:
        """`step(place, direction)` or `step(place, direction, number)`: a place, or none beyond the edge."""
        if len(node.arguments) not in (2, 3):
            raise self._wrong_number(node, "a place, a direction and optionally a number")
        place, board = self._place(node.arguments[0])
        direction, ways = self._direction(node.arguments[1], board)
        number, most = None, 1
        if len(node.arguments) == 3:
            number, most = self._steps(node.arguments[2], board, ways)
        found: Type = Elem(board.name, True, True)
        if key_of(node) in self.scope.known:
            found = certain(found)
        return r.Toward(found, node.span, board.name, ways, place, direction, number, most)

    def _steps(self, node: s.Expr, board: r.TypeDecl, ways: str) -> tuple[r.Expr, int]:
        """The number of steps, and how many there can be at most."""
        longest = max(board.sides)
        value = self.fit(self.number(node), Int(0, longest), node, f"the longest side has {longest} places")
        found = self.range_of(value)
        most = min(longest, found.hi)
        room = LARGEST_TABLE // (board.size * self.world.types[ways].size) - 1
        if most > room and not isinstance(value, r.Const):
            hint = f"bound it with `min({max(room, 1)}, ...)`"
            raise Failed(NotInRange(node.span, str(found), str(Int(0, max(room, 1))), hint))
        return value, most

    # ---- arguments

    def _board(self, kind: Type, node: s.Expr) -> r.TypeDecl:
        """The board that a place is of. Raises `Failed` if it is no place."""
        if isinstance(kind, Elem) and self.world.types[kind.type].shape != "none":
            return self.world.types[kind.type]
        hint = "places are declared under `boards`"
        raise Failed(WrongType(node.span, "a place of a board", str(kind), hint))

    def _place(self, node: s.Expr) -> tuple[r.Expr, r.TypeDecl]:
        """A place of a board with directions; of a part of such a board, too."""
        value = self.certain(self.expr(node), node)
        board = self._board(value.type, node)
        whole = self.world.types[self.root(board.name)]
        if not whole.ways:
            hint = f"add `directions: NAME` to the board `{whole.name}`"
            if not whole.sides:
                hint = "only boards `grid` and `hex` have directions"
            raise Failed(WrongType(node.span, "a place of a board with directions", str(value.type), hint))
        return value, whole

    def _direction(self, node: s.Expr, board: r.TypeDecl) -> tuple[r.Expr, str]:
        """A direction of a board, and its type."""
        value = self.expr(node, Elem(self._meant(node, board)))
        kind = certain(value.type)
        if not isinstance(kind, Elem) or self.root(kind.type) not in board.ways:
            hint = f"its directions are {quoted(tuple(board.ways), 'and')}"
            raise Failed(WrongType(node.span, f"a direction of `{board.name}`", str(value.type), hint))
        return self.certain(value, node), self.root(kind.type)

    def _meant(self, node: s.Expr, board: r.TypeDecl) -> str:
        """The first type of directions that has one of this name, or simply the first."""
        text = node.text if isinstance(node, s.Name) else ""
        ways = tuple(board.ways)
        return next((w for w in ways if text in self.world.types[w].names), ways[0])

    def _wrong_number(self, node: s.Call, wanted: str) -> Failed:
        name = node.name.text
        return Failed(WrongArguments(node.span, name, wanted, given(len(node.arguments))))
