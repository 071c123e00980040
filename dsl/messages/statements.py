"""D050 to D058, D095: statements and routines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Diagnostic, Label, Severity
from dsl.source import Span


@dataclass(frozen=True)
class NothingHidden(Diagnostic):
    """Something is shown that everybody sees anyway.

    Counters, marks and pointers are seen by all unless they say otherwise; what is shown of one that is not
    hidden is known already.

    Example:

        pointers:
          role: {of: seat, to: character}

        show role of me to all

    Declare who sees it, `seen_by: owner`, or leave the statement out.
    """

    code = "D095"
    slug = "nothing-hidden"
    title = "{what} is not hidden from anybody"
    advice = "{hint}"
    what: str
    hint: str = "declare who sees it: `seen_by: owner`, `others` or `nobody`"


@dataclass(frozen=True)
class ReadWhileWaiting(Diagnostic):
    """Working memory is read where it always is as at the start.

    What `lasts: moment` is kept while rules run, and has its start value again wherever they wait: for a
    choice, for chance, for the next step of the flow. So neither what is chosen or drawn nor the flow, a
    trigger, a promise, the account or what the table shows can depend on it.

    Example:

        measure
        choose cell where distance at cell < 3

    Keep what is found in a local, which lasts as long as its block: `let near = those(cell where distance
    at cell < 3)`, then `choose cell from near`.
    """

    code = "D150"
    slug = "read-while-waiting"
    title = "`{name}` lasts a moment, and is as at the start again {where}"
    advice = "{hint}"
    name: str
    where: str
    hint: str


@dataclass(frozen=True)
class CannotRecall(Diagnostic):
    """The best of what a history holds cannot be recalled, or a history of working memory is only counted.

    `recall best H by C` finds those records of a history which together have the greatest sum of a counter,
    no two of them with a mark in common. The history is one of working memory, `lasts: moment`, and the
    counter one of its parts without an index. How often something was recorded, `times(H)`, is asked of
    histories of the position.

    Example:

        histories: {routes: {of: [used, income], most: 400, lasts: moment}}

        recall best routes by used          # `used` is a mark

    Name a counter among the parts of the history.
    """

    code = "D151"
    slug = "cannot-recall"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class NeedsTooLate(Diagnostic):
    """A `needs` comes after a decision or a random draw, when the action can no longer be refused.

    An action is offered if it can run from its parameters to the first decision or random draw after them;
    what has been decided or drawn cannot be undone.

    Example:

        action activate(die from dice of me)
            roll battle_die
            needs battle_die.face > 3

    Move the line above it, or use `if`.
    """

    code = "D050"
    slug = "needs-too-late"
    title = "`needs` must come before the first {stop}: the action is already committed"
    advice = "move it up, or use `if`"
    stop: str
    at: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.at, "committed here"),)


@dataclass(frozen=True)
class WrongStatement(Diagnostic):
    """A statement is used in a form that does not exist.

    For example a block under a plain `choose`, an `else` where nothing can be declined, `needs` in a
    trigger, `together` inside `together`, or a line that is a value without effect.

    Example:

        choose card from hand of me
            move card to discard

    `choose` has no block: its name is in scope below it. `choose ... if any` and `may choose` have one.
    """

    code = "D051"
    slug = "wrong-statement"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class CannotChange(Diagnostic):
    """An assignment to something that cannot change, or not in this way.

    Counters, pointers, locals made by `let` and the face of a die change with `=`, `+=` and `-=`; marks
    change with `set` and `clear`; pieces are moved. Values, tables, options and constants never change.

    Example:

        value strength = 3

        procedure train
            strength += 1

    Declare a counter, or `modify` the value.
    """

    code = "D052"
    slug = "cannot-change"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class CallsInCircle(Diagnostic):
    """Recursive calls have no declared depth.

    A game is a finite machine, so the depth of recursion must be known before it is played.

    Example:

        procedure act(tray)
            act(next(tray))

    Declare the depth: `procedure act(tray) nests up to 6`. Exceeding it stops the run with an error.
    """

    code = "D053"
    slug = "calls-in-a-circle"
    title = "`{name}` calls itself without a bound on the depth"
    advice = "write `nests up to N` in the header of one of them"
    name: str
    path: tuple[Label, ...]

    @property
    def others(self) -> tuple[Label, ...]:
        return self.path


@dataclass(frozen=True)
class UnequalPieces(Diagnostic):
    """A number of pieces is moved from a place whose pieces differ, so it is not determined which ones.

    `move n from Z` takes from the top of a pile, at random from a shuffled zone or a bag, or any of equal
    pieces. From an open zone of different pieces, somebody has to choose.

    Example:

        move 2 from hand of me to discard

    Let the seat choose them, move all, or name their class:

        choose 2 card from hand of me
            move card to discard

        move 2 from those(card in hand of me where card is copper) to discard
    """

    code = "D054"
    slug = "unequal-pieces"
    title = "the pieces in `{zone}` differ, so it is not determined which ones move"
    advice = "{hint}"
    zone: str
    hint: str = "choose them one by one, or `move all`"


@dataclass(frozen=True)
class SharedWrite(Diagnostic):
    """Shared state is written inside `together`.

    Several seats act at once there, without seeing each other. Shared state must be declared as such:
    `shared: first come`; then the order of choices decides.

    Example:

        each seat together
            choose card from hand of me
            move card to discard

    Move it to a place of `me` first and to the shared one afterwards, or declare `shared`.
    """

    code = "D055"
    slug = "shared-write"
    title = "two seats may change `{name}` at the same time"
    advice = "read and write only what is `of me`, or declare it with `shared: first come`"
    name: str


@dataclass(frozen=True)
class CannotSettle(Diagnostic):
    """Whether a block changes something is found by comparing all that it may change, before and after.

    That is possible for counters, marks, pointers, locals, and places of `size: 1`, a few hundred of them. A
    block that moves pieces to other places, itself or by what it calls, may only put them elsewhere.

    Example:

        repeat until nothing changes, at most 9 times
            sort_hand

    Say what it ends with: `repeat until sorted, at most 9 times`.
    """

    code = "D102"
    slug = "cannot-settle"
    title = "cannot tell when the block changes nothing: {why}"
    advice = "write `repeat until` with a condition"
    why: str


@dataclass(frozen=True)
class UnboundedLoop(Diagnostic):
    """A loop has no bound on its iterations.

    A game is a finite machine. Exceeding the bound stops the run with an error, so a wrong bound is
    noticed and never silently cuts a game short.

    Example:

        while hand of me is not empty

    Write `while hand of me is not empty, at most 20 times`.
    """

    code = "D056"
    slug = "unbounded-loop"
    title = "this loop has no bound"
    advice = "add `, at most N times`"


@dataclass(frozen=True)
class NeverUsed(Diagnostic):
    """A warning: a definition is never used.

    Often a name was changed in only one place, or a line is missing in the flow or in a table.

    Example:

        value defence(card) = card.defence

    and no line that uses `defence`. Use it, or remove it.
    """

    code = "D057"
    slug = "never-used"
    severity: ClassVar[Severity] = Severity.WARNING
    title = "{what} `{name}` is never used"
    advice = "remove it, or use it"
    what: str
    name: str


@dataclass(frozen=True)
class CannotOffer(Diagnostic):
    """A routine is used in a way that its kind does not support.

    Actions are offered (`do`, `may do`, the flow); effects are named in table cells and run from there;
    procedures are called on a line of their own and by the flow.

    Example:

        procedure deal
            move 4 from deck to hand of me

        procedure begin
            may do deal

    Call the procedure, or make it an `action`.
    """

    code = "D058"
    slug = "cannot-offer"
    title = "`{name}` is {what}"
    advice = "{hint}"
    name: str
    what: str
    hint: str


@dataclass(frozen=True)
class ChanceCannotChoose(Diagnostic):
    """Chance is to choose among pieces, or by weights that may be negative.

    `chance chooses x from S by weight w` chooses a value: a seat, a place, a number, a value of a type. A
    piece is drawn, from a zone with `order: shuffled` or `order: bag`. A weight is a number that is 0 or
    more; a value of weight 0 is never chosen.

    Example:

        chance chooses region from those(x in region where threat of x > 0) by weight threat of region
    """

    code = "D114"
    slug = "chance-cannot-choose"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""
