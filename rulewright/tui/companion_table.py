"""A physical table followed in the terminal: people type what everybody sees there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rich.table import Table

from interpreter.companion import Companion
from interpreter.companion_log import Record
from interpreter.game import Choice, Decision, Game
from interpreter.hypotheses import possible_decisions
from interpreter.messages import Fault, NotOffered
from interpreter.redacted_log import Entry, entries
from interpreter.sights import SPECTATOR
from rulewright.matches.told_file import ToldFile
from rulewright.presentation.companion import asked_seat, past_position, public_scores, refusal_of_possible
from rulewright.story.lines import lines_of
from rulewright.story.names import TableNames
from rulewright.story.refusals import refused_text
from rulewright.tui.board import board, heading
from rulewright.tui.commands import Commands, carried_out
from rulewright.tui.explain import Explainer
from rulewright.tui.menu import Menu, menu_of, shown
from rulewright.tui.public_values import PublicValues
from rulewright.tui.screen import Screen
from rulewright.tui.session import Leave
from rulewright.tui.styles import BOLD, DIM, HIGHLIGHT, borderless_table, list_of_commands, styled
from rulewright.tui.view_model import ViewModel
from rulewright.tui.words import terminal_messages

PLAYER = "player"
UNSEEN = "unseen"
SOME, RECENT, FEW = 8, 12, 24
MOST_LISTED = 12
HELP = {
    "terminal-told-choose": "N", "terminal-told-outcome": "…", "terminal-told-unseen": UNSEEN,
    "terminal-told-undo": "undo", "terminal-help-why": "why …", "terminal-told-view": "view",
    "terminal-help-log": "log", "terminal-told-score": "score", "terminal-help-quit": "quit",
    "terminal-help-help": "help",
}  # fmt: skip
"""How each command is typed, by the message that says what it does."""


@dataclass
class CompanionTable:
    """A match at a physical table, with the screen and the file of those who tell it."""

    record: Record
    screen: Screen
    file: ToldFile | None = None
    told: int = 0
    """How many events were printed."""
    waiting: list[str] = field(default_factory=list)
    """Answers that were typed at once and are still to be told."""

    def __post_init__(self) -> None:
        self.say = terminal_messages(self.game)
        self.names = TableNames(self.game, self.say)
        self.explainer = Explainer(self.game)
        self.public_values = PublicValues(self.game)
        self.commands: Commands = {
            "undo": self.undo, "why": self.why, "view": self.view, "log": self.log, "score": self.score,
            "quit": self.quit, "help": self.help,
        }  # fmt: skip

    @property
    def companion(self) -> Companion:
        return self.record.companion

    @property
    def game(self) -> Game:
        return self.companion.game

    # ---- the loop

    def run(self) -> None:
        """Follows the match to its end.

        Raises `Leave`, `EOFError` or `KeyboardInterrupt` if people leave, `DiagnosticError` if what was told
        cannot be kept.
        """
        self.view("")
        self.told = len(self._entries())
        while self.companion.question is not None or not self.companion.match.over:
            if self.waiting and self.companion.question is not None:
                self.answer(self.waiting.pop(0))
                continue
            self.waiting.clear()
            typed = self.screen.read(self.prompt())
            if typed and not carried_out(self.commands, typed):
                self._tell(typed)
        self._print_result()

    def prompt(self) -> str:
        """`A> `, or what is asked: `die (1 2 3 4 5 6)? `"""
        if self.companion.question is None:
            seat = asked_seat(self.companion)
            return f"{self.game.names.seat(seat)}> " if seat is not None else "> "
        names = [self._spoken(name) for name in self.companion.answers()]
        if len(names) > MOST_LISTED:
            return f"{self.say('terminal-or-all', what=self._asked())} "
        return f"{self.say('terminal-or-listed', what=self._asked(), answers=', '.join(names))} "

    def _asked(self) -> str:
        question = self.companion.question
        assert question is not None
        if question.stream is not None:
            return self._spoken(question.stream)
        assert question.place is not None
        return self._spoken(self.game.machine.places[question.place].zone)

    def _spoken(self, text: str) -> str:
        return " ".join(word if word.isdigit() else self.game.names.label(word) for word in text.split())

    # ---- telling

    def _tell(self, typed: str) -> None:
        if self.companion.question is None:
            self._choose(typed)
        elif typed == "?":
            self.screen.say(", ".join(self._spoken(name) for name in self.companion.answers()))
        elif self._fitting(typed):
            self.answer(typed)
        else:
            self.waiting = [part.strip() for part in re.split(r"[,;]" if "," in typed else r"\s+", typed)]

    def answer(self, typed: str) -> None:
        """Tells an outcome, by its name or its label, or the beginning of one."""
        if typed.lower() in (UNSEEN, "-"):
            self._carry_out(lambda: self.record.tell(None))
            return
        found = self._fitting(typed)
        if len(found) == 1:
            self._carry_out(lambda: self.record.tell(found[0]))
            return
        self.waiting.clear()
        if found:
            several = ", ".join(self._spoken(name) for name in found[:MOST_LISTED])
            self.screen.say(self.say("terminal-which-of-these", choices=several), HIGHLIGHT)
        else:
            self.screen.say(self.say("terminal-cannot-come", typed=typed), HIGHLIGHT)

    def _fitting(self, typed: str) -> list[str]:
        """The answers that are typed, or else those that begin so."""
        wanted, names = typed.casefold(), self.companion.answers()
        spoken = {name: (name.casefold(), self._spoken(name).casefold()) for name in names}
        same = [name for name in names if wanted in spoken[name]]
        return same or [name for name in names if any(text.startswith(wanted) for text in spoken[name])]

    def _choose(self, typed: str) -> None:
        menu = self._menu()
        item = menu.by_key(typed)
        found = [item] if item is not None else menu.fitting(typed)
        if len(found) == 1:
            words, seat = found[0].choice.text, menu.decision.seat
            self._carry_out(lambda: self.record.choose(seat, words))
        elif found:
            several = "   ".join(f"{one.key} {one.choice.label}" for one in found[:MOST_LISTED])
            self.screen.say(self.say("terminal-which-of-these", choices=several), HIGHLIGHT)
        else:
            self.why(typed)

    def _carry_out(self, act: Callable[[], None]) -> None:
        """Tells something and keeps it; then news and what is asked next are shown."""
        try:
            act()
        except Fault as fault:
            self.waiting.clear()
            offered = isinstance(fault.diagnostic, NotOffered)
            contradicts = self.say("terminal-contradicts")
            text = contradicts if offered else f"{fault.diagnostic.message}: {contradicts}"
            self.screen.say(text, HIGHLIGHT)
            return
        self._keep()
        self._print_news()
        if self.companion.question is None and not self.companion.match.over:
            self._print_choices()

    def _keep(self) -> None:
        if self.file is not None:
            self.file.update(self.record.text())

    # ---- commands

    def undo(self, _: str) -> None:
        """Takes back the last answer, or the last choice if it has none."""
        if not (self.record.take_back_answer() or self.record.take_back()):
            self.screen.say(self.say("terminal-nothing-told"), HIGHLIGHT)
            return
        self.waiting.clear()
        self.told = min(self.told, len(self._entries()))
        self._keep()
        self.screen.say(self.say("terminal-taken-back"), DIM)
        if self.companion.question is None:
            self._print_choices()

    def why(self, written: str) -> None:
        """Explains why something is not offered."""
        words = self.explainer.to_rule_words(written)
        refusal = refusal_of_possible(self.companion, words) if words else None
        if refusal is None:
            self.screen.say(self.say("terminal-may-be-possible" if words else "terminal-why-what"))
            return
        why = refused_text(self.names, refusal)
        self.screen.say(self.say("terminal-cannot-be-chosen", typed=written, why=why), HIGHLIGHT)
        for text in self.explainer.cited(refusal.clauses):
            self.screen.show(text)

    def view(self, _: str) -> None:
        """Draws the table, then what is asked."""
        screen, match = self.screen, self.companion.match
        if match.steps:
            model = ViewModel(
                self.game,
                match.view(SPECTATOR),
                [PLAYER] * self.game.machine.seats,
                self.public_values,
                match.state[:],
                SOME,
            )
            screen.show(heading(model))
            screen.show(board(model, screen.console, screen.width))
        if self.companion.question is None and not match.over:
            self._print_choices()

    def log(self, written: str) -> None:
        lines = lines_of(self.names, self._entries())
        for line in lines if written == "all" else lines[-RECENT:]:
            self.screen.say(line)

    def score(self, _: str) -> None:
        self.screen.show(self._scores())

    def quit(self, _: str) -> None:
        raise Leave

    def help(self, _: str) -> None:
        self.screen.show(list_of_commands((typed, self.say(message)) for message, typed in HELP.items()))

    # ---- what is shown

    def _menu(self) -> Menu:
        """The choices of the seat that is asked, for every class that a hidden piece can have."""
        seat = asked_seat(self.companion)
        assert seat is not None
        return menu_of(self.game, possible_decision(self.companion, seat))

    def _print_choices(self) -> None:
        menu, screen = self._menu(), self.screen
        screen.show(styled(self.explainer.question(self.companion.match, menu.decision), BOLD))
        screen.show(shown(menu, screen.console, screen.width, max(FEW, screen.height // 2)))

    def _print_news(self) -> None:
        told = self._entries()
        for line in lines_of(self.names, told[self.told :]):
            self.screen.say(line, DIM)
        self.told = len(told)

    def _entries(self) -> list[Entry]:
        return entries(self.companion.match, SPECTATOR)

    def _scores(self) -> Table:
        """The scores as far as they follow from what everybody sees; `?` for others."""
        table = borderless_table(2)
        table.add_column("")
        sheets = public_scores(self.companion.match)
        for seat in range(len(sheets)):
            table.add_column(styled(self.game.names.seat(seat), BOLD), justify="right")
        for i, (name, _) in enumerate(sheets[0]["lines"]):
            cells = [_known(sheet["lines"][i][1]) for sheet in sheets]
            table.add_row(styled(self.game.names.score(name)), *cells)
        table.add_row(styled(self.say("table-total"), BOLD), *(_known(sheet["total"]) for sheet in sheets))
        return table

    def _print_result(self) -> None:
        match = self.companion.match
        winners = past_position(match)["winners"]
        names = [self.game.names.seat(seat) for seat in winners or ()]
        text = self.say("terminal-undecided" if winners is None else "terminal-nobody-wins")
        if len(names) == 1:
            text = self.say("terminal-wins", seat=names[0])
        elif names:
            text = self.say("terminal-share", seats=self.say.list(names))
        self.screen.show(styled(text, BOLD))
        self.score("")


def _known(value: int | None) -> str:
    return "?" if value is None else str(value)


def possible_decision(companion: Companion, seat: int) -> Decision:
    """The decision of a seat with its choices in whichever hypothesis they are offered, each once."""
    found = [decision for _, decision in possible_decisions(companion.match, seat)]
    choices: dict[str, Choice] = {}
    for choice in _choices(found):
        choices.setdefault(choice.text, choice)
    return replace(found[0], choices=tuple(choices.values()))


def _choices(decisions: Sequence[Decision]) -> Iterator[Choice]:
    for decision in decisions:
        yield from decision.choices
