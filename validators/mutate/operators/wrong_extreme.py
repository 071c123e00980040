"""The least for the greatest, and the other way round; also of the scores."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.document import Scalar
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, first_word
from validators.mutate.sites import Declared, MutationSite, Written

OTHER = {"min": "max", "max": "min", "lowest": "highest", "highest": "lowest"}


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Fold(kind=kind, span=span) | s.Extreme(kind=kind, span=span)) if kind in OTHER:
            yield TextEdit(first_word(span), OTHER[kind])
        case Written(node=s.Pick(kind=kind, span=span)):
            yield TextEdit(first_word(span), OTHER[kind])
        case Declared(node=Scalar(text=text, span=span), keys=("flow", _, "score")) if text in OTHER:
            yield TextEdit(span, OTHER[text])


OPERATOR = Operator("wrong-extreme", mutate)
