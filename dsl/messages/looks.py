"""D086 to D089, D100, D119 and D144 to D146: looks that do not fit what they are for."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span


@dataclass(frozen=True)
class UnknownColour(Diagnostic):
    """A colour is neither `#rgb` nor `#rrggbb` nor one of a few words.

    The words are `white`, `black`, `grey`, `red`, `orange`, `yellow`, `green`, `blue`, `purple`, `pink`,
    `brown`, `gold`, `silver` and `cream`. They stand for shades that people with any colour vision tell
    apart as well as can be. The text on a colour, and its shade on a dark page, are computed from it.

    Example:

        seats: {A: crimson, B: blue}

    Write one of the words, or the digits: `"#dc143c"`, in quotes, since `#` begins a comment.
    """

    code = "D086"
    slug = "unknown-colour"
    title = "unknown colour `{name}`"
    advice = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class PlacesMissing(Diagnostic):
    """The positions of a board leave places out, or give two places one position.

    A place without a position could be neither seen nor chosen. One on top of another hides it.

    Example:

        boards:
          point: {positions: {a1: [0, 0], b1: [1, 0]}}

    Give each place of the board a position of its own.
    """

    code = "D087"
    slug = "places-missing"
    title = "{where} {wrong}"
    advice = "each place of the board needs a position of its own"
    where: str
    wrong: str


@dataclass(frozen=True)
class UnusablePicture(Diagnostic):
    """A picture is not a plain SVG, PNG or JPEG file.

    Pictures are shown in a browser, and a ruleset often comes from somebody else. So an SVG file may draw,
    and no more: no scripts, no handlers, no styles, no entities, nothing fetched from elsewhere. What draws
    is kept: shapes, paths, text, gradients, and references to parts of the same file.

    Example:

        <svg xmlns="http://www.w3.org/2000/svg"><script>fetch("//elsewhere")</script></svg>

    Save it as plain SVG, without what the message names, or as PNG or JPEG.
    """

    code = "D088"
    slug = "unusable-picture"
    title = "`{path}` cannot be shown: {why}"
    advice = "save it as a plain SVG file, or as PNG or JPEG"
    path: str
    why: str


@dataclass(frozen=True)
class LargePicture(Diagnostic):
    """A picture has more bytes than it may have, or all pictures together have.

    Everybody at the table loads all pictures before the first move, and a game as one file contains them.

    Example:

        boards:
          map: {picture: photograph.png}

    Draw it with fewer points or colours.
    """

    code = "D089"
    slug = "large-picture"
    title = "{what} has {size} bytes; the limit is {most}"
    advice = "draw it with fewer points or colours"
    what: str
    size: int
    most: int


@dataclass(frozen=True)
class ShowsSecret(Diagnostic):
    """A value that the table shows reads what not everybody sees.

    What the table shows, it shows to all, and to spectators. A hand that only its owner sees would be told by
    a value that counts its points.

    Example:

        shown: [points]
        value points(seat) = sum(card.worth for card in hand of seat)

    Show a value that reads open things alone, such as the number of cards, `size(hand of seat)`.
    """

    code = "D119"
    slug = "shows-a-secret"
    title = "`{name}` is to be shown to all, but reads `{hidden}`, which not everybody sees"
    advice = "show a value that reads only what everybody sees"
    name: str
    hidden: str
    read: Span | None = None

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.read, "read here"),) if self.read is not None else ()


@dataclass(frozen=True)
class CannotBeDrawn(Diagnostic):
    """Something is to be drawn in a way, or in a place, that does not fit what it is.

    Only what has a place of a board for each of its values can lie on that board; only a counter can be a
    track or a heap; a text of a face names columns of its component, `{label}` or `{sign}`.

    Example:

        zones: {deck: {board: disc}}

    Choose a way that fits, or leave it to the automatic choice.
    """

    code = "D100"
    slug = "cannot-be-drawn"
    title = "{what} cannot be drawn {how}"
    advice = "{hint}"
    what: str
    how: str
    hint: str


@dataclass(frozen=True)
class UnknownIcon(Diagnostic):
    """A text on a card has a name in braces that is no icon of the look.

    In the texts of a table, names in braces stand for the icons that the look lists under `icons`, as in
    "pay {wood}". A name that is none of them would be printed as it is.

    Example:

        icons: {wood: wood.svg}
        text of a card: "Pay {wod}: draw a card"

    Correct the name in the cell, or list the icon in the look.
    """

    code = "D144"
    slug = "unknown-icon"
    title = "unknown icon `{name}` in column `{column}`"
    advice = "{hint}"
    name: str
    column: str
    hint: str


@dataclass(frozen=True)
class BoxOutside(Diagnostic):
    """A box of a face lies outside of the card, further than any bleed goes.

    Boxes are in mm from the upper left corner of what is cut out: left, top, width, height. What is to go to
    the edge goes beyond it, so that no white line is left where the cut is not exact; `box: all` does so.

    Example:

        card: {size: mini-euro, face: [{box: [3, 50, 40, 40], text: "{label}"}]}

    Move the box, make it smaller, or give the card another `size`.
    """

    code = "D145"
    slug = "box-outside"
    title = "{where} lies more than {bleed} mm outside of the card"
    advice = "the card is {size} mm: write `[left, top, width, height]`"
    where: str
    size: str
    bleed: str


@dataclass(frozen=True)
class UnknownSize(Diagnostic):
    """The size of a card is no name that is known.

    The names are those that printers of games use: `poker`, `bridge`, `tarot`, `euro`, `mini`, `mini-euro`,
    `jumbo`, `square`, `hex` and `round`.

    Example:

        pieces: {card: {size: pocker}}

    Write one of the names, or the width and height in mm: `size: [63, 88]`.
    """

    code = "D146"
    slug = "unknown-size"
    title = "unknown size `{name}` of a card"
    advice = "{hint}"
    name: str
    hint: str
