"""Everything that a game needs on paper, in one document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from dsl import rules as r
from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.game import Game
from rulewright.layout.colours import INK
from rulewright.layout.compose import scene
from rulewright.layout.faces_text import sign_of
from rulewright.layout.scene import Scene
from rulewright.printing.board_pages import draw_board, plan_of, shown_groups
from rulewright.printing.book_pages import draw_rulebook, draw_summaries
from rulewright.printing.canvas import Canvas, canvas_remarks
from rulewright.printing.card_pages import Drawing, draw_pages
from rulewright.printing.decks import CARD, decks_of, small_texts
from rulewright.printing.dice import NET, SIX, draw_net
from rulewright.printing.faces import draw_token
from rulewright.printing.messages import PieceTooLarge
from rulewright.printing.paper import MARGIN, PAPERS, CutSheet, sheet
from rulewright.printing.pieces import Piece, markers_of, pieces_of
from rulewright.printing.sheet_pages import draw_sheets
from rulewright.rulebook import document as d
from rulewright.rulebook.remarks import table_id
from rulewright.sentences.text import LINK, plain, slug, tidied

LARGEST_TOKEN, SMALLEST_TOKEN, IN_CELL = 16.0, 8.0, 0.85
"""The diameter of tokens in mm, and in that of the cells of the smallest board on which they lie."""
REFERENCE = re.compile(r" \(→ [^()]*\)")
GAP = 2.0
"""Between tokens, and between nets of dice, in mm."""
MOST = 200
"""So many pieces of one kind are printed at most."""


@dataclass(frozen=True, slots=True)
class PrintStyle:
    """How a kit is printed: `paper` is a key of `PAPERS`; `card` and `bleed` are in mm."""

    paper: str = "a4"
    card: tuple[float, float] = CARD
    bleed: float = 3.0
    parts: Sequence[str] = ()
    backs: bool = True
    fonts: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class Kit:
    """A printed game: the file, the number of pages of each part, and remarks for who prints it."""

    data: bytes
    pages: dict[str, int]
    remarks: list[str] = field(default_factory=list)


def print_kit(game: Game, book: d.Book, style: PrintStyle) -> Kit:
    """A game on paper. Raises `DiagnosticError` if a piece is larger than a page."""
    printer = Printer(game, book, style)
    pages = {}
    for part in style.parts or PARTS:
        before = printer.canvas.pdf.pages_count
        PARTS[part](printer)
        pages[part] = printer.canvas.pdf.pages_count - before
    return Kit(printer.canvas.data() if any(pages.values()) else b"", pages, [*printer.remarks()])


class Printer:
    """Draws the parts of a game, one after another, into one document."""

    def __init__(self, game: Game, book: d.Book, style: PrintStyle) -> None:
        self.game, self.book, self.style = game, book, style
        page, title = PAPERS[style.paper], game.rules.title
        self.canvas = Canvas(page, title, style.fonts, both_sides=style.backs)
        self.scene: Scene = scene(game.rules, game.machine.seats)
        self.fewer: dict[str, int] = {}
        self.aid_pages = 0
        self.small: dict[tuple[str, str, int], float] = {}

    def remarks(self) -> Iterator[str]:
        """What whoever prints must know: what is left out, and characters that no font has."""
        for name, number in self.fewer.items():
            yield f"of the {number} pieces `{self.game.names.label(name)}`, {MOST} are printed"
        yield from small_texts(self.game, self.small)
        if self.aid_pages > 1:
            yield f"the aid of a player is too long for a page: it has {self.aid_pages}"
        yield from canvas_remarks(self.canvas)

    # ---- cards and tiles

    def cards(self) -> None:
        """Cards and tiles with their backs, each kind on pages of its own."""
        told = {name: effects(self.book, it) for name, it in self.game.rules.components.items()}
        for deck in decks_of(self.game, self.scene, told, self.style.card):
            bleed = self.style.bleed
            pieces = list(self._each(deck.pieces))
            faces = [deck.face(piece, bleed) for piece in pieces]
            backs = [deck.back(piece, bleed) for piece in pieces] if self.style.backs else []
            draw_pages(self.canvas, self._sheet(deck.size, bleed), faces, backs)
            self.small |= {(deck.component.name, *key): size for key, size in deck.small.items()}

    def _sheet(self, size: tuple[float, float], bleed: float) -> CutSheet:
        found = sheet(PAPERS[self.style.paper], size, bleed)
        if found is None:
            width, height = PAPERS[self.style.paper]
            room = f"{width - 2 * MARGIN:g}x{height - 2 * MARGIN:g}"
            raise DiagnosticError(PieceTooLarge(NOWHERE, f"{size[0]:g}x{size[1]:g}", f"{bleed:g}", room))
        return found

    def _pieces(self, component: r.Component) -> Iterator[Piece]:
        """Every single piece of a component; of a kind at most `MOST`."""
        yield from self._each(pieces_of(self.game, self.scene, component, {}))

    def _each(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        for piece in pieces:
            if piece.number > MOST:
                self.fewer[piece.name] = piece.number
            yield from [piece] * min(piece.number, MOST)

    # ---- small pieces and dice

    def tokens(self) -> None:
        """Small pieces of all kinds side by side, faces of dice that are not cubes, markers for boards."""
        faces: list[Drawing] = []
        for component in self.game.rules.components.values():
            shape = self.scene.faces[component.name].shape
            if shape in ("disc", "cube", "figure", "wedge"):
                square = shape == "cube"
                faces += [partial(draw_token, piece=p, square=square) for p in self._pieces(component)]
            elif component.die is not None and len(component.classes) != SIX:
                faces += [partial(draw_token, piece=piece, square=True) for piece in self._faces(component)]
        markers = self._each(markers_of(self.game, self.scene))
        faces += [partial(draw_token, piece=piece, square=False) for piece in markers]
        if faces:
            draw_pages(self.canvas, self._sheet((self._token(),) * 2, GAP), faces, marks=False)

    def _token(self) -> float:
        """The diameter of tokens: such that they fit on the boards as they are printed."""
        first = [self.scene.boards[group[0]] for group in shown_groups(self.game, self.scene)]
        cells = [plan_of(board, self.canvas.page).scale * board.size for board in first]
        return min(LARGEST_TOKEN, max(SMALLEST_TOKEN, IN_CELL * min(cells, default=LARGEST_TOKEN / IN_CELL)))

    def _faces(self, component: r.Component) -> Iterator[Piece]:
        """The faces of a die, each once: to be drawn blindly."""
        once = replace(component, copies=(1,) * len(component.classes))
        yield from pieces_of(self.game, self.scene, once, {})

    def dice(self) -> None:
        """Nets of dice with six faces."""
        nets: list[Drawing] = []
        for component in self.game.rules.components.values():
            if component.die is not None and len(component.classes) == SIX:
                nets += self._nets(component)
        if nets:
            draw_pages(self.canvas, self._sheet(NET, GAP), nets, marks=False)

    def _nets(self, component: r.Component) -> Iterator[Drawing]:
        face, seats = self.scene.faces[component.name], self.game.machine.seats
        texts = [face.icons.get(name) or sign_of(face, name) for name in component.classes]
        number = component.copies[0] * (seats if component.per_seat else 1)
        for i in range(min(number, MOST)):
            seat = i % seats if component.per_seat else None
            fill = (
                self.scene.seats.colours[seat]
                if seat is not None
                else next(iter(face.colours.values()), "#fff")
            )
            ink = self.scene.seats.ink[seat] if seat is not None else next(iter(face.ink.values()), INK)
            yield partial(draw_net, faces=texts, fill=fill, ink=ink)

    # ---- boards and sheets

    def boards(self) -> None:
        """Each picture with boards; those that every seat has, once for each seat."""
        label = self.game.names.label
        for group in shown_groups(self.game, self.scene):
            own = any(self.scene.boards[name].own for name in group)
            title = f"{self.game.rules.title}: {', '.join(label(name) for name in group)}"
            for seat in range(self.game.machine.seats) if own else (None,):
                who = f", {self.game.names.seat(seat)}" if seat is not None else ""
                draw_board(self.canvas, self.game, self.scene, group, title + who, seat)

    def sheets(self) -> None:
        draw_sheets(self.canvas, self.game, self.scene)

    def aids(self) -> None:
        self.aid_pages = draw_summaries(self.canvas, self.book, self.game.machine.seats)

    def rulebook(self) -> None:
        draw_rulebook(self.canvas, self.book)


PARTS: Mapping[str, Callable[[Printer], None]] = {
    "cards": Printer.cards,
    "tokens": Printer.tokens,
    "dice": Printer.dice,
    "boards": Printer.boards,
    "sheets": Printer.sheets,
    "aids": Printer.aids,
    "rulebook": Printer.rulebook,
}
"""What a kit consists of, in the order of its pages."""


def effects(book: d.Book, component: r.Component) -> dict[str, str]:
    """What each class of a component does, as the rulebook says it; nothing for those without an effect."""
    found: dict[str, str] = {}
    section = next((s for s in d.all_sections(book.sections) if s.id == table_id(component.name)), None)
    texts: dict[str, str] = {}
    for block in section.blocks if section is not None else ():
        if isinstance(block, d.Table) and block.effects is not None:
            texts |= {row.id: row.cells[block.effects].text for row in block.rows}
    for name in component.classes if texts else ():
        text = texts.get(slug(component.name, name), "")
        told_once = LINK.fullmatch(text)
        text = texts.get(told_once[1], text) if told_once is not None else text
        found[name] = REFERENCE.sub("", tidied(plain(text)))
    return found
