"""Kinds of players by seat: people and bots."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.rules import Rules
from dsl.source import NOWHERE
from interpreter.bots.names import NAMES, RANDOM, usual_bot
from rulewright.learn.policy_names import is_player, player_named
from rulewright.learn.policy_words import NAMED, POLICY, means_policy
from rulewright.matches.messages import BadSeats

HUMAN = "human"
STAND_IN = RANDOM
"""Who plays for people that cannot be asked."""
ABSENT = "absent"
"""Nobody: what the rules choose for a seat that stays away."""
KINDS = (HUMAN, *NAMES, ABSENT)


def is_kind(kind: str) -> bool:
    """Whether a seat may be of this kind: a person, nobody, or a bot, perhaps with a budget."""
    return kind in (HUMAN, ABSENT) or is_player(kind)


def seats_of(rules: Rules, seats: str | None, players: int | None, terminal: bool) -> list[str]:
    """One kind per seat, from `--seats` and `--players`. Raises `DiagnosticError` with `BadSeats`.

    By default, the first seat is human and the others are the usual bots; without a terminal all are human,
    for whom stand-ins play then.
    """
    text = "" if seats is None else seats.strip()
    if seats is not None and not _is_number(text):
        kinds = read_kinds(text)
        _check(rules, len(kinds), players)
        return kinds
    number = int(text) if text else players if players is not None else default_seats(rules)
    _check(rules, number, players)
    return [HUMAN, *[usual_bot() if terminal else HUMAN] * (number - 1)]


def default_seats(rules: Rules) -> int:
    """Two seats if the game allows that, else the number closest to it."""
    return min(rules.seat_counts, key=lambda count: (abs(count - 2), -count))


def read_kinds(text: str) -> list[str]:
    """`human,search:500` as a list. Raises `DiagnosticError` for an unknown kind or an impossible budget."""
    kinds = [part.strip() for part in text.split(",")]
    for kind in kinds:
        if is_player(kind):
            player_named(kind)
        elif not is_kind(kind):
            known = " or ".join((*KINDS, f"{POLICY}FILE"))
            find_word = NAMED if means_policy(kind) else did_you_mean(kind, KINDS)
            why = f"unknown kind of player `{kind}`" if kind else "empty seat in the list"
            hint = find_word or f"write {known} for each seat, separated by commas"
            raise DiagnosticError(BadSeats(NOWHERE, why, hint))
    return kinds


def without_people(kinds: Sequence[str]) -> list[str]:
    """The kinds with stand-ins instead of people."""
    return [STAND_IN if kind == HUMAN else kind for kind in kinds]


def _check(rules: Rules, number: int, players: int | None) -> None:
    if players is not None and players != number:
        why = f"`--seats` has {number} seats, but `--players` is {players}"
        raise DiagnosticError(BadSeats(NOWHERE, why, "give one of them, or the same number in both"))
    if number not in rules.seat_counts:
        why = f"{rules.title} is played by {rules.played_by}, not by {number}"
        raise DiagnosticError(BadSeats(NOWHERE, why, "set the number with `--seats` or `--players`"))


def _is_number(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) < 9
