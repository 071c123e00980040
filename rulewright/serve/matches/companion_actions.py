"""What can be done at a companion table: choose, answer the referee's question, take back.

All people sit at one table, so whoever holds a seat may enter what any of them does, and nobody is asked for
consent. Nothing is changed: an action tells it to a copy. What cannot be raises `Fault` or `DiagnosticError`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NoReturn

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.companion import Companion
from rulewright.presentation.companion import asked_seat, past_position
from rulewright.serve.matches.actions import LONGEST_WORDS, Prepared, refuse
from rulewright.serve.matches.companion_log import companion_of, telling_row
from rulewright.serve.matches.live import LiveMatch, RowMaker
from rulewright.serve.messages import NeedsOutcome, NotPossible
from rulewright.serve.store.storage import Update

Steps = Generator[None, None, Prepared]
"""An action that goes step by step: finding placeholders that fit can take long."""
MOST_NAMED = 12
"""How many possible answers a message names."""


def companion_in(live: LiveMatch) -> Companion:
    """The companion of a match. Raises `DiagnosticError` if there is none, or if it cannot be played on."""
    if live.companion is None:
        refuse("this is not a companion of a physical table")
    if live.row.status == "waiting":
        refuse("the match has not begun", "it begins when all seats are taken")
    if not live.running:
        refuse("the match is over")
    return live.companion


def chosen(live: LiveMatch, at: int, words: str, client: str | None) -> Steps:
    """A choice of the seat that is asked, by its words. It may wait for answers then."""
    draft = companion_in(live).draft()
    if draft.question is not None:
        names = draft.answers()
        shown = ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
        raise DiagnosticError(NeedsOutcome(NOWHERE, _what(draft), shown))
    seat = asked_seat(draft)
    if len(words) > LONGEST_WORDS or seat is None:
        refuse("nobody is asked to choose" if seat is None else "these are too many words for a choice")
    yield from draft.choosing(draft.game.names.seat(seat), words)
    maker = RowMaker(live.log.length, at)
    maker.add("choice", seat, client, words=words)
    return _prepared(draft, maker)


def told(live: LiveMatch, at: int, text: str | None, client: str | None) -> Steps:
    """An answer to the question; None: nobody has seen the outcome."""
    draft = companion_in(live).draft()
    if draft.question is None:
        refuse("nothing is asked")
    if text is not None and text not in draft.answers():
        raise DiagnosticError(NotPossible(NOWHERE, text, _what(draft)))
    yield from draft.telling(text)
    maker = RowMaker(live.log.length, at)
    maker.add("told", None, client, text=text)
    return _prepared(draft, maker)


def undone(live: LiveMatch, at: int, number: int, client: str | None) -> Steps:
    """The last turns taken back, first of all one that waits for an answer; of the set-up, its answers.

    With number 0, only the last answer, if nothing was chosen since.
    """
    draft, log = companion_in(live).draft(), live.log
    maker = RowMaker(log.length, at)
    if number == 0:
        if not log.standing or log.standing[-1].kind != "told" or not draft.take_back():
            refuse("what was told last is not an answer")
        for row in log.standing[log.first_of(log.decisions - 1) : -1]:
            if row.kind != "start":
                yield from telling_row(draft, row)
        maker.add("undo", None, client, left=log.decisions, answers=1, outcomes={})
        return _prepared(draft, maker)
    left = max(1, log.decisions - number)
    if log.decisions > 1:
        for _ in range(log.decisions - left):
            draft.take_back()
        maker.add("undo", None, client, left=left, outcomes={})
        return _prepared(draft, maker)
    if len(log.standing) < 2:
        refuse("nothing has been told yet that could be taken back")
    maker.add("undo", None, client, left=0, outcomes={})
    start = maker.add("start")
    draft = yield from companion_of(live.row, live.game, [start])
    return _prepared(draft, maker)


def _what(companion: Companion) -> str:
    """What the question is about: its stream, or the zone to which a piece has come."""
    question = companion.question
    if question is None or question.stream is not None:
        return "" if question is None else str(question.stream)
    assert question.place is not None
    return companion.game.machine.places[question.place].zone


def _prepared(companion: Companion, maker: RowMaker) -> Prepared:
    update = None
    if companion.question is None and companion.match.over:
        winners = past_position(companion.match)["winners"] or []
        update = Update("over", {"by": "rules", "winners": winners})
    return Prepared(companion.match, tuple(maker.rows), update, companion)


def no_companion(live: LiveMatch, what: str) -> None:
    """Raises `DiagnosticError` if a match is a companion, where something makes no sense."""
    if live.companion is not None:
        _refuse_here(what)


def _refuse_here(what: str) -> NoReturn:
    refuse(f"{what} is not for a companion of a physical table", "take back, and tell it anew")
