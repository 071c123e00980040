"""The bodies of routines and triggers, score lines and promises, from syntax to typed rules."""

from __future__ import annotations

from functools import partial

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import FLAG
from dsl.elaborate import collections
from dsl.elaborate.definitions import Definitions
from dsl.elaborate.expressions import expression_typer
from dsl.elaborate.poisoning import check_mentions
from dsl.elaborate.scope import Scope
from dsl.elaborate.statements import type_block
from dsl.elaborate.unknown_names import all_unknown_told
from dsl.messages.names import NameTaken
from dsl.messages.statements import WrongStatement
from dsl.source import Span

# ---- routines


def typed_routines(definitions: Definitions) -> dict[str, r.Routine]:
    """The routines without errors, by name."""
    nodes = [node for name, node in definitions.routines.items() if name in definitions.signatures]
    typed = definitions.symbols.attempt_all(partial(_routine, definitions), nodes)
    return {routine.name: routine for routine in typed}


def _routine(definitions: Definitions, node: s.Routine) -> r.Routine:
    name = node.name.text
    _, parameters = definitions.signatures[name]
    scope = definitions.scope_of(node)
    for parameter, declared in zip(parameters, node.parameters, strict=True):
        if parameter.several is not None:
            whole = parameter.several.whole
            scope.locals[whole.group.name], scope.picked[whole.group] = whole.group, whole
            continue
        scope.locals[parameter.var.name] = parameter.var
        if parameter.binder is not None and declared.collection is not None:
            scope.origins[parameter.var] = parameter.binder.collection
        scope.learn_given(declared.where)
    block = type_block(scope, node.block)
    marks = definitions.symbols.cite_all(node.clauses)
    return r.Routine(node.kind, name, parameters, block, node.nests, node.span, marks)


# ---- triggers


def triggers(definitions: Definitions) -> tuple[r.Trigger, ...]:
    nodes = [node for node in definitions.written if isinstance(node, s.When | s.WhenMoves)]
    return tuple(definitions.symbols.attempt_all(partial(_trigger, definitions), nodes))


def _trigger(definitions: Definitions, node: s.When | s.WhenMoves) -> r.Trigger:
    header = node.zone if isinstance(node, s.WhenMoves) else node.condition
    check_mentions(definitions.symbols, header)
    if isinstance(node, s.WhenMoves):
        return _move_trigger(definitions, node)
    scope = Scope(definitions.symbols, definitions, open_types={})
    condition = expression_typer(scope).condition(node.condition)
    free = _close(scope)
    scope.learn_given(node.condition)
    block = type_block(scope, node.block, in_trigger=True)
    marks = definitions.symbols.cite_all(node.clauses)
    return r.Trigger(free, condition, None, None, None, block, node.span, marks)


def _move_trigger(definitions: Definitions, node: s.WhenMoves) -> r.Trigger:
    scope = Scope(definitions.symbols, definitions, open_types={})
    zone = collections.zone_of(expression_typer(scope), node.zone)
    free = _close(scope)
    _check_free(definitions, node, zone, free)
    piece = scope.bind(node.name, zone.item)
    block = type_block(scope, node.block, in_trigger=True)
    marks = definitions.symbols.cite_all(node.clauses)
    return r.Trigger(free, None, node.event, piece, zone, block, node.span, marks)


def _check_free(definitions: Definitions, node: s.WhenMoves, zone: r.InZone, free: tuple[r.Var, ...]) -> None:
    """Raises `DiagnosticError` if the zone's indices are not all left open."""
    var = definitions.symbols.zones[zone.zone].var
    for index, declared in ((zone.of, var.of), (zone.at, var.at)):
        if declared is not None and not (isinstance(index, r.Read) and index.var in free):
            hint = f"name the type, as in `{node.name.text} {node.event} {zone.zone}{_address(var)}`"
            why = f"`{declared}` must be left open here"
            raise DiagnosticError(WrongStatement(node.zone.span, why, hint))


def _close(scope: Scope) -> tuple[r.Var, ...]:
    """The types that the header of a trigger has left open; they become locals of its block."""
    free = tuple((scope.open_types or {}).values())
    scope.open_types = None
    scope.locals = {v.name: v for v in free}
    return free


def _address(var: r.StateVar) -> str:
    of = f" of {var.of}" if var.of is not None else ""
    return of + (f" at {var.at}" if var.at is not None else "")


# ---- score lines and promises


def scores(definitions: Definitions) -> tuple[r.ScoreLine, ...]:
    nodes = [node for node in definitions.written if isinstance(node, s.Score)]
    first: dict[tuple[str, str], Span] = {}
    for node in nodes:
        key = (node.kind, node.name.text)
        if key in first:
            definitions.symbols.fail(NameTaken(node.name.span, node.name.text, f"a {node.kind}", first[key]))
        first.setdefault(key, node.name.span)
    return tuple(definitions.symbols.attempt_all(partial(_score, definitions), nodes))


def _score(definitions: Definitions, node: s.Score) -> r.ScoreLine:
    check_mentions(definitions.symbols, node.value)
    typer = definitions.typer()
    with all_unknown_told(typer.scope, node.value):
        value = typer.number(node.value)
    marks = definitions.symbols.cite_all(node.clauses)
    return r.ScoreLine(node.kind, node.name.text, value, node.span, marks, node.best)


def invariants(definitions: Definitions) -> tuple[r.Invariant, ...]:
    """Conditions that hold at every stop: `always C`, and `never C` as `always not C`."""
    return _promises(definitions, "always", "never")


def goals(definitions: Definitions) -> tuple[r.Invariant, ...]:
    """Conditions that hold at some stop of every match: `eventually C`."""
    return _promises(definitions, "eventually")


def _promises(definitions: Definitions, *kinds: str) -> tuple[r.Invariant, ...]:
    nodes = [node for node in definitions.written if isinstance(node, s.Always) and node.kind in kinds]
    return tuple(definitions.symbols.attempt_all(partial(_invariant, definitions), nodes))


def _invariant(definitions: Definitions, node: s.Always) -> r.Invariant:
    check_mentions(definitions.symbols, node.condition)
    typer = definitions.typer()
    with all_unknown_told(typer.scope, node.condition):
        condition = typer.condition(node.condition)
    if node.kind == "never":
        condition = r.Neg(FLAG, condition.span, condition)
    return r.Invariant(condition, node.span, definitions.symbols.cite_all(node.clauses))
