"""D060 to D064: the flow, the configuration and the set-up of a game."""

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
