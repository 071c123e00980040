"""`python -m benchmarks.limit`: how fast small board games could be, written by hand.

Connect Four and Breakthrough stand beside programs in C with bit boards (`c/*_bits.c`), compiled for this
processor. They leave a state that can be read, and draw choices as our modules do. WebAssembly has no
instruction for the n-th bit of a set, so there is a program without it, too.

Tic-tac-toe is written by hand for the same module.

Everything around the game stays: seeds, streams, the loop over playouts, the count of results, the state that
can be read when a match has ended. Only the function that plays a match is another one: nine moves one after
the other, all sets in locals, what is known of the game's course (whose turn it is, how many cells are free)
written into the instructions. It plays the same matches by the same random numbers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import count
from unittest.mock import patch

import click

from benchmarks.contestants.contestant import Unavailable
from benchmarks.contestants.ours import opened
from benchmarks.contestants.plain_c import PLAIN_C, Counts, function
from benchmarks.games import ENTRIES
from benchmarks.slices import Pace, Task, interleave, ratio
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.reference.executor import ReferenceExecutor
from interpreter.wasm import module as modules
from interpreter.wasm.abi import OVER
from interpreter.wasm.build_config import FLAT
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import Operand, Variable, const
from interpreter.wasm.engine import compile_module
from interpreter.wasm.lower.playout_cfg import Paths
from interpreter.wasm.program import Code, Program

CELLS, EVERY = 9, 0x1FF
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
ENTRY = next(entry for entry in ENTRIES if entry.name == "tic_tac_toe")
PHASE_AT_DRAW = 1


def write_by_hand(builder: ModuleBuilder, _: Paths) -> None:
    """whole(): plays a match to its end, as `write_playout` does."""
    b = builder.body("whole", (), (I32,))
    b.state_is_at(builder.first_state[0] + builder.stream_bytes)
    nth = builder.table(half for free in range(EVERY + 1) for half in _halves(free))
    rows = builder.table(any(cells & line == line for line in LINES) for cells in range(EVERY + 1))
    free, *stones = b.variables(I32, I32, I32)
    x, rng = b.variables(I64, I64)
    b.assign(rng, global_("rng"))
    b.assign(free, EVERY)
    for stone in stones:
        b.assign(stone, 0)
    for move in range(CELLS):
        seat = move % 2
        cell = _cell(b, nth, free, CELLS - move, (x, rng))
        b.write((cell << 2) + b.state, seat, 4 * builder.machine.variables["stone"].base)
        with b.temporaries(I32) as (bit,):
            b.assign(bit, const(1) << cell)
            b.assign(free, free ^ bit)
            b.assign(stones[seat], stones[seat] | bit)
        b.release(cell)
        if move >= 4:
            with b.if_(stones[seat].entry_of(rows)):
                _end(builder, b, rng, [free, *stones], move)
    _end(builder, b, rng, [free, *stones], CELLS)
    b.unreachable()


def _cell(b: Body, nth: int, free: Variable, left: int, generator: tuple[Variable, Variable]) -> Variable:
    """One of the cells that are left, each with equal chance: PCG, then a table."""
    x, rng = generator
    cell = b.local()
    k: Operand = const(0)
    if left > 1:
        b.assign(x, rng)
        b.assign(rng, x * Choosing.MULTIPLIER + Choosing.INCREMENT)
        drawn = ((x ^ x >> 18) >> 27).wrapped().rotr((x >> 59).wrapped())
        k = (drawn.widened() * const(left, I64) >> 32).wrapped()
    b.assign(cell, ((free << 3).load64(nth) >> (k << 2).widened()).wrapped() & 15)
    return cell


def _halves(free: int) -> tuple[int, int]:
    cells = [i for i in range(CELLS) if free >> i & 1]
    packed = sum(cell << 4 * i for i, cell in enumerate(cells))
    low = packed & 0xFFFFFFFF
    return low - (low >> 31 << 32), packed >> 32


def _end(builder: ModuleBuilder, b: Body, rng: Variable, sets: list[Variable], move: int) -> None:
    """The state as it is at the end of a match, which was won by the move with that number or by none."""
    won = move < CELLS
    decisions, seat = min(move + 1, CELLS), min(move, CELLS - 1) % 2
    words = {ir.STATUS: 1, ir.DECISIONS: decisions, ir.ACTIVE: seat, ir.ROTATION: seat}
    words |= {ir.WINNERS: 1 << seat} if won else {ir.PHASE: PHASE_AT_DRAW}
    for word, value in words.items():
        b.write(b.state, value, 4 * word)
    for i, cells in enumerate(sets):
        b.write(b.state, cells.widened(), builder.boards["stone"].first + 8 * i, "i64.store")
    b.assign(global_("rng"), rng)
    b.ret(OVER)


def programs() -> tuple[Program, Program]:
    """The module of the rules, and the same with the function that is written by hand."""
    machine = opened(ENTRY).machine
    first = ReferenceExecutor(machine).initial_state()

    def made() -> Program:
        data, layout = modules.module(machine, FLAT, first)
        return Program(Code(compile_module(data), layout, machine.seats, machine.longest))

    compiled = made()
    with patch.object(modules, "write_playout", write_by_hand):
        return compiled, made()


def end_of(program: Program, seed: int) -> bytes:
    """The state in which the playout of a seed ends, with the sets beside it."""
    program.playouts(1, seed)
    layout = program.code.layout
    return program.instance.read(layout["state"], (layout["stride"] - layout["before"]) // 4)


BIT_BOARDS = {
    "connect_four": {"bit boards in C": ("-march=native",)},
    "breakthrough": {
        "bit boards in C": ("-march=native", "-DPDEP"),
        "the same without pdep": ("-march=native",),
    },
}
"""Programs with bit boards by game, and the flags of the compiler."""


@click.command()
@click.option("--runs", type=int, default=15, show_default=True)
@click.option("--seconds", type=float, default=0.1, show_default=True)
def main(runs: int, seconds: float) -> None:
    """Compare compiled rules with what could be written by hand, and with plain C."""
    pace = Pace(runs, seconds)
    _compare("tic_tac_toe", _by_hand(), pace)
    for name in BIT_BOARDS:
        _compare(name, _by_bit_boards(name), pace)


def _by_hand() -> list[Task]:
    compiled, by_hand = programs()
    for seed in range(300):
        if end_of(compiled, seed) != end_of(by_hand, seed):
            raise click.ClickException(f"the playouts of seed {seed} end in different states")
    return [_task("compiled", compiled), _task("by hand", by_hand)]


def _by_bit_boards(name: str) -> list[Task]:
    """Our module, and programs in C; what cannot be compiled here is left out."""
    machine = opened(next(entry for entry in ENTRIES if entry.name == name)).machine
    data, layout = modules.module(machine, FLAT, ReferenceExecutor(machine).initial_state())
    program = Program(Code(compile_module(data), layout, machine.seats, machine.longest))
    tasks = [_task("compiled", program)]
    for what, flags in BIT_BOARDS[name].items():
        try:
            tasks.append(Task(what, _program_in_c(f"{name}_bits", flags)))
        except Unavailable as reason:
            click.echo(f"{what} is left out: {reason}")
    return tasks


def _program_in_c(name: str, flags: tuple[str, ...]) -> Callable[[int], float]:
    run, seeds = function(name, *flags), count(1)

    def play(number: int) -> float:
        run(number, next(seeds), ctypes.byref(Counts()))
        return float(number)

    return play


def _compare(name: str, tasks: list[Task], pace: Pace) -> None:
    """Runs tasks by turns with plain C, and tells how many times as fast each is."""
    entry = next(entry for entry in ENTRIES if entry.name == name)
    try:
        tasks = [*tasks, Task("plain C", _counted(PLAIN_C.sit(entry).play))]
    except Unavailable as reason:
        click.echo(f"plain C is left out: {reason}")
    interleave(tasks, pace)
    click.echo(f"{name}")
    for task in tasks:
        line = f"  {task.name:22} {task.rate:12,.0f} playouts/s"
        if tasks[-1].name == "plain C" and task is not tasks[-1]:
            line += f"{ratio(task, tasks[-1]):8.2f} times plain C"
        if task is not tasks[0]:
            line += f"{ratio(task, tasks[0]):8.2f} times compiled"
        click.echo(line)


def _task(name: str, program: Program) -> Task:
    def run(number: int) -> float:
        return float(program.playouts(number, 1 << 32).playouts)

    return Task(name, run)


def _counted(play: Callable[[int], object]) -> Callable[[int], float]:
    def run(number: int) -> float:
        play(number)
        return float(number)

    return run


if __name__ == "__main__":
    main()
