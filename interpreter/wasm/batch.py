"""Matches from Python: many side by side that are stepped together, or one that is stepped fast.

The arrays are views on the module's memory: nothing is copied, and every step changes what they show. Copy
what shall stay.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np
import numpy.typing as npt

from dsl.source import NOWHERE
from interpreter import ir
from interpreter.chance import Choosing, seed_words
from interpreter.executor_protocol import Option
from interpreter.game import Game
from interpreter.messages import Aborted, Fault, InUse
from interpreter.wasm.arguments import OF_GAME, SEED, not_a_game, not_possible, not_whole, whole
from interpreter.wasm.array_arguments import (
    choices_of_all,
    match_number,
    not_offered,
    truths_of_all,
)
from interpreter.wasm.batch_module import (
    BatchModule,
    batch_module,
    shut,
    view,
    whole_memory,
)
from interpreter.wasm.batches.recall import Recall, recall
from interpreter.wasm.batches.rows import (
    BROKEN,
    ENDED,
    FAULTED,
    FINISHED,
    REFUSED,
    RUNNING,
    fields,
    row_addresses,
    row_sizes,
)
from interpreter.wasm.engine import RAW, Instance, RawCall
from interpreter.wasm.faults import fault
from interpreter.wasm.match_records import MatchRecords
from interpreter.wasm.option_codec import Numbering, row_bytes
from interpreter.wasm.results import results

__all__ = ["FAULTED", "FINISHED", "RUNNING", "Batch", "Stepper"]

Int32s = npt.NDArray[np.int32]
MOST_BYTES: Final = (1 << 32) - (1 << 16)
"""What one memory of a module can hold."""
WORD: Final = (1 << 32) - 1
LAST_SEED: Final = (1 << 64) - 1


# ---- many matches


class Batch:
    """`n` matches of a game side by side, each at a decision or over. Match `i` has the seed `seed + i`.

    Given a game, the batch tells what seats see and how options are called; of a bare machine neither is
    known. One thread uses a batch at a time: a second one gets a `Fault`. `auto_reset`: a match that ends
    restarts in the same step, under the next seed that no match has had; `over`, `scores` and `winners`
    tell of the match that has ended, all else of the new one. `observations`: every step also writes down
    what the deciding seats may see; without it steps take less time. `keeps_last`: where a match restarts by
    itself, `last` has what was seen of it last, by the seat that chose last or by a `watcher`. `margin`: so
    many words stay free before each observation in `rows` and `last_rows`; `room`: so many bytes behind all.
    """

    masks: npt.NDArray[np.uint8]
    """[n, actions]: 1 where an action may be chosen."""
    totals: Int32s
    """[n]: how many actions may be chosen, the sum of the mask; 0 where none decides."""
    states: Int32s
    """[n, words]: the whole record of each match, secrets too."""
    nodes: Int32s
    """[n]: the decision that waits, -1 if none does."""
    seats: Int32s
    """[n]: who decides, -1 for nobody. While seats choose together, the first of those that wait."""
    codes: Int32s
    """[n]: RUNNING, FINISHED or FAULTED."""
    over: npt.NDArray[np.bool_]
    """[n]: whether the match is over or, with `auto_reset`, has ended in this step."""
    scores: Int32s
    """[n, seats]: the totals of the match that has ended last."""
    winners: npt.NDArray[np.bool_]
    """[n, seats]: who has won it."""
    outcomes: Int32s
    """[n]: how it has ended: 1 for the first of `machine.endings`, 0 for an end without a name."""
    last: Int32s
    """[n, words], if it is kept: what was seen last of the match that has ended last."""
    seeds: npt.NDArray[np.uint64]
    """[n]: the seed of each match; `Match` of the same seed has the same chance."""

    def __init__(
        self,
        game: Game | ir.Machine,
        n: int,
        seed: int = 0,
        *,
        auto_reset: bool = False,
        observations: bool = True,
        keeps_last: bool = False,
        watcher: int | None = None,
        margin: int = 0,
        room: int = 0,
    ) -> None:
        if not isinstance(game, Game | ir.Machine):
            raise not_a_game(game)
        self.n = whole(n, "the number of matches")
        if self.n <= 0:
            raise not_possible(f"a batch has at least one match, not {self.n}", "give 1 or more")
        self.game = game.in_parts if isinstance(game, Game) else None
        common = batch_module(game)
        self.machine, self.map, self._reference = common.machine, common.map, common.reference
        self._numberings, self._observed = common.numberings, common.observed
        self._records = MatchRecords(self.machine, self.map["stride"])
        self.actions = self.map["actions"]
        self.closed = False
        self.auto_reset = auto_reset
        self.observing = observations and self._observed is not None
        self._instance = Instance(common.module)
        self.behind = 0
        """The address behind the rows."""
        if watcher is not None:
            self._check_seat(watcher)
        if keeps_last and self._observed is None:
            raise not_possible("visibility is unknown for a bare machine", OF_GAME)
        self._margin = whole(margin, "the margin")
        if self._margin < 0:
            raise not_possible(f"a margin has 0 words or more, not {margin}", "give the words of one row")
        self._lay_out(common, room, keeps_last, watcher)
        self._begin(whole(seed, SEED))

    # ---- memory

    def _lay_out(self, common: BatchModule, room: int, keeps_last: bool, watcher: int | None) -> None:
        """Rows behind what the module holds, and views on them; so many bytes behind the rows stay free.

        A row of what is seen has some words that stay free before it.
        """
        mc, n, stride, before = self.machine, self.n, self.map["stride"], self._margin
        width = common.observed.size + before if common.observed is not None else before
        mask = row_bytes(self.actions)
        sizes = row_sizes(n, mc.seats, stride, mask)
        seen = {"observations": 4 * (n + 1) * width, "last": 4 * n * width if keeps_last else 0}
        at, self.behind = row_addresses(self.map["end"], {**sizes, **seen})
        self._at = at
        self._grow(self.behind + room)
        words = {"number": n, "automatic": int(self.auto_reset), "stride": stride, **at}
        words["observing"], words["seen_stride"] = int(self.observing), 4 * width
        words["watcher"] = WORD if watcher is None else watcher
        words["observations"] += 4 * before
        words["last"] = words["last"] + 4 * before if keeps_last else 0
        words["states"] += self.map["before"]
        block = [words.get(name, 0) for name in fields(mc)]
        self._instance.write(self.map["batch"], np.array(block, dtype=np.uint32).tobytes())
        memory = self._memory = whole_memory(self._instance)
        self._choices = view(memory, at["choices"], np.int64, (n,))
        self.masks = shut(view(memory, at["masks"], np.uint8, (n, mask))[:, : self.actions])
        self.totals = shut(view(memory, at["totals"], np.int32, (n,)))
        state = at["states"] + self.map["before"]
        self.states = shut(view(memory, state, np.int32, (n, mc.size), (stride, 4)))
        self.nodes = shut(view(memory, at["nodes"], np.int32, (n,)))
        self.seats = shut(view(memory, at["seats"], np.int32, (n,)))
        self.codes = shut(view(memory, at["codes"], np.int32, (n,)))
        self.over = shut(view(memory, at["over"], np.bool_, (n,)))
        self.scores = shut(view(memory, at["scores"], np.int32, (n, mc.seats)))
        self.winners = shut(view(memory, at["winners"], np.bool_, (n, mc.seats)))
        self.outcomes = shut(view(memory, at["outcomes"], np.int32, (n,)))
        self._branches = view(memory, at["branches"], np.int32, (n,))
        self._faults = view(memory, at["faults"], np.int32, (n, 5))
        self._seeds = view(memory, at["seeds"], np.uint64, (n,))
        self.seeds = shut(self._seeds[:])
        self._rows = view(memory, at["observations"], np.int32, (n + 1, width))
        self._observations = shut(self._rows[:n, before:])
        self.last_rows = shut(view(memory, at["last"], np.int32, (n if keeps_last else 0, width)))
        self.last = self.last_rows[:, before:]

    def _grow(self, end: int) -> None:
        if end > MOST_BYTES:
            each = (end - self.map["end"]) // self.n
            most = (MOST_BYTES - self.map["end"]) // each
            raise not_possible(f"{self.n} matches need more than 4 GiB; there is room for {most}", "make two")
        try:
            self._instance.grow(end)
        except Aborted as error:
            raise MemoryError(f"no memory for {self.n} matches") from error

    def _begin(self, seed: int) -> None:
        low, high = seed_words(seed)
        first = high << 32 | low
        with self._instance as instance:
            for i in range(self.n):
                self._seeds[i] = (first + i) % (1 << 64)
                instance.functions["begin_match"](i)
            following = (first + self.n) % (1 << 64)
            block = following.to_bytes(8, "little") + Choosing(seed).state.to_bytes(8, "little")
            instance.write(self.map["batch"], block)

    # ---- what seats see

    @property
    def observations(self) -> Int32s:
        """[n, words]: what the deciding seat of each match may see, zero where none decides."""
        if self._observed is None:
            raise not_possible("visibility is unknown for a bare machine", OF_GAME)
        if not self.observing:
            raise not_possible("this batch makes no observations", "`observe` gives one of a single match")
        return self._observations

    @property
    def rows(self) -> Int32s:
        """[n, margin + words]: the observations with the free words before them."""
        return self._rows[: self.n]

    @property
    def columns(self) -> tuple[str, ...]:
        """What each word of an observation is."""
        if self._observed is None:
            raise not_possible("visibility is unknown for a bare machine", OF_GAME)
        return self._observed.names

    def observe(self, i: int, seat: int) -> Int32s:
        """A copy of what any seat sees of a match."""
        i, seat = self._index(i), whole(seat, "a seat")
        if self._observed is None:
            raise not_possible("visibility is unknown for a bare machine", OF_GAME)
        self._check_seat(seat)
        with self._open() as instance:
            instance.functions["observe_as"](i, seat)
            found: Int32s = self._rows[self.n, self._margin :].copy()
        return found

    @property
    def recall(self) -> Recall:
        """What a search knows the nodes of this game by."""
        return recall(self.machine, self._observed)

    # ---- actions

    def option(self, node: int, action: int) -> Option:
        """The option of a decision that an action means. Raises `ValueError` if there is none."""
        return self._numbering(node).option(whole(action, "an action"))

    def action(self, node: int, option: Option) -> int:
        """The action that means an option of a decision. Raises `ValueError` if there is none."""
        return self._numbering(node).action(option)

    def words(self, i: int, action: int) -> str:
        """An action of the waiting decision of a match in the words of its game."""
        if self.game is None:
            raise not_possible("words are unknown for a bare machine", OF_GAME)
        i = self._index(i)
        number = int(self.nodes[i])
        option = self.option(number, action)
        node = self.machine.decision(number)
        s = array("i", self.states[i].tobytes())
        doings = self._reference.doings.get(number, ())
        if s[ir.FORKED] and doings:
            self._reference.switch(s, int(self._branches[i]))
        found = [doing(s) for doing in doings]
        what = tuple((d[0], tuple(d[1])) if d is not None else None for d in found)
        return " ".join(self.game.names.choice(node, option, what))

    def _numbering(self, node: int) -> Numbering:
        found = self._numberings.get(whole(node, "a node"))
        if found is None:
            raise not_possible(f"there is no decision at node {node}", "`nodes` has those that wait")
        return found

    # ---- steps

    def step(self, choices: npt.ArrayLike) -> None:
        """A choice in every match that waits, and all continue to their next decision or their end.

        What stands there for other matches does not matter. Raises `ValueError` if one choice is not
        offered; no match has changed then. A fault stops its match only.
        """
        refused = self.step_unless_refused(choices)
        if refused >= 0:
            raise not_offered(self.masks[refused], refused, int(np.asarray(choices)[refused]))

    def step_unless_refused(self, choices: npt.ArrayLike) -> int:
        """As `step`, but gives the first match whose choice is not offered, or -1."""
        given = choices_of_all(choices, self.n)
        with self._open() as instance:
            self._choices[:] = given
            refused: int = instance.functions["step"]()
            instance.check_stopped()
        return refused

    def step_some(self, choices: npt.ArrayLike, which: npt.ArrayLike) -> None:
        """As `step`, but only some matches continue, those that are true in `which` [n]; the others wait."""
        paused = ~truths_of_all(which, self.n) & (self.codes == RUNNING)
        codes = view(self._memory, self._at["codes"], np.int32, (self.n,))
        codes[paused] = FAULTED
        try:
            self.step(choices)
        finally:
            codes[paused] = RUNNING

    def sample(self) -> npt.NDArray[np.int64]:
        """For every match one of its actions, each with equal chance; 0 where none decides.

        The same batch under the same seed draws the same. The next call writes over what this one gives.
        """
        with self._open() as instance:
            instance.functions["sample"]()
        return self._choices

    def fault(self, i: int) -> Fault | None:
        """Why a match cannot continue, if it is FAULTED."""
        i = self._index(i)
        if self.codes[i] != FAULTED:
            return None
        return fault(self.machine, *(int(x) for x in self._faults[i]))

    @property
    def results(self) -> npt.NDArray[np.float64]:
        """[n, seats, 3]: the share of the win, the place and the margin of each seat; zeros before the end.

        A new array. The margin is the total less the best of the others, or the total of a single seat; more
        is better. Between seats that have not won, the place goes by the totals alone.
        """
        return results(self.machine.best, self.scores, self.winners, self.over)

    # ---- single matches

    def reset(self, i: int, seed: int) -> None:
        """A match restarts under a seed."""
        i, (low, high) = self._index(i), seed_words(whole(seed, SEED))
        with self._open() as instance:
            self._seeds[i] = high << 32 | low
            instance.functions["begin_match"](i)

    def reset_all(self, seed: int) -> None:
        """All matches restart, as in a batch that is made with this seed; so does what `sample` draws."""
        self._open()
        self._begin(whole(seed, SEED))

    def renew(self, i: int) -> None:
        """A match restarts under the next seed that no match has had, as one that is over does by itself."""
        i = self._index(i)
        with self._open() as instance:
            instance.functions["renew"](self._at["states"] + self.map["before"] + i * self.map["stride"], i)

    def clone(self, i: int, j: int) -> None:
        """Match `j` becomes the same as match `i`, with the same chance to come."""
        i, j = self._index(i), self._index(j)
        with self._open() as instance:
            instance.functions["clone"](i, j)

    def save(self, i: int) -> bytes:
        """A match as bytes, with the same chance to come. Raises its `Fault` if it is FAULTED."""
        i = self._index(i)
        failed = self.fault(i)
        if failed is not None:
            raise failed
        with self._open() as instance:
            stride = self.map["stride"]
            state = instance.read(self._at["states"] + i * stride, stride // 4)
        return self._records.saved(int(self.seeds[i]), state)

    def load(self, i: int, saved: bytes) -> None:
        """A match becomes what `save` of a batch of the same game has given."""
        i = self._index(i)
        seed, data = self._records.unsealed(saved)
        with self._open() as instance:
            self._seeds[i] = seed
            instance.write(self._at["states"] + i * self.map["stride"], data)
            instance.functions["look"](i)

    def put(self, i: int, state: Sequence[int]) -> None:
        """A match takes up a position: the words of a state, as `Match.state` has them; its seed stays.

        Raises `ValueError` if it is not the state of a match of this game that waits or is over.
        """
        i = self._index(i)
        record = self._records.record(state)
        low, high = seed_words(int(self.seeds[i]))
        with self._open() as instance:
            instance.write(self._at["states"] + self.map["before"] + i * self.map["stride"], record)
            instance.functions["rekey"](i, low, high)
            instance.functions["look"](i)

    def rekey(self, i: int, seed: int) -> None:
        """Other chance to come in a match: what follows is drawn by another seed.

        `clone`, `save` and `load` keep the chance to come, so a program that looks ahead with them alone
        would know it. How far each stream has come stays as it was.
        """
        i, (low, high) = self._index(i), seed_words(whole(seed, SEED))
        with self._open() as instance:
            instance.functions["rekey"](i, low, high)

    def ask_first(self, seat: int) -> None:
        """While seats choose together, this one is asked before the others; to begin with, seat 0 is.

        It counts from the next decision on.
        """
        self._check_seat(seat)
        with self._open() as instance:
            at = self.map["batch"] + 4 * fields(self.machine).index("first")
            instance.write(at, int(seat).to_bytes(4, "little"))

    def play_on(self, i: int) -> None:
        """A match that waits is played to its end by random choices. Each option has equal chance, but the
        numbers of one thing to do count as one option, if there are more than three.

        They come from the generator of `sample`. A fault stops it as in `step`.
        """
        i = self._index(i)
        with self._open() as instance:
            instance.functions["play_on"](i)
            instance.check_stopped()

    # ---- the end

    def close(self) -> None:
        """No more steps. What the arrays show stays as long as somebody holds them."""
        self.closed = True

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.n

    def bytes_at(self, address: int, size: int) -> bytes:
        """A copy of the module's memory, for a search whose tree stands behind the rows."""
        return self._instance.read_bytes(address, size)

    def opened(self) -> Instance:
        """The module while this thread uses it, for a search in it. Raises `ValueError` if closed."""
        return self._open()

    def _open(self) -> Instance:
        if self.closed:
            raise not_possible("the batch is closed", "make another one")
        return self._instance

    def _check_seat(self, seat: int) -> None:
        if not 0 <= whole(seat, "a seat") < self.machine.seats:
            raise not_possible(f"unknown seat {seat}", f"seats are 0 to {self.machine.seats - 1}")

    def _index(self, i: int) -> int:
        return match_number(i, self.n)


# ---- one match


class Stepper:
    """One match, stepped with as little around it as can be.

    `mask`, `observation` and `state` are views that every step changes.
    """

    def __init__(self, game: Game | ir.Machine, seed: int = 0) -> None:
        self.batch = Batch(game, 1, seed)
        self.mask: npt.NDArray[np.uint8] = self.batch.masks[0]
        self.state: Int32s = self.batch.states[0]
        self.observation: Int32s = self.batch._observations[0]
        instance = self.batch._instance
        self._step = RawCall(instance.functions["step_one"])
        self._start = RawCall(instance.functions["begin_one"])
        self._turn = [None]

    def step(self, action: int) -> int:
        """Makes a choice and runs to the next decision: the seat that makes it, -1 if the match is over.

        Raises `ValueError` if the action is not offered, and a `Fault` that stops the match.
        """
        turn = self._turn
        try:
            turn.pop()
        except IndexError:
            raise Fault(InUse(NOWHERE)) from None
        try:
            one = self._step
            words = one.words
            words[0] = action
            one.call(*one.given)
            got = words[0]
        except ValueError:  # no 32-bit number
            raise not_offered(self.mask, 0, action) from None
        except TypeError:
            raise not_whole(action, "an action") from None
        finally:
            turn.append(None)
        if ENDED < got < 0:
            return ~got
        return self._stopped(got, action)

    def _stopped(self, got: int, action: int) -> int:
        if got == ENDED:
            return -1
        if got == REFUSED:
            raise not_offered(self.mask, 0, action)
        if got == BROKEN:
            failed = self.batch.fault(0)
            assert failed is not None
            raise failed
        self._step.function.failed(None)
        raise AssertionError

    def reset(self, seed: int) -> int:
        """Restarts under a seed: the seat that decides first, -1 if the match is over."""
        try:
            low, high = (seed & WORD, seed >> 32) if 0 <= seed <= LAST_SEED else seed_words(whole(seed, SEED))
        except (TypeError, ValueError):
            raise not_whole(seed, SEED) from None
        turn = self._turn
        try:
            turn.pop()
        except IndexError:
            raise Fault(InUse(NOWHERE)) from None
        try:
            one = self._start
            words = one.unsigned
            words[0] = low
            words[RAW] = high
            one.call(*one.given)
            got = one.words[0]
        finally:
            turn.append(None)
        return ~got if ENDED < got < 0 else self._stopped(got, 0)

    @property
    def seat(self) -> int:
        """Who decides, -1 for nobody."""
        return int(self.batch.seats[0])

    @property
    def total(self) -> int:
        """How many actions may be chosen, 0 if none decides."""
        return int(self.batch.totals[0])

    @property
    def node(self) -> int:
        """The decision that waits, -1 if none does."""
        return int(self.batch.nodes[0])

    @property
    def over(self) -> bool:
        return bool(self.batch.over[0])

    @property
    def scores(self) -> Int32s:
        """The totals of the seats, when the match is over."""
        found: Int32s = self.batch.scores[0]
        return found

    @property
    def winners(self) -> npt.NDArray[np.bool_]:
        """Which seats have won, when the match is over."""
        found: npt.NDArray[np.bool_] = self.batch.winners[0]
        return found

    @property
    def outcome(self) -> int:
        """How the match has ended: 1 for the first of `machine.endings`, 0 for an end without a name."""
        return int(self.batch.outcomes[0])

    def save(self) -> bytes:
        """The match as bytes, with the same chance to come."""
        with self._alone():
            return self.batch.save(0)

    def load(self, saved: bytes) -> int:
        """The match becomes what `save` has given: the seat that decides, -1 if it is over."""
        with self._alone():
            self.batch.load(0, saved)
        return self.seat

    def rekey(self, seed: int) -> None:
        """Other chance to come, drawn by another seed."""
        with self._alone():
            self.batch.rekey(0, seed)

    def play_on(self) -> None:
        """Plays the match to its end by random choices. Raises the `Fault` that it comes to."""
        with self._alone():
            self.batch.play_on(0)
            failed = self.batch.fault(0)
        if failed is not None:
            raise failed

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Who has the turn has the match. To take it from a list is cheaper than a lock, and as safe."""
        try:
            self._turn.pop()
        except IndexError:
            raise Fault(InUse(NOWHERE)) from None
        try:
            yield
        finally:
            self._turn.append(None)
