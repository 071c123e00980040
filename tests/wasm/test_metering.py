"""Modules that count: what they execute is read back as it was written, whatever the module is for."""

from __future__ import annotations

from array import array
from functools import partial

import pytest

from interpreter.bots.settings import SearchSettings
from interpreter.bots.tree_search import TreeSearch
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.reference.executor import ReferenceExecutor as Reference
from interpreter.wasm import batch_module, build_config
from interpreter.wasm.abi import WORK_AT
from interpreter.wasm.emit.encoding import F64, V128
from interpreter.wasm.emit.instructions import CALL, cost, instructions
from interpreter.wasm.emit.marked_body import Marks
from interpreter.wasm.emit.operands import (
    Operand,
    Variable,
    const,
    float_const,
    vector_const,
    word_now,
)
from interpreter.wasm.engine import compile_module
from interpreter.wasm.module import module
from tests.games import rules_of

CONFIGS = [
    build_config.REFEREE,
    build_config.STANDALONE,
    build_config.EXPLORER,
    build_config.STEPPER,
    build_config.PLAYOUT,
    build_config.CHECKED,
    build_config.FAST,
    build_config.FLAT,
]
X, Y, V = Variable(0, F64), Variable(1, F64), Variable(2, V128)
READ_BACK = [
    (float_const(0.5), 1),
    (X * float_const(1.4e-45) + Y.sqrt(), 6),
    (word_now(WORK_AT), 2),
    (word_now(1 << 20) + const(-7), 4),
    (vector_const(1, 2, 3, -4), 1),
    (V.lanes(V, 0, 5, 2, 7).first_lane(), 4),
    (const(16).load_vector(1 << 14).bitmask("i32x4"), 3),
    (const(8).load_float(300).least(X), 4),
]


@pytest.mark.parametrize(("operand", "number"), READ_BACK)
def test_instructions_are_read_back(operand: Operand, number: int) -> None:
    found = list(instructions(operand.code))
    assert len(found) == number
    assert [one.end for one in found[:-1]] == [one.start for one in found[1:]]
    assert found[-1].end == len(operand.code)


def test_what_another_thread_may_have_written_is_one_load() -> None:
    found = list(instructions(word_now(WORK_AT).code))
    assert [cost(one, None) for one in found] == [0, 1]
    assert CALL not in {one.code for one in found}


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.name)
@pytest.mark.parametrize("name", ["pig", "kuhn_poker"])
def test_modules_with_counters_are_valid(name: str, config: build_config.BuildConfig) -> None:
    marks = Marks()
    machine = compile_rules(rules_of(name), None, {}, places=marks)
    data, _ = module(machine, config, Reference(machine).initial_state(), marks=marks)
    compile_module(data)
    assert marks.meter is not None
    assert marks.meter.blocks


def test_a_search_finds_the_same_while_it_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, marks = rules_of("pig"), Marks()
    plain = _searched(Game(rules, compile_rules(rules, 2)))
    counted = Game(rules, compile_rules(rules, 2, places=marks))
    monkeypatch.setattr(batch_module, "module", partial(module, marks=marks))
    search = TreeSearch(counted, 0, [_first_state(counted)], 7, SearchSettings(), 60)
    search.run(60)
    assert search.nodes() == plain.nodes()
    meter = marks.meter
    assert meter is not None
    counters = array("Q", search.batch.bytes_at(meter.base, meter.size))
    assert sum(counters) > 10_000


def _searched(game: Game) -> TreeSearch:
    search = TreeSearch(game, 0, [_first_state(game)], 7, SearchSettings(), 60)
    search.run(60)
    return search


def _first_state(game: Game) -> array[int]:
    return Match(game, 3, keep_history=False).start().state
