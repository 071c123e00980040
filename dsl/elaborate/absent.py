"""What is chosen for a seat that stays away; `absent` of `game.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import assert_never, get_args

from dsl import rules as r
from dsl.declare.nodes import mapping, word, words
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Node, Scalar, Sequence
from dsl.domains import EffectType, EnumType, FlagType, IntType, NoneType, PieceType, SetType, Type
from dsl.messages.game import NeverOffered
from dsl.messages.shapes import WrongShape
from dsl.numbers import whole
from dsl.rules.visit import walk
from dsl.wording import quoted, shortened

PASS = "pass"
PICKS: tuple[r.Pick, ...] = get_args(r.Pick)
SHOWN = 8
"""The most words that a hint lists."""


@dataclass
class Offered:
    """The words that a decision can offer: names, and numbers within some ranges."""

    names: dict[str, None] = field(default_factory=dict)
    ranges: list[tuple[int, int]] = field(default_factory=list)

    def has(self, text: str) -> bool:
        number = whole(text)
        within = number is not None and any(lo <= number <= hi for lo, hi in self.ranges)
        return text in self.names or within

    def __str__(self) -> str:
        found = [*self.names, *(f"{lo}..{hi}" for lo, hi in self.ranges)]
        return quoted(found[:SHOWN], "and") if len(found) <= SHOWN else f"{quoted(found[:SHOWN], 'and')}, ..."


def read_absent(
    symbols: SymbolTable, node: Node, rules: r.Rules, strict: bool
) -> dict[str, tuple[r.Preference, ...]]:
    """`absent: {actions: pass, bid: lowest, discard: [wood, any]}`: preferences by decision.

    If it is not `strict`, words that are never offered are no error: a smaller game may lack them.
    """
    decisions = offered_words(rules)
    found: dict[str, tuple[r.Preference, ...]] = {}
    for key, value in mapping(node, "`absent`").pairs:
        if key.text not in decisions:
            hint = f"the decisions are {quoted(list(decisions)[:SHOWN], 'and')}" if decisions else ""
            symbols.fail(symbols.unknown(key, "decision", decisions, hint).diagnostic)
            continue
        where = f"`{shortened(key.text)}` of `absent`"
        written = words(value, where) if isinstance(value, Sequence) else (word(value, where),)
        offered = decisions[key.text]
        read = (symbols.attempt(_preference, one, key.text, offered, strict) for one in written)
        found[key.text] = tuple(preference for preference in read if preference is not None)
    return found


def _preference(node: Scalar, decision: str, offered: Offered, strict: bool) -> r.Preference:
    """Raises `DiagnosticError` for a word that the decision never offers."""
    parts = node.text.split()
    if not parts:
        raise DiagnosticError(WrongShape(node.span, f"`{decision}` of `absent`", "a choice"))
    pick: r.Pick = "first"
    for one in PICKS:
        if parts[-1] == one and not offered.has(one):
            pick = one
            del parts[-1]
            break
    unknown = [part for part in parts if not offered.has(part)]
    if unknown and strict:
        near = did_you_mean(unknown[0], (*offered.names, *PICKS))
        hint = near or f"it offers {offered}; or write {quoted(PICKS, 'or')}"
        raise DiagnosticError(NeverOffered(node.span, decision, shortened(unknown[0]), hint))
    return r.Preference(tuple(parts), pick, node.span)


# ---- the words of decisions


def offered_words(rules: r.Rules) -> dict[str, Offered]:
    """Each decision by its name, with the words that its choices can have.

    A decision is called after its step, the action that it offers, `ACTION.PARAMETER`, or the name that is
    chosen; an offer of several actions within the rules is `action`.
    """
    found: dict[str, Offered] = {}
    for name, names, passing in _offers(rules):
        offered = found.setdefault(name, Offered())
        for routine in names:
            offered.names[routine] = None
            for parameter in rules.routines[routine].parameters:
                _add(offered, parameter.var.type, rules)
        if passing:
            offered.names[PASS] = None
    for name, type_, passing in _choices(rules):
        offered = found.setdefault(name, Offered())
        _add(offered, type_, rules)
        if passing:
            offered.names[PASS] = None
    return found


def _offers(rules: r.Rules) -> Iterator[tuple[str, Iterable[str], bool]]:
    """The offers of actions: their names, the routines, and whether one may pass."""
    for phase in rules.phases.values():
        for step in phase.all_steps():
            if isinstance(step, r.OfferStep):
                yield step.name, step.routines, step.strength != "must"
    effects = [name for name, routine in rules.routines.items() if routine.kind == "effect"]
    for line in _lines(rules):
        if isinstance(line, r.Offer):
            names: dict[str, None] = {}
            for target in line.targets:
                names |= dict.fromkeys([target.routine] if isinstance(target, r.DoRoutine) else effects)
            if not _just_done(line):
                yield _offer_name(line.targets), names, line.strength != "must"


def _just_done(line: r.Offer) -> bool:
    """Whether the effect of a cell is carried out, without a choice: `do card.power`."""
    only = line.targets[0]
    one = len(line.targets) == 1 and isinstance(only, r.DoCell)
    return one and line.strength == "must" and line.seat is None


def _offer_name(targets: tuple[r.Target, ...]) -> str:
    if len(targets) > 1:
        return "action"
    only = targets[0]
    return only.routine if isinstance(only, r.DoRoutine) else " ".join(only.span.text.split())


def _choices(rules: r.Rules) -> Iterator[tuple[str, Type, bool]]:
    """The choices of values: their names, the type of the values, and whether one may pass."""
    for routine in rules.routines.values():
        for parameter in routine.parameters:
            if parameter.binder is not None:
                yield f"{routine.name}.{parameter.var.name}", parameter.binder.collection.item, False
    for line in _lines(rules):
        if isinstance(line, r.Choose):
            few = line.several is not None and line.several.least != line.several.most
            yield line.binder.var.name, line.binder.collection.item, line.strength != "must" or few


def _lines(rules: r.Rules) -> Iterator[r.Statement]:
    blocks = ([x.block for x in rules.routines.values()], [x.block for x in rules.triggers])
    for block in (*blocks[0], *blocks[1]):
        yield from (part for part in walk(block) if isinstance(part, r.Line))  # type: ignore[misc]


def _add(offered: Offered, type_: Type, rules: r.Rules) -> None:
    """Add the words of the values of a type."""
    match type_:
        case IntType(lo, hi):
            offered.ranges.append((lo, hi))
        case FlagType():
            offered.names |= {"true": None, "false": None}
        case EnumType(name):
            _add_values(offered, name, rules)
        case PieceType(component):
            decl = rules.components[component]
            offered.names |= dict.fromkeys((*decl.classes, component))
            for zone in rules.zones.values():
                if zone.component == component:
                    offered.names[zone.var.name] = None
                    for index in (zone.var.of, zone.var.at):
                        if index is not None:
                            _add_values(offered, index, rules)
        case EffectType():
            effects = (x.name for x in rules.routines.values() if x.kind == "effect")
            offered.names |= dict.fromkeys(effects)
        case SetType() | NoneType():
            pass
        case _:
            assert_never(type_)
    if getattr(type_, "optional", False):
        offered.names["none"] = None


def _add_values(offered: Offered, name: str, rules: r.Rules) -> None:
    """Add the names of the values of a type, or of the classes of a component that serves as one."""
    decl = rules.types.get(name) or rules.types.get(name.partition(" ")[0])
    if decl is not None:
        offered.names |= dict.fromkeys(decl.names)
    elif name in rules.components:
        offered.names |= dict.fromkeys(rules.components[name].classes)
