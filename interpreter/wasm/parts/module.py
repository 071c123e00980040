"""The module of a machine: regions, menus, chance, and the functions that are called from outside."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from dsl.recursion import make_room
from interpreter import machine as m
from interpreter.wasm.emit.boards import board_bytes
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import EVENT_WORDS, MOST_EVENTS, PAGE, Plan
from interpreter.wasm.emit.streams import STREAM
from interpreter.wasm.flavours import Flavour
from interpreter.wasm.layout import RECORD
from interpreter.wasm.lower.functions import (
    measuring,
    region_function,
    write_changes,
    write_menu,
    write_way,
)
from interpreter.wasm.lower.game_functions import write_playout, write_stepper
from interpreter.wasm.lower.option_parts import menu_of
from interpreter.wasm.lower.playout_cfg import paths
from interpreter.wasm.lower.resume_points import ports
from interpreter.wasm.lower.slot_intervals import routine_spans
from interpreter.wasm.parts.accounts import write_account, write_invariants, write_winners
from interpreter.wasm.parts.batches.observe import Observed
from interpreter.wasm.parts.batches.steps import write_batches
from interpreter.wasm.parts.branches import write_branches, write_nothing_left
from interpreter.wasm.parts.chance import write_chance
from interpreter.wasm.parts.entries import write_choose, write_happen, write_menu_at, write_seat, write_take
from interpreter.wasm.parts.playouts import write_playouts
from interpreter.wasm.parts.runs import write_advance, write_run, write_unfork
from interpreter.wasm.parts.runtime import write_runtime
from interpreter.wasm.parts.sets import write_board, write_words


def module(
    mc: m.Machine, flavour: Flavour, fresh: Iterable[int], seen: Observed | None = None
) -> tuple[bytes, dict[str, int]]:
    """The bytes of a module for a machine, and its map: addresses and sizes by name.

    `fresh` is the state before the first node; `seen` says what batches of matches tell the seats.
    """
    make_room()
    first = list(fresh)
    try:
        return _module(Plan(mc, flavour), first, seen)
    except Outgrown as outgrown:
        return _module(Plan(mc, flavour, scratch_start=outgrown.start), first, seen)


class Outgrown(Exception):
    """The tables of a module do not fit below scratch; it has to begin at `start`."""

    def __init__(self, tables: int) -> None:
        super().__init__(tables)
        self.start = (tables + PAGE - 1) // PAGE * PAGE


def _module(plan: Plan, fresh: list[int], seen: Observed | None) -> tuple[bytes, dict[str, int]]:
    mc, flavour = plan.machine, plan.flavour
    _lay_out(plan, fresh)
    regions = [region_function(plan, r, i) for i, r in enumerate(plan.regions)]
    whole = paths(plan, measuring(plan)) if not flavour.stops else None
    if not flavour.stops and whole is None:
        routine_spans(measuring(plan))
    stepped = ports(plan, measuring(plan)) if flavour.stops and not flavour.bare else None
    if whole is not None or stepped is not None:
        plan.functions.clear()
        plan.ways.clear()
        plan.bodies.clear()
        regions = []
    if whole is not None:
        write_playout(plan, whole)
    if stepped is not None:
        write_stepper(plan, stepped)
    for region in regions:
        region.write()
    decisions = [i for i, n in enumerate(mc.nodes) if isinstance(n, m.Decide | m.Offer)]
    if flavour.stops:
        for number in decisions:
            write_seat(plan, number)
            plan.function(f"menu {number}", (I32, I32))
            if regions:
                write_take(plan, number)
        write_menu_at(plan)
    if regions:
        write_run(plan)
    if regions and mc.branches:
        write_unfork(plan)
        write_nothing_left(plan)
    if regions and plan.plays_branches:
        write_branches(plan)
    if regions and flavour.stops:
        write_advance(plan)
        write_choose(plan, decisions)
    if flavour.bare:
        write_happen(plan)
    if flavour.bare or mc.cover:
        write_invariants(plan)
    write_account(plan)
    write_winners(plan)
    if flavour.stops and not flavour.bare:
        write_batches(plan, seen, stepped)
    if not flavour.stops:
        write_playouts(plan, whole is not None)
    _write_rest(plan)
    table = _table(plan, decisions)
    return _placed(plan, table)


def _lay_out(plan: Plan, fresh: list[int]) -> None:
    """What stands at fixed addresses: the first state, the record of faults, menus."""
    mc = plan.machine
    plan.template = plan.reserve(plan.state_bytes)
    first = array("i", fresh).tobytes()
    plan.data[plan.template : plan.template + len(first)] = first
    sets = board_bytes(plan.boards, fresh)
    plan.data[plan.template + plan.state_bytes - len(sets) : plan.template + plan.state_bytes] = sets
    plan.record = plan.reserve(4 * RECORD)
    plan.cover = plan.reserve(len(mc.cover))
    plan.spare = plan.reserve(64)
    decisions = [i for i, n in enumerate(mc.nodes) if isinstance(n, m.Decide | m.Offer)]
    measure = measuring(plan)
    words = [menu_of(measure, i).words for i in decisions]
    plan.menu_words = max(words, default=1)
    plan.menu_address = plan.reserve(8 * plan.menu_words)
    plan.functions.clear()
    plan.ways.clear()
    plan.seats_out = plan.reserve(4 * (len(mc.scores) + 1) * mc.seats)
    plan.events_at = 0


def _table(plan: Plan, decisions: list[int]) -> list[int]:
    """Functions called by number: menus, takings and seats of the decisions, of a module that stops there."""
    if not plan.flavour.stops:
        return []
    unused = plan.functions["fault"][0]
    names = [f"{kind} {i}" for kind in ("menu", "take", "seat") for i in decisions]
    return [plan.functions.get(name, (unused, 0))[0] for name in names]


def _placed(plan: Plan, table: list[int]) -> tuple[bytes, dict[str, int]]:
    """Everything gets its place behind the tables: scratch, events, then states."""
    mc = plan.machine
    if len(plan.data) > plan.scratch_start:
        raise Outgrown(len(plan.data))
    events = plan.scratch_end
    size = 4 * EVENT_WORDS * MOST_EVENTS if plan.flavour.events else 0
    states = (events + size + 63) // 64 * 64
    before = (STREAM * len(mc.streams) + 63) // 64 * 64
    stride = before + (plan.state_bytes + 63) // 64 * 64
    plan.end = states + stride + PAGE
    layout = {
        "record": plan.record,
        "cover": plan.cover,
        "events": plan.events_at,
        "state": states + before,
        "before": before,
        "stride": stride,
        "menu": plan.menu_address,
        "menu_words": plan.menu_words,
        "scratch": plan.scratch_start,
        "accounts": plan.seats_out,
        "end": plan.end,
        **plan.map,
    }
    return plan.encoded(table), layout


def _write_rest(plan: Plan) -> None:
    """Functions that others have asked for, which may ask for more."""
    plan.events_at = plan.scratch_end
    while True:
        missing = [n for n in plan.functions if n not in plan.bodies]
        special = [n for n in missing if n.split()[0] in ("menu", "way", "changes", "board")]
        if not special:
            break
        for name in special:
            kind, number = name.split()[:2]
            if kind == "board":
                write_board(plan, name)
            elif kind == "menu":
                write_menu(plan, int(number))
            elif kind == "way":
                write_way(plan, name, *plan.ways[name])
            else:
                write_changes(plan, int(number))
    write_chance(plan)
    for name in ("popcount", "select"):
        if name in plan.functions:
            write_words(plan, name)
    write_runtime(plan, plan.record, plan.events_at)
