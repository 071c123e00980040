"""D040 to D047: expressions whose types do not fit."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Mistake


@dataclass(frozen=True)
class WrongType(Mistake):
    """An expression has another type than its place asks for.

    Values are numbers, conditions, seats, values of declared types, places of boards, pieces, effects, or
    collections of these, and none stands for another.

    Example:

        gain discard vp

    Say what about it is meant: `gain size(discard) vp`.
    """

    code = "D040"
    slug = "wrong-type"
    title = "{wanted} is wanted here, but this is {found}"
    mend = "{hint}"
    wanted: str
    found: str
    hint: str = ""


@dataclass(frozen=True)
class CannotCompare(Mistake):
    """The two sides of a comparison have nothing in common, so the answer would always be the same.

    A comparison that is always true or always false is a slip nearly every time.

    Example:

        if die.face is 7

    Compare things of one type whose ranges meet.
    """

    code = "D041"
    slug = "cannot-compare"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class NotInRange(Mistake):
    """A value can never lie in the range that its place allows.

    Every number has a range that follows from the declarations; all numbers lie within 31 bits.

    Example:

        slot of me at 9

    Correct the number, or widen the declared range.
    """

    code = "D042"
    slug = "not-in-range"
    title = "{found} does not fit into {wanted}"
    mend = "{hint}"
    found: str
    wanted: str
    hint: str = ""


@dataclass(frozen=True)
class MayBeNone(Mistake):
    """Something is asked of a thing that may not be there.

    A place of size 1 may be empty, a pointer may point at nothing, `highest` of an empty collection is
    nobody. Say first what happens then.

    Example:

        let card = slot of me at die.face
        pay card.cost money

    Write `needs card exists` above it, or put it under `if card exists`.
    """

    code = "D043"
    slug = "may-be-none"
    title = "`{text}` may be empty here"
    mend = "ask `{text} exists` first, in `needs`, `if` or `where`"
    text: str


@dataclass(frozen=True)
class WrongIndex(Mistake):
    """A counter, zone, mark or pointer is addressed in another way than it is declared.

    `of` says whose, `at` says where; each stands once if it is declared, and not if it is not. In `plan of
    me at target of me` two owners are named: brackets are needed around `(target of me)`.

    Example:

        vp += 1

    Say whose: `vp of me += 1`.
    """

    code = "D044"
    slug = "wrong-index"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class WrongArguments(Mistake):
    """A call gives another number of arguments than the definition has parameters.

    Actions and effects may be given fewer: whoever acts chooses the rest. Procedures and values choose
    nothing and must be given everything.

    Example:

        procedure settle(card, disc)
            move card to slot of me at disc

        effect lay_free(card from hand of me)
            settle(card)

    Give what is missing, or make it an action, which asks.
    """

    code = "D045"
    slug = "wrong-arguments"
    title = "`{name}` takes {wanted}, but {found} given"
    mend = "{hint}"
    name: str
    wanted: str
    found: str
    hint: str = ""


@dataclass(frozen=True)
class UnboundedChoice(Mistake):
    """A choice has more values than can be offered, or values without known bounds.

    A decision has a finite domain that people and programs can be shown whole.

    Example:

        choose number from 0..money of me

    Let the upper bound follow from declared ranges, or write one: `from 0..min(20, money of me)`.
    """

    code = "D046"
    slug = "unbounded-choice"
    title = "this choice has up to {size} values; {most} are the most that can be offered"
    mend = "bound it, for example with `min(20, ...)`"
    size: int
    most: int


@dataclass(frozen=True)
class Ambiguous(Mistake):
    """A name means different things, and the place does not say which.

    A value's name may belong to several types; beside something of one of them it is clear.

    Example:

        types:
          sort: [red, black]
          team: [red, blue]

        let side = red

    Compare it with something of the type that is meant, or rename one of the values.
    """

    code = "D047"
    slug = "ambiguous"
    title = "`{name}` may be {readings}"
    mend = "{hint}"
    name: str
    readings: str
    hint: str = ""
