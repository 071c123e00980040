"""The prompt for one decision of one person, with its commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from rich.text import Text

from dsl.diagnostics import DiagnosticError
from interpreter import ir
from interpreter.game import Decision
from interpreter.messages import Fault
from interpreter.refusal import Refusal
from rulewright.story.refusals import refused_text
from rulewright.tui.board import board, heading
from rulewright.tui.commands import Commands, carried_out
from rulewright.tui.hint import HINT, adviser, hint_lines
from rulewright.tui.menu import Item, Menu, menu_of, shown
from rulewright.tui.remaining import still_to_choose
from rulewright.tui.score_sheet import account, derivation
from rulewright.tui.session import Leave, Session
from rulewright.tui.styles import BOLD, DIM, HIGHLIGHT, list_of_commands, styled
from rulewright.tui.view_model import RowScope
from rulewright.tui.words import ranges_text

LOWEST_MENU, LOWEST_NEWS, RECENT = 5, 2, 12
SOME, ALL = 8, 10_000
ROW_SCOPES: tuple[RowScope, ...] = ("all", "own", "none")
MOST = 6
"""The largest number of matching choices that are listed."""
NOT_A_VALUE = "it is not among the values here"
COMMANDS = "? N · why … · hint · undo · view · log · score · save … · quit · help"
HELP = {
    "choose": "N", "explain": "? N, ? …", "why": "why …", "undo": "undo, undo N", "hint": "hint, hint N",
    "view": "view", "log": "log", "score": "score", "save": "save …", "quit": "quit", "help": "help",
}  # fmt: skip
"""How each command is typed, by the last part of the message that says what it does."""


@dataclass
class Prompt:
    """The screen, the prompt and the commands for one decision."""

    session: Session
    decision: Decision
    menu: Menu = field(init=False)
    notice: str = ""
    news: list[str] | None = None
    done: bool = False

    def __post_init__(self) -> None:
        self.menu = menu_of(self.session.game, self.decision)
        self.screen = self.session.screen
        self.say = self.session.say
        self.explainer = self.session.explainer
        self.seat = self.decision.waiting.seat
        self.commands: Commands = {
            "?": self.explain, "why": self.why, "hint": self.hint, "undo": self.undo, "view": self.view,
            "log": self.log, "score": self.score, "save": self.save, "quit": self.quit, "help": self.help,
        }  # fmt: skip

    def run(self) -> None:
        """Prompts until a choice is made or taken back."""
        self.draw()
        while not self.done:
            self.answer(self.screen.read(f"{self.session.seat_label(self.decision.seat)}> "))

    # ---- answers

    def answer(self, typed: str) -> None:
        """Handles input: a choice by key or exact words, or a command, or a choice by some of its words."""
        item = self.menu.by_key(typed) or self._exactly(typed)
        if item is not None:
            self.take(item)
        elif typed and not self._command(typed):
            self._by_words(typed)

    def _exactly(self, typed: str) -> Item | None:
        words = tuple(typed.replace(",", " ").split())
        return next((item for item in self.menu.meant(typed) if item.choice.words == words), None)

    def _command(self, typed: str) -> bool:
        typed = typed.removeprefix("/")
        if typed.startswith("?"):
            typed = f"? {typed[1:]}"
        return carried_out(self.commands, typed)

    def _by_words(self, typed: str) -> None:
        found = self.menu.fitting(typed)
        if typed.isdigit() and not found:
            numbers = [section.numbers for section in self.menu.sections if section.numbers]
            keys = [i.key for section in self.menu.sections if not section.numbers for i in section.items]
            told = ", ".join([*([some_keys(keys)] if keys else []), *numbers])
            self.screen.say(self.say("terminal-unknown-choice", typed=typed, keys=told), HIGHLIGHT)
            return
        if len(found) == 1:
            self.take(found[0])
        elif found:
            self.screen.say(self.say("terminal-which-of-these", choices=self._listed(found)), HIGHLIGHT)
        elif self._of_the_game(typed):
            self.why(typed)
        else:
            self.screen.say(self.say("terminal-unknown-command", typed=typed), HIGHLIGHT)

    def _of_the_game(self, typed: str) -> bool:
        """Whether words mean something here: a thing of the game, or an action with what follows it."""
        action = self.explainer.to_rule_words(typed).partition(" ")[0]
        things = (self.explainer.find_word(word) for word in typed.split())
        return action in self.session.game.rules.routines or any(things)

    def _listed(self, items: Sequence[Item]) -> str:
        """The first of some choices; of numbers that are too many to list, which they are."""
        spans: dict[Item, str] = {}
        for section in self.menu.sections:
            if section.numbers and len(items) > 1:
                spans |= dict.fromkeys(section.items, f"{section.heading} {section.numbers}".strip())
        told = dict.fromkeys(spans.get(item) or _named(item) for item in items)
        return "   ".join(list(told)[:MOST])

    def take(self, item: Item) -> None:
        try:
            self.session.take(self.decision, item.choice)
            self.done = True
        except Fault as fault:
            self.screen.complain(fault.diagnostic)

    # ---- commands

    def explain(self, written: str) -> None:
        if not written:
            self._show(self.explainer.decision(self.session.match, self.decision))
            return
        item = self.menu.by_key(written) or self._exactly(written)
        found = [item] if item else self.menu.fitting(written)
        if len(found) == 1:
            self._show(self.explainer.item(found[0]))
        else:
            self._show(self.explainer.word(written))

    def why(self, written: str) -> None:
        """Explains why something is not offered, with its clauses."""
        session, waiting = self.session, self.decision.waiting
        if not written:
            self.screen.say(self.say("terminal-why-what"))
            return
        item = self._exactly(written) or self.menu.by_key(written)
        offered = [item] if item else self.menu.fitting(written)
        if offered:
            self.screen.say(self.say("terminal-is-offered", choices=self._listed(offered)))
            return
        words = self.explainer.to_rule_words(written)
        if (action := self._action_for(words)) is not None:
            words, written = f"{action} {words}", f"{self.explainer.label(action)} {written}"
        refusal = session.game.refusals.explain(session.match.state[:], waiting, words, self.seat)
        why = refused_text(session.story.names, refusal)
        values = self._values_of(words) if refusal.text == NOT_A_VALUE else ""
        self.screen.say(self.say("terminal-cannot-be-chosen", typed=written, why=why + values), HIGHLIGHT)
        self._show(self.explainer.cited(_clauses_of(refusal)))

    def _values_of(self, words: str) -> str:
        """The numbers that can be chosen, or taken by an action, for one that is none of them."""
        before = tuple(words.split()[:-1])
        if ranges := [one.numbers for one in self.decision.ranges if one.words == before]:
            return f", {ranges_text(self.say, ranges)}"
        action = words.partition(" ")[0]
        items = [i.choice.words for i in self.menu.items if i.choice.words[0] == action]
        numbers = [found[1] for found in items if len(found) == 2 and found[1].isdigit()]
        return f", {some_keys(numbers)}" if numbers and len(numbers) == len(items) else ""

    def _action_for(self, words: str) -> str | None:
        """The action that is meant by the name of a thing alone, if only one can be."""
        node = self.session.game.machine.nodes[self.decision.waiting.node]
        if not isinstance(node, ir.Offer) or words.partition(" ")[0] in self.session.game.rules.routines:
            return None
        actions = dict.fromkeys(
            item.choice.words[0] for item in self.menu.items if len(item.choice.words) > 1
        )
        return next(iter(actions)) if len(actions) == 1 else None

    def undo(self, written: str) -> None:
        """Takes choices back. The prompt ends too if others were asked, as they have seen the screen."""
        if written and not (written.isascii() and written.isdigit() and 0 < int(written[:9]) < 10_000):
            self.screen.say(self.say("terminal-undo-how-many"), HIGHLIGHT)
            return
        last, why = self.session.last, self.session.undo(self.seat, int(written or 1))
        self.done = not why or self.session.last != last
        if why and self.done:
            self.session.notice = self.say("terminal-undone-nothing", why=why)
        elif why:
            self.screen.say(self.say("terminal-undone-nothing", why=why), HIGHLIGHT)

    def hint(self, written: str) -> None:
        """What a search, or a policy, thinks of the choices, as far as the seat may know."""
        try:
            for text in hint_lines(self.session, self.decision, adviser(written or HINT)):
                self.screen.say(text)
        except DiagnosticError as failed:
            self.screen.complain(failed.diagnostic)

    def view(self, _: str) -> None:
        self.draw(full=True)

    def log(self, written: str) -> None:
        news = self.session.story.all(self.seat)
        recent = news if written == "all" else news[-RECENT:]
        if len(recent) < len(news):
            self.screen.say(self.say("terminal-more-before", number=len(news) - len(recent)), DIM)
        for text in recent:
            self.screen.say(text)

    def score(self, _: str) -> None:
        self.screen.show(account(self.session.match, self.seat))
        self._show(derivation(self.session.game, self.explainer))

    def save(self, written: str) -> None:
        if not written:
            self.screen.say(self.say("terminal-save-where"))
            return
        try:
            self.session.save(Path(written).expanduser())
            self.screen.say(self.say("terminal-saved", file=written))
        except DiagnosticError as failed:
            self.screen.complain(failed.diagnostic)

    def quit(self, _: str) -> None:
        if self.session.log_file is None:
            written = self.screen.read(f"{self.say('terminal-save-first')} ")
            if written:
                self.save(written)
        raise Leave

    def help(self, _: str) -> None:
        self.screen.show(
            list_of_commands((typed, self.say(f"terminal-help-{key}")) for key, typed in HELP.items())
        )

    def _show(self, texts: Iterable[Text]) -> None:
        for text in texts:
            self.screen.show(text)

    # ---- the screen

    def _pause(self, unread: Sequence[str]) -> None:
        """Tells what has happened before the table is drawn, as something that was shown is there no more."""
        self.screen.clear()
        for text in unread:
            self.screen.say(text)
        self.screen.read(f"{self.say('terminal-go-on')} ")

    def draw(self, full: bool = False) -> None:
        """Draws news, board and choices, shortened to fit the screen if possible."""
        screen = self.screen
        head = screen.lines(heading(self.session.view_model(self.seat, SOME)))
        asked, notice, unread = screen.lines(self._question()), self._notice_lines(), self._news()
        table = self._table(screen.height - len(head) - len(asked) - LOWEST_MENU, full)
        room = ALL if full else screen.height - len(head) - len(table) - len(asked) - 1
        told = len(notice) + min(LOWEST_NEWS, sum(map(len, unread)))
        menu_height = max(LOWEST_MENU, room - told)
        choices = screen.lines(shown(self.menu, screen.console, screen.width, menu_height))
        fits = room - len(choices)
        news_room = (fits if fits > 0 else screen.height // 4) - len(notice)
        news_lines = [
            *notice,
            *chain(*latest(unread, max(LOWEST_NEWS, news_room), self.say("terminal-log-before"))),
        ]
        spare = room - len(choices) - len(news_lines)
        above = [head, news_lines, table] if spare >= 0 else [head, table, news_lines]
        screen.clear()
        self._print([*above, asked, choices], spare)

    def _table(self, room: int, full: bool) -> list[Text]:
        """The board, with fewer row-by-row zones if there is not enough room."""
        table: list[Text] = []
        for row_scope in ROW_SCOPES:
            model = self.session.view_model(self.seat, ALL if full else SOME, row_scope)
            drawn = board(model, self.screen.console, self.screen.width)
            table = self.screen.lines(drawn, wide=True)
            if full or len(table) <= room:
                break
        return table

    def _print(self, parts: list[list[Text]], spare: int) -> None:
        """Prints the parts; with enough room, separated by empty lines and followed by the commands."""
        parts = [part for part in parts if part]
        airy = spare >= len(parts)
        for i, part in enumerate(parts):
            if airy and i:
                self.screen.show("")
            for line in part:
                self.screen.show(line, wide=True)
        if spare - (len(parts) - 1) * airy > 0:
            self.screen.say(COMMANDS, DIM)

    def _question(self) -> Text:
        """`A: phase 3: actions — help text`"""
        match = self.session.match
        what = self.explainer.question(match, self.decision)
        left = still_to_choose(match, self.decision.waiting)
        if left is not None and left > 1:
            what = self.say("terminal-more-to-choose", what=what, number=left)
        text = styled(what, BOLD)
        hint = self.explainer.hint(match, self.decision)
        return text.append_text(styled(f" — {hint}" if hint else "", DIM))

    def _notice_lines(self) -> list[Text]:
        """What is told once, in full: `log` does not repeat it. It stays the same during the prompt."""
        self.notice, self.session.notice = self.session.notice or self.notice, ""
        return self.screen.lines(styled(self.notice, DIM)) if self.notice else []

    def _news(self) -> list[list[Text]]:
        """The unread news of the seat; it stays the same during the prompt."""
        if self.news is None:
            self.news = self.session.story.unread(self.seat)
            if self.screen.live and self.session.story.is_gone(self.seat):
                self._pause(self.news)
        return [self.screen.lines(styled(text, DIM)) for text in self.news]


def _clauses_of(refusal: Refusal) -> list[str]:
    """The clauses that a refusal cites, and those of its parts, each once."""
    cited = [*refusal.clauses, *(clause for part in refusal.parts for clause in part.clauses)]
    return list(dict.fromkeys(cited))


def _named(item: Item) -> str:
    return item.key if item.key == item.choice.label else f"{item.key} {item.choice.label}"


def some_keys(keys: Sequence[str]) -> str:
    """The first of some keys; of numbers in a row, and of what is beside them, all: `a, b, 2–98`."""
    numbers = [int(key) for key in keys if key.isdigit()]
    others = [key for key in keys if not key.isdigit()]
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)) and len(others) < MOST:
        return ", ".join([*others, f"{numbers[0]}–{numbers[-1]}"])
    return f"{', '.join(keys[:MOST])}{', …' if len(keys) > MOST else ''}"


def latest(texts: list[list[Text]], room: int, before: str) -> list[list[Text]]:
    """The last texts that fit in `room` lines, or else the beginning of the last one."""
    if sum(map(len, texts)) <= room:
        return texts
    kept: list[list[Text]] = []
    left = room - 1
    for text in reversed(texts):
        if len(text) > left:
            break
        kept.insert(0, text)
        left -= len(text)
    return [[styled(before, DIM)], *(kept or [texts[-1][: room - 1]])]
