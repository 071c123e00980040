"""What random play does with few branches: whole games, old values, words that follow, bits from a table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dsl.domains import NONE
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.live_slots import is_read_behind
from interpreter.ir.old_values import old_values
from interpreter.wasm.build_config import FAST, FLAT
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import PAGE, ModuleBuilder
from interpreter.wasm.emit.nth_bit import nth_bit
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.lower.functions import measuring
from interpreter.wasm.lower.playout_cfg import paths
from interpreter.wasm.lower.trial_paths import need_no_frames
from rulewright.library import read_rules


def machine_of(name: str) -> ir.Machine:
    rules, _ = read_rules(name)
    return compile_rules(rules, 4 if name == "oh_hell" else 2, {})


def set_words(machine: ir.Machine, name: str) -> Iterator[int]:
    return (i for i, n in enumerate(machine.nodes) if isinstance(n, ir.SetWord) and n.name == name)


@pytest.mark.parametrize("size", [1, 8, 9, 10, 16, 17, 64])
def test_the_nth_bit(size: int) -> None:
    """By a table up to nine bits, beyond by bytes."""
    builder = ModuleBuilder(machine_of("pig"), FAST)
    b = builder.body("nth", (I32, I32, I32), (I32,), export=True)
    low, high, n = b.arguments()
    [word] = b.variables(I64)
    b.assign(word, low.widened() | high.widened() << 32)
    b.push(nth_bit(builder, b, word, n, size))
    builder.end = PAGE * (1 + builder.scratch_end // PAGE)
    nth = Instance(compile_module(builder.encoded([]))).functions["nth"]
    for bits in {1, (1 << size) - 1, 0x9249249249249249 & (1 << size) - 1, 1 << size - 1}:
        places = [i for i in range(size) if bits >> i & 1]
        words = [half - (half >> 31 << 32) for half in (bits & 0xFFFFFFFF, bits >> 32)]
        assert [nth(*words, i) for i in range(len(places))] == places


@pytest.mark.parametrize(
    "name", ["havannah", "lines_of_action", "twenty_forty_eight", "ultimate_tic_tac_toe"]
)
def test_a_game_whose_trials_write_is_one_function(name: str) -> None:
    rules, _ = read_rules(name)
    builder = ModuleBuilder(compile_rules(rules, min(rules.seats), {}), FLAT)
    assert paths(builder, measuring(builder), need_no_frames) is not None


@pytest.mark.parametrize("name", ["go", "hearts"])
def test_a_game_that_needs_frames_is_not(name: str) -> None:
    """A trial of Go may need a copy of the state, and the seats of Hearts choose side by side."""
    rules, _ = read_rules(name)
    builder = ModuleBuilder(compile_rules(rules, min(rules.seats), {}), FLAT)
    assert paths(builder, measuring(builder), need_no_frames) is None


def test_what_a_chosen_place_was() -> None:
    machine = machine_of("tic_tac_toe")
    [number] = set_words(machine, "stone")
    assert old_values(machine) == {number: ir.Const(NONE)}


def test_what_the_place_of_ones_own_was() -> None:
    """The square that a pawn leaves has held one of mine; what stood where it goes is not known."""
    machine = machine_of("breakthrough")
    known = old_values(machine)
    assert set(known) < set(set_words(machine, "pawn"))
    assert list(known.values()) == [ir.Local(ir.ME)]


def test_a_word_follows_a_piece_only_where_it_is_read() -> None:
    machine = machine_of("oh_hell")
    moves = {
        i: n for i, n in enumerate(machine.nodes) if isinstance(n, ir.MovePiece) and n.follow is not None
    }
    assert moves
    assert not any(is_read_behind(machine, i, n.follow) for i, n in moves.items() if n.follow is not None)
    [chosen] = [n.slot for n in machine.nodes if isinstance(n, ir.Decide) and n.name.startswith("play")]
    number = next(i for i, n in enumerate(machine.nodes) if isinstance(n, ir.Decide) and n.slot == chosen)
    assert is_read_behind(machine, number, chosen)
