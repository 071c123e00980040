"""A statement is forgotten: `nothing` stands in its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import get_args

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import MutationSite, Written

KEPT = (s.Let, s.Needs, s.Nothing)
"""Without a `let` its name would be unknown; `needs` has an operator of its own."""
SIMPLE = tuple(
    kind for kind in get_args(s.Line) if kind not in KEPT and "block" not in {f.name for f in fields(kind)}
)
"""Statements of one line."""


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=node) if isinstance(node, SIMPLE):
            yield TextEdit(node.span, "nothing")
        case Written(node=s.Offer(block=None, otherwise=None, span=span)):
            yield TextEdit(span, "nothing")


OPERATOR = Operator("dropped-statement", mutate)
