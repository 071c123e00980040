"""D060 to D064: the flow, the configuration and the set-up of a game."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Label, Mistake
from dsl.source import Span


@dataclass(frozen=True)
class BadFlow(Mistake):
    """The flow of phases cannot be followed.

    Every phase says what is done and which phase comes next; one phase scores and has nothing after it;
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
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class BadOption(Mistake):
    """An option, ruling or number of seats that the game does not have.

    Games are played with the seats and options that `game.yaml` declares, each with one of its values.

    Example:

        rulewright play hearts --seats 9

    Choose one of the values that the message names.
    """

    code = "D061"
    slug = "bad-option"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class NoSuchGame(Mistake):
    """There is no game of this name, and no ruleset at this path.

    A ruleset is a folder with a `game.yaml`.

    Example:

        rulewright play haerts

    `rulewright list` names the bundled games; `rulewright new NAME` makes one to start from.
    """

    code = "D062"
    slug = "no-such-game"
    title = "there is no game or ruleset `{name}`"
    mend = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class BadStart(Mistake):
    """It is not clear where the pieces of a component lie when the game begins.

    Pieces are never made or lost: all of a component begin in the one zone that says `start: all`, which
    must have room for them and one place for each that owns some. A single die that no zone holds lies
    beside the board.

    Example:

        zones:
          deck: {holds: card, order: shuffled, seen_by: nobody}

    Say `start: all` at one zone of the component.
    """

    code = "D063"
    slug = "bad-start"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""
    other: Span | None = None

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.other, "the first one"),) if self.other is not None else ()


@dataclass(frozen=True)
class NoSuchPreset(Mistake):
    """A preset was asked for that the game does not have.

    A preset makes a game smaller, so that all of its positions can be looked at. `game.yaml` names them in
    its section `small`; a file with the content of one does as well.

    Example:

        rulewright explore my_game --small tinny

    Choose one of the presets that the message names, or give the name of a file, such as `tiny.yaml`.
    """

    code = "D064"
    slug = "no-such-preset"
    title = "the game has no preset `{name}`"
    mend = "{hint}"
    name: str
    hint: str
