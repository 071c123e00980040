"""Everything that a game needs on paper, in one document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from dsl import rules as r
from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.game import Game
from rulewright.layout.colours import PALE
from rulewright.layout.compose import scene
from rulewright.layout.scene import Scene
from rulewright.messages import PieceTooLarge
from rulewright.printing.board_pages import draw_board
from rulewright.printing.canvas import Canvas
from rulewright.printing.card_pages import Drawing, draw_pages
from rulewright.printing.faces import draw_back, draw_face, draw_token
from rulewright.printing.paper import MARGIN, PAPERS, Sheet, sheet
from rulewright.printing.pieces import Piece, pieces_of
from rulewright.rulebook.document import Book

PARTS = ("cards", "tokens", "boards")
"""The parts of a kit, in their order."""
CARD, TILE, TOKEN = (63.0, 88.0), (45.0, 45.0), (16.0, 16.0)
TOKEN_GAP = 2.0
MOST = 99
"""So many pieces of one kind are printed at most."""


@dataclass(frozen=True, slots=True)
class PrintStyle:
    """How a kit is printed: `paper` is a key of `PAPERS`; `card` and `bleed` are in mm."""

    paper: str = "a4"
    card: tuple[float, float] = CARD
    bleed: float = 3.0
    parts: Sequence[str] = PARTS
    backs: bool = True
    fonts: Sequence[Path] = ()


@dataclass
class Kit:
    """A printed game: the file, the number of pages of each part, and remarks for who prints it."""

    data: bytes
    pages: dict[str, int]
    remarks: list[str] = field(default_factory=list)


def print_kit(game: Game, book: Book, style: PrintStyle) -> Kit:
    """A game on paper. Raises `DiagnosticError` if a piece is larger than a page."""
    printer = Printer(game, book, style)
    for part in style.parts:
        before = printer.canvas.pdf.pages_count
        printer.draw(part)
        printer.pages[part] = printer.canvas.pdf.pages_count - before
    return Kit(printer.canvas.data(), printer.pages, printer.remarks)


class Printer:
    """Draws the parts of a game, one after another, into one document."""

    def __init__(self, game: Game, book: Book, style: PrintStyle) -> None:
        self.game, self.book, self.style = game, book, style
        self.canvas = Canvas(PAPERS[style.paper], game.rules.title, style.fonts)
        self.scene: Scene = scene(game.rules, game.machine.seats)
        self.pages: dict[str, int] = {}
        self.remarks: list[str] = []

    def draw(self, part: str) -> None:
        DRAWN[part](self)

    # ---- cards, tiles and tokens

    def cards(self) -> None:
        """Cards and tiles with their backs, each kind on pages of its own."""
        for i, component in enumerate(self.game.rules.components.values()):
            shape = self.scene.faces[component.name].shape
            if shape in ("card", "tile"):
                size = self.style.card if shape == "card" else TILE
                faces = [
                    partial(_face, piece=piece, bleed=self.style.bleed) for piece in self._pieces(component)
                ]
                self._sheets(component, size, faces, PALE[i % len(PALE)].light)

    def _sheets(
        self, component: r.Component, size: tuple[float, float], faces: Sequence[Drawing], fill: str
    ) -> None:
        label = self.game.names.label(component.name)
        back = partial(_back, title=self.game.rules.title, kind=label, fill=fill, bleed=self.style.bleed)
        draw_pages(
            self.canvas, self._sheet(size, self.style.bleed), faces, back if self.style.backs else None
        )

    def _sheet(self, size: tuple[float, float], bleed: float) -> Sheet:
        found = sheet(PAPERS[self.style.paper], size, bleed)
        if found is None:
            width, height = PAPERS[self.style.paper]
            room = f"{width - 2 * MARGIN:g}x{height - 2 * MARGIN:g}"
            raise DiagnosticError(PieceTooLarge(NOWHERE, f"{size[0]:g}x{size[1]:g}", f"{bleed:g}", room))
        return found

    def _pieces(self, component: r.Component) -> list[Piece]:
        """Every single piece of a component; of a kind at most `MOST`."""
        found = []
        for piece in pieces_of(self.game, self.scene, component, {}):
            if piece.number > MOST:
                label = self.game.names.label(piece.name)
                self.remarks.append(f"of {piece.number} pieces `{label}` {MOST} are printed")
            found += [piece] * min(piece.number, MOST)
        return found

    def tokens(self) -> None:
        """Small pieces of all kinds, side by side."""
        faces: list[Drawing] = []
        for component in self.game.rules.components.values():
            shape = self.scene.faces[component.name].shape
            if shape in ("disc", "cube", "figure"):
                pieces = self._pieces(component)
                faces += [partial(_token, piece=piece, round_one=shape != "cube") for piece in pieces]
        if faces:
            draw_pages(self.canvas, self._sheet(TOKEN, TOKEN_GAP), faces, None, marks=False)

    # ---- boards

    def boards(self) -> None:
        """Each picture with boards; those that every seat has, once for each seat."""
        label = self.game.names.label
        for group in self.scene.groups:
            own = any(self.scene.boards[name].own for name in group)
            title = f"{self.game.rules.title}: {', '.join(label(name) for name in group)}"
            for seat in range(self.game.machine.seats) if own else (None,):
                who = f", {self.game.names.seat(seat)}" if seat is not None else ""
                draw_board(self.canvas, self.game, self.scene, group, title + who, seat)


DRAWN: Mapping[str, Callable[[Printer], None]] = {
    "cards": Printer.cards,
    "tokens": Printer.tokens,
    "boards": Printer.boards,
}


def _face(canvas: Canvas, box: tuple[float, float, float, float], *, piece: Piece, bleed: float) -> None:
    draw_face(canvas, box, bleed, piece)


def _back(
    canvas: Canvas, box: tuple[float, float, float, float], *, title: str, kind: str, fill: str, bleed: float
) -> None:
    draw_back(canvas, box, bleed, title, kind, fill)


def _token(canvas: Canvas, box: tuple[float, float, float, float], *, piece: Piece, round_one: bool) -> None:
    draw_token(canvas, box, piece, round_one)
