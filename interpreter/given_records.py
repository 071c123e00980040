"""Histories of matches that begin from a position: such a match has been in that position."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from interpreter import ir
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.position import CannotPlace


def forget_records(game: Game, state: array[int]) -> None:
    """Empty all histories: what a set-up recorded was before the position that is set after it."""
    records = game.machine.records
    if game.machine.histories:
        state[records:] = array("i", bytes(4 * (len(state) - records)))


def record_given(game: Game, state: array[int], node: int) -> None:
    """Record the position, from which play goes on at a node, in each history that is empty.

    Not where play itself records it there before anybody is asked. It is recorded as at the end of the turn
    before, so that `active` and values have the seat that had it. Raises `CannotPlace` if a value fails.
    """
    machine = game.machine
    empty = [i for i, history in enumerate(machine.histories) if not (history.scratch or state[history.base])]
    if not empty:
        return
    begun = game.reference.recorded_at_once(state, node)
    before = _before(game, state, node)
    for number in empty:
        adding = next(_adding(machine, number), None)
        if number in begun or adding is None:
            continue
        trial = state[:]
        trial[ir.ACTIVE] = trial[trial[ir.FP] + ir.ME] = before
        history = machine.histories[number]
        try:
            game.reference.carry_out(trial, adding)
        except Fault as fault:
            why = f"history `{history.name}` cannot record it: {fault.diagnostic.message}"
            raise CannotPlace(why, "set what its values read") from None
        words = slice(history.base, history.base + history.size)
        state[words] = trial[words]


def _adding(machine: ir.Machine, number: int) -> Iterator[int]:
    """The nodes that record a history."""
    for at, node in enumerate(machine.nodes):
        if isinstance(node, ir.AddRecord) and node.history == number:
            yield at


def _before(game: Game, state: array[int], node: int) -> int:
    """The seat that had the turn before: the nearest one from which it passes to the active seat.

    Where no turn has begun, it is the active seat itself.
    """
    machine, active = game.machine, state[ir.ACTIVE]
    entering = machine.nodes[node]
    phase = machine.phases[entering.phase if isinstance(entering, ir.EnterPhase) else state[ir.PHASE]]
    entry = machine.entries[phase]
    order = _round(machine, state, node)
    if order:
        return order[order.index(active) - 1]
    if not game.rules.phases[phase].rotates:
        return active
    if isinstance(entering, ir.EnterPhase):
        active = game.reference.passes_to(state, entry, state[ir.ROTATION])
    nearest = [(active - i) % machine.seats for i in range(1, machine.seats + 1)]
    passing = [seat for seat in nearest if game.reference.passes_to(state, entry, seat) == active]
    return passing[0] if passing else nearest[0]


def _round(machine: ir.Machine, state: array[int], node: int) -> list[int]:
    """The seats of the round of `each seat in turn` in which a node stands, in order; else none."""
    entry = next((e for e in machine.entries.values() if e.node == node and e.order is not None), None)
    if entry is None or entry.order is None:
        return []
    at = state[ir.FP] + entry.order
    seats = list(state[at + 1 : at + 1 + state[at]])
    return seats if state[ir.ACTIVE] in seats else []
