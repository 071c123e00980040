"""D040 to D047: type errors."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class WrongType(Diagnostic):
    """An expression has another type than its place requires.

    Values are numbers, conditions, seats, values of declared types, places of boards, pieces, effects, or
    collections of these, and none is converted to another.

    Example:

        gain discard vp

    Write what is meant: `gain size(discard) vp`.
    """

    code = "D040"
    slug = "wrong-type"
    title = "expected {wanted}, found {found}"
    advice = "{hint}"
    wanted: str
    found: str
    hint: str = ""


@dataclass(frozen=True)
class CannotCompare(Diagnostic):
    """The two sides of a comparison have no value in common, so the result would always be the same.

    A comparison that is always true or always false is almost always a mistake.

    Example:

        if die.face is 7

    Compare things of one type whose ranges overlap.
    """

    code = "D041"
    slug = "cannot-compare"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class NotInRange(Diagnostic):
    """A value can never be in the range that its place allows.

    Every number has a range that follows from the declarations; all numbers lie within 31 bits.

    Example:

        slot of me at 9

    Correct the number, or widen the declared range.
    """

    code = "D042"
    slug = "not-in-range"
    title = "{found} does not fit in {wanted}"
    advice = "{hint}"
    found: str
    wanted: str
    hint: str = ""


@dataclass(frozen=True)
class MayBeNone(Diagnostic):
    """A value that may be none is used as if it were present.

    A place of size 1 may be empty, a pointer may point at nothing, and `highest` of an empty collection is
    none. Handle that case first.

    Example:

        let card = slot of me at die.face
        pay card.cost money

    Write `needs card exists` above it, or put it under `if card exists`.
    """

    code = "D043"
    slug = "may-be-none"
    title = "`{text}` may be none here"
    advice = "check `{text} exists` first, in `needs`, `if` or `where`"
    text: str


@dataclass(frozen=True)
class WrongIndex(Diagnostic):
    """A counter, zone, mark or pointer is not addressed as it is declared.

    `of` gives the owner, `at` the place; each is written once if it is declared, and omitted otherwise.
    `plan of me at target of me` has two owners: write brackets around `(target of me)`.

    Example:

        vp += 1

    Name the owner: `vp of me += 1`.
    """

    code = "D044"
    slug = "wrong-index"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class WrongArguments(Diagnostic):
    """The number of arguments of a call does not match the parameters of the definition.

    Actions and effects may be given fewer: the acting seat chooses the rest. Procedures and values choose
    nothing and need all of them.

    Example:

        procedure settle(card, disc)
            move card to slot of me at disc

        effect lay_free(card from hand of me)
            settle(card)

    Add the missing arguments, or make it an action, which asks for them.
    """

    code = "D045"
    slug = "wrong-arguments"
    title = "`{name}` takes {wanted}, but {found} given"
    advice = "{hint}"
    name: str
    wanted: str
    found: str
    hint: str = ""


@dataclass(frozen=True)
class UnboundedChoice(Diagnostic):
    """A choice has too many values, or values without known bounds.

    A decision has a finite domain that can be listed in full.

    Example:

        choose number from 0..money of me

    Let the upper bound follow from declared ranges, or write one: `from 0..min(20, money of me)`.
    """

    code = "D046"
    slug = "unbounded-choice"
    title = "this choice has up to {size} values; at most {most} can be offered"
    advice = "bound it, for example with `min(20, ...)`"
    size: int
    most: int


@dataclass(frozen=True)
class Ambiguous(Diagnostic):
    """A name has several meanings, and the context does not decide which.

    The name of a value may belong to several types; a comparison with one of them decides.

    Example:

        types:
          sort: [red, black]
          team: [red, blue]

        let side = red

    Compare it with something of the intended type, or rename one of the values.
    """

    code = "D047"
    slug = "ambiguous"
    title = "`{name}` is ambiguous: {readings}"
    advice = "{hint}"
    name: str
    readings: str
    hint: str = ""
