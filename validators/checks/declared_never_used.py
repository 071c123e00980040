"""Unused declarations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.source import Span
from validators.check import Check, CheckContext, Finding
from validators.usages import usages_of


@dataclass(frozen=True)
class DeclaredNeverUsed(Finding):
    """A declaration in `game.yaml` that no rule, no step of the flow and no other declaration uses.

    Either the rule that uses it is missing, or it is left over from an earlier version. It is harmless, but
    readers of the ruleset look for its purpose.

    Example:

        counters:
          prestige: {of: seat, range: 0..20}     # no line gains, pays or reads it

    Write the rule, or remove the declaration.
    """

    code = "V321"
    slug = "declared-never-used"
    title = "{what} `{about}` is declared and never used"
    label = "no rule mentions it"
    advice = "write the rule that uses it, or remove it"

    what: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for what, name, span in _unused(subject):
        yield DeclaredNeverUsed(span, name, what=what)


def _unused(subject: CheckContext) -> Iterator[tuple[str, str, Span]]:
    rules, found = subject.rules, usages_of(subject.rules)
    used = found.read | found.written
    for noun, variables in (
        ("zone", rules.zones),
        ("counter", rules.counters),
        ("mark", rules.marks),
        ("pointer", rules.pointers),
    ):
        for name, var in variables.items():
            if name not in used:
                yield noun, name, var.var.span
    for name, history in rules.histories.items():
        if name not in found.histories:
            yield "history", name, history.span
    for name, component in rules.components.items():
        if name not in found.components:
            yield "component", name, component.span
    ways = {name for decl in rules.types.values() for name in decl.directions}
    for name, decl in rules.types.items():
        if name not in found.types and name != "seat" and " " not in name:
            noun = "type of directions" if name in ways else "type" if decl.shape == "none" else "board"
            yield noun, name, decl.span
    for name, table in rules.tables.items():
        if name not in found.tables:
            yield "table", name, table.span
    for name, option in rules.options.items():
        if name not in found.settings:
            yield "option", name, option.span
    for name, constant in rules.constants.items():
        if name not in found.settings:
            yield "constant", name, constant.span


CHECK = Check(DeclaredNeverUsed, find)
