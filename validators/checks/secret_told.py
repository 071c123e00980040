"""Leaks of hidden information in random matches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import thread_time

from dsl.diagnostics import Label
from dsl.rules.reads import reads
from interpreter import ir
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from validators.check import Check, CheckContext, Finding, Pointless
from validators.checks import hidden_guard, offered_unseen, others_read
from validators.secrecy.noninterference import Leak, leaks
from validators.witness import match_in_words

SECONDS = 0.5
"""How long each machine is played, unless the fewest matches take longer."""
STATIC = (hidden_guard.CHECK, offered_unseen.CHECK, others_read.CHECK)
"""The checks that find leaks without playing."""
FEWEST, STEPS = 1, 60
"""The matches that are always played; the steps of each."""
SHOWN, WIDE = 4, 60
"""The number of last choices that are shown, and the longest text of what differs."""


@dataclass(frozen=True)
class SecretTold(Finding):
    """Two positions that a seat should not be able to distinguish look different to it: a secret leaks.

    The game was played with random choices. In the set-up, and at every decision, the pieces that a seat does
    not see were dealt again, and everything that the seat is shown was compared: its view, its offers and
    refusals, the events of the next step. There was a difference, so an attentive player learns a secret.
    A position that breaks a promise (`always`) cannot be, and is not dealt; what all seats see at one time,
    by `show` or by looking, is no secret any more, even from spectators.

    The finding names the action that leaks it, or the first phase if that was the set-up, the last choices
    before it, and how the two positions differ. What one action reveals at several numbers of seats is one
    finding.

    Example:

        action bid
            needs count(card in hand of opponent where card.suit is hearts) > 0

    Make sure that nothing that is offered, refused or counted openly depends on hidden pieces; or show them
    first. Some choices reveal something by nature: playing all cards of one suit shows that none are
    left. `allow` such an action or decision, by the name that the finding gives. An allowed V333 does not
    allow it.
    """

    code = "V337"
    slug = "secret-told"
    title = "`{about}` reveals hidden pieces to {seat}: {what} differs"
    label = "revealed here: {match}"
    advice = "{worlds}; if this is intended, `allow` it"

    seat: str = ""
    what: str = ""
    match: str = ""
    worlds: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    if not _has_secrets(subject):
        return
    if _found_statically(subject):
        raise Pointless
    allowed = {entry.about for entry in subject.rules.allowed if entry.code == SecretTold.code}
    told: set[str] = set()
    for machine in subject.machines:
        for finding in _first(subject, machine, allowed | told, frozenset()):
            told.add(finding.about)
            yield finding
        if allowed - told:
            for finding in _first(subject, machine, set(), frozenset(allowed - told)):
                told.add(finding.about)
                yield finding


def _found_statically(subject: CheckContext) -> bool:
    """Whether another check has found a leak that the game does not allow."""
    allowed = {(entry.code, entry.about) for entry in subject.rules.allowed}
    found = (f for check in STATIC for f in check.find(subject))
    return any((f.code, f.about) not in allowed for f in found)


def _has_secrets(subject: CheckContext) -> bool:
    return subject.rules.has_secrets


def _first(
    subject: CheckContext, machine: ir.Machine, meant: set[str], wanted: frozenset[str]
) -> Iterator[Finding]:
    """The first leak, without intended ones; or the first of each name that is wanted."""
    game, seed, left = Game(subject.rules, machine), 0, set(wanted)
    with suppress(Fault):
        Match(game, seed).start()  # what is made once for all matches takes none of their time
    until = thread_time() + SECONDS
    while seed < FEWEST or thread_time() < until:
        subject.tick()
        for leak in _of_match(game, seed, meant):
            if wanted and leak.about not in left:
                continue
            yield _finding(subject, machine, leak, seed)
            left.discard(leak.about)
            if not left:
                return
        seed += 1


def _of_match(game: Game, seed: int, meant: set[str]) -> list[Leak]:
    try:
        return list(leaks(game, seed, STEPS, meant, at_table=True))
    except Fault:
        return []


def _finding(subject: CheckContext, machine: ir.Machine, leak: Leak, seed: int) -> Finding:
    named = (code.span.first_line() for code in machine.routines if code.name == leak.about)
    decided = machine.nodes[leak.node].span if leak.node >= 0 else subject.rules.span
    match = match_in_words(machine.seats, seed)
    path = tuple(
        Label(machine.nodes[node].span, f"{text.replace(': ', ' chooses `', 1)}`")
        for node, text in leak.way[-SHOWN:]
    )
    return SecretTold(
        next(named, decided),
        leak.about,
        path,
        seat=leak.seat,
        what=leak.what,
        match=match,
        worlds=_states(subject, leak),
    )


def _states(subject: CheckContext, leak: Leak) -> str:
    """What is shown in both states, and a difference between them, preferably one that the routine reads."""
    shown = apart(leak.one, leak.other)
    one, other = f"it is `{shown[0]}`", f"`{shown[1]}`"
    if not leak.hidden:
        return f"{one} or {other} by what others choose at the same time"
    routine = subject.rules.routines.get(leak.about)
    read = reads(subject.rules, (routine.parameters, routine.block)) if routine is not None else frozenset()

    def rank(place: tuple[str, str, str]) -> tuple[bool, int]:
        return place[0].partition(" ")[0] not in read, len(place[1])

    address, here, there = min(leak.hidden, key=rank)
    here, there = apart(here, there)
    more = f" ({len(leak.hidden)} places differ)" if len(leak.hidden) > 1 else ""
    return f"{one} where {address} is {here}, and {other} where it is {there}{more}"


def apart(one: str, other: str) -> tuple[str, str]:
    """Two texts, cut so that what differs between them is seen: of several lines those of one text alone."""
    here, there = one.splitlines(), other.splitlines()
    if len(here) > 1 or len(there) > 1:
        own, others = [x for x in here if x not in there], [x for x in there if x not in here]
        here, there = (own, others) if own or others else (here, there)
    first, second = (" ".join(", ".join(lines).split()) or "nothing" for lines in (here, there))
    if max(len(first), len(second)) <= WIDE:
        return first, second
    begin = first.rfind(" ", 0, max(0, _alike(first, second) - WIDE // 3) + 1) + 1
    begin = begin or (first.rfind(" ", 0, _alike(first, second) + 1) + 1)
    return _from(first, begin), _from(second, begin)


def _alike(one: str, other: str) -> int:
    """With how many letters two texts begin alike."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)


def _from(text: str, begin: int) -> str:
    """A part of a text that is not too long, with a mark where something is left out."""
    rest = text[begin:]
    ending = f"{rest[: WIDE - 1]}…" if len(rest) > WIDE else rest
    return f"…{ending}" if begin else ending


CHECK = Check(SecretTold, find, plays=True)
