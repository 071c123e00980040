"""Every position of a small game without chance, by depth, as each side tells them apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.comparison import Sides, catch_up, choices
from benchmarks.agree.pairing import Pairing
from interpreter.game import Game


def by_depth(pairing: Pairing, game: Game, theirs: Any) -> list[tuple[int, int]]:
    """At each depth: our number of positions and OpenSpiel's. Raises `Disagreement`."""
    level = [Sides(pairing, ours.begun(game, 0), theirs.new_initial_state(), [])]
    found = []
    while level:
        mine = {ours.position(sides.match) for sides in level}
        found.append((len(mine), len({str(sides.state) for sides in level})))
        following = (behind for sides in level for behind in _behind(sides))
        level = list({(ours.position(b.match), str(b.state)): b for b in following}.values())
    return found


def _behind(sides: Sides) -> Iterator[Sides]:
    if sides.match.over:
        return
    mine, other = choices(sides)
    for key, path in mine.items():
        behind = Sides(sides.pairing, path.behind(), sides.state.child(other[key]), [], sides.decisions + 1)
        catch_up(behind)
        yield behind
