"""Old matches are forgotten, each kind after its days, and none at which somebody is."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed

from rulewright.main import main
from rulewright.serve import forgetting
from rulewright.serve.api.uploads import uploads_folder
from rulewright.serve.config import Keeping
from rulewright.serve.forgetting import DAY, forget_old, forget_uploads
from rulewright.serve.store import sql
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.schema import GRANTS
from rulewright.serve.store.storage import RulesetArchive
from tests.serve.clients import Browser, Player, Served, serving
from tests.serve.test_storage import MATCH
from tests.serve.test_uploads import ruleset, zipped


async def forgotten(served: Served, keeping: Keeping, days: int) -> int:
    """How many matches are forgotten after so many days."""
    context, now = served.context, int(time.time() * 1000)
    return await forget_old(context.service.registry, context.tables.presence, keeping, now + days * DAY + 1)


def test_a_table_that_nobody_fills_is_forgotten(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann = served.browser()
            match = (await ann.make("tic_tac_toe"))["match"]
            assert await forgotten(served, Keeping(), 29) == 0
            async with ann.seat(match):
                assert await forgotten(served, Keeping(), 30) == 0, "somebody waits there"
            while served.context.tables.known(match) is not None:
                await asyncio.sleep(0.01)
            assert await forgotten(served, Keeping(unfilled=0), 30) == 0
            assert await forgotten(served, Keeping(), 30) == 1
            await ann.get(f"/api/matches/{match}", 404)
            assert (await ann.get("/api/matches"))["mine"] == []

    asyncio.run(main())


def test_matches_are_kept_unless_the_host_says_otherwise(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann = served.browser()
            for _ in range(2):
                await ann.make("tic_tac_toe", players=["me", "me"])
            closed = (await ann.make("tic_tac_toe"))["match"]
            await ann.post(f"/api/matches/{closed}/close", status=204)
            assert await forgotten(served, Keeping(), 9999) == 0
            assert await forgotten(served, Keeping(finished=7), 6) == 0
            assert await forgotten(served, Keeping(finished=7), 7) == 1
            assert await forgotten(served, Keeping(idle=7), 7) == 2

    asyncio.run(main())


def test_more_are_forgotten_than_are_looked_for_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "AT_ONCE", 1)

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            for _ in range(3):
                await served.browser().make("tic_tac_toe")
            assert await forgotten(served, Keeping(), 30) == 3

    asyncio.run(main())


def test_the_command_names_its_days() -> None:
    shown = CliRunner().invoke(main, ["serve", "--help"]).output
    assert all(f"--forget-{kind} DAYS" in shown for kind in ("unfilled", "idle", "finished", "uploads"))


def test_an_uploaded_ruleset_that_nobody_uses_is_forgotten(tmp_path: Path) -> None:
    """Not one that has a match, nor one that somebody has opened since."""

    async def main() -> None:
        async with serving(tmp_path, "pig", uploads=True) as served:
            ann, context = served.browser(), served.context
            played, opened, left = [await uploaded(ann, name) for name in ("pig", "nim", "tic_tac_toe")]
            match = (await ann.make(played, players=["me", "me"]))["match"]
            uploads, now = uploads_folder(context.config), int(time.time() * 1000)
            long_ago = now / 1000 - 91 * 24 * 3600
            for path in (*uploads.iterdir(), half_removed(uploads)):
                os.utime(path, (long_ago, long_ago))
            await ann.get("/api/games")
            await ann.get(f"/api/games/{opened}")
            assert await forget_uploads(context, now - 2 * DAY) == 0
            assert await forget_uploads(context, now) == 1
            assert sorted(path.name for path in uploads.iterdir()) == sorted([played, opened])
            shown = {game["game"] for game in (await ann.get("/api/games"))["games"]}
            assert shown == {"pig", played, opened}
            await ann.get(f"/api/games/{left}", 404)
            assert await uploaded(ann, "tic_tac_toe") == left, "it can come again"
            await ann.get(f"/api/games/{left}")
            assert await asyncio.wrap_future(context.storage.forget(match, now + DAY))
            assert await forget_uploads(context, now) == 1
            assert not (uploads / played).exists()

    asyncio.run(main())


async def uploaded(visitor: Browser, name: str) -> str:
    """The id of a ruleset that somebody uploads."""
    kind = {"content-type": "application/zip"}
    answer = await visitor.http.post("/api/games", content=zipped(ruleset(name)), headers=kind)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["game"])


def half_removed(uploads: Path) -> Path:
    """What is left over if the server is killed while it removes a ruleset."""
    folder = uploads / ".rulewright-0.new"
    folder.mkdir()
    (folder / "game.yaml").write_text("game: x\n")
    return folder


def test_what_another_process_has_forgotten_is_offered_no_more(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "pig", uploads=True) as served:
            ann, context = served.browser(), served.context
            game = await uploaded(ann, "tic_tac_toe")
            await ann.get(f"/api/games/{game}")
            shutil.rmtree(uploads_folder(context.config) / game)
            assert await forget_uploads(context, 0) == 0
            assert [one["game"] for one in (await ann.get("/api/games"))["games"]] == ["pig"]

    asyncio.run(main())


def test_who_comes_to_a_match_that_is_being_forgotten_is_told_so(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann = served.browser()
            match = (await ann.make("tic_tac_toe"))["match"]
            async with ann.socket(match) as socket:
                player = Player(socket)
                await player.hello()
                later = int(time.time() * 1000) + 30 * DAY
                assert await asyncio.wrap_future(served.context.storage.forget(match, later))
                with pytest.raises(ConnectionClosed):
                    await player.until(lambda: False)
                assert socket.close_code == 4404
                assert [error["code"] for error in player.errors] == ["not-found"]
            while served.context.tables.known(match) is not None:
                await asyncio.sleep(0.01)

    asyncio.run(main())


def test_a_match_that_has_changed_meanwhile_stays_in_memory(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            match = (await served.browser().make("tic_tac_toe"))["match"]
            storage = served.context.storage
            unchanged = storage.unchanged
            storage.unchanged = lambda status, before, since, most: unchanged(status, before * 2, since, most)
            assert await forgotten(served, Keeping(), 0) == 0
            assert served.service.known(match) is not None

    asyncio.run(main())


def test_rules_go_with_the_last_match_that_needs_them(address: str) -> None:
    store = open_storage(address)
    games = [RulesetArchive(name * 64, name, {"game.yaml": name.encode()}) for name in "abc"]
    rows = [replace(MATCH, id=f"m{n}", digest=g.digest, archive=g.digest) for n, g in enumerate(games)]
    for row, game in zip(rows[:2], games[:2], strict=True):
        store.create(row, [], [], game).result()
    store.put_archive(games[2]).result()
    assert store.forget_archives().result() == 1
    assert [store.archive(game.digest) for game in games] == [*games[:2], None]
    assert store.forget("m0", MATCH.updated + 1).result()
    assert store.forget_archives().result() == 1
    assert store.forget_archives().result() == 0
    assert [store.archive(game.digest) for game in games] == [None, games[1], None]
    store.create(rows[0], [], [], games[0]).result()
    assert store.archive(games[0].digest) == games[0]
    store.close()


@pytest.mark.postgresql
def test_rules_stay_that_a_match_is_being_made_on(database: str) -> None:
    """Between its rules and its row, the match is in a transaction of another process."""
    store, other = open_storage(database), open_storage(database)
    game = RulesetArchive("a" * 64, "a", {"game.yaml": b"a"})
    store.put_archive(game).result()
    row = replace(MATCH, id="m", digest=game.digest, archive=game.digest)
    with store.engine.begin() as connection:
        sql._keep(connection, game)
        going = other.forget_archives()
        time.sleep(0.3)
        assert not going.done(), "it waits"
        connection.execute(sql.MATCHES.insert(), sql._match_values(row) | {"length": 0})
    assert going.result(10) == 0
    assert store.archive(game.digest) == game
    store.close()
    other.close()


@pytest.mark.postgresql
def test_who_writes_of_a_match_is_waited_for(database: str) -> None:
    """Another process gives somebody a seat while the match is forgotten: one is done after the other."""
    store, other = open_storage(database), open_storage(database)
    game = RulesetArchive(MATCH.digest, "a", {"game.yaml": b"a"})
    store.create(MATCH, [], [], game).result()
    grant = {"visitor": "v", "match": MATCH.id, "seat": 0, "token": "t", "at": 1}
    with store.engine.begin() as connection:
        connection.execute(GRANTS.insert(), grant)
        going = other.forget(MATCH.id, MATCH.updated + 1)
        time.sleep(0.3)
        assert not going.done()
    assert going.result(10)
    assert store.match(MATCH.id) is None
    store.close()
    other.close()
