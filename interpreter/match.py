"""Matches: one play of a game, by choices and by chance."""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from numbers import Integral
from typing import TYPE_CHECKING

from dsl.source import NOWHERE
from interpreter import ir
from interpreter.carrying import carried_from, changes_of, no_next
from interpreter.chance import ChanceSource, below, merged, stream_key
from interpreter.events import Ended, Event, Moved
from interpreter.executor_protocol import Option, Waiting
from interpreter.formatting import UNSEEN, fitting, outcome_name
from interpreter.game import Decision, Game, MatchStep, Refused
from interpreter.messages import BadOutcome, BadPosition, Fault, NotOffered, RunsForEver
from interpreter.opening import Opening, begin
from interpreter.pools import pools
from interpreter.position import CannotPlace
from interpreter.reference.codes import CHANCE
from interpreter.set_up import phases_of_set_up, set_up_alone
from interpreter.sights import REFEREE, SPECTATOR
from interpreter.standings import places, winners
from interpreter.undo import UndoBlocker, branch_depth, depth, undo_blocker
from interpreter.unseen import as_offered
from interpreter.views import View

if TYPE_CHECKING:
    from interpreter.beliefs.beliefs import Beliefs
    from interpreter.beliefs.mistakes import Method
    from interpreter.beliefs.opponents import OpponentModel

MOST_DRAWS = 10_000
"""The most random outcomes from one decision to the next."""
MOST_PREPARING = 10_000
"""The most decisions of a set-up."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score of a seat: lines (name, value, clauses), their total, and tie-breaks (name, value)."""

    seat: str
    lines: tuple[tuple[str, int, tuple[str, ...]], ...]
    total: int
    tiebreaks: tuple[tuple[str, int], ...]


@dataclass
class Match:
    """A match of a game. Call `start`, then `choose` or `take` until it is `over`.

    The seed determines all random outcomes. `outcomes` supplies them instead, by stream and in order; `None`
    stands for one that is drawn. With `chance`, outcomes come from there instead of the seed, and count as
    supplied. With `checked`, invariants and the number of pieces are checked at every stop. Without
    `keep_history`, steps have no hashes and nothing can be undone, which is faster. With an `opening`, the
    match begins from that position.

    If `start`, `run_from`, `choose` or `take` raises, the match is as it was before.
    """

    game: Game
    seed: int = 0
    outcomes: dict[str, list[str | None]] = field(default_factory=dict)
    checked: bool = False
    state: array[int] = field(init=False)
    steps: list[MatchStep] = field(default_factory=list)
    history: list[tuple[array[int], int]] = field(default_factory=list)
    keep_history: bool = True
    chance: ChanceSource | None = None
    opening: Opening | None = None
    refused: tuple[Refused, ...] = ()

    def __post_init__(self) -> None:
        self.state = self.game.executor.initial_state()
        self._keys = {name: stream_key(self.seed, name) for name in self.game.machine.streams}

    @classmethod
    def from_position(
        cls,
        game: Game,
        values: Mapping[str, object],
        *,
        at: str | None = None,
        seat: str | None = None,
        prepared: bool = False,
        spare: bool = False,
        carried: bool = False,
        seed: int = 0,
        outcomes: Mapping[str, Sequence[str | None]] | None = None,
        checked: bool = False,
        keep_history: bool = True,
        chance: ChanceSource | None = None,
    ) -> Match:
        """A match that begins from a position, run to its first decision.

        `values` are set as scenarios set them: `{"stone at c3": "A", "passes": 1, "hand of B": ["rose"]}`.
        Play starts `at` a phase or step, with `seat` at the turn, or the one who begins there; without `at`,
        with the first phase. With `prepared`, the set-up is played first, by the seed and first options.
        With `spare` there may be more pieces than the game has. With `carried`, `values` are what has carried
        over from another match, and the whole match follows. All else is as in `Match`.

        Raises `Fault` with `BadPosition` if there is no such position, and any `Fault` of the rules.
        """
        try:
            opening = Opening.of(values, at, seat, prepared=prepared, spare=spare, carried=carried)
        except CannotPlace as error:
            raise Fault(BadPosition(NOWHERE, str(error), error.hint)) from None
        return cls(
            game,
            seed,
            {stream: list(texts) for stream, texts in (outcomes or {}).items()},
            checked=checked,
            keep_history=keep_history,
            chance=chance,
            opening=opening,
        ).start()

    def start(self) -> Match:
        """Run to the first decision, and return the match. Raises `Fault` if the rules fail.

        With an opening it raises `Fault` with `BadPosition` if there is no such position.
        """
        (before, supplied), first = self._kept(), len(self.steps)
        try:
            node = self.open()
        except CannotPlace as error:
            raise Fault(BadPosition(NOWHERE, str(error), error.hint)) from None
        try:
            carried = self._carried_changes()
            self.run_from(node)
            if carried:
                self.steps[first] = replace(self.steps[first], events=(*carried, *self.steps[first].events))
            self._check_opening()
        except BaseException:
            self.state, self.outcomes = before, supplied
            del self.steps[first:]
            raise
        return self

    def _carried_changes(self) -> tuple[Event, ...]:
        """What has carried over from the match before, as events at the start of this one."""
        carried = self.opening is not None and self.opening.carried
        return changes_of(self.game, self.state) if carried else ()

    def _check_opening(self) -> None:
        """Raises `Fault` with `BadPosition` if the opening breaks a promise of the rules."""
        if self.opening is not None and not self.state[ir.FORKED]:
            try:
                self.game.reference.check_promises(self.state)
            except Fault as fault:
                raise Fault(BadPosition(fault.diagnostic.span, fault.diagnostic.message)) from None

    def open(self) -> int:
        """Take up the opening, if there is one; the node to run from. Raises `CannotPlace`."""
        if self.opening is None:
            return self.game.machine.start
        self.state, node = begin(self.game, self.opening, lambda at: prepared(self.game, at, self.seed))
        return node

    def carried(self) -> Opening | None:
        """What the next match begins with; none if the match is not over, or no other one follows."""
        return carried_from(self.game, self.state) if self.over else None

    def next(self, seed: int = 0) -> Match:
        """The next match of the same seats, begun with what carries over, run to its first decision.

        Raises `Fault` with `NoNextMatch` if none follows, and any `Fault` of the rules.
        """
        opening = self.carried()
        if opening is None:
            raise Fault(no_next(self.game, self.over))
        following = Match(self.game, seed, checked=self.checked, opening=opening)
        following.keep_history = self.keep_history
        return following.start()

    def run_from(self, node: int) -> Match:
        """Run from a node, for a position that was set up. Raises `Fault` if the rules fail."""
        before, supplied = self._kept()
        try:
            self._go(
                lambda: self.game.executor.advance(self.state, node), MatchStep(None, None, "start", (), "")
            )
        except BaseException:
            self.state, self.outcomes = before, supplied
            raise
        return self

    def _kept(self) -> tuple[array[int], dict[str, list[str | None]]]:
        """Copies of the state and the supplied outcomes, to restore if something fails."""
        return self.state[:], {k: list(v) for k, v in self.outcomes.items()}

    # ---- decisions

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state[ir.STATUS])

    def waiting(self) -> tuple[Waiting, ...]:
        """The decisions that wait, as numbers: for programs that play many matches."""
        return self.game.executor.waiting(self.state)

    def decisions(self, written: str = "") -> tuple[Decision, ...]:
        """The decisions that wait, with words and labels; they name hidden pieces, too.

        Of numbers that are too many to list, those that are `written` are among the choices.
        """
        return tuple(self.decision(self.game.including(w, written)) for w in self.waiting())

    def offered_to(self, seat: int, written: str = "") -> tuple[Decision, ...]:
        """The decisions of a seat, by its number, as it may read them: hidden pieces are numbered.

        Of numbers that are too many to list, those that are `written` are among the choices.
        """
        return tuple(as_offered(self, d) for d in self.decisions(written) if d.waiting.seat == seat)

    def decision(self, waiting: Waiting) -> Decision:
        """A decision that waits, with words and labels; they name hidden pieces, too."""
        return self.game.decision(waiting)

    # ---- choosing

    def choose(self, seat: str, written: str) -> MatchStep:
        """Carry out a choice by its words, from `decisions` or `offered_to`; some of the words suffice.

        Returns the step of the choice. Raises `Fault` with `NotOffered` if it is not offered, and any `Fault`
        of the rules.
        """
        for decision in self.decisions(written):
            if decision.seat == seat:
                decision = as_offered(self, decision) if UNSEEN in written.split() else decision
                found = fitting(written, [c.words for c in decision.choices])
                if len(found) == 1:
                    return self.take(decision.waiting, decision.choices[found[0]].option)
                why, hint = self.game.refusals.why(self.state[:], decision.waiting, written)
                self._note_refusal(Refused(len(self.history), seat, written, why, hint))
                raise Fault(NotOffered(NOWHERE, seat, written, why, hint))
        if self.over:
            raise Fault(NotOffered(NOWHERE, seat, written, "the game is over"))
        asked = " and ".join(f"{d.seat}, for `{d.name}`" for d in self.decisions())
        why = "this seat has nothing to decide now"
        raise Fault(NotOffered(NOWHERE, seat, written, why, f"waiting for {asked}" if asked else ""))

    def _note_refusal(self, refused: Refused) -> None:
        if self.keep_history and refused not in self.refused:
            self.refused = (*self.refused, refused)

    def take(self, waiting: Waiting, option: Option) -> MatchStep:
        """Carry out an option of a waiting decision. Returns its step. Raises `Fault` if the rules fail."""
        step = self._choice_step(waiting, option)
        if self.keep_history:
            self.history.append((self.state[:], len(self.steps)))
        before, supplied = self._kept()
        try:
            return self._go(lambda: self.game.executor.choose(self.state, waiting, option), step)
        except BaseException:
            self.state, self.outcomes = before, supplied
            if self.keep_history:
                self.history.pop()
            raise

    def _choice_step(self, waiting: Waiting, option: Option) -> MatchStep:
        names, node = self.game.names, self.game.machine.decision(waiting.node)
        seat, text = names.seat(waiting.seat), " ".join(names.choice(node, option, waiting.what))
        open_text, own_text = (
            self.game.views.choice_text(self.state, waiting, option, viewer)
            for viewer in (SPECTATOR, waiting.seat)
        )
        return MatchStep(
            seat,
            None,
            text,
            (),
            "",
            open_text=open_text,
            branch=seat if self.state[ir.FORKED] else "",
            own_text=own_text,
            node=waiting.node,
            may_show=self.game.views.private_shows.may_follow(waiting, option),
        )

    def _go(self, act: Callable[[], int], step: MatchStep) -> MatchStep:
        """Run to the next decision or the end. Each random outcome on the way is a step of its own."""
        executor = self.game.executor
        first, tops = len(self.steps), self.game.views.tops
        begun = (self.game.views.before(self.state) or self.state[:]) if tops else self.state
        events: list[Event] = []
        executor.sink = events
        try:
            code = act()
            self._note(step, events)
            while code == CHANCE:
                if len(self.steps) - first > MOST_DRAWS:
                    raise Fault(RunsForEver(self._chance().span, MOST_DRAWS, "outcomes of chance"))
                before = self.state[:] if self.keep_history and self._chance().place is not None else None
                outcome, drawn = self.draw()
                events = []
                executor.sink = events
                code = executor.resolve_chance(self.state, outcome)
                self._note(drawn if before is None else self._pooled(drawn, events, before), events)
            if tops:
                told = self.game.views.with_tops(self.steps[-1].events, begun, self.state)
                self.steps[-1] = replace(self.steps[-1], events=told)
            if self.checked and not self.state[ir.FORKED]:
                executor.check(self.state)
        except BaseException:
            del self.steps[first:]
            raise
        finally:
            executor.sink = None
        return self.steps[first]

    def _pooled(self, step: MatchStep, events: list[Event], before: array[int]) -> MatchStep:
        """The step of a draw from a place with its pools, from the state before it; its move comes first."""
        match events:
            case [Moved(source=source), *_]:
                return replace(step, pools=pools(self.game.views, before, source))
        return step

    def _note(self, step: MatchStep, events: list[Event]) -> None:
        """Add a step with its events and, if there is a history, the hash of the state."""
        digest = self.hash() if self.keep_history else ""
        self.steps.append(replace(step, events=tuple(events), hash=digest))

    # ---- chance

    def draw(self) -> tuple[int, MatchStep]:
        """The next random outcome, supplied or drawn, and its step. Raises `Fault` for an impossible one."""
        mc, node = self.game.machine, self._chance()
        stream = mc.streams[node.stream]
        weighted = self.game.executor.outcomes(self.state)
        queue = self.outcomes.get(stream)
        text = queue.pop(0) if queue else None
        if self.chance is not None:
            named = [(outcome_name(node, o), weight) for o, weight in merged(weighted)]
            if text not in dict(named):  # one that was given back need not be possible any more
                text = self.chance.pick(stream, named)
        if text is not None:
            outcome = _supplied(node, stream, text, weighted)
            return outcome, self.drawn(node, text, True, weighted)
        word = mc.stream_base + node.stream
        ends = list(accumulate(weight for _, weight in weighted))
        number, self.state[word] = below(ends[-1], self.state[word], self._keys[stream])
        outcome = next(o for (o, _), end in zip(weighted, ends, strict=True) if number < end)
        return outcome, self.drawn(node, outcome_name(node, outcome), False, weighted)

    def _chance(self) -> ir.Chance:
        """The current chance node."""
        return self.game.machine.node(self.state[ir.PC], ir.Chance)

    def drawn(
        self, node: ir.Chance, text: str, supplied: bool = False, weighted: Sequence[tuple[int, int]] = ()
    ) -> MatchStep:
        """The step of a random outcome; `weighted` are all that were possible."""
        branch = self.game.names.seat(self.state[ir.RUNNING] - 1) if self.state[ir.FORKED] else ""
        public = self.keep_history and (node.faces is not None or node.open)
        odds = tuple((outcome_name(node, o), weight) for o, weight in merged(weighted)) if public else ()
        stream = self.game.machine.streams[node.stream]
        return MatchStep(None, stream, text, (), "", supplied, branch=branch, odds=odds)

    # ---- views and scores

    def view(self, seat: int | str) -> View:
        """What a viewer sees now: a seat, by its number or name, `SPECTATOR` or `REFEREE`.

        Raises `KeyError` for a name that no seat has.
        """
        if isinstance(seat, str):
            names = [self.game.names.seat(i) for i in range(self.game.machine.seats)]
            if seat not in names:
                raise KeyError(seat)
            seat = names.index(seat)
        return self.game.views.view(self.state, seat)

    def hash(self) -> str:
        """A hash of the whole state: 64 bits as 16 hexadecimal digits."""
        words = self.state
        if sys.byteorder == "big":
            words = words[:]
            words.byteswap()
        return hashlib.blake2b(words.tobytes(), digest_size=8).hexdigest()

    def accounts(self, viewer: int = REFEREE) -> list[ScoreSheet]:
        """The score of every seat now, or for another viewer as it was before the running `together`."""
        state = self.game.views.before(self.state, viewer) or self.state
        found = []
        for seat in range(self.game.machine.seats):
            lines = self.game.executor.score(state, seat)
            score = tuple((c.name, v, c.clauses) for c, v in lines if c.kind == "score")
            ties = tuple((c.name, v) for c, v in lines if c.kind == "tiebreak")
            found.append(ScoreSheet(self.game.names.seat(seat), score, sum(v for _, v, _ in score), ties))
        return found

    def winners(self) -> list[str]:
        """The seats that have won: all that share the best score and tie-breaks; none before the end."""
        names = self.game.names
        mask = self.state[ir.WINNERS]
        if self.game.machine.is_decided(self.state):
            return [names.seat(i) for i in range(self.game.machine.seats) if mask >> i & 1]
        if not self.over or self.game.machine.best == "none":
            return []
        return [names.seat(i) for i in winners(self.game.machine.best, self._compared())]

    def _compared(self) -> list[tuple[int, list[int]]]:
        """The total of each seat, and its tie-breaks, of which the greatest decides."""
        lowest = self.game.machine.lowest_ties
        return [(a.total, [-v if name in lowest else v for name, v in a.tiebreaks]) for a in self.accounts()]

    def outcome(self) -> str | None:
        """The name of how the match has ended, if the rules give it one."""
        return self.game.machine.ending(self.state)

    def ended_by(self) -> tuple[str, ...]:
        """The clauses by which the match has ended; none before the end, or if no clause says it."""
        events = self.steps[-1].events if self.over and self.steps else ()
        node = next((event.node for event in events if isinstance(event, Ended)), None)
        return self.game.views.ends.get(node, ()) if node is not None else ()

    def places(self) -> list[int]:
        """The place of each seat at the end, 1 for those who have won; empty before the end.

        Where the account decides, all are placed by it. Where the rules name the winners, all others share
        the place after them; if nobody wins, all share the first.
        """
        if not self.over:
            return []
        mc, won = self.game.machine, self.winners()
        if mc.best == "none" or mc.is_decided(self.state):
            names = map(self.game.names.seat, range(mc.seats))
            return [1 if name in won or not won else len(won) + 1 for name in names]
        return places(mc.best, self._compared())

    def beliefs(
        self,
        seat: int | str,
        worlds: int = 320,
        seed: int = 0,
        steps: int | None = None,
        model: OpponentModel | None = None,
        method: Method = "enumerate or sample",
    ) -> Beliefs:
        """What a seat may believe, by its number or name: worlds that fit all that it has been told.

        `SPECTATOR` of `interpreter.views`, or the word `spectator`, stands for somebody who watches.

        Nothing but the rules and the log of the seat is read. `steps` bounds the work, by default to
        `MOST_STEPS`; `model` says how others choose, by default uniformly, and `method` whether all worlds
        are wanted. Raises `Fault` with `NoBeliefs` if no world is found, or the match has not begun or keeps
        no history, with `NoWorldInBudget` if the steps do not suffice, with `UnknownInBeliefs` for a seat
        that does not exist, with `BadBeliefsArgument`, and with `BadOpponentModel`.
        """
        from interpreter.beliefs.beliefs import MOST_STEPS, believe
        from interpreter.beliefs.mistakes import unknown
        from interpreter.beliefs.seat_log import SeatLog

        try:
            if isinstance(seat, bool) or not isinstance(seat, str | Integral):
                raise TypeError
            viewer = self._viewer(seat)
        except (KeyError, TypeError):
            names = [self.game.names.seat(i) for i in range(self.game.machine.seats)]
            raise unknown("seat", seat, [*names, "spectator"], "there are") from None
        most = MOST_STEPS if steps is None else steps
        return believe(self.game, SeatLog.of(self, viewer), worlds, seed, model, method, most)

    def _viewer(self, seat: int | str) -> int:
        """The number of a seat, or of the spectator. Raises `KeyError` if there is none."""
        names = [self.game.names.seat(i) for i in range(self.game.machine.seats)]
        if isinstance(seat, str):
            if seat not in names and seat.lower() == "spectator":
                return SPECTATOR
            return self.game.seat_number(seat)
        if seat != SPECTATOR and not 0 <= seat < len(names):
            raise KeyError(seat)
        return seat

    # ---- undo

    def undo_depth(self) -> int:
        """How many choices the seat that made the last one can take back without consent.

        They end where a seat has learned something, or another seat has chosen.
        """
        return depth(self)

    def can_undo(self) -> bool:
        """Whether the seat that made the last choice can take it back without consent."""
        return self.undo_depth() > 0

    def why_no_undo(self, number: int = 1, people: Collection[str] | None = None) -> UndoBlocker | None:
        """Why the last choices cannot be taken back without consent, and whose; none if they can.

        `people` are the seats that others than bots play; without it, all.
        """
        return undo_blocker(self, number, people)

    def undo(self, consent: Collection[str] = frozenset(), number: int = 1) -> bool:
        """Take back the last choices, if nobody has learned anything since or all seats concerned consent.

        Returns whether they were taken back. The same choices then lead to the same random outcomes again.
        """
        blocker = self.why_no_undo(number)
        if blocker is not None and not (blocker.consent and blocker.consent <= set(consent)):
            return False
        before, length = self.history[-number]
        self.state = before[:]
        self._give_back(self.steps[length:])
        del self.history[-number:]
        del self.steps[length:]
        self.refused = tuple(one for one in self.refused if one.choices <= len(self.history))
        return True

    def undo_in_branch(self, seat: int, number: int = 1) -> bool:
        """Take back the last choices of a seat in a running `together`; those of others stay.

        Returns whether they were taken back: see `branch_depth`.
        """
        if not 0 < number <= branch_depth(self, seat):
            return False
        own = self.game.names.seat(seat)
        places = [i for i, (_, first) in enumerate(self.history) if self.steps[first].seat == own][-number:]
        kept = self.state, self.history[:], self.steps[:], self.outcomes, self.chance
        again = [i for i in range(places[0], len(self.history)) if i not in places]
        ends = [*(first for _, first in self.history[1:]), len(self.steps)]
        later = [self.steps[self.history[i][1] : ends[i]] for i in again]
        before, length = self.history[places[0]]
        self.state = before[:]
        del self.history[places[0] :], self.steps[length:]
        try:
            for choice, *drawn in later:
                self._again(choice, drawn)
        except Fault:
            self.state, self.history, self.steps, self.outcomes, self.chance = kept
            return False
        self.outcomes, self.chance = kept[3:]
        return True

    def _again(self, choice: MatchStep, drawn: list[MatchStep]) -> None:
        """Make a choice again, with the outcomes that followed it. Raises `Fault` if it is not offered."""
        supplied: dict[str, list[str | None]] = {}
        for step in drawn:
            assert step.stream is not None
            supplied.setdefault(step.stream, []).append(step.text if step.supplied else None)
        self.outcomes, self.chance = supplied, None
        waiting = next(w for w in self.waiting() if self.game.names.seat(w.seat) == choice.seat)
        names, node = self.game.names, self.game.machine.decision(waiting.node)
        for option in self.game.including(waiting, choice.text).options:
            if " ".join(names.choice(node, option, waiting.what)) == choice.text:
                self.take(waiting, option)
                return
        raise Fault(NotOffered(NOWHERE, choice.seat or "", choice.text, "a choice before it was taken back"))

    def _give_back(self, steps: list[MatchStep]) -> None:
        """Put the supplied outcomes of some steps back into the queues."""
        for step in reversed(steps):
            if step.stream is not None and (step.supplied or self.outcomes.get(step.stream)):
                self.outcomes.setdefault(step.stream, []).insert(0, step.text if step.supplied else None)


def prepared(game: Game, at: str | None, seed: int) -> array[int]:
    """The state after the set-up, played by a seed with the first option of each decision.

    The set-up ends where a phase begins that can come again, that scores, or that is the phase of a step. If
    the first phase can come again, it ends at the first decision. Raises `CannotPlace` if it takes too long.
    """
    until = at.partition(".")[0] if at is not None else None
    match = Match(set_up_alone(game, until), seed, keep_history=False).start()
    once = phases_of_set_up(game.rules)
    for _ in range(MOST_PREPARING):
        if match.over:
            s, ended = match.state, game.machine.ended
            for word in (ir.STATUS, ir.PC, ir.WINNERS, *((ended,) if ended else ())):
                s[word] = 0
        waits = bool(match.state[ir.PC])
        if not match.state[ir.FORKED] and not (waits and once):
            return match.state
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    raise CannotPlace(f"the set-up does not end within {MOST_PREPARING} decisions")


def _supplied(node: ir.Chance, stream: str, text: str, weighted: list[tuple[int, int]]) -> int:
    """The number of a supplied outcome. Raises `Fault` with `BadOutcome` if it is not possible."""
    possible = {outcome_name(node, o): o for o, _ in weighted}
    if text not in possible:
        hint = f"possible: {', '.join(list(possible)[:12])}"
        if node.most is not None:
            last = max(possible.values(), default=0)
            instead = f"set the pile itself: `set: {{{stream}: [...]}}`"
            hint = f"each exchange of a shuffle is a number of 0..{last}; {instead}"
        raise Fault(BadOutcome(node.span, text, stream, hint))
    return possible[text]
