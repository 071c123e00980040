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
class NoOrder(Diagnostic):
    """Two values are compared by `<` or `>`, but their type has no order.

    A list of values says nothing about which of them is greater, even if it is written from low to high:
    suits are listed too. So an order is declared.

    Example:

        types: {rank: [two, three, four, jack]}

        needs card.rank > lead.rank

    Declare it: `rank: {values: [two, three, four, jack], order: rising}`.
    """

    code = "D104"
    slug = "no-order"
    title = "the values of `{type}` have no order"
    advice = "declare `{type}` with `order: rising`, or compare `ordinal({shown})`"
    type: str
    shown: str


@dataclass(frozen=True)
class WrongPair(Diagnostic):
    """Several values in brackets stand where no product of types is expected, or one of other parts.

    `(hearts, ace)` is the value of a product: it can be compared with one, assigned to a pointer to one, be
    an argument, or be the index of what is declared `at: [suit, rank]`. On its own it says too little.

    Example:

        counters: {known: {at: [suit, rank], range: 0..3}}

        known at (hearts, ace, two) += 1

    Give one value for each type, in the order of the declaration: `known at (hearts, ace)`.
    """

    code = "D111"
    slug = "wrong-pair"
    title = "expected {wanted}, found {given} in brackets"
    advice = "{hint}"
    given: str
    wanted: str
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

    Write `needs card exists` above it, or put it under `if card exists`. A check holds until something is
    written that it reads; in a block that runs again, only within one round: repeat it there.
    """

    code = "D043"
    slug = "may-be-none"
    title = "`{text}` may be none here"
    advice = "{hint}"
    text: str
    hint: str


@dataclass(frozen=True)
class NoSet(Diagnostic):
    """A set holds values of a type, numbers of a small range, or seats: what is fixed in number and order.

    Pieces move, and equal ones cannot be told apart, so a set of them would mean something else later.

    Example:

        let dear = those(card in hand of me where card.cost > 3)

    Name the collection: `value dear = those(card in hand of me where card.cost > 3)`; or move the pieces to a
    zone of their own.
    """

    code = "D092"
    slug = "no-set"
    title = "a set cannot hold {what}"
    advice = "{hint}"
    what: str
    hint: str


@dataclass(frozen=True)
class OtherValues(Diagnostic):
    """A set is given values that it may not be able to hold.

    A set holds values of one type or of one range of numbers, which its parameter or first value decides.

    Example:

        let numbers = [1, 3]
        numbers = numbers + [7]

    Begin with the whole range: `let numbers = those(x in 1..9 where x in [1, 3])`.
    """

    code = "D101"
    slug = "other-values"
    title = "{wanted} cannot hold {found}"
    advice = "begin with a collection of the whole type or range, or restrict the values to it"
    wanted: str
    found: str


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
    """A choice has too many values that have to be listed.

    A seat may choose one number of a range, however long it is. The values of a set, of a choice that is made
    `if several`, of chance, and of a collection in another order are listed, so their number has a bound.

    Example:

        choose 2 n from 0..money of me

    Choose the numbers one after the other, or bound them: `from 0..min(20, money of me)`.
    """

    code = "D046"
    slug = "unbounded-choice"
    title = "this choice has up to {size} values; at most {most} can be listed"
    advice = "bound it, for example with `min(20, ...)`"
    size: int
    most: int


@dataclass(frozen=True)
class NoRangeOfNumbers(Diagnostic):
    """Which numbers can be chosen cannot be said as ranges.

    Up to 4096 numbers are tried one by one. Of more, what can be chosen must follow from comparisons: of the
    number itself, with something added, subtracted or multiplied, with what does not depend on it, and of its
    rest by one step. `and`, `or`, `not`, `if`, `in` and sums of ranges may join them. What an action asks of
    the number counts too.

    Example:

        action bid(n from 0..money of me)
            needs n * n <= 2 * money of me

    Write it so that the number stands alone, or bound the range to 4096 numbers.
    """

    code = "D160"
    slug = "no-range-of-numbers"
    title = "which of up to {size} numbers can be chosen here is no range"
    advice = (
        "compare `{name}`, or its rest by a step, with what does not depend on it; "
        "up to {most} numbers are tried one by one"
    )
    size: int
    most: int
    name: str


@dataclass(frozen=True)
class TooManyAtOnce(Diagnostic):
    """A set is to be chosen that can never be chosen, or is too large.

    Each value of a set is a decision of its own, in a fixed order, so the number of them is bounded by 32.

    Example:

        choose n card from hand of me

    Bound it: `choose min(5, n) card from hand of me`.
    """

    code = "D097"
    slug = "too-many-at-once"
    title = "{shown} at once: {why}"
    advice = "{hint}"
    shown: str
    why: str
    hint: str


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
