"""The evaluation of assertions: each claim is compared with a match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import assert_never

from dsl.domains import IntType
from interpreter.formatting import fitting
from interpreter.opening import ORDERED
from interpreter.sights import REFEREE
from validators.scenarios.look import Look, Seen
from validators.scenarios.scenario import (
    Active,
    Asked,
    ChangedBy,
    Claim,
    Happened,
    InPhase,
    InStep,
    NotHappened,
    NotOffered,
    Offered,
    Only,
    Order,
    Over,
    RestUnchanged,
    ScoreClaim,
    Sees,
    Unchanged,
    Value,
    Winner,
)

ShownValue = str | list[str]
NUMBER = re.compile(r"-?[0-9]{1,10}")
CHOICE = re.compile(r"[A-Z]: ")
MOST_TOLD = 5
"""The most unexpected changes that are listed."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The expected and the actual value: a claim holds if they are equal."""

    wanted: ShownValue
    found: ShownValue

    @property
    def holds(self) -> bool:
        return self.wanted == self.found


def compare(claim: Claim, look: Look) -> Compared:
    """Compares a claim with a match.

    Raises `DiagnosticError` with `BadScenario` for names that the game does not have, and `Fault`.
    """
    match claim:
        case Over(wanted, outcome):
            return _ended(wanted, outcome, look)
        case Winner(seats):
            for seat in seats:
                look.seat(seat)
            return Compared(sorted(seats), sorted(look.match.winners()))
        case Active(seat):
            look.seat(seat)
            return Compared(seat, look.match.view(look.seat(seat)).active)
        case InPhase(phase):
            return _in_phase(phase, look)
        case InStep(step):
            return _in_step(step, look)
        case Asked(decisions):
            return _asked(decisions, look)
        case Offered(seat, choices):
            return _offered(seat, choices, look)
        case NotOffered(seat, choices):
            return _not_offered(seat, choices, look)
        case ScoreClaim():
            return _account(claim, look)
        case Sees():
            return _sees(claim, look)
        case Value():
            return _value(claim, look)
        case ChangedBy(question, amount):
            return _changed(question, amount, look)
        case Unchanged(questions):
            return _unchanged(questions, look)
        case RestUnchanged(named):
            return _rest(named, look)
        case Only(address, items):
            return _only(address, items, look)
        case Happened(events):
            return _happened(events, look)
        case NotHappened(events):
            return _not_happened(events, look)
    assert_never(claim)


def _ended(wanted: bool, outcome: str | None, look: Look) -> Compared:
    """Whether the match is over and, if that is asked, how it has ended."""
    if outcome is None:
        return Compared(_truth(wanted), _truth(look.match.over))
    known = look.game.machine.endings
    if outcome not in known:
        hint = (
            f"the ends are {', '.join(known)}" if known else "no rule gives an end a name: `end game as NAME`"
        )
        raise look.bad(f"unknown end `{outcome}`", hint)
    return Compared(outcome, look.match.outcome() or _truth(look.match.over))


def _truth(value: bool) -> str:
    return "true" if value else "false"


# ---- who, where, what is offered


def _in_phase(phase: str, look: Look) -> Compared:
    if phase not in look.game.machine.phases:
        raise look.bad(f"unknown phase `{phase}`", f"the phases are {', '.join(look.game.machine.phases)}")
    return Compared(phase, look.phase)


def _in_step(step: str, look: Look) -> Compared:
    known = look.table.steps.known
    if step not in known:
        raise look.bad(f"unknown step `{step}`", f"the steps are {', '.join(known)}")
    standing = look.steps()
    return Compared(step, step if step in standing else " or ".join(sorted(standing)) or "none")


def _asked(wanted: tuple[tuple[str, str], ...], look: Look) -> Compared:
    """The seats that are asked; where a decision is named, its name or the last part of it."""
    for seat, _ in wanted:
        look.seat(seat)
    named = {seat for seat, name in wanted if name}
    asked = {(d.seat, d.name) for d in look.decisions()}
    full = [_decision(seat, _full(seat, name, asked)) for seat, name in wanted]
    return Compared(
        sorted(full), sorted(_decision(seat, name if seat in named else "") for seat, name in asked)
    )


def _full(seat: str, name: str, told: set[tuple[str, str]]) -> str:
    """The full name of a seat's decision of which the last part is given."""
    names = (other for who, other in told if who == seat and other.rpartition(".")[2] == name)
    return next(names, name)


def _decision(seat: str, name: str) -> str:
    return f"{seat}: {name}" if name else seat


def _offered(seat: str | None, items: tuple[str, ...], look: Look) -> Compared:
    """Each written item matches an offered choice, and each offered choice is matched."""
    look.check_choices(items)
    words = [choice.words for choice in look.choices(seat)]
    covers = [set(fitting(item, words)) for item in items]
    exact = all(covers) and set[int]().union(*covers) == set(range(len(words)))
    return Compared(list(items), list(items) if exact else [" ".join(one) for one in words])


def _not_offered(seat: str | None, items: tuple[str, ...], look: Look) -> Compared:
    look.check_choices(items)
    covered: dict[str, None] = {}
    for item in items:
        words = [choice.words for choice in look.choices(seat, item)]
        covered |= dict.fromkeys(" ".join(words[i]) for i in fitting(item, words))
    return Compared([], sorted(covered))


def _account(claim: ScoreClaim, look: Look) -> Compared:
    look.seat(claim.seat)
    if NUMBER.fullmatch(claim.amount) is None:
        raise look.bad(f"a score is a number, but `{claim.amount}` is not")
    account = next(a for a in look.match.accounts() if a.seat == claim.seat)
    if claim.kind == "score" and not claim.line:
        return Compared(claim.amount, str(account.total))
    lines = {name: v for name, v, _ in account.lines} if claim.kind == "score" else dict(account.tiebreaks)
    if claim.line not in lines:
        some = f"there are {', '.join(lines)}" if lines else "there are none"
        raise look.bad(f"unknown line `{claim.line}` of the score", some)
    return Compared(claim.amount, str(lines[claim.line]))


# ---- pieces and numbers


def _sees(claim: Sees, look: Look) -> Compared:
    """`all`: the pieces are seen, whatever they are; `nothing`: not even their number is."""
    wanted, found = list(claim.items), look.sight(claim.seat, claim.address)
    if isinstance(found, list):
        place = look.place(claim.address)
        if wanted == ["all"]:
            return Compared("all", "all")
        if place is not None and (found_order := _ordered(claim.order, look, place)) is not None:
            return Compared([] if wanted == ["none"] else wanted, found_order)
        return Compared([] if wanted == ["none"] else sorted(wanted), found)
    if wanted == ["all"] and not isinstance(found, int) and found is not None:
        return Compared("all", "all")
    told = _truth(found) if isinstance(found, bool) else "nothing" if found is None else str(found)
    return Compared(wanted[0] if len(wanted) == 1 else wanted, told)


def _ordered(order: Order, look: Look, place: int) -> list[str] | None:
    """The pieces of a place in the given order, if one is given."""
    if order in ("any", "unsaid"):
        return None
    if look.order(place) not in ORDERED:
        zone = look.game.machine.places[place].zone
        raise look.bad(f"`{zone}` has no order", f"only zones with `order: {', '.join(ORDERED)}` have one")
    pile = look.pile(place)
    return pile[::-1] if order == "from top" else pile


def _value(claim: Value, look: Look) -> Compared:
    wanted = list(claim.items)
    place = look.place(claim.question)
    if place is not None and (found := _ordered(claim.order, look, place)) is not None:
        return Compared([] if wanted == ["none"] else wanted, found)
    if place is None and claim.order in ("from top", "from bottom"):
        raise look.bad(f"`{claim.question}` has no order", "only places have one")
    if claim.single and is_change(claim, look):
        return _changed(claim.question, int(claim.items[0]), look)
    answer = look.answer(claim.question)
    if isinstance(answer, list):
        if claim.single and wanted[0].isdecimal():
            return Compared(wanted[0], str(len(answer)))
        return Compared([] if wanted == ["none"] else sorted(wanted), answer)
    _check_value(claim, answer, look)
    return Compared(wanted[0] if len(wanted) == 1 else wanted, answer)


def is_change(claim: Value, look: Look) -> bool:
    """Whether `-3` is a decrease: it is if the number cannot be negative."""
    if not (claim.single and claim.items[0].startswith("-") and NUMBER.fullmatch(claim.items[0])):
        return False
    kind, several = look.type_of(claim.question)
    return several or (isinstance(kind, IntType) and kind.lo >= 0)


def _check_value(claim: Value, answer: str, look: Look) -> None:
    """Raises `DiagnosticError` if a number is needed and something else is written."""
    kind, _ = look.type_of(claim.question)
    if isinstance(kind, IntType) and not all(NUMBER.fullmatch(item) for item in claim.items):
        said = ", ".join(claim.items)
        raise look.bad(f"`{claim.question}` is a number, but `{said}` is not", f"it is {answer} here")


def _changed(question: str, amount: int, look: Look) -> Compared:
    kind, several = look.type_of(question)
    if several:
        now, before = (len(look.answer(question, state)) for state in (None, look.before))
    elif isinstance(kind, IntType):
        now, before = (int(str(look.answer(question, state))) for state in (None, look.before))
    else:
        raise look.bad(
            f"`{question}` is not a number", "only a number, or a number of pieces, changes by one"
        )
    return Compared(f"{amount:+d}", f"{now - before:+d}")


def _unchanged(questions: tuple[str, ...], look: Look) -> Compared:
    """For an address of several places or variables, all of them."""
    changes = []
    for question in questions:
        now, before = everything(look)
        below = [address for address in now if address.startswith(f"{question} ")]
        if not below:
            now, before = {question: look.answer(question)}, {question: look.answer(question, look.before)}
        changed = [address for address in below or [question] if now[address] != before[address]]
        changes += [f"{address}: {_text(before[address])} -> {_text(now[address])}" for address in changed]
    return Compared([], changes)


def _rest(named: tuple[str, ...], look: Look) -> Compared:
    now, before = everything(look)
    exempt = {" ".join(name.split()) for name in named}
    changes = [
        f"{address}: {_text(before[address])} -> {_text(value)}"
        for address, value in now.items()
        if value != before[address] and not any(_covers(name, address) for name in exempt)
    ]
    more = [f"{len(changes) - MOST_TOLD} more"] if len(changes) > MOST_TOLD else []
    return Compared([], [*changes[:MOST_TOLD], *more])


def everything(look: Look) -> tuple[dict[str, Seen], dict[str, Seen]]:
    """All places, counters, marks and pointers by address: now, and in the given position."""
    view = look.game.views.view
    now, before = (look.seen(view(state, REFEREE)) for state in (look.match.state, look.before))
    return now, before


def _covers(name: str, address: str) -> bool:
    """Whether an address begins with the words of a written key."""
    return address == name or address.startswith(f"{name} ")


def _text(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    return _truth(value) if isinstance(value, bool) else str(value)


def _only(address: str, items: tuple[tuple[str, tuple[str, ...]], ...], look: Look) -> Compared:
    """Of all places or variables under an address, those that are named or not empty, false, none or 0."""
    now, _ = everything(look)
    known = {name: value for name, value in now.items() if _covers(address, name) and name != address}
    if not known:
        raise look.bad(f"`{address}` has no places of its own", "name a zone or counter with `of` or `at`")
    wanted: dict[str, ShownValue] = {}
    for index, texts in items:
        name = next((n for n in (f"{address} {index}", f"{address} at {index}", f"{address} of {index}")
                     if n in known), None)  # fmt: skip
        if name is None:
            raise look.bad(f"`{address}` has no place `{index}`")
        wanted[name] = _as_seen(known[name], texts)
    told = {name: v for name, v in known.items() if name in wanted or v not in ([], 0, False, "none")}
    found = {name: _as_written(value, wanted.get(name)) for name, value in told.items()}
    return Compared(_pairs(wanted, list(known)), _pairs(found, list(known)))


def _as_seen(value: Seen, texts: tuple[str, ...]) -> ShownValue:
    """A written value as a view shows it; a number stands for that many pieces."""
    if not isinstance(value, list) or (
        len(texts) == 1 and NUMBER.fullmatch(texts[0]) and texts[0] not in value
    ):
        return " ".join(texts)
    return [] if texts == ("none",) else sorted(texts)


def _as_written(value: Seen, wanted: ShownValue | None) -> ShownValue:
    if isinstance(value, list):
        return str(len(value)) if isinstance(wanted, str) else value
    return _text(value)


def _pairs(found: dict[str, ShownValue], order: list[str]) -> list[str]:
    return [f"{name}: {_text(found[name])}" for name in order if name in found]


# ---- events


def _happened(events: tuple[str, ...], look: Look) -> Compared:
    """Names the first event that is not found after the ones before it."""
    look.check_events(events)
    found = look.happened()
    rest = iter(look.all_happened())
    for i, event in enumerate(events):
        if not any(_is_event(event, text) for texts in rest for text in texts):
            behind = f" after `{events[i - 1]}`" if i else ""
            return Compared(list(events), [f"no `{event}`{behind} in", *found])
    return Compared(list(events), list(events))


def _not_happened(events: tuple[str, ...], look: Look) -> Compared:
    look.check_events(events)
    found = (text for texts in look.all_happened() for text in texts)
    return Compared([], [text for text in found if any(_is_event(one, text) for one in events)])


def _is_event(written: str, text: str) -> bool:
    """Whether a text is a written event: word for word, or up to a colon; a choice by its first words."""
    one, whole = " ".join(written.split()), " ".join(text.split())
    chosen = CHOICE.match(one) is not None and whole.startswith(f"{one} ")
    return whole == one or whole.startswith(f"{one}:") or chosen
