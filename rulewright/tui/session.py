"""A match in the terminal with its players, its story and its log file."""

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
from interpreter.undo import UndoBlocker
from rulewright.files.durable import GrowingFile
from rulewright.i18n.messages import Messages
from rulewright.matches import saves
from rulewright.matches.log_file import Head, LogFile, open_log
from rulewright.matches.seats import HUMAN
from rulewright.matches.undo import take_back
from rulewright.presentation.description import has_secrets
from rulewright.tui.explain import Explainer
from rulewright.tui.public_values import PublicValues
from rulewright.tui.screen import Screen
from rulewright.tui.story import Story
from rulewright.tui.styles import HIGHLIGHT
from rulewright.tui.view_model import RowScope, ViewModel
from rulewright.tui.words import kind_name, terminal_messages, undo_refused

if TYPE_CHECKING:
    from validators.secrecy.taint import TaintAnalysis


@dataclass(frozen=True, slots=True)
class SessionConfig:
    """The configuration of a session: kinds of players by seat, options of the game, the log file.

    With `auto`, choices without an alternative are made automatically where that reveals nothing. The `nonce`
    prevents guessing the seed from its commitment.
    """

    kinds: Sequence[str]
    options: dict[str, str]
    log: Path | None = None
    auto: bool = True
    nonce: str | None = None
    small: str | None = None


class Leave(Exception):
    """A person has quit the match."""


@dataclass
class Session:
    """One match at one terminal.

    `last` is the person who used the screen last. `saved_in` is the file that has the match in its current
    state, if there is one; `log_file` is the log that grows with the match; `resumed_file` is the open file
    that the match was read from. `notice` is shown with the next news. `commitment_shown`: everybody has been
    shown the commitment to the seed.
    """

    match: Match
    config: SessionConfig
    screen: Screen
    last: int | None = None
    saved_in: Path | None = None
    notice: str = ""
    resumed_file: GrowingFile | None = None
    log_file: LogFile | None = None
    commitment_shown: bool = False
    say: Messages = field(init=False)
    story: Story = field(init=False)
    explainer: Explainer = field(init=False)
    public_values: PublicValues = field(init=False)

    def __post_init__(self) -> None:
        self.say = terminal_messages(self.game)
        self.restart_story()
        self.explainer = Explainer(self.game)
        self.public_values = PublicValues(self.game)

    def restart_story(self) -> None:
        """Starts the story anew, for the people who play now."""
        self.story = Story(self.match, self.people)

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def people(self) -> list[int]:
        return [i for i, kind in enumerate(self.config.kinds) if kind == HUMAN]

    @property
    def has_secrets(self) -> bool:
        """Whether seats may see different things."""
        return has_secrets(self.game)

    def seat_label(self, seat: str) -> str:
        """What people call a seat: by its label, everywhere."""
        return self.game.names.label(seat)

    @cached_property
    def observed(self) -> TaintAnalysis:
        """What depends on hidden pieces; needed only if several people play."""
        from validators.secrecy.taint import TaintAnalysis

        return TaintAnalysis(self.game)

    def is_automatic(self, s: array[int], waiting: Waiting) -> bool:
        """Whether a person's choice is made without asking: it has no alternative, and all may know that.

        If several people share the screen, all of them see whether somebody is asked. So that must depend
        neither on hidden pieces nor on simultaneous choices.
        """
        if not self.config.auto or len(waiting.options) != 1:
            return False
        return len(self.people) < 2 or not (s[ir.FORKED] or self.observed.hides(waiting.node))

    def view_model(self, seat: int, max_named: int, row_scope: RowScope = "all") -> ViewModel:
        """What a seat may see, with at most `max_named` different pieces of a place named."""
        view, state = self.match.view(seat), self.match.state[:]
        return ViewModel(self.game, view, self.config.kinds, self.public_values, state, max_named, row_scope)

    # ---- changes

    def take(self, decision: Decision, choice: Choice, note: str = "") -> None:
        """Makes a choice, writes it to the log, and only then adds it to the story.

        Raises `Fault` if the rules fail, `DiagnosticError` if the log cannot be written and nobody can be
        asked.
        """
        first = len(self.match.steps)
        self.saved_in = None
        self.match.take(decision.waiting, choice.option)
        self.update_log()
        self.story.record(first, note=note)

    def undo(self, seat: int, choices: int = 1) -> str:
        """Takes back the last choices of a seat. Returns the reason if it is refused, else an empty text."""
        before, objections = len(self.match.history), list[str]()

        def agree(seats: Sequence[str], number: int, blocker: UndoBlocker) -> bool:
            own = self.seat_label(self.game.names.seat(seat))
            objections.append(self._ask_others(own, seats, number, blocker))
            return not objections[-1]

        blocker = take_back(self.match, seat, self.people, self.is_automatic, agree, choices)
        if blocker is not None:
            return objections[-1] if objections else undo_refused(self.say, self.game, blocker)
        self.saved_in = None
        self.update_log()
        self.notice = taken_back(self.say, choices, before - len(self.match.history))
        self.story.take_back()
        return ""

    def _ask_others(self, own: str, seats: Sequence[str], number: int, blocker: UndoBlocker) -> str:
        """Asks the other people whether they agree. Returns the objection, or an empty text.

        If the game has secrets, the screen is cleared first, and the seat is called to it again afterwards.
        """
        say, why = self.say, undo_refused(self.say, self.game, blocker)
        if not seats:
            names, kinds = self.game.names, enumerate(self.config.kinds)
            bots = [(self.seat_label(names.seat(i)), kind) for i, kind in kinds if kind != HUMAN]
            if not bots:
                return why
            return say("terminal-cannot-agree", why=why, seat=bots[0][0], kind=kind_name(say, bots[0][1]))
        if self.has_secrets:
            self.screen.forget()
            self.last = None
        self.screen.say(say("terminal-wants-back", seat=own, number=number, why=why))
        for name in seats:
            yes, label = say("table-yes").casefold(), self.seat_label(name)
            question = say("terminal-agree", seat=label, yes=yes, no=say("table-no"))
            if self.screen.read(f"{question} ").casefold() not in ("y", "yes", yes[:1], yes):
                return say("terminal-does-not-agree", why=why, seat=label)
        return ""

    # ---- saving

    @property
    def head(self) -> Head:
        """The head of the log."""
        given = self.config
        return Head(given.options, given.kinds, given.nonce, given.small)

    @property
    def commitment(self) -> str | None:
        """The commitment to the seed."""
        found = log.head(self.match, self.config.options, [], None, self.config.nonce).get("commitment")
        return str(found) if found is not None else None

    @property
    def opening(self) -> str:
        """The seed, told after the match; if its commitment was shown, with what opens that."""
        if self.config.nonce is None or not self.commitment_shown:
            return self.say("terminal-seed", seed=str(self.match.seed))
        commitment, nonce = str(self.commitment), self.config.nonce
        return self.say(
            "terminal-seed-opening", seed=str(self.match.seed), nonce=nonce, commitment=commitment
        )

    def save(self, path: Path) -> None:
        """Saves the match to a file. Raises `DiagnosticError` if it cannot be written."""
        if self.log_file is None or not same_file(path, self.log_file.path):
            saves.save(path, self.match, self.head)
        self.saved_in = path

    def begin(self) -> None:
        """Opens the log, if one is configured, and writes the match so far. Raises `DiagnosticError`."""
        if self.config.log is not None and self.log_file is None:
            self.log_file = open_log(self.config.log, self.head, self.match, self.resumed_file)
            self.saved_in = self.config.log

    def close(self) -> None:
        """Closes the files, which unlocks them."""
        for log_file in (self.log_file, self.resumed_file):
            if log_file is not None:
                log_file.close()

    def update_log(self) -> None:
        """Writes the log until it has the current state; on failure the people are asked what to do.

        Raises `DiagnosticError` without people; `Leave`, `EOFError` or `KeyboardInterrupt` if one quits.
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
        """After a failure: try again, continue in another file or without one, or quit, as the people say."""
        self.screen.complain(failed.diagnostic)
        answer = self.screen.read(f"{self.say('terminal-other-log')} ")
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
        """Continues the log in another file, if that can be written."""
        try:
            self.log_file = open_log(Path(name).expanduser(), self.head, self.match)
            self.saved_in = self.log_file.path
        except (DiagnosticError, RuntimeError) as error:
            self.screen.say(str(error), HIGHLIGHT)


def same_file(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False


def taken_back(say: Messages, choices: int, number: int) -> str:
    """`your last choice is taken back`, and the total number if others were taken back as well."""
    own = say("terminal-undone-own", number=choices)
    return say("terminal-undone-all", own=own, number=number) if number > choices else own
