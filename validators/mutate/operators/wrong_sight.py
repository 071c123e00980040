"""What lies in a zone is seen, or counted, by others than it should be."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.document import Scalar
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import Declared, MutationSite

OTHER = {"owner": "all", "count": "all", "nobody": "count"}
"""What stands instead; for what all see, it depends on whether somebody owns it."""


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Declared(node=Scalar(text=text, span=span), keys=("zones", name, "seen_by")) if site.clauses:
            yield TextEdit(span, OTHER.get(text) or ("owner" if _owned(site, name) else "count"))
        case Declared(node=Scalar(text=text, span=span), keys=("zones", _, "counted_by")) if site.clauses:
            yield TextEdit(span, "nobody" if text == "all" else "all")


def _owned(site: Declared, name: str) -> bool:
    return site.rules.zones[name].var.of == "seat"


OPERATOR = Operator("wrong-sight", mutate)
