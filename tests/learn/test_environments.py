"""Environments pass the suites of their libraries, say what is wrong, and work on after that."""

from __future__ import annotations

import numpy as np
import pytest

from dsl.diagnostics import DiagnosticError
from interpreter.messages import Fault
from rulewright.learn import gymnasium as gym_envs, pettingzoo as zoo_envs
from rulewright.learn.opponents import UniformPolicy
from rulewright.learn.play import LearnMatch
from rulewright.learn.space import Space
from rulewright.library import open_game
from tests.games import Table, ends, fewest, named, sample
from tests.interpreter.test_searching_bots import pairs
from tests.interpreter.test_unseen import game as blind_game

gymnasium = pytest.importorskip("gymnasium")
pettingzoo_test = pytest.importorskip("pettingzoo.test")
pytestmark = pytest.mark.usefixtures("no_warnings")


QUICK = {
    *("connect_four", "kalah", "kuhn_poker", "leduc_poker"),
    *("pig", "roll_through_the_ages", "roma", "tic_tac_toe"),
}
OFTEN = [table for table in fewest() if table[0] in QUICK]


# ---- the suites of the libraries


@pytest.mark.parametrize("table", sample(ends(), OFTEN), ids=named)
def test_pettingzoo(table: Table) -> None:
    game = open_game(*table[:2], executor="wasm")
    pettingzoo_test.api_test(zoo_envs.env(game), num_cycles=25)
    pettingzoo_test.parallel_api_test(zoo_envs.parallel_env(game), num_cycles=25)
    pettingzoo_test.seed_test(lambda: zoo_envs.env(game), num_cycles=5)
    pettingzoo_test.parallel_seed_test(lambda: zoo_envs.parallel_env(game, illegal="lose"))


@pytest.mark.parametrize("table", sample(ends(), OFTEN), ids=named)
def test_gymnasium(table: Table) -> None:
    from gymnasium.utils.env_checker import check_env

    name, seats, _ = table
    made = gymnasium.make(gym_envs.ENV_ID, game=name, seats=seats, illegal="lose", render_mode="ansi")
    check_env(made.unwrapped)
    check_env(
        gymnasium.make(gym_envs.ENV_ID, game=name, seats=seats, seat="rotate", illegal="lose").unwrapped
    )


@pytest.mark.parametrize("table", sample(ends(), OFTEN), ids=named)
@pytest.mark.parametrize("seat", [None, 0])
def test_matches_side_by_side(table: Table, seat: int | None) -> None:
    game = open_game(*table[:2], executor="wasm")
    envs = gym_envs.vector_env(game, 6, seat=seat, final_obs=seat is None)
    rng, uniform = np.random.default_rng(1), UniformPolicy()
    seen, info = envs.reset(seed=5)
    for _ in range(25):
        assert envs.observation_space.contains(seen)
        assert (info["action_mask"].sum(1) > 0).all()
        assert seat is None or (info["seat"] == seat).all()
        seen, rewards, ended, truncated, info = envs.step(uniform.act(seen, info["action_mask"], rng))
        assert not truncated.any()
        assert (rewards[~ended] == 0).all()
        if ended.any() and seat is None:
            assert (info["final_obs"][ended, 1] == 1).all(), "the last observation says that it is over"


@pytest.mark.parametrize("seat", [None, 1])
def test_side_by_side_the_same_seed_gives_the_same_matches(seat: int | None) -> None:
    """With and without what was seen last, and after a reset."""
    found = []
    for final_obs in (True, False, False):
        envs = gym_envs.vector_env("leduc_poker", 8, seat=seat, final_obs=final_obs)
        if len(found) == 2:
            envs.reset(seed=9)
            envs.step(envs.play.masks().argmax(1))
        seen, info = envs.reset(seed=4)
        course = [seen.tolist()]
        for _ in range(40):
            seen, rewards, ended, _, info = envs.step(info["action_mask"].argmax(1))
            course.append([seen.tolist(), rewards.tolist(), ended.tolist()])
        found.append(course)
    assert found[1] == found[2]
    assert seat is not None or found[0] == found[1]


@pytest.mark.parametrize("table", sample(ends(), OFTEN), ids=named)
def test_masks_side_by_side_are_those_of_the_batch(table: Table) -> None:
    """By the numbers of the catalogue; and what is drawn is offered."""
    play = gym_envs.vector_env(open_game(*table[:2], executor="wasm"), 16).play
    for _ in range(20):
        batch, masks = play.batch, play.masks()
        for i, node in enumerate(batch.nodes.tolist()):
            local = np.flatnonzero(batch.masks[i])
            if i in play._unseen():
                assert set(play._unseen()[i].values()) <= set(local.tolist())
                assert masks[i].nonzero()[0].tolist() == sorted(play._unseen()[i])
            elif node >= 0:
                assert masks[i].nonzero()[0].tolist() == sorted(set(play.space.decisions[node].ids[local]))
            else:
                assert not masks[i].any()
        drawn = play.sample()
        assert masks[np.arange(16), drawn][batch.nodes >= 0].all()
        play.step(drawn)


@pytest.mark.parametrize("game", ["connect_four", "hearts", "roma"])
def test_without_copies_a_step_writes_over_the_one_before(game: str) -> None:
    copied, same = (gym_envs.vector_env(game, 8, copy=copy) for copy in (True, False))
    first, _ = copied.reset(seed=2)
    kept, given = same.reset(seed=2)
    before = first.copy()
    for _ in range(30):
        actions = copied.sample()
        assert np.array_equal(actions, same.sample())
        seen, _, _, _, info = copied.step(actions)
        again, _, _, _, told = same.step(actions)
        assert np.array_equal(seen, again)
        assert np.array_equal(info["action_mask"], told["action_mask"])
    assert np.array_equal(first, before)
    assert np.shares_memory(kept, again)
    assert game == "connect_four" or np.shares_memory(given["action_mask"], told["action_mask"])


# ---- what they are worth, and to whom


def test_an_agent_is_told_how_the_match_has_ended() -> None:
    env = zoo_envs.env("tic_tac_toe")
    env.reset(seed=1)
    words = env.catalogue.actions
    for square in ("a1", "b1", "a2", "b2", "a3"):
        env.step(next(i for i, key in enumerate(words) if key.endswith(square)))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}


def test_masks_say_what_the_referee_offers() -> None:
    game = open_game("leduc_poker")
    play = LearnMatch(Space.of(game))
    from interpreter.match import Match

    for seed in range(5):
        match = Match(game, seed).start()
        play.reset(seed)
        while not match.over:
            waiting = match.waiting()[0]
            keys = [play.space.catalogue.actions[i] for i in play.mask().nonzero()[0]]
            offered = [choice.text for choice in match.decisions()[0].choices]
            assert [key.partition(": ")[2] for key in keys] == offered
            play.step(int(play.mask().nonzero()[0][seed % len(keys)]))
            match.take(waiting, waiting.options[seed % len(keys)])
        assert play.over


@pytest.mark.parametrize("name", ["kuhn_poker", "roma", "hearts", "hedgerow", "henhouse", "liars_dice"])
def test_what_a_seat_may_not_know_is_in_no_mask_and_no_observation(name: str) -> None:
    plays: dict[int, tuple[LearnMatch, LearnMatch]] = {}
    number = 0
    for match, other, seat in pairs(name, 12):
        if id(match.game) not in plays:
            space = Space.of(match.game)
            plays[id(match.game)] = LearnMatch(space), LearnMatch(space)
        one, two = plays[id(match.game)]
        one.reset(1, match)
        two.reset(1, other)
        for play in (one, two):
            play.ask(seat)
        assert one.observation_of(seat).tolist() == two.observation_of(seat).tolist()
        assert one.mask().tolist() == two.mask().tolist()
        number += 1
    assert number


def test_pieces_that_are_not_seen_have_numbers() -> None:
    game = blind_game()
    play = LearnMatch(Space.of(game))
    masks, words = set(), play.space.catalogue.actions
    for seed in range(12):
        play.reset(seed)
        masks.add(tuple(words[i].partition(": ")[2] for i in play.mask().nonzero()[0]))
        play.step(words.index(next(key for key in words if key.endswith("look ? 2"))))
    assert {tuple(sorted(found)) for found in masks} == {
        tuple(sorted(["pass", *(f"{a} ? {n}" for a in ("play", "look", "spend") for n in (1, 2, 3))]))
    }
    batch = gym_envs.vector_env(game, 12)
    _, info = batch.reset(seed=0)
    assert (info["action_mask"] == info["action_mask"][0]).all()
    batch.step(info["action_mask"].argmax(1))


# ---- chance


def test_chance_is_controlled_by_stream() -> None:
    env = zoo_envs.env("pig")
    words = env.catalogue.actions
    throw = next(i for i, key in enumerate(words) if key.endswith("throw"))
    column = next(i for i, (name, _, _) in enumerate(env.catalogue.columns) if name == "pot")
    env.reset(seed=1, options={"outcomes": {"die": ["6", "5"]}})
    env.step(throw)
    env.step(throw)
    assert env.observe("player_0")[column] == 11
    rows = []
    for seed in (1, 2):
        env.reset(seed=seed, options={"seeds": {"die": 7}})
        env.step(throw)
        rows.append(env.observe("player_0").tolist())
    assert rows[0] == rows[1]


def test_outcomes_have_weights() -> None:
    asked = []

    class First:
        def pick(self, stream: str, outcomes: list[tuple[str, int]]) -> str:
            asked.append((stream, tuple(outcomes)))
            return outcomes[0][0]

    env = zoo_envs.env("leduc_poker")
    env.reset(options={"chance": First()})
    assert asked[0][0] == "deck"
    assert sum(weight for _, weight in asked[0][1]) == 6
    assert sum(weight for _, weight in asked[1][1]) == 5


def test_unknown_streams_and_outcomes_are_refused() -> None:
    env = zoo_envs.env("pig")
    with pytest.raises(DiagnosticError) as refused:
        env.reset(options={"outcomes": {"dye": ["1"]}})
    assert "did you mean `die`?" in refused.value.diagnostic.help
    env.reset(options={"outcomes": {"die": ["7"]}})
    throw = int(env.infos[env.agent_selection]["action_mask"].nonzero()[0][0])
    with pytest.raises(Fault):
        env.step(throw)
    env.reset(seed=1)
    env.step(throw)


# ---- what is wrong


def test_an_action_that_is_not_offered_changes_nothing() -> None:
    env = zoo_envs.env("connect_four")
    env.reset(seed=1)
    before = env.observe("player_0").tolist()
    for wrong in (7, -1, 10**20, 0.5, "a", None, np.array([1, 2])):
        with pytest.raises(DiagnosticError) as refused:
            env.step(wrong)
        assert refused.value.diagnostic.code == "R262"
        assert env.observe("player_0").tolist() == before
    env.step(3)
    assert env.agent_selection == "player_1"


def test_a_full_column_is_named() -> None:
    env = zoo_envs.env("connect_four")
    env.reset(seed=1)
    for _ in range(6):
        env.step(0)
    with pytest.raises(DiagnosticError) as refused:
        env.step(0)
    assert "is not offered to seat 0" in refused.value.diagnostic.message
    assert "drop" in refused.value.diagnostic.help


def test_illegal_actions_can_lose() -> None:
    env = zoo_envs.env("connect_four", illegal="lose")
    env.reset(seed=1)
    env.step(99)
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}
    assert all(env.terminations.values())
    env.reset()
    env.step(0)
    assert not any(env.terminations.values())


def test_environments_say_when_they_are_not_ready() -> None:
    env = zoo_envs.env("connect_four")
    for act in (env.last, lambda: env.step(0)):
        with pytest.raises(DiagnosticError) as refused:
            act()
        assert refused.value.diagnostic.code == "R263"
    single = gym_envs.env("connect_four")
    with pytest.raises(DiagnosticError):
        single.step(0)
    single.reset(seed=1)
    single.close()
    with pytest.raises(DiagnosticError):
        single.step(0)
    single.reset(seed=1)
    single.step(0)
    single.reset()
    single.step(0)


def test_parallel_agents_that_are_not_asked_wait() -> None:
    env = zoo_envs.parallel_env("connect_four")
    seen, _ = env.reset(seed=1)
    assert seen["player_1"]["action_mask"].nonzero()[0].tolist() == [env.wait]
    with pytest.raises(DiagnosticError) as refused:
        env.step({"player_0": 3, "player_1": 3})
    assert refused.value.diagnostic.code == "R262"
    seen, *_ = env.step({"player_0": 3, "player_1": env.wait})
    assert seen["player_0"]["action_mask"].nonzero()[0].tolist() == [env.wait]


def test_seats_that_choose_together_do_not_see_each_other() -> None:
    env = zoo_envs.parallel_env("goofspiel")
    seen, _ = env.reset(seed=1)
    assert all(seen[agent]["action_mask"][: env.wait].any() for agent in env.agents)
    aec = zoo_envs.env("goofspiel")
    rows = []
    for action in (0, 1):
        aec.reset(seed=1)
        offered = aec.infos[aec.agent_selection]["action_mask"].nonzero()[0]
        aec.step(int(offered[action]))
        rows.append(aec.observe("player_1").tolist())
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ({"reward": "winn"}, "did you mean `win`?"),
        ({"illegal": "ignore"}, "one of error, lose"),
        ({"mask_in": "nowhere"}, "one of info, observation"),
    ],
)
def test_settings_that_are_not_possible(setting: dict[str, str], says: str) -> None:
    with pytest.raises(DiagnosticError) as refused:
        zoo_envs.env("connect_four", **setting)
    assert refused.value.diagnostic.code == "R265"
    assert says in refused.value.diagnostic.help


@pytest.mark.parametrize(
    "setting",
    [
        {"seat": 2},
        {"seat": "first"},
        {"opponents": ["random", "random"]},
        {"opponents": {5: "random"}},
        {"opponents": 3},
        {"actions": "round"},
    ],
)
def test_seats_and_opponents_that_are_not_possible(setting: dict[str, object]) -> None:
    with pytest.raises(DiagnosticError) as refused:
        gym_envs.env("connect_four", **setting)
    assert refused.value.diagnostic.code == "R265"


def test_a_match_of_an_environment_begins_from_a_position() -> None:
    env = zoo_envs.env("pig")
    position = {"set": {"points": {"A": 10, "B": 97}}, "at": "turn", "seat": "B"}
    env.reset(seed=1, options={"position": position, "outcomes": {"die": ["6"]}})
    assert env.agent_selection == env.possible_agents[1]
    assert env.play.match.view("B").counters["points of B"] == 97


@pytest.mark.parametrize(
    "options",
    [
        {"outcomes": ["6"]},
        {"seeds": 7},
        {"chance": "6"},
        {"position": "turn"},
        {"position": {"set": 3}},
        {"position": {"where": "turn"}},
    ],
)
def test_control_of_chance_that_is_not_possible(options: dict[str, object]) -> None:
    with pytest.raises(DiagnosticError) as refused:
        zoo_envs.env("pig").reset(options=options)
    assert refused.value.diagnostic.code == "R265"


@pytest.mark.parametrize("wrong", [None, 3, [], [1, 2], [9], [-1], [np.nan], ["a"], [[1]]])
def test_a_policy_that_gives_no_action_is_refused(wrong: object) -> None:
    class Strange:
        def act(self, *_: object) -> object:
            return wrong

    with pytest.raises(DiagnosticError) as refused:
        gym_envs.env("connect_four", seat=1, opponents=Strange()).reset(seed=1)
    assert refused.value.diagnostic.code == "R262"
    with pytest.raises(DiagnosticError) as refused:
        gym_envs.vector_env("connect_four", 1, seat=1, opponents=Strange()).reset(seed=1)
    assert refused.value.diagnostic.code == "R262"


def test_a_seat_that_rotates_is_the_same_under_the_same_seed() -> None:
    env = gym_envs.env("connect_four", seat="rotate")
    first, second = (env.reset(seed=5)[0].tolist() for _ in range(2))
    assert first == second
    assert [env.reset(seed=seed)[1]["seat"] for seed in range(4)] == [0, 1, 0, 1]
    assert [env.reset()[1]["seat"] for _ in range(3)] == [0, 1, 0]


def test_a_bot_is_an_opponent() -> None:
    """It beats whoever always takes the first choice, under any seed."""
    env = gym_envs.env("connect_four", seat=1, opponents="search:200")
    seen, info = env.reset(seed=2)
    assert seen[2:].any()
    while True:
        seen, reward, ended, _, info = env.step(int(info["action_mask"].nonzero()[0][0]))
        if ended:
            break
    assert reward == -1.0
    with pytest.raises(DiagnosticError):
        gym_envs.vector_env("connect_four", 4, seat=0, opponents="search:30")


def test_vectors_refuse_wrong_actions_and_work_on() -> None:
    envs = gym_envs.vector_env("connect_four", 4)
    seen, _ = envs.reset(seed=1)
    for wrong in (
        np.zeros(3, int),
        np.zeros((4, 1), int),
        np.zeros(4),
        np.array([0, 0, 0, 9]),
        [0, -1, 0, 0],
    ):
        with pytest.raises(DiagnosticError) as refused:
            envs.step(wrong)
        assert refused.value.diagnostic.code == "R262"
    assert "match 1" in refused.value.diagnostic.message
    after, *_ = envs.step([0, 1, 2, 3])
    assert (after != seen).any()


def test_composed_actions_are_taken() -> None:
    env = gym_envs.env("breakthrough", actions="composed")
    _, info = env.reset(seed=1)
    env.step(np.argwhere(info["action_mask"])[0])
    with pytest.raises(DiagnosticError):
        env.step(np.array([0, 0, 0]))


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, library in ((zoo_envs, "pettingzoo"), (gym_envs, "gymnasium")):
        monkeypatch.setattr(module, library, None)
        with pytest.raises(DiagnosticError) as refused:
            module.env("connect_four")
        assert refused.value.diagnostic.code == "R264"
        assert 'pip install "rulewright[' in refused.value.diagnostic.help
