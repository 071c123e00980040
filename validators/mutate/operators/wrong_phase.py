"""Another phase comes next."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.document import Scalar
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import Declared, MutationSite


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Declared(node=Scalar(text=text, span=span), keys=("flow", _, "then", *_), rules=rules):
            phases = list(rules.phases)
            other = phases[(phases.index(text) + 1) % len(phases)]
            if other != text:
                yield TextEdit(span, other)


OPERATOR = Operator("wrong-phase", mutate)
