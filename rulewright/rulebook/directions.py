"""What the directions of a board are: which of them belong together, and how far their steps lead."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, EnumType
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, listed

COMPASS = {"north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"}


def directions_text(ctx: BookContext, decl: r.TypeDecl) -> str:
    """A sentence for each type of directions; none for a single one that has the neighbours' directions."""
    types = {name: ctx.rules.types[name] for name in decl.directions}
    if len(types) == 1 and all(COMPASS.issuperset(way.names) for way in types.values()):
        return ""
    return "".join(f" {_of_type(ctx, decl, way)}" for way in types.values())


def _of_type(ctx: BookContext, decl: r.TypeDecl, way: r.TypeDecl) -> str:
    """`Leap directions: right (2 rows north, 1 column east) and left (…).`"""
    said = []
    for number, name in enumerate(way.names):
        label = ctx.lexicon.bare(EnumType(way.name), way.lo + number)
        step = _step(decl, [following[number] for following in decl.directions[way.name]])
        said.append(f"{label} ({step})" if step and name not in COMPASS else label)
    return f"{capital(ctx.lexicon.noun(way.name).many)}: {listed(said)}."


def _step(decl: r.TypeDecl, following: list[int]) -> str:
    """How many rows and columns lie between a place and the next one; empty if nothing leads anywhere."""
    cells = {place: cell for cell, place in decl.cells.items()}
    pairs = ((cells[decl.lo + i], cells[to]) for i, to in enumerate(following) if to != NONE and cells)
    offset = next(((b[0] - a[0], b[1] - a[1]) for a, b in pairs), None)
    if offset is None:
        return ""
    rows, columns = offset
    up = _so_many(rows, "row", "north", "south")
    return ", ".join(part for part in (up, _so_many(columns, "column", "east", "west")) if part)


def _so_many(number: int, noun: str, forth: str, back: str) -> str:
    if not number:
        return ""
    several = "" if abs(number) == 1 else "s"
    return f"{abs(number)} {noun}{several} {forth if number > 0 else back}"
