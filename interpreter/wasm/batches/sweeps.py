"""Value iteration inside the module: a sweep, in which each position takes the value of its best choice.

Source: Bertsekas, "Dynamic Programming and Optimal Control" II (2012): value iteration, by Gauss and Seidel.
The arrays stand anywhere behind what the module holds, position after position, choice after choice, way
after way; a header says where.
"""

from __future__ import annotations

import math
from typing import Final

from interpreter.wasm.emit.encoding import F64, I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, float_const

VALUES, LAST_VALUE, CHOICES, WAYS, TARGETS, SIGNS, CHANCES = range(0, 28, 4)
ENDLESS, LASTING, CHANGE = 32, 40, 48
HEADER: Final = 56
"""The words of the header: where values begin, first those of positions; then, each time the address behind,
the values of positions, for each position the number of its choices, for each choice the number of its ways,
for each way the address of the value to which it leads. How much further than the value of a position its
sign stands, 1 or -1: whether the greatest or the least value is the best. How much further than twice the
address of a target its chance stands. Then numbers of 64 bits: what a match without end is worth, which share
of a value is left a choice before, and after a sweep the greatest change of a value."""


def write_sweep(builder: ModuleBuilder) -> None:
    """sweep(header): all positions from the last to the first take the values of their best choices."""
    b = builder.body("sweep", (I32,), (I32,), export=True)
    (header,) = b.arguments()
    value, choices, ways, way, left, more = b.variables(*(I32,) * 6)
    best, worth, now, change = b.variables(*(F64,) * 4)
    for variable, offset in ((value, LAST_VALUE), (choices, CHOICES), (ways, WAYS), (way, TARGETS)):
        b.assign(variable, header.load(offset))
    with b.until(value.le_u(header.load(VALUES))):
        b.assign(value, value - 8)
        b.assign(choices, choices - 4)
        b.assign(left, choices.load())
        b.assign(best, float_const(-math.inf))
        with b.until(left.eqz()):
            b.assign(left, left - 1)
            b.assign(ways, ways - 4)
            b.assign(more, ways.load())
            b.assign(worth, float_const(0.0))
            with b.until(more.eqz()):
                b.assign(more, more - 1)
                b.assign(way, way - 4)
                chance = (header.load(CHANCES) + (way << 1)).load_float()
                b.assign(worth, worth + chance * way.load().load_float())
            b.assign(best, best.greatest(worth * _sign(header, value)))
        now_ = best * _sign(header, value) - header.load_float(ENDLESS)
        b.assign(now, header.load_float(ENDLESS) + header.load_float(LASTING) * now_)
        b.assign(best, now - value.load_float())
        b.assign(change, change.greatest(best.greatest(float_const(0.0) - best)))
        b.write(value, now, 0, "f64.store")
    b.write(header, change, CHANGE, "f64.store")
    b.push(0)


def _sign(header: Operand, value: Operand) -> Operand:
    return (value + header.load(SIGNS)).load_float()
