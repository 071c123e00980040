"""Mistakes in sets that are chosen, rounds of seats, prefixes, chance, histories and overlays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl import syntax as s
from dsl.document import Mapping, Sequence
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import between, found, led_by, replaced
from validators.mutate.operators.declarations import without_item
from validators.mutate.sites import Declared, MutationSite, Written

OTHER_PREFIX = {"while": "until", "until": "while"}
UP_TO = r"\bup\s+to\s+$"
TURNS_FROM = re.compile(r"(?P<round>each\s+\w+\s+in\s+turn)\s+from\s+.*?(?P<rest>\s+where\s.*)?", re.DOTALL)


def up_to_for_exactly(site: MutationSite) -> Iterator[TextEdit]:
    """A set of exactly so many for one of up to so many, and the other way round; exactly so many are moved.

    That fewer may be moved shows nowhere as long as there are enough, and is not tried.
    """
    match site:
        case Written(node=s.Several(number=number, up_to=up_to, span=span)):
            if up_to:
                yield from replaced(_up_to_before(number), "")
            elif not isinstance(number, s.Interval):
                yield TextEdit(Span(span.source, span.start, span.start), "up to ")
        case Written(node=s.MoveCount(up_to=True) | s.RollOver(up_to=True) as node) if (
            node.number is not None
        ):
            yield from replaced(_up_to_before(node.number), "")


def _up_to_before(number: s.Expr) -> Span | None:
    source, start = number.span.source, number.span.start
    match = re.search(UP_TO, source.text[:start])
    return None if match is None else Span(source, match.start(), start)


def while_for_until(site: MutationSite) -> Iterator[TextEdit]:
    """`until` for `while` and the other way round; a block once instead of until something holds."""
    match site:
        case Written(node=s.Prefix(binder=binder, condition=condition, span=span)):
            word = found(r"\b(while|until)\b", between(binder.span, condition.span, span))
            if word is not None:
                yield TextEdit(word, OTHER_PREFIX[word.text])
        case Written(node=s.RepeatUntil(condition=condition, span=span)) if condition is not None:
            yield TextEdit(span, "repeat 1 times")


def wrong_turns(site: MutationSite) -> Iterator[TextEdit]:
    """A round of seats begins with another seat: `from` is missing, in rules and in the flow."""
    match site:
        case Written(node=s.EachTurn(start=start)) if start is not None:
            yield from replaced(led_by("from", start.span), "")
        case Declared(node=Mapping(pairs=pairs), keys=("flow", *_)):
            for key, _ in pairs:
                written = TURNS_FROM.fullmatch(key.span.text)
                if written is not None:
                    yield TextEdit(key.span, written["round"] + (written["rest"] or ""))


def dropped_otherwise(site: MutationSite) -> Iterator[TextEdit]:
    """What a step of the flow does if nothing can be chosen is missing."""
    match site:
        case Declared(node=node, parent=Mapping(pairs=pairs), keys=("flow", *_, above, "otherwise")):
            number = next(i for i, (_, value) in enumerate(pairs) if value is node)
            if above != "then" and number:
                yield TextEdit(Span(node.span.source, pairs[number - 1][1].span.end, node.span.end), "")


def dropped_weight(site: MutationSite) -> Iterator[TextEdit]:
    """Chance chooses each value equally often: the weights are missing."""
    match site:
        case Written(node=s.ChanceChooses(weight=weight)) if weight is not None:
            yield from replaced(led_by(r"by\s+weight", weight.span), "")


def dropped_part(site: MutationSite) -> Iterator[TextEdit]:
    """A history does not record a part of the position; an overlay leaves something of the game below."""
    match site:
        case Declared(node=item, parent=Sequence() as parts, keys=("histories", _, "of", _)):
            if len(parts.items) > 1:
                yield TextEdit(without_item(parts, parts.items.index(item)), "")
        case Declared(node=item, parent=Sequence() as parts, keys=("removes", _)):
            yield TextEdit(without_item(parts, parts.items.index(item)), "")
