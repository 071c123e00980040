"""C420 to C422: errors about seats, resumed matches and physical tables."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class BadSeats(Diagnostic):
    """The assignment of seats is missing or contradictory.

    `--seats` takes one kind per seat, with commas between (`human,random`), or only a number of seats.
    The kinds are `human`, the names of the bots, and `absent` for a seat that nobody plays. A bot that
    searches may have a budget behind a colon, as `search:500` or `search:2s`. A game says itself how many
    seats it has.
    """

    code = "C420"
    slug = "bad-seats"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class CannotResume(Diagnostic):
    """A saved match cannot be resumed.

    It must be a log of the same game under the same rules, as `save` and `--log` write it, and it must
    be known who sits where.
    """

    code = "C421"
    slug = "cannot-resume"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class NotAtAPhysicalTable(Diagnostic):
    """Something makes no sense with `--companion`, where a match at a physical table is followed.

    People play all seats there, with dice and cards of their own: there are neither bots nor a seed. What
    was told is kept in a log of its own kind, which `--companion --resume` continues.
    """

    code = "C422"
    slug = "not-at-a-physical-table"
    title = "{what} makes no sense at a physical table"
    advice = "{hint}"
    what: str
    hint: str
