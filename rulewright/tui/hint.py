"""What a search, or a trained policy, thinks of the choices of a person, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from math import hypot, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.bots.budget import read_budget
from interpreter.bots.messages import BadBudget
from interpreter.bots.number_search import NumbersInParts
from interpreter.bots.ranking import WORDS
from interpreter.bots.search import SearchBot, Thought, Thoughts
from interpreter.game import Decision
from rulewright.i18n.messages import Messages
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
        yield session.say("terminal-hint-stopped")
    if thoughts.solved:
        yield from _solved(session.say, thoughts)
        return
    if not thoughts.iterations:
        yield session.say("terminal-hint-none")
        return
    yield from _ranked(session.say, thoughts)
    if thoughts.line:
        expected = ", ".join(
            f"{session.seat_label(seat)}: {' '.join(map(session.game.names.label, words.split()))}"
            for seat, words in thoughts.line
        )
        yield session.say("terminal-hint-for-instance", moves=expected)


def _likely(session: Session, decision: Decision, bot: PolicyBot) -> Iterator[str]:
    labels = {choice.option: choice.label for choice in decision.choices}
    chances = bot.chances(session.match, decision.waiting)
    numbers = NumbersInParts(session.game, decision.waiting)
    found = [(labels.get(option) or numbers.label(option), part) for option, part in chances]
    width = max(len(label) for label, _ in found[:SHOWN])
    say = session.say
    for label, part in found[:SHOWN]:
        yield say("terminal-hint-chosen-with", choice=f"{label:{width}}", share=f"{100 * part:.0f}")
    yield say("terminal-hint-policy", name=Path(bot.policy.path).name, rest=_rest(say, len(found)))


def _solved(say: Messages, thoughts: Thoughts) -> Iterator[str]:
    width = max(len(thought.choice.label) for thought in thoughts.choices[:SHOWN])
    for thought in thoughts.choices[:SHOWN]:
        label = f"{thought.choice.label:{width}}"
        yield say("terminal-hint-value", choice=label, value=f"{thought.value:.4f}")
    best, rest = f"{100 * thoughts.choices[0].value:.1f}", _rest(say, len(thoughts.choices))
    yield say("terminal-hint-solved", value=best, positions=thoughts.solved, rest=rest)


def _ranked(say: Messages, thoughts: Thoughts) -> Iterator[str]:
    width = max(len(thought.choice.label) for thought in thoughts.choices[:SHOWN])
    for thought in thoughts.choices[:SHOWN]:
        share = f"{100 * thought.visits / thoughts.iterations:.0f}"
        label = f"{thought.choice.label:{width}}"
        if thought.proof is None:
            yield say("terminal-hint-tried", choice=label, value=f"{thought.value:.2f}", share=share)
        else:
            proof = say(f"terminal-proved-{WORDS[thought.proof.result]}", number=thought.proof.choices)
            yield say("terminal-hint-proved", choice=label, proof=proof, share=share)
    alike, error = alike_by_chance(thoughts.choices)
    if alike > 1:
        yield say("terminal-hint-noise", number=alike, error=f"{error:.2f}")
    rest = _rest(say, len(thoughts.choices))
    yield say("terminal-hint-after", iterations=thoughts.iterations, number=thoughts.worlds, rest=rest)


def alike_by_chance(thoughts: Sequence[Thought]) -> tuple[int, float]:
    """How many of the first choices a search cannot tell apart, and twice the standard error of the best.

    A value is a mean of results between 0 and 1; its standard error is at most 1 / (2 sqrt(visits)). Choices
    are alike while their values differ by less than two standard errors of the difference.
    """
    best = thoughts[0]
    error = _error(best.visits)
    if best.proof is not None:
        return 1, error
    alike = takewhile(
        lambda one: one.proof is None and abs(one.value - best.value) < hypot(error, _error(one.visits)),
        thoughts[1:],
    )
    return 1 + sum(1 for _ in alike), error


def _error(visits: int) -> float:
    """Twice the standard error of a mean of so many results between 0 and 1, at most."""
    return 1 / sqrt(max(1, visits))


def _rest(say: Messages, count: int) -> str:
    """What is said of the choices that are not shown."""
    left = count - SHOWN
    return say("terminal-hint-rest", number=left) if left > 0 else ""
