"""What can be wrong with a question about beliefs."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class UnknownInBeliefs(Diagnostic):
    """Beliefs were asked about a name that is not in this game.

    Places are written as in views, such as `hand of B` or `slot of A at 3`, and so are counters, marks and
    pointers. A piece is named as its component declares it, and a seat by its name or number; `spectator`
    stands for somebody who watches. `unseen()` and `unread()` list what a seat does not see.
    """

    code = "R257"
    slug = "unknown-in-beliefs"
    title = "there is no {kind} `{name}`"
    advice = "{hint}"
    kind: str
    name: str
    hint: str


@dataclass(frozen=True)
class BadBeliefsArgument(Diagnostic):
    """An argument of a question about beliefs has a value that means nothing.

    `worlds` and `steps` are whole numbers of at least 1, `seed` is a whole number, and `method` is one of
    `enumerate or sample`, `enumerate` and `sample`. A `model` has a `name` and `weights`. What is asked of
    states is a function.
    """

    code = "R258"
    slug = "bad-beliefs-argument"
    title = "`{argument}` must be {wanted}, not {given}"
    argument: str
    wanted: str
    given: str


@dataclass(frozen=True)
class BadOpponentModel(Diagnostic):
    """A model of how others choose gave weights that are no chances.

    `weights` gives a number for each option of a decision, in the same order. None is negative, infinite or
    no number, and not all are 0.
    """

    code = "R259"
    slug = "bad-opponent-model"
    title = "the model of the others gives no chances at `{decision}`: {why}"
    advice = "give one weight for each of the {options} options: none negative, not all 0"
    decision: str
    why: str
    options: int
