"""The words that make a position: what play does not depend on is left out, and nothing else."""

from __future__ import annotations

from interpreter.bots.knowledge import Knowledge
from interpreter.ir import DECISIONS
from interpreter.ir.position_words import deciding_words, position_words, stretches
from interpreter.wasm.batch import Batch
from rulewright.library import open_game


def test_stretches_are_words_next_to_each_other() -> None:
    assert list(stretches([])) == []
    assert list(stretches([3])) == [(3, 4)]
    assert list(stretches([0, 1, 4, 6, 7, 8])) == [(0, 2), (4, 5), (6, 9)]


def test_counts_of_decisions_and_of_draws_make_no_position() -> None:
    mc = open_game("pig").machine
    gone = set(range(mc.size)) - set(position_words(mc))
    assert gone == {DECISIONS, mc.stream_base}


def test_a_die_that_is_rolled_again_and_the_rounds_of_a_loop_make_no_node() -> None:
    mc = open_game("pig").machine
    gone = set(position_words(mc)) - set(deciding_words(mc))
    (die,) = (place.base for place in mc.places)
    assert die in gone
    (rounds,) = gone - {die}
    assert mc.stack <= rounds < mc.stack + mc.stack_size


def test_dice_that_may_be_kept_count() -> None:
    mc = open_game("yacht").machine
    (rounds,) = set(position_words(mc)) - set(deciding_words(mc))
    assert mc.stack <= rounds < mc.stack + mc.stack_size


def test_without_loops_and_dice_all_words_of_a_position_count() -> None:
    mc = open_game("connect_four").machine
    assert deciding_words(mc) == position_words(mc)


def test_two_ways_to_a_position_have_one_key() -> None:
    game, keys = open_game("connect_four"), []
    for columns in ((0, 1, 2, 3), (2, 1, 0, 3), (2, 3, 0, 1), (0, 1, 3, 2)):
        batch = Batch(game, 1)
        knowledge = Knowledge(batch)
        for column in columns:
            knowledge.choose(column)
            batch.step([column])
        keys.append(knowledge.key())
    assert keys[0] == keys[1] == keys[2] != keys[3]


def test_throws_with_the_same_sum_have_one_key() -> None:
    game, keys = open_game("pig"), dict[tuple[int, int], set[int]]()
    for seed in range(300):
        batch = Batch(game, 1, seed)
        knowledge = Knowledge(batch)
        pot = game.machine.variables["pot"].base
        for _ in range(2):
            batch.step([0])
            place = int(batch.seats[0]), int(batch.states[0][pot])
            keys.setdefault(place, set()).add(knowledge.key())
    assert len(keys) > 12
    assert all(len(found) == 1 for found in keys.values())
