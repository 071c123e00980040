"""Somebody else is meant: the opponent for me, the next seat, the previous one, everybody."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, first_word
from validators.mutate.sites import MutationSite, Written

TWO = {"me": "opponent", "opponent": "me", "active": "opponent"}
MORE = {"me": "next(me)", "active": "next(active)", "opponents": "seats", "seats": "opponents"}
TURNED = {"next": "previous", "previous": "next"}


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Name(text=text, span=span), rules=rules):
            others = TWO if rules.seats[1] <= 2 else MORE
            if text in others:
                yield TextEdit(span, others[text])
        case Written(node=s.Call(name=name)) if name.text in TURNED:
            yield TextEdit(name.span, TURNED[name.text])
        case Written(node=s.Gain(subject=None, verb=verb, span=span), rules=rules):
            if rules.seats[1] == 2:
                yield TextEdit(first_word(span), f"opponent {verb}s")


OPERATOR = Operator("wrong-seat", mutate)
