"""Another verb: what is gained is lost, what must be paid need not be had, a mark is cleared that is set.

What is paid to a seat goes to the bank.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, bracketed, first_word, found, led_by
from validators.mutate.sites import MutationSite, Written

OTHERS = {"gain": ("lose",), "pay": ("lose", "gain"), "lose": ("pay", "gain")}


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Gain(to=to, span=span)) if to is not None:
            paid = led_by("to", to.span)
            if paid is not None:
                yield TextEdit(paid, "")
        case Written(node=s.Gain(subject=None, verb=verb, span=span)):
            yield from (TextEdit(first_word(span), other) for other in OTHERS[verb])
        case Written(node=s.Gain(subject=subject, verb=verb, span=span)) if subject is not None:
            rest = Span(span.source, bracketed(subject.span, span).end, span.end)
            yield from (TextEdit(first_word(rest), f"{other}s") for other in OTHERS[verb])
        case Written(node=s.SetMark(span=span)):
            yield TextEdit(first_word(span), "clear")
        case Written(node=s.WhenMoves(event=event, name=name, zone=zone)):
            place = found(event, Span(name.span.source, name.span.end, zone.span.start))
            if place is not None:
                yield TextEdit(place, "leaves" if event == "enters" else "enters")
        case Written(node=s.Place(end="top" | "bottom" as end, span=span)):
            yield TextEdit(first_word(span), "bottom" if end == "top" else "top")


OPERATOR = Operator("wrong-verb", mutate)
