"""A statement is forgotten: `nothing` stands in its place."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import MutationSite, Written

SIMPLE = (
    s.Assign,
    s.CallLine,
    s.Gain,
    s.MovePiece,
    s.MoveAll,
    s.MoveCount,
    s.Draw,
    s.Roll,
    s.RollOver,
    s.Shuffle,
    s.Show,
    s.SetMark,
    s.Clear,
    s.EndGame,
    s.Wins,
)
"""Statements of one line. Without a `let` its name would mean nothing; `needs` has another operator."""


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=node) if isinstance(node, SIMPLE):
            yield TextEdit(node.span, "nothing")
        case Written(node=s.Offer(block=None, otherwise=None, span=span)):
            yield TextEdit(span, "nothing")


OPERATOR = Operator("dropped-statement", mutate)
