"""D080 to D085, D120 and D135: well-formed rules that exceed a limit of the compiler, or of play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Diagnostic, Severity


@dataclass(frozen=True)
class LargeValue(Diagnostic):
    """A value has too many parts, counting those of the values that it uses.

    A value is inlined wherever it is used, so one that uses another twice is twice as large, and twenty
    such values in a row have a million parts. The largest value of the bundled games has about 500.

    Example:

        value a = coins
        value b = a + a + a + a
        value c = b + b + b + b

    Compute a number once, `let x = b` in a routine, and use its name; or use a table.
    """

    code = "D080"
    slug = "large-value"
    title = "`{name}` has {size} parts, counting the values that it uses; the limit is {most}"
    advice = "compute what it repeats once, with `let` in a routine, or look it up in a table"
    name: str
    size: int
    most: int


@dataclass(frozen=True)
class DeepValue(Diagnostic):
    """An expression is nested too deeply, counting the values that it uses.

    Each value that uses another is a level, and so is each case and each modifier of a value, and each
    argument of `min` and `max`. Evaluation needs a bounded depth.

    Example:

        value a = coins
        value b = a + 1
        value c = b + 1

    Shorten the chain of values, or look the result up in a table.
    """

    code = "D081"
    slug = "deep-value"
    title = "{what} is nested {depth} levels deep, counting the values that it uses; the limit is {most}"
    advice = "shorten the chain of values, cases, modifiers or arguments, or look the result up in a table"
    what: str
    depth: int
    most: int


@dataclass(frozen=True)
class LargeRules(Diagnostic):
    """All rules together exceed the limit of the compiler.

    The limit applies to the compiled game: its nodes, the parts of its expressions with every value inlined,
    and the numbers in its tables. It is about ten times what the largest bundled game needs. The message
    points to where it was reached. In WebAssembly some loops are written out for each of their values, and
    what they then come to has a limit as well.

    Example:

        action work
            gain 1 coins
            gain 1 coins
            gain 1 coins

    Replace repetition in the rules with a loop, a table or a parameter.
    """

    code = "D082"
    slug = "large-rules"
    title = "the rules have more than {most} {what}"
    advice = "replace repetition with a loop, a table or a parameter"
    most: int
    what: str


@dataclass(frozen=True)
class LargeState(Diagnostic):
    """A position of this game exceeds the limit of memory.

    Each counter, mark and pointer takes a word for each of its places, each zone one for each kind of
    piece or for each piece at each of its places, each trigger one for each of its bindings, and each loop
    and parameter one for each call that may be running. The largest bundled game takes 2,800 words.

    Example:

        types: {cell: 0..4095}
        counters:
          heat: {of: cell, at: cell, range: 0..9}

    Declare fewer places, or a `size` for each zone that is kept in order.
    """

    code = "D083"
    slug = "large-state"
    title = "a position has {words} words with {what}; the limit is {most}"
    advice = "declare fewer places, smaller types, or a `size` for zones that are kept in order"
    what: str
    words: int
    most: int


@dataclass(frozen=True)
class DeepCalls(Diagnostic):
    """A chain of calls is too long.

    Each call keeps its frame on the stack until it returns. The longest chain of the bundled games has
    about ten routines.

    Example:

        procedure first
            second

        procedure second
            third

    Call several routines from one, instead of each from the one before.
    """

    code = "D084"
    slug = "deep-calls"
    title = "`{name}` starts a chain of {depth} nested calls; the limit is {most}"
    advice = "call several routines from one, instead of each from the one before"
    name: str
    depth: int
    most: int


@dataclass(frozen=True)
class ManyCalls(Diagnostic):
    """A warning: the calls of a routine, and of those that it calls, may come to very many.

    If each of twenty procedures calls the next one twice, the last one runs a million times. Each call that
    may be made is counted, whatever it depends on, and no loop. A choice that does come to so many runs is
    refused in play (`R209`).

    Example:

        procedure first
            second
            second

        procedure second
            third
            third

    Call a routine once where it is called again and again, or repeat it in a loop, which has a bound.
    """

    code = "D135"
    slug = "many-calls"
    severity: ClassVar[Severity] = Severity.WARNING
    title = "`{name}` may come to {runs} runs of what it calls; play refuses more than {most}"
    advice = "call a routine once, or repeat it in a loop"
    name: str
    runs: str
    most: str


@dataclass(frozen=True)
class TooMuchText(Diagnostic):
    """The rules of a game have too much text in total.

    Each file has a limit of its own, `D003`, and all files together have one, `D073`; this one is for rules.
    The largest bundled game has 20,000 characters of rules.

    Example:

        rules: [set_up.rules, play.rules, scoring.rules]

    Remove what is not needed, or look up in a table what the rules repeat.
    """

    code = "D085"
    slug = "too-much-text"
    title = "{what} have {size} characters in total; the limit is {most}"
    advice = "remove what is not needed, or look up in a table what is repeated"
    what: str
    size: int
    most: int


@dataclass(frozen=True)
class LongText(Diagnostic):
    """A text that people are shown is longer than anybody reads.

    Names, titles, headings and labels are sent to everybody who looks at a list of games or at a match, so
    each has a limit: a name 100 characters, a text of one line 300, and a longer text (`says`, `why`,
    readings and the `help` of labels) 10,000.

    Example:

        title: Hearts, Hearts, Hearts, Hearts, ...

    Shorten it. What is longer belongs in the rulebook.
    """

    code = "D120"
    slug = "long-text"
    title = "{what} has {size} characters; the limit is {most}"
    advice = "shorten it"
    what: str
    size: int
    most: int


TOO_LARGE = (LargeValue, DeepValue, LargeRules, LargeState, DeepCalls)
"""If one number of seats is too large, compiling with more is pointless."""
