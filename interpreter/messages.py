"""Every R-code: errors while a game is refereed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from dsl.diagnostics import Diagnostic, Severity, WithDiagnostic
from dsl.domains import NONE
from dsl.wording import listed
from interpreter import ir


@dataclass(frozen=True)
class OutOfRange(Diagnostic):
    """A counter would leave its declared range.

    The run stops: a value never wraps and is never cut unless its declaration says `at_edge: clamp`.
    Widen the range, bound the change, or declare what happens at the edge.
    """

    code = "R201"
    slug = "out-of-range"
    title = "`{name}` would become {value}, outside {lo}..{hi}"
    advice = "widen its range, add a `needs`, or declare `at_edge: clamp`"
    name: str
    value: int
    lo: int
    hi: int


@dataclass(frozen=True)
class NothingToChoose(Diagnostic):
    """A decision has no option and cannot be declined.

    Use `if any` or `may`, or make sure with an earlier `needs` that there is something to choose. In
    `together` the seat without an option may be another than the one that has just chosen and left it
    nothing: there only `if any` and `may` help.
    """

    code = "R202"
    slug = "nothing-to-choose"
    title = "{who} nothing to choose for `{name}`{why}"
    advice = "{hint}"
    name: str
    who: str = "there is"
    why: str = ""
    hint: str = "use `choose ... if any` or `may choose`, or guard it with `needs`"


@dataclass(frozen=True)
class BadIndex(Diagnostic):
    """An address names a place that does not exist, or a piece or seat that is not there."""

    code = "R203"
    slug = "bad-index"
    title = "index out of bounds: {value} is not in {lo}..{hi}"
    advice = "check the value before it is used as an index"
    value: str
    lo: int
    hi: int


@dataclass(frozen=True)
class CannotPay(Diagnostic):
    """A payment cannot be made after the action is committed.

    `pay` must be possible; `lose` takes what there is. Put a `needs` before the first decision.
    """

    code = "R204"
    slug = "cannot-pay"
    title = "cannot pay {amount} `{name}`: there are only {found}"
    advice = "add a `needs` above, or use `lose`"
    name: str
    amount: int
    found: int


@dataclass(frozen=True)
class PlaceFull(Diagnostic):
    """A piece is moved to a full place.

    A zone with `size: n` holds n pieces at each of its places. Move away what is there first (`move
    all from Z to ...`), or offer only empty places: `where Z is empty`.
    """

    code = "R205"
    slug = "place-full"
    title = "`{zone}` is full: it holds {capacity}"
    advice = "move away what is there first, or choose an empty place"
    zone: str
    capacity: int


@dataclass(frozen=True)
class NotThere(Diagnostic):
    """A piece is moved that is no longer where it was.

    The name of a piece follows it as long as it is moved by that name. Another name for the same piece,
    or the same piece moved with `move all`, is not followed.
    """

    code = "R206"
    slug = "not-there"
    title = "the piece is no longer in `{zone}`"
    advice = "move the piece by this name only: a name follows its piece only then"
    zone: str


@dataclass(frozen=True)
class TooManyRounds(Diagnostic):
    """A loop exceeds its bound.

    `while C, at most n times` ends when C is false. If C still holds after n iterations, the bound or the
    condition is wrong, so the run stops.
    """

    code = "R207"
    slug = "too-many-rounds"
    title = "this loop does not end within {most} iterations"
    advice = "raise the bound, or correct what should end the loop"
    most: int


@dataclass(frozen=True)
class HistoryFull(Diagnostic):
    """A history already holds as many records as it can.

    A history has room for `most` records. A match that records more often needs a larger `most`; or the
    history is cleared where nothing that was before can come again, such as at a capture.

    Example:

        histories: {position: {of: [stone, active], most: 100}}
    """

    code = "R235"
    slug = "history-full"
    title = "history `{name}` already holds {most} records"
    advice = "raise `most`, or clear the history where nothing from before can come again"
    name: str
    most: int


@dataclass(frozen=True)
class BadPosition(Diagnostic):
    """A match cannot begin from this position.

    A position is written as scenarios write it: counters, marks and pointers with values, places with their
    pieces, and where play starts. All of it must exist with these seats and options.

    Example:

        at: turn
        seat: B
        set: {stone at c3: A, passes: 1}

    Correct what the message names. `rulewright words GAME` lists all addresses and steps.
    """

    code = "R236"
    slug = "bad-position"
    title = "no match can begin from this position: {why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class TooDeepCalls(Diagnostic):
    """Calls are nested deeper than `nests up to` allows.

    The state has room only for the declared depth. Raise the bound if the rulebook allows more.
    """

    code = "R208"
    slug = "too-deep"
    title = "`{name}` is nested deeper than its bound"
    advice = "raise `nests up to`"
    name: str


@dataclass(frozen=True)
class RunsForEver(Diagnostic):
    """The machine runs for very many steps, or draws very often, without reaching a decision.

    What the rules work out between two decisions is counted, too: each value of a collection that is gone
    through, and more of it the larger the expression is that is asked of each.
    """

    code = "R209"
    slug = "runs-for-ever"
    title = "{steps} {what} without a decision"
    advice = "look for phases or triggers that lead to each other, and for collections within collections"
    steps: int
    what: str = "steps"


@dataclass(frozen=True)
class TooLong(Diagnostic):
    """A match exceeds the number of decisions that `longest` allows.

    Every game is finite. `longest` in `game.yaml` says how many decisions a match may have; the default
    is 10000. A match that reaches it usually repeats itself.
    """

    code = "R210"
    slug = "too-long"
    title = "the match has reached {most} decisions, the limit set by `longest`"
    advice = "raise `longest`, or bound what can be repeated"
    most: int


@dataclass(frozen=True)
class BrokenInvariant(Diagnostic):
    """A promise made with `always` does not hold.

    The promise is checked at every decision outside `together`.
    """

    code = "R211"
    slug = "broken-invariant"
    title = "`{text}` no longer holds"
    advice = "correct the promise or the rule that breaks it"
    text: str


@dataclass(frozen=True)
class NotConserved(Diagnostic):
    """Pieces are lost or created: the number of a component has changed since the start."""

    code = "R212"
    slug = "not-conserved"
    title = "there are {found} of `{component}`, but {total} belong to the game"
    advice = "please report this bug, with the log"
    component: str
    found: int
    total: int


@dataclass(frozen=True)
class DividedByZero(Diagnostic):
    """A division by zero, with `div` or `mod`.

    Check the divisor first, or give it a range without zero.
    """

    code = "R213"
    slug = "divided-by-zero"
    title = "division by zero"
    advice = "check the divisor first"


@dataclass(frozen=True)
class NumberTooLarge(Diagnostic):
    """An intermediate result does not fit in 32 bits.

    Counters have ranges; for a local that grows in a loop, this is the only limit. Bound the loop or the
    amount.
    """

    code = "R215"
    slug = "number-too-large"
    title = "number out of range: larger than 2147483647, or smaller than its negative"
    advice = "bound what makes it grow, for example with `min(1000, ...)`"


@dataclass(frozen=True)
class NeedFails(Diagnostic):
    """A `needs` fails after the action is committed.

    A `needs` is tested before an action is offered, up to the first decision or random draw. After that, the
    `needs` of an effect or procedure may fail. Test `if can ...` first, or turn the `needs` into an `if`.
    """

    code = "R214"
    slug = "need-fails"
    title = "`{text}` does not hold: the action is already committed"
    advice = "test `if can ...` first, or use `if` instead of `needs`"
    text: str


@dataclass(frozen=True)
class TooFewPieces(Diagnostic):
    """Fewer pieces lie in a place than are to be moved from it, after the action is committed.

    `move 3 from deck to hand of me` moves exactly three. Where a deck may run out, `move up to 3 from deck`
    moves as many as there are; `needs`, `if` or `when_empty` can make sure that there are enough. Before the
    first decision or random draw of an action, the same is part of being offered.
    """

    code = "R238"
    slug = "too-few-pieces"
    title = "there are fewer pieces than are to be moved: `{text}` does not hold"
    advice = "write `up to` if fewer will do, or make sure that there are enough"
    text: str


# ---- the table: choices, logs, saves


@dataclass(frozen=True)
class NotOffered(Diagnostic):
    """The choice is not offered now.

    The reason names the first condition that does not hold, with its numbers and its clause, as far as
    the seat may know them.
    """

    code = "R220"
    slug = "not-offered"
    title = "{seat} cannot choose `{choice}`: {why}"
    advice = "{hint}"
    seat: str
    choice: str
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BrokenLog(Diagnostic):
    """A log or saved match cannot be read, or was changed after it was written."""

    code = "R221"
    slug = "broken-log"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class OtherRules(Diagnostic):
    """A log was written under other rules than the ones that are used now."""

    code = "R222"
    slug = "other-rules"
    title = "the log was written under other rules of {game}"
    advice = "use the ruleset of that time; `rulewright replay --no-verify` plays it with this one"
    game: str


@dataclass(frozen=True)
class BadScenario(Diagnostic):
    """A scenario cannot be set up: an address, a piece, a step or a word in it is unknown."""

    code = "R223"
    slug = "bad-scenario"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BadOutcome(Diagnostic):
    """A supplied random outcome is impossible here.

    Scenarios and physical tables may set what a die shows or which card is drawn. The card must still
    be in the pile, and the die must have the face.
    """

    code = "R224"
    slug = "bad-outcome"
    title = "`{outcome}` is not a possible outcome of `{stream}` here"
    advice = "{hint}"
    outcome: str
    stream: str
    hint: str


@dataclass(frozen=True)
class InUse(Diagnostic):
    """Two threads use the same matches at the same time.

    The fast executor keeps its matches in a memory of its own, which one call at a time may change. The
    second call is refused, and changes nothing. Give each thread its own executor, or synchronise them.
    """

    code = "R225"
    slug = "in-use"
    title = "another thread is running these matches"
    advice = "give each thread an executor or a batch of its own"


@dataclass(frozen=True)
class BrokenModule(Diagnostic):
    """A compiled module in the cache has been changed.

    Compiled modules are native code, so one that somebody else has changed must never run. Each carries a
    seal under a key of your own; this seal does not match, or belongs to another version. Delete the file,
    and it is compiled again.
    """

    code = "R226"
    slug = "broken-module"
    title = "a compiled module cannot be trusted: {why}"
    advice = "delete it; it is compiled again from the rules"
    why: str


@dataclass(frozen=True)
class SearchTooLong(Diagnostic):
    """Finding what is offered took too many trials.

    A value is offered if a trial with it does not fail. Several parameters of one action are tried in
    combination, so three of a thousand values each need a thousand million trials. The number of trials for
    an offer is limited; at the limit the run stops.

    Put the condition on the last parameter in its `where`, or compute it with a value or a `let`.
    """

    code = "R227"
    slug = "search-too-long"
    title = "finding what is offered here takes more than {most} trials"
    advice = "make the domains smaller, or restrict a parameter with `where` or `from`"
    most: int


@dataclass(frozen=True)
class TooManyTrials(Diagnostic):
    """Trials are nested so deeply that there is no room for another copy of the position.

    `can` runs an action on a copy of the position, and that action may use `can` again. Use a condition
    instead of the inner `can`.
    """

    code = "R228"
    slug = "too-many-trials"
    title = "trials are nested too deeply here"
    advice = "use a condition instead of `can` inside what `can` tests"


@dataclass(frozen=True)
class StoppedRun(Diagnostic):
    """A run was interrupted before its next decision.

    Ctrl-C stops the fast executor within a second. The run is not finished, and a batch that was
    interrupted in the middle of a step can no longer be used.
    """

    code = "R229"
    slug = "stopped-run"
    title = "this run was interrupted"
    advice = "start it again"


@dataclass(frozen=True)
class NoMemory(Diagnostic):
    """The fast executor cannot get the memory that it needs.

    WebAssembly reserves several gigabytes of addresses for each memory, though it uses little of them.
    Where a process may not have so many (`ulimit -v`, a small container), it cannot start. It never falls
    back to the slower executor by itself.
    """

    code = "R230"
    slug = "no-memory"
    title = "no memory for the fast executor: {why}"
    advice = "allow the process more address space (`ulimit -v`); some commands have `--executor reference`"
    why: str


@dataclass(frozen=True)
class OtherSeed(Diagnostic):
    """The commitment shown at the start of the match does not match the seed in its log.

    A match shows a hash of its seed before the first choice, so that nobody can replace the seed later.
    The seed and the nonce in this log do not give that hash: one of the three was changed since, or the
    set-up of the match was. The random outcomes in it prove nothing.
    """

    code = "R232"
    slug = "other-seed"
    title = "the seed is not the one that was committed to when the match began"
    advice = "get the log from its original place"


@dataclass(frozen=True)
class TornLog(Diagnostic):
    """A log ends in the middle of a line.

    The program or the machine stopped while writing, or the copy is incomplete. Every acknowledged choice
    is in a complete line before that, so nothing that anybody has seen is lost. The log is read up to its
    last complete line, and the rest is ignored. `play --resume` continues from there, and overwrites it.
    """

    code = "R233"
    slug = "torn-log"
    severity = Severity.WARNING
    title = "the log is truncated: line {line} is its last complete line, and {size} B follow it"
    advice = "they are ignored; the match continues from line {line}"
    line: int
    size: int


@dataclass(frozen=True)
class NoBeliefs(Diagnostic):
    """What a seat may believe cannot be worked out.

    Beliefs follow from the log of a seat, which must be whole: the match has begun, keeps its history, began
    with the set-up of the game or from a position of which nothing is hidden from the seat, and was played by
    these rules. Where the log is whole, what was seen may be so unlikely that no drawn world fits it: ask for
    more `worlds`, for an earlier moment of the match, or for a larger number of `steps`. The true position is
    never used instead.
    """

    code = "R239"
    slug = "no-beliefs"
    title = "no beliefs for this seat: {why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class NoWorldInBudget(Diagnostic):
    """The steps that may be spent on what a seat may believe were used up before one world was found.

    A step is a run of the rules from one stop to the next. The number of worlds is made smaller by itself
    where the steps do not suffice for all; here they do not suffice for any.
    """

    code = "R240"
    slug = "no-world-in-budget"
    title = "no world was found within {budget}"
    advice = "allow more `steps`, or ask at an earlier moment of the match"
    budget: str


class Fault(WithDiagnostic):
    """An error of the rules in play; `diagnostic` says what and where."""


class Aborted(WithDiagnostic):
    """A run has ended for reasons outside the rules; `diagnostic` says which. It says nothing of the game."""


# ---- preconditions


def unmet(node: ir.Precondition) -> Fault:
    """The fault of a precondition that fails where nothing can be refused any more."""
    match node.demand:
        case "outcome":
            hint = "ask before whether there is something: `if any(x in S)`, or guard it with `needs`"
            return Fault(NothingToChoose(node.span, node.text, "chance has", f": {node.lacking}", hint))
        case "pieces":
            return Fault(TooFewPieces(node.span, node.text))
        case "need":
            return Fault(NeedFails(node.span, node.text))
    assert_never(node.demand)


def nothing_to_choose(mc: ir.Machine, node: ir.Decide | ir.Offer, seat: int | None) -> Fault:
    """The fault of a decision without an option that cannot be declined; of a seat, where that is known."""
    who = "there is" if seat is None or seat == NONE else f"{mc.seat_names[seat]} has"
    if isinstance(node, ir.Offer):
        names = [f"`{name}`" for name in node.names]
        lacking = f"{listed(names, 'nor')} can be done"
        lacking = f"neither {lacking}" if len(names) > 1 else f"{names[0]} cannot be done"
        hint = "give it an `otherwise`, offer it with `may`, or guard it with `if`"
        return Fault(NothingToChoose(node.span, node.name, who, f": {lacking}", hint))
    return Fault(NothingToChoose(node.span, node.name, who, f": {node.lacking}"))


@dataclass(frozen=True)
class NoNextMatch(Diagnostic):
    """No match follows this one.

    A game that says what carries over from match to match is played on after its end, as long as the `while`
    of its `carries` holds. Other games begin anew each time.
    """

    code = "R278"
    slug = "no-next-match"
    title = "no match follows this one: {why}"
    advice = "{hint}"
    why: str
    hint: str
