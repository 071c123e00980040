"""What a search, or a trained policy, thinks of the choices of a person, in lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import plural
from interpreter.bots.budget import read_budget
from interpreter.bots.messages import BadBudget
from interpreter.bots.number_search import NumbersInParts
from interpreter.bots.search import SearchBot, Thoughts
from interpreter.game import Decision
from rulewright.learn.policy_names import player_named
from rulewright.learn.policy_words import is_policy
from rulewright.tui.session import Session

if TYPE_CHECKING:
    from rulewright.learn.policy_bot import PolicyBot

    Adviser = SearchBot | PolicyBot

HINT = "2000"
"""The iterations of a hint for which nothing is said."""
NOT_RANDOM = (
    "a hint comes from a bot that searches: `hint easy`, `hint 500`, `hint 2s`; or from `hint policy:FILE`"
)
SHOWN, EXPECTED = 5, 6


def adviser(written: str) -> Adviser:
    """The bot that gives a hint, by its name or its budget, or a trained policy.

    Raises `DiagnosticError` with `UnknownBot` or `BadBudget`, or with what reading a policy raises.
    """
    if not written[:1].isalpha():
        return SearchBot(read_budget(written))
    bot = player_named(written)
    if isinstance(bot, SearchBot):
        return bot
    if not is_policy(written):
        raise DiagnosticError(BadBudget(NOWHERE, written, "who chooses at random thinks nothing", NOT_RANDOM))
    from rulewright.learn.policy_bot import PolicyBot

    assert isinstance(bot, PolicyBot)
    return bot


def hint_lines(session: Session, decision: Decision, bot: Adviser) -> Iterator[str]:
    """The best choices with how good they are for the seat, and how the match may go on.

    Of a policy, how likely it takes each. Ctrl-C ends a search, and what it has found until then is told.
    Raises `DiagnosticError` if there is no library for arrays, or if a policy is one of another game.
    """
    if isinstance(bot, SearchBot):
        yield from _thought(session, decision, bot)
    else:
        yield from _likely(session, decision, bot)


def _thought(session: Session, decision: Decision, bot: SearchBot) -> Iterator[str]:
    match, waiting = session.match, decision.waiting
    thoughts = bot.think(match, waiting, match.seed, EXPECTED, interruptible=True)
    if thoughts.interrupted:
        yield "the search was stopped"
    if thoughts.solved:
        yield from _solved(thoughts)
        return
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


def _likely(session: Session, decision: Decision, bot: PolicyBot) -> Iterator[str]:
    labels = {choice.option: choice.label for choice in decision.choices}
    chances = bot.chances(session.match, decision.waiting)
    numbers = NumbersInParts(session.game, decision.waiting)
    found = [(labels.get(option) or numbers.label(option), part) for option, part in chances]
    width = max(len(label) for label, _ in found[:SHOWN])
    yield from (f"{label:{width}}  chosen with {part:.0%}" for label, part in found[:SHOWN])
    yield f"by the policy {Path(bot.policy.path).name}, from what you know{_rest(len(found))}"


def _solved(thoughts: Thoughts) -> Iterator[str]:
    width = max(len(thought.choice.label) for thought in thoughts.choices[:SHOWN])
    for thought in thoughts.choices[:SHOWN]:
        yield f"{thought.choice.label:{width}}  value {thought.value:.4f}"
    best, rest = thoughts.choices[0].value, _rest(len(thoughts.choices))
    yield f"solved: {best:.1%}, by all {thoughts.solved:,} positions that can follow{rest}"


def _ranked(thoughts: Thoughts) -> Iterator[str]:
    width = max(len(thought.choice.label) for thought in thoughts.choices[:SHOWN])
    for thought in thoughts.choices[:SHOWN]:
        share = thought.visits / thoughts.iterations
        worth = str(thought.proof) if thought.proof is not None else f"value {thought.value:.2f}"
        yield f"{thought.choice.label:{width}}  {worth}, tried {share:.0%}"
    alike = " that you cannot tell apart" if thoughts.worlds > 1 else ""
    worlds = f"{plural(thoughts.worlds, 'position')}{alike}"
    yield f"after {plural(thoughts.iterations, 'iteration')} from {worlds}{_rest(len(thoughts.choices))}"


def _rest(count: int) -> str:
    """What is said of the choices that are not shown."""
    left = count - SHOWN
    return f", and {plural(left, 'more choice')}" if left > 0 else ""
