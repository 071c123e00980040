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
from rulewright.tui.styles import WARM
from rulewright.tui.undo import take_back
from rulewright.tui.view_model import Tells, ViewModel

if TYPE_CHECKING:
    from validators.secrecy.taint import TaintAnalysis


@dataclass(frozen=True, slots=True)
class Setting:
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

    `last` is the person who sat before the screen last; `kept` is the file that holds the match as it
    stands, if there is one; `file` is the log that grows with it, `resumed` the open file that the match
    comes from. `notice` is said with the next news. `committed`: all have been shown what binds the seed.
    """

    match: Match
    setting: Setting
    screen: Screen
    last: int | None = None
    kept: Path | None = None
    notice: str = ""
    resumed: Growing | None = None
    file: LogFile | None = None
    committed: bool = False
    story: Story = field(init=False)
    explainer: Explainer = field(init=False)
    facts: PublicValues = field(init=False)

    def __post_init__(self) -> None:
        self.seat_anew()
        self.explainer = Explainer(self.game)
        self.facts = PublicValues(self.game)

    def seat_anew(self) -> None:
        """Who listens to the story: the people who sit at the table now."""
        self.story = Story(self.match, self.people)

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def people(self) -> list[int]:
        return [i for i, kind in enumerate(self.setting.kinds) if kind == HUMAN]

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

    def takes_by_itself(self, s: array[int], waiting: Waiting) -> bool:
        """Whether a person's choice is taken without asking: there is no other, and all can know that.

        With several people at the screen, whether somebody is called to it is seen by all of them. So it may
        not depend on pieces that some of them do not see, nor on what is chosen at the same time.
        """
        if not self.setting.auto or len(waiting.options) != 1:
            return False
        return len(self.people) < 2 or not (s[ir.FORKED] or self.observed.hides(waiting.node))

    def look(self, seat: int, most: int, tells: Tells = "all") -> ViewModel:
        """What a seat may see, with at most so many different pieces of one place named."""
        view, state = self.match.view(seat), self.match.state[:]
        return ViewModel(self.game, view, self.setting.kinds, self.facts, state, most, tells)

    # ---- changes

    def take(self, decision: Decision, choice: Choice, note: str = "") -> None:
        """Carries out a choice, keeps it, and only then tells of it.

        Raises `Fault` if the rules break over it, `DiagnosticError` if it cannot be kept and nobody can be
        asked.
        """
        before, first = self.match.state[:], len(self.match.steps)
        self.kept = None
        self.match.take(decision.waiting, choice.option)
        self.keep()
        self.story.record(first, before, self.match.state, note=note)

    def undo(self, seat: int, choices: int = 1) -> str:
        """Takes back the last choices of a seat; says why not if it cannot be."""
        before = len(self.match.history)

        def agree(seats: Sequence[str], number: int, why: str) -> str:
            return self._agree(self.game.names.seat(seat), seats, number, why)

        why = take_back(self.match, seat, self.takes_by_itself, agree, choices)
        if not why:
            number = before - len(self.match.history)
            self.kept = None
            self.keep()
            self.notice = taken_back(choices, number)
            self.story.take_back()
        return why

    def _agree(self, own: str, seats: Sequence[str], number: int, why: str) -> str:
        """Asks the other people whether they agree; nobody else can. What speaks against it, if anything.

        Where there are secrets, what is on the screen is private, and the seat is called again behind it.
        """
        kinds = {self.game.names.seat(i): kind for i, kind in enumerate(self.setting.kinds)}
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
        given = self.setting
        return Head(given.options, given.kinds, given.nonce, given.small)

    @property
    def commitment(self) -> str | None:
        """The hash that binds the seed, for all to see."""
        found = log.head(self.match, self.setting.options, [], None, self.setting.nonce).get("commitment")
        return str(found) if found is not None else None

    @property
    def opening(self) -> str:
        """What is said with the seed when the match is over."""
        if self.setting.nonce is None:
            return ""
        return f"; with the nonce {self.setting.nonce} it opens the commitment {self.commitment}"

    def save(self, path: Path) -> None:
        """Raises `DiagnosticError` if the file cannot be written."""
        if self.file is None or not same_file(path, self.file.path):
            saves.save(path, self.match, self.head)
        self.kept = path

    def begin(self) -> None:
        """Opens the log, if there is to be one, and writes what has been played. Raises `DiagnosticError`."""
        if self.setting.log is not None and self.file is None:
            self.file = open_log(self.setting.log, self.head, self.match, self.resumed)
            self.kept = self.setting.log

    def close(self) -> None:
        """Lets go of the files, so that others may write them."""
        for file in (self.file, self.resumed):
            if file is not None:
                file.close()

    def keep(self) -> None:
        """Brings the log to where the match is, whatever that takes: people are asked, if there are any.

        Raises `DiagnosticError` if there are none; `Leave`, `EOFError` or `KeyboardInterrupt` if they leave.
        """
        while self.file is not None and self.kept is None:
            try:
                self.file.update(self.match)
                self.kept = self.file.path
            except DiagnosticError as failed:
                if not self.people:
                    raise
                self._keep_elsewhere(self.file, failed)

    def _keep_elsewhere(self, file: LogFile, failed: DiagnosticError) -> None:
        """The log cannot be written: the people decide what becomes of it."""
        self.screen.complain(failed.diagnostic)
        said = self.screen.read(ELSEWHERE)
        if said == "quit":
            raise Leave
        if said == "none":
            self.file, self.notice = (
                None,
                f"from here on the match is not kept; {file.path} contains it so far",
            )
        elif said and not same_file(Path(said), file.path):
            self._keep_in(said)
        if self.file is not file:
            file.close()

    def _keep_in(self, said: str) -> None:
        """Another file for the match from here on, if it can be written."""
        try:
            self.file = open_log(Path(said).expanduser(), self.head, self.match)
            self.kept = self.file.path
        except (DiagnosticError, RuntimeError) as error:
            self.screen.say(str(error), WARM)


ELSEWHERE = (
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
