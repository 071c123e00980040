"""A machine to a WebAssembly module: `module` writes its functions and lays out its linear memory.

To read the back end, start here and follow the calls. `ModuleBuilder` (`emit/`) collects functions and
tables; `Body` and its operands are one function under construction. The nodes of the machine become functions
by `lower/`: over a `FunctionContext`, `nodes.lower_node` has a case for each node, `expressions.num` one for
each expression. Around them stand `runtime/` (runs to a stop, pieces, chance, score sheets) and `batches/`.

Linear memory, from 0: the fuel of a decision, tables, scratch, events, then states, each with the buffers of
its random streams in front.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dsl.recursion import make_room
from interpreter import ir
from interpreter.ir.beginnings import as_beginnings
from interpreter.ir.compared_numbers import numbers_compared_once
from interpreter.ir.counted_steps import steps_as_counts
from interpreter.ir.early_needs import needs_before_loops
from interpreter.ir.first_values import firsts_as_beginnings
from interpreter.ir.floods import floods_as_writes
from interpreter.ir.joined_counts import counts_together
from interpreter.ir.joined_rays import joined_as_searches
from interpreter.ir.known_values import with_known_values
from interpreter.ir.related_values import related_as_links
from interpreter.ir.search_loops import loops_as_conditions
from interpreter.ir.set_writes import loops_as_writes
from interpreter.ir.trigger_calls import triggers_as_calls
from interpreter.refusal_tables import most_values
from interpreter.wasm.abi import RECORD, WORK_AT
from interpreter.wasm.build_config import BuildConfig
from interpreter.wasm.emit.bit_boards import board_bytes, boards, first_byte, piece_bytes
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.marked_body import Marks
from interpreter.wasm.emit.module_builder import MOST_OUT, PAGE, ModuleBuilder
from interpreter.wasm.host.module import write_host
from interpreter.wasm.host.sights import HostTable
from interpreter.wasm.lower import refusals
from interpreter.wasm.lower.functions import (
    measuring,
    region_function,
    write_candidate,
    write_changes,
    write_entry,
    write_option_mask,
)
from interpreter.wasm.lower.option_layouts import layout_of
from interpreter.wasm.lower.playout_cfg import Paths, ResumePoints, paths, resume_points
from interpreter.wasm.lower.slot_intervals import routine_spans
from interpreter.wasm.lower.trial_paths import need_no_frames
from interpreter.wasm.lower.trials import write_trial
from interpreter.wasm.runtime.basics import write_board, write_runtime
from interpreter.wasm.runtime.chance import write_chance
from interpreter.wasm.runtime.entry_points import (
    write_choose,
    write_happen,
    write_options_at,
    write_seat,
    write_take,
)
from interpreter.wasm.runtime.histories import write_history
from interpreter.wasm.runtime.playouts import write_playout, write_playouts, write_stepper
from interpreter.wasm.runtime.questions import row_words, write_questions
from interpreter.wasm.runtime.reasons import write_reasons
from interpreter.wasm.runtime.runs import (
    write_advance,
    write_branches,
    write_nothing_left,
    write_run,
    write_unfork,
)
from interpreter.wasm.runtime.score_sheets import (
    write_account,
    write_computed,
    write_invariants,
    write_promises,
    write_winners,
)

if TYPE_CHECKING:
    from interpreter.wasm.batches.observe import Observed

HISTORY = ("times", "sieve", "record", "erase", "packing")
SPECIAL = ("menu", "way", "candidates", "candidate", "try", "changes", "board", *HISTORY)
"""The first words of the names of functions of which there is one for each of several things."""


def module(
    mc: ir.Machine,
    config: BuildConfig,
    initial_state: Iterable[int],
    seen: Observed | None = None,
    computed: tuple[ir.Expr, ...] = (),
    marks: Marks | None = None,
    hosted: tuple[int, ...] = (),
) -> tuple[bytes, dict[str, int]]:
    """The bytes of a module for a machine, and its map: addresses and sizes by name.

    `initial_state` is the state before the first node; `seen` says what the seats observe, in batches or
    where a module that hands out its state is asked; `computed` are values for the table, of which such a
    module has a function. `hosted` is the table over which it says what viewers may know (`host`), if it is
    to. With `marks` the module counts what it executes (`interpreter.wasm.metering`).
    """
    make_room()
    first = list(initial_state)
    if not config.stops and not mc.cover:
        mc = rewritten(mc)
    try:
        return _module(ModuleBuilder(mc, config, marks=marks), first, seen, computed, hosted)
    except Outgrown as outgrown:
        again = ModuleBuilder(mc, config, scratch_start=outgrown.start, marks=marks)
        return _module(again, first, seen, computed, hosted)


def rewritten(mc: ir.Machine) -> ir.Machine:
    """The same machine for modules that do not stop at each choice: less is asked, in larger steps."""
    mc = related_as_links(steps_as_counts(triggers_as_calls(mc)))
    mc = joined_as_searches(firsts_as_beginnings(mc))
    mc = as_beginnings(mc)
    kept = boards(mc)
    searched = loops_as_conditions(floods_as_writes(with_known_values(counts_together(mc)), kept))
    return numbers_compared_once(loops_as_writes(needs_before_loops(searched), kept))


class Outgrown(Exception):
    """The tables of a module do not fit below scratch; it has to begin at `start`."""

    def __init__(self, tables: int) -> None:
        super().__init__(tables)
        self.start = (tables + PAGE - 1) // PAGE * PAGE


def _module(
    builder: ModuleBuilder,
    initial_state: list[int],
    seen: Observed | None,
    computed: tuple[ir.Expr, ...],
    hosted: tuple[int, ...],
) -> tuple[bytes, dict[str, int]]:
    """Writes the functions that say what the game is, then those around them, then those that they call."""
    config = builder.config
    _lay_out(builder, initial_state)
    whole, resumable = _write_game(builder)
    in_regions = whole is None and resumable is None
    if config.stops:
        _write_decisions(builder, in_regions)
    if in_regions:
        _write_runs(builder)
    if config.bare:
        write_happen(builder)
    if config.explains:
        write_questions(builder)
        write_reasons(builder)
    if hosted:
        write_host(builder, HostTable(builder.table(hosted), hosted), supposes=config.supposes)
    if config.bare and seen is not None:
        _write_observed(builder, seen)
    if (config.bare and not config.page) or builder.machine.cover:
        write_invariants(builder)
    if config.checked:
        write_promises(builder)
    write_account(builder)
    if computed:
        write_computed(builder, computed)
    write_winners(builder)
    if config.stops and not config.bare:
        from interpreter.wasm.batches.steps import write_batches

        write_batches(builder, seen, resumable)
    if not config.stops:
        write_playouts(builder, whole is not None)
    _write_called(builder)
    return _placed(builder, _table(builder))


def _write_game(builder: ModuleBuilder) -> tuple[Paths | None, ResumePoints | None]:
    """The nodes: a function for each region, or where possible one function, `whole`, for the whole game.

    `whole` plays by `Paths` to the end, or by `ResumePoints` from stop to stop. Where it is found, what the
    regions have asked for is forgotten.
    """
    config = builder.config
    regions = [region_function(builder, r, i) for i, r in enumerate(builder.regions)]
    whole = paths(builder, measuring(builder), need_no_frames) if not config.stops else None
    if not config.stops and whole is None:
        routine_spans(measuring(builder))
    resumable = resume_points(builder, measuring(builder)) if config.stops and not config.bare else None
    if whole is None and resumable is None:
        for region in regions:
            region.write()
        return None, None
    builder.functions.clear()
    builder.entries.clear()
    builder.bodies.clear()
    if whole is not None:
        write_playout(builder, whole)
    if resumable is not None:
        write_stepper(builder, resumable)
    return whole, resumable


def _write_decisions(builder: ModuleBuilder, in_regions: bool) -> None:
    """For each decision: who decides, what is offered, and carrying an option out."""
    for number in builder.decisions:
        write_seat(builder, number)
        builder.function(f"menu {number}", (I32, I32))
        if in_regions:
            write_take(builder, number)
    write_options_at(builder)


def _write_runs(builder: ModuleBuilder) -> None:
    """Runs through regions and branches to a stop."""
    write_run(builder)
    if builder.machine.branches:
        write_unfork(builder)
        write_nothing_left(builder)
    if builder.plays_branches:
        write_branches(builder)
    if builder.config.stops:
        write_advance(builder)
        write_choose(builder)


def _lay_out(builder: ModuleBuilder, initial_state: list[int]) -> None:
    """Reserves what stands at fixed addresses: the first state, the record of faults, masks, score sheets."""
    mc = builder.machine
    builder.template = builder.reserve(builder.state_bytes)
    first = array("i", initial_state).tobytes()
    builder.data[builder.template : builder.template + len(first)] = first
    sets = board_bytes(builder.boards, initial_state)
    sets += piece_bytes(mc, builder.piece_sets, initial_state)
    first_set = builder.template + first_byte(mc)
    builder.data[first_set : first_set + len(sets)] = sets
    builder.record = builder.reserve(4 * RECORD)
    builder.cover = builder.reserve(len(mc.cover))
    builder.spare = builder.reserve(64)
    measure = measuring(builder)
    words = [layout_of(measure, i).words for i in builder.decisions]
    builder.mask_words = max(words, default=1)
    builder.mask_address = builder.reserve(8 * builder.mask_words)
    builder.functions.clear()
    builder.entries.clear()
    builder.seats_out = builder.reserve(4 * (len(mc.scores) + 1) * mc.seats)
    builder.events_at = 0
    if builder.config.explains:
        _lay_out_answers(builder)


def _lay_out_answers(builder: ModuleBuilder) -> None:
    """Reserves what a host that asks reads: the record of a refusal; behind the state a copy, and answers."""
    builder.asking = builder.reserve(16)
    builder.why = builder.reserve(4 * (refusals.VALUES + most_values(builder.machine)))
    builder.failed = sum(builder.first_state)
    builder.out = (builder.failed + builder.state_bytes + 63) // 64 * 64
    builder.map |= {
        "initial": builder.template,
        "why": builder.why,
        "failed": builder.failed,
        "out": builder.out,
        "work": WORK_AT,
        "doing_words": row_words(builder.machine),
        "size": builder.machine.size,
    }


def _write_observed(builder: ModuleBuilder, seen: Observed) -> None:
    """What a host asks that plays by an observation: a row, and the function that writes it."""
    from interpreter.wasm.batches.observe import write_observe

    builder.map["row"] = builder.reserve(4 * seen.size)
    write_observe(builder, seen, export=True)


def _write_called(builder: ModuleBuilder) -> None:
    """The functions that others call and that have no body yet; they may call more."""
    builder.events_at = builder.scratch_end
    while True:
        missing = [n for n in builder.functions if n not in builder.bodies]
        special = [n for n in missing if n.split()[0] in SPECIAL]
        if not special:
            break
        for name in special:
            kind, number = name.split()[:2]
            if kind in HISTORY:
                write_history(builder, name)
            elif kind == "board":
                write_board(builder, name)
            elif kind == "try":
                write_trial(builder, int(number))
            elif kind == "menu":
                write_option_mask(builder, int(number))
            elif kind in ("way", "candidates"):
                write_entry(builder, name, *builder.entries[name])
            elif kind == "candidate":
                write_candidate(builder, int(number))
            else:
                write_changes(builder, int(number))
    write_chance(builder)
    write_runtime(builder, builder.record, builder.events_at)


def _leave_out_words(builder: ModuleBuilder) -> None:
    """The words of pointers and marks of which only sets are read are not written."""
    unread, bodies = builder.in_sets, builder.bodies.values()
    while unread and (read := unread & {name for body in bodies for name in body.reads(unread)}):
        unread -= read
    builder.map |= {f"sets of {name}": builder.boards[name].first for name in unread}
    if builder.in_sets:
        for body in bodies:
            body.leave_out(unread)


def _table(builder: ModuleBuilder) -> list[int]:
    """The table of functions that are called by number: menus, takings and seats of decisions that stop."""
    if not builder.config.stops:
        return []
    unused = builder.functions["fault"][0]
    names = [f"{kind} {i}" for kind in ("menu", "take", "seat") for i in builder.decisions]
    return [builder.functions.get(name, (unused, 0))[0] for name in names]


def _placed(builder: ModuleBuilder, table: list[int]) -> tuple[bytes, dict[str, int]]:
    """The bytes and the map: behind the tables come the scratch, the events, then the states."""
    if len(builder.data) > builder.scratch_start:
        raise Outgrown(len(builder.data))
    states, stride = builder.first_state
    before = builder.stream_bytes
    builder.end = max(states + stride, builder.out + 4 * MOST_OUT if builder.out else 0) + PAGE
    _leave_out_words(builder)
    if builder.marks is not None:
        from interpreter.wasm.metering import add_counters

        add_counters(builder)
    layout = {
        "record": builder.record,
        "cover": builder.cover,
        "events": builder.events_at,
        "state": states + before,
        "before": before,
        "stride": stride,
        "menu": builder.mask_address,
        "menu_words": builder.mask_words,
        "scratch": builder.scratch_start,
        "accounts": builder.seats_out,
        "end": builder.end,
        **builder.map,
    }
    return builder.encoded(table), layout
