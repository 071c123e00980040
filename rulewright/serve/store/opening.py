"""Opening a store by its address."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.serve.messages import CannotOpenStore
from rulewright.serve.store.listener import Listener
from rulewright.serve.store.schema import migrate
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import StoreFailed
from rulewright.serve.store.writer import Writer

PRAGMAS = {"busy_timeout": "10000", "journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"}
"""What each connection to SQLite must answer. 2 is FULL: a commit is on the disk when it returns."""
AGAIN = 0.02
"""Seconds after which a pragma is set again that another connection has hindered."""
WRITERS = 8
"""Threads that write to PostgreSQL; it shares commits by itself."""
READERS = 16


class NotDurable(Exception):
    """A database cannot be made to keep what was committed."""


def open_storage(address: str) -> SqlStorage:
    """The store at an address: a path (or `sqlite:///PATH`), or `postgresql://USER@HOST/DATABASE`.

    Makes its tables, or brings them to the current schema. Raises `DiagnosticError`.
    """
    try:
        if is_postgresql(address):
            return _postgresql(address)
        return _sqlite(address.removeprefix("sqlite:///"))
    except ValueError:
        raise DiagnosticError(CannotOpenStore(NOWHERE, "its address is none")) from None
    except (SQLAlchemyError, NotDurable) as error:
        first = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise DiagnosticError(CannotOpenStore(NOWHERE, first)) from None


def is_postgresql(address: str) -> bool:
    """Whether an address is one of PostgreSQL, and no file."""
    return address.startswith(("postgresql://", "postgres://"))


def _sqlite(path: str) -> SqlStorage:
    files = KnownFiles(Path(path).absolute())
    url = sa.URL.create("sqlite+pysqlite", database=str(files.path))
    engine = sa.create_engine(url, pool_size=READERS, max_overflow=READERS)
    event.listen(engine, "connect", _durable)
    event.listen(engine, "begin", _begin_reading)
    writing = sa.create_engine(url, pool_size=1, max_overflow=0)
    event.listen(writing, "connect", _durable)
    event.listen(writing, "begin", _begin_writing)
    with writing.begin() as connection:
        migrate(connection)
    return SqlStorage(engine, Writer(writing, check=files.check), check=files.check)


class KnownFiles:
    """The files of a database, by their identity: SQLite goes on in files that were removed or replaced, and
    what is written there is lost."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[str, tuple[int, int]] = {}

    def check(self) -> None:
        """Raises `StoreFailed` if a file is not the one that it was when it was first seen."""
        for name in (str(self.path), f"{self.path}-wal"):
            try:
                about = os.stat(name)
            except OSError:
                found = None
            else:
                found = about.st_dev, about.st_ino
            if found != (self._known.setdefault(name, found) if found is not None else self._known.get(name)):
                raise StoreFailed(f"`{name}` was removed or replaced: start the server again")


def _durable(connection: Any, _: ConnectionPoolEntry) -> None:
    """Set the pragmas of a new connection, and look whether they are set. Raises `NotDurable`."""
    connection.isolation_level = None
    # What is no text is one of other characters: a damaged row must not stop the reading of others.
    connection.text_factory = lambda data: data.decode(errors="replace")
    until = monotonic() + int(PRAGMAS["busy_timeout"]) / 1000
    for name, value in PRAGMAS.items():
        _set(connection, name, value, until)
        found = str(connection.execute(f"pragma {name}").fetchone()[0])
        if found != value:
            raise NotDurable(f"`{name}` is {found}, and cannot be set to {value}")


def _set(connection: sqlite3.Connection, name: str, value: str, until: float) -> None:
    """Sets a pragma. SQLite does not wait by itself where two connections set the journal of a database."""
    while True:
        try:
            connection.execute(f"pragma {name} = {value}")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(AGAIN)
        else:
            return


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("begin")


def _begin_writing(connection: Connection) -> None:
    connection.exec_driver_sql("begin immediate")


def _postgresql(address: str) -> SqlStorage:
    rest = address.partition("://")[2]
    engine: Engine = sa.create_engine(
        f"postgresql+psycopg://{rest}", pool_size=WRITERS, max_overflow=READERS, pool_pre_ping=True
    )
    event.listen(engine, "connect", _synchronous)
    with engine.begin() as connection:
        migrate(connection)
    writer, talk = Writer(engine, WRITERS, grouped=False), Writer(engine, grouped=False)
    return SqlStorage(engine, writer, Listener(f"postgresql://{rest}"), talk)


def _synchronous(connection: Any, _: ConnectionPoolEntry) -> None:
    """A commit is on the server's disk when it returns, whatever the server's default is."""
    connection.execute("set synchronous_commit = on")
    connection.commit()
