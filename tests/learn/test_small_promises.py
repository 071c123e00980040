"""Masks of agents that have ended, hints that say what is noise, a tuning that is told to end."""

from __future__ import annotations

import signal
import threading

import pytest

from interpreter.bots.ranking import Proof
from interpreter.bots.search import Thought
from interpreter.bots.settings import WON
from interpreter.game import Choice
from rulewright.learn import pettingzoo
from rulewright.processes.interrupts import ended_like_interrupts
from rulewright.tui.hint import alike_by_chance

CHOICE = Choice((0, 0), ("a",), "a")


def test_an_agent_that_has_ended_has_a_mask() -> None:
    pytest.importorskip("pettingzoo")
    env = pettingzoo.env("tic_tac_toe")
    env.reset(seed=1)
    assert all("action_mask" in env.infos[agent] for agent in env.possible_agents)
    for agent in env.agent_iter():
        _, _, ended, _, info = env.last()
        assert ended == (not info["action_mask"].any())
        env.step(None if ended else env.action_space(agent).sample(info["action_mask"]))


@pytest.mark.parametrize(
    ("visits", "values", "alike"),
    [
        ((100, 90, 10), (0.55, 0.5, 0.4), 3),
        ((10_000, 9_000, 100), (0.55, 0.5, 0.4), 1),
        ((10_000, 9_000, 100), (0.55, 0.548, 0.2), 2),
    ],
)
def test_choices_are_alike_while_chance_may_explain_it(
    visits: tuple[int, ...], values: tuple[float, ...], alike: int
) -> None:
    thoughts = [Thought(CHOICE, n, v) for n, v in zip(visits, values, strict=True)]
    assert alike_by_chance(thoughts)[0] == alike
    assert alike_by_chance([Thought(CHOICE, 10, 1.0, Proof(WON, 1)), *thoughts])[0] == 1


def test_a_request_to_end_does_what_an_interrupt_does() -> None:
    assert threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), ended_like_interrupts():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before
