"""`needs C` is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import MutationSite, Written


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Needs(span=span)):
            yield TextEdit(span, "nothing")


OPERATOR = Operator("dropped-needs", mutate)
