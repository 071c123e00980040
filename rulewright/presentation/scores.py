"""Scores as a viewer may know them."""

from __future__ import annotations

from typing import Any

from dsl import rules as r
from dsl.rules.reads import reads
from dsl.rules.visibility import Asker, looks
from interpreter.game import Game
from interpreter.match import Match
from interpreter.once_per_game import once_per_game
from interpreter.sights import REFEREE


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


@once_per_game
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
