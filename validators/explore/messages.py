"""What only an exploration of positions can find, as mistakes with codes."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Mistake


@dataclass(frozen=True)
class NeverEntered(Mistake):
    """A phase is never entered, whatever is chosen and whatever chance brings.

    All positions were looked at, so this is certain for the number of seats, the options and the preset
    that were explored; others may enter it.
    """

    code = "V501"
    slug = "phase-never-entered"
    title = "phase `{name}` is never entered"
    mend = "correct the conditions that lead to it, or take it out"
    name: str


@dataclass(frozen=True)
class NeverEnds(Mistake):
    """The game can end at this line, but in no position that can be reached does it do so.

    All positions were looked at, so this is certain for what was explored.
    """

    code = "V502"
    slug = "end-never-reached"
    title = "the game never ends here: `{name}`"
    mend = "correct what leads to it, or take it out"
    name: str


@dataclass(frozen=True)
class NeverOffered(Mistake):
    """An action is never offered to anybody, in no position that can be reached.

    All positions were looked at. Most often one of its needs cannot be met.
    """

    code = "V503"
    slug = "action-never-offered"
    title = "`{name}` is never offered"
    mend = "look at its needs and at what its parameters are chosen from"
    name: str


@dataclass(frozen=True)
class NeverWins(Mistake):
    """A seat never wins, though the game has winners, and whatever the others do."""

    code = "V504"
    slug = "seat-never-wins"
    title = "seat {name} never wins"
    mend = "look at what ends the game, and at the lines of the account"
    name: str


@dataclass(frozen=True)
class NoEndAhead(Mistake):
    """From a position that can be reached, no end of the game can be reached any more.

    The seats could play for ever, whatever they choose. The path shown is the shortest to such a position.
    """

    code = "V505"
    slug = "no-end-ahead"
    title = "from {number} of {all} positions no end can be reached"
    mend = "make sure that something runs out, or that somebody can end the game"
    number: int
    all: int


@dataclass(frozen=True)
class EndsWithout(Mistake):
    """Something that `eventually` promises has not held at any stop up to an end of the game."""

    code = "V506"
    slug = "ends-without"
    title = "the game can end without `{text}` ever having held"
    mend = "either the promise is wrong or a rule is"
    text: str


@dataclass(frozen=True)
class PutOff(Mistake):
    """Something that `eventually` promises can be put off for ever: positions come round again without it."""

    code = "V507"
    slug = "put-off-for-ever"
    title = "`{text}` may be put off for ever"
    mend = "make sure that something runs out before positions can come round again"
    text: str
