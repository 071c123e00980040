"""A match with everything that belongs to it at the table: who plays, its story, where it is kept."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.diagnostics import Failed
from interpreter import machine as m
from interpreter.execution import Waiting
from interpreter.match import Choice, Decision, Game, Match
from rulewright.table import saves
from rulewright.table.explain import Explainer
from rulewright.table.facts import Facts
from rulewright.table.look import Look, Tells
from rulewright.table.screen import Screen
from rulewright.table.seats import HUMAN
from rulewright.table.story import Story
from rulewright.table.undo import take_back

if TYPE_CHECKING:
    from validators.secrecy.observes import Observed


@dataclass(frozen=True, slots=True)
class Setting:
    """How a match is played: who sits where, with which options, where it is kept.

    `auto`: a choice without an alternative is taken by itself, where that tells nobody anything.
    """

    kinds: Sequence[str]
    options: dict[str, str]
    log: Path | None = None
    auto: bool = True


@dataclass
class Session:
    """One match at one terminal.

    `last` is the person who sat before the screen last; `kept` is the file that holds the match as it
    stands, if there is one; `notice` is said with the next news.
    """

    match: Match
    setting: Setting
    screen: Screen
    last: int | None = None
    kept: Path | None = None
    notice: str = ""
    story: Story = field(init=False)
    explainer: Explainer = field(init=False)
    facts: Facts = field(init=False)

    def __post_init__(self) -> None:
        self.story = Story(self.match, self.people)
        self.explainer = Explainer(self.game)
        self.facts = Facts(self.game)

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
        forks = any(isinstance(node, m.Fork) for node in self.game.machine.nodes)
        return own or bool(self.game.machine.shown) or forks

    @cached_property
    def observed(self) -> Observed:
        """What hangs on hidden pieces; only a table with several people needs it."""
        from validators.secrecy.observes import Observed

        return Observed(self.game)

    def takes_by_itself(self, s: array[int], waiting: Waiting) -> bool:
        """Whether a person's choice is taken without asking: there is no other, and all can know that.

        With several people at the screen, whether somebody is called to it is seen by all of them. So it may
        not depend on pieces that some of them do not see, nor on what is chosen at the same time.
        """
        if not self.setting.auto or len(waiting.options) != 1:
            return False
        return len(self.people) < 2 or not (s[m.FORKED] or self.observed.hides(waiting.node))

    def look(self, seat: int, most: int, tells: Tells = "all") -> Look:
        """What a seat may see, with at most so many different pieces of one place named."""
        view, state = self.match.view(seat), self.match.state[:]
        return Look(self.game, view, self.setting.kinds, self.facts, state, most, tells)

    # ---- changes

    def take(self, decision: Decision, choice: Choice, note: str = "") -> None:
        """Carries out a choice and notes it. Raises `Fault` if the rules break over it."""
        before, first = self.match.state[:], len(self.match.steps)
        self.kept = None
        self.match.take(decision.waiting, choice.option)
        self.story.record(first, before, self.match.state, note=note)
        self._keep_if_people_play()

    def undo(self, seat: int, choices: int = 1) -> str:
        """Takes back the last choices of a seat; says why not if it cannot be."""
        before = len(self.match.history)

        def agree(seats: Sequence[str], number: int, why: str) -> str:
            return self._agree(self.game.names.seat(seat), seats, number, why)

        why = take_back(self.match, seat, self.takes_by_itself, agree, choices)
        if not why:
            number = before - len(self.match.history)
            self.kept = None
            self.notice = taken_back(choices, number)
            self.story.take_back()
            self._keep_if_people_play()
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

    def save(self, path: Path) -> None:
        """Raises `Failed` if the file cannot be written."""
        saves.save(path, self.match, self.setting.options, self.setting.kinds)
        self.kept = path

    def keep(self) -> None:
        """Writes the log, if there is to be one. Raises `Failed`."""
        if self.setting.log is not None:
            self.save(self.setting.log)

    def _keep_if_people_play(self) -> None:
        """People may leave at any time, so their log is written at once; a failure is only told."""
        if not self.people:
            return
        try:
            self.keep()
        except Failed as failed:
            self.screen.complain(failed.mistake)


def counted_choices(number: int) -> str:
    return "the last choice" if number == 1 else f"the last {number} choices"


def taken_back(choices: int, number: int) -> str:
    """`your last choice is taken back`, and how many in all if that was not the only one."""
    own = "your last choice is" if choices == 1 else f"your last {choices} choices are"
    return f"{own} taken back" + (f", {number} in all" if number > choices else "")
