"""Many matches as learners see them: flat actions, observations and rewards as arrays of a batch."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.wasm.batch import RUNNING, Batch, Int32s
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.messages import ActionNotOffered
from rulewright.learn.opponents import Policy, UniformPolicy, chosen_by
from rulewright.learn.play import SHOWN, numbered
from rulewright.learn.rewards import Floats, RewardKind, Rewards
from rulewright.learn.space import Mask, Row, Space

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
MOST_ROUNDS = 100_000
"""The most choices of opponents between two of the learner's."""


@dataclass(frozen=True)
class Stepped:
    """What a step of all matches has led to: rewards [n] and [n, seats], which have ended, the last rows."""

    rewards: Floats
    all_rewards: Floats
    ended: Bools
    last: Row


class BatchPlay:
    """A batch of a game under a catalogue. Matches that end restart in the same step.

    With a `seat`, policies play the others until that seat decides in every match. Unless it `keeps_last`,
    what was seen last in a match that has ended is not looked at, which is faster.
    """

    def __init__(
        self,
        space: Space,
        number: int,
        seed: int,
        reward: RewardKind,
        seat: int | None,
        opponents: Mapping[int, Policy],
        loses: bool,
        keeps_last: bool = True,
    ) -> None:
        self.space, self.seat, self.opponents, self.loses = space, seat, opponents, loses
        self.keeps_last = keeps_last
        self.batch = Batch(space.game, number, seed, auto_reset=not keeps_last)
        self._next = seed + number
        self.rewards = Rewards(space.game, reward)
        self._tables()
        self._uniform = all(isinstance(policy, UniformPolicy) for policy in opponents.values())
        self._rng = np.random.default_rng(seed)
        self._settle_opponents(np.zeros(number, np.bool_), np.zeros((number, space.game.machine.seats)))

    def _tables(self) -> None:
        """For each node its number among decisions and its row in the table of actions."""
        space, nodes = self.space, len(self.space.game.machine.nodes)
        indices = list(space.decisions.values())
        self.decision_of = np.zeros(nodes + 1, dtype=np.int32)
        self.row_of = np.zeros(nodes + 1, dtype=np.int64)
        copies = max((len(x) for index in indices for x in index.locals.values()), default=1)
        self.locals = np.full((len(indices), space.actions, copies), -1, dtype=np.int32)
        for row, index in enumerate(indices):
            self.decision_of[index.actions.node] = index.number
            self.row_of[index.actions.node] = row
            for action, found in index.locals.items():
                self.locals[row, action, : len(found)] = found
        self.ids = np.zeros((len(indices), self.batch.actions), dtype=np.int64)
        for row, index in enumerate(indices):
            self.ids[row, : index.total] = index.ids
        self.indices = indices
        self.straight = len(indices) == 1 and indices[0].straight
        self.hides = any(index.hidden for index in indices)
        self._offered: dict[int, dict[int, int]] = {}

    # ---- what is seen

    def observations(self) -> Row:
        """[n, columns]: what the deciding seats may see, a new array."""
        decisions = self.decision_of[self.batch.nodes]
        return self.space.rows(self.batch.observations, decisions, False)

    def masks(self) -> Mask:
        """[n, actions]: what the deciding seats may choose, a new array."""
        batch = self.batch
        if self.straight and not self.hides:
            return batch.masks[:, : self.space.actions].view(np.int8).copy()
        found = np.zeros((batch.n, self.space.actions), dtype=np.int8)
        flat = np.flatnonzero(np.ascontiguousarray(batch.masks).view(np.bool_))
        match, local = np.divmod(flat, batch.actions)
        found[match, self.ids[self.row_of[batch.nodes[match]], local]] = 1
        self._number_unseen(found)
        return found

    def _number_unseen(self, masks: Mask) -> None:
        """In matches whose deciding seat may choose a piece that it does not see, numbered actions."""
        self._offered = {}
        if not self.hides:
            return
        batch = self.batch
        for index in self.indices:
            for seat, hidden in index.hidden.items():
                which = np.flatnonzero((batch.nodes == index.actions.node) & (batch.seats == seat))
                for i in which[batch.masks[which][:, hidden].any(axis=1)].tolist():
                    state = array("i", batch.states[i].tobytes())
                    self._offered[i] = numbered(self.space, index, state, seat, int(batch.seeds[i]))
                    masks[i] = 0
                    masks[i, list(self._offered[i])] = 1

    # ---- choices

    def reset(self, seed: int) -> None:
        """All matches restart, match `i` under the seed `seed + i`."""
        self.batch.reset_all(seed)
        self._next = seed + self.batch.n
        self._rng = np.random.default_rng(seed)
        shape = (self.batch.n, self.space.game.machine.seats)
        self._settle_opponents(np.zeros(self.batch.n, np.bool_), np.zeros(shape))

    def locals_of(self, actions: Numbers) -> Numbers:
        """[n]: the numbers in the batch, -1 where an action is not offered or nothing waits."""
        batch = self.batch
        inside = (actions >= 0) & (actions < self.space.actions)
        if self.straight and not self.hides:
            offered = batch.masks[np.arange(batch.n), np.where(inside, actions, 0)].view(np.bool_)
            return np.where(inside & offered & (batch.nodes >= 0), actions, -1)
        rows = self.row_of[batch.nodes]
        candidates = self.locals[rows, np.where(inside, actions, 0)]
        offered = (candidates >= 0) & (np.take_along_axis(batch.masks, np.maximum(candidates, 0), 1) > 0)
        best = offered.argmax(axis=1)
        found = np.where(offered.any(axis=1), np.take_along_axis(candidates, best[:, None], 1)[:, 0], -1)
        found = np.where(inside & (batch.nodes >= 0), found, -1).astype(np.int64)
        if self.hides:
            if not self._offered:
                self.masks()
            for i, offers in self._offered.items():
                found[i] = offers.get(int(actions[i]), -1)
        return found

    def step(self, actions: npt.ArrayLike) -> Stepped:
        """An action in every match. Raises `DiagnosticError` with `ActionNotOffered`."""
        batch = self.batch
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (batch.n,):
            name, offered = f"{given.dtype} of shape {given.shape}", f"whole numbers of shape ({batch.n},)"
            raise DiagnosticError(ActionNotOffered(NOWHERE, name, "all matches", offered))
        chosen = self.locals_of(given.astype(np.int64))
        wrong = (chosen < 0) & (batch.codes == RUNNING)
        if wrong.any() and not self.loses:
            raise self._refusal(int(np.flatnonzero(wrong)[0]), given)
        seats = batch.seats.copy()
        if wrong.any():
            batch.step_some(np.maximum(chosen, 0), ~wrong)
        else:
            batch.step(chosen)
        last = np.zeros((batch.n, self.space.width), dtype=np.int32)
        found = np.zeros((batch.n, self.space.game.machine.seats))
        found[wrong, seats[wrong]] = -1.0
        ended = self._renew(batch.over | wrong, wrong, found, last, seats)
        self._settle_opponents(ended, found, last)
        who = seats if self.seat is None else np.full(batch.n, self.seat)
        return Stepped(found[np.arange(batch.n), np.maximum(who, 0)], found, ended, last)

    def _renew(self, ended: Bools, wrong: Bools, rewards: Floats, last: Row, seats: Int32s) -> Bools:
        """Matches that have ended restart; notes their rewards and what a seat saw last."""
        batch = self.batch
        if ended.any():
            over = ended & ~wrong
            rewards[over] = self.rewards.of(batch.scores[over], batch.winners[over])
            which = np.flatnonzero(ended if self.keeps_last else wrong)
            looking = np.maximum(seats[which], 0) if self.seat is None else np.full(len(which), self.seat)
            seeds = range(self._next, self._next + len(which))
            self._next += len(which)
            rows = batch.begin_anew(which, seeds, looking)
            last[which] = self.space.rows(rows, np.zeros(len(which), np.int32), True)
        return ended

    def _settle_opponents(self, ended: Bools, rewards: Floats, last: Row | None = None) -> None:
        """Opponents choose until the learner decides in every match; notes which ended, and their rewards.

        A match that ends a second time before the learner has decided anything counts as if it had not been.
        """
        batch = self.batch
        self._offered = {}
        if self.seat is None:
            return
        nothing = np.zeros(batch.n, np.bool_)
        for _ in range(MOST_ROUNDS):
            others = (batch.seats >= 0) & (batch.seats != self.seat)
            if not others.any():
                return
            batch.step_some(self._opponents_choose(others), others)
            over = batch.over & others
            if over.any():
                kept, rows = np.zeros_like(rewards), np.zeros((batch.n, self.space.width), dtype=np.int32)
                self._renew(over, nothing, kept, rows, batch.seats)
                first = over & ~ended
                rewards[first] = kept[first]
                if last is not None:
                    last[first] = rows[first]
                ended |= over

    def _opponents_choose(self, which: Bools) -> Numbers:
        if self._uniform:
            return self.batch.sample().copy()
        masks, rows = self.masks(), self.observations()
        actions = np.zeros(self.batch.n, dtype=np.int64)
        for seat, policy in self.opponents.items():
            own = np.flatnonzero(which & (self.batch.seats == seat))
            if len(own):
                actions[own] = chosen_by(policy, rows[own], masks[own], self._rng, seat)
        found = self.locals_of(actions)
        wrong = which & (found < 0)
        if wrong.any():
            raise self._refusal(int(np.flatnonzero(wrong)[0]), actions)
        return np.maximum(found, 0)

    def _refusal(self, i: int, actions: np.ndarray) -> DiagnosticError:
        keys, action = self.space.catalogue.actions, int(actions[i])
        words = f" ({keys[action]})" if 0 <= action < len(keys) else ""
        found = self.masks()[i].nonzero()[0].tolist()
        shown = ", ".join(f"{k} ({keys[k]})" for k in found[:SHOWN])
        return DiagnosticError(
            ActionNotOffered(NOWHERE, f"{action}{words}", f"seat {self.batch.seats[i]} of match {i}", shown)
        )


def shown_row(catalogue: SpaceCatalogue, row: Row, mask: Mask) -> str:
    """What an observation and a mask say, in words: columns that are not zero, and what is offered."""
    columns = zip(catalogue.columns, row.tolist(), strict=True)
    lines = [f"{name}: {value}" for (name, _, _), value in columns if value]
    return "\n".join([*lines, "", *(f"{i}: {catalogue.actions[i]}" for i in mask.nonzero()[0].tolist())])
