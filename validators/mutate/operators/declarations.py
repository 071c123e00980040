"""Mutation operators on `game.yaml` and tables: in declarations, in the flow, in rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import next_after
from validators.mutate.sites import Cell, Declared, MutationSite

OTHER_DEFAULT = {"true": "false", "false": "true"}
OTHER_SIGHT = {"owner": "all", "others": "owner", "team": "owner", "count": "all", "nobody": "count"}
VARIABLES = ("counters", "marks", "pointers")
"""For `all` it depends on whether a seat owns the zone."""


def wrong_row(site: MutationSite) -> Iterator[tuple[TextEdit, ...]]:
    """Two rows of a table have their cells of one column interchanged."""
    match site:
        case Cell(node=node, below=below):
            yield from _swapped(node, below)
        case Declared(node=Scalar() as node, keys=("tables", _, "rows", *_), parent=parent):
            row = list(_values(parent))
            yield from _swapped(node, tuple(row[row.index(node) + 1 :]))


def _values(parent: Node) -> Iterator[Scalar]:
    """The cells of one row."""
    match parent:
        case Mapping(pairs=pairs):
            yield from (value for _, value in pairs if isinstance(value, Scalar))
        case Sequence(items=items):
            yield from (item for item in items if isinstance(item, Scalar))
        case Scalar():
            return
        case _:
            assert_never(parent)


def _swapped(cell: Scalar, below: tuple[Scalar, ...]) -> Iterator[tuple[TextEdit, ...]]:
    """A cell and the next different one below it."""
    other = next((o for o in below if o.text != cell.text), None)
    if other is not None and cell.text and other.text:
        yield TextEdit(cell.span, other.span.text), TextEdit(other.span, cell.span.text)


def wrong_reading(site: MutationSite) -> Iterator[TextEdit]:
    """Another reading of a ruling, or another default of a variant."""
    match site:
        case Declared(node=Scalar(text=text, span=span), keys=("rulings", name, "chosen"), rules=rules):
            yield from next_after(text, rules.options[name].values, span)
        case Declared(node=Scalar(text=text, span=span), keys=("options", _, "default")):
            if text in OTHER_DEFAULT:
                yield TextEdit(span, OTHER_DEFAULT[text])


def wrong_sight(site: MutationSite) -> Iterator[TextEdit]:
    """Others than intended see, or count, the pieces of a zone."""
    match site:
        case Declared(node=Scalar(text=text, span=span), keys=("zones", name, "seen_by")) if site.clauses:
            owned = site.rules.zones[name].var.of == "seat"
            yield TextEdit(span, OTHER_SIGHT.get(text) or ("owner" if owned else "count"))
        case Declared(node=Scalar(text=text, span=span), keys=(kind, _, "seen_by")) if site.clauses:
            if kind in VARIABLES:
                yield TextEdit(span, "nobody" if text == "all" else "all")
        case Declared(node=Scalar(text=text, span=span), keys=("zones", _, "counted_by")) if site.clauses:
            yield TextEdit(span, "nobody" if text == "all" else "all")


def dropped_step(site: MutationSite) -> Iterator[TextEdit]:
    """A step of the flow is missing."""
    match site:
        case Declared(node=item, parent=Sequence() as steps, keys=("flow", _, *rest, _)) if _holds_steps(
            rest
        ):
            yield TextEdit(without_item(steps, steps.items.index(item)), "")


def _holds_steps(keys: list[str]) -> bool:
    """Whether the list under some keys holds steps, and not the actions that a step offers."""
    return keys == ["do"] or (keys != [] and keys[-1].startswith("each "))


def without_item(steps: Sequence, number: int) -> Span:
    """An item of a list with the separator beside it: what has to go if it is left out."""
    source, item = steps.span.source, steps.items[number].span
    if source.text[steps.span.start] == "[":
        if number + 1 < len(steps.items):
            return Span(source, item.start, steps.items[number + 1].span.start)
        start = steps.items[number - 1].span.end if number else item.start
        return Span(source, start, item.end)
    return Span(source, source.text.rindex("-", 0, item.start), item.end)


def wrong_phase(site: MutationSite) -> Iterator[TextEdit]:
    """Another phase comes next."""
    match site:
        case Declared(node=Scalar(text=text, span=span), keys=("flow", _, "then", *_), rules=rules):
            yield from next_after(text, list(rules.phases), span)


def dropped_otherwise(site: MutationSite) -> Iterator[TextEdit]:
    """What a step of the flow does if nothing can be chosen is missing."""
    match site:
        case Declared(node=node, parent=Mapping(pairs=pairs), keys=("flow", *_, above, "otherwise")):
            number = next(i for i, (_, value) in enumerate(pairs) if value is node)
            if above != "then" and number:
                yield TextEdit(Span(node.span.source, pairs[number - 1][1].span.end, node.span.end), "")


def dropped_part(site: MutationSite) -> Iterator[TextEdit]:
    """A history does not record a part of the position; an overlay leaves something of the game below."""
    match site:
        case Declared(node=item, parent=Sequence() as parts, keys=("histories", _, "of", _)):
            if len(parts.items) > 1:
                yield TextEdit(without_item(parts, parts.items.index(item)), "")
        case Declared(node=item, parent=Sequence() as parts, keys=("removes", _)):
            yield TextEdit(without_item(parts, parts.items.index(item)), "")
