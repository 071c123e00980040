"""Where YAML names what the rules define: effects in cells, routines and conditions in the flow."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r
from dsl.declare.world import World
from dsl.diagnostics import Failed, did_you_mean
from dsl.document import Scalar
from dsl.domains import NONE, Elem, Flag, Int, Type, is_optional
from dsl.elaborate.definitions import Definitions
from dsl.messages.names import UnknownName
from dsl.messages.shapes import BadCell
from dsl.messages.statements import CannotOffer
from dsl.numbers import whole
from dsl.source import Span
from dsl.wording import article, plural, shortened

CellReference = tuple[str, tuple[int, ...]]

# ---- cells


def read_cells(definitions: Definitions) -> tuple[CellReference, ...]:
    """Every cell that names an effect, with its arguments as numbers, in the order of their numbers."""
    world = definitions.world
    return tuple(
        (name, world.attempt(_cell, definitions, name, arguments) or ()) for name, arguments in world.cells
    )


def _cell(definitions: Definitions, name: str, arguments: tuple[str, ...]) -> tuple[int, ...]:
    world = definitions.world
    span, column = world.cell_places[name, arguments]
    text = shortened(" ".join((name, *arguments)))
    signature = definitions.routine(name)
    if signature is None:
        hint = did_you_mean(name, definitions.signatures) or f"define it: `effect {shortened(name)}`"
        raise Failed(BadCell(span, text, column, f"unknown effect `{shortened(name)}`", hint))
    kind, parameters = signature
    if kind != "effect":
        raise Failed(CannotOffer(span, name, f"{article(kind)}, not an effect", "define it with `effect`"))
    if len(arguments) > len(parameters):
        why = f"`{name}` takes at most {plural(len(parameters), 'argument')}"
        raise Failed(BadCell(span, text, column, why))
    for parameter in parameters[len(arguments) :]:
        if parameter.binder is None:
            raise Failed(BadCell(span, text, column, f"`{parameter.var.name}` must be given"))
    pairs = zip(arguments, parameters, strict=False)
    return tuple(_cell_value(world, a, p.var.type, BadCell(span, text, column, "")) for a, p in pairs)


def _cell_value(world: World, argument: str, wanted: Type, mistake: BadCell) -> int:
    """An argument in a cell as a number. Raises `Failed` if its parameter cannot be that."""
    if argument == "none" and is_optional(wanted):
        return NONE
    value = whole(argument)
    match wanted:
        case Int(lo, hi) if value is not None and lo <= value <= hi:
            return value
        case Elem(name) if argument in (decl := world.types[name]).names:
            found = decl.lo + decl.names.index(argument)
            if found in decl.members:
                return found
        case Flag() if argument in ("true", "false"):
            return int(argument == "true")
    raise Failed(replace(mistake, why=f"`{shortened(argument)}` is not {wanted}"))


# ---- flow


def check_flow(definitions: Definitions, phases: dict[str, r.Phase]) -> None:
    """The routines and values that the flow names exist, and are of the kind that it needs."""
    world = definitions.world
    for condition in world.conditions:
        world.attempt(_condition, definitions, condition)
    for phase in phases.values():
        for step in phase.steps:
            world.attempt(_step, definitions, step)


def _condition(definitions: Definitions, node: Scalar) -> None:
    """An option, a mark without index, or a value without parameters that is true or false."""
    world, name = definitions.world, node.text
    option = world.options.get(name)
    mark = world.marks.get(name)
    if option is not None and isinstance(option.type, Flag):
        return
    if mark is not None and mark.store.of is None and mark.store.at is None:
        return
    found = definitions.value(name, node.span)
    if found is None or not isinstance(found[1], Flag) or found[0]:
        others = [n for n in (*definitions.values, *world.marks) if n != name]
        hint = did_you_mean(name, others) or f"define it: `value {shortened(name)} = ...`"
        raise Failed(UnknownName(node.span, shortened(name), "condition without parameters", hint))


def _step(definitions: Definitions, step: r.FlowStep) -> None:
    match step:
        case r.CallStep():
            _call(definitions, step)
        case r.OfferStep():
            _offer(definitions, step)
        case r.SeatsStep():
            if step.by is not None:
                definitions.world.attempt(_key, definitions, step.by, step.span)
            for inner in step.steps:
                definitions.world.attempt(_step, definitions, inner)


def _key(definitions: Definitions, name: str, span: Span) -> None:
    """What seats are ordered by: a number for each of them."""
    found = definitions.value(name, span)
    seat = found is not None and [p.type for p in found[0]] == [Elem("seat")]
    if found is None or not seat or not isinstance(found[1], Int):
        hint = did_you_mean(name, (n for n in definitions.values if n != name))
        raise Failed(
            UnknownName(span, name, "number per seat", hint or f"define it: `value {name}(seat) = ...`")
        )


def _call(definitions: Definitions, step: r.CallStep) -> None:
    kind, parameters = _routine(definitions, step.routine, step.span)
    if kind != "procedure":
        hint = f"offer it: `may do: [{step.routine}]` or `do one of: [{step.routine}]`"
        if kind == "effect":
            hint = "make it a procedure; effects are done from cells"
        raise Failed(CannotOffer(step.span, step.routine, f"{article(kind)} and cannot be called", hint))
    if parameters:
        hint = "call it from a procedure without parameters"
        why = "a procedure with parameters, and the flow passes none"
        raise Failed(CannotOffer(step.span, step.routine, why, hint))


def _offer(definitions: Definitions, step: r.OfferStep) -> None:
    for name in step.routines:
        kind, parameters = _routine(definitions, name, step.span)
        if kind != "action":
            what = f"{article(kind)}, and only actions can be offered"
            raise Failed(CannotOffer(step.span, name, what, "define it with `action`"))
        for parameter in parameters:
            if parameter.binder is None:
                what = f"an action whose `{parameter.var.name}` cannot be chosen"
                hint = f"write `{parameter.var.name} from ...` in its header"
                raise Failed(CannotOffer(step.span, name, what, hint))


def _routine(definitions: Definitions, name: str, span: Span) -> tuple[str, tuple[r.Parameter, ...]]:
    found = definitions.routine(name)
    if found is None:
        hint = did_you_mean(name, definitions.routines) or f"define it: `procedure {shortened(name)}`"
        raise Failed(UnknownName(span, shortened(name), "routine", hint))
    return found
