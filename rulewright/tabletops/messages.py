"""What may be wrong when a game is exported to other tables: C468 and C469."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class PicturesNotInstalled(Diagnostic):
    """The libraries that draw pictures of cards are required but not installed.

    `rulewright export GAME --to images` and the exports to other tables draw cards, tokens and boards as PNG
    files. The libraries for that are an optional extra: `pip install "rulewright[images]"`. A game as one
    HTML file needs none of them.
    """

    code = "C468"
    slug = "pictures-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[images]"`'
    library: str


@dataclass(frozen=True)
class NothingToExport(Diagnostic):
    """A game has no cards, tokens, boards or dice of which pictures could be made.

    Nothing has been written. A game is exported with what its look draws; what the look hides, and what only
    the rules remember, has no picture.
    """

    code = "C469"
    slug = "nothing-to-export"
    title = "`{game}` has nothing to make pictures of"
    advice = "give it components or boards, and a look that does not hide them"
    game: str
