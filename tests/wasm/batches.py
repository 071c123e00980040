"""Batches beside matches of the reference executor."""

from __future__ import annotations

import numpy as np

from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.wasm.batch import FAULTED, FINISHED, RUNNING, Batch


class Rows:
    """A batch and a match for each of its rows, which must say the same."""

    def __init__(self, game: Game, n: int, seed: int) -> None:
        self.game = game
        self.batch = Batch(game, n, seed)
        self.matches = [Match(game, seed + i, keep_history=False).start() for i in range(n)]
        self.faults: dict[int, Fault] = {}

    def play(self, steps: int) -> None:
        for _ in range(steps):
            self.same()
            if (self.batch.codes != RUNNING).all():
                return
            choices = self.batch.sample().copy()
            for i in range(len(self.matches)):
                self._take(i, int(choices[i]))
            self.batch.step(choices)
        self.same()

    def _take(self, i: int, action: int) -> None:
        match = self.matches[i]
        if match.over or i in self.faults:
            return
        waiting = match.waiting()[0]
        try:
            match.take(waiting, self.batch.option(waiting.node, action))
        except Fault as fault:
            self.faults[i] = fault

    def same(self) -> None:
        for i, match in enumerate(self.matches):
            if i in self.faults:
                fault = self.batch.fault(i)
                assert self.batch.codes[i] == FAULTED
                assert fault is not None
                assert self.batch.totals[i] == 0
                assert type(fault.diagnostic) is type(self.faults[i].diagnostic)
                continue
            assert self.batch.fault(i) is None
            assert self.batch.states[i].tobytes() == match.state.tobytes()
            self._same_end(i, match) if match.over else self._same_decision(i, match)

    def _same_decision(self, i: int, match: Match) -> None:
        batch, waiting = self.batch, match.waiting()[0]
        actions = np.flatnonzero(batch.masks[i])
        assert (batch.codes[i], batch.over[i]) == (RUNNING, False)
        assert (batch.seats[i], batch.nodes[i]) == (waiting.seat, waiting.node)
        assert batch.totals[i] == len(waiting.options)
        assert tuple(batch.option(waiting.node, a) for a in actions) == waiting.options
        assert [batch.action(waiting.node, o) for o in waiting.options] == list(actions)

    def _same_end(self, i: int, match: Match) -> None:
        batch = self.batch
        assert (batch.codes[i], batch.over[i], batch.seats[i], batch.nodes[i]) == (FINISHED, True, -1, -1)
        assert not batch.masks[i].any()
        assert batch.totals[i] == 0
        assert not batch.observations[i].any()
        assert [a.total for a in match.accounts()] == list(batch.scores[i])
        assert match.winners() == [match.game.names.seat(s) for s in np.flatnonzero(batch.winners[i])]
