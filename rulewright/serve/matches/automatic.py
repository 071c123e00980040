"""Choices that no person makes: those of bots and of absent seats, from what the seat may know."""

from __future__ import annotations

import secrets
from array import array
from dataclasses import replace

from interpreter import ir
from interpreter.absent import default_choice
from interpreter.executor_protocol import Waiting
from interpreter.match import Match
from rulewright.tui.seats import BOTS, DEFAULT_BOT


def bot_choice(match: Match, seat: int, strategy: str | None) -> str | None:
    """The words of what a bot chooses; None if its seat is not asked.

    The bot is given the options as its seat may read them, hidden pieces shuffled, and of the position only
    the head: nothing that is hidden can steer it.
    """
    found = next(iter(match.offered_to(seat)), None)
    if found is None:
        return None
    offered = Waiting(
        seat,
        found.waiting.node,
        tuple(choice.option for choice in found.choices),
        found.waiting.branch,
        found.waiting.what,
    )
    hidden = _numbered(offered)
    option = BOTS[strategy or DEFAULT_BOT](secrets.randbits(63), veiled(match), hidden)
    return found.choices[hidden.options.index(option)].text


def absent_choice(match: Match, seat: int) -> str | None:
    """The words of the choice that is made for an absent seat, as the rules say; None if it is not asked."""
    try:
        return default_choice(match, seat).text
    except LookupError:
        return None


def veiled(match: Match) -> array[int]:
    """A state with nothing but the public head of the real one."""
    state = array("i", bytes(4 * len(match.state)))
    for word in (ir.STATUS, ir.PC, ir.ACTIVE, ir.PHASE, ir.DECISIONS):
        state[word] = match.state[word]
    return state


def _numbered(waiting: Waiting) -> Waiting:
    """The options by number, in place of values that would name hidden pieces."""
    return replace(waiting, options=tuple((0, number) for number in range(len(waiting.options))))
