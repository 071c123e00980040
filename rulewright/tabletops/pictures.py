"""Cards, tokens and boards as PNG files, drawn as the printer draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.game import Game
from rulewright.layout.scene import Scene
from rulewright.printing.board_pages import draw_whole, shown_groups
from rulewright.printing.canvas import Canvas, canvas_remarks
from rulewright.printing.card_pages import Drawing
from rulewright.printing.decks import CARD, Deck, small_texts
from rulewright.printing.faces import draw_token
from rulewright.printing.pieces import Piece, markers_of, pieces_of

if TYPE_CHECKING:
    from PIL.Image import Image

COLUMNS, ROWS, LARGEST = 10, 7, 4096
"""A sheet has at most so many cards side by side and one below another, and so many pixels a side."""
DPI = 300
"""The most pixels of an inch."""
BOARD_DPI = 150
"""The same for boards."""
INCH = 25.4
TOKEN = 16.0
"""The diameter of small pieces in mm."""
AROUND, WIDEST = 1.2, 900.0
"""The diameter of a cell in that of what lies on it; the longest side of a board in mm."""
QUICK = 3
"""How hard PNG files are packed: harder takes much longer and saves little."""


@dataclass(frozen=True, slots=True)
class CardSheet:
    """Cards of one deck in one picture, row by row. `back` is that of all, or a sheet with one for each."""

    face: str
    back: str
    names: tuple[str, ...]
    columns: int
    rows: int
    one_back: bool


@dataclass(frozen=True, slots=True)
class Token:
    """A small piece as a picture, and its size in mm."""

    file: str
    label: str
    size: float
    round: bool


@dataclass(frozen=True, slots=True)
class PicturedBoard:
    """A picture of boards: its size in mm, and the mm of a unit of the scene. `seat`: whose it is."""

    group: tuple[str, ...]
    seat: int | None
    file: str
    label: str
    width: float
    height: float
    scale: float


@dataclass(frozen=True, slots=True)
class Pictures:
    """All pictures of a game: files by name, sheets by component, tokens by their keys, boards.

    `markers` are pieces for what no component declares, each with their number.
    """

    files: dict[str, bytes]
    decks: dict[str, Deck]
    sheets: dict[str, tuple[CardSheet, ...]]
    tokens: dict[TokenKey, Token]
    markers: tuple[tuple[Token, int], ...]
    boards: tuple[PicturedBoard, ...]
    remarks: tuple[str, ...] = ()


TokenKey = tuple[str, str, int | None]
"""Component, class, and the seat whose it is if all are alike."""


def make_pictures(
    game: Game,
    scene: Scene,
    decks: Iterable[Deck],
    *,
    single: bool,
    dpi: float = DPI,
    fonts: Sequence[Path] = (),
) -> Pictures:
    """Draws what a game has. `single`: also each card by itself, at so many pixels an inch."""
    maker = _Maker(game, scene, Canvas((100.0, 100.0), game.rules.title, fonts, both_sides=False), dpi)
    kept = {deck.component.name: deck for deck in decks if deck.pieces}
    sheets = {name: tuple(maker.sheets(deck, single)) for name, deck in kept.items()}
    tokens = dict(maker.tokens())
    markers = tuple(maker.markers())
    boards = tuple(maker.boards())
    files = maker.files() if maker.planned else {}
    small = {(name, *key): size for name, deck in kept.items() for key, size in deck.small.items()}
    return Pictures(
        files, kept, sheets, tokens, markers, boards, (*small_texts(game, small), *maker.remarks())
    )


@dataclass(frozen=True, slots=True)
class _Cell:
    """A page that becomes a picture, or a part of one: where it lies in it, and its size in pixels."""

    page: int
    at: tuple[int, int]
    pixels: tuple[int, int]
    outline: str


class _Maker:
    """Draws pages into one document, and notes of which pictures they are parts."""

    def __init__(self, game: Game, scene: Scene, canvas: Canvas, dpi: float) -> None:
        self.game, self.scene, self.canvas, self.dpi = game, scene, canvas, dpi
        self.planned: dict[str, list[_Cell]] = {}

    def page(self, size: tuple[float, float], draw: Drawing) -> int:
        """Draws a piece on a page of its own, in mm; returns the number of the page."""
        self.canvas.pdf.add_page(format=size)
        draw(self.canvas, (0.0, 0.0, *size))
        return self.canvas.pdf.pages_count - 1

    def single(
        self, file: str, size: tuple[float, float], page: int, scale: float, outline: str = "rectangle"
    ) -> None:
        """Notes that a page is a picture, with so many pixels for a mm."""
        self.planned[file] = [_Cell(page, (0, 0), _pixels(size, scale), outline)]

    # ---- cards

    def sheets(self, deck: Deck, single: bool) -> Iterator[CardSheet]:
        """The sheets of a deck, and each card by itself."""
        name, size, outline = deck.component.name, deck.size, deck.outline
        one_back = deck.one_back
        one = f"{name}-back.png"
        if one_back:
            back = self.page(size, deck.back(deck.pieces[0], 0.0))
            self.single(one, size, back, min(self.dpi / INCH, LARGEST / max(size)), outline)
        pieces = list({piece.name: piece for piece in deck.pieces}.values())
        for first in range(0, len(pieces), COLUMNS * ROWS):
            some = pieces[first : first + COLUMNS * ROWS]
            number = first // (COLUMNS * ROWS) + 1
            columns, scale = columns_and_scale(len(some), size, self.dpi)
            faces = [self.page(size, deck.face(piece, 0.0)) for piece in some]
            self.sheet(f"{name}-{number}.png", faces, size, columns, scale, outline)
            backs = one
            if not one_back:
                pages = [self.page(size, deck.back(piece, 0.0)) for piece in some]
                backs = f"{name}-{number}-back.png"
                self.sheet(backs, pages, size, columns, scale, outline)
            for piece, page in zip(some, faces, strict=True) if single else ():
                self.single(f"{name}/{piece.name}.png", size, page, self.dpi / INCH, outline)
            names = tuple(piece.name for piece in some)
            rows = ceil(len(some) / columns)
            yield CardSheet(f"{name}-{number}.png", backs, names, columns, rows, one_back)

    def sheet(
        self,
        file: str,
        pages: Sequence[int],
        size: tuple[float, float],
        columns: int,
        scale: float,
        outline: str,
    ) -> None:
        pixels = _pixels(size, scale)
        self.planned[file] = [
            _Cell(page, (i % columns * pixels[0], i // columns * pixels[1]), pixels, outline)
            for i, page in enumerate(pages)
        ]

    # ---- small pieces

    def tokens(self) -> Iterator[tuple[TokenKey, Token]]:
        """What is no card: by component, class, and the seat whose it is if all are alike."""
        for component in self.game.rules.components.values():
            face = self.scene.faces[component.name]
            if face.shape in ("card", "tile"):
                continue
            square = face.shape in ("cube", "die")
            for seat, piece in (
                enumerate(pieces_of(self.game, self.scene, component, {})) if face.owned else ()
            ):
                yield (component.name, piece.name, seat), self.token(piece, component.name, seat, square)
            once = replace(component, copies=(1,) * len(component.classes))
            nobodys = replace(
                self.scene, faces={**self.scene.faces, component.name: replace(face, owned=False)}
            )
            for piece in pieces_of(self.game, nobodys, once, {}):
                yield (component.name, piece.name, None), self.token(piece, component.name, None, square)

    def markers(self) -> Iterator[tuple[Token, int]]:
        for i, piece in enumerate(markers_of(self.game, self.scene)):
            yield self.token(piece, f"marker-{i + 1}", None, False), piece.number

    def token(self, piece: Piece, kind: str, owner: int | None, square: bool) -> Token:
        draw = partial(draw_token, piece=piece, square=square)
        name = self.game.names.label(piece.name)
        whose = f" ({self.game.names.seat(owner)})" if owner is not None else ""
        file = f"{kind}-{piece.name}{f'-{owner + 1}' if owner is not None else ''}.png"
        size = (TOKEN, TOKEN)
        outline = "rectangle" if square else "round"
        self.single(file, size, self.page(size, draw), self.dpi / INCH, outline)
        return Token(file, f"{name}{whose}", TOKEN, not square)

    # ---- boards

    def boards(self) -> Iterator[PicturedBoard]:
        """Each picture of boards; what every seat has, once for each."""
        for number, group in enumerate(shown_groups(self.game, self.scene)):
            first = self.scene.boards[group[0]]
            own = any(self.scene.boards[name].own for name in group)
            scale = min(self.cell(group) / first.size, WIDEST / max(first.width, first.height))
            size = first.width * scale, first.height * scale
            label = ", ".join(self.game.names.label(name) for name in group)
            for seat in range(self.game.machine.seats) if own else (None,):
                drawing = partial(
                    draw_whole, game=self.game, scene=self.scene, group=group, seat=seat, scale=scale
                )
                file = f"board-{number + 1}{f'-{seat + 1}' if seat is not None else ''}.png"
                pixels = min(BOARD_DPI / INCH, LARGEST / max(size))
                self.single(file, size, self.page(size, drawing), pixels)
                yield PicturedBoard(tuple(group), seat, file, label, *size, scale)

    def cell(self, group: Sequence[str]) -> float:
        """The diameter of a cell in mm: as large as the largest piece that lies on one."""
        places = self.game.machine.place_components
        lying = {
            places[name] for name, zone in self.scene.zones.items() if zone.board in group and name in places
        }
        sizes = [
            max(self.scene.faces[name].measure or CARD)
            for name in lying
            if self.scene.faces[name].shape in ("card", "tile")
        ]
        return max([*sizes, TOKEN]) * AROUND

    # ---- files

    def files(self) -> dict[str, bytes]:
        """The pictures as PNG files."""
        from PIL import Image as Images

        rendered = Rendered(self.canvas)
        found = {}
        for file, cells in self.planned.items():
            if len(cells) == 1:
                (cell,) = cells
                found[file] = png(cut_out(rendered.picture(cell.page, cell.pixels), cell.outline))
                continue
            width = max(cell.at[0] + cell.pixels[0] for cell in cells)
            height = max(cell.at[1] + cell.pixels[1] for cell in cells)
            see_through = any(cell.outline != "rectangle" for cell in cells)
            whole = Images.new("RGBA" if see_through else "RGB", (width, height))
            for cell in cells:
                whole.paste(cut_out(rendered.picture(cell.page, cell.pixels), cell.outline), cell.at)
            found[file] = png(whole)
        return found

    def remarks(self) -> Iterator[str]:
        yield from canvas_remarks(self.canvas)


def _pixels(size: tuple[float, float], scale: float) -> tuple[int, int]:
    """At most so large that a sheet of them is no larger than it may be."""
    width, height = (max(1, int(side * scale)) for side in size)
    return width, height


# ---- sizes and files


def columns_and_scale(number: int, size: tuple[float, float], dpi: float = DPI) -> tuple[int, float]:
    """In how many columns cards are largest in one sheet, and the pixels of a mm."""

    def scale(columns: int) -> float:
        rows = ceil(number / columns)
        if rows > ROWS:
            return 0.0
        return min(LARGEST / (columns * size[0]), LARGEST / (rows * size[1]), dpi / INCH)

    best = max(range(1, min(number, COLUMNS) + 1), key=lambda columns: (scale(columns), -columns))
    return best, scale(best)


class Rendered:
    """The pages of a document as pictures."""

    def __init__(self, canvas: Canvas) -> None:
        from pypdfium2 import PdfDocument

        self._document = PdfDocument(canvas.data())

    def picture(self, page: int, pixels: tuple[int, int]) -> Image:
        """A page in so many pixels."""
        found = self._document[page]
        scale = max(pixels[0] / found.get_width(), pixels[1] / found.get_height())
        image: Image = found.render(scale=scale).to_pil().convert("RGB")
        return image if image.size == pixels else image.resize(pixels)


def png(image: Image) -> bytes:
    """A picture as a PNG file."""
    data = BytesIO()
    image.save(data, "PNG", compress_level=QUICK)
    return data.getvalue()


def cut_out(image: Image, outline: str) -> Image:
    """What lies outside of the outline is seen through."""
    if outline == "rectangle":
        return image
    from PIL import Image as Images, ImageDraw

    from rulewright.layout.boxes import hexagon

    mask = Images.new("L", (image.width * 2, image.height * 2), 0)
    whole = (0.0, 0.0, mask.width - 1.0, mask.height - 1.0)
    if outline == "round":
        ImageDraw.Draw(mask).ellipse(whole, fill=255)
    else:
        ImageDraw.Draw(mask).polygon(hexagon(whole), fill=255)
    image = image.convert("RGBA")
    image.putalpha(mask.resize(image.size))
    return image
