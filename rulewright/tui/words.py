"""What the terminal says, in the language of a game's labels."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.game import Game
from interpreter.number_ranges import NumberRange
from interpreter.undo import UndoBlocker
from rulewright.i18n.messages import Messages, messages_of
from rulewright.matches.seats import ABSENT, HUMAN

NAMED_KINDS = (HUMAN, "random", "easy", "medium", "hard", ABSENT)
"""Kinds of players that have a word; the others are called as they are written."""


def terminal_messages(game: Game) -> Messages:
    """What the table says, and what the terminal says beside it."""
    return messages_of(game.rules.language, "table", "terminal")


def kind_name(say: Messages, kind: str) -> str:
    """What a kind of player is called."""
    return say(f"terminal-kind-{kind}") if kind in NAMED_KINDS else kind


def undo_refused(say: Messages, game: Game, blocker: UndoBlocker) -> str:
    """Why choices are not taken back."""
    return say(f"terminal-undo-{blocker.reason.code}", seat=game.names.label(blocker.seat))


def ranges_text(say: Messages, ranges: Iterable[NumberRange]) -> str:
    """Ranges in words, the numbers as they are typed: `from 40 to 900 in steps of 20, or 950`."""
    texts = [_range_text(say, one) for one in ranges]
    text = texts[0]
    for more in texts[1:]:
        text = say("terminal-or", ranges=text, range=more)
    return text


def _range_text(say: Messages, numbers: NumberRange) -> str:
    if numbers.size == 1:
        return str(numbers.first)
    first, last = str(numbers.first), str(numbers.last)
    if numbers.step > 1:
        return say("terminal-range-in-steps", first=first, last=last, step=str(numbers.step))
    return say("terminal-range", first=first, last=last)
