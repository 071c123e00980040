"""A match in memory: rows of its log, and the position that they lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from dsl.diagnostics import DiagnosticError
from dsl.rules import Rules
from dsl.source import NOWHERE
from interpreter.chance import ChanceSource
from interpreter.commitment import Subject, commitment
from interpreter.companion import Companion
from interpreter.events import ALL
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Decision, Game, MatchStep
from interpreter.match import Match, ScoreSheet
from interpreter.messages import Fault
from interpreter.opening import Opening
from interpreter.sights import REFEREE
from rulewright.layout.compose import seat_colours
from rulewright.serve.matches.clocks import SeatClock, clock_rule, clocks_after, clocks_of
from rulewright.serve.matches.event_log import BadRow, EventLog, OpenProposal, branch_of, queues_of
from rulewright.serve.messages import BrokenMatch
from rulewright.serve.store.storage import LogRow, MatchRow, SeatRow, Update

T = TypeVar("T")
CARRIED = "carried"
"""The part of a set-up that has what a match has carried over, by address in the words of the rules."""
MOST_UNDO = 64
"""How many choices are kept as positions; what is older is played again if it is needed."""
MOST_OPTIONS = 1 << 16
"""Parts that a decision may have."""
MOST_WORDS = 1 << 20
"""Words of all positions that are kept of a match, so that of large ones fewer are kept."""


@dataclass(frozen=True)
class LiveMatch:
    """A match as it was committed. Its parts are replaced, never changed.

    `match` is for reading: what plays on is a copy, see `drafted`. `clock` are the clocks of the seats, empty
    without a limit. With a `companion`, `match` is its match, with placeholders in it.
    """

    row: MatchRow
    seats: tuple[SeatRow, ...]
    match: Match
    log: EventLog
    clocks: tuple[SeatClock, ...] = ()
    companion: Companion | None = None

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def running(self) -> bool:
        """Whether it can be played on: by its row, which can be damaged, and by its rules."""
        return self.row.status == "running" and not (self.companion is None and self.match.over)

    @property
    def proposals(self) -> tuple[OpenProposal, ...]:
        """The proposals that wait for consent."""
        return self.log.proposals

    @property
    def people(self) -> frozenset[int]:
        """The seats that take back, propose and agree while the match runs: neither bots nor those gone."""
        if not self.running:
            return frozenset()
        return frozenset(s.seat for s in self.seats if s.kind != "bot" and s.seat not in self.log.gone)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that are asked, in order; in `together` that is a secret."""
        return asked(self.match)

    def version(self, viewer: int) -> int:
        """How often a viewer (seat, -1 spectator, -2 referee) has been told something.

        It never shrinks. Rows in branches of others in `together` are never counted, the one that ends it is;
        so neither this number, nor that something is sent if it has grown, says what others do meanwhile.
        """
        if viewer == REFEREE or self.companion is not None:
            return self.log.length
        return self.log.length - sum(n for seat, n in self.log.apart.items() if seat != viewer)

    @property
    def changed(self) -> int:
        """When something has happened last that everybody was told of, in milliseconds since 1970."""
        public = (row.at for row in reversed(self.log.rows) if branch_of(row) is None)
        return self.row.updated if self.companion is not None else next(public, self.row.updated)

    @property
    def opening(self) -> dict[str, str] | None:
        """The commitment to the seed, after the end with seed and nonce; none if chance is the system's."""
        if self.row.commitment is None:
            return None
        found = {"commitment": self.row.commitment}
        if self.row.status in ("over", "abandoned") and self.row.nonce is not None:
            found |= {"seed": str(self.row.salt), "nonce": self.row.nonce}
        return found

    @property
    def listing(self) -> dict[str, Any]:
        """What lists show of the match; its rules run for that. Raises `DiagnosticError`."""
        seats = list(self.asked) if self.running else []
        return listing_of(self.game.rules, len(self.seats), seats, self.changed)

    def at(self, step: int) -> Match:
        """The match after the decision to which a step belongs, by its index; for a replay.

        Raises `DiagnosticError` with `BrokenMatch`.
        """
        decision = self.log.decision_of(step)
        return replayed(self.row, self.game, self.log.standing[: self.log.first_of(decision + 1)])

    def followed(
        self,
        match: Match,
        rows: Sequence[LogRow],
        update: Update | None = None,
        companion: Companion | None = None,
    ) -> LiveMatch:
        """The match after some rows were committed; `match` is the position that they lead to."""
        row = updated(self.row, rows, update)
        clocks, rule = self.clocks, clock_rule(row.clock)
        for one in rows:
            clocks = clocks_after(rule, clocks, one)
        log = self.log.extended(rows)
        return LiveMatch(row, self.seats, match, log, clocks, companion)


def listing_of(rules: Rules, seats: int, asked: Sequence[int], changed: int) -> dict[str, Any]:
    """What is kept with a match, so that lists show it without opening it: its title, the colours of seats,
    who is asked, and when everybody was told of something last."""
    return {
        "title": rules.title,
        "colours": seat_colours(rules, seats),
        "asked": list(asked),
        "changed": changed,
    }


def asked(match: Match) -> tuple[int, ...]:
    """The seats that are asked; none before the first decision."""
    if not match.steps:
        return ()
    return tuple(sorted({waiting.seat for waiting in match.waiting()}))


def updated(row: MatchRow, rows: Sequence[LogRow], update: Update | None) -> MatchRow:
    """The record of a match after rows were appended."""
    found = replace(row, length=row.length + len(rows), updated=rows[-1].at) if rows else row
    if update is None:
        return found
    return replace(
        found,
        status=update.status or found.status,
        result=update.result if update.result is not None else found.result,
        digest=update.digest or found.digest,
        archive=update.archive or found.archive,
        listed=update.listed or found.listed,
    )


# ---- positions


class NotedMatch(Match):
    """A match that notes the last option that was taken, so that it can be taken again without a search.

    What can be chosen and the scores are found once for each position, not once for each who looks at it.
    """

    taken: tuple[Waiting, Option] | None = None
    _found: tuple[bytes, dict[object, Any]] = (b"", {})
    """A state, and what was found of it; copies of a match share it."""

    def take(self, waiting: Waiting, option: Option) -> MatchStep:
        """Carry out an option of a waiting decision. Returns its step. Raises `Fault` if the rules fail."""
        step = super().take(waiting, option)
        self.taken = waiting, option
        return step

    def waiting(self) -> tuple[Waiting, ...]:
        """The decisions that wait, as numbers."""
        return self._once("waiting", super().waiting)

    def decisions(self, written: str = "") -> tuple[Decision, ...]:
        """The decisions that wait, with words and labels; they name hidden pieces, too.

        Of numbers that are too many to list, those that are `written` are among the choices.
        """
        if written and any(waiting.ranges for waiting in self.waiting()):
            return super().decisions(written)
        return self._once("decisions", super().decisions)

    def accounts(self, viewer: int = REFEREE) -> list[ScoreSheet]:
        """The score of every seat now, or for another viewer as it was before the running `together`."""
        return list(self._once(("accounts", viewer), partial(super().accounts, viewer)))

    def _once(self, what: object, find: Callable[[], T]) -> T:
        """What `find` finds of the state, which it alone depends on."""
        state = self.state.tobytes()
        if self._found[0] != state:
            self._found = state, {}
        known = self._found[1]
        if what not in known:
            known[what] = find()
        found: T = known[what]
        return found


def new_match(row: MatchRow, game: Game) -> Match:
    """A match before its set-up, without a source of chance; it has what has carried over."""
    carried = row.set_up.get(CARRIED)
    opening = Opening.of(carried, carried=True) if carried is not None else None
    return NotedMatch(game, row.salt, opening=opening)


def taken_data(match: Match) -> list[object] | None:
    """The last option that was taken: node, branch, option, and what is done."""
    if not isinstance(match, NotedMatch) or match.taken is None:
        return None
    waiting, option = match.taken
    does = waiting.what[option[0]] if 0 <= option[0] < len(waiting.what) else None
    plain = None if does is None else [does[0], list(does[1])]
    return [waiting.node, waiting.branch, *option, plain]


def take_again(match: Match, seat: int, data: list[Any]) -> None:
    """Take an option that was noted. Raises `Fault` and whatever else, if it does not fit the position."""
    node, branch, which, value, does = data
    if not -1 <= which < MOST_OPTIONS:
        raise ValueError("no such option")
    what: list[tuple[int, tuple[int, ...]] | None] = [None] * (which + 1 if which >= 0 else 0)
    if does is not None:
        what[which] = does[0], tuple(does[1])
    option = which, value
    match.take(Waiting(seat, node, (option,), branch, tuple(what)), option)


def drafted(match: Match, chance: ChanceSource | None) -> Match:
    """A copy that can be played on."""
    draft = copy(match)
    draft.state = match.state[:]
    draft.steps = list(match.steps)
    draft.history = list(match.history)
    draft.outcomes = {stream: list(texts) for stream, texts in match.outcomes.items() if texts}
    draft.chance = chance
    return draft


def trimmed(match: Match) -> Match:
    """The match with as much history as is kept."""
    del match.history[: -positions_kept(match)]
    return match


def positions_kept(match: Match) -> int:
    """How many earlier positions of a match are kept."""
    return max(1, min(MOST_UNDO, MOST_WORDS // len(match.state)))


def replayed(row: MatchRow, game: Game, standing: Sequence[LogRow], log: EventLog | None = None) -> Match:
    """The match that rows lead to. With `log`, outcomes that were given back wait in it.

    Raises `DiagnosticError` with `BrokenMatch` at the first row that differs.
    """
    match = new_match(row, game)
    match.outcomes = queues_of(standing, {} if log is None else log.queues)
    return played_on(row, match, standing)


def played_on(row: MatchRow, match: Match, rows: Sequence[LogRow]) -> Match:
    """A match after the decisions in some rows; their outcomes wait in it. Raises `DiagnosticError`.

    Options are taken as they were noted; if that leads elsewhere, choices are made again by their words.
    """
    if not rows:
        return match
    quick = drafted(match, None)
    with suppress(Exception):  # what was noted may be anything
        return _played(row, quick, rows, noted=True)
    return _played(row, match, rows, noted=False)


def _played(row: MatchRow, match: Match, rows: Sequence[LogRow], noted: bool) -> Match:
    first = len(match.steps)
    for one in rows:
        try:
            if one.kind == "start":
                match.start()
            elif one.kind == "choice":
                assert one.seat is not None
                if noted and "taken" in one.data:
                    take_again(match, one.seat, one.data["taken"])
                else:
                    match.choose(game_seat(match.game, one.seat), one.data["words"])
        except Fault as fault:
            raise DiagnosticError(BrokenMatch(NOWHERE, row.id, one.seq, fault.diagnostic.message)) from None
        except (LookupError, TypeError, ValueError) as error:
            raise DiagnosticError(BrokenMatch(NOWHERE, row.id, one.seq, f"malformed: {error}")) from None
    check_rows(row, match.steps[first:], rows)
    return trimmed(match)


def check_rows(row: MatchRow, steps: Sequence[MatchStep], rows: Sequence[LogRow]) -> None:
    """Raises `DiagnosticError` with `BrokenMatch` if steps are not those of the rows."""
    for step, one in zip(steps, rows, strict=False):
        if step.text != text_of(one) or step.hash != one.data.get("hash"):
            raise DiagnosticError(BrokenMatch(NOWHERE, row.id, one.seq, "the position differs"))
    if len(steps) != len(rows):
        seq = rows[min(len(steps), len(rows)) - 1].seq
        raise DiagnosticError(BrokenMatch(NOWHERE, row.id, seq, "the number of outcomes differs"))


def text_of(row: LogRow) -> str:
    """The text of the step that a row stands for."""
    return str(row.data.get("words") or row.data.get("outcome") or "start")


def game_seat(game: Game, seat: int) -> str:
    return game.names.seat(seat)


# ---- rows of steps


@dataclass
class RowMaker:
    """Makes the rows that come next in a log."""

    length: int
    at: int
    rows: list[LogRow] = field(default_factory=list)

    def add(self, kind: str, seat: int | None = None, client: str | None = None, **data: object) -> LogRow:
        """One more row."""
        seq = self.length + len(self.rows) + 1
        row = LogRow(seq, kind, self.at, seat, client, data)  # type: ignore[arg-type]
        self.rows.append(row)
        return row

    def steps(self, match: Match, since: int, client: str | None = None, by: str | None = None) -> None:
        """The rows of the steps of a match from index `since` on; the last one says who is asked then."""
        new = match.steps[since:]
        taken = taken_data(match) if sum(step.seat is not None for step in new) == 1 else None
        for index, step in enumerate(new, since):
            data = dict(_step_data(match, step))
            if by is not None and step.seat is not None:
                data["by"] = by
            if taken is not None and step.seat is not None:
                data["taken"] = taken
            if index == len(match.steps) - 1:
                data["asked"] = list(asked(match))
            kind = "choice" if step.seat is not None else "chance" if step.stream is not None else "start"
            seat = None if step.seat is None else match.game.seat_number(step.seat)
            self.add(kind, seat, client if kind == "choice" else None, **data)


def _step_data(match: Match, step: MatchStep) -> Iterator[tuple[str, object]]:
    if step.seat is not None:
        yield "words", step.text
    elif step.stream is not None:
        yield from (("stream", step.stream), ("outcome", step.text), ("supplied", step.supplied))
    if step.branch:
        yield "branch", match.game.seat_number(step.branch)
    if ALL in step.events:
        yield "joined", True
    yield "hash", step.hash


def built(
    row: MatchRow,
    seats: Sequence[SeatRow],
    rows: Sequence[LogRow],
    game: Game,
    match: Match | None = None,
) -> LiveMatch:
    """A match from its rows; `match` is the position if it is known. Raises `DiagnosticError`."""
    log, clocks = folded(row, rows)
    position = match if match is not None else replayed(row, game, log.standing, log)
    return LiveMatch(row, tuple(seats), position, log, clocks)


def folded(row: MatchRow, rows: Sequence[LogRow]) -> tuple[EventLog, tuple[SeatClock, ...]]:
    """The log and the clocks of a match. Raises `DiagnosticError`."""
    try:
        log = EventLog().extended(rows)
    except BadRow as bad:
        raise DiagnosticError(BrokenMatch(NOWHERE, row.id, bad.seq, str(bad))) from None
    return log, clocks_of(clock_rule(row.clock), row.seats, rows)


def seed_commitment(row: MatchRow, nonce: str) -> str:
    """The commitment to the salt of a match as its seed."""
    return commitment(Subject(row.game, row.digest, row.seats, row.options), row.salt, nonce)
