"""Stores for the tests of the server: SQLite in a file, and a PostgreSQL server of their own."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.serve import servers

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]
"""Where the contract of stores is tested."""
_numbers = itertools.count()


@pytest.fixture(autouse=True)
def no_other_loop_runs() -> Iterator[None]:
    """Where the same process has had tests with a browser, Playwright's event loop stands still behind them,
    and asyncio takes it for one that runs."""
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(before)


@pytest.fixture(scope="session")
def server() -> Iterator[Path]:
    """A PostgreSQL server. Without its programs the tests that need it are skipped, and say so; with
    `RULEWRIGHT_SERVICES=required` they fail."""
    if servers.programs() is None:
        if os.environ.get("RULEWRIGHT_SERVICES") == "required":
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("PostgreSQL is not installed: what is tested with it is left out")
    with servers.postgresql() as folder:
        yield folder


@pytest.fixture
def database(server: Path) -> str:
    """The address of a new database."""
    name = f"t{next(_numbers)}"
    with psycopg.connect(servers.address(server, "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    return servers.address(server, name)


@pytest.fixture(params=BOTH)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that does not exist yet, on each of the two."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("database"))
    return str(tmp_path / "matches.db")


@pytest.fixture
def sqlite(tmp_path: Path) -> Callable[[], str]:
    return lambda: str(tmp_path / "matches.db")
