"""Trials that change the state: what they have changed is undone, and they mean what one on a copy means."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress

import pytest

from dsl.rules import Rules
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.executor_protocol import PASS, Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.wasm.build_config import EXPLORER, REFEREE, STEPPER, BuildConfig
from interpreter.wasm.emit.bit_boards import board_bytes, piece_bytes
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.engine import Instance
from interpreter.wasm.option_codec import OptionCodec
from interpreter.wasm.profiled import ProfiledProgram
from tests.games import Table, named, seated
from tests.wasm.lockstep import Pair
from tests.wasm.rollouts import lower
from tests.wasm.test_lowering import Case, by_itself, cases

CASES = cases("trials.md")
TABLES: list[Table] = [
    ("checkers", 2, ()),
    ("chess", 2, ()),
    ("constantinopolis", 3, ()),
    ("euchre", 4, ()),
    ("fenways", 3, ()),
    ("go", 2, (("lines", "9"),)),
    ("havannah", 2, ()),
    ("klondike", 1, ()),
    ("lines_of_action", 2, ()),
    ("quoridor", 2, ()),
    ("roma", 2, ()),
    ("trajan", 2, ()),
    ("twenty_forty_eight", 1, ()),
    ("ultimate_tic_tac_toe", 2, ()),
]
CONFIGS = (REFEREE, EXPLORER, STEPPER)


class Offers:
    """What a module offers at a position, which is the same before and behind it, to the byte."""

    def __init__(self, machine: ir.Machine, config: BuildConfig) -> None:
        self.machine, self.codec = machine, OptionCodec(machine)
        builder = ModuleBuilder(machine, config)
        self.boards, self.pieces, self.size = builder.boards, builder.piece_sets, builder.state_bytes
        compiled, self.map = lower(machine, config)
        self.instance = Instance(compiled)

    def at(self, state: array[int], waiting: Waiting) -> tuple[Option, ...]:
        sets = board_bytes(self.boards, state) + piece_bytes(self.machine, self.pieces, state)
        before = state.tobytes().ljust(self.size - len(sets), b"\0") + sets
        self.instance.write(self.map["state"], before)
        found = self.instance.functions["menu"](self.map["state"], waiting.branch, self.map["menu"])
        assert found >= 0
        assert self.instance.read_bytes(self.map["state"], self.size) == before
        data = self.instance.read(self.map["menu"], 2 * self.map["menu_words"])
        return self.codec.options(waiting.node, data)


def stops(game: Game, seed: int, most: int) -> Iterator[tuple[array[int], tuple[Waiting, ...]]]:
    """The positions of a playout at which somebody decides."""
    match, pick = Match(game, seed=seed, keep_history=False).start(), Choosing(seed).below
    for _ in range(most):
        if match.over:
            return
        waiting = match.waiting()
        yield match.state, waiting
        one = waiting[pick(len(waiting))]
        with suppress(Fault):
            match.take(one, one.options[pick(len(one.options))])


def leaves_no_trace(rules: Rules, machine: ir.Machine, seeds: range, most: int) -> None:
    game = Game(rules, machine, "wasm")
    modules = [Offers(machine, config) for config in CONFIGS]
    for seed in seeds:
        for state, waiting in stops(game, seed, most):
            for one in waiting:
                wanted = tuple(option for option in one.options if option != PASS)
                for module in modules:
                    assert module.at(state, one) == wanted


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_offers_of_games_leave_no_trace(table: Table) -> None:
    leaves_no_trace(*seated(table), range(2), 25)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_offers_leave_no_trace(case: Case) -> None:
    leaves_no_trace(*case.ruleset(), range(3), 30)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_both_executors_offer_the_same(case: Case) -> None:
    pair = Pair(*case.ruleset())
    for seed in range(4):
        pair.play(seed, 40)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_playouts_are_the_same(case: Case) -> None:
    by_itself(case, range(4))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_few_trials_take_a_copy(case: Case) -> None:
    """Only one whose journal has no room left, and one that calls itself."""
    rules, machine = case.ruleset()
    program = ProfiledProgram(rules, machine.seats)
    for seed in range(3):
        program.playout(seed)
    copies = sum(work.copies for work in program.measured().work.values())
    assert (copies > 0) == ("copy" in case.name)
