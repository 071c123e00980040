"""Another zone is meant: the next one for the same component, with the same indices."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.rules import Rules, Zone
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import MutationSite, Written


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Name(text=text, span=span), rules=rules) if text in rules.zones:
            other = _other(rules, rules.zones[text])
            if other is not None:
                yield TextEdit(span, other)


def _other(rules: Rules, zone: Zone) -> str | None:
    """The next zone that could stand there; after the last, the first."""
    alike = [z.name for z in rules.zones.values() if _form(z) == _form(zone)]
    found = alike[(alike.index(zone.name) + 1) % len(alike)]
    return found if found != zone.name else None


def _form(zone: Zone) -> tuple[str, str | None, str | None]:
    return zone.component, zone.var.of, zone.var.at


OPERATOR = Operator("wrong-zone", mutate)
