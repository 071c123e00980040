"""A step of the flow is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.document import Sequence
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import Declared, MutationSite


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Declared(node=item, parent=Sequence() as steps, keys=("flow", _, *rest, _)) if _does(rest):
            yield TextEdit(_place(steps, steps.items.index(item)), "")


def _does(rest: list[str]) -> bool:
    """Whether it is a list of steps, not of the actions that a step offers."""
    return rest == ["do"] or (rest != [] and rest[-1].startswith("each "))


def _place(steps: Sequence, number: int) -> Span:
    """A step, with what separates it from the others."""
    source, item = steps.span.source, steps.items[number].span
    if source.text[steps.span.start] == "[":
        if number + 1 < len(steps.items):
            return Span(source, item.start, steps.items[number + 1].span.start)
        start = steps.items[number - 1].span.end if number else item.start
        return Span(source, start, item.end)
    return Span(source, source.text.rindex("-", 0, item.start), item.end)


OPERATOR = Operator("dropped-step", mutate)
