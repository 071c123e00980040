"""Another reading of a ruling is played, or a variant that is off is on."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.document import Scalar
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import Declared, MutationSite

OTHER = {"true": "false", "false": "true"}


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Declared(node=Scalar(text=text, span=span), keys=("rulings", name, "chosen"), rules=rules):
            values = rules.options[name].values
            yield TextEdit(span, values[(values.index(text) + 1) % len(values)])
        case Declared(node=Scalar(text=text, span=span), keys=("options", _, "default")) if text in OTHER:
            yield TextEdit(span, OTHER[text])


OPERATOR = Operator("wrong-reading", mutate)
