"""Assertions of `refused`: that a choice is refused, and for which reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import get_args

from interpreter import ir
from interpreter.formatting import fitting
from interpreter.game import Decision
from interpreter.refusal import Refusal, RefusalKind
from interpreter.sights import REFEREE
from validators.scenarios.assertions import Compared
from validators.scenarios.findings import Doubt, ForcedFirst, NoReason, SeatNotAsked
from validators.scenarios.look import Look
from validators.scenarios.scenario import Refused

NOT_ASKED, OVER = "not asked", "game over"
REASONS = (NOT_ASKED, OVER, *(kind for kind in get_args(RefusalKind) if kind not in ("condition", "words")))
"""Reasons that are neither a clause nor a condition."""


@dataclass(frozen=True, slots=True)
class JudgedRefusal:
    """Whether a choice is refused for the stated reasons, and the doubts about that."""

    compared: Compared
    doubts: tuple[Doubt, ...] = ()


def judge(line: Refused, look: Look) -> JudgedRefusal:
    """Compares a refusal. Raises `DiagnosticError` for words that the game does not have."""
    look.check_choices((line.written,))
    decisions = look.decisions(line.seat, line.written)
    if not decisions:
        return _unasked(line, look)
    decision = decisions[0]
    if fitting(line.written, [choice.words for choice in decision.choices]):
        return JudgedRefusal(Compared("refused", "offered"))
    written = dict.fromkeys((_with_action(line.written, look, decision), line.written))
    explained = [_explained(words, look, decision) for words in written]
    found = [refusal for refusal in explained if refusal.kind != "words"]
    if not found:
        raise look.bad(f"`{line.written}` is not a complete choice here: {explained[0].text}")
    refusal = found[0]
    wrong = [reason for reason in line.because if not any(is_because(reason, one) for one in found)]
    compared = Compared(["refused"], ["refused"]) if not wrong else Compared(wrong, _told(refusal))
    return JudgedRefusal(compared, tuple(_doubts(line, decision, refusal, look.cites)))


def _explained(written: str, look: Look, decision: Decision) -> Refusal:
    return look.game.refusals.explain(look.match.state[:], decision.waiting, written, REFEREE)


def _with_action(written: str, look: Look, decision: Decision) -> str:
    """The words of a choice; those of a value alone with the only action that is offered."""
    machine = look.game.machine
    if not isinstance(machine.decision(decision.waiting.node), ir.Offer):
        return written
    offered = {machine.routines[what[0]].name for what in decision.waiting.what if what}
    first = written.split(" ", 1)[0]
    if len(offered) != 1 or first == "pass" or any(first == routine.name for routine in machine.routines):
        return written
    return f"{offered.pop()} {written}"


def _unasked(line: Refused, look: Look) -> JudgedRefusal:
    over = look.match.over
    known = (NOT_ASKED, OVER) if over else (NOT_ASKED,)
    wrong = [reason for reason in line.because if reason not in known]
    if line.because:
        return JudgedRefusal(Compared(wrong, [known[-1]] if wrong else []))
    hint = "the game is over" if over else f"{', '.join(look.asked())} has to choose"
    return JudgedRefusal(Compared([], []), (SeatNotAsked(line.span, line.seat, hint),))


def is_because(reason: str, refusal: Refusal) -> bool:
    """Whether a written reason is that of a refusal: its clause, kind or condition, or one around it."""
    if refusal.parts and reason != refusal.kind:
        return all(is_because(reason, part) for part in refusal.parts)
    if reason.startswith("§"):
        return reason in (*refusal.clauses, *refusal.within)
    if reason in REASONS:
        return reason in (refusal.kind, *refusal.within)
    said = _plain(reason.removeprefix("needs "))
    texts = [_plain(text) for text in (refusal.condition, *refusal.within) if text]
    return any(said in (text, *text.split(" and ")) or text in said.split(" and ") for text in texts)


def _plain(text: str) -> str:
    return " ".join(text.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split())


def _told(refusal: Refusal) -> list[str]:
    return [refusal.text, *reasons_of(refusal)]


def reasons_of(refusal: Refusal) -> list[str]:
    """All reasons that a scenario could give for a refusal, the most precise first."""
    found = [refusal, *refusal.parts]
    clauses = dict.fromkeys(mark for one in found for mark in one.clauses)
    conditions = dict.fromkeys(one.condition for one in found if one.kind == "condition" and one.condition)
    kinds = (refusal.kind,) if refusal.kind in REASONS else ()
    return [reason for reason in (*clauses, *conditions, *kinds) if is_because(reason, refusal)]


def _doubts(line: Refused, decision: Decision, refusal: Refusal, cites: tuple[str, ...]) -> Iterator[Doubt]:
    if refusal.kind in ("not here", "no such value") and len(decision.choices) == 1 and not line.because:
        yield ForcedFirst(line.span, line.written, line.seat, decision.choices[0].text)
    elif not line.because:
        reasons = sorted(reasons_of(refusal), key=lambda reason: reason not in cites)
        yield NoReason(line.span, line.written, refusal.text, reasons[0] if reasons else "...")


def falsified(line: Refused, look: Look) -> Iterator[Refused]:
    """A refusal with a wrong reason, and one of an offered choice: neither may hold."""
    if line.because:
        others = (*look.game.rules.clauses, *REASONS)
        yield replace(line, because=(*line.because, next(r for r in others if not _is_reason(r, line, look))))
    for decision in look.decisions(line.seat)[:1]:
        yield replace(line, written=decision.choices[0].text, because=())


def _is_reason(reason: str, line: Refused, look: Look) -> bool:
    return judge(replace(line, because=(reason,)), look).compared.holds
