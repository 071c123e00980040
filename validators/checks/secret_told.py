"""Secrets that play tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

from interpreter import machine as m
from interpreter.match import Game
from interpreter.messages import Fault
from validators.check import Check
from validators.checks import hidden_guard
from validators.findings import Finding
from validators.secrecy import Leak, leaks
from validators.subject import Subject
from validators.witness import match_in_words

SECONDS = 0.5
"""How long each machine is played, once it has had the fewest matches."""
FEWEST, STEPS = 1, 60
"""Matches that are played however long they take; the steps of each."""


@dataclass(frozen=True)
class SecretTold(Finding):
    """Two positions that a seat cannot tell apart look different to it: something tells it what is hidden.

    The game was played with random choices. At every stop the pieces that a seat does not see were dealt
    anew, and everything that the seat is shown was compared: its view, what it is offered and refused, what
    it is told of the next step. There was a difference, so whoever pays attention learns a secret.

    Example:

        action bid
            needs count(card in hand of opponent where card.suit is hearts) > 0

    Let nothing that is offered, refused or counted openly depend on what lies hidden; or show it first.
    Some choices tell something by their nature: who plays all cards of one suit tells that no more are
    left. `allow` such a decision, by the name that the finding gives.
    """

    code = "V337"
    slug = "secret-told"
    title = "`{about}` tells {seat} what lies hidden: {what} differs"
    label = "while this is decided: {match}"
    mend = "{worlds}; if it is meant to tell, `allow` it"

    seat: str = ""
    what: str = ""
    match: str = ""
    worlds: str = ""


def find(subject: Subject) -> Iterator[Finding]:
    if not _has_secrets(subject) or any(hidden_guard.find(subject)):
        return
    for machine in subject.machines:
        found = _first(subject, machine)
        if found is not None:
            yield found


def _has_secrets(subject: Subject) -> bool:
    return any(zone.seen_by != "all" for zone in subject.rules.zones.values())


def _first(subject: Subject, machine: m.Machine) -> Finding | None:
    game, until, seed = Game(subject.rules, machine), monotonic() + SECONDS, 0
    meant = [entry.about for entry in subject.rules.allowed if entry.code == SecretTold.code]
    while seed < FEWEST or monotonic() < until:
        subject.tick()
        try:
            leak = next(iter(leaks(game, seed, STEPS, meant)), None)
        except Fault:
            leak = None
        if leak is not None:
            return _told(subject, machine, leak, seed)
        seed += 1
    return None


def _told(subject: Subject, machine: m.Machine, leak: Leak, seed: int) -> Finding:
    about = leak.decision.rpartition(": ")[2]
    named = (n.span for n in machine.nodes if getattr(n, "name", None) == about)
    span = next(named, subject.rules.span)
    match = match_in_words(machine.seats, seed)
    worlds = f"it is `{_short(leak.one)}` or `{_short(leak.other)}` by what lies hidden"
    return SecretTold(span, about, seat=leak.seat, what=leak.what, match=match, worlds=worlds)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 60 else f"{plain[:59]}…"


CHECK = Check(SecretTold, find, plays=True)
