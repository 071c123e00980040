"""What goes wrong below a store: commits that fail, a full disk, rows that somebody else has written."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from dsl.diagnostics import DiagnosticError
from rulewright.serve.matches.service import MatchService
from rulewright.serve.matches.snapshots import snapshot
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.schema import ARCHIVES, LOG
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import LogRow, Snapshot, StoreFailed
from tests.serve.clients import Served, serving
from tests.serve.playing import CARDS, DICE, an_offer, choose, play, served, table


class FailingCommits:
    """Makes commits of a store's writer fail: `before` they are carried out, or after."""

    def __init__(self, storage: SqlStorage) -> None:
        self.left = 0
        self.failed = 0
        event.listen(storage.writer.engine, "commit", self.commit)

    def commit(self, _: sa.Connection) -> None:
        if self.left:
            self.left -= 1
            self.failed += 1
            raise OSError(28, "No space left on device")


def store_of(service: MatchService) -> SqlStorage:
    assert isinstance(service.storage, SqlStorage)
    return service.storage


def test_every_commit_fails_once(address: str) -> None:
    """Each choice is refused at first, and nothing of it remains; sent again, it is carried out."""

    async def act(service: MatchService) -> None:
        created, random = await service.create(table(CARDS)), Random(1)
        failing = FailingCommits(store_of(service))
        for i in range(8):
            live = await service.open(created.id)
            if not live.running:
                break
            seat, words = an_offer(live, random)
            failing.left = 1
            with pytest.raises(DiagnosticError) as refused:
                await service.choose(created.id, seat, f"{i}", live.version(seat), words)
            assert refused.value.diagnostic.code == "C452"
            again = await service.open(created.id)
            assert again is not live, "what is in memory is dropped"
            assert again.match.state == live.match.state
            assert again.log == live.log
            answer = await service.choose(created.id, seat, f"{i}", live.version(seat), words)
            assert not answer.former
        assert failing.failed >= 3
        rows = service.storage.rows(created.id)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))

    served(address, act)


def test_one_failing_commit_is_none_of_the_others(tmp_path: Path) -> None:
    """Decisions that share a commit are written one by one if it fails."""

    async def act(service: MatchService) -> None:
        created = [await service.create(table()) for _ in range(6)]
        failing = FailingCommits(store_of(service))
        failing.left = 1
        offers = [an_offer(await service.open(one.id), Random(1)) for one in created]
        asked = [
            service.choose(one.id, seat, "a", None, words)
            for one, (seat, words) in zip(created, offers, strict=True)
        ]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert failing.failed == 1
        assert sum(isinstance(one, BaseException) for one in found) <= 1
        for one, answer in zip(created, found, strict=True):
            choices = [row for row in service.storage.rows(one.id) if row.kind == "choice"]
            assert len(choices) == (not isinstance(answer, BaseException))

    served(str(tmp_path / "a.db"), act)


def test_an_acknowledgement_that_was_lost_is_found_again(address: str) -> None:
    """The commit was carried out, but the store says that it failed: the same request is not doubled."""

    async def act(service: MatchService) -> None:
        created = await service.create(table())
        storage = store_of(service)
        live = await service.open(created.id)
        seat, words = an_offer(live, Random(1))
        append = storage.append

        def lost(*given: object):
            append(*given).result(10)  # type: ignore[arg-type]
            raise StoreFailed("the connection is lost")

        storage.append = lost  # type: ignore[method-assign]
        with pytest.raises(DiagnosticError):
            await service.choose(created.id, seat, "a", live.version(seat), words)
        storage.append = append  # type: ignore[method-assign]
        answer = await service.choose(created.id, seat, "a", live.version(seat), words)
        assert answer.former
        choices = [row for row in storage.rows(created.id) if row.kind == "choice"]
        assert len(choices) == 1

    served(address, act)


@contextmanager
def full_disk(storage: SqlStorage) -> Iterator[None]:
    """No page can be added to the database any more."""
    with storage.writer.engine.connect() as connection:
        most = connection.exec_driver_sql("pragma max_page_count").scalar()
        pages = connection.exec_driver_sql("pragma page_count").scalar()
        connection.exec_driver_sql(f"pragma max_page_count = {pages}")
    yield
    with storage.writer.engine.connect() as connection:
        connection.exec_driver_sql(f"pragma max_page_count = {most}")


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    async def act(service: MatchService) -> None:
        created, random = await service.create(table(DICE)), Random(1)
        acknowledged, refused = [], ""
        with full_disk(store_of(service)):
            for i in range(400):
                live = await service.open(created.id)
                if not live.running:
                    break
                try:
                    acknowledged.append((await choose(service, created.id, random, f"{i}")).seq)
                except DiagnosticError as error:
                    refused = error.diagnostic.code
                    break
        assert refused == "C452", "the disk was never full"
        rows = service.storage.rows(created.id)
        assert {row.seq for row in rows} >= set(acknowledged)
        live = await play(service, created.id, 3, seed=9)
        assert live.log.length > len(rows)

    served(str(tmp_path / "a.db"), act)


async def health_of(served: Served) -> int:
    """The status of `/health`, found out anew."""
    served.context.health._trial = None
    return (await served.browser().http.get("/health")).status_code


def test_health_is_what_a_choice_would_meet(tmp_path: Path) -> None:
    """A server on a full disk is not well, and is well again when there is room."""

    async def act() -> None:
        async with serving(tmp_path, DICE) as served:
            assert await health_of(served) == 200
            storage = store_of(served.service)
            with full_disk(storage):
                with (
                    storage.writer.engine.begin() as connection
                ):  # what was free within the file is used, too
                    free = connection.exec_driver_sql("pragma freelist_count").scalar_one()
                    archive = {"digest": "x", "name": "x", "files": bytes(4000 * free)}
                    connection.execute(ARCHIVES.insert(), archive)
                assert await health_of(served) == 503
            assert await health_of(served) == 200

    asyncio.run(act())


def test_health_is_found_out_once_for_all(tmp_path: Path) -> None:
    async def act() -> None:
        async with serving(tmp_path, DICE) as served:
            storage = store_of(served.service)
            tried, trial = [], storage.try_out
            storage.try_out = lambda: (tried.append(1), trial())[1]  # type: ignore[method-assign]
            visitor = served.browser().http
            answers = await asyncio.gather(*(visitor.get("/health") for _ in range(20)))
            assert {answer.status_code for answer in answers} == {200}
            assert len(tried) == 1

    asyncio.run(act())


def removed(folder: Path) -> None:
    shutil.rmtree(folder)


def moved(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))


def without_journal(folder: Path) -> None:
    (folder / "matches.db-wal").unlink()


def replaced(folder: Path) -> None:
    (folder / "matches.db").rename(folder / "old.db")
    shutil.copy(folder / "old.db", folder / "matches.db")


@pytest.mark.parametrize("lose", [removed, moved, without_journal, replaced])
def test_a_store_that_lost_its_files_acknowledges_nothing(
    lose: Callable[[Path], None], tmp_path: Path
) -> None:
    """SQLite writes on into files that no name leads to; what is written there is gone at the next start."""

    async def act() -> None:
        async with serving(tmp_path / "data", DICE) as served:
            ann = served.browser()
            made = await ann.make(DICE, players=["me", "me"])
            async with ann.seat(made["match"], 0) as player:
                await player.until(lambda: bool(player.choices))
                lose(tmp_path / "data")
                answer = await player.ask("choose", version=player.version, words=player.choices[0])
                assert answer["code"] == "not-kept"
                assert await health_of(served) == 503
                again = await player.ask("choose", version=player.version, words=player.choices[0])
                assert again["type"] == "refused"

    (tmp_path / "data").mkdir()
    asyncio.run(act())


def test_a_log_that_was_changed_is_refused_alone(address: str) -> None:
    found = {}

    async def begin(service: MatchService) -> None:
        for name in ("broken", "malformed", "sound"):
            found[name] = (await service.create(table(CARDS))).id
            await play(service, found[name], 3)
        with store_of(service).writer.engine.begin() as connection:
            for name, data in (("broken", '{"hash":"0","words":"nonsense"}'), ("malformed", "{}")):
                row = (LOG.c.match == found[name]) & (LOG.c.seq == 5)
                connection.execute(LOG.update().where(row).values(kind="choice", seat=0, data=data))

    async def again(service: MatchService) -> None:
        with store_of(service).writer.engine.begin() as connection:
            connection.execute(sa.text("delete from snapshots"))
        for name in ("broken", "malformed"):
            with pytest.raises(DiagnosticError) as refused:
                await service.open(found[name])
            assert refused.value.diagnostic.code == "C459"
            assert "row 5" in refused.value.diagnostic.message
        await play(service, found["sound"], 1, seed=5)

    served(address, begin)
    served(address, again)


def test_a_snapshot_that_does_not_fit_is_left_aside(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(CARDS))
        live = await play(service, created.id, 3)
        session = service.registry.session(created.id)
        for wrong in ("digest", "old"):
            kept = live.row.digest if wrong == "old" else "another"
            made = snapshot(live)
            await asyncio.wrap_future(
                service.storage.put_snapshot(created.id, Snapshot(made.seq, kept, made.data))
            )
            await session.reload()
            assert session.live is not None
            assert session.live.match.state == live.match.state
            assert session.live.match.steps == live.match.steps

    served(address, act)


def test_a_closed_store_says_so(address: str) -> None:
    storage = open_storage(address)
    storage.close()
    with pytest.raises(StoreFailed):
        storage.append("m", 0, [LogRow(1, "start", 0)]).result(10)
