"""Who plays at the table beside the editor: each seat by hand or by a bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.source import NOWHERE
from interpreter.bots.messages import ArraysNotInstalled
from interpreter.bots.search import SearchBot
from rulewright.learn.policy_names import player_named
from rulewright.learn.policy_words import is_policy
from rulewright.studio.playing import PlayedMatch
from rulewright.studio.policies import check_policy, located, policies_in
from rulewright.studio.rpc import Json, RpcError, refused


@dataclass(eq=False)
class BotSeats:
    """The bots by the number of their seat; all other seats are played by hand."""

    root: Path
    """The folder of the ruleset, in which policies lie."""
    bots: dict[int, str] = field(default_factory=dict)
    waits: bool = False
    """Whether the bots wait, so that all seats are played by hand."""
    failed: str = ""
    """Why the bots wait, if one of them could not choose."""

    def seat(self, seat: int, bot: str | None) -> None:
        """Let a bot play a seat, or with none a person. Raises `RpcError` if there is no such bot."""
        if bot is None:
            self.bots.pop(seat, None)
        else:
            name = bot.strip()
            self._check(name)
            self.bots[seat] = name
        self.failed = ""

    def restore(self, bots: Mapping[str, str], waits: bool) -> None:
        """Take up what a page has kept, less the bots that there are no more."""
        self.bots, self.waits, self.failed = {}, waits, ""
        for seat, bot in bots.items():
            if seat.isdecimal():
                try:
                    self.seat(int(seat), bot)
                except RpcError as why:
                    self.failed = why.message

    def hold(self, why: str = "") -> None:
        """Let the bots wait; `why` is what hinders them."""
        self.waits, self.failed = True, why

    def go_on(self) -> None:
        """Let the bots play."""
        self.waits, self.failed = False, ""

    def playing(self, played: PlayedMatch) -> Mapping[int, str]:
        """The bots at a match, unless they wait."""
        return {} if self.waits else {seat: bot for seat, bot in self.bots.items() if seat < played.seats}

    def players(self, played: PlayedMatch) -> dict[int, str]:
        """The bots at a match by names with which another process finds them."""
        return {seat: located(self.root, bot) for seat, bot in self.playing(played).items()}

    def is_asked(self, played: PlayedMatch) -> bool:
        """Whether a bot has to choose now."""
        playing = self.playing(played)
        return not played.match.over and any(one.seat in playing for one in played.match.waiting())

    def people(self, played: PlayedMatch) -> frozenset[str]:
        """The names of the seats that are played by hand, whether or not the bots wait."""
        names = played.game.names
        return frozenset(names.seat(seat) for seat in range(played.seats) if seat not in self.bots)

    def as_json(self, seats: int) -> Json:
        """What the page is told: a bot or null for each seat."""
        players = [self.bots.get(seat) for seat in range(seats)]
        return {
            "players": players,
            "policies": policies_in(self.root),
            "bots_wait": self.waits,
            "bots_failed": self.failed,
        }

    def _check(self, name: str) -> None:
        """Raises `RpcError` if there is no bot of a name, or it needs what is not installed."""
        try:
            if is_policy(name):
                check_policy(self.root, name)
                return
            bot = player_named(name)
        except DiagnosticError as error:
            raise _no_bot(error.diagnostic) from None
        if isinstance(bot, SearchBot) and find_spec("numpy") is None:
            raise _no_bot(ArraysNotInstalled(NOWHERE))


def _no_bot(why: Diagnostic) -> RpcError:
    return refused("no-bot", f"{why.code}: {why.message}; {why.help}")
