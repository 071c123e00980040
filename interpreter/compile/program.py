"""The compiler: from rules and a configuration to a machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dsl import rules as r
from dsl.diagnostics import DiagnosticError, Report, did_you_mean
from dsl.domains import FlagType, IntType
from dsl.messages import BadOption
from dsl.numbers import whole
from dsl.option_sets import set_of, words_of_set
from dsl.recursion import make_room
from dsl.rules.reads import endings
from dsl.rules.static import is_static
from interpreter import ir
from interpreter.compile.coverage import points
from interpreter.compile.depth import stack_sizes
from interpreter.compile.exclusion import excluded_from
from interpreter.compile.expressions import Places
from interpreter.compile.flow import Flow
from interpreter.compile.layout import lay_out, start_pieces, start_words
from interpreter.compile.number_choices import with_ranges
from interpreter.compile.routines import RoutineDraft, Routines
from interpreter.compile.rule_reads import RuleReads, reads_of
from interpreter.compile.scratch import with_resets
from interpreter.compile.statements import Statements
from interpreter.ir.mentions import is_outside
from interpreter.sights import sights


def compile_rules(
    rules: r.Rules,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    *,
    cover: bool = False,
    whole: bool = False,
    places: Places | None = None,
    reads: RuleReads | None = None,
) -> ir.Machine:
    """The machine of a game for `seats` seats (by default the least number) and options by name.

    What plays no part with these seats and options is left out of its state, unless it is `whole`.

    With `cover` it records which of the points in `Machine.cover` are executed. It plays the same matches,
    but has other nodes, states and hashes. Where each expression stands in the rules is noted in `places`.
    What `reads` has worked out of the same rules is not worked out again.

    Raises `ErrorsReported` if the configuration does not exist, the machine is too large, or routines call
    each other without a declared depth.
    """
    make_room()
    report = Report()
    try:
        count, chosen = configure(rules, seats, options or {})
        compiled = _compile if whole else _without_excluded
        known = reads_of(rules.configured(count, chosen), reads)
        return compiled(known, count, chosen, cover, places=places)
    except DiagnosticError as failed:
        report.add(failed.diagnostic)
        report.stop_on_errors()
        raise


def configure(
    rules: r.Rules, seats: int | None, options: Mapping[str, str | int]
) -> tuple[int, dict[str, int]]:
    """The number of seats and the value of every option. Raises `DiagnosticError` for an unknown one.

    Values of a set may depend on the other options; then it raises `ErrorsReported` if those do not go.
    """
    count = rules.seat_counts[0] if seats is None else seats
    if count not in rules.seat_counts:
        why = f"{rules.name} is played by {rules.played_by}, not by {count}"
        raise DiagnosticError(BadOption(rules.span, why))
    chosen = {name: option.default for name, option in rules.options.items()}
    for name, text in options.items():
        if name not in rules.options:
            hint = (
                did_you_mean(name, rules.options) or f"the options are {', '.join(rules.options)}"
                if rules.options
                else "the game has no options"
            )
            raise DiagnosticError(BadOption(rules.span, f"{rules.name} has no option `{name}`", hint))
        if not rules.options[name].sets:
            chosen[name] = option_value(rules, rules.options[name], text)
    return count, chosen | dict(_chosen_sets(rules, count, chosen, options))


def _chosen_sets(
    rules: r.Rules, seats: int, chosen: dict[str, int], options: Mapping[str, str | int]
) -> Iterator[tuple[str, int]]:
    """The options that hold sets, by the values that there are with the other options and these seats."""
    if not any(option.sets for option in rules.options.values()):
        return
    for option in rules.configured(seats, chosen).options.values():
        if option.name in options and option.sets:
            words = words_of_set(str(options[option.name]), rules.span)
            yield option.name, set_of(option, words, seats, rules.span)
        elif option.sets:
            yield option.name, option.sets[seats].default


def option_value(rules: r.Rules, option: r.Option, value: str | int) -> int:
    """The number of an option's value, given as text or number; not of a set.

    Raises `DiagnosticError` if there is none.
    """
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


def _without_excluded(
    reads: RuleReads, seats: int, options: dict[str, int], cover: bool, places: Places | None = None
) -> ir.Machine:
    """The machine of a configuration, without the state that it excludes. Raises `DiagnosticError`."""
    machine = _compile(reads, seats, options, cover, places=places)
    excluded: frozenset[str] = frozenset()
    while more := excluded_from(reads, machine) - excluded:
        excluded |= more
        machine = _compile(reads, seats, options, cover, excluded, places)
    if not excluded:
        return machine
    nodes = (ir.Return(span=node.span) if is_outside(machine, node) else node for node in machine.nodes)
    return replace(machine, nodes=tuple(nodes))


def _compile(
    reads: RuleReads,
    seats: int,
    options: dict[str, int],
    cover: bool,
    excluded: frozenset[str] = frozenset(),
    places: Places | None = None,
) -> ir.Machine:
    """The machine of a configuration that exists. Raises `DiagnosticError`."""
    rules = reads.rules
    lower = Statements(reads, seats, options, lay_out(rules, seats, excluded))
    lower.places = places
    covered = points(rules) if cover else ()
    if cover:
        lower.cover(covered)
    drafts, triggers = _routines(lower)
    flow = Flow(lower)
    scores = _scores(lower)
    invariants, goals = (_promises(lower, promises) for promises in (rules.invariants, rules.goals))
    layout = lower.layout
    lower.end_routine()
    lower.graph.resolve()
    layout.add_stacks(*stack_sizes(lower, drafts, flow.size))
    layout.add_histories()
    nodes, renumbered = lower.graph.compact()
    held = {name: found for name, found in layout.zone_places.items() if name not in excluded}
    machine = ir.Machine(
        name=rules.name,
        seats=seats,
        options=options,
        digest=rules.digest,
        longest=rules.longest,
        nodes=nodes,
        routines=tuple(_routine_code(draft, renumbered) for draft in drafts),
        cells=tuple((lower.routine_numbers[name], arguments) for name, arguments in rules.cells),
        triggers=triggers,
        scores=scores,
        invariants=invariants,
        goals=goals,
        best=next((p.scores for p in rules.phases.values() if p.scores is not None), "none"),
        phases=tuple(rules.phases),
        entries=flow.entries(renumbered),
        start=renumbered[flow.start],
        flow_size=flow.size,
        size=layout.size,
        registers=lower.registers + 1,
        streams=tuple(layout.streams),
        stream_base=layout.stream_base,
        variables=layout.words,
        scratch=layout.scratch,
        places=tuple(layout.places[: layout.held_places]),
        zone_places=held,
        shown=layout.shown,
        sights=sights(rules, layout.places[: layout.held_places], seats),
        told=layout.told,
        stack=layout.stack,
        stack_size=layout.stack_size,
        branches=layout.branches,
        turned=layout.turned,
        counted=_counted(rules),
        ended=layout.ended,
        endings=endings(rules),
        branch_stack=layout.branch_stack,
        branch_size=layout.branch_size,
        saved=layout.saved,
        saved_from=layout.saved_from,
        saved_to=layout.saved_to,
        start_pieces=tuple(start_pieces(layout)),
        totals={name: layout.total(name) for name in rules.components if name not in excluded},
        start_words=tuple(start_words(layout)),
        place_components={
            name: rules.zones[name].component if name in rules.zones else name for name in held
        },
        component_classes={name: len(layout.classes(name)) for name in rules.components},
        cover=tuple(point for _, point in covered),
        histories=tuple(layout.histories),
        records=layout.records,
        excluded=excluded,
        seat_names=rules.types["seat"].names[:seats],
    )
    return with_ranges(with_resets(machine))


def _routines(lower: Statements) -> tuple[list[RoutineDraft], tuple[ir.TriggerCode, ...]]:
    """All routines in the order of their numbers, and the triggers."""
    routines = Routines(lower)
    drafts = [routines.routine(routine) for routine in lower.rules.routines.values()]
    triggers: list[ir.TriggerCode] = []
    for number, trigger in enumerate(lower.rules.triggers):
        draft, code = routines.trigger(number, trigger)
        drafts.append(draft)
        triggers.append(code)
    drafts.extend(routines.branches())
    return drafts, tuple(triggers)


def _routine_code(draft: RoutineDraft, renumbered: dict[int, int]) -> ir.RoutineCode:
    entries = tuple(renumbered[entry] for entry in draft.entries)
    return ir.RoutineCode(
        draft.name, draft.kind, entries, draft.parameters, draft.size, draft.span, draft.clauses, draft.nests
    )


def _scores(lower: Statements) -> tuple[ir.ScoreCode, ...]:
    """The score lines and tie-breaks; register 0 holds the seat."""
    lower.env, lower.reg = {}, 1
    lower.registers = max(lower.registers, 1)
    with lower.acting(ir.Reg(0)):
        scores = tuple(
            ir.ScoreCode(x.kind, x.name, lower.covered(x, lower.expr(x.value)), x.span, x.clauses, x.best)
            for x in lower.rules.scores
        )
    lower.reg = 0
    return scores


def _counted(rules: r.Rules) -> tuple[tuple[int, ...], ...]:
    """For each phase the numbers of the score lines that count if the match ends in it; empty: all do.

    In a phase without a score those of the first phase with one count.
    """
    scoring = [phase for phase in rules.phases.values() if phase.scores is not None]
    if all(phase.counted is None for phase in scoring):
        return ()

    def numbers(phase: r.Phase) -> tuple[int, ...]:
        counted = phase if phase.scores is not None else scoring[0]
        lines = range(len(rules.scores))
        return tuple(i for i in lines if counted.counted is None or rules.scores[i].name in counted.counted)

    return tuple(map(numbers, rules.phases.values()))


def _promises(lower: Statements, promises: tuple[r.Invariant, ...]) -> tuple[ir.InvariantCode, ...]:
    """Invariants or goals; no seat acts in them."""
    return tuple(
        ir.InvariantCode(
            lower.covered(promise, lower.expr(promise.condition), ir.RAN | ir.HELD, ir.RAN | ir.FAILED),
            promise.span,
            promise.clauses,
            is_static(lower.rules, promise.condition),
        )
        for promise in promises
    )
