"""Games that matches are played of, and the values that describe a match: decisions, choices, steps."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Literal, Protocol
from warnings import warn

from dsl import rules as r
from dsl.numbers import whole
from interpreter import ir
from interpreter.compile.exclusion import in_play
from interpreter.events import Event
from interpreter.executor_protocol import PASS, Executor, Option, Waiting, listed
from interpreter.formatting import is_within
from interpreter.ir.number_parts import in_parts
from interpreter.messages import BrokenModule, Fault
from interpreter.number_ranges import NumberRange
from interpreter.pools import Pool
from interpreter.reference.executor import ReferenceExecutor as Reference
from interpreter.refusal import Refusals
from interpreter.views import Views
from interpreter.wording import ConditionBook, Wording, unworded

ExecutorKind = Literal["reference", "wasm"]
"""Which executor runs a match: the one in Python, or the one in WebAssembly."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a decision, in the words of the rules and with a label for people."""

    option: Option
    words: tuple[str, ...]
    label: str

    @property
    def text(self) -> str:
        """The words, separated by blanks: what `Match.choose` accepts."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class RangeOfChoices:
    """Choices that differ in a number alone: the words in front of it, with a label, and the numbers."""

    words: tuple[str, ...]
    label: str
    numbers: NumberRange


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that waits: the seat that has to choose, and its choices.

    `ranges` are numbers that are too many to list; a few of them stand among the choices.
    """

    seat: str
    name: str
    choices: tuple[Choice, ...]
    clauses: tuple[str, ...]
    waiting: Waiting
    ranges: tuple[RangeOfChoices, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchStep:
    """One step of a match: the choice of a seat, or a random outcome of a stream, with its events.

    `text` is the choice or outcome as the referee sees it, `open_text` as other seats may read it, and
    `own_text` as the seat itself may: it can choose among pieces that it does not see. `hash` is the hash of
    the state after the step, empty if the match keeps no history. `supplied`: the outcome was given, and not
    drawn. `odds` are the faces of a die with their weights; `pools` are those of a piece that is drawn from a
    place, for the referee, the spectators and each seat, as they depend on what one sees. `branch` is the
    seat whose branch of `together` the step belongs to: other seats may read it when all branches have ended.
    `node` is that of the decision. `may_show`: after it, a seat may have been shown something that the others
    do not learn of.
    """

    seat: str | None
    stream: str | None
    text: str
    events: tuple[Event, ...]
    hash: str
    supplied: bool = False
    open_text: str = ""
    branch: str = ""
    own_text: str = ""
    odds: tuple[tuple[str, int], ...] = ()
    pools: tuple[Pool | None, ...] = ()
    node: int | None = None
    may_show: bool = False

    @property
    def together(self) -> bool:
        """Whether the step belongs to a branch of `together`."""
        return bool(self.branch)


@dataclass(frozen=True, slots=True)
class Refused:
    """A choice that was not offered to a seat, as it was written, and the answer.

    It was made after so many `choices` of all seats.
    """

    choices: int
    seat: str
    written: str
    why: str
    hint: str


class Game:
    """A compiled game with everything that its matches need; all matches can share it.

    `executor` runs the matches; where none is named, that is the fast one, or the reference executor with a
    `RuntimeWarning` if the game is too large for a module. `reference` evaluates queries and explains
    refusals, whichever executor runs. `wording` writes conditions in the words of players, for refusals.
    """

    def __init__(
        self,
        rules: r.Rules,
        machine: ir.Machine,
        executor: ExecutorKind | None = "reference",
        wording: Wording = unworded,
    ) -> None:
        self.ruleset = rules.configured(machine.seats, dict(machine.options))
        """All that is declared; `rules` have only what plays a part in this configuration."""
        self.wording = wording
        self.rules = rules = in_play(self.ruleset, machine)
        self.machine = machine
        self.reference = Reference(machine)
        self._kind = executor
        self.views = Views(rules, machine)
        self.names = self.views.names
        self._condition_words = cache(partial(wording, self.ruleset, machine))
        self.refusals = Refusals(self.reference, self.views, self._condition_words)
        if executor == "wasm":
            _ = self.executor

    @cached_property
    def executor(self) -> Executor:
        """What runs the matches, made for the first of them."""
        if self._kind == "reference":
            return self.reference
        from interpreter.wasm.executor import WasmExecutor

        try:
            return WasmExecutor(self.machine, self.reference)
        except Fault as error:
            if self._kind == "wasm" or not isinstance(error.diagnostic, BrokenModule):
                raise
            why = f"`{self.machine.name}` is refereed by the reference executor, which is slower: {error}"
            warn(why, RuntimeWarning, stacklevel=2)
            return self.reference

    @cached_property
    def in_parts(self) -> Game:
        """The game in which numbers from ranges are chosen in parts (`ir.number_parts`), or this one.

        Whoever has a number for each option plays it.
        """
        machine = in_parts(self.machine)
        if machine is self.machine:
            return self
        return Game(self.ruleset, machine, self._kind, self.wording)

    @property
    def condition_words(self) -> ConditionBook:
        """The conditions that refusals name, in the words of players."""
        return self._condition_words()

    def decision(self, waiting: Waiting) -> Decision:
        """A decision that waits, with words and labels; they name hidden pieces, too."""
        names, node = self.names, self.machine.decision(waiting.node)
        choices = []
        for option in waiting.options:
            words = names.choice(node, option, waiting.what)
            keys = names.keys.choice(node, option, waiting.what)
            choices.append(Choice(option, words, " ".join(names.label(key) for key in keys)))
        ranges = tuple(self._range(node, numbers, waiting) for numbers in waiting.ranges)
        return Decision(names.seat(waiting.seat), node.name, tuple(choices), node.clauses, waiting, ranges)

    def _range(self, node: ir.Decide | ir.Offer, numbers: NumberRange, waiting: Waiting) -> RangeOfChoices:
        of = node, (numbers.part, numbers.first), waiting.what
        words, keys = self.names.choice(*of)[:-1], self.names.keys.choice(*of)[:-1]
        return RangeOfChoices(words, " ".join(map(self.names.label, keys)), numbers)

    def including(self, waiting: Waiting, written: str) -> Waiting:
        """A decision with the numbers among its options that a text may mean and that are not listed."""
        if not waiting.ranges:
            return waiting
        *words, last = written.replace(",", " ").split() or [""]
        number = whole(last)
        if number is None:
            return waiting
        node = self.machine.decision(waiting.node)
        meant = (
            (one.part, number)
            for one in waiting.ranges
            if one.has(number) and is_within(words, self._range(node, one, waiting).words)
        )
        passing = node.passing if PASS in waiting.options else None
        options = (option for option in waiting.options if option != PASS)
        return replace(waiting, options=listed((*options, *meant), waiting.ranges, passing))

    def seat_number(self, name: str) -> int:
        """The number of a seat by its name. Raises `KeyError` if there is no such seat in this game."""
        names = self.rules.types["seat"].names[: self.machine.seats]
        if name not in names:
            raise KeyError(name)
        return names.index(name)


class MatchRecord(Protocol):
    """The read-only part of a match: enough for what is offered to a seat and what can be taken back."""

    @property
    def game(self) -> Game: ...

    @property
    def seed(self) -> int: ...

    @property
    def state(self) -> array[int]: ...

    @property
    def steps(self) -> Sequence[MatchStep]: ...

    @property
    def history(self) -> Sequence[tuple[array[int], int]]:
        """For each choice the state before it, and the number of its first step."""
