"""Observations: everything that a watcher is shown of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields

from interpreter.formatting import fitting
from interpreter.game import Decision, Game
from interpreter.match import Match
from interpreter.number_ranges import spoken
from interpreter.redacted_log import notated
from interpreter.undo import history_entries
from interpreter.unseen import as_offered
from interpreter.views import View

OFFERED, ANSWER = "what is offered", "the answer to "
Extra = Callable[[Match, int], object]
"""Whatever else a program shows to a watcher of a match."""


def addresses(view: View) -> dict[str, str]:
    """Everything in a view, by address."""
    found: dict[str, str] = {}
    for part in fields(view):
        value = getattr(view, part.name)
        if isinstance(value, dict):
            found.update({f"the view of {address}": str(x) for address, x in value.items()})
        else:
            found[f"the view of the {part.name}"] = str(value)
    return found


def observations(match: Match, watcher: int, extra: Extra | None = None) -> dict[str, str]:
    """Events, decisions, options and undo, by description; `watcher` is a seat or the spectator."""
    found = {"what is told": "\n".join(notated(match, watcher))}
    found["whether the game is over"] = str(match.over)
    decisions = match.decisions()
    found["who is asked"] = ", ".join(f"{d.seat}: {d.name} {' '.join(d.clauses)}" for d in decisions)
    if watcher >= 0:
        own = match.offered_to(watcher)
        offered = [_choice(c.text, c.label) for d in own for c in d.choices]
        offered += (f"{' '.join(one.words)} {spoken([one.numbers])}" for d in own for one in d.ranges)
        found[OFFERED] = "\n".join(offered)
        found["what can be taken back"] = undo(match, watcher)
    if extra is not None:
        found["what else is shown"] = str(extra(match, watcher))
    return found


def _choice(text: str, label: str) -> str:
    return text if text == label else f"{text} ({label})"


def asked(game: Game, decisions: Iterable[Decision], watcher: int) -> list[Decision]:
    """The decisions of a seat."""
    return [d for d in decisions if watcher >= 0 and d.seat == game.names.seat(watcher)]


def undo(match: Match, seat: int) -> str:
    """How many of its last choices a seat may take back, or the reason why it cannot."""
    name = match.game.names.seat(seat)
    chosen = [lap.seat for lap in history_entries(match)]
    if name not in chosen:
        return "nothing"
    bar = match.why_no_undo(chosen.index(name) + 1)
    if bar is not None:
        return f"{bar.why} ({', '.join(sorted(bar.consent))})"
    return str(match.undo_depth())


def refusals(match: Match, decision: Decision, words: Iterable[str]) -> dict[str, str]:
    """The answers to words that are not offered."""
    found = {}
    for written in words:
        told = match.decision(match.game.including(decision.waiting, written))
        offered = [choice.words for choice in as_offered(match, told).choices]
        if len(fitting(written, offered)) != 1:
            why, hint = match.game.refusals.why(match.state[:], decision.waiting, written)
            found[f"{ANSWER}`{written}`"] = f"{why}\n{hint}"
    return found
