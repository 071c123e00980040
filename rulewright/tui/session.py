"""A match with everything that belongs to it at the table: who plays, its story, where it is kept."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.diagnostics import DiagnosticError
from interpreter import ir, log
from interpreter.executor_protocol import Waiting
from interpreter.game import Choice, Decision, Game
from interpreter.match import Match
from rulewright.durable import Growing
from rulewright.tui import saves
from rulewright.tui.explain import Explainer
from rulewright.tui.log_file import Head, LogFile, open_log
from rulewright.tui.public_values import PublicValues
from rulewright.tui.screen import Screen
from rulewright.tui.seats import HUMAN
from rulewright.tui.story import Story
from rulewright.tui.styles import HIGHLIGHT
from rulewright.tui.undo import take_back
from rulewright.tui.view_model import RowScope, ViewModel

if TYPE_CHECKING:
    from validators.secrecy.taint import TaintAnalysis


@dataclass(frozen=True, slots=True)
class SessionConfig:
    """How a match is played: who sits where, with which options, where it is kept.

    `auto`: a choice without an alternative is taken by itself, where that tells nobody anything. `nonce`
    keeps the seed from being guessed by those who are shown the commitment to it.
    """

    kinds: Sequence[str]
    options: dict[str, str]
    log: Path | None = None
    auto: bool = True
    nonce: str | None = None
    small: str | None = None


class Leave(Exception):
    """A person leaves the table on purpose."""


@dataclass
class Session:
    """One match at one terminal.

    `last` is the person who sat before the screen last; `saved_in` is the file that holds the match as it
    stands, if there is one; `log_file` is the log that grows with it, `resumed_file` the open file that the match
    comes from. `notice` is said with the next news. `commitment_shown`: all have been shown what binds the seed.
    """

    match: Match
    config: SessionConfig
    screen: Screen
    last: int | None = None
    saved_in: Path | None = None
    notice: str = ""
    resumed_file: Growing | None = None
    log_file: LogFile | None = None
    commitment_shown: bool = False
    story: Story = field(init=False)
    explainer: Explainer = field(init=False)
    public_values: PublicValues = field(init=False)

    def __post_init__(self) -> None:
        self.restart_story()
        self.explainer = Explainer(self.game)
        self.public_values = PublicValues(self.game)

    def restart_story(self) -> None:
        """Who listens to the story: the people who sit at the table now."""
        self.story = Story(self.match, self.people)

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def people(self) -> list[int]:
        return [i for i, kind in enumerate(self.config.kinds) if kind == HUMAN]

    @property
    def has_secrets(self) -> bool:
        """Whether seats see different things: own pieces, pieces shown to one, choices at once."""
        zones = self.game.rules.zones.values()
        own = any("owner" in (zone.seen_by, zone.counted_by) for zone in zones)
        forks = any(isinstance(node, ir.Fork) for node in self.game.machine.nodes)
        return own or bool(self.game.machine.shown) or forks

    @cached_property
    def observed(self) -> TaintAnalysis:
        """What hangs on hidden pieces; only a table with several people needs it."""
        from validators.secrecy.taint import TaintAnalysis

        return TaintAnalysis(self.game)

    def is_automatic(self, s: array[int], waiting: Waiting) -> bool:
        """Whether a person's choice is taken without asking: there is no other, and all can know that.

        With several people at the screen, whether somebody is called to it is seen by all of them. So it may
        not depend on pieces that some of them do not see, nor on what is chosen at the same time.
        """
        if not self.config.auto or len(waiting.options) != 1:
            return False
        return len(self.people) < 2 or not (s[ir.FORKED] or self.observed.hides(waiting.node))

    def view_model(self, seat: int, max_named: int, row_scope: RowScope = "all") -> ViewModel:
        """What a seat may see, with at most so many different pieces of one place named."""
        view, state = self.match.view(seat), self.match.state[:]
        return ViewModel(self.game, view, self.config.kinds, self.public_values, state, max_named, row_scope)

    # ---- changes

    def take(self, decision: Decision, choice: Choice, note: str = "") -> None:
        """Carries out a choice, keeps it, and only then tells of it.

        Raises `Fault` if the rules break over it, `DiagnosticError` if it cannot be kept and nobody can be
        asked.
        """
        before, first = self.match.state[:], len(self.match.steps)
        self.saved_in = None
        self.match.take(decision.waiting, choice.option)
        self.update_log()
        self.story.record(first, before, self.match.state, note=note)

    def undo(self, seat: int, choices: int = 1) -> str:
        """Takes back the last choices of a seat; says why not if it cannot be."""
        before = len(self.match.history)

        def agree(seats: Sequence[str], number: int, why: str) -> str:
            return self._ask_others(self.game.names.seat(seat), seats, number, why)

        why = take_back(self.match, seat, self.is_automatic, agree, choices)
        if not why:
            number = before - len(self.match.history)
            self.saved_in = None
            self.update_log()
            self.notice = taken_back(choices, number)
            self.story.take_back()
        return why

    def _ask_others(self, own: str, seats: Sequence[str], number: int, why: str) -> str:
        """Asks the other people whether they agree; nobody else can. What speaks against it, if anything.

        Where there are secrets, what is on the screen is private, and the seat is called again behind it.
        """
        kinds = {self.game.names.seat(i): kind for i, kind in enumerate(self.config.kinds)}
        bots = [f"{name} ({kinds[name]})" for name in seats if kinds[name] != HUMAN]
        if bots or not seats:
            return f"{why}; {bots[0]} cannot agree to it" if bots else why
        if self.has_secrets:
            self.screen.forget()
            self.last = None
        self.screen.say(f"{own} wants to take back {counted_choices(number)}, but {why}.")
        for name in seats:
            if self.screen.read(f"{name}, do you agree? yes or no: ").strip().lower() not in ("y", "yes"):
                return f"{why}; {name} does not agree"
        return ""

    # ---- saving

    @property
    def head(self) -> Head:
        """What the first line of the log says."""
        given = self.config
        return Head(given.options, given.kinds, given.nonce, given.small)

    @property
    def commitment(self) -> str | None:
        """The hash that binds the seed, for all to see."""
        found = log.head(self.match, self.config.options, [], None, self.config.nonce).get("commitment")
        return str(found) if found is not None else None

    @property
    def opening(self) -> str:
        """What is said with the seed when the match is over."""
        if self.config.nonce is None:
            return ""
        return f"; with the nonce {self.config.nonce} it opens the commitment {self.commitment}"

    def save(self, path: Path) -> None:
        """Raises `DiagnosticError` if the file cannot be written."""
        if self.log_file is None or not same_file(path, self.log_file.path):
            saves.save(path, self.match, self.head)
        self.saved_in = path

    def begin(self) -> None:
        """Opens the log, if there is to be one, and writes what has been played. Raises `DiagnosticError`."""
        if self.config.log is not None and self.log_file is None:
            self.log_file = open_log(self.config.log, self.head, self.match, self.resumed_file)
            self.saved_in = self.config.log

    def close(self) -> None:
        """Lets go of the files, so that others may write them."""
        for log_file in (self.log_file, self.resumed_file):
            if log_file is not None:
                log_file.close()

    def update_log(self) -> None:
        """Brings the log to where the match is, whatever that takes: people are asked, if there are any.

        Raises `DiagnosticError` if there are none; `Leave`, `EOFError` or `KeyboardInterrupt` if they leave.
        """
        while self.log_file is not None and self.saved_in is None:
            try:
                self.log_file.update(self.match)
                self.saved_in = self.log_file.path
            except DiagnosticError as failed:
                if not self.people:
                    raise
                self._choose_other_log(self.log_file, failed)

    def _choose_other_log(self, log_file: LogFile, failed: DiagnosticError) -> None:
        """The log cannot be written: the people decide what becomes of it."""
        self.screen.complain(failed.diagnostic)
        answer = self.screen.read(OTHER_LOG)
        if answer == "quit":
            raise Leave
        if answer == "none":
            self.log_file = None
            self.notice = f"from here on the match is not kept; {log_file.path} contains it so far"
        elif answer and not same_file(Path(answer), log_file.path):
            self._open_other_log(answer)
        if self.log_file is not log_file:
            log_file.close()

    def _open_other_log(self, name: str) -> None:
        """Another file for the match from here on, if it can be written."""
        try:
            self.log_file = open_log(Path(name).expanduser(), self.head, self.match)
            self.saved_in = self.log_file.path
        except (DiagnosticError, RuntimeError) as error:
            self.screen.say(str(error), HIGHLIGHT)


OTHER_LOG = (
    "Enter to try again, a file name to keep the match there, `none` to continue without, `quit` to leave: "
)


def same_file(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False


def counted_choices(number: int) -> str:
    return "the last choice" if number == 1 else f"the last {number} choices"


def taken_back(choices: int, number: int) -> str:
    """`your last choice is taken back`, and how many in all if that was not the only one."""
    own = "your last choice is" if choices == 1 else f"your last {choices} choices are"
    return f"{own} taken back" + (f", {number} in all" if number > choices else "")
