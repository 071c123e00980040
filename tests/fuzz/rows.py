"""Fuzzer of what stands in a store: a damaged row is told with a code for its match alone, and others go on.

A store with matches of all kinds is made once. For each input a copy of it gets values that nobody has
written there: of other types, cut, with other JSON, of another match, huge. Then a server over it is asked
for everything.
"""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from urllib.parse import quote

import httpx
import sqlalchemy as sa

from dsl.diagnostics import DiagnosticError
from interpreter.messages import Fault
from rulewright.serve.access.visitors import COOKIE, Signer
from rulewright.serve.app import make_app
from rulewright.serve.config import ServeConfig
from rulewright.serve.context import Context
from rulewright.serve.games.catalogue import sources_of
from rulewright.serve.matches.creating import new_secret, token_of
from rulewright.serve.matches.interface import SeatRequest
from rulewright.serve.matches.service import MatchService
from rulewright.serve.notices.notifier import Timing
from rulewright.serve.store.grants import Grant, Grants
from rulewright.serve.store.opening import is_postgresql, open_storage
from rulewright.serve.store.schema import TABLES
from rulewright.serve.store.storage import NoticeRow
from rulewright.serve.tables.open_tables import Connection, OpenTable
from tests.fuzz.inputs import Input, Wrong
from tests.fuzz.requests import Logged
from tests.serve.clients import LAVISH, SECRET
from tests.serve.playing import HUMAN, play, table

NAME = "rows"
OWNER = "ann"
GAMES = ("pig", "kuhn_poker", "tic_tac_toe", "augustus")
SOUND = "connect_four"
"""The game of the match that nobody damages."""
BOMB = 64 << 20
VALUES: tuple[Any, ...] = (
    None, "", "x", "\x00", "\ud7ff\U0010ffff", -1, 0, 1, 7, 1 << 31, (1 << 63) - 1, 1.5, "1", "-1", "[]",
    "{}", "null",
    "true", '"x"', "[" * 5000, '{"a":' * 3000, "9" * 5000, "1e999", "NaN", '{"kind":"move"}',
    '[["a",1]]', "running",
    "over", "human", "choice", "undo", "2000-01-01", "x" * 400_000, {"bytes": ""}, {"bytes": "ff" * 40},
    {"bomb": BOMB},
)  # fmt: skip
LEAVES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 99, 10**15, 10**40, 1.5, "", "x", "A", "\x00", "\ud800", [], {}, [[]],
    {"a": 1}, ["x"],
    [0, 1], [None] * 3, [10**12], "x" * 5000,
)  # fmt: skip


# ---- inputs


def make(pick: Random) -> Input:
    """A few values in a few rows."""
    tables = [one for one in TABLES.sorted_tables if one.name not in ("schema_version", "health")]
    lines = []
    for _ in range(1 + int(pick.expovariate(0.7))):
        of = pick.choice(tables)
        if pick.random() < 0.4:
            of = TABLES.tables[pick.choice(("matches", "log", "snapshots"))]
        column = pick.choice([column.name for column in of.columns])
        match pick.randrange(6):
            case 0 | 1:
                how: list[Any] = ["value", pick.randrange(len(VALUES))]
            case 2:
                how = ["cut", pick.random()]
            case 3:
                how = ["other", pick.randrange(1 << 16)]
            case 4:
                how = ["flip", pick.randrange(1 << 16)]
            case _:
                how = ["json", pick.randrange(1 << 16), pick.randrange(len(LEAVES) + 1)]
        lines.append([of.name, column, pick.randrange(1 << 16), *how])
    return Input(NAME, {"lines": lines})


# ---- the store


@cache
def template() -> Path:
    """A store with matches of all kinds."""
    path = Path(mkdtemp(prefix="rows")) / "matches.db"
    asyncio.run(filled(str(path)))
    with sqlite3.connect(path) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    return path


async def filled(address: str) -> None:
    """Fill a store: running, waiting, ended and companion matches, with notices, grants and snapshots."""
    storage = open_storage(address)
    service, grants = MatchService(storage), Grants(storage)
    await service.start()
    set_up = {"owner": OWNER, "visibility": "open"}
    asked = [table(game, HUMAN, HUMAN, set_up=set_up) for game in GAMES]
    asked += [
        table("pig", HUMAN, SeatRequest("open"), set_up=set_up),
        table("kuhn_poker", HUMAN, HUMAN, set_up={**set_up, "companion": True}),
        table("pig", HUMAN, HUMAN, set_up=set_up, committed=True),
        table(SOUND, HUMAN, HUMAN, set_up=set_up),
    ]
    for number, one in enumerate(asked):
        made = await service.create(one)
        live = await service.open(made.id)
        if live.companion is None and live.running:
            await play(service, made.id, 6)
        for seat, secret in made.secrets.items():
            await grants.put(Grant(OWNER, made.id, seat, token_of(secret)))
        await grants.note(made.id, 0, "mail", 3)
        await asyncio.wrap_future(storage.put_notice(NoticeRow(made.id, 0, "webhook", "http://127.0.0.1:1/")))
        if number == 2:
            await service.resign(made.id, 0, "r")
        if number == 0:
            await service.propose(made.id, 0, "p", "abandon", {})
    await service.close()


def damaged(engine: sa.Engine, lines: Sequence[Sequence[Any]]) -> int:
    """Write what lines say. Returns how many of them the database has taken."""
    taken = 0
    for name, column, row, how, *given in lines:
        of = TABLES.tables[name]
        with (
            suppress(sa.exc.SQLAlchemyError, sqlite3.Error, OverflowError, UnicodeError),
            engine.begin() as connection,
        ):
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("pragma foreign_keys = 0")
            rows = _rows(connection, of)
            if not rows:
                continue
            chosen = rows[row % len(rows)]
            value = _other(rows, column, given) if how == "other" else _edited(chosen[column], how, given)
            where = " and ".join(f'"{key.name}" = :key_{key.name}' for key in of.primary_key)
            keys = {f"key_{key.name}": chosen[key.name] for key in of.primary_key}
            change = f'update "{name}" set "{column}" = :value where {where}'
            taken += connection.execute(sa.text(change), {"value": value, **keys}).rowcount
    return taken


def _rows(connection: sa.Connection, of: sa.Table) -> list[dict[str, Any]]:
    """The rows that may be damaged, as they are: all but those of the sound match."""
    found = [dict(row) for row in connection.execute(sa.text(f'select * from "{of.name}"')).mappings()]
    sound = {
        row["id"]
        for row in connection.execute(
            sa.text("select id from matches where source = 'connect_four'")
        ).mappings()
    }
    archives = set(
        connection.execute(sa.text("select archive from matches where source = 'connect_four'")).scalars()
    )
    mine = {"matches": ("id", sound), "archives": ("digest", archives)}
    key, kept = mine.get(of.name, ("match", sound))
    return sorted(
        (row for row in found if row[key] not in kept), key=lambda row: repr(sorted(map(repr, row.items())))
    )


def _other(rows: Sequence[dict[str, Any]], column: str, given: Sequence[Any]) -> Any:
    return rows[given[0] % len(rows)][column]


def _edited(before: Any, how: str, given: Sequence[Any]) -> Any:
    match how:
        case "value":
            found = VALUES[given[0]]
            if isinstance(found, dict):
                return (
                    bytes.fromhex(found["bytes"])
                    if "bytes" in found
                    else zlib.compress(bytes(found["bomb"]), 9)
                )
            return found
        case "cut" if isinstance(before, str | bytes):
            return before[: int(len(before) * given[0])]
        case "flip" if isinstance(before, bytes) and before:
            at = given[0] % len(before)
            return before[:at] + bytes([before[at] ^ (1 << given[0] % 8)]) + before[at + 1 :]
        case "json" if isinstance(before, str):
            with suppress(ValueError):
                return _changed(json.loads(before), *given)
    return "?"


def _changed(value: Any, where: int, which: int) -> str:
    """JSON of which one part is another, or is missing."""
    parts: list[tuple[Any, Any]] = []

    def walk(inner: Any) -> None:
        keys = (
            list(inner) if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
        )
        for key in keys:
            parts.append((inner, key))
            walk(inner[key])

    walk(value)
    if not parts:
        return json.dumps(LEAVES[which % len(LEAVES)])
    inner, key = parts[where % len(parts)]
    if which < len(LEAVES):
        inner[key] = LEAVES[which]
    else:
        del inner[key]
    return json.dumps(value)


# ---- runs


def run(one: Input) -> str:
    """Damage a copy of the store, and ask a server over it for everything."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "matches.db"
        shutil.copy(template(), path)
        return tried_at(str(path), one, Path(folder))


def tried_at(address: str, one: Input, folder: Path) -> str:
    """The same in a store at an address, which is damaged."""
    if is_postgresql(address):
        engine = sa.create_engine(f"postgresql+psycopg://{address.partition('://')[2]}")
    else:
        engine = sa.create_engine(f"sqlite+pysqlite:///{address}")
    taken = damaged(engine, one.said["lines"])
    engine.dispose()
    logged = Logged()
    logging.getLogger().addHandler(logged)
    try:
        stage = asyncio.run(_asked(address, folder))
    finally:
        logging.getLogger().removeHandler(logged)
    if logged.found:
        raise Wrong("logged", logged.found[0])
    return stage if taken else "refused"


@cache
def _games() -> Any:
    """Compiled games, for all inputs of a process."""
    storage = open_storage(str(Path(mkdtemp(prefix="rows")) / "none.db"))
    return MatchService(storage).games


async def _asked(address: str, folder: Path) -> str:
    """Ask for everything. Raises `Wrong` for a 5xx, and if a match that is sound does not go on."""
    storage = open_storage(address)
    config = ServeConfig(
        sources_of((*GAMES, SOUND)), "http://testserver", SECRET, folder, limits=LAVISH, webhooks=True
    )
    service = MatchService(storage)
    service.games = service.registry.games = _games()
    app = make_app(config, storage, service, Timing(0.0, ()))
    cookie = Signer(SECRET).cookie(OWNER)
    with storage.engine.connect() as connection:
        ids = [str(found) for found in connection.execute(sa.text("select id from matches")).scalars()]
    opened = 0
    async with app.router.lifespan_context(app):
        context: Context = app.state.context
        transport = httpx.ASGITransport(app)
        headers = {"Cookie": f"{COOKIE}={cookie}", "Origin": config.public_url}
        async with httpx.AsyncClient(
            transport=transport, base_url=config.public_url, headers=headers
        ) as http:
            await asyncio.wait_for(service.scheduler.resumed(), 60)
            lists = (await _got(http, "/api/matches")).json()
            await _got(http, "/health")
            for match in ids:
                for path in ("", "/log?seat=0", "/log", "/notices?seat=0"):
                    await _got(http, f"/api/matches/{quote(match[:80], safe='')}{path}")
                opened += await _looked_at(context, match)
            for what in ("join", "rematch", "leave"):
                answer = await http.post(
                    f"/api/matches/{quote(ids[0][:80], safe='')}/{what}", json={"seat": 0}
                )
                _check(answer, what)
            lists = (await _got(http, "/api/matches")).json()
    if not any(found["game"] == SOUND for found in lists["mine"]):
        raise Wrong("sound-match-not-listed", json.dumps(lists)[:2000])
    return f"{opened} opened"


async def _got(http: httpx.AsyncClient, path: str) -> httpx.Response:
    try:
        answer = await http.get(path)
    except httpx.InvalidURL:
        answer = httpx.Response(400)
    _check(answer, path)
    return answer


def _check(answer: httpx.Response, path: str) -> None:
    if answer.status_code >= 500:
        raise Wrong(
            f"status-{answer.status_code}-{path.rpartition('/')[2].partition('?')[0]}", answer.text[:2000]
        )


async def _looked_at(context: Context, match: str) -> bool:
    """Look at a match, if it can be opened. Returns whether it could."""
    try:
        async with context.tables.visit(match) as table:
            await _used(context, match, table)
    except DiagnosticError:
        return False
    return True


async def _used(context: Context, match: str, table: OpenTable) -> None:
    """Look at a match as all viewers, and play on."""
    service = context.service
    sent: list[str] = []

    async def send(text: str) -> None:
        sent.append(text)

    for viewer in range(-1, len(table.live.seats)):
        grant = (viewer, table.live.seats[viewer].token) if viewer >= 0 else None
        connection = Connection(OWNER, viewer, grant, send, lambda code, what: None)
        table.enter(connection)
        table.greet(connection, 0, "")
        while (text := table._next_view(connection)) is not None:
            json.loads(text)
            text.encode()
        table.leave(connection)
    with suppress(DiagnosticError, Fault):
        await play(service, match, 2, seed=2) if table.live.companion is None else None
    with suppress(DiagnosticError, Fault):
        await service.undo(match, 0, new_secret(), None)
    with suppress(DiagnosticError, Fault):
        await service.answer(match, 1, new_secret(), 1, True)
    with suppress(DiagnosticError, Fault):
        await service.export(match)
    if table.live.row.source == SOUND and not table.live.log.rows:
        raise Wrong("sound-match-is-empty")
