"""D080 to D085: rules that are well formed, and larger than is compiled."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Mistake


@dataclass(frozen=True)
class LargeValue(Mistake):
    """A value is made of too many parts, with those of the values that it uses.

    A value is inlined wherever it is used, so one that uses another twice is twice as large, and twenty
    such values in a row come to a million parts. The largest value of the bundled games has about 500.

    Example:

        value a = coins
        value b = a + a + a + a
        value c = b + b + b + b

    Work a number out once, `let x = b` in a routine, and use its name; or take a table.
    """

    code = "D080"
    slug = "large-value"
    title = "`{name}` comes to {size} parts with the values that it uses, but at most {most} are compiled"
    mend = "use what it repeats once, by `let` in a routine, or look it up in a table"
    name: str
    size: int
    most: int


@dataclass(frozen=True)
class DeepValue(Mistake):
    """An expression is nested too deep, with the values that it uses.

    Each value that uses another is a level, and so is each case and each modifier of a value, and each
    argument of `min` and `max`. What is nested without end cannot be evaluated.

    Example:

        value a = coins
        value b = a + 1
        value c = b + 1

    Shorten the chain of values, or look the result up in a table.
    """

    code = "D081"
    slug = "deep-value"
    title = (
        "{what} is nested {depth} deep with the values that it uses, but at most {most} levels are compiled"
    )
    mend = "shorten the chain of values, cases, modifiers or arguments, or look the result up in a table"
    what: str
    depth: int
    most: int


@dataclass(frozen=True)
class LargeRules(Mistake):
    """All rules together come to more than is compiled.

    The bound is on the compiled game: its nodes, the parts of its expressions with every value inlined,
    and the numbers in its tables. It is about ten times what the largest bundled game needs. The place is
    where it was reached.

    Example:

        action work
            gain 1 coins
            gain 1 coins
            gain 1 coins

    Say with a loop, a table or a parameter what the rules repeat.
    """

    code = "D082"
    slug = "large-rules"
    title = "the rules come to more than {most} {what}"
    mend = "say with a loop, a table or a parameter what is repeated"
    most: int
    what: str


@dataclass(frozen=True)
class LargeState(Mistake):
    """A position of this game does not fit into the memory that one may take.

    Each counter, mark and pointer takes a word for each of its places, each zone one for each kind of
    piece or for each piece at each of its places, each trigger one for each of its bindings, and each loop
    and parameter one for each call that may be running. The largest bundled game takes 2,800 words.

    Example:

        types: {cell: 0..4095}
        counters:
          heat: {of: cell, at: cell, range: 0..9}

    Give it fewer places, or a `size` to each zone that is kept in order.
    """

    code = "D083"
    slug = "large-state"
    title = "{what} brings a position to {words} words, but it may have {most}"
    mend = "declare fewer places, smaller types, or a `size` for zones that are kept in order"
    what: str
    words: int
    most: int


@dataclass(frozen=True)
class DeepCalls(Mistake):
    """Routines call each other in too long a chain.

    Each call keeps its place on the stack until it returns. The longest chain of the bundled games has
    about ten routines.

    Example:

        procedure first
            second

        procedure second
            third

    Call several from one routine instead of one from the other.
    """

    code = "D084"
    slug = "deep-calls"
    title = "`{name}` begins a chain of {depth} calls, but at most {most} may be nested"
    mend = "call several from one routine, instead of one from the other"
    name: str
    depth: int
    most: int


@dataclass(frozen=True)
class TooMuchText(Mistake):
    """The rules of a game have more text together than is read.

    Each file has a bound of its own, `D003`, and all files together have one, `D073`; this one is for rules.
    The largest bundled game has 20,000 characters of them.

    Example:

        rules: [set_up.rules, play.rules, scoring.rules]

    Leave out what nobody needs, or look up in a table what the rules repeat.
    """

    code = "D085"
    slug = "too-much-text"
    title = "{what} have {size} characters together, but at most {most} are read"
    mend = "leave out what is not needed, or look up in a table what is repeated"
    what: str
    size: int
    most: int


TOO_LARGE = (LargeValue, DeepValue, LargeRules, LargeState, DeepCalls)
"""What is too large for one number of seats is hardly better with more of them."""
