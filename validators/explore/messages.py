"""V501 to V507: findings of an exploration of all positions."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class NeverEntered(Diagnostic):
    """A phase is never entered, for any choices and any random outcomes.

    All positions were explored, so this is certain for the number of seats, the options and the preset that
    were used; others may enter it.
    """

    code = "V501"
    slug = "phase-never-entered"
    title = "phase `{name}` is never entered"
    advice = "correct the conditions that lead to it, or remove it"
    name: str


@dataclass(frozen=True)
class NeverEnds(Diagnostic):
    """The game never ends at this line, in any reachable position.

    All positions were explored, so this is certain for the explored configuration.
    """

    code = "V502"
    slug = "end-never-reached"
    title = "the game never ends here: `{name}`"
    advice = "correct what leads to it, or remove it"
    name: str


@dataclass(frozen=True)
class NeverOffered(Diagnostic):
    """An action is never offered to any seat, in any reachable position.

    All positions were explored. Usually one of its `needs` can never hold.
    """

    code = "V503"
    slug = "action-never-offered"
    title = "`{name}` is never offered"
    advice = "check its `needs` and the domains of its parameters"
    name: str


@dataclass(frozen=True)
class NeverWins(Diagnostic):
    """A seat never wins, whatever the others do, although the game has winners."""

    code = "V504"
    slug = "seat-never-wins"
    title = "seat {name} never wins"
    advice = "check what ends the game, and the lines of the score"
    name: str


@dataclass(frozen=True)
class NoEndAhead(Diagnostic):
    """From a reachable position, no end of the game can be reached.

    Play continues for ever, whatever the seats choose. The path shown is the shortest to such a position.
    """

    code = "V505"
    slug = "no-end-ahead"
    title = "from {number} of {all} positions no end can be reached"
    advice = "make sure that something runs out, or that a seat can end the game"
    number: int
    all: int


@dataclass(frozen=True)
class EndsWithout(Diagnostic):
    """A promise made with `eventually` has not held at any decision up to an end of the game."""

    code = "V506"
    slug = "ends-without"
    title = "the game can end although `{text}` has never held"
    advice = "correct the promise or the rule that breaks it"
    text: str


@dataclass(frozen=True)
class PutOff(Diagnostic):
    """A promise made with `eventually` can be postponed for ever: positions repeat without it."""

    code = "V507"
    slug = "put-off-for-ever"
    title = "`{text}` may be postponed for ever"
    advice = "make sure that something runs out before positions can repeat"
    text: str


def unseen(diagnostic: Diagnostic) -> str:
    """Something that was never seen, in a few words."""
    match diagnostic:
        case NeverEntered(name=name):
            return f"phase {name}"
        case NeverEnds(name=name):
            span = diagnostic.span
            return f"the end `{name}` at {span.source.name}:{span.line}"
        case NeverOffered(name=name):
            return f"an offer of `{name}`"
        case NeverWins(name=name):
            return f"a win of seat {name}"
    return diagnostic.message
