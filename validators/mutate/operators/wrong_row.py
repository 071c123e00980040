"""Two rows of a table have their cells of one column interchanged."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.document import Mapping, Node, Scalar, Sequence
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import Cell, Declared, MutationSite


def mutate(site: MutationSite) -> Iterator[tuple[TextEdit, ...]]:
    match site:
        case Cell(node=node, below=below):
            yield from _swapped(node, below)
        case Declared(node=Scalar() as node, keys=("tables", _, "rows", *_), parent=parent):
            row = list(_values(parent))
            yield from _swapped(node, tuple(row[row.index(node) + 1 :]))


def _values(parent: Node) -> Iterator[Scalar]:
    """The cells that stand beside each other."""
    match parent:
        case Mapping(pairs=pairs):
            yield from (value for _, value in pairs if isinstance(value, Scalar))
        case Sequence(items=items):
            yield from (item for item in items if isinstance(item, Scalar))
        case Scalar():
            return


def _swapped(cell: Scalar, below: tuple[Scalar, ...]) -> Iterator[tuple[TextEdit, ...]]:
    """The cell and the next one further down that is another."""
    other = next((o for o in below if o.text != cell.text), None)
    if other is not None and cell.text and other.text:
        yield TextEdit(cell.span, other.span.text), TextEdit(other.span, cell.span.text)


OPERATOR = Operator("wrong-row", mutate)
