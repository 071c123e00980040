"""Many matches as learners see them: flat actions, observations and rewards as arrays of a batch."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.wasm.batch import RUNNING, Batch
from interpreter.wasm.batch_module import view, whole_memory
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.messages import ActionNotOffered
from rulewright.learn.opponents import Policy, UniformPolicy, chosen_by
from rulewright.learn.play import SHOWN, numbered
from rulewright.learn.rewards import Floats, RewardKind, Rewards
from rulewright.learn.space import HEAD, Mask, Row, Space

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
NOTHING_WAITS = np.zeros(1, np.int32)
"""The decision of matches that are over."""
MOST_ROUNDS = 100_000
"""The most choices of opponents between two of the learner's."""


@dataclass
class Stepped:
    """What a step of all matches has led to: rewards [n, seats], which have ended, what was seen last of them
    [n, columns], if that is kept and any has ended."""

    rewards: Floats
    ended: Bools
    last: Row | None = None


class BatchPlay:
    """A batch of a game under a catalogue. Matches that end restart in the same step.

    With a `seat`, policies play the others until that seat decides in every match. Unless it `keeps_last`,
    what was seen last in a match that has ended is not looked at, which is faster. Unless it `copies`, a step
    writes over the observations and masks of the one before, which is faster, too.
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
        copies: bool = True,
    ) -> None:
        self.space, self.seat, self.opponents, self.loses = space, seat, opponents, loses
        self.keeps_last, self._copies = keeps_last, copies
        self._tables()
        self.batch = Batch(
            space.game,
            number,
            seed,
            auto_reset=True,
            keeps_last=keeps_last,
            watcher=seat,
            margin=HEAD,
            room=0 if self.straight else MaskNumbers.room(space, number),
        )
        self._numbers = None if self.straight else MaskNumbers(space, self.batch)
        self._lows = np.tile(space.lows, (number, 1)) if space.columns is None else None
        """The least number of each word of all observations, if they stand as in the batch."""
        self._seen = None if copies or self._lows is None else np.empty_like(self._lows)
        self.rewards = Rewards(space.game, reward)
        self._all = np.arange(number)
        self._uniform = all(isinstance(policy, UniformPolicy) for policy in opponents.values())
        self._rng = np.random.default_rng(seed)
        self._settle_opponents(self._nothing())

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
        self.ids = np.zeros((len(indices), max(index.total for index in indices)), dtype=np.int64)
        for row, index in enumerate(indices):
            self.ids[row, : index.total] = index.ids
        self.indices = indices
        self.straight = len(indices) == 1 and indices[0].straight
        self.hides = any(index.hidden for index in indices)
        self._offered: dict[int, dict[int, int]] | None = None

    # ---- what is seen

    def observations(self) -> Row:
        """[n, columns]: what the deciding seats may see."""
        batch = self.batch
        return self._rows(batch.rows, self.decision_of[batch.nodes], False, self._seen)

    def _rows(self, words: Row, decisions: npt.NDArray[np.int32], over: bool, into: Row | None = None) -> Row:
        """[n, columns]: observations from rows of the batch, a new array if none is given."""
        if self._lows is None:
            return self.space.rows(words[:, HEAD:], decisions, over)
        rows: Row = np.maximum(words, self._lows[: len(words)], out=into)
        rows[:, 0] = decisions
        rows[:, 1] = over
        return rows

    def masks(self) -> Mask:
        """[n, actions]: what the deciding seats may choose."""
        masks = self.batch.masks if self._numbers is None else self._numbers.masks()
        found = masks.view(np.int8)
        if self._copies or self._numbers is None:
            found = found.copy()
        self._number_unseen(found)
        return found

    def _number_unseen(self, masks: Mask) -> None:
        """In matches whose deciding seat may choose a piece that it does not see, numbered actions."""
        batch, offered = self.batch, dict[int, dict[int, int]]()
        self._offered = offered
        if not self.hides:
            return
        for index in self.indices:
            for seat, hidden in index.hidden.items():
                which = np.flatnonzero((batch.nodes == index.actions.node) & (batch.seats == seat))
                for i in which[batch.masks[which][:, hidden].any(axis=1)].tolist():
                    state = array("i", batch.states[i].tobytes())
                    offered[i] = numbered(self.space, index, state, seat, int(batch.seeds[i]))
                    masks[i] = 0
                    masks[i, list(offered[i])] = 1

    # ---- choices

    def reset(self, seed: int) -> None:
        """All matches restart, match `i` under the seed `seed + i`."""
        self.batch.reset_all(seed)
        self._rng = np.random.default_rng(seed)
        self._settle_opponents(self._nothing())

    def sample(self) -> Numbers:
        """[n]: an action of each match, each of its options with equal chance; any where nothing waits."""
        batch = self.batch
        local = batch.sample()
        found = local.copy() if self.straight else self.ids[self.row_of[batch.nodes], local]
        for i, offers in self._unseen().items():
            found[i] = next(action for action, option in offers.items() if option == local[i])
        return found

    def _choices(self, given: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
        """[n]: the numbers in the batch that a step is tried with. It refuses those that are not offered."""
        actions = given.astype(np.int64)
        if self.hides:
            return self.locals_of(actions)
        if self.straight:
            return actions
        if self.locals.shape[2] > 1 or ((actions < 0) | (actions >= self.space.actions)).any():
            return self.locals_of(actions)
        rows = np.take(self.row_of, self.batch.nodes, mode="wrap")
        return np.take(self.locals, rows * self.space.actions + actions)

    def locals_of(self, actions: Numbers) -> Numbers:
        """[n]: the numbers in the batch, -1 where an action is not offered or nothing waits."""
        batch = self.batch
        inside = (actions >= 0) & (actions < self.space.actions) & (batch.nodes >= 0)
        candidates = self.locals[self.row_of[batch.nodes], np.where(inside, actions, 0)]
        found = np.full(batch.n, -1)
        for some in candidates.T[::-1]:
            np.copyto(found, some, where=inside & (some >= 0) & batch.masks[self._all, some].view(np.bool_))
        for i, offers in self._unseen().items():
            found[i] = offers.get(int(actions[i]), -1)
        return found

    def _unseen(self) -> dict[int, dict[int, int]]:
        """Of matches in which actions are numbered, what each number means."""
        if self.hides and self._offered is None:
            self.masks()
        return self._offered or {}

    def step(self, actions: npt.ArrayLike) -> Stepped:
        """An action in every match. Raises `DiagnosticError` with `ActionNotOffered`."""
        batch = self.batch
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (batch.n,):
            name, offered = f"{given.dtype} of shape {given.shape}", f"whole numbers of shape ({batch.n},)"
            raise DiagnosticError(ActionNotOffered(NOWHERE, name, "all matches", offered))
        found = self._nothing()
        if self.loses:
            self._step_or_lose(given.astype(np.int64), found)
        else:
            refused = batch.step_unless_refused(self._choices(given))
            if refused >= 0:
                raise self._refusal(refused, given)
        self._note(batch.over, found)
        self._settle_opponents(found)
        return found

    def _step_or_lose(self, actions: Numbers, found: Stepped) -> None:
        """An action in every match; one in which it is not offered is lost by the seat that decides."""
        batch = self.batch
        chosen = self.locals_of(actions)
        wrong = (chosen < 0) & (batch.codes == RUNNING)
        found.rewards[wrong, batch.seats[wrong]] = -1.0
        batch.step_some(np.maximum(chosen, 0), ~wrong)
        lost = np.flatnonzero(wrong)
        for i in lost.tolist():
            batch.renew(i)
        self._keep_last(lost, found)
        found.ended |= wrong

    def _nothing(self) -> Stepped:
        n = self.batch.n
        return Stepped(np.zeros((n, self.space.game.machine.seats)), np.zeros(n, np.bool_))

    def _note(self, over: Bools, found: Stepped) -> None:
        """Notes the matches that have ended now, unless they have ended in this step before."""
        batch = self.batch
        which = np.flatnonzero(over > found.ended)
        if len(which):
            found.rewards[which] = self.rewards.of(
                batch.scores.take(which, axis=0), batch.winners.take(which, axis=0)
            )
            found.ended |= over
            self._keep_last(which, found)

    def _keep_last(self, which: Numbers, found: Stepped) -> None:
        if self.keeps_last and len(which):
            if found.last is None:
                found.last = np.zeros((self.batch.n, self.space.width), dtype=np.int32)
            found.last[which] = self._rows(self.batch.last_rows.take(which, axis=0), NOTHING_WAITS, True)

    def _settle_opponents(self, found: Stepped) -> None:
        """Opponents choose until the learner decides in every match; notes which have ended.

        A match that ends a second time before the learner has decided anything counts as if it had not been.
        """
        batch = self.batch
        self._offered = None
        if self.seat is None:
            return
        for _ in range(MOST_ROUNDS):
            others = (batch.seats >= 0) & (batch.seats != self.seat)
            if not others.any():
                return
            batch.step_some(self._opponents_choose(others), others)
            self._offered = None
            self._note(batch.over & others, found)

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


class MaskNumbers:
    """The masks of a batch by the actions of a catalogue, written by the module.

    In the room behind the rows of the batch stand the masks, then what `renumber` reads: two words for each
    node, and for each decision whose actions do not follow each other in the catalogue, their numbers.
    """

    def __init__(self, space: Space, batch: Batch) -> None:
        self._batch, self._actions = batch, space.actions
        tables = batch.behind + _rounded(batch.n * space.actions)
        nodes = np.zeros((len(space.game.machine.nodes) + 1, 2), dtype=np.int32)
        self._tables = tables + nodes[0].nbytes
        """Where the node 0 stands; before it the one of matches in which nothing waits."""
        data, end = [nodes], tables + nodes.nbytes
        for node, index in space.decisions.items():
            if (np.diff(index.ids) == 1).all():
                nodes[node + 1] = index.ids[0], index.total
            else:
                nodes[node + 1, 0] = end
                data.append(index.ids.astype(np.int32))
                end += data[-1].nbytes
        with batch.opened() as instance:
            instance.write(tables, b"".join(part.tobytes() for part in data))
            memory = whole_memory(instance)
        self._masks = view(memory, batch.behind, np.uint8, (batch.n, space.actions))

    @staticmethod
    def room(space: Space, number: int) -> int:
        """How many bytes it takes behind the rows of a number of matches."""
        nodes = len(space.game.machine.nodes) + 1
        words = 2 * nodes + sum(index.total for index in space.decisions.values())
        return _rounded(number * space.actions) + 4 * words

    def masks(self) -> npt.NDArray[np.uint8]:
        """[n, actions]: what may be chosen now; a view on what the next call writes over."""
        with self._batch.opened() as instance:
            instance.functions["renumber"](self._tables, self._batch.behind, self._actions)
        return self._masks


def _rounded(size: int) -> int:
    """With room behind for what is written in words."""
    return (size + 8 + 63) // 64 * 64


def shown_row(catalogue: SpaceCatalogue, row: Row, mask: Mask) -> str:
    """What an observation and a mask say, in words: columns that are not zero, and what is offered."""
    columns = zip(catalogue.columns, row.tolist(), strict=True)
    lines = [f"{name}: {value}" for (name, _, _), value in columns if value]
    return "\n".join([*lines, "", *(f"{i}: {catalogue.actions[i]}" for i in mask.nonzero()[0].tolist())])
