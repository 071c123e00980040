"""The heart of a game as a small picture: its board, or some of its cards and dice, without seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil, sqrt
from typing import Any
from xml.sax.saxutils import quoteattr

from interpreter.game import Game
from rulewright.layout.compose import scene
from rulewright.layout.preview import Preview
from rulewright.layout.preview_blocks import GAP, Sketch, flow
from rulewright.layout.scene import BoardScene, Scene

PAD = 10.0
LEAST_WIDTH, LEAST_HEIGHT = 136.0, 85.0
SHORTEST_LINE = 6
"""A line of fewer places says little about a game."""
FEW, MOST, MOST_OF_ZONE = 4, 12, 6
"""If fewer pieces can be seen, others that the game has are shown; so many are drawn."""
ASPECT = 1.6


def heart_svg(game: Game, position: dict[str, Any]) -> str:
    """What a game looks like at a glance, in the position that one viewer sees."""
    found = scene(game.rules, game.machine.seats)
    preview = Preview(game, position, found)
    group = _main_group(found)
    if group is not None:
        own = any(found.boards[name].own for name in group)
        sketch = preview.picture(group, 0 if own else None)
    else:
        sketch = _spread(_pieces(preview))
    return _framed(sketch, game.rules.title)


def _framed(sketch: Sketch, title: str) -> str:
    width = max(sketch.width + 2 * PAD, LEAST_WIDTH)
    height = max(sketch.height + 2 * PAD, LEAST_HEIGHT)
    left, top = (sketch.width - width) / 2, (sketch.height - height) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" '
        f'role="img" aria-label={quoteattr(title)}>{sketch.svg}</svg>'
    )


def _main_group(found: Scene) -> Sequence[str] | None:
    """The boards of the largest picture: that of all before that of each seat."""
    groups = [g for g in found.groups if all(_tells(found.boards[name]) for name in g)]
    return max(groups, key=lambda g: (not found.boards[g[0]].own, _places(found, g)), default=None)


def _tells(board: BoardScene) -> bool:
    return board.shape != "line" or (not board.own and len(board.points) >= SHORTEST_LINE)


def _places(found: Scene, group: Sequence[str]) -> int:
    return sum(len(found.boards[name].points) for name in group)


# ---- pieces


def _pieces(preview: Preview) -> list[Sketch]:
    """Pieces that can be seen; if they are few, also others that the game has."""
    seen = list(dict.fromkeys(_seen(preview)))[:MOST]
    shown = Counter(seen)
    for component in preview.game.rules.components if len(seen) < FEW else ():
        classes = len(preview.game.rules.components[component].classes)
        for number in range(0, classes, max(1, classes // FEW)):
            if (component, number, None) not in shown and len(seen) < 2 * FEW:
                seen.append((component, number, None))
    return [preview.piece(component, number, owner) for component, number, owner in seen]


def _seen(preview: Preview) -> Iterator[tuple[str, int, int | None]]:
    """Pieces of the zones that all share, then those of seats: component, class, owner."""
    zones = preview.scene.zones
    kept = [name for name in zones if zones[name].kind != "hidden" and zones[name].area != "piece"]
    for name in sorted(kept, key=lambda n: (zones[n].area == "seat", zones[n].order)):
        component = preview.game.machine.place_components[name]
        classes: list[tuple[int, int | None]] = []
        for number, place in preview.places(name, None):
            found = preview.position["places"][number]
            if isinstance(found, list):
                owner = place.of if preview.scene.faces[component].owned else None
                classes += [(each, owner) for each in found]
        for each, owner in list(dict.fromkeys(classes))[:MOST_OF_ZONE]:
            yield component, each, owner


def _spread(pieces: Sequence[Sketch]) -> Sketch:
    """Pieces in rows, in a shape like that of the picture."""
    area = sum((p.width + GAP) * (p.height + GAP) for p in pieces)
    widest = max((p.width for p in pieces), default=0.0)
    highest = max((p.height for p in pieces), default=0.0) + GAP
    rows = max(1, round(sqrt(area / ASPECT) / highest)) if len(pieces) >= FEW else 1
    in_row = ceil(len(pieces) / rows)
    return flow(pieces, in_row * (widest + GAP) - GAP)
