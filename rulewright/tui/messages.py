"""C420 and C421: errors about seats and resumed matches."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class BadSeats(Diagnostic):
    """The assignment of seats is missing or contradictory.

    `--seats` takes one kind per seat, with commas between (`human,random`), or only a number of seats.
    The kinds are `human`, the names of the bots, and `absent` for a seat that nobody plays. A game says
    itself how many seats it has.
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
