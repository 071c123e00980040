"""The front door of the compiler: rules and a configuration in, a machine out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from dsl import rules as r
from dsl.diagnostics import DiagnosticError, InternalError, Report, did_you_mean
from dsl.domains import FlagType, IntType
from dsl.messages import BadOption
from dsl.numbers import whole
from dsl.recursion import make_room
from dsl.rules.static import is_static
from dsl.rules.visit import walk
from interpreter import ir
from interpreter.compile.coverage import points
from interpreter.compile.depth import stacks
from interpreter.compile.layout import lay_out, start_pieces, start_words
from interpreter.compile.routines import RoutineDraft, Routines
from interpreter.compile.sizes import check_words
from interpreter.compile.statements import Statements
from interpreter.ir.visit import retargeted


def compile_rules(
    rules: r.Rules,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    *,
    cover: bool = False,
) -> ir.Machine:
    """The machine of a game for `seats` seats (the least number if left out) and options by name.

    With `cover` it notes what is executed, at the points of `Machine.cover`; it plays the same matches, but
    its nodes, its states and their hashes are others.

    Raises `ErrorsReported` if the configuration does not exist or routines call each other without a bound.
    """
    make_room()
    report = Report()
    try:
        return _compile(rules, *configure(rules, seats, options or {}), cover)
    except DiagnosticError as failed:
        report.add(failed.diagnostic)
        report.stop_on_errors()
        raise


def configure(
    rules: r.Rules, seats: int | None, options: Mapping[str, str | int]
) -> tuple[int, dict[str, int]]:
    """Seats and option values, checked. Raises `DiagnosticError` for what the game does not have."""
    low, high = rules.seats
    count = low if seats is None else seats
    if not low <= count <= high:
        some = f"{low}" if low == high else f"{low} to {high}"
        raise DiagnosticError(BadOption(rules.span, f"{rules.name} is played by {some}, not by {count}"))
    chosen = {name: option.default for name, option in rules.options.items()}
    for name, text in options.items():
        if name not in rules.options:
            hint = (
                did_you_mean(name, rules.options) or f"the options are {', '.join(rules.options)}"
                if rules.options
                else "the game has no options"
            )
            raise DiagnosticError(BadOption(rules.span, f"{rules.name} has no option `{name}`", hint))
        chosen[name] = option_value(rules, rules.options[name], text)
    return count, chosen


def option_value(rules: r.Rules, option: r.Option, value: str | int) -> int:
    """The number of the value of an option, which may be written as a number. Raises `DiagnosticError`."""
    text = str(value)
    match option.type:
        case FlagType():
            words = {"true": 1, "on": 1, "yes": 1, "false": 0, "off": 0, "no": 0}
            if text.lower() in words:
                return words[text.lower()]
            wanted = "on or off"
        case IntType(lo, hi):
            number = whole(text)
            if number is not None and lo <= number <= hi:
                return number
            wanted = f"a number of {lo}..{hi}"
        case _:
            if text in option.values:
                return option.values.index(text)
            wanted = " or ".join(option.values)
    raise DiagnosticError(
        BadOption(rules.span, f"option `{option.name}` cannot be `{text}`", f"choose {wanted}")
    )


def _compile(rules: r.Rules, seats: int, options: dict[str, int], cover: bool) -> ir.Machine:
    blocks = [x.block for x in rules.routines.values()] + [x.block for x in rules.triggers]
    parts = [part for block in blocks for part in walk(block)]
    forks = any(isinstance(p, r.Together) for p in parts)
    shown = frozenset(p.zone.zone for p in parts if isinstance(p, r.Show))
    layout = lay_out(rules, seats, forks, shown)
    lower = Statements(rules, seats, options, layout)
    routines = Routines(lower)
    covered = points(rules) if cover else ()
    if cover:
        lower.cover(covered)
    routines.number_routines()
    made: dict[str, RoutineDraft] = {
        name: routines.routine(routine) for name, routine in rules.routines.items()
    }
    triggers: list[ir.TriggerCode] = []
    for i, trigger in enumerate(rules.triggers):
        code, found = routines.trigger(i, trigger)
        made[code.name] = code
        triggers.append(found)
    for branch in routines.branches():
        made[branch.name] = branch
    start, flow_size, entries = routines.flow()
    scores, invariants, goals = _account(rules, lower)
    cells = tuple((lower.routine_numbers[name], arguments) for name, arguments in rules.cells)
    main, branch_words = stacks(rules, lower, made, flow_size)
    nodes, renumber = _threaded(lower.graph.nodes, lower.graph.alias)
    size = layout.size
    saved_from, saved_to = layout.first, layout.last
    saved = size
    if forks:
        size += saved_to - saved_from
    stack = size
    size += main
    branch_stack = size
    size += branch_words * seats if forks else 0
    check_words(size, "what calls and loops keep", rules.span)
    best: Literal["highest", "lowest", "none"] = next(
        (p.scores for p in rules.phases.values() if p.scores is not None), "none"
    )
    ordered = sorted(made.values(), key=lambda code: lower.routine_numbers[code.name])
    return ir.Machine(
        name=rules.name,
        seats=seats,
        options=options,
        digest=rules.digest,
        longest=rules.longest,
        nodes=nodes,
        routines=tuple(
            ir.RoutineCode(
                c.name, c.kind, tuple(renumber[e] for e in c.entries), c.parameters, c.size, c.span, c.clauses
            )
            for c in ordered
        ),
        cells=cells,
        triggers=tuple(triggers),
        scores=scores,
        invariants=invariants,
        goals=goals,
        best=best,
        phases=tuple(rules.phases),
        entries={n: replace(e, node=renumber[e.node]) for n, e in entries.items()},
        start=renumber[start],
        flow_size=flow_size,
        size=size,
        registers=lower.registers + 1,
        streams=tuple(layout.streams),
        stream_base=layout.stream_base,
        variables=layout.words,
        places=tuple(layout.places),
        zone_places=layout.zone_places,
        shown=layout.shown,
        stack=stack,
        stack_size=main,
        branches=layout.branches,
        branch_stack=branch_stack,
        branch_size=branch_words if forks else 0,
        saved=saved if forks else 0,
        saved_from=saved_from,
        saved_to=saved_to,
        start_pieces=tuple(start_pieces(layout)),
        totals={name: layout.total(name) for name in rules.components},
        start_words=tuple(start_words(layout)),
        place_components={
            z: (rules.zones[z].component if z in rules.zones else z) for z in layout.zone_places
        },
        component_classes={name: len(layout.classes(name)) for name in rules.components},
        cover=tuple(point for _, point in covered),
    )


Promises = tuple[ir.InvariantCode, ...]


def _account(rules: r.Rules, lower: Statements) -> tuple[tuple[ir.ScoreCode, ...], Promises, Promises]:
    """Score lines (register 0 is the seat counted), invariants and goals (no seat acts)."""
    lower.env, lower.reg = {}, 1
    lower.registers = max(lower.registers, 1)
    with lower.acting(ir.Reg(0)):
        scores = tuple(
            ir.ScoreCode(x.kind, x.name, lower.covered(x, lower.expr(x.value)), x.span, x.clauses)
            for x in rules.scores
        )
    lower.reg = 0
    invariants, goals = (
        tuple(
            ir.InvariantCode(_promise(lower, x), x.span, x.clauses, is_static(rules, x.condition))
            for x in promises
        )
        for promises in (rules.invariants, rules.goals)
    )
    return scores, invariants, goals


def _promise(lower: Statements, promise: r.Invariant) -> ir.Expr:
    return lower.covered(promise, lower.expr(promise.condition), ir.RAN | ir.HELD, ir.RAN | ir.FAILED)


# ---- threading


def _threaded(
    nodes: list[ir.Step | None], alias: dict[int, int]
) -> tuple[tuple[ir.Step, ...], dict[int, int]]:
    """Nodes without the entries that only lead on, numbered anew; and the new numbers."""

    def target(number: int) -> int:
        seen = set()
        while number in alias:
            if number in seen:
                raise InternalError("an empty loop")
            seen.add(number)
            number = alias[number]
        return number

    kept = [i for i, node in enumerate(nodes) if node is not None]
    new = {old: i for i, old in enumerate(kept)}
    renumber = {}
    for i in range(len(nodes)):
        end = target(i)
        if end in new:
            renumber[i] = new[end]
    made: list[ir.Step] = []
    for old in kept:
        node = nodes[old]
        assert node is not None
        made.append(retargeted(node, renumber))
    return tuple(made), renumber
