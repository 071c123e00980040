"""Which declared state plays no part in a configuration, so that its machine does without it.

It is what the rules name, but no code that can be reached with these options and seats: nothing reads it, and
nothing changes it. What no rule names at all is there for the players to look at, and stays, unless an empty
label hides it. Zones with pieces go only together with all other zones of the component. A history goes if
nothing reads it, since no player sees it; then nothing is recorded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from dsl import rules as r
from dsl.rules.reads import reads
from interpreter import ir
from interpreter.compile.rule_reads import RuleReads
from interpreter.ir.mentions import mentioned

D = TypeVar("D")


def excluded_from(reads: RuleReads, machine: ir.Machine) -> frozenset[str]:
    """The names of the variables, zones, single dice and histories that a machine can do without."""
    rules = reads.rules
    known = mentioned(machine)
    unread = {history.name for history in machine.histories if history.name not in known}
    known |= _carried(rules)
    unused = {name for name in (*machine.stores, *machine.zone_places) if name not in known}
    if not unused and not unread:
        return frozenset()
    unused = {name for name in unused if name in reads.named or _is_hidden(rules, name)}
    homes: dict[str, set[str]] = {}
    for zone in rules.zones.values():
        homes.setdefault(zone.component, set()).add(zone.name)
    stay = {x.name for x in rules.zones.values() if x.start and not homes[x.component] <= unused}
    gone = {component for component, zones in homes.items() if zones <= unused - stay}
    return frozenset((unused - stay) | gone | unread)


def _carried(rules: r.Rules) -> frozenset[str]:
    """What carries over to the next match, and what is read to know whether there is one."""
    if rules.carries is None:
        return frozenset()
    asked = rules.carries.goes_on
    return frozenset(rules.carries.of) | (reads(rules, rules.values[asked]) if asked else frozenset())


def in_play(rules: r.Rules, machine: ir.Machine) -> r.Rules:
    """The rules with only those variables and zones that a machine has."""
    if not machine.excluded:
        return rules
    return replace(
        rules,
        zones=_kept(rules.zones, machine),
        counters=_kept(rules.counters, machine),
        marks=_kept(rules.marks, machine),
        pointers=_kept(rules.pointers, machine),
        histories=_kept(rules.histories, machine),
    )


def _kept(declared: dict[str, D], machine: ir.Machine) -> dict[str, D]:
    return {name: decl for name, decl in declared.items() if name not in machine.excluded}


def _is_hidden(rules: r.Rules, name: str) -> bool:
    """Whether an empty label hides a name from players, in every language that has a label for it."""
    labels = [rules.labels, *(other.labels for other in rules.translations.values())]
    found = [names[name] for names in labels if name in names]
    return bool(found) and not any(found)
