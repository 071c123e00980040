"""The tables of a store, and how a database comes to have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.schema import SchemaItem

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.serve.messages import NewerStore

TABLES = sa.MetaData()
KEY = sa.String(64)

VERSION = sa.Table("schema_version", TABLES, sa.Column("version", sa.Integer, nullable=False))

ARCHIVES = sa.Table(
    "archives",
    TABLES,
    sa.Column("digest", KEY, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("files", sa.LargeBinary, nullable=False),
)
MATCHES = sa.Table(
    "matches",
    TABLES,
    sa.Column("id", KEY, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("digest", KEY, nullable=False),
    sa.Column("archive", KEY, sa.ForeignKey("archives.digest"), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("salt", sa.Text, nullable=False),
    sa.Column("nonce", sa.Text),
    sa.Column("commitment", sa.Text),
    sa.Column("clock", sa.Text, nullable=False),
    sa.Column("set_up", sa.Text, nullable=False),
    sa.Column("status", sa.String(16), nullable=False, index=True),
    sa.Column("result", sa.Text),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False, index=True),
    sa.Column("length", sa.Integer, nullable=False),
    sa.Column("listed", sa.Text),
    sa.Column("public", sa.Integer, nullable=False, server_default="0"),
    sa.Index("listed_matches", "public", "status", "updated"),
)


def _of_match(name: str, *parts: SchemaItem, **settings: Any) -> sa.Table:
    """A table of what belongs to a match."""
    match = sa.Column("match", KEY, sa.ForeignKey("matches.id"), primary_key=True)
    return sa.Table(name, TABLES, match, *parts, **settings)


def _number(name: str) -> sa.Column[int]:
    """A number that is part of the key."""
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)


LOG = _of_match(
    "log",
    _number("seq"),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("client", sa.String(128)),
    sa.Column("data", sa.Text, nullable=False),
    sa.UniqueConstraint("match", "client"),
    sqlite_with_rowid=False,
)
SEATS = _of_match(
    "seats",
    _number("seat"),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("token", KEY, unique=True),
    sa.Column("revoked", sa.Boolean, nullable=False),
    sa.Column("strategy", sa.Text),
)
SNAPSHOTS = _of_match(
    "snapshots",
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("digest", KEY, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
NOTICES = _of_match(
    "notices",
    _number("seat"),
    sa.Column("kind", sa.String(32), primary_key=True),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("language", sa.String(16), nullable=False, server_default=""),
)
GRANTS = sa.Table(
    "grants",
    TABLES,
    sa.Column("visitor", KEY, primary_key=True),
    sa.Column("match", KEY, sa.ForeignKey("matches.id"), primary_key=True, index=True),
    _number("seat"),
    sa.Column("token", KEY, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
SAID = _of_match(
    "said",
    _number("number"),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("of_step", sa.String(32), nullable=False),
    sa.Column("client", sa.String(128)),
    sa.UniqueConstraint("match", "client"),
)
"""What is said at a table; it is no part of the log."""
PLAYTEST = _of_match(
    "playtest",
    _number("number"),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
)
"""What players who agreed to it did at a table of a playtest; it is no part of the log."""
NOTED = _of_match(
    "noted",
    _number("seat"),
    sa.Column("kind", sa.String(32), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
)

HEALTH = sa.Table(
    "health",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("mark", KEY, nullable=False),
    sa.Column("room", sa.LargeBinary),
)
"""What the health of a store is tried with: a mark that is written and read, and what takes room."""

OF_MATCHES = (LOG, SEATS, SNAPSHOTS, NOTICES, GRANTS, NOTED, SAID, PLAYTEST)
"""Tables with rows that belong to a match."""
Migration = Callable[[Connection], None]


def _languages_of_notices(connection: Connection) -> None:
    """Schema 2; a store that is new has the column already."""
    if "language" not in [column["name"] for column in sa.inspect(connection).get_columns("notices")]:
        connection.execute(sa.text("alter table notices add column language varchar(16) not null default ''"))


def _lists_by_rows(connection: Connection) -> None:
    """Schema 3: what lists show is kept with each match."""
    known = [column["name"] for column in sa.inspect(connection).get_columns("matches")]
    if "public" not in known:
        connection.execute(sa.text("alter table matches add column listed text"))
        connection.execute(sa.text("alter table matches add column public integer not null default 0"))
        connection.execute(sa.text("create index listed_matches on matches (public, status, updated)"))
        open_ = sa.literal('%"visibility":"open"%')
        connection.execute(MATCHES.update().where(MATCHES.c.set_up.like(open_)).values(public=1))
    HEALTH.create(connection, checkfirst=True)


def _talk(connection: Connection) -> None:
    """Schema 4: what is said at a table."""
    SAID.create(connection, checkfirst=True)


def _playtests(connection: Connection) -> None:
    """Schema 5: what is recorded of playtests."""
    PLAYTEST.create(connection, checkfirst=True)


MIGRATIONS: tuple[Migration, ...] = (
    TABLES.create_all,
    _languages_of_notices,
    _lists_by_rows,
    _talk,
    _playtests,
)
"""What leads from each schema to the next; the first makes all tables. Schema n has had the first n."""
LOCK = 0x52756C65
"""The advisory lock under which a database is migrated."""


def migrate(connection: Connection, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Bring a database to the current schema, within a transaction that the caller has begun.

    Raises `DiagnosticError` with `NewerStore` if its schema is newer.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    found = _version(connection)
    if found > len(migrations):
        raise DiagnosticError(NewerStore(NOWHERE, found, len(migrations)))
    for migration in migrations[found:]:
        migration(connection)
    if found < len(migrations):
        connection.execute(VERSION.delete())
        connection.execute(VERSION.insert().values(version=len(migrations)))


def _version(connection: Connection) -> int:
    """The schema of a database; 0 if it has none."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return 0
    return int(connection.execute(sa.select(VERSION.c.version)).scalar() or 0)
