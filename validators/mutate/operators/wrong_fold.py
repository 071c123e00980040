"""Things are counted where something of them is added up, or all are counted where different ones are."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import MutationSite, Written


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Fold(kind="sum" | "distinct", binder=binder, span=span)):
            yield TextEdit(span, f"count({binder.span.text})")


OPERATOR = Operator("wrong-fold", mutate)
