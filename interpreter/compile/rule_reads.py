"""What is worked out of rules once for all machines that are compiled from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from dsl import rules as r
from dsl.rules.names import REFERENCES
from dsl.rules.visit import walk
from interpreter.compile.hidden_reads import HiddenReads
from interpreter.compile.secret_reads import SecretReads


@dataclass(eq=False)
class RuleReads:
    """What rules read of hidden things, and what they name; the same with any seats and options.

    Whoever compiles several machines of the same rules hands on one of these.
    """

    rules: r.Rules

    @cached_property
    def hidden(self) -> HiddenReads:
        return HiddenReads(self.rules)

    @cached_property
    def secrets(self) -> SecretReads:
        return SecretReads(self.rules, self.hidden)

    @cached_property
    def named(self) -> frozenset[str]:
        """The names of the declarations that rules and the flow name."""
        return frozenset(_named(self.rules))


def reads_of(rules: r.Rules, known: RuleReads | None) -> RuleReads:
    """What is known of rules, if it is of these; else it is worked out again."""
    return known if known is not None and known.rules is rules else RuleReads(rules)


def _named(rules: r.Rules) -> Iterator[str]:
    routines = [(x.parameters, x.block) for x in rules.routines.values()]
    values = [x.parts for x in rules.values.values()]
    collections = [x.collection for x in rules.collections.values()]
    whole = (
        routines,
        values,
        collections,
        rules.triggers,
        rules.scores,
        rules.invariants,
        rules.goals,
        rules.phases.values(),
    )
    for part in walk(tuple(tuple(x) for x in whole)):
        yield from (getattr(part, field) for field in REFERENCES[type(part)])
        if isinstance(part, r.Transfer) and (bank := rules.counters[part.counter].bank) is not None:
            yield bank
    yield from (zone.refill for zone in rules.zones.values() if zone.refill is not None)
