"""Positions in files: where a match begins, written as `given` of a scenario is."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.declare.nodes import flag, mapping, word
from dsl.declare.symbol_table import SymbolTable, keys
from dsl.diagnostics import DiagnosticError, Report
from dsl.document import Node, Scalar, Sequence, read
from dsl.folder import NO_FILES
from dsl.messages.shapes import WrongShape
from dsl.numbers import whole
from dsl.source import NOWHERE, Source, Span
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.messages import BadPosition
from interpreter.opening import Opening, opened
from interpreter.position import CannotPlace
from rulewright.files.reading import read_source
from validators.scenarios.reading import each_set, options_of

KEYS = ("seats", "options", "at", "seat", "prepared", "set", "spare", "carried")
LARGEST = 1_000_000
"""The largest file with a position, in bytes."""
MOST_SEATS = 99


@dataclass(frozen=True)
class PositionFile:
    """A position with the number of seats and the options that it is meant for, as far as it says so."""

    opening: Opening
    seats: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    span: Span = NOWHERE
    spans: dict[str, Span] = field(default_factory=dict)
    """Where each address is set."""

    def match(self, game: Game, seed: int) -> Match:
        """A match that begins here. Raises `DiagnosticError` at what cannot be placed, and `Fault`."""
        match = Match(game, seed, opening=self.opening)
        self._open(match)
        return match.start()

    def game(self, game: Game, executor: ExecutorKind = "reference") -> Game:
        """The game that begins here with every match; a prepared position is the same in all of them.

        Raises `DiagnosticError` at what cannot be placed.
        """
        match = Match(game, opening=self.opening)
        node = self._open(match)
        return Game(game.ruleset, opened(game, match.state, node), executor, game.wording)

    def _open(self, match: Match) -> int:
        try:
            return match.open()
        except CannotPlace as error:
            span = self.spans.get(error.address, self.span)
            raise DiagnosticError(BadPosition(span, str(error), error.hint)) from None


def read_position(path: str) -> PositionFile:
    """The position in a file. Raises `ErrorsReported` or `DiagnosticError` if it cannot be read."""
    return position_in(read_source(path, LARGEST))


def position_in(source: Source) -> PositionFile:
    """The position in a text. Raises `ErrorsReported` or `DiagnosticError` if it cannot be read."""
    report = Report()
    symbols = SymbolTable(report, frozenset(), NO_FILES)
    found = symbols.attempt(_position, symbols, read(source))
    report.stop_on_errors()
    assert found is not None
    return found


def _position(symbols: SymbolTable, node: Node) -> PositionFile:
    given = keys(symbols, node, "a position", KEYS)
    at, seat, seats = given.get("at"), given.get("seat"), given.get("seats")
    carried = given.get("carried")
    written = given.get("set") if carried is None else carried
    pairs = tuple(each_set(_pairs(written, "`set`" if carried is None else "`carried`")))
    other = next((name for name in ("at", "seat", "prepared", "set") if given.get(name) is not None), None)
    if carried is not None and other is not None:
        hint = "the match begins at its start, with its set-up"
        raise DiagnosticError(
            WrongShape(carried.span, "a position with `carried`", f"without `{other}`", hint)
        )
    opening = Opening(
        tuple((address.text, _texts(value)) for address, value in pairs),
        word(at, "`at`").text if at is not None else None,
        word(seat, "`seat`").text if seat is not None else None,
        _flag(given.get("prepared"), "`prepared`"),
        _flag(given.get("spare"), "`spare`"),
        carried is not None,
    )
    options = options_of(given.get("options"))
    spans = {address.text: address.span for address, _ in pairs}
    return PositionFile(opening, _seats(seats), options, given.span.first_line(), spans)


def _seats(node: Node | None) -> int | None:
    if node is None:
        return None
    number = whole(word(node, "`seats`").text)
    if number is None or not 1 <= number <= MOST_SEATS:
        raise DiagnosticError(WrongShape(node.span, "`seats`", "a whole number"))
    return number


def _pairs(node: Node | None, where: str) -> tuple[tuple[Scalar, Node], ...]:
    return mapping(node, where).pairs if node is not None else ()


def _flag(node: Node | None, where: str) -> bool:
    return node is not None and flag(node, where)


def _texts(node: Node) -> tuple[str, ...]:
    if isinstance(node, Sequence):
        return tuple(word(item, "an item").text for item in node.items)
    return (word(node, "what is set", "a word or a list of words").text,)
