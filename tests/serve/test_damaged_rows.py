"""Damaged rows on PostgreSQL: the fuzzer of rows, on the other store."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import psycopg
import pytest

from tests.fuzz import rows
from tests.fuzz.trying import made
from tests.serve import servers


@pytest.mark.postgresql
@pytest.mark.parametrize("number", [4, pytest.param(60, marks=pytest.mark.long)])
def test_damaged_rows_on_postgresql(number: int, server: Path, tmp_path: Path) -> None:
    """Each input on a copy of the same store. Some of what is written the columns do not take."""
    name = f"rows_{os.getpid()}_{number}"
    with psycopg.connect(servers.address(server, "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name}")
        asyncio.run(rows.filled(servers.address(server, name)))
        stages = []
        for i in range(number):
            connection.execute(f"create database {name}_{i} template {name}")
            stages.append(rows.tried_at(servers.address(server, f"{name}_{i}"), made("rows", 5, i), tmp_path))
            connection.execute(f"drop database {name}_{i} with (force)")
    assert any(stage != "refused" for stage in stages)
