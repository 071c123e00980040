"""What a bot is: a strategy that is asked for one choice at a time, and worlds that its seat may be in."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from interpreter import ir
from interpreter.bots.questions import check_waiting
from interpreter.chance import stream_key
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Decision
from interpreter.match import Match
from interpreter.unseen import as_offered


class Bot(Protocol):
    """A player that is a program. It keeps nothing of a match, so one bot may play any number of them."""

    def choose(self, match: Match, waiting: Waiting, seed: int) -> Option:
        """One of the options of a decision that waits in a match.

        It depends on the seed, the seat, the number of decisions so far, and on what the seat may know:
        never on what is hidden from it, nor on the chance to come.
        """
        ...


class Worlds(Protocol):
    """A source of positions that a seat cannot tell from the one it is in."""

    def draw(self, match: Match, waiting: Waiting, number: int, seed: int) -> Sequence[array[int]]:
        """So many states in which the decision waits, drawn by a seed; fewer, or none, if none are found.

        Where all others are as the seat sees them, hidden pieces and values are drawn; while seats choose
        together, others have not chosen. Random numbers of the match have no part in it: two matches that
        the seat cannot tell apart give the same states.
        """
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision as its seat may read it, and the seed of this choice: one for each seat and decision."""

    decision: Decision
    seed: int

    @property
    def waiting(self) -> Waiting:
        return self.decision.waiting


def asked(match: Match, waiting: Waiting, seed: int) -> Asked:
    """A waiting decision as its seat may read it. The seed of the choice follows from that of the bot.

    Raises `DiagnosticError` with `NotWaiting` or `NothingToDecide` for what does not wait in the match.
    """
    check_waiting(match, waiting)
    low, high = stream_key(seed, f"bot/{waiting.seat}/{match.state[ir.DECISIONS]}")
    return Asked(as_offered(match, match.decision(waiting)), high << 32 | low)
