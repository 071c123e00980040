"""Values that the table shows, computed in any state. They are no part of the machine: no rule needs them."""

from __future__ import annotations

from array import array

from dsl import rules as r
from dsl.domains import FLAG, EnumType
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.once_per_game import once_per_game
from interpreter.queries import QueryEvaluator
from interpreter.reference.closures import IntFn
from interpreter.reference.faults import RUNTIME_ERRORS

Computed = int | None | list[int | None]
"""A value of all, or one of each seat; none where its computation fails."""


def shown_values(game: Game) -> tuple[r.Value, ...]:
    """The values that the table shows, in their order."""
    return tuple(game.ruleset.values[one.name] for one in game.ruleset.look.shown)


@once_per_game
def expressions(game: Game) -> tuple[ir.Expr, ...]:
    """Those values as expressions, and last whether another match follows, if a condition says so.

    Register 0 holds the seat.
    """
    lowering = QueryEvaluator(game).lowering
    lowering.reg = lowering.registers = 1
    found = []
    with lowering.acting(ir.Reg(0)):
        for value in shown_values(game):
            lowering.begin_question()
            seat = r.Special(EnumType("seat"), NOWHERE, "me")
            given = (seat,) if is_of_seat(value) else ()
            found.append(lowering.expr(r.UseValue(value.type, NOWHERE, value.name, given)))
        carries = game.ruleset.carries
        if carries is not None and carries.goes_on is not None:
            lowering.begin_question()
            found.append(lowering.expr(r.UseValue(FLAG, NOWHERE, carries.goes_on, ())))
    registers = game.reference.registers
    registers.extend([0] * (lowering.registers + 1 - len(registers)))
    return tuple(found)


def is_of_seat(value: r.Value) -> bool:
    """Whether there is one for each seat."""
    return bool(value.parameters)


@once_per_game
def _closures(game: Game) -> tuple[IntFn, ...]:
    return tuple(game.reference.linker.number(expr) for expr in expressions(game))


def computed(game: Game, s: array[int], viewer: int) -> list[Computed]:
    """What each of the values is; during `together`, but for the referee, what it was before."""
    s = game.views.before(s, viewer) or s
    seats = range(game.machine.seats)
    return [
        [_number(game, s, run, seat) for seat in seats] if is_of_seat(value) else _number(game, s, run, 0)
        for value, run in zip(shown_values(game), _closures(game), strict=False)
    ]


def _number(game: Game, s: array[int], run: IntFn, seat: int) -> int | None:
    registers = game.reference.registers
    registers[0] = seat
    try:
        return run(s, registers)
    except (*RUNTIME_ERRORS, Fault):
        return None
