"""D050 to D058: statements and routines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Label, Mistake, Severity
from dsl.source import Span


@dataclass(frozen=True)
class NeedsTooLate(Mistake):
    """A `needs` comes after a decision or a throw of chance, so nobody can be refused any more.

    An action is offered if it can be carried from its parameters to the first stop beyond them; what has
    been decided or drawn cannot be taken back.

    Example:

        action activate(die from dice of me)
            roll battle_die
            needs battle_die.face > 3

    Move the line above the stop, or use `if`.
    """

    code = "D050"
    slug = "needs-too-late"
    title = "this need comes after {stop}, so nobody can be refused any more"
    mend = "move it up, or use `if`"
    stop: str
    at: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.at, "the stop"),)


@dataclass(frozen=True)
class WrongStatement(Mistake):
    """A statement is used in a way that it does not have.

    For example a block under a plain `choose`, an `else` where nothing can be declined, `needs` in a
    trigger, `together` inside `together`, or a line that is a value and does nothing.

    Example:

        choose card from hand of me
            move card to discard

    `choose` has no block, its name lives on below it; `choose ... if any` and `may choose` have one.
    """

    code = "D051"
    slug = "wrong-statement"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class CannotChange(Mistake):
    """Something is written that cannot be written.

    Counters, pointers, locals that `let` made and the face of a die change with `=`, `+=` and `-=`; marks
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
    mend = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class CallsInCircle(Mistake):
    """Routines call each other in a circle, and nothing says how deep.

    A game is a finite machine, so the depth of its calls must be known before it is played.

    Example:

        procedure act(tray)
            act(next(tray))

    Declare the depth: `procedure act(tray) nests up to 6`. The run stops with an error if it is exceeded.
    """

    code = "D053"
    slug = "calls-in-a-circle"
    title = "`{name}` calls itself, and nothing bounds how deep"
    mend = "write `nests up to N` in the header of one of them"
    name: str
    hops: tuple[Label, ...]

    @property
    def others(self) -> tuple[Label, ...]:
        return self.hops


@dataclass(frozen=True)
class UnequalPieces(Mistake):
    """A number of pieces is moved out of a place whose pieces differ, so it is not said which ones.

    `move n from Z` takes from the top of a pile, by chance from a shuffled zone or a bag, or any of equal
    pieces. From an open zone of different pieces somebody has to choose.

    Example:

        move 2 from hand of me to discard

    Choose them one by one, move all, or say of which class they are:

        move 2 from those(card in hand of me where card is copper) to discard
    """

    code = "D054"
    slug = "unequal-pieces"
    title = "the pieces in `{zone}` differ, and it is not said which are moved"
    mend = "choose them one by one, or `move all`"
    zone: str


@dataclass(frozen=True)
class SharedWrite(Mistake):
    """Inside `together`, something is written that belongs to all.

    Several seats act at once there and do not see each other. What they share needs a word in its
    declaration: `shared: first come`, and then the order of choices decides.

    Example:

        each seat together
            choose card from hand of me
            move card to discard

    Move it to a place of `me` and from there to the shared one afterwards, or declare `shared`.
    """

    code = "D055"
    slug = "shared-write"
    title = "two seats may change `{name}` at the same time"
    mend = "take from and write to what is `of me`, or say `shared: first come` at its declaration"
    name: str


@dataclass(frozen=True)
class UnboundedLoop(Mistake):
    """Nothing says how often a loop may go round.

    A game is a finite machine. The run stops with an error if the bound is exceeded, so a wrong bound is
    noticed and never cuts a game short silently.

    Example:

        while hand of me is not empty

    Write `while hand of me is not empty, at most 20 times`.
    """

    code = "D056"
    slug = "unbounded-loop"
    title = "nothing bounds how often this loop goes round"
    mend = "add `, at most N times`"


@dataclass(frozen=True)
class NeverUsed(Mistake):
    """A warning: something is defined and never used.

    Often a name was changed in one place only, or a line was forgotten in the flow or in a table.

    Example:

        value defence(card) = card.defence

    and no line that asks for `defence`. Use it, or remove it.
    """

    code = "D057"
    slug = "never-used"
    severity: ClassVar[Severity] = Severity.WARNING
    title = "{what} `{name}` is never used"
    mend = "remove it, or use it"
    what: str
    name: str


@dataclass(frozen=True)
class CannotOffer(Mistake):
    """A routine is used in a way that its kind does not have.

    Actions are offered (`do`, `may do`, the flow); effects are named by table cells and done from there;
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
    mend = "{hint}"
    name: str
    what: str
    hint: str
