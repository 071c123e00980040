"""A bot that chooses uniformly at random."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from interpreter import ir
from interpreter.bots.questions import check_waiting
from interpreter.chance import below, stream_key
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match
from interpreter.unseen import as_offered


def pick(seed: int, state: array[int], waiting: Waiting) -> Option:
    """One of the waiting options, chosen uniformly.

    It depends only on the seed, the seat and the number of decisions so far, so a match that is resumed
    from its log continues as it would have.
    """
    return waiting.options[_number(len(waiting.options), seed, state, waiting)]


def _number(total: int, seed: int, state: array[int], waiting: Waiting) -> int:
    key = stream_key(seed, f"bot/{waiting.seat}")
    return below(total, state[ir.DECISIONS] << 32, key)[0]


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Chooses uniformly among the choices as its seat may read them."""

    def choose(self, match: Match, waiting: Waiting, seed: int) -> Option:
        check_waiting(match, waiting)
        choices = as_offered(match, match.decision(waiting)).choices
        return choices[_number(len(choices), seed, match.state, waiting)].option
