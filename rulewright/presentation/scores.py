"""Scores as a viewer may know them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dsl.rules.reads import reads
from interpreter.game import Game
from interpreter.match import Match
from interpreter.views import REFEREE
from validators.static_visibility import Asker, looks


def scores(match: Match, viewer: int) -> list[dict[str, Any]]:
    """For each seat its score lines, their total and its tie-breaks; none for what the viewer may not know.

    During `together` it is the score from before it, since a line may count what others have.
    """
    found = []
    for seat, sheet in enumerate(match.accounts(begun=viewer != REFEREE)):
        known = [may_know(match, viewer, seat, name) for name, _, _ in sheet.lines]
        lines = [
            [name, value if seen else None] for (name, value, _), seen in zip(sheet.lines, known, strict=True)
        ]
        ties = [
            [name, value if may_know(match, viewer, seat, name) else None] for name, value in sheet.tiebreaks
        ]
        found.append({"lines": lines, "total": sheet.total if all(known) else None, "ties": ties})
    return found


def may_know(match: Match, viewer: int, seat: int, name: str) -> bool:
    """Whether a viewer may know a line of a seat's score now."""
    if viewer == REFEREE or match.over:
        return True
    if viewer == seat:
        return name not in secret_lines(match.game, own=True)
    return name not in secret_lines(match.game)


@lru_cache(maxsize=256)
def secret_lines(game: Game, own: bool = False) -> frozenset[str]:
    """The score lines that depend on hidden pieces; with `own`, on pieces hidden from the seat itself.

    They depend on the rules alone, and are looked for once.
    """
    rules = game.rules
    if own:
        lines = (line for line in rules.scores if any(looks(rules, line.value, Asker())))
        return frozenset(line.name for line in lines)
    hidden = {z.name for z in rules.zones.values() if z.seen_by != "all"}
    return frozenset(line.name for line in rules.scores if reads(rules, line.value) & hidden)
