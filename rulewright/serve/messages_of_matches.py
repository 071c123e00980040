"""C-codes of the store and of live matches."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class NewerStore(Diagnostic):
    """A database was written by a newer version of the program.

    Its tables have changed since. Nothing was read or written. Use that version, or another database.
    """

    code = "C450"
    slug = "newer-store"
    title = "the database has schema {found}, this version knows up to {known}"
    advice = "use the newer version of the program, or another database"
    found: int
    known: int


@dataclass(frozen=True)
class CannotOpenStore(Diagnostic):
    """The database of a server cannot be opened.

    The address is a path of a file for SQLite, or `postgresql://USER@HOST/DATABASE`. The folder of a file
    must exist, and the system below it must be able to keep what was synchronised.
    """

    code = "C451"
    slug = "cannot-open-store"
    title = "the database cannot be opened: {why}"
    advice = "write a path, or `postgresql://USER@HOST/DATABASE`"
    why: str


@dataclass(frozen=True)
class NotKept(Diagnostic):
    """A change of a match could not be committed to the database.

    The disk may be full, or the database not reachable. The change does not count unless the match shows it
    afterwards: its position was read again from the log. The same request can be sent again without harm.
    """

    code = "C452"
    slug = "not-kept"
    title = "the change could not be kept"
    advice = "try again; the same request is never carried out twice"


@dataclass(frozen=True)
class NoSuchMatch(Diagnostic):
    """There is no match with this id on the server."""

    code = "C453"
    slug = "no-such-match"
    title = "there is no match `{match}`"
    advice = "check the link"
    match: str


@dataclass(frozen=True)
class Stale(Diagnostic):
    """A request was made for a position that has changed since.

    Somebody else has acted meanwhile, or the connection was lost before the last change arrived. Nothing was
    done. Look at the position as it is now.
    """

    code = "C454"
    slug = "stale"
    title = "the position has changed: {seen} was seen, it is {now} now"
    advice = "look at the position again"
    seen: int
    now: int


@dataclass(frozen=True)
class NotNow(Diagnostic):
    """What was asked for is not possible in this match, or not now.

    A match that is over cannot be played on; a seat that has resigned does not choose; only seats that are
    asked can answer a proposal; what others have learned is taken back only with their consent.
    """

    code = "C455"
    slug = "not-now"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class SeatTaken(Diagnostic):
    """A seat is already taken, or the link to it was revoked."""

    code = "C456"
    slug = "seat-taken"
    title = "seat {seat} cannot be taken: {why}"
    advice = "ask for another seat, or for a new link"
    seat: str
    why: str


@dataclass(frozen=True)
class BadTable(Diagnostic):
    """What was asked for a new match is not possible: its seats, its bots or its clock."""

    code = "C457"
    slug = "bad-table"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""


@dataclass(frozen=True)
class NeedsOutcome(Diagnostic):
    """At a physical table, the referee waits for an answer about the last choice.

    Roll the dice, or look at the card, and tell what everybody sees. Or take the choice back.
    """

    code = "C458"
    slug = "needs-outcome"
    title = "`{stream}` brings one of {possible}: which?"
    advice = "tell the referee"
    stream: str
    possible: str


@dataclass(frozen=True)
class NotPossible(Diagnostic):
    """What was told of a physical table is none of the possible answers.

    Nothing has changed: the question still waits. Write a face, a card or a piece as the rules name it.
    """

    code = "C460"
    slug = "not-possible"
    title = "`{answer}` is not a possible answer for `{what}`"
    advice = "tell one of those that are offered"
    answer: str
    what: str


@dataclass(frozen=True)
class BrokenMatch(Diagnostic):
    """The log of a match in the database cannot be replayed under its own rules.

    A row was changed by somebody else, or the program has a mistake. The match is closed; others are not
    affected. Please report this, with the log.
    """

    code = "C459"
    slug = "broken-match"
    title = "match `{match}` cannot be replayed at row {row}: {why}"
    advice = "please report this, with the log"
    match: str
    row: int
    why: str
