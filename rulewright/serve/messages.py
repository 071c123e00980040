"""C-codes of the server: its store, its matches, and its installation."""

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


@dataclass(frozen=True)
class TooCostly(Diagnostic):
    """What the rules of a game ask of the server is more than one match may cost.

    A choice, a view or an explanation took too long or would be too large, or the rules of uploaded games
    have had their share of the server's time. Nothing was changed, and other matches go on. Mostly an offer
    has far too many values, or a loop goes on for very long: `rulewright check` and `rulewright play` tell
    where.
    """

    code = "C461"
    slug = "too-costly"
    title = "the rules of this game {why}"
    advice = "nothing was changed; try again in a minute"
    why: str


@dataclass(frozen=True)
class NoSuchHost(Diagnostic):
    """The address after `--host` is none that this computer has.

    A server listens at an address of its own computer: `127.0.0.1` is heard from there alone, `0.0.0.0` and
    `::` from everywhere. The name by which others reach it belongs to `--public-url`.
    """

    code = "C554"
    slug = "no-such-host"
    title = "the server cannot listen at `{host}`: {why}"
    advice = "`--host 127.0.0.1` for this computer alone, `--host 0.0.0.0` for all that reach it"
    host: str
    why: str


@dataclass(frozen=True)
class DataInUse(Diagnostic):
    """Another server uses the same database.

    A database in a file belongs to one server process at a time, because the processes would not hear of
    each other's changes. Several processes can serve the same matches over PostgreSQL.
    """

    code = "C472"
    slug = "data-in-use"
    title = "another server uses `{path}`"
    advice = "end it, use another folder with `--data`, or PostgreSQL with `--database`"
    path: str


@dataclass(frozen=True)
class CannotUseData(Diagnostic):
    """The data folder of a server cannot be made or used.

    It contains the database, the secret that signs links, and uploaded rulesets. It must be a folder that the
    server may write to.
    """

    code = "C473"
    slug = "cannot-use-data"
    title = "the data folder `{path}` cannot be used: {why}"
    advice = "name another one with `--data DIR`"
    path: str
    why: str


@dataclass(frozen=True)
class BadSetting(Diagnostic):
    """A setting of the server cannot be used.

    The public URL has a scheme, a host and no path; a mail server is
    `smtp://USER:PASSWORD@HOST:PORT`, `smtps://…` with TLS from the start, or `smtp+starttls://…`.
    """

    code = "C474"
    slug = "bad-setting"
    title = "`{name}` cannot be `{value}`"
    advice = "{hint}"
    name: str
    value: str
    hint: str
