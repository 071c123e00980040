"""Comparison of boards: links and directions."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.domains import NONE
from dsl.rules import TypeDecl
from validators.diff.changes import FactChange
from validators.diff.version_view import VersionView


def links(old: VersionView, a: TypeDecl, new: VersionView, b: TypeDecl) -> Iterator[FactChange]:
    """Links that are removed or added between places of both versions."""
    stay = _names(old, a) & _names(new, b)
    before, now = _pairs(old, a, stay), _pairs(new, b, stay)
    if before != now:
        yield FactChange("links", _written(before - now), _written(now - before), parts=True)


def _names(side: VersionView, decl: TypeDecl) -> set[str]:
    return {_name(side, decl, value) for value in decl.members}


def _name(side: VersionView, decl: TypeDecl, value: int) -> str:
    return side.names.value(side.owner(decl), decl.label(value))


def _pairs(side: VersionView, decl: TypeDecl, stay: set[str]) -> set[tuple[str, str]]:
    """Each link once, with its ends sorted."""
    found: set[tuple[str, str]] = set()
    for i, near in enumerate(decl.links):
        for value in near:
            ends = sorted((_name(side, decl, decl.lo + i), _name(side, decl, value)))
            if stay.issuperset(ends):
                found.add((ends[0], ends[1]))
    return found


def _written(pairs: set[tuple[str, str]]) -> str:
    return ", ".join(f"{a}-{b}" for a, b in sorted(pairs))


def written_links(side: VersionView, decl: TypeDecl) -> str:
    """All links of a board."""
    return _written(_pairs(side, decl, _names(side, decl)))


def ways(old: VersionView, a: TypeDecl, new: VersionView, b: TypeDecl) -> Iterator[FactChange]:
    """Types of directions that are added or removed, and steps that lead to another place."""
    before = {old.names.name(way): way for way in a.directions}
    for way in dict.fromkeys((*before, *b.directions)):
        if way not in before or way not in b.directions:
            yield FactChange(
                "directions", before.get(way, ""), way if way in b.directions else "", parts=True
            )
            continue
        if not (a.sides == b.sides and a.shape == b.shape):
            continue  # the shape says it
        was, now = _steps(old, a, before[way]), _steps(new, b, way)
        if was != now:
            gone, come = (", ".join(sorted(one - other)) for one, other in ((was, now), (now, was)))
            yield FactChange(f"directions {way}", gone, come, parts=True)


def _steps(side: VersionView, decl: TypeDecl, way: str) -> set[str]:
    """Each step of each direction that exists."""
    kind = side.rules.types[way]
    names = [side.names.value(way, name) for name in kind.names]
    return {
        f"{_name(side, decl, decl.lo + i)} {name} {_name(side, decl, to)}"
        for i, row in enumerate(decl.directions[way])
        for name, to in zip(names, row, strict=True)
        if to != NONE
    }
