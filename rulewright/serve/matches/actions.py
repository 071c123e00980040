"""What can be done in a match: each action is a function from a match to what has to be committed for it.

Nothing is changed: an action plays on a copy. What is not possible raises `Fault` (of the rules) or
`DiagnosticError`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.chance import ChanceSource
from interpreter.companion import Companion
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.matches.undo import number_of_choices
from rulewright.serve.matches.chance import SystemChance
from rulewright.serve.matches.event_log import branch_of, queues_of
from rulewright.serve.matches.live import LiveMatch, RowMaker, asked, drafted, game_seat, replayed, trimmed
from rulewright.serve.messages import NotNow, Stale
from rulewright.serve.store.storage import LogRow, Update

POSITIONS = frozenset({"start", "choice", "chance", "told", "undo", "repair", "migrated"})
"""Kinds of rows that change the position."""
LONGEST_WORDS = 2_000
"""Characters of a choice."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What has to be committed, and the position that it leads to."""

    match: Match
    rows: tuple[LogRow, ...]
    update: Update | None = None
    companion: Companion | None = None


Doing = Prepared | Generator[None, None, Prepared]
Action = Callable[[LiveMatch, int], Doing]
"""An action by a match and the server's time; one that may take long goes step by step."""


def refuse(why: str, hint: str = "") -> NoReturn:
    """Raises `DiagnosticError` with `NotNow`."""
    raise DiagnosticError(NotNow(NOWHERE, why, hint))


def source_of_chance(live: LiveMatch, chance: ChanceSource | None = None) -> ChanceSource | None:
    """Where outcomes come from: a committed seed (None), or the system."""
    return None if live.row.commitment is not None else chance or SystemChance()


def check_playing(live: LiveMatch, seat: int) -> None:
    """Raises `DiagnosticError` unless the match runs and the seat plays in it."""
    if live.row.status == "waiting":
        refuse("the match has not begun", "it begins when all seats are taken")
    if not live.running:
        refuse("the match is over")
    if not 0 <= seat < live.row.seats:
        refuse("this is not a seat of the match")
    if seat in live.log.gone:
        refuse(f"{game_seat(live.game, seat)} has given up")


def check_seen(live: LiveMatch, seat: int, seen: int | None) -> None:
    """Raises `DiagnosticError` with `Stale` if the position has changed since version `seen` for a seat."""
    if seen is None:
        return
    version = live.version(seat)
    for row in reversed(live.log.rows):
        if version <= seen:
            return
        if live.companion is None and branch_of(row) not in (None, seat):
            continue
        if row.kind in POSITIONS:
            raise DiagnosticError(Stale(NOWHERE, seen, live.version(seat)))
        version -= 1


# ---- choices


def chosen(
    live: LiveMatch,
    at: int,
    seat: int,
    words: str,
    client: str | None,
    chance: ChanceSource | None = None,
    by: str | None = None,
) -> Prepared:
    """A choice by its words; `by` says who made it for its seat."""
    if len(words) > LONGEST_WORDS:
        refuse("these are too many words for a choice")
    clock = live.clocks[seat] if live.clocks else None
    if by is None and clock is not None and clock.deadline is not None and at > clock.deadline:
        refuse(f"the time of {game_seat(live.game, seat)} is up")
    draft = drafted(live.match, source_of_chance(live, chance))
    since = len(draft.steps)
    draft.choose(game_seat(live.game, seat), words)
    maker = RowMaker(live.log.length, at)
    maker.steps(draft, since, client, by)
    return Prepared(trimmed(draft), tuple(maker.rows), ended(draft))


def ended(match: Match) -> Update | None:
    """What changes of a match whose game is over."""
    if not match.over:
        return None
    winners = [match.game.seat_number(name) for name in match.winners()]
    return Update("over", {"by": "rules", "winners": winners})


# ---- undo, repair, proposals


def undone(live: LiveMatch, at: int, seat: int, number: int, client: str | None) -> Prepared:
    """A seat's last choices taken back; if others have to agree, a proposal of that."""
    own = game_seat(live.game, seat)
    if live.match.state[ir.FORKED]:
        return _undone_in_branch(live, at, seat, number, client)
    entries = number_of_choices(live.match, own, lambda _, __: False, number)
    if not entries:
        refuse(f"{own} has not made that many choices that can be taken back")
    blocker = live.match.why_no_undo(entries, [game_seat(live.game, i) for i in live.people])
    maker = RowMaker(live.log.length, at)
    if blocker is None:
        draft = take_back(live, entries, maker, seat, client)
        return Prepared(draft, tuple(maker.rows))
    needed = {live.game.seat_number(name) for name in blocker.consent} - {seat}
    if not needed:
        other = next((i for i in range(live.row.seats) if i not in live.people), None)
        nobody = "" if other is None else f"; {game_seat(live.game, other)} cannot agree to it"
        refuse(f"{blocker.why}{nobody}")
    _check_single(live, seat, "undo")
    data = {"number": entries, "why": blocker.why}
    maker.add("proposal", seat, client, what="undo", data=data, needed=sorted(needed))
    return Prepared(live.match, tuple(maker.rows))


def _check_single(live: LiveMatch, seat: int, what: str) -> None:
    """Raises `DiagnosticError` if a seat has such a proposal already, so that they cannot pile up."""
    if any(one.seat == seat and one.what == what for one in live.proposals):
        refuse("this has been proposed already", "withdraw it first")


def _undone_in_branch(live: LiveMatch, at: int, seat: int, number: int, client: str | None) -> Prepared:
    """A seat's last choices in a running `together` taken back; nothing tells whether others have chosen."""
    draft, own = drafted(live.match, None), game_seat(live.game, seat)
    mine = [first for _, first in draft.history if draft.steps[first].seat == own][-number:]
    if not draft.undo_in_branch(seat, number):
        refuse(f"{own} cannot take that back while others choose at the same time")
    maker = RowMaker(live.log.length, at)
    removed = [live.log.standing[index].seq for index in mine]
    hashes = [step.hash for step in draft.steps[mine[0] :]]
    data = {"removed": removed, "hashes": hashes, "asked": list(asked(draft)), "branch": seat}
    maker.add("undo", seat, client, **data)
    return Prepared(draft, tuple(maker.rows))


def take_back(live: LiveMatch, entries: int, maker: RowMaker, seat: int, client: str | None) -> Match:
    """The match without its last choices, and the row that says so; all who have a say have agreed."""
    draft = drafted(live.match, None)
    if not draft.undo([game_seat(live.game, i) for i in range(live.row.seats)], entries):
        refuse("it cannot be taken back any more")
    left = live.log.decisions - entries
    maker.add("undo", seat, client, left=left, outcomes=_texts(draft), asked=list(asked(draft)))
    return draft


def proposed(
    live: LiveMatch, at: int, seat: int, what: str, data: Mapping[str, Any], client: str | None
) -> Prepared:
    """A proposal of a repair or of the end of the match; carried out at once if nobody else has to agree."""
    if what not in ("repair", "abandon"):
        refuse(f"`{what}` cannot be proposed")
    if live.companion is not None and what == "repair":
        refuse("a companion needs no repair", "take back, and tell it anew")
    checked = _repair_data(live, data) if what == "repair" else {}
    needed = sorted(live.people - {seat}) if live.companion is None else []
    maker = RowMaker(live.log.length, at)
    if needed:
        _check_single(live, seat, what)
        maker.add("proposal", seat, client, what=what, data=checked, needed=needed)
        return Prepared(live.match, tuple(maker.rows))
    match, update = _carried_out(live, what, checked, maker, seat, client)
    return Prepared(match, tuple(maker.rows), update, live.companion)


def answered(live: LiveMatch, at: int, seat: int, proposal: int, agree: bool, client: str | None) -> Prepared:
    """An answer to a proposal; the last agreement carries it out."""
    found = next((one for one in live.proposals if one.id == proposal), None)
    if found is None:
        refuse("this proposal does not wait any more")
    if seat not in found.needed - found.agreed and (agree or seat != found.seat):
        refuse(f"{game_seat(live.game, seat)} is not asked to agree to it")
    maker = RowMaker(live.log.length, at)
    maker.add("answer", seat, client, proposal=proposal, agree=agree)
    if not agree or found.agreed | {seat} < found.needed:
        return Prepared(live.match, tuple(maker.rows))
    match, update = _carried_out(live, found.what, found.data, maker, found.seat, None)
    return Prepared(match, tuple(maker.rows), update)


def _carried_out(
    live: LiveMatch,
    what: str,
    data: Mapping[str, Any],
    maker: RowMaker,
    seat: int,
    client: str | None,
) -> tuple[Match, Update | None]:
    match what:
        case "undo":
            return take_back(live, data["number"], maker, seat, client), None
        case "repair":
            return _repaired(live, data, maker, seat, client)
        case "abandon":
            maker.add("abandoned", seat, client)
            return live.match, Update("abandoned", {"by": "agreement", "winners": []})
    refuse(f"`{what}` cannot be carried out")


def _repair_data(live: LiveMatch, data: Mapping[str, Any]) -> dict[str, Any]:
    """What a repair is, checked. Raises `DiagnosticError`."""
    step, outcome = data.get("step"), data.get("outcome")
    if type(step) is not int or not 0 <= step < len(live.log.standing):
        refuse("a repair names a step of the match")
    if outcome is None:
        if live.log.decision_of(step) == 0:
            refuse("the set-up cannot be taken back")
        row = live.log.standing[step]
        if live.match.state[ir.FORKED] and row.seq > live.log.joined and "branch" in row.data:
            refuse("what is chosen at the same time can be repaired when all have chosen")
        return {"step": step}
    if live.log.standing[step].kind != "chance" or not isinstance(outcome, str):
        refuse("this step is not a random outcome")
    return {"step": step, "outcome": outcome[:LONGEST_WORDS]}


def _repaired(
    live: LiveMatch, data: Mapping[str, Any], maker: RowMaker, seat: int, client: str | None
) -> tuple[Match, Update | None]:
    """The match as it was before the decision of a step; with another outcome, that decision made again."""
    log, step = live.log, data["step"]
    decision = log.decision_of(step)
    first = log.first_of(decision)
    draft = replayed(live.row, live.game, log.standing[:first])
    if "outcome" not in data:
        draft.outcomes = queues_of(log.standing[first:], log.queues)
        row = {"left": decision, "outcomes": _texts(draft), "asked": list(asked(draft))}
        maker.add("repair", seat, client, **row)
        return draft, None
    draft.outcomes = queues_of(log.standing[first:step], {})
    draft.outcomes.setdefault(log.standing[step].data["stream"], []).append(data["outcome"])
    maker.add("repair", seat, client, left=decision, outcomes=_texts(draft), step=step)
    draft.chance, since, again = source_of_chance(live), len(draft.steps), log.standing[first]
    try:
        if again.seat is None:
            draft.start()
        else:
            draft.choose(game_seat(live.game, again.seat), again.data["words"])
    except Fault:
        refuse(f"`{data['outcome']}` cannot be the outcome there")
    if len(draft.steps) <= step or draft.steps[step].text != data["outcome"]:
        refuse(f"`{data['outcome']}` cannot be the outcome there")
    maker.steps(draft, since, by=again.data.get("by"))
    return trimmed(draft), ended(draft)


def _texts(match: Match) -> dict[str, list[str | None]]:
    return {stream: list(texts) for stream, texts in match.outcomes.items() if texts}


# ---- the end, and the clock


def resigned(live: LiveMatch, at: int, seat: int, client: str | None) -> Prepared:
    """A seat gives up."""
    maker = RowMaker(live.log.length, at)
    maker.add("resigned", seat, client)
    return Prepared(live.match, tuple(maker.rows), without(live, seat, "resignation"), live.companion)


def without(live: LiveMatch, seat: int, by: str) -> Update | None:
    """What changes when a seat is gone: if at most one is left, the match is over."""
    left = [i for i in range(live.row.seats) if i not in live.log.gone | {seat}]
    people = [i for i in left if live.seats[i].kind != "bot"]
    if len(left) > 1 and people:
        return None
    return Update("over", {"by": by, "seat": seat, "winners": left if len(left) == 1 else []})


def late_seats(live: LiveMatch, at: int) -> list[int]:
    """The seats whose time is up, the first one first."""
    if not live.running:
        return []
    late = [(c.deadline, i) for i, c in enumerate(live.clocks) if c.deadline is not None and at > c.deadline]
    return [seat for _, seat in sorted(late) if seat not in live.log.gone]


def expired(
    live: LiveMatch, at: int, absent: Callable[[Match, int], str | None], chance: ChanceSource | None
) -> Prepared | None:
    """What follows when the time of a seat is up; None if that of no seat is."""
    late = late_seats(live, at)
    if not late:
        return None
    seat = late[0]
    maker = RowMaker(live.log.length, at)
    then = live.row.clock["expiry"]
    # In `together` nobody else is told that the seat has not chosen in time.
    alone = {"branch": seat} if live.match.state[ir.FORKED] and then == "absent" else {}
    maker.add("clock", seat, None, event="expired", then=then, **alone)
    if then == "forfeit":
        return Prepared(live.match, tuple(maker.rows), without(live, seat, "clock"))
    words = absent(live.match, seat)
    if words is None:
        refuse("this seat has nothing to decide")
    draft = drafted(live.match, source_of_chance(live, chance))
    since = len(draft.steps)
    draft.choose(game_seat(live.game, seat), words)
    maker.steps(draft, since, by="absent")
    return Prepared(trimmed(draft), tuple(maker.rows), ended(draft))


def closed(live: LiveMatch, at: int) -> Prepared:
    """A match that has not begun never will."""
    if live.row.status != "waiting":
        refuse("the match has begun")
    maker = RowMaker(live.log.length, at)
    maker.add("abandoned")
    return Prepared(
        live.match, tuple(maker.rows), Update("abandoned", {"by": "owner", "winners": []}), live.companion
    )


def undecided(live: LiveMatch) -> frozenset[int]:
    """The seats whose people have not agreed to a rematch that waits for them."""
    return frozenset(
        seat
        for one in live.proposals
        if live.row.status == "waiting" and one.what == "rematch"
        for seat in one.needed - one.agreed
        if live.seats[seat].kind == "human"
    )


def answered_rematch(
    live: LiveMatch, at: int, seats: Collection[int], agree: bool, here: Collection[int]
) -> Prepared:
    """An answer to a rematch by whoever plays some seats; the last agreement begins it, a refusal ends it.

    Whoever has agreed but is not among those `here` then is asked again, as their clock would run.
    """
    found = next((one for one in live.proposals if one.what == "rematch"), None)
    if live.row.status != "waiting" or found is None:
        refuse("no rematch waits for an answer")
    maker = RowMaker(live.log.length, at)
    if not agree:
        seat = next((i for i in sorted(seats) if i in found.needed | {found.seat}), None)
        if seat is None:
            refuse("this seat is not asked about a rematch")
        maker.add("abandoned", seat)
        result = {"by": "agreement", "winners": [], "declined": seat}
        return Prepared(live.match, tuple(maker.rows), Update("abandoned", result), live.companion)
    asked_ = undecided(live)
    for seat in sorted(asked_ & set(seats)):
        maker.add("answer", seat, proposal=found.id, agree=True)
    if not maker.rows:
        refuse("this seat is not asked about a rematch")
    if asked_ <= set(seats):
        people = {row.seat for row in live.seats if row.kind == "human"}
        timed = live.row.clock["kind"] in ("move", "match")
        away = sorted(people - set(seats) - set(here)) if timed else []
        if not away:
            begins = begun(live, at)
            rows = [replace(row, seq=row.seq + len(maker.rows)) for row in begins.rows]
            return replace(begins, rows=(*maker.rows, *rows))
        maker.add("proposal", min(seats), what="rematch", data={}, needed=away)
    return Prepared(live.match, tuple(maker.rows), None, live.companion)


def begun(live: LiveMatch, at: int, event: str = "begun") -> Prepared:
    """The clocks begin: all seats are taken (`begun`), or the server was away (`restarted`)."""
    maker = RowMaker(live.log.length, at)
    maker.add("clock", None, None, event=event, asked=list(live.asked))
    # A game may end with its set-up, before anybody is asked.
    update = ended(live.match) if live.companion is None else None
    return Prepared(live.match, tuple(maker.rows), update or Update("running"), live.companion)
