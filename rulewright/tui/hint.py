"""What a search thinks of the choices of a person, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import plural
from interpreter.bots.budget import read_budget
from interpreter.bots.messages import BadBudget
from interpreter.bots.names import bot_named
from interpreter.bots.search import SearchBot, Thoughts
from interpreter.game import Decision
from rulewright.tui.session import Session

HINT = "2000"
"""The iterations of a hint for which nothing is said."""
NOT_RANDOM = "a hint comes from a bot that searches: `hint easy`, `hint hard`, `hint 500`, `hint 2s`"
SHOWN, EXPECTED = 5, 6


def adviser(written: str) -> SearchBot:
    """The bot that gives a hint, by its name or its budget.

    Raises `DiagnosticError` with `UnknownBot` or `BadBudget`.
    """
    if not written[:1].isalpha():
        return SearchBot(read_budget(written))
    bot = bot_named(written)
    if not isinstance(bot, SearchBot):
        raise DiagnosticError(BadBudget(NOWHERE, written, "who chooses at random thinks nothing", NOT_RANDOM))
    return bot


def hint_lines(session: Session, decision: Decision, bot: SearchBot) -> Iterator[str]:
    """The best choices with how good they are for the seat, and how the match may go on.

    Ctrl-C ends the search, and what it has found until then is told.
    Raises `DiagnosticError` if there is no library for arrays.
    """
    match, waiting = session.match, decision.waiting
    thoughts = bot.think(match, waiting, match.seed, EXPECTED, interruptible=True)
    if thoughts.interrupted:
        yield "the search was stopped"
    if not thoughts.iterations:
        yield "nothing can be said of these choices"
        return
    yield from _ranked(thoughts)
    if thoughts.line:
        expected = ", ".join(
            f"{session.seat_label(seat)}: {' '.join(map(session.game.names.label, words.split()))}"
            for seat, words in thoughts.line
        )
        yield f"for instance {expected}"


def _ranked(thoughts: Thoughts) -> Iterator[str]:
    width = max(len(thought.choice.label) for thought in thoughts.choices[:SHOWN])
    for thought in thoughts.choices[:SHOWN]:
        share = thought.visits / thoughts.iterations
        worth = str(thought.proof) if thought.proof is not None else f"value {thought.value:.2f}"
        yield f"{thought.choice.label:{width}}  {worth}, tried {share:.0%}"
    left = len(thoughts.choices) - SHOWN
    rest = f", and {plural(left, 'more choice')}" if left > 0 else ""
    alike = " that you cannot tell apart" if thoughts.worlds > 1 else ""
    worlds = f"{plural(thoughts.worlds, 'position')}{alike}"
    yield f"after {plural(thoughts.iterations, 'iteration')} from {worlds}{rest}"
