"""The contract of stores, on each of them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sa

from dsl.diagnostics import DiagnosticError
from rulewright.serve.store import opening, schema
from rulewright.serve.store.grants import Grant, Grants
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import (
    Conflict,
    LogRow,
    MatchRow,
    NoticeRow,
    RulesetArchive,
    SeatRow,
    Snapshot,
    Update,
)

ARCHIVE = RulesetArchive("d" * 64, "a_game", {"game.yaml": b"name: a", "labels/en.yaml": "ő".encode()})
MATCH = MatchRow(
    id="m",
    game="a_game",
    source="a_game",
    digest=ARCHIVE.digest,
    archive=ARCHIVE.digest,
    seats=2,
    options={"variant": "long"},
    salt=2**127 + 3,
    nonce=None,
    commitment=None,
    clock={"kind": "none"},
    set_up={"open": True, "name": "Ödön"},
    status="running",
    result=None,
    created=5,
    updated=5,
)
SEATS = [SeatRow("m", 0, "human", "Ágnes", "t0"), SeatRow("m", 1, "bot", "", None, False, "random")]
START = [LogRow(1, "start", 5, data={"hash": "0"}), LogRow(2, "chance", 5, data={"stream": "dice"})]


def choice(seq: int, client: str | None = None) -> LogRow:
    return LogRow(seq, "choice", 10 + seq, 0, client, {"words": "roll ő"})


@pytest.fixture
def store(address: str) -> Iterator[SqlStorage]:
    found = open_storage(address)
    found.put_archive(ARCHIVE).result(10)
    found.create(MATCH, SEATS, START).result(10)
    yield found
    found.close()


def test_what_was_created_is_read_again(store: SqlStorage) -> None:
    assert store.match("m") == replace(MATCH, length=2)
    assert store.seats("m") == SEATS
    assert store.rows("m") == START
    assert store.archive(ARCHIVE.digest) == ARCHIVE
    assert (store.match("n"), store.seats("n"), store.rows("n"), store.archive("n")) == (None, [], [], None)


def test_an_id_is_taken_once(store: SqlStorage) -> None:
    with pytest.raises(Conflict):
        store.create(MATCH, SEATS, START).result(10)
    assert store.rows("m") == START


def test_rows_are_appended_behind_the_last_one(store: SqlStorage) -> None:
    rows = [choice(3, "0:a"), LogRow(4, "chance", 13, data={"stream": "dice", "outcome": "6"})]
    store.append("m", 2, rows, Update("over", {"by": "rules", "winners": [1]})).result(10)
    assert store.rows("m", 2) == rows
    assert store.row_of("m", "0:a") == rows[0]
    found = store.match("m")
    assert found is not None
    result = {"by": "rules", "winners": [1]}
    assert (found.length, found.status, found.result, found.updated) == (4, "over", result, 13)


def test_a_stale_append_writes_nothing(store: SqlStorage) -> None:
    store.append("m", 2, [choice(3)]).result(10)
    for after in (1, 2, 4):
        with pytest.raises(Conflict):
            store.append("m", after, [choice(after + 1)], Update("over")).result(10)
    assert store.rows("m") == [*START, choice(3)]
    assert store.match("m").status == "running"  # type: ignore[union-attr]


def test_a_clients_id_is_written_once(store: SqlStorage) -> None:
    store.append("m", 2, [choice(3, "0:a")]).result(10)
    with pytest.raises(Conflict):
        store.append("m", 3, [choice(4, "0:a")]).result(10)
    assert store.match("m").length == 3  # type: ignore[union-attr]
    assert len(store.rows("m")) == 3


def test_one_of_many_appends_at_one_place_wins(store: SqlStorage) -> None:
    futures = [store.append("m", 2, [choice(3, f"0:{i}")]) for i in range(40)]
    failed = [future for future in futures if isinstance(future.exception(10), Conflict)]
    assert len(failed) == 39
    assert len(store.rows("m")) == 3


def test_many_threads_read_and_write(store: SqlStorage) -> None:
    matches = [replace(MATCH, id=f"m{i}") for i in range(8)]
    for match in matches:
        seats = [replace(seat, match=match.id, token=None) for seat in SEATS]
        store.create(match, seats, START).result(10)
    begin = threading.Barrier(8)

    def act(match: MatchRow) -> None:
        begin.wait(10)
        for i in range(20):
            store.append(match.id, 2 + i, [choice(3 + i, f"{i}")]).result(30)
            assert [row.seq for row in store.rows(match.id)] == list(range(1, 4 + i))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(act, matches))
    assert {len(store.rows(match.id)) for match in matches} == {22}


def test_seats_are_opened_by_their_secret_alone(store: SqlStorage) -> None:
    assert store.seat_of("t0") == SEATS[0]
    assert store.seat_of("t1") is None
    taken = replace(SEATS[0], name="B", token="t2")
    store.put_seat(taken, SEATS[0]).result(10)
    with pytest.raises(Conflict):
        store.put_seat(replace(taken, name="C"), SEATS[0]).result(10)
    assert (store.seat_of("t0"), store.seat_of("t2")) == (None, taken)
    store.put_seat(replace(taken, revoked=True)).result(10)
    assert store.seat_of("t2") is None


def test_snapshots_and_notices_are_replaced(store: SqlStorage) -> None:
    assert store.snapshot("m") is None
    for data in (b"\0one", b"\xfftwo"):
        store.put_snapshot("m", Snapshot(2, ARCHIVE.digest, data)).result(10)
    assert store.snapshot("m") == Snapshot(2, ARCHIVE.digest, b"\xfftwo")
    mail, hook = NoticeRow("m", 0, "mail", "a@b"), NoticeRow("m", 1, "webhook", "https://x")
    for notice in (replace(mail, target="x@y"), mail, hook):
        store.put_notice(notice).result(10)
    assert store.notices("m") == [mail, hook]
    store.put_notice(replace(mail, target="")).result(10)
    assert (store.notices("m", 0), store.notices("m", 1)) == ([], [hook])


def test_matches_are_listed_by_their_last_change(store: SqlStorage) -> None:
    later = replace(MATCH, id="z", updated=7, created=7, status="waiting")
    store.create(later, [], START).result(10)
    assert [match.id for match in store.matches()] == ["z", "m"]
    assert [match.id for match in store.matches(["running"])] == ["m"]
    assert [match.id for match in store.matches((), 1, 1)] == ["m"]


def test_sources_are_told_once(store: SqlStorage) -> None:
    for id, source in (("a", "/x/upload-1"), ("b", "pig"), ("c", "pig")):
        store.create(replace(MATCH, id=id, source=source), [], [], ARCHIVE).result()
    assert sorted(store.sources()) == ["/x/upload-1", "a_game", "pig"]


def test_a_match_is_forgotten_with_all_that_is_kept_of_it(store: SqlStorage) -> None:
    store.create(replace(MATCH, id="n"), [], START).result(10)
    store.put_snapshot("m", Snapshot(2, "d", b"x")).result(10)
    store.put_notice(NoticeRow("m", 0, "mail", "a@b.c")).result(10)
    asyncio.run(Grants(store).put(Grant("ann", "m", 0, "t0")))
    assert asyncio.run(Grants(store).note("m", 0, "mail", 1))
    told: list[tuple[str, int]] = []
    store.listen(lambda *it: told.append(it))
    assert store.unchanged(["running"], 5, "", 9) == []
    assert store.unchanged(["waiting"], 6, "", 9) == []
    assert store.unchanged(["running"], 6, "", 9) == ["m", "n"]
    assert store.unchanged(["running"], 6, "m", 9) == ["n"]
    assert store.forget("m", 5).result(10) is False
    assert store.match("m") is not None
    assert store.forget("m", 6).result(10) is True
    assert store.forget("m", 6).result(10) is False
    assert store.match("m") is None
    assert (store.rows("m"), store.seats("m"), store.notices("m"), store.snapshot("m")) == ([], [], [], None)
    assert asyncio.run(Grants(store).of_visitor("ann")) == []
    assert store.match("n") is not None
    assert store.archive(ARCHIVE.digest) == ARCHIVE
    with pytest.raises(Conflict):
        store.append("m", 2, [choice(3)]).result(10)
    while ("m", 0) not in told:
        time.sleep(0.01)


def test_listeners_are_told_after_the_commit(store: SqlStorage) -> None:
    told, seen = threading.Event(), []

    def changed(match: str, seq: int) -> None:
        seen.append((match, seq, len(store.rows(match))))
        told.set()

    store.listen(changed)
    store.append("m", 2, [choice(3)]).result(10)
    assert told.wait(10)
    assert seen == [("m", 3, 3)]


@pytest.mark.postgresql
def test_what_is_posted_is_heard_in_its_order(database: str) -> None:
    """Who came and went would else stay wrong for good: the last text about a match counts."""
    texts, heard, all_heard = [f"{number}" for number in range(300)], list[str](), threading.Event()

    def hear(text: str) -> None:
        heard.append(text)
        if len(heard) == len(texts):
            all_heard.set()

    store = open_storage(database)
    store.hear(hear)
    for text in texts:
        store.post(text)
    assert all_heard.wait(60)
    store.close()
    assert heard == texts


def test_it_is_there_when_it_is_opened_again(address: str) -> None:
    for expected in (None, replace(MATCH, length=2)):
        store = open_storage(address)
        assert store.match("m") == expected
        if expected is None:
            store.put_archive(ARCHIVE).result(10)
            store.create(MATCH, SEATS, START).result(10)
        store.close()


def test_two_processes_may_make_the_tables_at_once(address: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(open_storage, [address] * 4))
    for store in stores:
        assert store.matches() == []
        store.close()


def test_a_newer_schema_is_refused(address: str) -> None:
    store = open_storage(address)
    with store.engine.begin() as connection:
        connection.execute(schema.VERSION.update().values(version=99))
    store.close()
    with pytest.raises(DiagnosticError) as refused:
        open_storage(address)
    assert refused.value.diagnostic.code == "C450"
    assert "schema 99" in refused.value.diagnostic.message


def test_an_older_schema_is_migrated_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_storage(address)
    store.put_archive(ARCHIVE).result(10)
    store.close()

    def more(connection: sa.Connection) -> None:
        connection.execute(sa.text("alter table archives add column note text"))

    migrate = schema.migrate
    monkeypatch.setattr(opening, "migrate", lambda c: migrate(c, (*schema.MIGRATIONS, more)))
    for _ in range(2):
        store = open_storage(address)
        with store.engine.connect() as connection:
            assert connection.execute(sa.text("select note from archives")).all() == [(None,)]
            version = connection.execute(sa.select(schema.VERSION.c.version)).all()
            assert version == [(len(schema.MIGRATIONS) + 1,)]
        store.close()


def test_a_store_of_the_first_schema_gets_languages_of_notices(address: str) -> None:
    store = open_storage(address)
    with store.engine.begin() as connection:
        connection.execute(sa.text("alter table notices drop column language"))
        connection.execute(schema.VERSION.update().values(version=1))
    store.close()
    store = open_storage(address)
    store.put_archive(ARCHIVE).result(10)
    store.create(MATCH, SEATS, START).result(10)
    store.put_notice(NoticeRow("m", 0, "mail", "a@b.c", "hu")).result(10)
    assert store.notices("m") == [NoticeRow("m", 0, "mail", "a@b.c", "hu")]
    store.close()


def test_commits_are_synchronised(address: str) -> None:
    store = open_storage(address)
    for engine in (store.engine, store.writer.engine):
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                for name, value in opening.PRAGMAS.items():
                    assert str(connection.exec_driver_sql(f"pragma {name}").scalar()) == value
            else:
                assert connection.exec_driver_sql("show synchronous_commit").scalar() == "on"
                assert connection.exec_driver_sql("show fsync").scalar() == "on"
    store.close()


@pytest.mark.parametrize("where", ["/nowhere/at/all.db", "postgresql://nobody@127.0.0.1:1/none"])
def test_what_cannot_be_opened_has_a_code(where: str) -> None:
    with pytest.raises(DiagnosticError) as refused:
        open_storage(where)
    assert refused.value.diagnostic.code == "C451"


def test_what_was_given_up_stops_nothing(store: SqlStorage) -> None:
    """A job whose future is cancelled before it begins is not carried out, and the next ones are."""
    held, free = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        held.set()
        free.wait(10)

    holding = [store.writer.submit(hold) for _ in store.writer._threads]
    held.wait(10)
    given_up = store.append("m", 2, [choice(3, "0:a")])
    assert given_up.cancel()
    later = store.append("m", 2, [choice(3, "0:b")])
    free.set()
    for future in (*holding, later):
        future.result(10)
    assert [row.client for row in store.rows("m", 2)] == ["0:b"]
