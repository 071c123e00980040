"""Every R-code: what can go wrong while a game is refereed."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Mistake, Severity


@dataclass(frozen=True)
class OutOfRange(Mistake):
    """A counter would leave its declared range.

    The run stops: a value never wraps and is never cut unless its declaration says `at_edge: clamp`.
    Widen the range, bound the change, or say what happens at the edge.
    """

    code = "R201"
    slug = "out-of-range"
    title = "`{name}` would become {value}, outside {lo}..{hi}"
    mend = "widen its range, add a `needs`, or declare `at_edge: clamp`"
    name: str
    value: int
    lo: int
    hi: int


@dataclass(frozen=True)
class NothingToChoose(Mistake):
    """A decision has come up in which nothing can be chosen, and it cannot be declined.

    Say `if any`, say `may`, or make sure with a `needs` before that there is something to choose. In
    `together` the seat that has nothing may be another than the one that has just chosen and has left it
    nothing: there only `if any` and `may` help.
    """

    code = "R202"
    slug = "nothing-to-choose"
    title = "`{name}` has nothing to choose from"
    mend = "say `choose ... if any`, `may choose`, or guard it with `needs`"
    name: str


@dataclass(frozen=True)
class BadIndex(Mistake):
    """An address names a place that does not exist, or a piece or seat that is not there."""

    code = "R203"
    slug = "bad-index"
    title = "an address leaves its bounds: {value} is not in {lo}..{hi}"
    mend = "check the value before it is used as an index"
    value: str
    lo: int
    hi: int


@dataclass(frozen=True)
class CannotPay(Mistake):
    """A payment cannot be made, and nobody can be refused any more.

    `pay` must be possible; `lose` takes what there is. Put a `needs` before the first decision.
    """

    code = "R204"
    slug = "cannot-pay"
    title = "{amount} `{name}` must be paid, but there are only {found}"
    mend = "add a `needs` above, or say `lose`"
    name: str
    amount: int
    found: int


@dataclass(frozen=True)
class PlaceFull(Mistake):
    """A piece is moved to a place that has no room for it.

    A zone with `size: n` holds n pieces at each of its places. Move away what lies there first (`move
    all from Z to ...`), or offer empty places only: `where Z is empty`.
    """

    code = "R205"
    slug = "place-full"
    title = "`{zone}` is full: it holds {capacity}"
    mend = "move away what lies there, or choose an empty place"
    zone: str
    capacity: int


@dataclass(frozen=True)
class NotThere(Mistake):
    """A piece is moved that is no longer where it was.

    The name of a piece follows it as long as it is moved by that name. Another name for the same piece,
    or the same piece moved with `move all`, is not followed.
    """

    code = "R206"
    slug = "not-there"
    title = "the piece is not in `{zone}` any more"
    mend = "a name keeps meaning the piece as long as it is moved by that name"
    zone: str


@dataclass(frozen=True)
class TooManyRounds(Mistake):
    """A loop went round more often than its bound promises.

    `while C, at most n times` ends when C is false. That it would go on after n rounds means that the
    bound or the condition is wrong, so the run stops.
    """

    code = "R207"
    slug = "too-many-rounds"
    title = "this loop has gone round {most} times and would go on"
    mend = "raise the bound, or mend what should end the loop"
    most: int


@dataclass(frozen=True)
class TooDeepCalls(Mistake):
    """Routines are nested deeper than `nests up to` allows.

    The state has room for the declared depth only. Raise the bound if the rulebook allows more.
    """

    code = "R208"
    slug = "too-deep"
    title = "`{name}` is called deeper than its bound"
    mend = "raise `nests up to`"
    name: str


@dataclass(frozen=True)
class RunsForEver(Mistake):
    """The machine has taken very many steps, or drawn very often, without reaching a decision."""

    code = "R209"
    slug = "runs-for-ever"
    title = "{steps} {what} without a decision"
    mend = "look for phases or triggers that lead to each other without anybody acting"
    steps: int
    what: str = "steps"


@dataclass(frozen=True)
class TooLong(Mistake):
    """A match has had more decisions than `longest` allows.

    Every game is finite. `longest` in `game.yaml` says how many decisions a match may have; the default
    is 10000. A match that reaches it usually goes round in a circle.
    """

    code = "R210"
    slug = "too-long"
    title = "the match has had {most} decisions, the most that `longest` allows"
    mend = "raise `longest`, or bound what can be done again and again"
    most: int


@dataclass(frozen=True)
class BrokenInvariant(Mistake):
    """Something that `always` promises does not hold.

    The promise is checked whenever the run stops at a decision, outside of `together`.
    """

    code = "R211"
    slug = "broken-invariant"
    title = "`{text}` does not hold any more"
    mend = "either the promise is wrong or a rule is"
    text: str


@dataclass(frozen=True)
class NotConserved(Mistake):
    """Pieces are lost or made: the number of a component is not what it was at the start."""

    code = "R212"
    slug = "not-conserved"
    title = "there are {found} of `{component}`, but {total} belong to the game"
    mend = "this is a fault of the program, please report it with the log"
    component: str
    found: int
    total: int


@dataclass(frozen=True)
class DividedByZero(Mistake):
    """A number is divided by zero, with `div` or `mod`.

    Check the divisor before, or give it a range that does not contain zero.
    """

    code = "R213"
    slug = "divided-by-zero"
    title = "a number is divided by zero"
    mend = "check the divisor first"


@dataclass(frozen=True)
class NumberTooLarge(Mistake):
    """A number in the middle of a calculation does not fit into 32 bits.

    Counters have ranges; a local that grows in a loop has none but this. Bound the loop or the amount.
    """

    code = "R215"
    slug = "number-too-large"
    title = "a number is larger than 2147483647, or smaller than its negative"
    mend = "bound what makes it grow, for example with `min(1000, ...)`"


@dataclass(frozen=True)
class NeedFails(Mistake):
    """A need does not hold where nobody can be refused any more.

    Needs are tried before something is offered, up to the first decision or throw of chance. An effect
    or procedure with needs that runs after such a stop may fail them. Ask `if can ...` before, or turn
    the need into an `if`.
    """

    code = "R214"
    slug = "need-fails"
    title = "`{text}` does not hold, and nobody can be refused any more"
    mend = "ask `if can ...` before it is carried out, or use `if` instead of `needs`"
    text: str


# ---- the table: choices, logs, saves


@dataclass(frozen=True)
class NotOffered(Mistake):
    """A choice that is not offered now.

    The reason names the first condition that does not hold, with its numbers and its clause, as far as
    the asker may know them.
    """

    code = "R220"
    slug = "not-offered"
    title = "{seat} cannot choose `{choice}`: {why}"
    mend = "{hint}"
    seat: str
    choice: str
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BrokenLog(Mistake):
    """A log or saved match cannot be read, or was changed after it was written."""

    code = "R221"
    slug = "broken-log"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class OtherRules(Mistake):
    """A log was written under other rules than those that are here now."""

    code = "R222"
    slug = "other-rules"
    title = "the log was written under other rules of {game}"
    mend = "take the ruleset of that time; `rulewright replay --no-verify` plays it with this one"
    game: str


@dataclass(frozen=True)
class BadScenario(Mistake):
    """A scenario cannot be set up: an address, a piece, a step or a word in it is unknown."""

    code = "R223"
    slug = "bad-scenario"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BadOutcome(Mistake):
    """A supplied outcome of chance is impossible here.

    Scenarios and physical tables may say what a die shows or which card is drawn. The card must still
    be in the pile, and the die must have the face.
    """

    code = "R224"
    slug = "bad-outcome"
    title = "`{outcome}` cannot come from `{stream}` here"
    mend = "{hint}"
    outcome: str
    stream: str
    hint: str


@dataclass(frozen=True)
class InUse(Mistake):
    """Two threads use the same matches at the same time.

    The fast executor keeps its matches in a memory of its own, and one call at a time may change it. The
    second one is refused, and nothing has changed. Let each thread open its own, or wait for each other.
    """

    code = "R225"
    slug = "in-use"
    title = "another thread is running these matches"
    mend = "give each thread an executor or a batch of its own"


@dataclass(frozen=True)
class BrokenModule(Mistake):
    """A compiled module in the cache is not what was put there.

    Compiled modules are native code, so one that somebody else has changed must never run. Each carries a
    seal under a key of your own; this one does not match it, or belongs to another version. Delete the
    file, and it is compiled anew.
    """

    code = "R226"
    slug = "broken-module"
    title = "a compiled module cannot be trusted: {why}"
    mend = "delete it; it is compiled anew from the rules"
    why: str


@dataclass(frozen=True)
class SearchTooLong(Mistake):
    """What is offered could not be found out: too much had to be tried.

    A value is offered if a trial with it does not fail. Several parameters of one action are tried one
    inside the other, so three of a thousand values each come to a thousand million trials. All trials of
    an offer together have a bound; at it the run stops.

    Put the condition on the last parameter into its `where`, or let a value or a `let` work out what it
    has to be.
    """

    code = "R227"
    slug = "search-too-long"
    title = "what is offered here was not found within {most} trials"
    mend = "make the domains smaller, or say by `where` of a parameter, or `from`, what fits"
    most: int


@dataclass(frozen=True)
class TooManyTrials(Mistake):
    """Trials are nested so deep that there is no room for another copy of the position.

    `can` asks by carrying something out on a copy, and what is carried out may ask again. Ask with a
    condition instead of `can`, or not inside of what is asked for.
    """

    code = "R228"
    slug = "too-many-trials"
    title = "trials are nested deeper here than there is room for"
    mend = "ask by a condition instead of `can` inside of what `can` asks for"


@dataclass(frozen=True)
class StoppedRun(Mistake):
    """A run was stopped from outside before it had come to its next stop.

    Ctrl-C stops the fast executor within a second. What was run is not finished, and a batch that was
    stopped in the middle of a step cannot be used any more.
    """

    code = "R229"
    slug = "stopped-run"
    title = "this run was stopped before its end"
    mend = "begin it anew"


@dataclass(frozen=True)
class NoMemory(Mistake):
    """The fast executor cannot have the memory that it needs.

    WebAssembly reserves several gigabytes of addresses for each memory, though it uses little of them.
    Where a process may not have so many (`ulimit -v`, a small container), it cannot begin. Nothing is
    played by the slower executor without being asked.
    """

    code = "R230"
    slug = "no-memory"
    title = "there is no memory for the fast executor: {why}"
    mend = "allow the process more address space (`ulimit -v`); some commands have `--executor reference`"
    why: str


@dataclass(frozen=True)
class OtherSeed(Mistake):
    """The commitment that was shown when the match began does not fit the seed in its log.

    A match shows a hash over its seed before the first choice, so that nobody can exchange the seed later.
    The seed and the nonce in this log do not give that hash: one of the three was changed since, or the
    set-up of the match was. What chance has brought in it proves nothing.
    """

    code = "R232"
    slug = "other-seed"
    title = "the seed is not the one that was committed to when the match began"
    mend = "get the log from where it was written"


@dataclass(frozen=True)
class TornLog(Mistake):
    """A log ends in the middle of a line.

    The program or the machine stopped while it wrote, or the copy is not whole. Every choice that was
    acknowledged stands in a whole line before that, so nothing that anybody has seen is lost. The log is
    read up to its last whole line, and what comes behind is left out. `play --resume` goes on from there,
    and writes over it.
    """

    code = "R233"
    slug = "torn-log"
    severity = Severity.WARNING
    title = "the log breaks off: line {line} is its last whole line, and {size} B come behind it"
    mend = "they are left out; the match goes on from line {line}"
    line: int
    size: int


class Fault(Exception):
    """The run has come to something that must not happen; `mistake` says what and where."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.message)
        self.mistake = mistake


class Aborted(Exception):
    """A run has ended for reasons outside of the rules: `mistake` says which. It tells nothing of a game."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.message)
        self.mistake = mistake
