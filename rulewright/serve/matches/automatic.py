"""Choices that no person makes: those of bots and of absent seats, from what the seat may know."""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from interpreter import ir
from interpreter.absent import default_choice
from interpreter.bots.budget import Budget
from interpreter.bots.names import RANDOM, bot_named
from interpreter.bots.random import pick
from interpreter.bots.search import SearchBot, Thoughts
from interpreter.executor_protocol import Waiting
from interpreter.match import Match

LONGEST_THOUGHT: Final = 5.0
"""Seconds after which a bot that searches chooses by what it has found."""


HINT: Final = Budget(iterations=2_000)
"""What a hint may take."""
Clock = Callable[[], float]
"""Gives the seconds that a search has had. It looks at it every moment."""


def search_for(match: Match, seat: int, strategy: str | None) -> Callable[[Clock], str] | None:
    """A search for a bot's choice, to be run in another thread by a clock; it gives the words.

    None if the bot does not search, or its seat is not asked. What the seat may know is looked up here; the
    search itself does not touch the match.
    """
    bot = bot_named(strategy or RANDOM)
    waiting = next((w for w in match.waiting() if w.seat == seat), None)
    if waiting is None or not isinstance(bot, SearchBot):
        return None
    solve = bot.mover(match, waiting, secrets.randbits(63), match.seed)
    return lambda clock: solve(deadline=LONGEST_THOUGHT, clock=clock).best.text


def hint_for(match: Match, seat: int) -> Callable[[Clock], Thoughts] | None:
    """A search for what a seat may choose, as `search_for`; None if the seat is not asked."""
    waiting = next((w for w in match.waiting() if w.seat == seat), None)
    if waiting is None:
        return None
    problem = SearchBot(HINT).problem(match, waiting, secrets.randbits(63))
    return lambda clock: problem.solve(HINT, deadline=LONGEST_THOUGHT, clock=clock)


def is_offered(match: Match, seat: int, words: str) -> bool:
    """Whether a seat may choose these words."""
    return any(choice.text == words for found in match.offered_to(seat, words) for choice in found.choices)


def random_choice(match: Match, seat: int) -> str | None:
    """The words of what a bot chooses that does not think; None if its seat is not asked.

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
    option = pick(secrets.randbits(63), veiled(match), hidden)
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
