"""A line of the account, a modifier, a trigger, or a line of a value is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import MutationSite, Written


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Modify() | s.When() | s.WhenMoves() | s.Score() as node):
            yield TextEdit(_whole(node), "")
        case Written(node=s.Case() as case, parent=s.Value(cases=cases)):
            if len(cases) > 1 and case.condition is not None:
                yield TextEdit(_whole(case), "")


def _whole(node: s.Syntax) -> Span:
    """All of a node, to the end of the last thing that it holds."""
    return Span(node.span.source, node.span.start, _end(node))


def _end(node: s.Syntax) -> int:
    parts = s.children(node)
    end = node.span.end if isinstance(node, s.Expr | s.Word) or not parts else 0
    return max(end, *(_end(part) for part in parts), 0)


OPERATOR = Operator("dropped-line", mutate)
