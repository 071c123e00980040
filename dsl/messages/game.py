"""D060 to D064 and others: the flow, the configuration and the set-up of a game."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span


@dataclass(frozen=True)
class BadFlow(Diagnostic):
    """The flow of phases is incomplete or contradictory.

    Every phase states what is done and which phase comes next; one phase scores and has no successor; a
    `then` with conditions ends with `otherwise`, so that there is always a next phase.

    Example:

        flow:
          round: {do: [play], then: {game_over: final}}
          final: {score: highest}

    End the conditions: `then: {game_over: final, otherwise: round}`.
    """

    code = "D060"
    slug = "bad-flow"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class NotInPlace(Diagnostic):
    """An expression of the flow is not written as it reads.

    In `then`, `if`, `seat` and `each seat in turn`, an expression is a text in YAML. So that an error can
    point into it, it is a bare text or one in simple quotes, without escapes and not as a block.

    Example:

        then: {"year \x3e 3": final, otherwise: turn}

    Write the expression as it reads: `"year > 3"`.
    """

    code = "D108"
    slug = "expression-not-in-place"
    title = "an expression with escapes, or in a block of text"
    advice = "write it in one piece, bare or in quotes, without escapes"


@dataclass(frozen=True)
class NoRounds(Diagnostic):
    """Something lasts a round, and no seat has a turn in the flow, so that no round ever ends.

    A round ends when the turn passes to a seat that has had one in it, and after `each seat in turn` in the
    flow.

    Example:

        marks:
          passed: {of: seat, lasts: round}
        flow:
          auction: {do: [bidding], then: final}

    Let the phase be a turn, `seat: rotates`, name a phase instead, or clear it in the rules.
    """

    code = "D096"
    slug = "no-rounds"
    title = "`lasts: round`, and no seat has a turn in the flow"
    advice = "use `seat: rotates` or `each seat in turn` in the flow, or name a phase"


@dataclass(frozen=True)
class BadTeams(Diagnostic):
    """The teams leave a seat out, or name one twice; or something is for teams, and there are none.

    A seat belongs to exactly one team. Seats that do not play with fewer players are named too.

    Example:

        seats: 4
        teams: {north_south: [A, C], east_west: [B]}

    Name every seat once: `east_west: [B, D]`.
    """

    code = "D107"
    slug = "bad-teams"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""
    other: Span | None = None

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.other, "first named here"),) if self.other is not None else ()


@dataclass(frozen=True)
class BadOption(Diagnostic):
    """The game does not have this option, ruling or number of seats.

    A game is played with the seats and options that `game.yaml` declares, each set to one of its values.

    Example:

        rulewright play hearts --seats 9

    Choose one of the values listed in the message.
    """

    code = "D061"
    slug = "bad-option"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class OptionSetSize(BadOption):
    """An option that holds a set has more or fewer values than it may have.

    `size` of the option says how many there are: a number, or a range.

    Example:

        options:
          market: {values: [wool, salt, grain], size: 2, default: [wool]}

    Name as many values as the message says, or change the `size`.
    """

    code = "D139"
    slug = "option-set-size"


@dataclass(frozen=True)
class RepeatedMember(BadOption):
    """A value is in the set of an option twice.

    Each value is in a set or not. One that is named twice may be a slip for another one.

    Example:

        options:
          market: {values: [wool, salt, grain], size: 2, default: [wool, wool]}

    Name another value, or take one away.
    """

    code = "D140"
    slug = "repeated-member"


@dataclass(frozen=True)
class NoSuchGame(Diagnostic):
    """No game has this name, and no ruleset is at this path.

    A ruleset is a folder with a `game.yaml`.

    Example:

        rulewright play haerts

    `rulewright list` lists the bundled games; `rulewright new NAME` creates one to start from.
    """

    code = "D062"
    slug = "no-such-game"
    title = "unknown game or ruleset `{name}`"
    advice = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class BadStart(Diagnostic):
    """The initial place of a component's pieces is missing, ambiguous or too small.

    Pieces are never created or lost: all pieces of a component start in the one zone with `start: all`,
    which must have room for them, and one place for each owner. A single die that no zone holds lies
    beside the board.

    Example:

        zones:
          deck: {holds: card, order: shuffled, seen_by: nobody}

    Add `start: all` to one zone of the component.
    """

    code = "D063"
    slug = "bad-start"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""
    other: Span | None = None

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.other, "the first one"),) if self.other is not None else ()


@dataclass(frozen=True)
class NoSuchPreset(Diagnostic):
    """The game does not have the requested preset.

    A preset makes a game smaller, so that all of its positions can be explored. Presets are declared in the
    section `small` of `game.yaml`, or in a file with the same content.

    Example:

        rulewright explore my_game --small tinny

    Choose one of the presets listed in the message, or name a file, such as `tiny.yaml`.
    """

    code = "D064"
    slug = "no-such-preset"
    title = "unknown preset `{name}`"
    advice = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class NeverOffered(Diagnostic):
    """`absent` wants a choice that its decision never offers.

    For a seat that stays away, `absent` says what is chosen in each decision: the words of a choice, or of
    a part of it, and `first`, `last`, `lowest`, `highest` or `any` if several fit. A word that no choice of
    the decision can have would never apply.

    Example:

        absent:
          bid: lowset

    Correct the word, or the name of the decision.
    """

    code = "D091"
    slug = "never-offered"
    title = "`{decision}` never offers `{word}`"
    advice = "{hint}"
    decision: str
    word: str
    hint: str


@dataclass(frozen=True)
class NoSuchBase(Diagnostic):
    """An overlay names a game that is neither bundled nor beside it.

    An overlay is a folder whose `game.yaml` changes another game: the bundled one of that name, or the one
    in the folder of that name beside the overlay, which comes first.

    Example:

        overlay: harts

    Correct the name, or put both folders side by side.
    """

    code = "D116"
    slug = "no-such-base"
    title = "unknown game `{name}` under an overlay"
    advice = "name a bundled game (`rulewright list`), or a folder beside this one"
    name: str


@dataclass(frozen=True)
class TooManyOverlays(Diagnostic):
    """Overlays are stacked too deeply, or in a circle.

    An overlay may change another overlay, but at its bottom there must be a game of its own.

    Example:

        overlay: my_house_rules      # which in turn overlays this one

    Let it overlay the game at the bottom.
    """

    code = "D117"
    slug = "too-many-overlays"
    title = "more than {most} layers of overlays, or overlays in a circle"
    advice = "overlay the game at the bottom"
    most: int


@dataclass(frozen=True)
class UnknownLanguage(Diagnostic):
    """A ruleset is written in a version of the language that is not read here.

    `language` of `game.yaml` says in which version the rules are written. Versions differ in what the same
    text means, so that nothing else of the ruleset is read. Without it, they are in the first one.

    Example:

        game: demo
        language: 9

    Install a version of Rulewright that reads it.
    """

    code = "D141"
    slug = "unknown-language"
    title = "`language: {written}` is not known: version {known} of the language is read here"
    advice = "install a version of Rulewright that reads it; rules for this one say `language: {known}`"
    written: int
    known: int


@dataclass(frozen=True)
class NothingToRemove(Diagnostic):
    """`removes` of an overlay names nothing that the game below it defines.

    It lists definitions by their beginning: `action pray`, `value purse`, `score gold`, and those without a
    name by their whole first line without its clause marks, such as `when vp of seat is 0`.

    Example:

        removes: [action prya]

    Correct the text. A definition that the overlay only changes need not be removed: one of the same name
    replaces it.
    """

    code = "D118"
    slug = "nothing-to-remove"
    title = "`{text}` is not defined in the game below"
    advice = "{hint}"
    text: str
    hint: str


@dataclass(frozen=True)
class BadHistory(Diagnostic):
    """A history cannot record one of its parts.

    A history holds positions of the game: counters, marks, pointers and zones in all their places, whose
    turn it is, and values without parameters. All of it must be open to all seats, since whether a position
    has been there before would tell what is hidden in it.

    Example:

        histories: {position: {of: [hand, active], most: 100}}       # the hand is `seen_by: owner`

    Record what everybody sees.
    """

    code = "D093"
    slug = "bad-history"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class CannotCarry(Diagnostic):
    """Something cannot carry over to the next match.

    What carries over is what players would note on a sheet beside the table: counters, marks and pointers,
    in all their places, as they are when a match ends. Pieces go back to where they start; which of them are
    out of play, unlocked or owned is a mark or counter `at:` their kind, by which the set-up lays them out.

    Example:

        carries: [points, market]          # `market` is a zone

    Carry a note of it.
    """

    code = "D147"
    slug = "cannot-carry"
    title = "`{name}` cannot carry over: it {why}"
    advice = "{hint}"
    name: str
    why: str
    hint: str


@dataclass(frozen=True)
class SecretCarried(Diagnostic):
    """What nobody has seen would carry over to the next match.

    What carries over is known at the end of a match: to all, or to those who see it by its `seen_by`, and
    they see it in the next match, too. What nobody sees could be compared over the matches.

    Example:

        counters: {poison: {of: seat, range: 0..9, seen_by: nobody}}
        carries: [poison]

    Let somebody see it, or leave it out.
    """

    code = "D148"
    slug = "secret-carried"
    title = "`{name}` cannot carry over: nobody knows it"
    advice = "give it another `seen_by`, or carry what has come of it"
    name: str


@dataclass(frozen=True)
class CarriedWhile(Diagnostic):
    """The `while` of `carries` is no condition.

    It is asked once, when a match has ended: if it holds, another match may follow, which begins with what
    carries over; if not, the series is over.

    Example:

        carries: {of: [games], while: games_left}     # `games_left` is a number

    Name a value without parameters that is true or false.
    """

    code = "D149"
    slug = "carried-while"
    title = "`while` of `carries` is no condition: `{name}` {why}"
    advice = "write a value such as `value {name}_open = ...` that is true or false, without parameters"
    name: str
    why: str
