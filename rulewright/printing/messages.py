"""What may be wrong when a game is printed: C530 to C533."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class PrintNotInstalled(Diagnostic):
    """The library that writes PDF files is required but not installed.

    `rulewright print` writes a game as pages to print, by a library for PDF. It is an optional extra:
    `pip install "rulewright[print]"`. Everything else works without it.
    """

    code = "C530"
    slug = "print-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[print]"`'
    library: str


@dataclass(frozen=True)
class NothingToPrint(Diagnostic):
    """A game has nothing of the parts that were asked for.

    A game without cards has no pages of cards, and one without a board none of boards. Nothing has been
    written. Ask for other parts, or for all of them, without `--only`.
    """

    code = "C531"
    slug = "nothing-to-print"
    title = "`{game}` has nothing of {parts} to print"
    advice = "{hint}"
    game: str
    parts: str
    hint: str


@dataclass(frozen=True)
class PieceTooLarge(Diagnostic):
    """A card or tile with its bleed is larger than the page, less the margin that printers leave white.

    Cards are laid upright or on their side, whichever lets more of them fit. Name a smaller size with
    `--card`, a smaller bleed, or a larger paper.
    """

    code = "C532"
    slug = "piece-too-large"
    title = "a card of {size} mm with {bleed} mm of bleed does not fit on a page"
    advice = "a page has room for {room} mm: choose a smaller `--card` or `--bleed`"
    size: str
    bleed: str
    room: str


@dataclass(frozen=True)
class FontUnreadable(Diagnostic):
    """A file that was named as a font cannot be used.

    `--font` adds TrueType or OpenType fonts, for characters that the fonts of Rulewright lack, such as those
    of other scripts. A font must be one that may be embedded.
    """

    code = "C533"
    slug = "font-unreadable"
    title = "the font `{path}` cannot be used: {why}"
    advice = "name a TrueType or OpenType file with `--font`"
    path: str
    why: str
