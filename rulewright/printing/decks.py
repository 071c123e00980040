"""Decks: the cards or tiles of one component, of one size, with their faces and backs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from dsl import rules as r
from dsl.rules.look import FaceBox, Outline
from dsl.wording import counted
from interpreter.game import Game
from rulewright.layout.boxes import LaidFace, lay_out
from rulewright.layout.colours import PALE
from rulewright.layout.faces_text import box_texts, sign_of
from rulewright.layout.scene import Face, Scene
from rulewright.printing.canvas import Canvas
from rulewright.printing.card_pages import Drawing
from rulewright.printing.face_boxes import draw_parts
from rulewright.printing.faces import DeckStyle, draw_back, draw_face
from rulewright.printing.pieces import Piece, pieces_of

CARD, TILE = (63.0, 88.0), (45.0, 45.0)
"""The sizes in mm of cards and tiles of which the look says nothing."""


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of a component. `pieces` are their kinds, each with its number.

    `small` collects the texts of faces as data that are smaller than they may be: by the kind of card and the
    number of the box, in points.
    """

    game: Game
    component: r.Component
    look: Face
    size: tuple[float, float]
    outline: Outline
    pieces: tuple[Piece, ...]
    style: DeckStyle
    fill: str
    small: dict[tuple[str, int], float] = field(default_factory=dict)

    def face(self, piece: Piece, bleed: float) -> Drawing:
        """Draws the face of a card into the box that is cut out."""
        if self.look.boxes:
            return partial(self._boxes, piece=piece, boxes=self.look.boxes, bleed=bleed)
        return partial(draw_face, bleed=bleed, piece=piece, style=self.style)

    def back(self, piece: Piece, bleed: float) -> Drawing:
        """Draws the back of a card."""
        if self.look.back:
            return partial(self._boxes, piece=piece, boxes=self.look.back, bleed=bleed)
        title, kind = self.game.rules.title, self.game.names.label(self.component.name)
        return partial(draw_back, bleed=bleed, title=title, kind=kind, fill=self.fill)

    @property
    def one_back(self) -> bool:
        """Whether all cards have the same back."""
        return len({key for key, _ in self.backs()}) <= 1

    def backs(self) -> Iterator[tuple[object, Piece]]:
        """The pieces, each with what its back depends on."""
        for piece in self.pieces:
            name = piece.name
            row = self.component.classes.index(name)
            texts = tuple(box_texts(self.game, self.component, row, self.look.back))
            shown = tuple(
                (box.fills.get(name), box.edges.get(name), box.inks.get(name), box.pictures.get(name))
                for box in self.look.back
            )
            yield (texts, shown), piece

    def _boxes(
        self, canvas: Canvas, box: tuple[float, float, float, float], *,
        piece: Piece, boxes: Sequence[FaceBox], bleed: float,
    ) -> None:  # fmt: skip
        laid = self.laid(canvas, piece, boxes, bleed)
        self.small.update({(piece.name, number): size for number, size in laid.small})
        draw_parts(canvas, box, bleed, laid.parts, self.outline)

    def laid(self, canvas: Canvas, piece: Piece, boxes: Sequence[FaceBox], bleed: float) -> LaidFace:
        """A face as data, with the letters of a canvas."""
        row = self.component.classes.index(piece.name)
        texts = list(box_texts(self.game, self.component, row, boxes))
        width, height = self.size
        whole = (-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)
        sign = self.look.icons.get(piece.name) or sign_of(self.look, piece.name)
        icons = {**self.game.rules.look.icons, "sign": sign}
        return lay_out(boxes, piece.name, texts, icons, whole, partial(_measured, canvas))


def _measured(canvas: Canvas, text: str, bold: bool) -> float:
    return canvas.measure(text, 1.0, bold)


def decks_of(
    game: Game, scene: Scene, told: Mapping[str, Mapping[str, str]], card: tuple[float, float] | None = None
) -> Iterator[Deck]:
    """The decks of a game. `told` has what cards do, by component and class; `card` is the size of cards
    of which the look says nothing."""
    for i, component in enumerate(game.rules.components.values()):
        face = scene.faces[component.name]
        if face.shape not in ("card", "tile"):
            continue
        pieces = tuple(pieces_of(game, scene, component, told.get(component.name, {})))
        size = face.measure or ((card or CARD) if face.shape == "card" else TILE)
        fill = PALE[i % len(PALE)].light
        yield Deck(game, component, face, size, face.outline, pieces, DeckStyle.of(pieces), fill)


MOST_SHOWN = 12
"""So many texts in too little room are named."""


def small_texts(game: Game, small: Mapping[tuple[str, str, int], float]) -> Iterator[str]:
    """Of which cards a box has too little room for its text."""
    for (_, name, box), size in sorted(small.items(), key=lambda it: it[1])[:MOST_SHOWN]:
        yield f"box {box} of `{game.names.label(name)}` has its text in {size:.1f} points: give it more room"
    if len(small) > MOST_SHOWN:
        yield f"and {counted(len(small) - MOST_SHOWN, 'other text')} in too little room"
