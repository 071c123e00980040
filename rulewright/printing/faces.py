"""Faces and backs of cards and tiles, and tokens. What stands on a face lies in bands, one below another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.layout.colours import readable
from rulewright.layout.letters import MM
from rulewright.printing.canvas import EDGE, Box, Canvas, inset
from rulewright.printing.pieces import Piece

SAFE = 3.5
"""Texts keep so far from the cut."""
GAP = 1.0
HEAD = 0.16
"""The height of the band with corner and top, in that of the face."""
SHARES = {"emblem": 5.0, "middle": 4.0, "body": 3.0, "rules": 5.0, "bottom": 2.0}
"""How the other bands that a face has share its height."""
SIZES = {
    "emblem": 11.0,
    "top": 13.0,
    "corner": 18.0,
    "middle": 15.0,
    "body": 11.0,
    "rules": 8.5,
    "bottom": 14.0,
}
"""The largest size of each part, in points."""
PICTURE = re.compile(r"data:\S+")
SIGN = 3
"""A name of so few characters is a sign, drawn as large as it fits."""


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """What the faces of a deck have in common, so that all have one layout.

    `parts` are those that any of them has. `named`: longer names than signs stand in their middle, so that
    short words among them are no signs.
    """

    parts: frozenset[str]
    named: bool

    @staticmethod
    def of(pieces: Sequence[Piece]) -> DeckStyle:
        names = (piece.texts.get("middle", "") for piece in pieces)
        named = any(len(name) > SIGN and not name.startswith("data:") for name in names)
        return DeckStyle(frozenset().union(*(_words(piece) for piece in pieces)), named)


def _words(piece: Piece) -> dict[str, str]:
    """What stands on a face by its part; a picture that no part of it shows is the emblem."""
    found = {part: words for part, words in {**piece.texts, "rules": piece.rules}.items() if words}
    if piece.sign.startswith("data:") and not any(piece.sign in words for words in found.values()):
        found["emblem"] = piece.sign
    return found


def draw_face(canvas: Canvas, box: Box, *, bleed: float, piece: Piece, style: DeckStyle) -> None:
    """The face of a card or tile; its colour goes beyond the cut."""
    _ground(canvas, box, bleed, piece.fill)
    inner = inset(box, SAFE if box[2] > 25 else box[2] * 0.08)
    texts = _words(piece)
    rest = _head(canvas, inner, texts, piece.ink, style)
    _bands(canvas, rest, texts, piece.ink, style)


def _ground(canvas: Canvas, box: Box, bleed: float, fill: str) -> None:
    x, y, width, height = box
    whole = (x - bleed, y - bleed, width + 2 * bleed, height + 2 * bleed)
    canvas.rectangle(whole, fill, None if bleed else EDGE)
    canvas.rectangle(inset(box, min(SAFE, width * 0.08) / 2), None, EDGE, radius=min(2.0, width / 20))


def _head(canvas: Canvas, box: Box, texts: Mapping[str, str], ink: str, style: DeckStyle) -> Box:
    """What stands at the top left and right; returns the room below."""
    top, corner = texts.get("top", ""), texts.get("corner", "")
    if not {"top", "corner"} & style.parts:
        return box
    x, y, width, height = box
    high = height * HEAD
    wide = width if not top else width * (0.35 if corner else 0.0)
    if corner:
        _part(canvas, (x + width - wide, y, wide, high), corner, "corner", ink, "right")
    if top:
        _part(canvas, (x, y, width - wide - (GAP if corner else 0), high), top, "top", ink, "left")
    return x, y + high + GAP, width, height - high - GAP


def _bands(canvas: Canvas, box: Box, texts: Mapping[str, str], ink: str, style: DeckStyle) -> None:
    x, y, width, height = box
    given = [part for part in SHARES if part in style.parts]
    whole = sum(SHARES[part] for part in given)
    room = height - GAP * max(len(given) - 1, 0)
    for part in given:
        high = room * SHARES[part] / whole
        align = "left" if part == "bottom" and len(given) > 1 else "middle"
        if part in texts:
            _part(canvas, (x, y, width, high), texts[part], part, ink, align, style.named)
        y += high + GAP


def _part(canvas: Canvas, box: Box, words: str, part: str, ink: str, align: str, named: bool = False) -> None:
    pictures = PICTURE.findall(words)
    if pictures:
        words = " ".join(PICTURE.sub(" ", words).split())
        box = _beside(canvas, box, pictures, alone=not words)
    if not words:
        return
    largest = SIZES[part]
    is_word = named and len(words) > 1 and words.isalpha()
    if part == "middle" and len(words) <= SIGN and not is_word:
        largest = min(box[2], box[3]) / MM * 0.7
    bold = part in ("corner", "middle")
    canvas.text_in(box, words, largest, ink, align, bold=bold)  # type: ignore[arg-type]


def _beside(canvas: Canvas, box: Box, pictures: Sequence[str], *, alone: bool) -> Box:
    """Draws the pictures of a part at the left of its texts; returns the room of these."""
    x, y, width, height = box
    side = width / len(pictures) if alone else min(height, width / 2 / len(pictures))
    for i, picture in enumerate(pictures):
        canvas.picture((x + i * side, y, side, height), picture)
    used = side * len(pictures)
    return x + used + GAP, y, max(width - used - GAP, 0.1), height


def draw_back(canvas: Canvas, box: Box, *, bleed: float, title: str, kind: str, fill: str) -> None:
    """The back of a card or tile: the same for all of a kind."""
    _ground(canvas, box, bleed, fill)
    ink = readable(fill)
    x, y, width, height = inset(box, SAFE)
    canvas.text_in((x, y + height * 0.2, width, height * 0.35), title, 18.0, ink, bold=True)
    canvas.text_in((x, y + height * 0.58, width, height * 0.2), kind, 11.0, ink)


def draw_token(canvas: Canvas, box: Box, *, piece: Piece, square: bool) -> None:
    """A small piece with its sign."""
    x, y, width, height = box
    if square:
        canvas.rectangle(box, piece.fill)
    else:
        canvas.circle((x + width / 2, y + height / 2), width / 2, piece.fill)
    inner = inset(box, width * 0.16)
    if piece.sign.startswith("data:"):
        canvas.picture(inner, piece.sign)
        return
    words = piece.sign if canvas.can_draw(piece.sign) else piece.plain_sign
    canvas.text_in(inner, words, height / MM * 0.55, piece.ink)
