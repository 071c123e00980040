"""Scores as a viewer may know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import rules as r
from dsl.rules.reads import reads
from dsl.rules.visibility import Asker, looks
from interpreter import ir
from interpreter.game import Game
from interpreter.match import Match, ScoreSheet
from interpreter.once_per_game import once_per_game
from interpreter.sights import REFEREE, SPECTATOR


def scores(match: Match, viewer: int, hypotheses: Sequence[Match] = ()) -> list[dict[str, Any]]:
    """For each seat its score lines, their total and its tie-breaks; none for what the viewer may not know.

    During `together` it is the score from before it, since a line may count what others have. With
    `hypotheses` of what lies hidden it is what is the same in all of them.
    """
    sheets = [one.accounts(viewer) for one in hypotheses or (match,)]
    readers = score_viewers(match.game)
    allowed = [readers[name][seat] for seat, sheet in enumerate(sheets[0]) for name, _ in _numbers(sheet)]
    values = (value for accounts in sheets for sheet in accounts for _, value in _numbers(sheet))
    known = iter(match.game.views.host.agreed(match.state, viewer, allowed, values))
    found = []
    for sheet in sheets[0]:
        told = [[name, value if next(known) else None] for name, value in _numbers(sheet)]
        lines, ties = told[: len(sheet.lines)], told[len(sheet.lines) :]
        total = None if any(value is None for _, value in lines) else sheet.total
        found.append({"lines": lines, "total": total, "ties": ties})
    return found


def _numbers(sheet: ScoreSheet) -> list[tuple[str, int]]:
    """The lines and tie-breaks of a score sheet."""
    return [*((name, value) for name, value, _ in sheet.lines), *sheet.tiebreaks]


@once_per_game
def score_viewers(game: Game) -> dict[str, list[int]]:
    """For each score line and each seat who may know its value before the end, as `viewer_bit`s."""
    secret, own = secret_lines(game), secret_lines(game, own=True)
    seats = range(game.machine.seats)
    return {
        line.name: [
            ir.viewer_bit(REFEREE)
            | sum(
                ir.viewer_bit(v)
                for v in (SPECTATOR, *seats)
                if line.name not in (own if v == seat else secret)
            )
            for seat in seats
        ]
        for line in game.machine.scores
    }


def secret_lines(game: Game, own: bool = False) -> frozenset[str]:
    """The score lines that depend on hidden pieces; with `own`, on pieces hidden from the seat itself.

    They depend on the rules alone, and are looked for once.
    """
    rules = game.rules
    if own:
        lines = (line for line in rules.scores if any(looks(rules, line.value, Asker())))
        return frozenset(line.name for line in lines)
    hidden = {z.name for z in rules.zones.values() if z.seen_by != "all"} | rules.hidden_words.keys()
    tops = {z.name for z in rules.zones.values() if z.seen_by == "top"}

    def is_secret(line: r.ScoreLine) -> bool:
        """A line may read the top of a pile of which all see that, and how many pieces there are."""
        found = reads(rules, line.value) & hidden
        return bool(found - tops) or (bool(found) and any(looks(rules, line.value, Asker(everybody=True))))

    return frozenset(line.name for line in rules.scores if is_secret(line))
