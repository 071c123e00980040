"""Games of OpenSpiel: its own suites pass, solvers find the known values, information states recall all."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import numpy as np
import pytest

from dsl.diagnostics import DiagnosticError
from interpreter import ir
from interpreter.chance import merged
from interpreter.wasm.batch import Batch
from rulewright.learn import openspiel
from rulewright.learn.planes import NetworkLayout
from tests.games import Table, ends, fewest, named, sample

pyspiel = pytest.importorskip("pyspiel")
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
SOLVED = "reward=score,zero_sum=true"
QUICK = {
    "blackjack",
    "breakthrough",
    "connect_four",
    "hex",
    "kuhn_poker",
    "leduc_poker",
    "pig",
    "tic_tac_toe",
}
"""Games of a moment; the suite of OpenSpiel plays the others in the long mode, as it is slow in Python."""


@pytest.mark.parametrize("table", sample(ends(), [t for t in fewest() if t[0] in QUICK]), ids=named)
def test_the_suite_of_openspiel(table: Table) -> None:
    name, seats, _ = table
    game = pyspiel.load_game(f"python_rulewright(game={name},seats={seats})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "parameters",
    [
        *("game=kuhn_poker", "game=leduc_poker", "game=tic_tac_toe,moments=9", "game=breakthrough"),
        *("game=goofspiel", "game=goofspiel,together=false", "game=henhouse", "game=pig,seats=3"),
    ],
)
def test_the_simulations_of_openspiel(parameters: str) -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    random.seed(3)
    GamesSimTest().sim_game(pyspiel.load_game(f"python_rulewright({parameters})"))


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "tic_tac_toe"])
def test_playthroughs(name: str, request: pytest.FixtureRequest) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    found = generate_playthrough.playthrough(f"python_rulewright(game={name})", None, seed=7)
    golden = PLAYTHROUGHS / f"{name}.txt"
    if request.config.getoption("--bless", default=False):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_cfr_plus_solves_the_smallest_poker() -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    game = pyspiel.load_game(f"python_rulewright(game=kuhn_poker,{SOLVED})")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.001
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    assert value == pytest.approx(-1 / 18, abs=0.001)


def test_chance_has_true_weights() -> None:
    state = openspiel.load_game("leduc_poker").new_initial_state()
    outcomes = state.chance_outcomes()
    assert [chance for _, chance in outcomes] == pytest.approx([1 / 3] * 3)
    state.apply_action(outcomes[0][0])
    assert sorted(chance for _, chance in state.chance_outcomes()) == pytest.approx([1 / 5, 2 / 5, 2 / 5])


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice", "henhouse", "goofspiel"])
def test_what_looks_the_same_is_offered_the_same(name: str) -> None:
    """Equal information states have equal actions and observations, in all matches."""
    game = openspiel.load_game(name)
    chooser = random.Random(1)
    seen: dict[tuple[int, str], tuple[list[int], str]] = {}
    for _ in range(30):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chooser.choices(outcomes, weights)[0])
                continue
            for seat in range(game.num_players()):
                key = seat, state.information_state_string(seat)
                found = state.legal_actions(seat), state.observation_string(seat)
                assert seen.setdefault(key, found) == found
            if state.is_simultaneous_node():
                seats = range(game.num_players())
                state.apply_actions([chooser.choice(state.legal_actions(seat) or [0]) for seat in seats])
            else:
                state.apply_action(chooser.choice(state.legal_actions()))


def test_what_was_hidden_is_in_no_information_state() -> None:
    game = openspiel.load_game("kuhn_poker")
    found = []
    for card in (1, 2):
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action(card)
        state.apply_action(state.legal_actions()[0])
        found.append((state.information_state_string(0), state.information_state_string(1)))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]


def test_seats_that_choose_together_act_in_one_step() -> None:
    game = openspiel.load_game("goofspiel")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert state.is_simultaneous_node()
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    before = state.information_state_string(0)
    state.apply_actions([state.legal_actions(0)[0], state.legal_actions(1)[1]])
    assert state.information_state_string(0).startswith(before.rpartition("\n")[0])
    turns = openspiel.load_game("goofspiel", together=False)
    assert turns.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert not turns.new_initial_state().is_simultaneous_node()


def test_states_can_be_sent_to_other_processes() -> None:
    game = openspiel.load_game("leduc_poker")
    state = game.new_initial_state()
    for _ in range(4):
        state.apply_action(state.legal_actions()[-1])
    position = pickle.loads(pickle.dumps(state.position))
    assert position.state == state.position.state
    again = game.deserialize_state(state.serialize())
    assert again.history() == state.history()
    assert again.information_state_string(0) == state.information_state_string(0)


def test_observations_are_columns() -> None:
    game = openspiel.load_game("kuhn_poker")
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    columns = [name for name, _, _ in state.tree.space.catalogue.columns]
    row = dict(zip(columns, np.array(state.observation_tensor(0)), strict=True))
    assert row["chips of A"] == 1
    assert row["decision"] == 1
    assert "chips of A: 1" in state.observation_string(0)


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"game": ""}, "R265"),
        ({"game": "kuhn_poker", "options": "x"}, "R265"),
        ({"game": "kuhn_poker", "reward": "wins"}, "R265"),
        ({"game": "kuhn_poker", "bet": 3}, "R265"),
        ({"game": "kuhn_poker", "moments": 10**30}, "R265"),
        ({"game": "kuhn_poker", "moments": [3]}, "R265"),
        ({"game": "kuhn_poker", "seats": 1 << 31}, "R265"),
        ({"game": "kuhn_poker", "zero_sum": 10**30}, "R265"),
        ({"game": "kuhn_poker", "together": 2}, "R265"),
        ({"game": "kuhn_poker", "layout": "planes"}, "R265"),
    ],
)
def test_bad_parameters(parameters: dict[str, object], code: str) -> None:
    with pytest.raises(DiagnosticError) as refused:
        openspiel.load_game(**parameters)
    assert refused.value.diagnostic.code == code


def test_parameters_may_be_numbers_of_numpy() -> None:
    given = {"moments": np.int64(3), "seats": np.int32(2), "zero_sum": np.True_, "together": np.False_}
    game = openspiel.load_game("kuhn_poker", **given)
    assert (game.moments, game.num_players(), game.zero_sum) == (3, 2, True)


def test_a_broken_promise_of_sums_is_found() -> None:
    state = openspiel.load_game("connect_four", reward="victory", zero_sum=True).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="do not sum to 0"):
        state.returns()


def test_actions_that_are_not_offered_change_nothing() -> None:
    state = openspiel.load_game("tic_tac_toe").new_initial_state()
    state.apply_action(4)
    with pytest.raises((ValueError, pyspiel.SpielError)):
        state.apply_action(4)
    assert state.history() == [4]


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel, "pyspiel", None)
    with pytest.raises(DiagnosticError) as refused:
        openspiel.load_game("kuhn_poker")
    assert refused.value.diagnostic.code == "R264"


def walked(game: object, seed: int) -> list[object]:
    """The states of a random match, but those of chance."""
    chooser, found = random.Random(seed), []
    state = game.new_initial_state()  # type: ignore[attr-defined]
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(outcomes, weights)[0])
            continue
        found.append(state.clone())
        if state.is_simultaneous_node():
            seats = range(game.num_players())  # type: ignore[attr-defined]
            state.apply_actions([chooser.choice(state.legal_actions(seat) or [0]) for seat in seats])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
    return [*found, state]


@pytest.mark.parametrize(
    ("name", "moments"),
    [("kuhn_poker", 0), ("leduc_poker", 0), ("tic_tac_toe", 9), ("goofspiel", 40), ("henhouse", 60)],
)
def test_tensors_of_information_states_tell_apart_what_the_texts_do(name: str, moments: int) -> None:
    game = openspiel.load_game(name, moments=moments)
    assert game.get_type().provides_information_state_tensor
    by_text: dict[tuple[int, str], bytes] = {}
    by_tensor: dict[tuple[int, bytes], str] = {}
    for seed in range(12):
        for state in walked(game, seed):
            for seat in range(game.num_players()):
                text = state.information_state_string(seat)  # type: ignore[attr-defined]
                tensor = np.array(state.information_state_tensor(seat), np.float32).tobytes()  # type: ignore[attr-defined]
                assert by_text.setdefault((seat, text), tensor) == tensor
                assert by_tensor.setdefault((seat, tensor), text) == text


def test_moments_are_observations_behind_actions() -> None:
    game = openspiel.load_game("kuhn_poker")
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    taken = state.legal_actions()[0]
    first = state.observation_tensor(0)
    state.apply_action(taken)
    width = len(first)
    rows = np.array(state.information_state_tensor(0)).reshape(game.information_state_tensor_shape())
    assert rows.shape == (4, 1 + width)
    assert rows[0, 0] == taken + 1
    assert rows[0, 1:].tolist() == first
    assert rows[1].tolist() == [0, *state.observation_tensor(0)]
    assert not rows[2:].any()


def test_games_that_may_be_long_have_tensors_only_with_room() -> None:
    game = openspiel.load_game("tic_tac_toe")
    assert not game.get_type().provides_information_state_tensor
    state = openspiel.load_game("tic_tac_toe", moments=2).new_initial_state()
    for action in (4, 0):
        state.apply_action(action)
    assert state.information_state_tensor(0)
    state.apply_action(8)
    with pytest.raises((ValueError, pyspiel.SpielError), match="more than 2 decisions"):
        state.information_state_tensor(0)
    with pytest.raises(DiagnosticError):
        openspiel.load_game("tic_tac_toe", moments=-1)


def test_a_public_observation_shows_what_all_see() -> None:
    game = openspiel.load_game("kuhn_poker")
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    kinds = pyspiel.PrivateInfoType

    def shown(public: bool, private: object, player: int) -> str:
        kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=False, private_info=private)
        return game.make_py_observer(kind).string_from(state, player)

    assert shown(True, kinds.NONE, 0) == shown(True, kinds.NONE, 1)
    assert "hand of A: jack" not in shown(True, kinds.NONE, 0)
    assert "pot: 2" in shown(True, kinds.NONE, 0)
    assert "hand of A: jack: 1" in shown(False, kinds.SINGLE_PLAYER, 0)
    assert "pot" not in shown(False, kinds.SINGLE_PLAYER, 0)
    assert shown(False, kinds.NONE, 0) == ""
    with pytest.raises(ValueError, match="no observer shows"):
        shown(True, kinds.ALL_PLAYERS, 0)
    with pytest.raises(ValueError, match="with perfect recall"):
        game.make_py_observer(pyspiel.IIGObservationType(True, True, kinds.NONE))


@pytest.mark.parametrize(
    "name", ["roma", "battleship", "gin_rummy", "goofspiel", "liars_dice", "texas_holdem"]
)
def test_positions_are_those_of_the_referee(name: str) -> None:
    """Choices, outcomes and observations of positions without events are those that the referee has."""
    game = openspiel.load_game(name)
    tree = game.tree
    batch = Batch(tree.game, 1)
    chooser, state = random.Random(5), game.new_initial_state()
    for _ in range(120):
        at = state.position
        if at.over:
            break
        if state.is_chance_node():
            if at.pick is None:
                low = tree.game.machine.node(at.state[ir.PC], ir.Chance).low
                weighted = merged(tree.executor.outcomes(at.state))
                total = sum(weight for _, weight in weighted)
                wanted = sorted((outcome - low, weight / total) for outcome, weight in weighted if weight)
                assert state.chance_outcomes() == wanted
            state.apply_action(chooser.choice(state.chance_outcomes())[0])
            continue
        for waiting in tree.executor.waiting(at.state):
            index = tree.space.decisions[waiting.node]
            offers = tree.offers(at, waiting.seat)
            if offers.meant is None:
                options = {int(index.ids[index.local_of(option)]) for option in waiting.options}
                assert offers.actions == sorted(options)
            batch.put(0, at.state)
            words = tree.stops.observation(at.state, waiting.seat)
            assert words.tolist() == batch.observe(0, waiting.seat).tolist()
        state.apply_action(chooser.choice(state.legal_actions()))


def test_nothing_is_told_that_nobody_asks_for() -> None:
    states = walked(openspiel.load_game("roma"), 3)
    assert all(state.position.told is None for state in states)  # type: ignore[attr-defined]
    middle = states[len(states) // 2]
    assert "A: " in middle.information_state_string(0)  # type: ignore[attr-defined]
    assert middle.position.told is not None  # type: ignore[attr-defined]


def test_a_position_that_is_left_again_keeps_what_follows() -> None:
    tree = openspiel.load_game("tic_tac_toe").tree
    root = tree.root
    first, second = tree.take(root, 0, 8), tree.take(root, 0, 8)
    assert second is tree.take(root, 0, 8)
    assert first.state == second.state


def test_joint_actions_are_numbered() -> None:
    """As in games of OpenSpiel, the lowest digit is the first player's."""
    game = openspiel.load_game("goofspiel")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    first, second = state.legal_actions(0), state.legal_actions(1)
    assert state.legal_actions() == list(range(len(first) * len(second)))
    other = state.clone()
    other.apply_actions([first[2], second[1]])
    state.apply_action(2 + len(first))
    assert str(state) == str(other)


def test_states_are_texts_that_tell_them_apart() -> None:
    game = openspiel.load_game("connect_four")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[3])
    lines = str(state).splitlines()
    assert lines[:3] == ["B decides: drop", "phase: turn", "disc at d1: A"]
    seen: dict[str, list[int]] = {}
    for seed in range(5):
        for one in walked(openspiel.load_game("leduc_poker"), seed):
            words = list(one.position.state[: ir.DECISIONS])  # type: ignore[attr-defined]
            assert seen.setdefault(str(one), words) == words


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("kuhn_poker", {}), ("leduc_poker", {}), ("goofspiel", {"together": False})],
)
def test_states_are_drawn_that_a_player_cannot_tell_apart(name: str, parameters: dict[str, object]) -> None:
    game = openspiel.load_game(name, **parameters)  # type: ignore[arg-type]
    chooser = random.Random(4)
    others = set()
    for seed in range(4):
        for state in walked(game, seed)[:8]:
            if state.is_terminal():  # type: ignore[attr-defined]
                continue
            seat = state.current_player()  # type: ignore[attr-defined]
            drawn = state.resample_from_infostate(seat, chooser.random)  # type: ignore[attr-defined]
            wanted = state.information_state_string(seat)  # type: ignore[attr-defined]
            assert drawn.information_state_string(seat) == wanted
            assert drawn.legal_actions() == state.legal_actions()  # type: ignore[attr-defined]
            others.add(str(drawn) == str(state))
    assert name == "goofspiel" or others == {True, False}


def test_ismcts_searches_from_what_a_player_knows() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    state = openspiel.load_game("kuhn_poker", reward="score", zero_sum=True).new_initial_state()
    for outcome in (2, 0):  # the king against the jack
        state.apply_action(outcome)
    state.apply_action(state.legal_actions()[0])
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(state.get_game(), mcts.RandomRolloutEvaluator(1, rng), 2.0, 60, random_state=rng)
    assert state.action_to_string(bot.step(state)) == "answer_bet: pass"


def test_learners_of_openspiel_choose_together() -> None:
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import random_agent

    env = rl_environment.Environment(openspiel.load_game("goofspiel"))
    agents = [random_agent.RandomAgent(player, env.action_spec()["num_actions"]) for player in range(2)]
    step = env.reset()
    while not step.last():
        step = env.step([agent.step(step).action for agent in agents])
    assert len(step.rewards) == 2


def test_options_stand_in_the_text_of_a_game() -> None:
    game = openspiel.load_game("liars_dice", options="dice=1;one_round=true")
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.max_chance_outcomes() == game.max_chance_outcomes()
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["kuhn_poker", "connect_four", "leduc_poker", "goofspiel"])
def test_tensors_in_a_layout_are_planes_and_numbers(name: str) -> None:
    """The same numbers as the layout makes of the columns, under names and in the order of the layout."""
    plain = openspiel.load_game(name)
    laid = pyspiel.load_game(f"python_rulewright(game={name},layout=network)")
    layout = NetworkLayout.of(plain.tree.space.game)
    pyspiel.random_sim_test(laid, num_sims=1, serialize=True, verbose=False)
    assert laid.observation_tensor_shape() == [layout.size]
    assert laid.layout.digest == layout.digest
    observer = laid.make_py_observer()
    assert list(observer.dict) == [*(board.board for board in layout.boards), "flat numbers"]
    for first, second in zip(walked(plain, 3), walked(laid, 3), strict=True):
        for seat in range(plain.num_players()):
            row = np.array([first.observation_tensor(seat)], dtype=np.int32)  # type: ignore[attr-defined]
            wanted = layout.of_rows(row)
            assert second.observation_tensor(seat) == wanted[0].tolist()  # type: ignore[attr-defined]
            observer.set_from(second, seat)
            planes, flat = layout.parted(wanted)
            assert all((observer.dict[board] == numbers[0]).all() for board, numbers in planes.items())
            assert (observer.dict["flat numbers"] == flat[0]).all()
        if laid.get_type().provides_information_state_tensor:
            rows = np.array(second.information_state_tensor(0)).reshape(-1, 1 + layout.size)  # type: ignore[attr-defined]
            assert second.observation_tensor(0) in rows[:, 1:].tolist()  # type: ignore[attr-defined]


def test_what_is_public_is_laid_out_alike_for_all() -> None:
    game = openspiel.load_game("kuhn_poker", layout="network")
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    kinds = pyspiel.PrivateInfoType

    def shown(public: bool, private: object, player: int) -> np.ndarray:
        observer = game.make_py_observer(pyspiel.IIGObservationType(public, False, private))
        observer.set_from(state, player)
        return np.array(observer.tensor)

    flat = game.layout.flat
    card, pot = flat.index("hand of me: jack: 1"), flat.index("pot: 2")
    public = shown(True, kinds.NONE, 0)
    assert (public == shown(True, kinds.NONE, 1)).all()
    assert (public[card], public[pot]) == (0, 1)
    own = shown(False, kinds.SINGLE_PLAYER, 0)
    assert (own[card], own[pot]) == (1, 0)
    assert not shown(False, kinds.NONE, 0).any()
    assert (public + own == shown(True, kinds.SINGLE_PLAYER, 0)).all()
