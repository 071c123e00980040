"""Hidden values that are chosen so that everybody reads the choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl import rules as r
from dsl.diagnostics import Label
from dsl.domains import PieceType
from dsl.rules.visit import walk
from validators.check import Check, CheckContext, Finding
from validators.checks.hidden_guard import name_of


@dataclass(frozen=True)
class SaidAloud(Finding):
    """A hidden counter or pointer is set to what a seat has chosen openly: all have read it.

    Who sees a value and who reads a choice are two things. What is chosen is told to everybody, after
    `together` too, when all have finished.

    Example:

        pointers:
          role: {of: seat, to: character, seen_by: owner}

        procedure roles
            each seat together
                choose character
                role of me = character

    Write `choose character secretly`. A parameter of an action is always chosen openly: let the action
    choose within its block. `allow` it where the value is known at first, and changes unseen later.
    """

    code = "V343"
    slug = "said-aloud"
    title = "`{about}` is hidden, but everybody reads what it is set to"
    label = "this is told to everybody"
    advice = "choose it `secretly`"


def find(subject: CheckContext) -> Iterator[Finding]:
    hidden = subject.rules.hidden_words
    if not hidden:
        return
    owners: tuple[r.Routine | r.Trigger, ...] = (*subject.rules.routines.values(), *subject.rules.triggers)
    for owner in owners:
        open_ = {var for var in _chosen(owner) if not isinstance(var.type, PieceType)}
        for line in walk(owner.block):
            match line:
                case r.Write(name=name, value=r.Read(var=var)) if name in hidden and var in open_:
                    path = (Label(line.span, f"written here, in `{name_of(owner)}`"),)
                    yield SaidAloud(var.span, name, path)


def _chosen(owner: r.Routine | r.Trigger) -> Iterator[r.Var]:
    """What is chosen openly in a routine: parameters that are offered, and choices."""
    if isinstance(owner, r.Routine) and owner.kind == "action":
        yield from (p.binder.var for p in owner.parameters if p.binder is not None)
    for line in walk(owner.block):
        if isinstance(line, r.Choose) and not line.secretly:
            yield line.binder.var


CHECK = Check(SaidAloud, find)
